/* SPDX-License-Identifier: GPL-2.0 */
/* The rules that are asked for a name, for users. */
#ifndef _UTF8GUARD_FS_EXPLAIN_H
#define _UTF8GUARD_FS_EXPLAIN_H

#include <linux/utf8guard.h>

struct netlink_ext_ack;
struct nlattr;

#define UGFS_MAX_STEPS 256

/**
 * struct ugfs_steps - the rules that are asked for a name
 * @count: number of rules, at most UGFS_MAX_STEPS; the rest is left out
 * @decides: handle of the one that decides, or 0
 * @exempt: none of them decides, for the names in the directory are exempt
 * @deep: the directory is too deep to know all its rules: the strictest one decides
 * @minds: @decides does not let the name pass that was asked about
 * @outcome: then, enum utf8guard_outcome
 * @error: and what is wrong
 * @handle: of each
 * @fits: is it for the asker?
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
