/* SPDX-License-Identifier: GPL-2.0 */
/* Inside utf8guard.ko: the rules while they are being changed. */
#ifndef _UTF8GUARD_DRAFT_H
#define _UTF8GUARD_DRAFT_H

#include "ruleset.h"

/**
 * struct utf8guard_node - a rule in a draft
 * @order: among the rules of the draft
 * @by_handle: among those whose handles have the same hash
 * @by_key: among those whose keys have the same hash
 * @rule: the rule
 */
struct utf8guard_node {
	struct list_head order;
	struct hlist_node by_handle, by_key;
	struct utf8guard_rule *rule;
};

/**
 * struct utf8guard_draft - rules that nobody sees but their owner
 * @open: among the open transactions of the ruleset
 * @ruleset: whose rules
 * @owner: the socket that began the transaction, held; NULL for a single change
 * @generation: of the policy that it was begun from
 * @changes: made to it
 * @count: number of rules
 * @rules: in order
 * @copies: the nodes that it was begun with, allocated as one
 * @copied: how many they are
 * @bits: logarithm of the number of buckets of each hash
 * @by_handle: hash of the rules, to find one
 * @by_key: hash of the rules, to find another one for the same; follows
 *	@by_handle in the same allocation
 */
struct utf8guard_draft {
	struct list_head open;
	struct utf8guard_ruleset *ruleset;
	struct sock *owner;
	u32 generation;
	u32 changes;
	u32 count;
	struct list_head rules;
	struct utf8guard_node *copies;
	u32 copied;
	u8 bits;
	struct hlist_head *by_handle, *by_key;
};

/* draft.c */
struct utf8guard_draft *utf8guard_draft_new(struct utf8guard_ruleset *ruleset);
void utf8guard_draft_free(struct utf8guard_draft *draft);

/* policy.c */
extern struct workqueue_struct *utf8guard_ruleset_queue;
int utf8guard_ruleset_queue_init(void);
void utf8guard_ruleset_queue_exit(void);
struct utf8guard_policy *utf8guard_ruleset_policy(const struct utf8guard_ruleset *ruleset);
struct utf8guard_policy *utf8guard_policy_alloc(const struct utf8guard_ruleset_type *type,
						u32 count);
void utf8guard_policy_free(struct utf8guard_policy *policy);
void utf8guard_policy_retire(struct utf8guard_policy *policy);
void utf8guard_policy_swap(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
			   bool waits);
void utf8guard_policy_settle(struct utf8guard_ruleset *ruleset);
int utf8guard_policy_publish(struct utf8guard_ruleset *ruleset,
			     const struct utf8guard_draft *draft, u32 confirm,
			     struct netlink_ext_ack *extack);

/* rule.c */
bool utf8guard_rule_gone(const struct utf8guard_ruleset_type *type,
			 const struct utf8guard_rule *rule);

/* ruleset.c */
void utf8guard_ruleset_unlock(struct utf8guard_ruleset *ruleset);
void utf8guard_ruleset_report(struct utf8guard_ruleset *ruleset, const char *action,
			      u32 handle, u32 confirm);
int utf8guard_ruleset_may_change(const struct utf8guard_ruleset *ruleset,
				 struct netlink_ext_ack *extack);

/* ruleset_dump.c */
int utf8guard_ruleset_put_rule(struct sk_buff *skb,
			       const struct utf8guard_ruleset_type *type,
			       const struct utf8guard_rule *rule, u32 generation);
const struct nlattr *utf8guard_ruleset_handle(const struct utf8guard_ruleset *ruleset,
					      struct genl_info *info);

/* transaction.c */

/**
 * struct utf8guard_version - what a transaction begins with, or ends in
 * @generation: of the rules in force
 * @rules: how many they are
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
void utf8guard_transaction_abort_all(struct utf8guard_ruleset *ruleset);

#endif /* _UTF8GUARD_DRAFT_H */
