/* SPDX-License-Identifier: GPL-2.0 */
/* The rules that are asked for a name, for users. */
#ifndef _UTF8GUARD_FS_EXPLAIN_H
#define _UTF8GUARD_FS_EXPLAIN_H

#include <linux/utf8guard.h>

struct netlink_ext_ack;
struct nlattr;

#define UGFS_MAX_STEPS 256

/**
 * struct ugfs_steps - the rules that are asked for a name, in order
 * @count: number of rules in @handle and @fits; rules after UGFS_MAX_STEPS are left out
 * @decides: handle of the rule that decides, or 0
 * @exempt: no rule decides, for the names in the directory are exempt
 * @deep: it is not known which subtrees the directory is in: the strictest rule decides
 * @minds: the rule @decides refuses or audits the name that was asked about
 * @outcome: where @minds, enum utf8guard_outcome
 * @error: where @minds, what is wrong with the name
 * @handle: the handle of each rule
 * @fits: for each rule, whether it is for the user who would make the name
 */
struct ugfs_steps {
	u32 count;
	u32 decides;
	bool exempt, deep, minds;
	u8 outcome;
	struct utf8guard_error error;
	u32 handle[UGFS_MAX_STEPS];
	bool fits[UGFS_MAX_STEPS];
};

int ugfs_explain(struct ugfs_steps *steps, struct nlattr **attrs, struct netlink_ext_ack *extack);

#endif /* _UTF8GUARD_FS_EXPLAIN_H */
