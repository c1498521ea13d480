/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of the rules: single ones, and transactions. */
#ifndef _UTF8GUARD_TRANSACTION_H
#define _UTF8GUARD_TRANSACTION_H

#include "ruleset_types.h"

/**
 * struct utf8guard_version - which rules were in force when a transaction began or ended
 * @generation: their generation
 * @rules: how many there are
 */
struct utf8guard_version {
	u32 generation, rules;
};

struct utf8guard_draft *utf8guard_transaction_of(const struct utf8guard_ruleset *ruleset,
						 const struct sock *owner);
int utf8guard_transaction_begin(struct utf8guard_ruleset *ruleset, struct sock *owner,
				const u32 *generation, struct utf8guard_version *version,
				struct netlink_ext_ack *extack);
int utf8guard_transaction_commit(struct utf8guard_ruleset *ruleset,
				 const struct sock *owner, const u32 *generation,
				 u32 confirm, struct utf8guard_version *version,
				 struct netlink_ext_ack *extack);
int utf8guard_ruleset_change(struct utf8guard_ruleset *ruleset, struct sock *owner,
			     struct utf8guard_change *change);
void utf8guard_ruleset_abort(struct utf8guard_ruleset *ruleset, const struct sock *owner);
void utf8guard_ruleset_release(struct utf8guard_ruleset *ruleset);
void utf8guard_ruleset_open(struct utf8guard_ruleset *ruleset);
void utf8guard_ruleset_close(struct utf8guard_ruleset *ruleset);

#endif /* _UTF8GUARD_TRANSACTION_H */
