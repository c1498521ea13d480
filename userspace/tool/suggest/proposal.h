/* SPDX-License-Identifier: GPL-2.0 */
/* Rules that are proposed, as lines that load takes beside the rules in force. */
#ifndef UTF8GUARD_TOOL_PROPOSAL_H
#define UTF8GUARD_TOOL_PROPOSAL_H

#include <jansson.h>

#include "policy/rules.h"

void proposal_print(const struct rules *of, const json_t *rule, const char *verb,
		    unsigned long long handle);
void proposal_refuse_too(json_t *rule, const json_t *other);
void proposal_demand_too(json_t *rule, const json_t *other);
void proposal_note(json_t *index, const struct rules *of, json_t *rule);
void proposal_note_all(json_t *index, const struct rules *of, const json_t *list);
json_t *proposal_same(const json_t *index, const struct rules *of, const json_t *rule);

#endif /* UTF8GUARD_TOOL_PROPOSAL_H */
