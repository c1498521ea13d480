/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_GENETLINK_H
#define _UTF8GUARD_COMPAT_GENETLINK_H

#include_next <net/genetlink.h>

/* Since 6.8 and, of older series, since 2026. Before, groups have the flag of operations. */
#ifndef GENL_MCAST_CAP_NET_ADMIN
#define GENL_MCAST_CAP_NET_ADMIN GENL_UNS_ADMIN_PERM
#endif

/* Before 6.8, each member of a group gets each message. */
#ifdef KERNEL_HAS_MULTICAST_FILTER
#define UTF8GUARD_CHOOSES_LISTENERS true
#else
#define UTF8GUARD_CHOOSES_LISTENERS false
#define genlmsg_multicast_netns_filtered(family, net, skb, portid, group, flags, filter, data) \
	((void)(filter), genlmsg_multicast_netns(family, net, skb, portid, group, flags))
#endif

/* What a family's pre_doit() is told of the operation. */
#ifdef KERNEL_HAS_SPLIT_OPS
typedef const struct genl_split_ops utf8guard_genl_op;
#else
typedef const struct genl_ops utf8guard_genl_op;
#endif

#endif /* _UTF8GUARD_COMPAT_GENETLINK_H */
