/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	include/netlink/utf8guard.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_UTF8GUARD_GEN_H
#define _LINUX_UTF8GUARD_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/utf8guard.h>

extern const struct nla_policy utf8guard_info_get_nl_policy[UTF8GUARD_A_INFO_PAD + 1];

extern const struct nla_policy utf8guard_validate_nl_policy[UTF8GUARD_A_TEXT_DATA + 1];

extern const struct nla_policy utf8guard_normalize_nl_policy[UTF8GUARD_A_TEXT_CHECK + 1];

/* Ops table for utf8guard */
extern const struct genl_ops utf8guard_nl_ops[3];

int utf8guard_nl_info_get_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nl_validate_doit(struct sk_buff *skb, struct genl_info *info);
int utf8guard_nl_normalize_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	UTF8GUARD_NLGRP_EVENTS,
};

#endif /* _LINUX_UTF8GUARD_GEN_H */
