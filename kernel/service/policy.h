/* SPDX-License-Identifier: GPL-2.0 */
/* The rules as hooks see them: how a policy is made, put in force and freed. */
#ifndef _UTF8GUARD_POLICY_H
#define _UTF8GUARD_POLICY_H

#include "ruleset_types.h"

struct utf8guard_notice;

extern struct workqueue_struct *utf8guard_ruleset_queue;
int utf8guard_ruleset_queue_init(void);
void utf8guard_ruleset_queue_exit(void);
struct utf8guard_policy *utf8guard_policy_alloc(const struct utf8guard_ruleset_type *type,
						u32 count);
void utf8guard_policy_free(struct utf8guard_policy *policy);
void utf8guard_policy_retire(struct utf8guard_policy *policy);
void utf8guard_policy_swap(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
			   bool waits, const struct utf8guard_notice *notice);
int utf8guard_policy_may_swap(const struct utf8guard_ruleset *ruleset,
			      struct netlink_ext_ack *extack);
int utf8guard_policy_may_change(const struct utf8guard_ruleset *ruleset,
				struct netlink_ext_ack *extack);
void utf8guard_policy_settle(struct utf8guard_ruleset *ruleset);
int utf8guard_policy_publish(struct utf8guard_ruleset *ruleset,
			     const struct utf8guard_draft *draft,
			     const struct utf8guard_notice *notice,
			     struct netlink_ext_ack *extack);
void utf8guard_ruleset_drain(void);

#endif /* _UTF8GUARD_POLICY_H */
