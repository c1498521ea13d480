/* SPDX-License-Identifier: GPL-2.0 */
/* Rules of both checks: the words that make one, and the operations on them. */
#ifndef UTF8GUARD_TOOL_RULES_H
#define UTF8GUARD_TOOL_RULES_H

#include <jansson.h>

#include "change.h"
#include "line.h"
#include "netlink/netlink.h"
#include "words/words.h"

/* What can be asked of the rules as a whole. */
enum order {
	ORDER_CONFIRM,
	ORDER_REVERT,
	ORDER_LOCK,
	ORDERS,
};

/**
 * struct rules - the rules of one check
 * @family: of its netlink interface
 * @command: the word of the tool that is about them, and their member of JSON
 * @title: what users call the check
 * @rule: the attributes of a rule
 * @status: those of the check as a whole
 * @line: the words that make a rule; false where an escaped text in it could not be read
 * @parse: words that change rules as a request; complains
 * @traffic: prints what is counted for a rule as a whole, or NULL
 * @doubt: adds members for what keeps rules of a list from doing what they say
 * @added: complains of that, once a rule is added; @nl may be asked
 * @get, @add, @status_get, @status_reset, @begin, @commit, @flush, @order: commands of the
 *	family
 * @generation, @seconds: attributes of its status
 */
struct rules {
	const char *family, *command, *title;
	const struct attributes *rule, *status;
	bool (*line)(const json_t *rule, struct line *line);
	bool (*parse)(struct words *words, struct change *change);
	void (*traffic)(const json_t *rule);
	void (*doubt)(json_t *list);
	void (*added)(struct netlink *nl, json_t *rule);
	u8 get, add, status_get, status_reset;
	u8 begin, commit, flush, order[ORDERS];
	u16 generation, seconds;
};

extern const struct rules rules_fs, rules_net;

/* Both, the name check first; ends with NULL. */
extern const struct rules *const rules_all[];

bool change_parse(struct change *change, const struct rules *of, struct words *words);
void change_default(struct change *change, u32 handle);

int rules_list(const struct rules *of, struct netlink *nl, json_t **list);
int rules_status(const struct rules *of, struct netlink *nl, json_t **status,
		 struct refusal *refusal);
unsigned int rules_left_out(const struct rules *of, struct netlink *nl);
int rules_default(struct netlink *nl, u32 *handle);
char *rule_text(const struct rules *of, const json_t *rule);
unsigned long long rule_sum(const json_t *rule, const char *name);
char *rule_text_by_path(const struct rules *of, const json_t *rule);
void rules_print_one(const struct rules *of, const json_t *rule, const char *note);
void rules_print(const struct rules *of, const json_t *list);

/* The commands fs and net; returns enum status. */
int rules_run(const struct rules *of, struct words *words);

#endif /* UTF8GUARD_TOOL_RULES_H */
