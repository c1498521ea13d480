/* SPDX-License-Identifier: GPL-2.0 */
/* A rule, as attributes.c decodes it, as the command line that makes it. */
#ifndef UTF8GUARD_TOOL_RULE_LINE_H
#define UTF8GUARD_TOOL_RULE_LINE_H

#include "line.h"

/* False where an escaped text in it could not be read. */
bool fs_line(const json_t *rule, struct line *line);
bool net_line(const json_t *rule, struct line *line);

#endif /* UTF8GUARD_TOOL_RULE_LINE_H */
