// SPDX-License-Identifier: GPL-2.0
/*
 * The family utf8guard_fs: the name check's state and rules. What each operation does is in
 * include/netlink/utf8guard_fs.yaml. All run in process context of the sender, may sleep, and ask
 * for CAP_MAC_ADMIN first.
 */
#include <linux/capability.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../service/counts.h"
#include "../service/draft.h"
#include "../service/reply.h"
#include "../service/ruleset.h"
#include "../service/ruleset_dump.h"
#include "../service/ruleset_netlink.h"
#include "../service/ruleset_types.h"
#include "../service/transaction.h"
#include "check.h"
#include "explain.h"
#include "family.h"
#include "netlink_gen.h"
#include "policy.h"
#include "rule/change.h"
#include "rule/location.h"
#include "rule/rule.h"
#include "subvolume.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/* Genetlink has asked for CAP_NET_ADMIN before; rules for names need CAP_MAC_ADMIN, too. */
static int may_administer(struct genl_info *info, struct sk_buff *skb)
{
	if (netlink_capable(skb, CAP_MAC_ADMIN))
		return 0;
	NL_SET_ERR_MSG(info->extack, "rules for names need CAP_MAC_ADMIN");
	return -EPERM;
}

static int require(struct genl_info *info, int attr, const char *message)
{
	if (info->attrs[attr])
		return 0;
	/* NL_SET_ERR_MSG() takes literals only. */
	if (info->extack)
		info->extack->_msg = message;
	return -EINVAL;
}

static int put_status(struct sk_buff *skb, const void *unused)
{
	static const struct utf8guard_count_attrs attrs = {
		.count = UTF8GUARD_FS_A_STATUS_COUNT,
		.class = UTF8GUARD_FS_A_COUNT_CLASS,
		.refused = UTF8GUARD_FS_A_COUNT_REFUSED,
		.audited = UTF8GUARD_FS_A_COUNT_AUDITED,
		.pad = UTF8GUARD_FS_A_COUNT_PAD,
	};
	struct ugfs_subvolumes subvolumes = ugfs_subvolumes();
	struct ugfs_totals totals;

	ugfs_totals(&totals);
	if (utf8guard_ruleset_put_status(skb, &ugfs_ruleset) ||
	    nla_put_u8(skb, UTF8GUARD_FS_A_STATUS_ENFORCING, ugfs_enforcing()) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_CHECKED, totals.checked,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_REFUSED, totals.refused,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_AUDITED, totals.audited,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_EXEMPT, totals.exempt,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_MISSED, totals.missed,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_DEEP, totals.deep,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_EXEMPT_OVERLAY, totals.exempt_overlay,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_STATUS_USERNS_OVERLAY, totals.userns_overlay,
			      UTF8GUARD_FS_A_STATUS_PAD) ||
	    nla_put_u32(skb, UTF8GUARD_FS_A_STATUS_SUBVOLUMES, subvolumes.coverage) ||
	    (subvolumes.why &&
	     nla_put_string(skb, UTF8GUARD_FS_A_STATUS_SUBVOLUMES_WHY, subvolumes.why)))
		return -EMSGSIZE;
	return utf8guard_counts_put(skb, ugfs_counts(), &attrs);
}

int utf8guard_fs_nl_status_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_reply(info, &utf8guard_fs_nl_family, put_status, NULL);
}

int utf8guard_fs_nl_status_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	if (err)
		return err;
	utf8guard_ruleset_status_reset(&ugfs_ruleset);
	ugfs_totals_reset();
	return 0;
}

int utf8guard_fs_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_rule_get(&ugfs_ruleset, skb, info, false);
}

int utf8guard_fs_nl_rule_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	if (!netlink_capable(cb->skb, CAP_MAC_ADMIN))
		return -EPERM;
	return utf8guard_ruleset_rule_dump(&ugfs_ruleset, skb, cb);
}

/* Makes the rule that a request describes, with one reference; NULL and @err on failure. */
static struct utf8guard_rule *parse_rule(struct genl_info *info, int *err)
{
	struct ugfs_rule *rule;

	*err = require(info, ATTR(MODE), "the mode is missing");
	if (*err)
		return NULL;
	rule = ugfs_rule_new(nla_get_u32(info->attrs[ATTR(MODE)]), info->attrs, info->nlhdr,
			     info->extack);
	if (!IS_ERR(rule))
		return &rule->rule;
	*err = PTR_ERR(rule);
	return NULL;
}

/* The attribute that is blamed where there is a rule for the same location already. */
static const struct nlattr *attr_of_location(struct genl_info *info)
{
	return info->attrs[ATTR(PATH)] ?: info->attrs[ATTR(FSTYPE)] ?: info->attrs[ATTR(SCOPE)];
}

int utf8guard_fs_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "rule-add",
		.make = utf8guard_draft_add,
		.may_exist = info->attrs[ATTR(EXIST)],
		.same_attr = attr_of_location(info),
	};
	int err;

	err = may_administer(info, skb) ?:
	      require(info, ATTR(SCOPE), "the scope is missing");
	if (err)
		return err;
	change.rule = parse_rule(info, &err);
	if (!change.rule)
		return err;
	return utf8guard_ruleset_rule_change(&ugfs_ruleset, skb, info, &change);
}

int utf8guard_fs_nl_rule_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct ugfs_mode_change set = {
		.change = {
			.action = "rule-set",
			.make = ugfs_change_mode,
			.handle_attr = info->attrs[ATTR(HANDLE)],
		},
	};
	int err;

	err = may_administer(info, skb) ?:
	      require(info, ATTR(HANDLE), "the handle of a rule is missing") ?:
	      require(info, ATTR(MODE), "the mode is missing");
	if (err)
		return err;
	set.change.handle = nla_get_u32(set.change.handle_attr);
	set.mode = nla_get_u32(info->attrs[ATTR(MODE)]);
	return utf8guard_ruleset_rule_change(&ugfs_ruleset, skb, info, &set.change);
}

int utf8guard_fs_nl_rule_replace_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "rule-replace",
		.make = ugfs_change_rule,
		.handle_attr = info->attrs[ATTR(HANDLE)],
		.same_attr = attr_of_location(info),
	};
	int err;

	err = may_administer(info, skb) ?:
	      require(info, ATTR(HANDLE), "the handle of a rule is missing");
	if (err)
		return err;
	change.handle = nla_get_u32(change.handle_attr);
	change.rule = parse_rule(info, &err);
	if (!change.rule)
		return err;
	return utf8guard_ruleset_rule_change(&ugfs_ruleset, skb, info, &change);
}

static int find_rule(struct sk_buff *skb, struct genl_info *info, u32 handle)
{
	const struct nlattr *path = info->attrs[ATTR(PATH)];
	/* Those of this message go no farther than INSIDE, and a location may have others. */
	struct nlattr *attrs[UTF8GUARD_FS_A_RULE_MAX + 1] = {
		[ATTR(FD)] = info->attrs[ATTR(FD)],
		[ATTR(INSIDE)] = info->attrs[ATTR(INSIDE)],
	};
	struct ugfs_location_change find = {
		.change = {
			.action = "rule-found",
			.make = ugfs_change_location,
			.handle = handle,
			.handle_attr = info->attrs[ATTR(HANDLE)],
			.always = true,
		},
	};
	struct ugfs_location *old = ugfs_policy_location(handle, path ? nla_data(path) : NULL,
							 &find.which);
	int err = 0;

	if (!old) {
		NL_SET_ERR_MSG_ATTR(info->extack, find.change.handle_attr,
				    "no rule with this handle has this path");
		return -ENOENT;
	}
	find.old = old;
	find.location = ugfs_location_again(old, attrs, &find.stays, info->extack);
	if (IS_ERR(find.location)) {
		err = PTR_ERR(find.location);
	} else {
		if (find.location != old)
			err = utf8guard_ruleset_rule_change(&ugfs_ruleset, skb, info, &find.change);
		ugfs_location_put(find.location);
	}
	ugfs_location_put(old);
	return err;
}

int utf8guard_fs_nl_rule_find_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb) ?:
		  require(info, ATTR(HANDLE), "the handle of a rule is missing") ?:
		  require(info, ATTR(FD), "the descriptor of the location is missing");

	return err ?: find_rule(skb, info, nla_get_u32(info->attrs[ATTR(HANDLE)]));
}

int utf8guard_fs_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = { .same_attr = attr_of_location(info) };
	int err = may_administer(info, skb);

	if (err)
		return err;
	/* By its handle, or by what it says. */
	if (!info->attrs[ATTR(HANDLE)] && info->attrs[ATTR(SCOPE)]) {
		change.rule = parse_rule(info, &err);
		if (!change.rule)
			return err;
	} else if (info->attrs[ATTR(SCOPE)]) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ATTR(HANDLE)],
				    "give the handle of the rule or what it says, not both");
		return -EINVAL;
	}
	return utf8guard_ruleset_rule_del(&ugfs_ruleset, skb, info, &change);
}

int utf8guard_fs_nl_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "flush",
		.make = ugfs_change_to_default,
		.extack = info->extack,
	};
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_change(&ugfs_ruleset, NETLINK_CB(skb).sk, &change);
}

int utf8guard_fs_nl_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_begin(&ugfs_ruleset, skb, info);
}

int utf8guard_fs_nl_commit_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_commit(&ugfs_ruleset, skb, info);
}

int utf8guard_fs_nl_abort_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	if (!err)
		utf8guard_ruleset_abort(&ugfs_ruleset, NETLINK_CB(skb).sk);
	return err;
}

int utf8guard_fs_nl_confirm_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_confirm(&ugfs_ruleset, info->extack);
}

int utf8guard_fs_nl_revert_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_revert(&ugfs_ruleset, info->extack);
}

int utf8guard_fs_nl_lock_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_lock(&ugfs_ruleset, info->extack);
}

static int put_step(struct sk_buff *skb, u32 handle, bool fits)
{
	struct nlattr *nest = nla_nest_start(skb, ATTR(STEP));

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, UTF8GUARD_FS_A_STEP_HANDLE, handle) ||
	    (fits && nla_put_flag(skb, UTF8GUARD_FS_A_STEP_FITS))) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static int put_verdict(struct sk_buff *skb, const struct ugfs_steps *steps)
{
	if (nla_put_u32(skb, ATTR(OUTCOME), steps->outcome) ||
	    nla_put_u32(skb, ATTR(CLASS), steps->error.class) ||
	    nla_put_u32(skb, ATTR(OFFSET), steps->error.offset) ||
	    nla_put_u32(skb, ATTR(LENGTH), steps->error.span))
		return -EMSGSIZE;
	return 0;
}

static int put_steps(struct sk_buff *skb, const void *data)
{
	const struct ugfs_steps *steps = data;
	u32 i;

	if (nla_put_u32(skb, ATTR(HANDLE), steps->decides) ||
	    (steps->exempt && nla_put_flag(skb, ATTR(EXEMPT))) ||
	    (steps->deep && nla_put_flag(skb, ATTR(DEEP))) ||
	    (steps->minds && put_verdict(skb, steps)))
		return -EMSGSIZE;
	for (i = 0; i < steps->count; i++)
		if (put_step(skb, steps->handle[i], steps->fits[i]))
			return -EMSGSIZE;
	return 0;
}

int utf8guard_fs_nl_rule_explain_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct ugfs_steps *steps;
	int err = may_administer(info, skb);

	if (err)
		return err;
	steps = kzalloc(sizeof(*steps), GFP_KERNEL);
	if (!steps)
		return -ENOMEM;
	err = ugfs_explain(steps, info->attrs, info->extack) ?:
	      utf8guard_reply(info, &utf8guard_fs_nl_family, put_steps, steps);
	kfree(steps);
	return err;
}

static const struct genl_multicast_group groups[] = {
	[UTF8GUARD_FS_NLGRP_CONFIG] = {
		.name = UTF8GUARD_FS_MCGRP_CONFIG,
		.flags = GENL_MCAST_CAP_NET_ADMIN,
	},
};

struct genl_family utf8guard_fs_nl_family __ro_after_init = {
	.name = UTF8GUARD_FS_FAMILY_NAME,
	.version = UTF8GUARD_FS_FAMILY_VERSION,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = utf8guard_fs_nl_ops,
	.n_ops = ARRAY_SIZE(utf8guard_fs_nl_ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
