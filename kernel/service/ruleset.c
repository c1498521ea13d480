// SPDX-License-Identifier: GPL-2.0
/*
 * What is done to the rules as a whole: a commit is confirmed or reverted, they
 * are locked, they begin and end.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <net/net_namespace.h>
#include <net/netlink.h>

#include "draft.h"
#include "notice.h"
#include "policy.h"
#include "rule.h"
#include "ruleset.h"

/* Note what was done for the audit log, which utf8guard_ruleset_unlock() writes. Locked. */
void utf8guard_ruleset_report(struct utf8guard_ruleset *ruleset, const char *action,
			      u32 handle, u32 confirm)
{
	const struct utf8guard_policy *policy = utf8guard_ruleset_policy(ruleset);

	if (WARN_ON_ONCE(ruleset->record_count == UTF8GUARD_MAX_RECORDS))
		return;
	ruleset->records[ruleset->record_count++] = (struct utf8guard_config) {
		.family = ruleset->type->name,
		.action = action,
		.userns = ruleset->net->user_ns,
		.handle = handle,
		.generation = policy->generation,
		.rules = policy->count,
		.confirm = confirm,
	};
}

/*
 * Writing to the audit log may wait for user space; whoever closes a socket or brings
 * rules back must not wait with it. The generations tell the order of the records.
 */
void utf8guard_ruleset_unlock(struct utf8guard_ruleset *ruleset)
{
	struct utf8guard_config records[UTF8GUARD_MAX_RECORDS];
	u32 count = ruleset->record_count, i;

	for (i = 0; i < count; i++)
		records[i] = ruleset->records[i];
	ruleset->record_count = 0;
	mutex_unlock(&ruleset->lock);
	for (i = 0; i < count; i++)
		utf8guard_report_config(&records[i]);
}

static bool any_gone(const struct utf8guard_ruleset *ruleset)
{
	const struct utf8guard_policy *policy = utf8guard_ruleset_policy(ruleset);
	u32 i;

	for (i = 0; i < policy->count; i++)
		if (utf8guard_rule_gone(ruleset->type, policy->rules[i]))
			return true;
	return false;
}

static void reap(struct utf8guard_ruleset *ruleset)
{
	struct utf8guard_notice notice = { .action = "rule-gone" };
	struct utf8guard_draft *draft;

	if (!any_gone(ruleset))
		return;
	draft = utf8guard_draft_new(ruleset);
	notice.draft = draft;
	if (draft && utf8guard_policy_publish(ruleset, draft, &notice, NULL) > 0)
		utf8guard_ruleset_report(ruleset, "rule-gone", 0, 0);
	utf8guard_draft_free(draft);
}

/**
 * utf8guard_ruleset_reap() - leave out the rules that have nothing to be for
 * @ruleset: the rules; locked ones, too, for what they decide stays the same
 *
 * For want of memory they stay, and do no harm, until the next change.
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_reap(struct utf8guard_ruleset *ruleset)
{
	mutex_lock(&ruleset->lock);
	reap(ruleset);
	utf8guard_ruleset_unlock(ruleset);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_reap, "UTF8GUARD");

/* Will nothing bring the rules of before back? Locked. */
int utf8guard_ruleset_may_swap(const struct utf8guard_ruleset *ruleset,
			       struct netlink_ext_ack *extack)
{
	if (!ruleset->before)
		return 0;
	NL_SET_ERR_MSG(extack, "a commit waits to be confirmed or reverted");
	return -EBUSY;
}

/* May the rules be changed, or be begun to be? Locked. */
int utf8guard_ruleset_may_change(const struct utf8guard_ruleset *ruleset,
				 struct netlink_ext_ack *extack)
{
	if (ruleset->locked) {
		NL_SET_ERR_MSG(extack, "the rules are locked until the host is booted anew");
		return -EPERM;
	}
	return utf8guard_ruleset_may_swap(ruleset, extack);
}

static int require_before(const struct utf8guard_ruleset *ruleset,
			  struct netlink_ext_ack *extack)
{
	if (ruleset->before)
		return 0;
	NL_SET_ERR_MSG(extack, "no commit waits to be confirmed");
	return -ENOENT;
}

static int keep(struct utf8guard_ruleset *ruleset, struct netlink_ext_ack *extack)
{
	int err = require_before(ruleset, extack);

	if (err)
		return err;
	cancel_delayed_work(&ruleset->timeout);
	utf8guard_policy_retire(ruleset->before);
	ruleset->before = NULL;
	utf8guard_policy_settle(ruleset);
	utf8guard_ruleset_report(ruleset, "confirm", 0, 0);
	utf8guard_notice_tell(ruleset, "confirm");
	return 0;
}

/**
 * utf8guard_ruleset_confirm() - confirm the commit that waits
 * @ruleset: the rules
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0, or -ENOENT where none waits.
 */
int utf8guard_ruleset_confirm(struct utf8guard_ruleset *ruleset,
			      struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&ruleset->lock);
	err = keep(ruleset, extack);
	utf8guard_ruleset_unlock(ruleset);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_confirm, "UTF8GUARD");

/* Allocates nothing, and needs nothing that was given back: it cannot fail. */
static void bring_back(struct utf8guard_ruleset *ruleset)
{
	static const struct utf8guard_notice notice = { .action = "revert" };
	struct utf8guard_policy *before = ruleset->before;

	ruleset->before = NULL;
	cancel_delayed_work(&ruleset->timeout);
	utf8guard_policy_swap(ruleset, before, false, &notice);
	utf8guard_ruleset_report(ruleset, "revert", 0, 0);
	/* Those that went meanwhile were not looked for here. */
	reap(ruleset);
}

/**
 * utf8guard_ruleset_revert() - revert the commit that waits
 * @ruleset: the rules
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -ENOENT where none waits; -EPERM where the rules are locked.
 */
int utf8guard_ruleset_revert(struct utf8guard_ruleset *ruleset,
			     struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&ruleset->lock);
	/* Locked rules do not wait: may_change() would say which it is. */
	err = ruleset->locked ? utf8guard_ruleset_may_change(ruleset, extack) :
				require_before(ruleset, extack);
	if (!err)
		bring_back(ruleset);
	utf8guard_ruleset_unlock(ruleset);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_revert, "UTF8GUARD");

/* What it was queued for may be over, and another commit wait by now. */
static void time_out(struct work_struct *work)
{
	struct utf8guard_ruleset *ruleset;

	ruleset = container_of(to_delayed_work(work), struct utf8guard_ruleset, timeout);
	mutex_lock(&ruleset->lock);
	if (ruleset->before && time_after_eq(jiffies, ruleset->deadline))
		bring_back(ruleset);
	utf8guard_ruleset_unlock(ruleset);
}

static int lock(struct utf8guard_ruleset *ruleset, struct netlink_ext_ack *extack)
{
	int err = utf8guard_ruleset_may_change(ruleset, extack);

	if (err)
		return err;
	if (!try_module_get(ruleset->type->owner)) {
		NL_SET_ERR_MSG(extack, "the module is being unloaded");
		return -EBUSY;
	}
	ruleset->locked = true;
	utf8guard_ruleset_report(ruleset, "lock", 0, 0);
	utf8guard_notice_tell(ruleset, "lock");
	return 0;
}

/**
 * utf8guard_ruleset_lock() - make the rules read-only, and keep the module
 * @ruleset: the rules; they may be locked already
 * @extack: told why not
 *
 * The module is kept even when the namespace goes away: it was asked to be.
 *
 * Context: process context; may sleep.
 * Return: 0; -EBUSY where a commit waits, or the module is about to go.
 */
int utf8guard_ruleset_lock(struct utf8guard_ruleset *ruleset, struct netlink_ext_ack *extack)
{
	int err = 0;

	mutex_lock(&ruleset->lock);
	if (!ruleset->locked)
		err = lock(ruleset, extack);
	utf8guard_ruleset_unlock(ruleset);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_lock, "UTF8GUARD");

/**
 * utf8guard_ruleset_init() - begin without rules, or with the one always there
 * @ruleset: to be made
 * @type: of the rules
 * @net: who is told of changes
 * @first: the first rule, from utf8guard_rule_init(), for a type that has one;
 *	its reference goes with it. NULL for other types
 *
 * Context: process context; may sleep.
 * Return: 0, -ENOMEM, or an error of the family; then @first is the caller's.
 */
int utf8guard_ruleset_init(struct utf8guard_ruleset *ruleset,
			   const struct utf8guard_ruleset_type *type, struct net *net,
			   struct utf8guard_rule *first)
{
	struct utf8guard_policy *policy = utf8guard_policy_alloc(type, 1);
	int err;

	if (!policy)
		return -ENOMEM;
	ruleset->type = type;
	ruleset->net = net;
	mutex_init(&ruleset->lock);
	INIT_LIST_HEAD(&ruleset->drafts);
	INIT_DELAYED_WORK(&ruleset->timeout, time_out);
	if (first) {
		first->handle = ++ruleset->last_handle;
		policy->rules[policy->count++] = first;
	}
	err = type->prepare(ruleset, policy, NULL);
	if (err) {
		policy->count = 0;
		utf8guard_policy_free(policy);
		return err;
	}
	RCU_INIT_POINTER(ruleset->policy, policy);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_init, "UTF8GUARD");

/**
 * utf8guard_ruleset_exit() - free the rules
 * @ruleset: closed, and no hook looks at it any more
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_exit(struct utf8guard_ruleset *ruleset)
{
	utf8guard_policy_free(ruleset->before);
	utf8guard_policy_free(rcu_dereference_protected(ruleset->policy, true));
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_exit, "UTF8GUARD");
