/* SPDX-License-Identifier: GPL-2.0 */
/* Changes to the rules of one check that are made together, or not at all. */
#ifndef UTF8GUARD_TOOL_TRANSACTION_H
#define UTF8GUARD_TOOL_TRANSACTION_H

#include "rules.h"

/**
 * struct transaction - a socket on which the rules are a draft
 * @nl: the socket; closing it forgets the draft
 * @of: whose rules
 * @generation: of the rules that the draft began as
 * @is_unchanged: committed, and equal to the rules in force, so nothing was changed
 * @is_late: not committed, because somebody else has changed the rules since it was begun
 */
struct transaction {
	struct netlink nl;
	const struct rules *of;
	u32 generation;
	bool is_unchanged, is_late;
};

int transaction_open(struct transaction *t, const struct rules *of);

/* Each returns enum status, after a complaint where it is not done. */
int transaction_begin(struct transaction *t);
int transaction_commit(struct transaction *t, u32 seconds);
void transaction_close(struct transaction *t);

/* What is asked of the rules as a whole: confirm, revert, lock. */
int transaction_order(struct transaction *t, enum order order, struct refusal *refusal);

#endif /* UTF8GUARD_TOOL_TRANSACTION_H */
