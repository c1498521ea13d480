/* SPDX-License-Identifier: GPL-2.0 */
/* The rules while they are being changed. */
#ifndef _UTF8GUARD_DRAFT_H
#define _UTF8GUARD_DRAFT_H

#include "ruleset_types.h"

/**
 * struct utf8guard_node - a rule in a draft
 * @order: among the rules of the draft
 * @by_handle: among those whose handles have the same hash; unhashed once it was taken out
 * @by_key: among those whose keys have the same hash
 * @rule: the rule
 */
struct utf8guard_node {
	struct list_head order;
	struct hlist_node by_handle, by_key;
	struct utf8guard_rule *rule;
};

/**
 * struct utf8guard_draft - a copy of the rules, which is changed before it is put in force
 * @open: in the list of the ruleset's open transactions
 * @ruleset: whose rules
 * @owner: the socket that began the transaction, with a reference; NULL for a single change
 * @generation: of the policy that was copied
 * @changes: how many changes were made to the draft
 * @count: number of rules
 * @rules: struct utf8guard_node of each rule, in order
 * @copies: the nodes of the rules that were copied, in one allocation
 * @copied: number of nodes in @copies
 * @first: the rule that is always there, as it was when the draft was begun; or NULL
 * @is_flushed: the rules were flushed: those that the draft was begun with come back as they
 *	were, with handle and counters, if they are added again
 * @flushed: the nodes of such rules, in no order that matters
 * @bits: logarithm of the number of buckets of each hash, 4 at least
 * @seed: of the hashes, so that nobody can choose handles or rules that are all in one bucket
 * @by_handle: hash of the rules, to find one
 * @by_key: hash of the rules, to find another one for the same; follows
 *	@by_handle in the same allocation
 * @flushed_by_key: hash of those of @flushed, which follows that
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
	struct utf8guard_rule *first;
	bool is_flushed;
	struct list_head flushed;
	u8 bits;
	u32 seed;
	struct hlist_head *by_handle, *by_key, *flushed_by_key;
};

/* Was the draft begun with a rule in this place? */
static inline bool utf8guard_draft_had(const struct utf8guard_draft *draft,
				       const struct utf8guard_node *node)
{
	return node >= draft->copies && node < draft->copies + draft->copied;
}

/* Was the rule taken out of the draft? */
static inline bool utf8guard_draft_lost(const struct utf8guard_node *node)
{
	return hlist_unhashed(&node->by_handle);
}

struct utf8guard_draft *utf8guard_draft_new(struct utf8guard_ruleset *ruleset);
void utf8guard_draft_free(struct utf8guard_draft *draft);
struct utf8guard_rule *utf8guard_draft_find(const struct utf8guard_draft *draft,
					    u32 handle);
struct utf8guard_rule *utf8guard_draft_first(const struct utf8guard_draft *draft);
int utf8guard_draft_add(struct utf8guard_draft *draft, struct utf8guard_change *change);
int utf8guard_draft_replace(struct utf8guard_draft *draft, struct utf8guard_change *change);
int utf8guard_draft_del(struct utf8guard_draft *draft, struct utf8guard_change *change);
int utf8guard_draft_flush(struct utf8guard_draft *draft, struct utf8guard_change *change);

#endif /* _UTF8GUARD_DRAFT_H */
