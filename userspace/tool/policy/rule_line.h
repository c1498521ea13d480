/* SPDX-License-Identifier: GPL-2.0 */
/* A rule, as attributes.c decodes it, as the command line that makes it. */
#ifndef UTF8GUARD_TOOL_RULE_LINE_H
#define UTF8GUARD_TOOL_RULE_LINE_H

#include "rules.h"

/* False where an escaped text in it could not be read. */
bool fs_line(const json_t *rule, struct line *line);
bool net_line(const json_t *rule, struct line *line);

char *rule_text(const struct rules *of, const json_t *rule);

#endif /* UTF8GUARD_TOOL_RULE_LINE_H */
