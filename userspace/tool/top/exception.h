/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the rule that would let a refusal pass. */
#ifndef UTF8GUARD_TOOL_EXCEPTION_H
#define UTF8GUARD_TOOL_EXCEPTION_H

#include <jansson.h>

#include "policy/line.h"

char *exception_inside(const json_t *event);
char *exception_directory(const json_t *event);
const char *exception_line(const json_t *event, struct line *line);

#endif /* UTF8GUARD_TOOL_EXCEPTION_H */
