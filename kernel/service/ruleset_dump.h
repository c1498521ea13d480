/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink operations of all families that show rules. */
#ifndef _UTF8GUARD_RULESET_DUMP_H
#define _UTF8GUARD_RULESET_DUMP_H

#include "ruleset_types.h"

const struct nlattr *utf8guard_ruleset_handle(const struct utf8guard_ruleset *ruleset,
					      struct genl_info *info);
int utf8guard_ruleset_rule_get(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
			       struct genl_info *info, bool in_draft);
int utf8guard_ruleset_rule_dump(struct utf8guard_ruleset *ruleset, struct sk_buff *skb,
				struct netlink_callback *cb);

#endif /* _UTF8GUARD_RULESET_DUMP_H */
