/* SPDX-License-Identifier: GPL-2.0 */
/* What is demanded of a name where it is not known which rules for subtrees are for it. */
#ifndef _UTF8GUARD_FS_BEYOND_H
#define _UTF8GUARD_FS_BEYOND_H

#include "constraint.h"

struct ugfs_rule;

/**
 * struct ugfs_strictest - all rules of one mode for subtrees of a file system
 * @rule: the first of these rules, which is the one that is reported; NULL if there is none
 * @constraint: what these rules demand, taken together
 */
struct ugfs_strictest {
	const struct ugfs_rule *rule;
	struct ugfs_constraint constraint;
};

/**
 * struct ugfs_beyond - what is demanded where it is not known which subtrees a name is in
 * @enforce: by the rules that enforce
 * @audit: by the rules that audit
 */
struct ugfs_beyond {
	struct ugfs_strictest enforce, audit;
};

#endif /* _UTF8GUARD_FS_BEYOND_H */
