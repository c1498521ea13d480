// SPDX-License-Identifier: GPL-2.0
/* The netlink operations of all families that describe rules. */
#include <linux/jiffies.h>
#include <linux/sizes.h>
#include <linux/skbuff.h>
#include <net/genetlink.h>

#include "counts.h"
#include "draft.h"
#include "reply.h"
#include "rule.h"
#include "ruleset_dump.h"
#include "transaction.h"

/* Room for one of the longest rules. */
#define ROOM SZ_16K

static const struct utf8guard_rule *find_rule(const struct utf8guard_policy *policy,
					      u32 handle)
{
	u32 i;

	for (i = 0; i < policy->count; i++)
		if (policy->rules[i]->handle == handle)
			return policy->rules[i];
	return NULL;
}

/* For put_rule_by_handle(). */
struct wanted {
	struct utf8guard_ruleset *ruleset;
	const struct sock *owner;
	u32 handle;
	bool in_draft;
};

static int put_rule_by_handle(struct sk_buff *skb, const void *data)
{
	const struct wanted *wanted = data;
	struct utf8guard_ruleset *ruleset = wanted->ruleset;
	const struct utf8guard_policy *policy;
	const struct utf8guard_draft *draft;
	const struct utf8guard_rule *rule;
	int err;

	mutex_lock(&ruleset->lock);
	policy = utf8guard_ruleset_policy(ruleset);
	draft = utf8guard_transaction_of(ruleset, wanted->owner);
	if (draft)
		rule = utf8guard_draft_find(draft, wanted->handle);
	else
		rule = wanted->in_draft ? NULL : find_rule(policy, wanted->handle);
	err = draft || !wanted->in_draft ? -ENOENT : -EBUSY;
	if (rule)
		err = utf8guard_ruleset_put_rule(skb, ruleset->type, rule,
						 draft ? draft->generation :
							 policy->generation);
	mutex_unlock(&ruleset->lock);
	return err;
}

/* The attribute with the handle; NULL, and extack is set, where the request has none. */
const struct nlattr *utf8guard_ruleset_handle(const struct utf8guard_ruleset *ruleset,
					      struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ruleset->type->attrs.handle];

	if (!attr)
		NL_SET_ERR_MSG(info->extack, "the handle of a rule is missing");
	return attr;
}

/**
 * utf8guard_ruleset_rule_get() - describe one rule
 * @ruleset: the rules
 * @skb: the request
 * @info: the same request, parsed
 * @in_draft: only one of the socket's transaction, which takes no longer the more rules there are
 *
 * A socket with a transaction is shown its draft.
 *
 * Context: process context; takes the lock of @ruleset; may sleep.
 * Return: 0; -EINVAL without a handle; -ENOENT where there is no such rule; -EBUSY without a
 * transaction, for @in_draft; -ENOMEM.
 */
int utf8guard_ruleset_rule_get(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			       struct genl_info *info, bool in_draft)
{
	const struct nlattr *handle = utf8guard_ruleset_handle(ruleset, info);
	struct wanted wanted = {
		.ruleset = ruleset,
		.owner = NETLINK_CB(skb).sk,
		.in_draft = in_draft,
	};
	int err;

	if (!handle)
		return -EINVAL;
	if (info->attrs[ruleset->type->attrs.within]) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ruleset->type->attrs.within],
				    "the attribute within applies to all rules, not to one");
		return -EINVAL;
	}
	wanted.handle = nla_get_u32(handle);
	err = utf8guard_reply(info, ruleset->type->family, put_rule_by_handle, &wanted);
	if (err == -ENOENT)
		NL_SET_ERR_MSG_ATTR(info->extack, handle, "no rule has this handle");
	if (err == -EBUSY)
		NL_SET_ERR_MSG(info->extack, UTF8GUARD_LATE);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_rule_get, "UTF8GUARD");

static int dump_rule(struct sk_buff *skb, struct netlink_callback *cb,
		     const struct utf8guard_ruleset_type *type,
		     const struct utf8guard_rule *rule, u32 generation)
{
	void *header;

	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			     type->family, NLM_F_MULTI, type->get_command);
	if (!header)
		return -EMSGSIZE;
	if (utf8guard_ruleset_put_rule(skb, type, rule, generation)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	/* Sets a flag once for a change: not in a header that is then taken back. */
	genl_dump_check_consistent(cb, header);
	genlmsg_end(skb, header);
	return 0;
}

/* Does the request want this rule? With cb->args[1], only those touched since cb->args[2]. */
static bool is_wanted(const struct netlink_callback *cb,
		      const struct utf8guard_ruleset_type *type,
		      const struct utf8guard_rule *rule)
{
	return !cb->args[1] || utf8guard_counts_touched(type->counts(rule), cb->args[2]);
}

static const struct nlattr *dump_attr(const struct netlink_callback *cb, int type)
{
	return nlmsg_find_attr(cb->nlh, GENL_HDRLEN, type);
}

/* Computes the time once, because time goes on while the rules are sent. */
static int begin_dump(struct netlink_callback *cb, const struct utf8guard_ruleset_type *type)
{
	const struct nlattr *within = dump_attr(cb, type->attrs.within);

	if (dump_attr(cb, type->attrs.handle)) {
		NL_SET_ERR_MSG(cb->extack, "the attribute handle applies to one rule, not to all");
		return -EINVAL;
	}
	if (cb->args[0] || cb->args[1] || !within)
		return 0;
	cb->args[1] = true;
	cb->args[2] = jiffies - msecs_to_jiffies(nla_get_u32(within));
	return 0;
}

/* Each returns whether rules are left. cb->args[0] is how many were looked at. */
static bool dump_policy(struct sk_buff *skb, struct netlink_callback *cb,
			const struct utf8guard_policy *policy)
{
	/* Odd, so never 0: for 0, genetlink does not check whether the rules have changed. */
	cb->seq = policy->generation * 2 + 1;
	while (cb->args[0] < policy->count &&
	       (!is_wanted(cb, policy->type, policy->rules[cb->args[0]]) ||
		!dump_rule(skb, cb, policy->type, policy->rules[cb->args[0]],
			   policy->generation)))
		cb->args[0]++;
	return cb->args[0] < policy->count;
}

static bool dump_draft(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct utf8guard_draft *draft)
{
	const struct utf8guard_node *node;
	long sent = 0;

	/* Even, so never the same as that of a policy. */
	cb->seq = draft->changes * 2 + 2;
	list_for_each_entry(node, &draft->rules, order) {
		if (sent++ < cb->args[0])
			continue;
		if (is_wanted(cb, draft->ruleset->type, node->rule) &&
		    dump_rule(skb, cb, draft->ruleset->type, node->rule, draft->generation))
			return true;
		cb->args[0]++;
	}
	return false;
}

/* Returns whether rules are left. */
static bool dump_rules(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
		       struct netlink_callback *cb)
{
	const struct utf8guard_draft *draft;
	bool left;

	mutex_lock(&ruleset->lock);
	draft = utf8guard_transaction_of(ruleset, NETLINK_CB(cb->skb).sk);
	left = draft ? dump_draft(skb, cb, draft) :
		       dump_policy(skb, cb, utf8guard_ruleset_policy(ruleset));
	mutex_unlock(&ruleset->lock);
	return left;
}

/**
 * utf8guard_ruleset_rule_dump() - describe all rules
 * @ruleset: the rules
 * @skb: a message of the answer, to be filled
 * @cb: the request, and how many rules were sent
 *
 * netlink gives less than a page for a message where the socket has not received anything yet, and
 * where memory is fragmented. A rule that takes more gets more.
 *
 * Context: process context; may sleep.
 * Return: length of @skb; -EINVAL with a handle; -EMSGSIZE where a rule does not fit.
 */
int utf8guard_ruleset_rule_dump(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
				struct netlink_callback *cb)
{
	int err = begin_dump(cb, ruleset->type);
	bool left;

	if (err)
		return err;
	left = dump_rules(ruleset, skb, cb);
	if (left && !skb->len && !pskb_expand_head(skb, 0, ROOM, GFP_KERNEL))
		left = dump_rules(ruleset, skb, cb);
	/* An empty message would end the dump as if it were complete: one rule was too long. */
	return left && !skb->len ? -EMSGSIZE : skb->len;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_rule_dump, "UTF8GUARD");
