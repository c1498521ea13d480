// SPDX-License-Identifier: GPL-2.0
/* The family utf8guard_fs: the name check's state and rules. */
#include <linux/capability.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "fs.h"
#include "netlink_gen.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/* CAP_MAC_ADMIN comes on top of the CAP_NET_ADMIN that genetlink asked for. */
static int may_administer(struct genl_info *info, struct sk_buff *skb)
{
	if (netlink_capable(skb, CAP_MAC_ADMIN))
		return 0;
	NL_SET_ERR_MSG(info->extack, "rules for names take CAP_MAC_ADMIN");
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
	struct fs_subvolumes subvolumes = fs_subvolumes();
	struct fs_totals totals;

	fs_totals(&totals);
	if (utf8guard_ruleset_put_status(skb, &fs_ruleset) ||
	    nla_put_u8(skb, UTF8GUARD_FS_A_STATUS_ENFORCING, fs_enforcing()) ||
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
	return 0;
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
	utf8guard_ruleset_status_reset(&fs_ruleset);
	fs_totals_reset();
	return 0;
}

int utf8guard_fs_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_rule_get(&fs_ruleset, skb, info);
}

int utf8guard_fs_nl_rule_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	if (!netlink_capable(cb->skb, CAP_MAC_ADMIN))
		return -EPERM;
	return utf8guard_ruleset_rule_dump(&fs_ruleset, skb, cb);
}

/* The rule of a request; or NULL, and @err set. */
static struct utf8guard_rule *parse_rule(struct genl_info *info, int *err)
{
	struct fs_rule *rule;

	*err = require(info, ATTR(MODE), "the mode is missing");
	if (*err)
		return NULL;
	rule = fs_rule_new(nla_get_u32(info->attrs[ATTR(MODE)]), info->attrs, info->extack);
	if (!IS_ERR(rule))
		return &rule->rule;
	*err = PTR_ERR(rule);
	return NULL;
}

/* What is at fault where there is a rule like that already. */
static const struct nlattr *place_attr(struct genl_info *info)
{
	return info->attrs[ATTR(PATH)] ?: info->attrs[ATTR(FSTYPE)] ?: info->attrs[ATTR(SCOPE)];
}

int utf8guard_fs_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "rule-add",
		.make = utf8guard_draft_add,
		.same_attr = place_attr(info),
	};
	int err;

	err = may_administer(info, skb) ?:
	      require(info, ATTR(SCOPE), "the scope is missing");
	if (err)
		return err;
	change.rule = parse_rule(info, &err);
	if (!change.rule)
		return err;
	return utf8guard_ruleset_rule_change(&fs_ruleset, skb, info, &change);
}

int utf8guard_fs_nl_rule_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct fs_mode_change set = {
		.change = {
			.action = "rule-set",
			.make = fs_change_mode,
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
	return utf8guard_ruleset_rule_change(&fs_ruleset, skb, info, &set.change);
}

int utf8guard_fs_nl_rule_replace_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "rule-replace",
		.make = fs_change_rule,
		.handle_attr = info->attrs[ATTR(HANDLE)],
		.same_attr = place_attr(info),
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
	return utf8guard_ruleset_rule_change(&fs_ruleset, skb, info, &change);
}

static int find_rule(struct sk_buff *skb, struct genl_info *info, u32 handle)
{
	struct fs_place_change find = {
		.change = {
			.action = "rule-found",
			.make = fs_change_place,
			.handle = handle,
			.handle_attr = info->attrs[ATTR(HANDLE)],
			.always = true,
		},
	};
	struct fs_place *old = fs_policy_place(handle);
	int err = 0;

	if (!old) {
		NL_SET_ERR_MSG_ATTR(info->extack, find.change.handle_attr,
				    "no rule has this handle");
		return -ENOENT;
	}
	find.old = old;
	find.place = fs_place_again(old, info->attrs, info->extack);
	if (IS_ERR(find.place)) {
		err = PTR_ERR(find.place);
	} else {
		if (find.place != old)
			err = utf8guard_ruleset_rule_change(&fs_ruleset, skb, info, &find.change);
		fs_place_put(find.place);
	}
	fs_place_put(old);
	return err;
}

int utf8guard_fs_nl_rule_find_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb) ?:
		  require(info, ATTR(HANDLE), "the handle of a rule is missing") ?:
		  require(info, ATTR(FD), "the descriptor of its place is missing");

	return err ?: find_rule(skb, info, nla_get_u32(info->attrs[ATTR(HANDLE)]));
}

int utf8guard_fs_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_rule_del(&fs_ruleset, skb, info);
}

int utf8guard_fs_nl_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "flush",
		.make = fs_change_to_default,
		.extack = info->extack,
	};
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_change(&fs_ruleset, NETLINK_CB(skb).sk, &change);
}

int utf8guard_fs_nl_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_begin(&fs_ruleset, skb, info);
}

int utf8guard_fs_nl_commit_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_commit(&fs_ruleset, skb, info);
}

int utf8guard_fs_nl_abort_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	if (!err)
		utf8guard_ruleset_abort(&fs_ruleset, NETLINK_CB(skb).sk);
	return err;
}

int utf8guard_fs_nl_confirm_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_confirm(&fs_ruleset, info->extack);
}

int utf8guard_fs_nl_revert_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_revert(&fs_ruleset, info->extack);
}

int utf8guard_fs_nl_lock_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: utf8guard_ruleset_lock(&fs_ruleset, info->extack);
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

static int put_verdict(struct sk_buff *skb, const struct fs_steps *steps)
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
	const struct fs_steps *steps = data;
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
	struct fs_steps *steps;
	int err = may_administer(info, skb);

	if (err)
		return err;
	steps = kzalloc(sizeof(*steps), GFP_KERNEL);
	if (!steps)
		return -ENOMEM;
	err = fs_explain(steps, info->attrs, info->extack) ?:
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
