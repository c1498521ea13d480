// SPDX-License-Identifier: GPL-2.0
/*
 * What the netlink families of all modules with rules have in common: how they are registered,
 * the operations that change rules, and those on the state.
 */
#include <linux/jiffies.h>
#include <linux/netlink.h>
#include <net/genetlink.h>

#include "draft.h"
#include "family.h"
#include "reply.h"
#include "rule.h"
#include "ruleset_dump.h"
#include "ruleset_netlink.h"
#include "transaction.h"

/* The longest that a commit waits to be confirmed: a day, in seconds. */
#define MAX_CONFIRM 86400

/* The state of the rules in force, also for a socket with a transaction. */
struct status {
	u32 generation, rules, confirm;
	bool locked;
};

/* At least 1: a commit whose time is over still waits until it is reverted. */
static u32 seconds_left(const struct utf8guard_ruleset *ruleset)
{
	long left = ruleset->deadline - jiffies;

	return left > 0 ? DIV_ROUND_UP(left, HZ) : 1;
}

static struct status status_of(struct utf8guard_ruleset *ruleset)
{
	const struct utf8guard_policy *policy;
	struct status status = {};

	mutex_lock(&ruleset->lock);
	policy = utf8guard_ruleset_policy(ruleset);
	status.generation = policy->generation;
	status.rules = policy->count;
	status.locked = ruleset->locked;
	if (ruleset->before)
		status.confirm = seconds_left(ruleset);
	mutex_unlock(&ruleset->lock);
	return status;
}

/**
 * utf8guard_ruleset_put_status() - add what all families say of their rules
 * @skb: the message
 * @ruleset: the rules
 *
 * Context: process context; may sleep.
 * Return: 0, or -EMSGSIZE.
 */
int utf8guard_ruleset_put_status(struct sk_buff *skb, struct utf8guard_ruleset *ruleset)
{
	const struct utf8guard_ruleset_attrs *attrs = &ruleset->type->attrs;
	const struct status status = status_of(ruleset);

	if (nla_put_u32(skb, attrs->generation, status.generation) ||
	    nla_put_u32(skb, attrs->rules, status.rules) ||
	    nla_put_u8(skb, attrs->locked, status.locked) ||
	    (status.confirm && nla_put_u32(skb, attrs->confirm, status.confirm)))
		return -EMSGSIZE;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_put_status, "UTF8GUARD");

/**
 * utf8guard_ruleset_status_reset() - set the counters of all rules to zero
 * @ruleset: the rules; locked ones, too
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_status_reset(struct utf8guard_ruleset *ruleset)
{
	const struct utf8guard_policy *policy;
	u32 i;

	mutex_lock(&ruleset->lock);
	policy = utf8guard_ruleset_policy(ruleset);
	for (i = 0; i < policy->count; i++) {
		ruleset->type->reset(policy->rules[i]);
		cond_resched();
	}
	mutex_unlock(&ruleset->lock);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_status_reset, "UTF8GUARD");

/* For put_changed_rule(). */
struct changed {
	const struct utf8guard_ruleset_type *type;
	const struct utf8guard_change *change;
};

/* The rule may have been deleted since; the caller's reference keeps it. */
static int put_changed_rule(struct sk_buff *skb, const void *data)
{
	const struct changed *changed = data;
	const struct utf8guard_change *change = changed->change;

	if (change->existed && nla_put_flag(skb, changed->type->attrs.exist))
		return -EMSGSIZE;
	return utf8guard_ruleset_put_rule(skb, changed->type, change->rule, change->generation);
}

/**
 * utf8guard_ruleset_rule_change() - make a change, and describe the rule after it
 * @ruleset: the rules
 * @skb: the request
 * @info: the same request, parsed
 * @change: the change. If it has a rule, the reply describes that, and the caller's reference to
 *	it is given back, whatever is returned
 *
 * Context: process context; may sleep.
 * Return: 0, -ENOMEM, or errors of utf8guard_ruleset_change().
 */
int utf8guard_ruleset_rule_change(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
				  struct genl_info *info, struct utf8guard_change *change)
{
	const struct changed changed = { .type = ruleset->type, .change = change };
	struct sk_buff *reply = utf8guard_reply_new(info, ruleset->type->family);
	int err = -ENOMEM;

	change->extack = info->extack;
	if (reply)
		err = utf8guard_ruleset_change(ruleset, NETLINK_CB(skb).sk, change);
	if (err)
		nlmsg_free(reply);
	else
		err = utf8guard_reply_send(reply, info, put_changed_rule, &changed);
	if (change->rule)
		utf8guard_rule_put(ruleset->type, change->rule);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_rule_change, "UTF8GUARD");

/**
 * utf8guard_ruleset_rule_del() - delete a rule
 * @ruleset: the rules
 * @skb: the request
 * @info: the request
 * @change: with a rule that equals it, whose reference is given back, whatever is returned;
 *	without a rule, the request has the handle
 *
 * Context: process context; may sleep.
 * Return: 0, -EINVAL, or errors of utf8guard_ruleset_change().
 */
int utf8guard_ruleset_rule_del(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			       struct genl_info *info, struct utf8guard_change *change)
{
	int err;

	change->action = "rule-del";
	change->make = utf8guard_draft_del;
	change->extack = info->extack;
	if (!change->rule) {
		change->handle_attr = utf8guard_ruleset_handle(ruleset, info);
		if (!change->handle_attr)
			return -EINVAL;
		change->handle = nla_get_u32(change->handle_attr);
	}
	err = utf8guard_ruleset_change(ruleset, NETLINK_CB(skb).sk, change);
	if (change->rule)
		utf8guard_rule_put(ruleset->type, change->rule);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_rule_del, "UTF8GUARD");

/* For put_version(). */
struct described {
	const struct utf8guard_ruleset_attrs *attrs;
	struct utf8guard_version version;
};

static int put_version(struct sk_buff *skb, const void *data)
{
	const struct described *described = data;

	if (nla_put_u32(skb, described->attrs->generation, described->version.generation) ||
	    nla_put_u32(skb, described->attrs->rules, described->version.rules))
		return -EMSGSIZE;
	return 0;
}

/* Reads an attribute into @value and returns @value; NULL where the request does not have it. */
static const u32 *optional(const struct nlattr *attr, u32 *value)
{
	if (!attr)
		return NULL;
	*value = nla_get_u32(attr);
	return value;
}

/**
 * utf8guard_ruleset_begin() - begin a transaction of the socket that asks
 * @ruleset: the rules
 * @skb: the request
 * @info: the request
 *
 * Context: process context; may sleep.
 * Return: 0, or errors of utf8guard_transaction_begin().
 */
int utf8guard_ruleset_begin(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			    struct genl_info *info)
{
	struct described described = { .attrs = &ruleset->type->attrs };
	const struct nlattr *attr = info->attrs[described.attrs->generation];
	struct sk_buff *reply;
	u32 generation;
	int err;

	reply = utf8guard_reply_new(info, ruleset->type->family);
	if (!reply)
		return -ENOMEM;
	err = utf8guard_transaction_begin(ruleset, NETLINK_CB(skb).sk,
					  optional(attr, &generation), &described.version,
					  info->extack);
	if (!err)
		return utf8guard_reply_send(reply, info, put_version, &described);
	nlmsg_free(reply);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_begin, "UTF8GUARD");

/* Checked here and not by the spec: policies of 6.1 cannot express such a range. */
static int parse_confirm(struct genl_info *info, const struct nlattr *attr, u32 *confirm)
{
	if (!optional(attr, confirm) || (*confirm >= 1 && *confirm <= MAX_CONFIRM))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, attr, "a commit can wait 1 to 86400 seconds");
	return -ERANGE;
}

/**
 * utf8guard_ruleset_commit() - commit the transaction of the socket that asks
 * @ruleset: the rules
 * @skb: the request
 * @info: the request
 *
 * Context: process context; may sleep.
 * Return: 0, -ERANGE, or errors of utf8guard_transaction_commit().
 */
int utf8guard_ruleset_commit(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			     struct genl_info *info)
{
	struct described described = { .attrs = &ruleset->type->attrs };
	const struct nlattr *generation_attr = info->attrs[described.attrs->generation];
	u32 generation, confirm = 0;
	struct sk_buff *reply;
	int err;

	err = parse_confirm(info, info->attrs[described.attrs->confirm], &confirm);
	if (err)
		return err;
	reply = utf8guard_reply_new(info, ruleset->type->family);
	if (!reply)
		return -ENOMEM;
	err = utf8guard_transaction_commit(ruleset, NETLINK_CB(skb).sk,
					   optional(generation_attr, &generation), confirm,
					   &described.version, info->extack);
	if (!err)
		return utf8guard_reply_send(reply, info, put_version, &described);
	nlmsg_free(reply);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_commit, "UTF8GUARD");

/* Called when a netlink socket is closed. The socket holds its network namespace until then. */
static int socket_closed(struct notifier_block *block, unsigned long event, void *data)
{
	const struct utf8guard_rule_family *family =
		container_of(block, struct utf8guard_rule_family, closed);
	const struct netlink_notify *notify = data;
	struct utf8guard_ruleset *ruleset;

	if (event != NETLINK_URELEASE || notify->protocol != NETLINK_GENERIC)
		return NOTIFY_DONE;
	ruleset = family->ruleset(notify->net);
	if (ruleset)
		utf8guard_ruleset_release(ruleset);
	return NOTIFY_DONE;
}

/**
 * utf8guard_rule_family_register() - let user space see and change the rules of a module
 * @family: its operations and its rules; static, with @closed not set
 *
 * Context: process context; may sleep; module init only, when everything else is there.
 * Return: 0 or an error of netlink.
 */
int utf8guard_rule_family_register(struct utf8guard_rule_family *family)
{
	int err;

	family->closed.notifier_call = socket_closed;
	/* First, so that no transaction can begin whose end goes unnoticed. */
	err = netlink_register_notifier(&family->closed);
	if (err)
		return err;
	err = utf8guard_family_register(family->netlink);
	if (err)
		netlink_unregister_notifier(&family->closed);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_rule_family_register, "UTF8GUARD");

/**
 * utf8guard_rule_family_unregister() - let nobody see or change the rules any more
 * @family: as it was registered
 *
 * Context: process context; may sleep; module exit only, before everything else. None of
 * the family's operations runs after this, and no notification.
 */
void utf8guard_rule_family_unregister(struct utf8guard_rule_family *family)
{
	genl_unregister_family(family->netlink);
	netlink_unregister_notifier(&family->closed);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_rule_family_unregister, "UTF8GUARD");
