/* SPDX-License-Identifier: GPL-2.0 */
/* The walk that visits the rules for a name. */
#ifndef _UTF8GUARD_FS_INDEX_WALK_H
#define _UTF8GUARD_FS_INDEX_WALK_H

#include <linux/types.h>

struct dentry;
struct ugfs_beyond;
struct ugfs_index;
struct ugfs_rule;

typedef bool ugfs_visit(const struct ugfs_rule *rule, void *data);

/*
 * Comparisons of names in a walk where the file system folds case; twice as many where it also has
 * former locations. Each may be slow, for some file systems fold by the tables of Unicode.
 */
#define UGFS_MAX_COMPARED 1024

/**
 * enum ugfs_walk - how a walk from a directory upwards ended
 * @UGFS_WALK_OVER: all rules were visited, and no visit returned true
 * @UGFS_WALK_FOUND: a visit returned true
 * @UGFS_WALK_BEYOND: rules for subtrees may have been missed: it is not known which subtrees the
 *	directory is in, for one of the reasons under 4 in index_walk.c
 */
enum ugfs_walk {
	UGFS_WALK_OVER,
	UGFS_WALK_FOUND,
	UGFS_WALK_BEYOND,
};

enum ugfs_walk ugfs_index_walk(const struct ugfs_index *index, const struct dentry *dir,
			       bool by_path, ugfs_visit *visit, void *data,
			       const struct ugfs_beyond **beyond);

#endif /* _UTF8GUARD_FS_INDEX_WALK_H */
