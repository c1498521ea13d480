// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of a network namespace as packets see them: one immutable snapshot
 * behind an RCU pointer. Every change builds the next one; whatever fails, fails
 * before the swap.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netlink.h>

#include "nf.h"

/* The policy, for one who holds the lock of the namespace. */
const struct nf_policy *nf_policy_locked(struct nf_net *nn)
{
	return rcu_dereference_protected(nn->policy, lockdep_is_held(&nn->lock));
}

static struct nf_policy *policy_alloc(u32 count, u32 generation)
{
	struct nf_policy *policy;

	policy = kvzalloc(struct_size(policy, rules, count), GFP_KERNEL_ACCOUNT);
	if (policy)
		policy->generation = generation;
	return policy;
}

static void policy_free(struct nf_policy *policy)
{
	u32 i;

	for (i = 0; i < policy->count; i++)
		nf_rule_put(policy->rules[i]);
	kvfree(policy);
}

static void policy_free_rcu(struct rcu_head *rcu)
{
	policy_free(container_of(rcu, struct nf_policy, rcu));
}

static void append(struct nf_policy *policy, struct nf_rule *rule)
{
	nf_rule_get(rule);
	policy->rules[policy->count++] = rule;
}

/* Hooks first: if they cannot be had, the old policy stays. */
static int publish(struct net *net, struct nf_policy *next, const char *what, u32 handle)
{
	struct nf_net *nn = nf_net_of(net);
	struct nf_policy *old = rcu_dereference_protected(nn->policy,
							  lockdep_is_held(&nn->lock));
	int err = nf_hooks_update(net, next);

	if (err) {
		policy_free(next);
		return err;
	}
	rcu_assign_pointer(nn->policy, next);
	call_rcu(&old->rcu, policy_free_rcu);
	nf_netlink_changed(net, next->generation, next->count);
	utf8guard_report_config(what, handle, next->generation);
	return 0;
}

/**
 * nf_policy_find() - a rule by its handle
 * @policy: the policy
 * @handle: of the rule
 *
 * Return: the rule, or NULL.
 */
struct nf_rule *nf_policy_find(const struct nf_policy *policy, u32 handle)
{
	u32 i;

	for (i = 0; i < policy->count; i++)
		if (policy->rules[i]->handle == handle)
			return policy->rules[i];
	return NULL;
}

static int check_new(const struct nf_policy *now, const struct nf_rule *rule,
		     struct netlink_ext_ack *extack)
{
	u32 i;

	if (now->count >= NF_MAX_RULES) {
		NL_SET_ERR_MSG(extack, "too many rules");
		return -E2BIG;
	}
	for (i = 0; i < now->count; i++)
		if (nf_rule_same(now->rules[i], rule)) {
			NL_SET_ERR_MSG(extack, "there is a rule for the same packets already");
			return -EEXIST;
		}
	return 0;
}

static int add_locked(struct net *net, struct nf_rule *rule, struct netlink_ext_ack *extack)
{
	struct nf_net *nn = nf_net_of(net);
	const struct nf_policy *now = nf_policy_locked(nn);
	struct nf_policy *next;
	int err;
	u32 i;

	err = check_new(now, rule, extack);
	if (err)
		return err;
	next = policy_alloc(now->count + 1, now->generation + 1);
	if (!next)
		return -ENOMEM;
	rule->handle = ++nn->last_handle;
	for (i = 0; i < now->count; i++)
		append(next, now->rules[i]);
	append(next, rule);
	err = publish(net, next, "nf-rule-add", rule->handle);
	if (err)
		NL_SET_ERR_MSG(extack, "the netfilter hook cannot be had");
	return err;
}

/**
 * nf_policy_add() - add a rule behind the others
 * @net: the network namespace
 * @rule: from nf_rule_parse(); gets its handle here, the caller's reference stays
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -EEXIST, -E2BIG, -ENOMEM, errors of netfilter: nothing changed.
 */
int nf_policy_add(struct net *net, struct nf_rule *rule, struct netlink_ext_ack *extack)
{
	struct nf_net *nn = nf_net_of(net);
	int err;

	mutex_lock(&nn->lock);
	err = add_locked(net, rule, extack);
	mutex_unlock(&nn->lock);
	return err;
}

static int del_locked(struct net *net, u32 handle, struct netlink_ext_ack *extack)
{
	const struct nf_policy *now = nf_policy_locked(nf_net_of(net));
	struct nf_policy *next;
	u32 i;

	if (!nf_policy_find(now, handle)) {
		NL_SET_ERR_MSG(extack, "no rule has this handle");
		return -ENOENT;
	}
	next = policy_alloc(now->count, now->generation + 1);
	if (!next)
		return -ENOMEM;
	for (i = 0; i < now->count; i++)
		if (now->rules[i]->handle != handle)
			append(next, now->rules[i]);
	return publish(net, next, "nf-rule-del", handle);
}

/**
 * nf_policy_del() - delete a rule
 * @net: the network namespace
 * @handle: of the rule
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -ENOENT, -ENOMEM: nothing changed.
 */
int nf_policy_del(struct net *net, u32 handle, struct netlink_ext_ack *extack)
{
	struct nf_net *nn = nf_net_of(net);
	int err;

	mutex_lock(&nn->lock);
	err = del_locked(net, handle, extack);
	mutex_unlock(&nn->lock);
	return err;
}

/**
 * nf_policy_flush() - delete all rules
 * @net: the network namespace
 *
 * Context: process context; may sleep.
 * Return: 0, or -ENOMEM: nothing changed.
 */
int nf_policy_flush(struct net *net)
{
	struct nf_net *nn = nf_net_of(net);
	struct nf_policy *next;
	int err = -ENOMEM;

	mutex_lock(&nn->lock);
	next = policy_alloc(0, nf_policy_locked(nn)->generation + 1);
	if (next)
		err = publish(net, next, "nf-flush", 0);
	mutex_unlock(&nn->lock);
	return err;
}

int nf_policy_init(struct nf_net *nn)
{
	struct nf_policy *first = policy_alloc(0, 0);

	RCU_INIT_POINTER(nn->policy, first);
	return first ? 0 : -ENOMEM;
}

/* The namespace has no traffic any more, and nobody who could ask. */
void nf_policy_exit(struct nf_net *nn)
{
	policy_free(rcu_dereference_protected(nn->policy, true));
}
