/* SPDX-License-Identifier: GPL-2.0 */
/* What listeners are told of a change of the rules. */
#ifndef _UTF8GUARD_NOTICE_H
#define _UTF8GUARD_NOTICE_H

#include "ruleset_types.h"

struct utf8guard_draft;

/* What became of a rule; in the enum difference of each family, the same numbers. */
enum utf8guard_notice_kind {
	UTF8GUARD_NOTICE_ADDED,
	UTF8GUARD_NOTICE_REPLACED,
	UTF8GUARD_NOTICE_DELETED,
	UTF8GUARD_NOTICE_KINDS,
};

#define UTF8GUARD_ASSERT_NOTICE_KINDS(FAMILY)						\
	static_assert((int)UTF8GUARD_##FAMILY##_DIFFERENCE_ADDED ==			\
		      UTF8GUARD_NOTICE_ADDED &&						\
		      (int)UTF8GUARD_##FAMILY##_DIFFERENCE_REPLACED ==			\
		      UTF8GUARD_NOTICE_REPLACED &&					\
		      (int)UTF8GUARD_##FAMILY##_DIFFERENCE_DELETED ==			\
		      UTF8GUARD_NOTICE_DELETED)

/**
 * struct utf8guard_notice - a change of the rules
 * @action: as the audit log calls it
 * @draft: the changed draft; NULL where it is not known what became of each rule
 * @confirm: seconds until the previous rules come back, or 0
 */
struct utf8guard_notice {
	const char *action;
	const struct utf8guard_draft *draft;
	u32 confirm;
};

struct sk_buff *utf8guard_notice_of_swap(struct utf8guard_ruleset *ruleset,
					 const struct utf8guard_policy *old,
					 const struct utf8guard_notice *notice);
void utf8guard_notice_send(struct utf8guard_ruleset *ruleset, struct sk_buff *message);
void utf8guard_notice_tell(struct utf8guard_ruleset *ruleset, const char *action);

#endif /* _UTF8GUARD_NOTICE_H */
