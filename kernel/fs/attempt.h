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
 * @op: the operation, as reports call it ("create", "rename")
 * @dir: the directory that the name is to be in
 * @parent: the dentry of that directory
 * @name: the new name. It does not change during the check: it is the caller's own copy, or
 *	the name of @dentry
 * @dentry: of the new name, in a directory that the caller has locked; or NULL
 * @from: what is linked or renamed, or NULL
 * @is_rename: @from is renamed, not linked
 * @is_exchange: @from gets the name of @dentry, and the other way round
 * @is_whiteout: @dentry is renamed to another name, and a whiteout gets this one
 */
struct ugfs_attempt {
	const char *op;
	const struct inode *dir;
	const struct dentry *parent;
	const struct qstr *name;
	const struct dentry *dentry, *from;
	bool is_rename, is_exchange, is_whiteout;
};

#endif /* _UTF8GUARD_FS_ATTEMPT_H */
