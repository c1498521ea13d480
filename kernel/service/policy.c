// SPDX-License-Identifier: GPL-2.0
/*
 * The rules as hooks see them: one immutable policy, reached by an RCU pointer. The
 * next one is built beside it; whatever fails, fails before the swap. The one
 * before is freed after its last reader.
 */
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "draft.h"
#include "policy.h"
#include "rule.h"

/* Frees policies, and brings them back. */
struct workqueue_struct *utf8guard_ruleset_queue;

int utf8guard_ruleset_queue_init(void)
{
	utf8guard_ruleset_queue = alloc_workqueue("utf8guard", WQ_UNBOUND, 0);
	return utf8guard_ruleset_queue ? 0 : -ENOMEM;
}

void utf8guard_ruleset_queue_exit(void)
{
	destroy_workqueue(utf8guard_ruleset_queue);
}

struct utf8guard_policy *utf8guard_policy_alloc(const struct utf8guard_ruleset_type *type,
						u32 count)
{
	struct utf8guard_policy *policy;

	policy = kvzalloc(struct_size(policy, rules, count), GFP_KERNEL_ACCOUNT);
	if (policy)
		policy->type = type;
	return policy;
}

/* No hook sees it. NULL is fine. May sleep. */
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

/* Freeing rules may sleep, which an RCU callback must not. */
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

/* Takes references of its own on the rules. */
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

static int put_changed(struct sk_buff *skb, const struct utf8guard_ruleset_type *type,
		       const struct utf8guard_policy *policy)
{
	void *header = genlmsg_put(skb, 0, 0, type->family, 0, type->changed_command);

	if (!header || nla_put_u32(skb, type->attrs.generation, policy->generation) ||
	    nla_put_u32(skb, type->attrs.rules, policy->count))
		return -EMSGSIZE;
	genlmsg_end(skb, header);
	return 0;
}

/* Tell whoever listens to the group config of the namespace. */
static void send_changed(struct utf8guard_ruleset *ruleset,
			 const struct utf8guard_policy *policy)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	const struct utf8guard_ruleset_type *type = ruleset->type;

	if (!skb)
		return;
	if (put_changed(skb, type, policy))
		nlmsg_free(skb);
	else
		genlmsg_multicast_netns(type->family, ruleset->net, skb, 0,
					type->changed_group, GFP_KERNEL);
}

/*
 * Put a policy that is prepared in force. The one that was is retired, or, with
 * @waits, kept to come back, and what it needs with it.
 */
void utf8guard_policy_swap(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
			   bool waits)
{
	struct utf8guard_policy *old = utf8guard_ruleset_policy(ruleset);

	next->generation = old->generation + 1;
	rcu_assign_pointer(ruleset->policy, next);
	if (waits)
		ruleset->before = old;
	else
		utf8guard_policy_retire(old);
	utf8guard_policy_settle(ruleset);
	send_changed(ruleset, next);
}

/* While a commit waits, what the rules before it need stays. */
void utf8guard_policy_settle(struct utf8guard_ruleset *ruleset)
{
	if (!ruleset->before && ruleset->type->settle)
		ruleset->type->settle(ruleset, utf8guard_ruleset_policy(ruleset));
}

/* Rules are immutable: those that are the same are the same in memory. */
static bool is_unchanged(const struct utf8guard_ruleset *ruleset,
			 const struct utf8guard_policy *next)
{
	const struct utf8guard_policy *policy = utf8guard_ruleset_policy(ruleset);

	return policy->count == next->count &&
	       !memcmp(policy->rules, next->rules,
		       array_size(policy->count, sizeof(policy->rules[0])));
}

/*
 * Put the rules of a draft in force; those of before wait for @confirm seconds,
 * if they are not 0. The ruleset is locked. Returns 1 where it has; 0 where those of a
 * transaction are in force already, and nothing is to be confirmed; -ENOMEM, or an error of the
 * family: then nothing has changed.
 */
int utf8guard_policy_publish(struct utf8guard_ruleset *ruleset,
			     const struct utf8guard_draft *draft, u32 confirm,
			     struct netlink_ext_ack *extack)
{
	struct utf8guard_policy *next = build(draft);
	int err;

	if (!next)
		return -ENOMEM;
	/* A single change is put in force and on record, even where it changes nothing. */
	if (draft->owner && is_unchanged(ruleset, next))
		err = 0;
	else
		err = ruleset->type->prepare(ruleset, next, extack) ?: 1;
	if (err <= 0) {
		utf8guard_policy_free(next);
		return err;
	}
	utf8guard_policy_swap(ruleset, next, confirm);
	if (confirm) {
		ruleset->deadline = jiffies + confirm * HZ;
		/* That of a commit that was reverted may be queued still. */
		mod_delayed_work(utf8guard_ruleset_queue, &ruleset->timeout, confirm * HZ);
	}
	return 1;
}
