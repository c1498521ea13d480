/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	include/netlink/utf8guard_nf.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_UTF8GUARD_NF_GEN_H
#define _LINUX_UTF8GUARD_NF_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/utf8guard_nf.h>

/* Common nested types */
extern const struct nla_policy utf8guard_nf_network_nl_policy[UTF8GUARD_NF_A_NETWORK_PREFIX + 1];
extern const struct nla_policy utf8guard_nf_port_range_nl_policy[UTF8GUARD_NF_A_PORT_RANGE_TO + 1];

extern const struct nla_policy utf8guard_nf_status_get_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_nf_status_reset_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_nf_rule_get_nl_policy[UTF8GUARD_NF_A_RULE_WITHIN + 1];

extern const struct nla_policy utf8guard_nf_rule_add_nl_policy[UTF8GUARD_NF_A_RULE_DADDR_NETWORK + 1];

extern const struct nla_policy utf8guard_nf_rule_replace_nl_policy[UTF8GUARD_NF_A_RULE_DADDR_NETWORK + 1];

extern const struct nla_policy utf8guard_nf_rule_del_nl_policy[UTF8GUARD_NF_A_RULE_DADDR_NETWORK + 1];

extern const struct nla_policy utf8guard_nf_flush_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_nf_begin_nl_policy[UTF8GUARD_NF_A_STATUS_GENERATION + 1];

extern const struct nla_policy utf8guard_nf_commit_nl_policy[UTF8GUARD_NF_A_STATUS_CONFIRM + 1];

extern const struct nla_policy utf8guard_nf_abort_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_nf_confirm_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_nf_revert_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1];

extern const struct nla_policy utf8guard_nf_lock_nl_policy[UTF8GUARD_NF_A_STATUS_PAD + 1];

/* Ops table for utf8guard_nf */
extern const struct genl_ops utf8guard_nf_nl_ops[13];

int utf8guard_nf_nl_status_get_doit(struct sk_buff *skb,
				    struct genl_info *info);
int utf8guard_nf_nl_status_reset_doit(struct sk_buff *skb,
				      struct genl_info *info);
int utf8guard_nf_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_rule_get_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb);
int utf8guard_nf_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_rule_replace_doit(struct sk_buff *skb,
				      struct genl_info *info);
int utf8guard_nf_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_flush_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_begin_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_commit_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_abort_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_confirm_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_revert_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nf_nl_lock_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	UTF8GUARD_NF_NLGRP_CONFIG,
};

#endif /* _LINUX_UTF8GUARD_NF_GEN_H */
