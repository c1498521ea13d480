/* SPDX-License-Identifier: GPL-2.0 */
/* Where rules apply: file systems, and paths within them. */
#ifndef _UTF8GUARD_FS_LOCATION_H
#define _UTF8GUARD_FS_LOCATION_H

#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/uuid.h>

struct dentry;
struct file;
struct netlink_ext_ack;
struct nlattr;
struct super_block;

/**
 * struct ugfs_volume - a file system, mounted or not
 * @uuid: its UUID; all zeroes where it has none
 * @dev: its device, which it is known by then
 * @type: its type, if known
 */
struct ugfs_volume {
	uuid_t uuid;
	dev_t dev;
	char type[32];
};

/**
 * struct ugfs_location - where rules apply; shared by all that apply there
 * @ref: one for each rule
 * @node: among the places with the same @key
 * @key: hash of all of it
 * @hash: of what it is found by in a policy: @volume or @fstype
 * @scope: enum utf8guard_fs_scope
 * @present: the file system was there when it was looked for
 * @seen: its device then
 * @unknown: its type was unknown when it was looked for
 * @unknown_since: modules that had been loaded by then
 * @lasting: the UUID means the same after the next mount, and on other hosts
 * @volume: of a subtree or a super block
 * @tree: which of the trees on it; see ugfs_location_tree()
 * @inside: of a subtree, the path from the root of the tree, as "/a/b"; empty for that
 * @device: name of the super block when it was there, for users
 * @fstype: type of file system, or NULL
 * @unfound: path of a place of which nothing else is known, which no name is in; or NULL
 */
struct ugfs_location {
	refcount_t ref;
	struct hlist_node node;
	u32 key;
	u32 hash;
	u8 scope;
	bool present, lasting, unknown;
	int unknown_since;
	dev_t seen;
	struct ugfs_volume volume;
	u64 tree;
	char *inside;
	char device[32];
	char *fstype;
	char *unfound;
};

/*
 * Directories upwards that are looked at for rules for subtrees. Preemption is off,
 * and rename_lock may be held: getcwd() holds it for half as many.
 */
#define UGFS_MAX_DEPTH 4096

/* Directories in the path of a subtree. */
#define UGFS_MAX_INSIDE 63

struct file *ugfs_location_open(struct nlattr **attrs, struct netlink_ext_ack *extack);
struct ugfs_location *ugfs_location_of(u8 scope, struct nlattr **attrs,
				       struct netlink_ext_ack *extack);
struct ugfs_location *ugfs_location_again(const struct ugfs_location *old, struct nlattr **attrs,
					  struct netlink_ext_ack *extack);
void ugfs_location_get(struct ugfs_location *location);
void ugfs_location_put(struct ugfs_location *location);
void ugfs_location_look(void);
int ugfs_location_init(void);
void ugfs_location_exit(void);
u64 ugfs_location_tree(const struct dentry *root);
u32 ugfs_location_hash_fstype(const char *name, size_t len);
u32 ugfs_volume_hash(const struct ugfs_volume *volume);
u32 ugfs_volume_hash_sb(const struct super_block *sb);
bool ugfs_volume_is(const struct ugfs_volume *volume, const struct super_block *sb);
bool ugfs_volume_same(const struct ugfs_volume *a, const struct ugfs_volume *b);

#endif /* _UTF8GUARD_FS_LOCATION_H */
