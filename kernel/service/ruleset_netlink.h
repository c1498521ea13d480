/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink operations of all families that change rules, and their state. */
#ifndef _UTF8GUARD_RULESET_NETLINK_H
#define _UTF8GUARD_RULESET_NETLINK_H

#include "ruleset_types.h"

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
