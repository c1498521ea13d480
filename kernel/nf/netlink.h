/* SPDX-License-Identifier: GPL-2.0 */
/* The family utf8guard_nf. */
#ifndef _UTF8GUARD_NF_NETLINK_H
#define _UTF8GUARD_NF_NETLINK_H

#include "../service/ruleset_types.h"

struct genl_family;
struct sk_buff;

extern struct genl_family utf8guard_nf_nl_family;
int ugnf_netlink_put_rule(struct sk_buff *skb, const struct utf8guard_rule *rule);

#endif /* _UTF8GUARD_NF_NETLINK_H */
