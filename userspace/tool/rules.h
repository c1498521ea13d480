/* SPDX-License-Identifier: GPL-2.0 */
/* Rules of both checks, listed and shown as the command lines that make them. */
#ifndef UTF8GUARD_TOOL_RULES_H
#define UTF8GUARD_TOOL_RULES_H

#include <jansson.h>

#include "netlink.h"

/**
 * struct rules - the rules of one check
 * @family: of its netlink interface
 * @get: its command rule-get
 * @rule: the attributes of a rule
 * @print: the command line that makes a rule
 * @traffic: what is counted for a rule as a whole, or NULL
 */
struct rules {
	const char *family;
	u8 get;
	const struct attributes *rule;
	void (*print)(const json_t *rule);
	void (*traffic)(const json_t *rule);
};

extern const struct rules rules_fs, rules_net;

int rules_list(const struct rules *of, struct netlink *nl, json_t **list);
void rules_print(const struct rules *of, const json_t *list);

/* What the commands fs and net do; each returns enum status. */
int rules_show(const struct rules *of);
int rules_submit(const struct rules *of, struct request *request);

#endif /* UTF8GUARD_TOOL_RULES_H */
