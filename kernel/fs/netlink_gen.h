/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	include/netlink/utf8guard_fs.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_UTF8GUARD_FS_GEN_H
#define _LINUX_UTF8GUARD_FS_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/utf8guard_fs.h>

/* Common nested types */
extern const struct nla_policy utf8guard_fs_location_nl_policy[UTF8GUARD_FS_A_LOCATION_MINOR + 1];

extern const struct nla_policy utf8guard_fs_status_get_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_fs_status_reset_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_fs_rule_get_nl_policy[UTF8GUARD_FS_A_RULE_WITHIN + 1];

extern const struct nla_policy utf8guard_fs_rule_add_nl_policy[UTF8GUARD_FS_A_RULE_LOCATION + 1];

extern const struct nla_policy utf8guard_fs_rule_set_nl_policy[UTF8GUARD_FS_A_RULE_MODE + 1];

extern const struct nla_policy utf8guard_fs_rule_replace_nl_policy[UTF8GUARD_FS_A_RULE_LOCATION + 1];

extern const struct nla_policy utf8guard_fs_rule_del_nl_policy[UTF8GUARD_FS_A_RULE_LOCATION + 1];

extern const struct nla_policy utf8guard_fs_flush_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_fs_begin_nl_policy[UTF8GUARD_FS_A_STATUS_GENERATION + 1];

extern const struct nla_policy utf8guard_fs_commit_nl_policy[UTF8GUARD_FS_A_STATUS_CONFIRM + 1];

extern const struct nla_policy utf8guard_fs_abort_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_fs_confirm_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_fs_revert_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_fs_lock_nl_policy[UTF8GUARD_FS_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_fs_rule_explain_nl_policy[UTF8GUARD_FS_A_RULE_NAME + 1];

extern const struct nla_policy utf8guard_fs_rule_find_nl_policy[UTF8GUARD_FS_A_RULE_INSIDE + 1];

/* Ops table for utf8guard_fs */
extern const struct genl_ops utf8guard_fs_nl_ops[16];

int utf8guard_fs_nl_status_get_doit(struct sk_buff *skb,
				    struct genl_info *info);
int utf8guard_fs_nl_status_reset_doit(struct sk_buff *skb,
				      struct genl_info *info);
int utf8guard_fs_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_rule_get_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb);
int utf8guard_fs_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_rule_set_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_rule_replace_doit(struct sk_buff *skb,
				      struct genl_info *info);
int utf8guard_fs_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_flush_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_begin_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_commit_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_abort_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_confirm_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_revert_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_lock_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_fs_nl_rule_explain_doit(struct sk_buff *skb,
				      struct genl_info *info);
int utf8guard_fs_nl_rule_find_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	UTF8GUARD_FS_NLGRP_CONFIG,
};

#endif /* _LINUX_UTF8GUARD_FS_GEN_H */
