/* SPDX-License-Identifier: GPL-2.0 */
/* Private to the name check. */
#ifndef _UTF8GUARD_FS_H
#define _UTF8GUARD_FS_H

#include <linux/refcount.h>
#include <linux/types.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../service/service.h"

struct dentry;
struct fs_subtree;
struct inode;
struct netlink_ext_ack;

/**
 * struct fs_rule - what stays the same of a rule as long as it exists
 * @ref: one for the policy, one for @subtree, one for each dump at work
 * @handle: its number
 * @scope: enum utf8guard_fs_scope
 * @dead: the directory is gone; set before its inode is, so that another inode
 *	at the same address is never mistaken for it
 * @inode: of the directory, only ever compared; NULL for the default
 * @subtree: what ties the rule to the inode; the policy's mutex guards it
 * @ino: inode number, for users
 * @device: name of the super block, for users
 * @counts: refusals by class
 * @path: as given by the user; NULL for the default
 */
struct fs_rule {
	refcount_t ref;
	u32 handle;
	u8 scope;
	bool dead;
	const struct inode *inode;
	struct fs_subtree *subtree;
	u64 ino;
	char device[32];
	struct utf8guard_counts counts;
	char *path;
};

/**
 * struct fs_entry - a rule in one policy, with what may change of it
 * @bucket: chain of subtree rules with the same hash
 * @rule: the rule
 * @mode: enum utf8guard_fs_mode
 */
struct fs_entry {
	struct hlist_node bucket;
	struct fs_rule *rule;
	u8 mode;
};

/**
 * struct fs_policy - all rules, immutable; changing one makes a new one
 * @generation: number of changes
 * @count: number of entries; the first is the default, always there
 * @bits: logarithm of the number of buckets
 * @buckets: hash of the subtree rules by inode
 * @entries: the rules, by handle
 */
struct fs_policy {
	u32 generation;
	u32 count;
	u8 bits;
	struct hlist_head *buckets;
	struct fs_entry entries[];
};

#define FS_MAX_RULES 65536

/* rule.c */
struct fs_rule *fs_rule_new(u8 scope, const char *path, struct netlink_ext_ack *extack);
void fs_rule_get(struct fs_rule *rule);
void fs_rule_put(struct fs_rule *rule);

/* subtree.c */
int fs_subtree_init(void);
void fs_subtree_close(void);
void fs_subtree_exit(void);
int fs_subtree_attach(struct fs_rule *rule, struct netlink_ext_ack *extack);
void fs_subtree_detach(struct fs_rule *rule);

/* policy.c */
int fs_policy_init(void);
void fs_policy_exit(void);
const struct fs_policy *fs_policy_lock(void);
void fs_policy_unlock(void);
const struct fs_entry *fs_policy_find(const struct fs_policy *policy, u32 handle);
const struct fs_entry *fs_policy_match(const struct fs_policy *policy,
				       const struct dentry *dentry);
const struct fs_policy *fs_policy_rcu(void);
int fs_policy_add(u8 scope, u8 mode, const char *path, u32 *handle,
		  struct netlink_ext_ack *extack);
int fs_policy_set(u32 handle, u8 mode, struct netlink_ext_ack *extack);
int fs_policy_del(u32 handle, struct netlink_ext_ack *extack);
int fs_policy_flush(void);
void fs_policy_reap(void);

/* exempt.c */
bool fs_exempt(const struct inode *dir, const struct dentry *dentry);

/* check.c */
struct fs_totals {
	u64 checked, refused, audited, exempt, missed;
};

int fs_check(const char *op, const struct inode *dir, struct dentry *dentry);
void fs_count_missed(void);
void fs_totals(struct fs_totals *totals);
void fs_totals_reset(void);
bool fs_enforcing(void);

/* hook.c */
int fs_hooks_attach(void);
void fs_hooks_detach(void);

/* netlink.c */
extern struct genl_family utf8guard_fs_nl_family;
void fs_netlink_changed(u32 generation, u32 rules);

#endif /* _UTF8GUARD_FS_H */
