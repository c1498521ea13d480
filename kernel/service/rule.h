/* SPDX-License-Identifier: GPL-2.0 */
/* One rule: its references, its comment. */
#ifndef _UTF8GUARD_RULE_H
#define _UTF8GUARD_RULE_H

#include "ruleset_types.h"

struct sk_buff;

int utf8guard_rule_init(struct utf8guard_rule *rule, const struct nlattr *comment,
			struct netlink_ext_ack *extack);
int utf8guard_rule_copy_comment(struct utf8guard_rule *rule,
				const struct utf8guard_rule *from);
void utf8guard_rule_put(const struct utf8guard_ruleset_type *type,
			struct utf8guard_rule *rule);
int utf8guard_ruleset_put_rule(struct sk_buff *skb,
			       const struct utf8guard_ruleset_type *type,
			       const struct utf8guard_rule *rule, u32 generation);
bool utf8guard_rule_gone(const struct utf8guard_ruleset_type *type,
			 const struct utf8guard_rule *rule);

#endif /* _UTF8GUARD_RULE_H */
