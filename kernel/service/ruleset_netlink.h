/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink families of modules with rules: registration, changes of rules, their state. */
#ifndef _UTF8GUARD_RULESET_NETLINK_H
#define _UTF8GUARD_RULESET_NETLINK_H

#include <linux/notifier.h>

#include "ruleset_types.h"

/**
 * struct utf8guard_rule_family - a netlink family by which rules are changed
 * @netlink: its operations
 * @ruleset: returns the rules that sockets of a network namespace can change, or NULL
 * @closed: how it learns that a socket was closed
 */
struct utf8guard_rule_family {
	struct genl_family *netlink;
	struct utf8guard_ruleset *(*ruleset)(struct net *net);
	struct notifier_block closed;
};

int utf8guard_rule_family_register(struct utf8guard_rule_family *family);
void utf8guard_rule_family_unregister(struct utf8guard_rule_family *family);
int utf8guard_ruleset_put_status(struct sk_buff *skb, struct utf8guard_ruleset *ruleset);
void utf8guard_ruleset_status_reset(struct utf8guard_ruleset *ruleset);
int utf8guard_ruleset_rule_change(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
				  struct genl_info *info, struct utf8guard_change *change);
int utf8guard_ruleset_rule_del(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			       struct genl_info *info, struct utf8guard_change *change);
int utf8guard_ruleset_begin(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			    struct genl_info *info);
int utf8guard_ruleset_commit(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			     struct genl_info *info);

#endif /* _UTF8GUARD_RULESET_NETLINK_H */
