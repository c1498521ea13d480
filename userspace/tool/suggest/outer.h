/* SPDX-License-Identifier: GPL-2.0 */
/* The rules in force that a new rule for names would take a directory from. */
#ifndef UTF8GUARD_TOOL_OUTER_H
#define UTF8GUARD_TOOL_OUTER_H

#include <jansson.h>

const json_t *outer_rule(const json_t *list, const char *path, json_t *others);

#endif /* UTF8GUARD_TOOL_OUTER_H */
