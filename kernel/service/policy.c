// SPDX-License-Identifier: GPL-2.0
/*
 * The rules as hooks see them: one immutable policy, reached by an RCU pointer. A change builds
 * the next policy, then swaps the pointer. Whatever may fail is done before the swap. The old
 * policy is freed after its last reader.
 */
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "draft.h"
#include "notice.h"
#include "policy.h"
#include "rule.h"

/*
 * On this queue old policies are freed, and commits that nobody confirmed are reverted; also where
 * the policy on trial is why there is no memory for another worker (WQ_MEM_RECLAIM). What a revert
 * waits for has to be on such a queue, too: the collector of flows.
 */
struct workqueue_struct *utf8guard_ruleset_queue;
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_queue, "UTF8GUARD");

/*
 * Makes the queue. Module init; may sleep. Returns 0 or -ENOMEM. Older kernels call its thread as
 * the queue, which is not to look like the tool.
 */
int utf8guard_ruleset_queue_init(void)
{
	utf8guard_ruleset_queue = alloc_workqueue("utf8guard_rules",
						  WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return utf8guard_ruleset_queue ? 0 : -ENOMEM;
}

/* Waits for all work on the queue, and frees it. Module exit; may sleep. */
void utf8guard_ruleset_queue_exit(void)
{
	destroy_workqueue(utf8guard_ruleset_queue);
}

/* A policy without rules, with room for @count of them; or NULL. May sleep. */
struct utf8guard_policy *utf8guard_policy_alloc(const struct utf8guard_ruleset_type *type,
						u32 count)
{
	struct utf8guard_policy *policy;

	policy = kvzalloc(struct_size(policy, rules, count), GFP_KERNEL_ACCOUNT);
	if (policy)
		policy->type = type;
	return policy;
}

/* Frees a policy that no hook can see, or NULL, and its references to rules. May sleep. */
void utf8guard_policy_free(struct utf8guard_policy *policy)
{
	u32 i;

	if (!policy)
		return;
	if (policy->type->release)
		policy->type->release(policy);
	for (i = 0; i < policy->count; i++)
		utf8guard_rule_put(policy->type, policy->rules[i]);
	kvfree(policy);
}

static void retired(struct work_struct *work)
{
	utf8guard_policy_free(container_of(to_rcu_work(work), struct utf8guard_policy,
					   retirement));
}

/* Frees a policy after its last reader. A worker does it, because freeing rules may sleep. */
void utf8guard_policy_retire(struct utf8guard_policy *policy)
{
	INIT_RCU_WORK(&policy->retirement, retired);
	queue_rcu_work(utf8guard_ruleset_queue, &policy->retirement);
}

/**
 * utf8guard_ruleset_drain() - wait until retired policies are freed
 *
 * For a family's module before it goes away.
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_drain(void)
{
	/* First those that wait for their readers, then those that are freed. */
	rcu_barrier();
	flush_workqueue(utf8guard_ruleset_queue);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_drain, "UTF8GUARD");

/* The policy that a draft becomes, with references to its rules, but without an index; or NULL. */
static struct utf8guard_policy *build(const struct utf8guard_draft *draft)
{
	const struct utf8guard_ruleset_type *type = draft->ruleset->type;
	struct utf8guard_policy *policy = utf8guard_policy_alloc(type, draft->count);
	const struct utf8guard_node *node;

	if (!policy)
		return NULL;
	list_for_each_entry(node, &draft->rules, order) {
		if (utf8guard_rule_gone(type, node->rule))
			continue;
		refcount_inc(&node->rule->ref);
		policy->rules[policy->count++] = node->rule;
	}
	return policy;
}

/*
 * Puts a prepared policy in force. The old one is retired; with @waits, it is kept as
 * ruleset->before, together with all that it needs, to come back. The ruleset is locked.
 */
void utf8guard_policy_swap(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
			   bool waits, const struct utf8guard_notice *notice)
{
	struct utf8guard_policy *old = utf8guard_ruleset_policy(ruleset);
	struct sk_buff *message;

	next->generation = old->generation + 1;
	rcu_assign_pointer(ruleset->policy, next);
	/* Written before @old is retired: its rules may be freed then. */
	message = utf8guard_notice_of_swap(ruleset, old, notice);
	if (waits)
		ruleset->before = old;
	else
		utf8guard_policy_retire(old);
	utf8guard_policy_settle(ruleset);
	utf8guard_notice_send(ruleset, message);
}

/* Gives back what only old policies needed; not while a commit waits, for one may come back. */
void utf8guard_policy_settle(struct utf8guard_ruleset *ruleset)
{
	if (!ruleset->before && ruleset->type->settle)
		ruleset->type->settle(ruleset, utf8guard_ruleset_policy(ruleset));
}

/* Are the rules the same? Rules are immutable, so comparing pointers is enough. */
static bool is_unchanged(const struct utf8guard_ruleset *ruleset,
			 const struct utf8guard_policy *next)
{
	const struct utf8guard_policy *policy = utf8guard_ruleset_policy(ruleset);

	return policy->count == next->count &&
	       !memcmp(policy->rules, next->rules,
		       array_size(policy->count, sizeof(policy->rules[0])));
}

/* 0; -EBUSY while a commit waits, for the rules before it may come back. The ruleset is locked. */
int utf8guard_policy_may_swap(const struct utf8guard_ruleset *ruleset,
			      struct netlink_ext_ack *extack)
{
	if (!ruleset->before)
		return 0;
	NL_SET_ERR_MSG(extack, "a commit is waiting to be confirmed or reverted");
	return -EBUSY;
}

/* May the rules in force change? 0, -EPERM or -EBUSY. The ruleset is locked. */
int utf8guard_policy_may_change(const struct utf8guard_ruleset *ruleset,
				struct netlink_ext_ack *extack)
{
	if (ruleset->locked) {
		NL_SET_ERR_MSG(extack, "the rules are locked until the next boot");
		return -EPERM;
	}
	return utf8guard_policy_may_swap(ruleset, extack);
}

/* The last generation that a change may make; a commit that is taken back counts on. */
#define LAST_GENERATION (U32_MAX - U16_MAX)

/* May these rules replace those in force? That a single change may be made was asked before. */
static int prepare(struct utf8guard_ruleset *ruleset, const struct utf8guard_draft *draft,
		   struct utf8guard_policy *next, struct netlink_ext_ack *extack)
{
	int err = draft->owner ? utf8guard_policy_may_change(ruleset, extack) : 0;

	/* A generation never comes again: what was noted of a rule would seem to be of another. */
	if (!err && utf8guard_ruleset_policy(ruleset)->generation >= LAST_GENERATION) {
		NL_SET_ERR_MSG(extack, "the rules were changed 4 billion times: no more");
		return -EOVERFLOW;
	}
	return err ?: ruleset->type->prepare(ruleset, next, extack);
}

/*
 * Puts the rules of a draft in force. If @notice->confirm is not 0, the previous rules come
 * back after so many seconds, unless the new ones are confirmed. The ruleset is locked.
 * Returns 1 if the rules were changed; 0 if those of a transaction are in force already, so
 * that there is nothing to confirm; -EPERM where those in force are locked, -ENOMEM or an error
 * of the family, and nothing has changed.
 */
int utf8guard_policy_publish(struct utf8guard_ruleset *ruleset,
			     const struct utf8guard_draft *draft,
			     const struct utf8guard_notice *notice,
			     struct netlink_ext_ack *extack)
{
	struct utf8guard_policy *next = build(draft);
	int err;

	if (!next)
		return -ENOMEM;
	/* A single change is a new generation and is recorded, even where it changes nothing. */
	if (draft->owner && is_unchanged(ruleset, next))
		err = 0;
	else
		err = prepare(ruleset, draft, next, extack) ?: 1;
	if (err <= 0) {
		utf8guard_policy_free(next);
		return err;
	}
	utf8guard_policy_swap(ruleset, next, notice->confirm, notice);
	if (notice->confirm) {
		ruleset->deadline = jiffies + notice->confirm * HZ;
		/* The work of a commit that was reverted may still be queued. */
		mod_delayed_work(utf8guard_ruleset_queue, &ruleset->timeout,
				 notice->confirm * HZ);
	}
	return 1;
}
