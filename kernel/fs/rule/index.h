/* SPDX-License-Identifier: GPL-2.0 */
/* Rules by file system and path. */
#ifndef _UTF8GUARD_FS_INDEX_H
#define _UTF8GUARD_FS_INDEX_H

#include <linux/types.h>

#include "constraint.h"

struct dentry;
struct netlink_ext_ack;
struct ugfs_index;
struct ugfs_rule;
struct utf8guard_policy;

typedef bool ugfs_visit(const struct ugfs_rule *rule, void *data);

/*
 * Comparisons of names in a walk where the file system folds case. Each may be slow, for some
 * file systems fold by the tables of Unicode.
 */
#define UGFS_MAX_COMPARED 1024

/**
 * enum ugfs_walk - how a walk from a directory upwards ended
 * @UGFS_WALK_OVER: all rules were visited, and no visit returned true
 * @UGFS_WALK_FOUND: a visit returned true
 * @UGFS_WALK_BEYOND: rules for subtrees may have been missed: the directory is deeper than
 *	UGFS_MAX_DEPTH, or there are more spellings to compare than UGFS_MAX_COMPARED
 */
enum ugfs_walk {
	UGFS_WALK_OVER,
	UGFS_WALK_FOUND,
	UGFS_WALK_BEYOND,
};

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

int ugfs_index_build(struct utf8guard_policy *policy, struct netlink_ext_ack *extack);
void ugfs_index_free(struct ugfs_index *index);
const struct ugfs_constraint *ugfs_index_constraint(const struct ugfs_index *index);
enum ugfs_walk ugfs_index_walk(const struct ugfs_index *index, const struct dentry *dir,
			       bool by_path, ugfs_visit *visit, void *data,
			       const struct ugfs_beyond **beyond);

#endif /* _UTF8GUARD_FS_INDEX_H */
