// SPDX-License-Identifier: GPL-2.0
/*
 * What is done to the rules as a whole: a commit is confirmed or reverted, the rules are locked,
 * a ruleset is made and freed.
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

/* Notes a change for the audit log; utf8guard_ruleset_unlock() writes it. The ruleset is locked. */
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
 * Unlocks the ruleset, then writes the changes that were noted to the audit log. Writing may wait
 * for user space, so it is done without the lock: closing a socket and reverting a commit take
 * that lock, and must not wait. Records may be written out of order; their generations tell it.
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

	/* Open transactions would fail, although nobody has changed anything. */
	if (ruleset->open || !any_gone(ruleset))
		return;
	draft = utf8guard_draft_new(ruleset);
	notice.draft = draft;
	if (draft && utf8guard_policy_publish(ruleset, draft, &notice, NULL) > 0)
		utf8guard_ruleset_report(ruleset, "rule-gone", 0, 0);
	utf8guard_draft_free(draft);
}

/**
 * utf8guard_ruleset_reap() - leave out the rules whose subject is gone
 * @ruleset: the rules. Locked rules are left out, too: none of them could decide anything
 *
 * Without memory such rules stay until the next change, and as long as a transaction is open;
 * they do no harm.
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

static int require_before(const struct utf8guard_ruleset *ruleset,
			  struct netlink_ext_ack *extack)
{
	if (ruleset->before)
		return 0;
	NL_SET_ERR_MSG(extack, "no commit is waiting to be confirmed");
	return -ENOENT;
}

/* 0 where a commit waits. Else the errno tells scripts whether the last one was reverted. */
static int require_waiting(const struct utf8guard_ruleset *ruleset,
			   struct netlink_ext_ack *extack)
{
	if (ruleset->before)
		return 0;
	if (ruleset->reverted) {
		NL_SET_ERR_MSG(extack, "the commit was reverted");
		return -ENOENT;
	}
	NL_SET_ERR_MSG(extack, "no commit is waiting to be confirmed: the rules stay as they are");
	return -EALREADY;
}

static int keep(struct utf8guard_ruleset *ruleset, struct netlink_ext_ack *extack)
{
	int err = require_waiting(ruleset, extack);

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
 * Return: 0; -EALREADY where none waits, because there was nothing to confirm or it has been
 * confirmed; -ENOENT where the last one was reverted, and no rule has changed since.
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

/* Reverts the commit. Cannot fail: it allocates nothing, and what the old rules need was kept. */
static void bring_back(struct utf8guard_ruleset *ruleset)
{
	static const struct utf8guard_notice notice = { .action = "revert" };
	struct utf8guard_policy *before = ruleset->before;

	ruleset->before = NULL;
	ruleset->reverted = true;
	cancel_delayed_work(&ruleset->timeout);
	utf8guard_policy_swap(ruleset, before, false, &notice);
	utf8guard_ruleset_report(ruleset, "revert", 0, 0);
	/* Rules whose subject went while they were not in force. */
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
	/* No commit waits while rules are locked, so -EPERM is the right answer then. */
	err = ruleset->locked ? utf8guard_policy_may_change(ruleset, extack) :
				require_before(ruleset, extack);
	if (!err)
		bring_back(ruleset);
	utf8guard_ruleset_unlock(ruleset);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_revert, "UTF8GUARD");

/* Reverts a commit that nobody confirmed. Another commit may wait by now: hence the deadline. */
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
	int err = utf8guard_policy_may_change(ruleset, extack);

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
 * The module stays loaded even if the namespace of the rules goes away.
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
 * utf8guard_ruleset_init() - make a ruleset, without rules or with the one that is always there
 * @ruleset: all zeroes
 * @type: of the rules
 * @net: the network namespace whose group config is told of changes
 * @first: the first rule, from utf8guard_rule_init(), for a type with one; the ruleset takes
 *	over its reference. NULL for other types
 *
 * Context: process context; may sleep.
 * Return: 0; -ENOMEM or an error of the family, and the reference to @first stays the caller's.
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
 * @ruleset: after utf8guard_ruleset_close(); no hook looks at it any more
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_exit(struct utf8guard_ruleset *ruleset)
{
	utf8guard_policy_free(ruleset->before);
	utf8guard_policy_free(rcu_dereference_protected(ruleset->policy, true));
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_exit, "UTF8GUARD");
