// SPDX-License-Identifier: GPL-2.0
/* The family utf8guard_fs: the name check's state and rules. */
#include <linux/capability.h>
#include <net/genetlink.h>

#include "fs.h"
#include "netlink_gen.h"

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
	const struct fs_policy *policy;
	struct fs_totals totals;
	u32 generation, rules;

	policy = fs_policy_lock();
	generation = policy->generation;
	rules = policy->count;
	fs_policy_unlock();
	fs_totals(&totals);
	if (nla_put_u32(skb, UTF8GUARD_FS_A_STATUS_GENERATION, generation) ||
	    nla_put_u32(skb, UTF8GUARD_FS_A_STATUS_RULES, rules) ||
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
	const struct fs_policy *policy;
	int err = may_administer(info, skb);
	u32 i;

	if (err)
		return err;
	policy = fs_policy_lock();
	for (i = 0; i < policy->count; i++)
		utf8guard_counts_reset(&policy->entries[i].rule->counts);
	fs_totals_reset();
	fs_policy_unlock();
	return 0;
}

static int put_place(struct sk_buff *skb, const struct fs_rule *rule)
{
	if (!rule->path)
		return 0;
	if (nla_put_string(skb, UTF8GUARD_FS_A_RULE_PATH, rule->path) ||
	    nla_put_string(skb, UTF8GUARD_FS_A_RULE_DEVICE, rule->device) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_FS_A_RULE_INODE, rule->ino,
			      UTF8GUARD_FS_A_RULE_PAD))
		return -EMSGSIZE;
	return 0;
}

static int put_rule(struct sk_buff *skb, const struct fs_entry *entry, u32 generation)
{
	static const struct utf8guard_count_attrs attrs = {
		.count = UTF8GUARD_FS_A_RULE_COUNT,
		.class = UTF8GUARD_FS_A_COUNT_CLASS,
		.refused = UTF8GUARD_FS_A_COUNT_REFUSED,
		.audited = UTF8GUARD_FS_A_COUNT_AUDITED,
		.pad = UTF8GUARD_FS_A_COUNT_PAD,
	};
	const struct fs_rule *rule = entry->rule;

	if (nla_put_u32(skb, UTF8GUARD_FS_A_RULE_HANDLE, rule->handle) ||
	    nla_put_u32(skb, UTF8GUARD_FS_A_RULE_SCOPE, rule->scope) ||
	    nla_put_u32(skb, UTF8GUARD_FS_A_RULE_MODE, entry->mode) ||
	    nla_put_u32(skb, UTF8GUARD_FS_A_RULE_GENERATION, generation) ||
	    put_place(skb, rule))
		return -EMSGSIZE;
	return utf8guard_counts_put(skb, &rule->counts, &attrs);
}

static int put_rule_by_handle(struct sk_buff *skb, const void *handle)
{
	const struct fs_policy *policy = fs_policy_lock();
	const struct fs_entry *entry = fs_policy_find(policy, *(const u32 *)handle);
	int err = entry ? put_rule(skb, entry, policy->generation) : -ENOENT;

	fs_policy_unlock();
	return err;
}

int utf8guard_fs_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[UTF8GUARD_FS_A_RULE_HANDLE];
	u32 handle;
	int err;

	err = may_administer(info, skb) ?:
	      require(info, UTF8GUARD_FS_A_RULE_HANDLE, "the handle of a rule is missing");
	if (err)
		return err;
	handle = nla_get_u32(attr);
	err = utf8guard_reply(info, &utf8guard_fs_nl_family, put_rule_by_handle, &handle);
	if (err == -ENOENT)
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "no rule has this handle");
	return err;
}

static int dump_rule(struct sk_buff *skb, struct netlink_callback *cb,
		     const struct fs_policy *policy, u32 i)
{
	void *header;

	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			     &utf8guard_fs_nl_family, NLM_F_MULTI,
			     UTF8GUARD_FS_CMD_RULE_GET);
	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (put_rule(skb, &policy->entries[i], policy->generation)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

int utf8guard_fs_nl_rule_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct fs_policy *policy;
	u32 i = cb->args[0];
	bool full;

	if (!netlink_capable(cb->skb, CAP_MAC_ADMIN))
		return -EPERM;
	policy = fs_policy_lock();
	/* 0 would mean that nobody looks whether the rules have changed. */
	cb->seq = policy->generation + 1;
	while (i < policy->count && !dump_rule(skb, cb, policy, i))
		i++;
	full = i < policy->count;
	fs_policy_unlock();
	cb->args[0] = i;
	/* An empty message would end the dump: say that one rule is too much. */
	return full && !skb->len ? -EMSGSIZE : skb->len;
}

static int require_scope(struct genl_info *info)
{
	struct nlattr *scope = info->attrs[UTF8GUARD_FS_A_RULE_SCOPE];

	if (nla_get_u32(scope) == UTF8GUARD_FS_SCOPE_SUBTREE)
		return require(info, UTF8GUARD_FS_A_RULE_PATH,
			       "the path of the subtree is missing");
	NL_SET_ERR_MSG_ATTR(info->extack, scope,
			    "the default rule is there already; set its mode");
	return -EEXIST;
}

static int add_and_reply(struct sk_buff *reply, struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	u32 handle;
	int err;

	err = fs_policy_add(nla_get_u32(attrs[UTF8GUARD_FS_A_RULE_SCOPE]),
			    nla_get_u32(attrs[UTF8GUARD_FS_A_RULE_MODE]),
			    nla_data(attrs[UTF8GUARD_FS_A_RULE_PATH]), &handle, info->extack);
	if (!err)
		return utf8guard_reply_send(reply, info, put_rule_by_handle, &handle);
	NL_SET_BAD_ATTR(info->extack, attrs[UTF8GUARD_FS_A_RULE_PATH]);
	nlmsg_free(reply);
	return err;
}

int utf8guard_fs_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply;
	int err;

	err = may_administer(info, skb) ?:
	      require(info, UTF8GUARD_FS_A_RULE_SCOPE, "the scope is missing") ?:
	      require(info, UTF8GUARD_FS_A_RULE_MODE, "the mode is missing") ?:
	      require_scope(info);
	if (err)
		return err;
	reply = utf8guard_reply_new(info, &utf8guard_fs_nl_family);
	return reply ? add_and_reply(reply, info) : -ENOMEM;
}

static int set_and_reply(struct sk_buff *reply, struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	u32 handle = nla_get_u32(attrs[UTF8GUARD_FS_A_RULE_HANDLE]);
	int err;

	err = fs_policy_set(handle, nla_get_u32(attrs[UTF8GUARD_FS_A_RULE_MODE]),
			    info->extack);
	if (!err)
		return utf8guard_reply_send(reply, info, put_rule_by_handle, &handle);
	NL_SET_BAD_ATTR(info->extack, attrs[UTF8GUARD_FS_A_RULE_HANDLE]);
	nlmsg_free(reply);
	return err;
}

int utf8guard_fs_nl_rule_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *reply;
	int err;

	err = may_administer(info, skb) ?:
	      require(info, UTF8GUARD_FS_A_RULE_HANDLE, "the handle of a rule is missing") ?:
	      require(info, UTF8GUARD_FS_A_RULE_MODE, "the mode is missing");
	if (err)
		return err;
	reply = utf8guard_reply_new(info, &utf8guard_fs_nl_family);
	return reply ? set_and_reply(reply, info) : -ENOMEM;
}

int utf8guard_fs_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *handle = info->attrs[UTF8GUARD_FS_A_RULE_HANDLE];
	int err;

	err = may_administer(info, skb) ?:
	      require(info, UTF8GUARD_FS_A_RULE_HANDLE, "the handle of a rule is missing");
	if (err)
		return err;
	err = fs_policy_del(nla_get_u32(handle), info->extack);
	if (err)
		NL_SET_BAD_ATTR(info->extack, handle);
	return err;
}

int utf8guard_fs_nl_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err = may_administer(info, skb);

	return err ?: fs_policy_flush();
}

/* Tell whoever listens to the group config. */
void fs_netlink_changed(u32 generation, u32 rules)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *header;

	if (!skb)
		return;
	header = genlmsg_put(skb, 0, 0, &utf8guard_fs_nl_family, 0,
			     UTF8GUARD_FS_CMD_CHANGED);
	if (!header || nla_put_u32(skb, UTF8GUARD_FS_A_STATUS_GENERATION, generation) ||
	    nla_put_u32(skb, UTF8GUARD_FS_A_STATUS_RULES, rules)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, header);
	genlmsg_multicast(&utf8guard_fs_nl_family, skb, 0, UTF8GUARD_FS_NLGRP_CONFIG,
			  GFP_KERNEL);
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
