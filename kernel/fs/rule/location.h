/* SPDX-License-Identifier: GPL-2.0 */
/* Where rules apply: file systems, and paths within them. */
#ifndef _UTF8GUARD_FS_LOCATION_H
#define _UTF8GUARD_FS_LOCATION_H

#include <linux/refcount.h>
#include <linux/types.h>

#include "volume.h"

struct dentry;
struct file;
struct netlink_ext_ack;
struct nlattr;

/**
 * struct ugfs_location - where rules apply; shared by all rules for the same location
 * @ref: one for each rule
 * @node: in the table of all locations
 * @key: hash of the whole location, for that table
 * @hash: of @volume or the type, for the index of a policy
 * @scope: enum utf8guard_fs_scope
 * @present: the file system was there when the worker looked last
 * @seen: its device number then
 * @gone: the jiffies when it was not there for the first time, if it is not @present
 * @unknown: the kernel did not know its type when the worker looked last
 * @unknown_since: how many modules had been loaded by then
 * @lasting: @volume.uuid is the same after the next mount
 * @volume: the file system of a subtree or a super block
 * @tree: which of the trees on it; see ugfs_location_tree()
 * @device: name of the super block when the location was made, for users
 * @unfound: the file system could not be found out, so that no name is in the location
 * @text: of a subtree, the path from the root of the tree, as "/a/b", or "" for the root; of the
 *	scope fstype, the type; where @unfound, the path that the user gave; else ""
 */
struct ugfs_location {
	refcount_t ref;
	struct hlist_node node;
	u32 key;
	u32 hash;
	u8 scope;
	bool present, lasting, unknown, unfound;
	int unknown_since;
	unsigned long gone;
	dev_t seen;
	struct ugfs_volume volume;
	u64 tree;
	char device[32];
	char text[];
};

/*
 * Directories that a walk upwards looks at. Preemption is off meanwhile, and rename_lock may
 * be held, so there must be a limit: getcwd() holds that lock for half as many directories.
 */
#define UGFS_MAX_DEPTH 4096

/* Directories in the path of a subtree, from the root of its file system. */
#define UGFS_MAX_INSIDE 63

bool ugfs_location_is_gone(const struct ugfs_location *location);
struct file *ugfs_location_open(struct nlattr **attrs, struct netlink_ext_ack *extack);
struct ugfs_location *ugfs_location_of(u8 scope, struct nlattr **attrs,
				       struct netlink_ext_ack *extack);
struct ugfs_location *ugfs_location_again(const struct ugfs_location *old, struct nlattr **attrs,
					  bool *stays, struct netlink_ext_ack *extack);
const char *ugfs_location_inside(const struct ugfs_location *location);
const char *ugfs_location_fstype(const struct ugfs_location *location);
void ugfs_location_get(struct ugfs_location *location);
void ugfs_location_put(struct ugfs_location *location);
void ugfs_location_look(void);
u64 ugfs_location_tree(const struct dentry *root);
u32 ugfs_location_hash_fstype(const char *name, size_t len);

#endif /* _UTF8GUARD_FS_LOCATION_H */
