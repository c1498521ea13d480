/* SPDX-License-Identifier: GPL-2.0 */
/* A name that somebody is about to make. */
#ifndef _UTF8GUARD_FS_ATTEMPT_H
#define _UTF8GUARD_FS_ATTEMPT_H

#include <linux/types.h>

struct dentry;
struct inode;
struct qstr;

/**
 * struct ugfs_attempt - a name that somebody is about to make
 * @op: what makes it, for reports
 * @dir: the directory
 * @parent: the same, by its own name
 * @name: the new name; stable: it is the caller's, or that of @dentry
 * @dentry: for the new name, in a directory that the caller has locked; or NULL
 * @from: what is linked or renamed, or NULL
 * @is_rename: @from goes away
 */
struct ugfs_attempt {
	const char *op;
	const struct inode *dir;
	const struct dentry *parent;
	const struct qstr *name;
	const struct dentry *dentry, *from;
	bool is_rename;
};

#endif /* _UTF8GUARD_FS_ATTEMPT_H */
