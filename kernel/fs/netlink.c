// SPDX-License-Identifier: GPL-2.0
/* The family utf8guard_fs: the name check's state and rules. */
#include <linux/capability.h>
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
			      UTF8GUARD_FS_A_STATUS_PAD))
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

static int put_place(struct sk_buff *skb, const struct fs_place *place)
{
	if (!place->path)
		return 0;
	if (nla_put_string(skb, ATTR(PATH), place->path) ||
	    nla_put_string(skb, ATTR(DEVICE), place->device) ||
	    nla_put_u64_64bit(skb, ATTR(INODE), place->ino,
			      ATTR(PAD)))
		return -EMSGSIZE;
	return 0;
}

/* What is the name check's own of a rule. */
int fs_netlink_put_rule(struct sk_buff *skb, const struct utf8guard_rule *rule)
{
	static const struct utf8guard_count_attrs attrs = {
		.count = ATTR(COUNT),
		.class = UTF8GUARD_FS_A_COUNT_CLASS,
		.refused = UTF8GUARD_FS_A_COUNT_REFUSED,
		.audited = UTF8GUARD_FS_A_COUNT_AUDITED,
		.pad = UTF8GUARD_FS_A_COUNT_PAD,
	};
	const struct fs_rule *mine = fs_rule_of(rule);

	if (nla_put_u32(skb, ATTR(SCOPE), mine->place->scope) ||
	    nla_put_u32(skb, ATTR(MODE), mine->mode) || put_place(skb, mine->place))
		return -EMSGSIZE;
	return utf8guard_counts_put(skb, &mine->place->counts, &attrs);
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

/* The scope may be left to the path: only the default has none. */
static int require_scope(struct genl_info *info)
{
	struct nlattr *scope = info->attrs[ATTR(SCOPE)];
	struct nlattr *path = info->attrs[ATTR(PATH)];

	if (!scope)
		return 0;
	if (nla_get_u32(scope) == UTF8GUARD_FS_SCOPE_SUBTREE)
		return require(info, ATTR(PATH), "the path of the subtree is missing");
	if (!path)
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, path, "the default rule has no path");
	return -EINVAL;
}

/* The rule of a request; or NULL, and @err set. */
static struct utf8guard_rule *parse_rule(struct genl_info *info, int *err)
{
	struct nlattr *path = info->attrs[ATTR(PATH)];
	struct fs_rule *rule;

	*err = require(info, ATTR(MODE), "the mode is missing") ?: require_scope(info);
	if (*err)
		return NULL;
	rule = fs_rule_new(nla_get_u32(info->attrs[ATTR(MODE)]),
			   path ? nla_data(path) : NULL, info->attrs[ATTR(COMMENT)],
			   info->extack);
	if (!IS_ERR(rule))
		return &rule->rule;
	*err = PTR_ERR(rule);
	/* Where it is not the comment, which says so itself. */
	if (info->extack && !info->extack->bad_attr)
		NL_SET_BAD_ATTR(info->extack, path);
	return NULL;
}

static int require_no_default(struct genl_info *info)
{
	struct nlattr *scope = info->attrs[ATTR(SCOPE)];

	if (nla_get_u32(scope) != UTF8GUARD_FS_SCOPE_DEFAULT)
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, scope,
			    "the default rule is there already; set its mode");
	return -EEXIST;
}

int utf8guard_fs_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "rule-add",
		.make = utf8guard_draft_add,
		.same_attr = info->attrs[ATTR(PATH)],
	};
	int err;

	err = may_administer(info, skb) ?:
	      require(info, ATTR(SCOPE), "the scope is missing") ?:
	      require_no_default(info);
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
		.same_attr = info->attrs[ATTR(PATH)],
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
