/* SPDX-License-Identifier: GPL-2.0 */
/* A rule, as attributes.c decodes it, as the command line that makes it. */
#ifndef UTF8GUARD_TOOL_RULE_LINE_H
#define UTF8GUARD_TOOL_RULE_LINE_H

#include "line.h"

/* The locations of a rule: for @i of 0, the rule itself; then its others; after the last, NULL. */
json_t *rule_location(const json_t *rule, size_t i);

#define rule_for_each_location(rule, i, location)			\
	for ((i) = 0; ((location) = rule_location(rule, i)); (i)++)

/* Does the rule wait for what it is for, at one of its locations or everywhere? */
bool rule_waits(const json_t *rule);

/* Is it for some callers only? */
bool rule_has_callers(const json_t *rule);

/* Is it the default for names, for all callers? That rule is always there. */
bool rule_is_default(const json_t *rule);

/* False where an escaped text in it could not be read. */
bool fs_line(const json_t *rule, struct line *line);
bool net_line(const json_t *rule, struct line *line);

#endif /* UTF8GUARD_TOOL_RULE_LINE_H */
