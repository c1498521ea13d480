/* SPDX-License-Identifier: GPL-2.0 */
/* What is done to the rules as a whole. */
#ifndef _UTF8GUARD_RULESET_H
#define _UTF8GUARD_RULESET_H

#include "ruleset_types.h"

void utf8guard_ruleset_unlock(struct utf8guard_ruleset *ruleset);
void utf8guard_ruleset_report(struct utf8guard_ruleset *ruleset, const char *action,
			      u32 handle, u32 confirm);
int utf8guard_ruleset_init(struct utf8guard_ruleset *ruleset,
			   const struct utf8guard_ruleset_type *type, struct net *net,
			   struct utf8guard_rule *first);
void utf8guard_ruleset_exit(struct utf8guard_ruleset *ruleset);
void utf8guard_ruleset_reap(struct utf8guard_ruleset *ruleset);
int utf8guard_ruleset_confirm(struct utf8guard_ruleset *ruleset,
			      struct netlink_ext_ack *extack);
int utf8guard_ruleset_revert(struct utf8guard_ruleset *ruleset,
			     struct netlink_ext_ack *extack);
int utf8guard_ruleset_lock(struct utf8guard_ruleset *ruleset,
			   struct netlink_ext_ack *extack);

#endif /* _UTF8GUARD_RULESET_H */
