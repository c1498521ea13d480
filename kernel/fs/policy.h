/* SPDX-License-Identifier: GPL-2.0 */
/* The rules in force, and the walk up the directories that finds the rule for a name. */
#ifndef _UTF8GUARD_FS_POLICY_H
#define _UTF8GUARD_FS_POLICY_H

#include <linux/types.h>

#include "../service/ruleset_types.h"
#include "rule/index.h"
#include "rule/index_walk.h"

struct dentry;
struct ugfs_constraint;
struct ugfs_location;
struct ugfs_rule;

extern struct utf8guard_ruleset ugfs_ruleset;
int ugfs_policy_init(void);
void ugfs_policy_close(void);
void ugfs_policy_exit(void);
struct ugfs_location *ugfs_policy_location(u32 handle, const char *path, u32 *which);

/* What all rules demand together: no rule minds a name that meets it. Preemption is off. */
static __always_inline const struct ugfs_constraint *ugfs_policy_constraint(void)
{
	return ugfs_index_constraint(rcu_dereference_sched(ugfs_ruleset.policy)->index);
}

/**
 * struct ugfs_search - what ugfs_policy_walk() looks for
 * @dir: the directory from which it walks upwards
 * @by_path: visit only rules for a subtree or a super block
 * @begin: called before each walk, with the search, to forget what the walk before has found
 * @visit: called for each rule, with the search as its data, until it returns true
 * @beyond: set to NULL; or, where it is not known which subtrees the directory is in, to what all
 *	those of the file system demand
 */
struct ugfs_search {
	const struct dentry *dir;
	bool by_path;
	void (*begin)(struct ugfs_search *search);
	ugfs_visit *visit;
	const struct ugfs_beyond *beyond;
};

void ugfs_policy_walk(struct ugfs_search *search);
const struct ugfs_rule *ugfs_policy_match(const struct dentry *dir, bool by_path,
					  const struct ugfs_beyond **beyond);

#endif /* _UTF8GUARD_FS_POLICY_H */
