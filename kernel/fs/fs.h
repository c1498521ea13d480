/* SPDX-License-Identifier: GPL-2.0 */
/* Private to the name check. */
#ifndef _UTF8GUARD_FS_H
#define _UTF8GUARD_FS_H

#include <linux/fsnotify_backend.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../service/ruleset.h"
#include "../service/service.h"

struct dentry;
struct genl_family;
struct inode;
struct netlink_ext_ack;
struct nlattr;

/**
 * struct fs_place - where a rule applies, and what it refused there
 * @mark: what ties it to the directory; attached to nothing for the default
 * @ref: one for each rule: more than one only where the mode of a rule was set
 * @scope: enum utf8guard_fs_scope
 * @dead: the directory is gone; set before its inode is, so that another inode
 *	at the same address is never mistaken for it
 * @inode: of the directory, only ever compared; NULL for the default
 * @ino: inode number, for users
 * @device: name of the super block, for users
 * @counts: refusals by class
 * @path: as given by the user; NULL for the default
 */
struct fs_place {
	struct fsnotify_mark mark;
	refcount_t ref;
	u8 scope;
	bool dead;
	const struct inode *inode;
	u64 ino;
	char device[32];
	struct utf8guard_counts counts;
	char *path;
};

/**
 * struct fs_rule - a rule; immutable
 * @rule: what all families have
 * @mode: enum utf8guard_fs_mode
 * @place: where
 */
struct fs_rule {
	struct utf8guard_rule rule;
	u8 mode;
	struct fs_place *place;
};

static inline struct fs_rule *fs_rule_of(const struct utf8guard_rule *rule)
{
	return container_of(rule, struct fs_rule, rule);
}

#define FS_MAX_RULES 65536

/* place.c */
int fs_place_init(void);
void fs_place_close(void);
void fs_place_exit(void);
struct fs_place *fs_place_new(const char *path, struct netlink_ext_ack *extack);
void fs_place_put(struct fs_place *place);

/* rule.c */
struct fs_rule *fs_rule_new(u8 mode, const char *path, const struct nlattr *comment,
			    struct netlink_ext_ack *extack);
struct fs_rule *fs_rule_again(const struct fs_rule *rule, u8 mode);
void fs_rule_free(struct utf8guard_rule *rule);
bool fs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool fs_rule_gone(const struct utf8guard_rule *rule);

/* change.c: for utf8guard_change.make */

/* A change with a mode, for fs_change_mode(). */
struct fs_mode_change {
	struct utf8guard_change change;
	u8 mode;
};

int fs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change);
int fs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change);
int fs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change);

/* policy.c */
extern struct utf8guard_ruleset fs_ruleset;
extern const struct utf8guard_ruleset_type fs_ruleset_type;
int fs_policy_init(void);
void fs_policy_close(void);
void fs_policy_exit(void);
const struct fs_rule *fs_policy_match(const struct dentry *dentry);

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
int fs_netlink_put_rule(struct sk_buff *skb, const struct utf8guard_rule *rule);

#endif /* _UTF8GUARD_FS_H */
