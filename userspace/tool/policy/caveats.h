/* SPDX-License-Identifier: GPL-2.0 */
/* What keeps a rule for names from doing what its words say. */
#ifndef UTF8GUARD_TOOL_CAVEATS_H
#define UTF8GUARD_TOOL_CAVEATS_H

#include <jansson.h>
#include <stdbool.h>

void caveats_add(json_t *rule);
void caveats_add_all(json_t *list);
char *caveats_text(const json_t *rule);
bool caveats_warn(const json_t *rule, const char *about);
void caveats_warn_of_fstab(const json_t *rule, const char *about);
void caveats_warn_of_new(json_t *rule);

#endif /* UTF8GUARD_TOOL_CAVEATS_H */
