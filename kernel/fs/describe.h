/* SPDX-License-Identifier: GPL-2.0 */
/* A rule as netlink attributes. */
#ifndef _UTF8GUARD_FS_DESCRIBE_H
#define _UTF8GUARD_FS_DESCRIBE_H

struct sk_buff;
struct utf8guard_rule;

int ugfs_describe(struct sk_buff *skb, const struct utf8guard_rule *rule);

#endif /* _UTF8GUARD_FS_DESCRIBE_H */
