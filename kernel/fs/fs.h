/* SPDX-License-Identifier: GPL-2.0 */
/* Private to the name check. */
#ifndef _UTF8GUARD_FS_H
#define _UTF8GUARD_FS_H

#include <linux/dcache.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/uuid.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../service/draft.h"
#include "../service/policy.h"
#include "../service/rule.h"
#include "../service/ruleset.h"
#include "../service/ruleset_dump.h"
#include "../service/ruleset_netlink.h"
#include "../service/service.h"
#include "../service/transaction.h"

struct cgroup;
struct cred;
struct file;
struct fs_index;
struct fs_userns;
struct genl_family;
struct inode;
struct netlink_ext_ack;
struct nlattr;
struct super_block;
struct task_struct;
struct user_namespace;

/**
 * struct fs_volume - a file system, mounted or not
 * @uuid: its UUID; all zeroes where it has none
 * @dev: its device, which it is known by then
 * @type: its type, if known
 */
struct fs_volume {
	uuid_t uuid;
	dev_t dev;
	char type[32];
};

/**
 * struct fs_place - where rules apply; shared by all that apply there
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
 * @tree: which of the trees on it; see fs_place_tree()
 * @inside: of a subtree, the path from the root of the tree, as "/a/b"; empty for that
 * @device: name of the super block when it was there, for users
 * @fstype: type of file system, or NULL
 * @unfound: path of a place of which nothing else is known, which no name is in; or NULL
 */
struct fs_place {
	refcount_t ref;
	struct hlist_node node;
	u32 key;
	u32 hash;
	u8 scope;
	bool present, lasting, unknown;
	int unknown_since;
	dev_t seen;
	struct fs_volume volume;
	u64 tree;
	char *inside;
	char device[32];
	char *fstype;
	char *unfound;
};

/* Directories in the path of a subtree. */
#define FS_MAX_INSIDE 63

/**
 * struct fs_who - for whom a rule is: for all, but for what is narrowed
 * @by_uid: the two that follow are given
 * @uid_min: lowest user ID in the initial user namespace
 * @uid_max: highest one
 * @userns: a user namespace and its descendants, or NULL
 * @by_owner: the next one is given
 * @owner: user namespaces that this user made, and their descendants
 * @cgroup: path of a cgroup of version 2, as "/a/b", or NULL: for those in whatever
 *	is there, and its descendants
 * @present: there was a cgroup when it was looked for, or none is named
 */
struct fs_who {
	bool by_uid;
	u32 uid_min, uid_max;
	struct fs_userns *userns;
	bool by_owner;
	u32 owner;
	char *cgroup;
	bool present;
};

/**
 * struct fs_asker - who makes a name
 * @uid: in the initial user namespace
 * @userns: of the credentials
 * @cgroup: of the task, of version 2; valid under rcu_read_lock()
 */
struct fs_asker {
	u32 uid;
	const struct user_namespace *userns;
	struct cgroup *cgroup;
};

/**
 * struct fs_demand - what a name must not have, beside ill-formed text
 * @refuse: mask of text classes
 * @forms: mask of the normalization forms that it must be in, by number
 */
struct fs_demand {
	u32 refuse;
	u8 forms;
};

/**
 * struct fs_terms - what of a rule stays when its mode is set, or its place found anew; what
 *	hooks read is immutable
 * @ref: one for each rule: more than one only where one was made again
 * @path: of the place as given by the user, or NULL
 * @who: for whom
 * @demand: what it refuses
 * @admin_exempt: callers with CAP_MAC_ADMIN are only reported
 * @judge_onto: a rename onto a name that is there is judged
 * @allow_move: a rename that changes the directory alone is not
 * @told: the log was told last that the rule acts; guarded by the lock of the rules
 * @counts: refusals by class
 */
struct fs_terms {
	refcount_t ref;
	char *path;
	struct fs_who who;
	struct fs_demand demand;
	bool admin_exempt, judge_onto, allow_move, told;
	struct utf8guard_counts counts;
};

/**
 * struct fs_rule - a rule; immutable
 * @rule: what all families have
 * @mode: enum utf8guard_fs_mode
 * @place: where
 * @terms: all the rest
 */
struct fs_rule {
	struct utf8guard_rule rule;
	u8 mode;
	struct fs_place *place;
	struct fs_terms *terms;
};

static inline struct fs_rule *fs_rule_of(const struct utf8guard_rule *rule)
{
	return container_of(rule, struct fs_rule, rule);
}

#define FS_MAX_RULES 65536

/* Rules of one place, which differ in whom they are for: all are looked at. */
#define FS_MAX_RULES_OF_PLACE 64

/* path.c */
int fs_path_append(char *to, size_t len, size_t size, const char *path);

/* location.c */
struct file *fs_place_open(struct nlattr **attrs, struct netlink_ext_ack *extack);
struct fs_place *fs_place_of(u8 scope, struct nlattr **attrs, struct netlink_ext_ack *extack);
struct fs_place *fs_place_again(const struct fs_place *old, struct nlattr **attrs,
				struct netlink_ext_ack *extack);
void fs_place_get(struct fs_place *place);
void fs_place_put(struct fs_place *place);
void fs_place_look(void);
int fs_place_init(void);
void fs_place_exit(void);
u64 fs_place_tree(const struct dentry *root);
u32 fs_place_hash_fstype(const char *name, size_t len);
u32 fs_volume_hash(const struct fs_volume *volume);
u32 fs_volume_hash_sb(const struct super_block *sb);
bool fs_volume_is(const struct fs_volume *volume, const struct super_block *sb);
bool fs_volume_same(const struct fs_volume *a, const struct fs_volume *b);

/* subject.c */
int fs_who_parse(struct fs_who *who, struct nlattr **attrs, struct netlink_ext_ack *extack);
void fs_who_release(struct fs_who *who);
bool fs_who_is_all(const struct fs_who *who);
bool fs_who_same(const struct fs_who *a, const struct fs_who *b);
bool fs_who_gone(const struct fs_who *who);
void fs_who_look(struct fs_who *who);
bool fs_who_fits(const struct fs_who *who, const struct fs_asker *asker);
int fs_who_compare(const struct fs_who *a, const struct fs_who *b);
struct fs_asker fs_asker_current(void);
struct fs_asker fs_asker_of(const struct task_struct *task, const struct cred *cred);

/* userns.c */
struct fs_userns *fs_userns_of_pid(u32 pid);
void fs_userns_put(struct fs_userns *userns);
u32 fs_userns_number(const struct fs_userns *userns);
bool fs_userns_gone(const struct fs_userns *userns);
bool fs_userns_has(const struct fs_userns *userns, const struct user_namespace *other);

/* constraint.c */
int fs_demand_parse(struct fs_demand *demand, struct nlattr **attrs,
		    struct netlink_ext_ack *extack);
int fs_demand_check(const struct fs_demand *demand, const u8 *name, size_t len,
		    struct utf8guard_error *error);

/* rule.c */
struct fs_rule *fs_rule_new(u8 mode, struct nlattr **attrs, struct netlink_ext_ack *extack);
struct fs_rule *fs_rule_again(const struct fs_rule *rule, u8 mode);
void fs_rule_free(struct utf8guard_rule *rule);
bool fs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool fs_rule_gone(const struct utf8guard_rule *rule);
bool fs_rule_acts(const struct fs_rule *rule);
struct fs_rule *fs_rule_at(const struct fs_rule *rule, struct fs_place *place);

/* index.c */
typedef bool fs_visit(const struct fs_rule *rule, void *data);

/*
 * Directories upwards that are looked at for rules for subtrees. Preemption is off,
 * and rename_lock may be held: getcwd() holds it for half as many.
 */
#define FS_MAX_DEPTH 4096

/* Comparisons with places where case is folded: some fold by the tables of Unicode. */
#define FS_MAX_COMPARED 1024

/**
 * enum fs_walk - how a walk from a directory upwards ended
 * @FS_WALK_OVER: all rules were visited
 * @FS_WALK_FOUND: one of them is what was looked for
 * @FS_WALK_BEYOND: the directory is deeper than FS_MAX_DEPTH, or FS_MAX_COMPARED is not
 *	enough for the places that it may be
 */
enum fs_walk {
	FS_WALK_OVER,
	FS_WALK_FOUND,
	FS_WALK_BEYOND,
};

/**
 * struct fs_strictest - the rules of a mode for the subtrees of a super block
 * @rule: the first one, or NULL
 * @demand: that of all of them
 */
struct fs_strictest {
	const struct fs_rule *rule;
	struct fs_demand demand;
};

/**
 * struct fs_beyond - what is asked where it is not known which subtree a name is in
 * @enforce: the rules that enforce
 * @audit: those that audit
 */
struct fs_beyond {
	struct fs_strictest enforce, audit;
};

int fs_index_build(struct utf8guard_policy *policy, struct netlink_ext_ack *extack);
void fs_index_free(struct fs_index *index);
const struct fs_demand *fs_index_demand(const struct fs_index *index);
enum fs_walk fs_index_walk(const struct fs_index *index, const struct dentry *dir,
			   bool by_path, fs_visit *visit, void *data,
			   const struct fs_beyond **beyond);

/* change.c: for utf8guard_change.make */

/* A change with a mode, for fs_change_mode(). */
struct fs_mode_change {
	struct utf8guard_change change;
	u8 mode;
};

/* A change with a place that was another one, for fs_change_place(). */
struct fs_place_change {
	struct utf8guard_change change;
	struct fs_place *place;
	const struct fs_place *old;
};

int fs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change);
int fs_change_place(struct utf8guard_draft *draft, struct utf8guard_change *change);
int fs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change);
int fs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change);

/* policy.c */
extern struct utf8guard_ruleset fs_ruleset;
extern const struct utf8guard_ruleset_type fs_ruleset_type;
int fs_policy_init(void);
void fs_policy_close(void);
void fs_policy_exit(void);
const struct fs_demand *fs_policy_demand(void);
struct fs_place *fs_policy_place(u32 handle);

/**
 * struct fs_search - a walk from a directory upwards, for fs_policy_walk()
 * @dir: the directory
 * @by_path: only rules for a subtree or a super block
 * @begin: called before each walk with this, to forget what was seen on the one before
 * @visit: called for each rule with this, until it returns true
 * @beyond: set where the directory is too deep to know all of its rules; or NULL
 */
struct fs_search {
	const struct dentry *dir;
	bool by_path;
	void (*begin)(struct fs_search *search);
	fs_visit *visit;
	const struct fs_beyond *beyond;
};

void fs_policy_walk(struct fs_search *search);
const struct fs_rule *fs_policy_match(const struct dentry *dir, bool by_path,
				      const struct fs_beyond **beyond);

/* explain.c */
#define FS_MAX_STEPS 256

/**
 * struct fs_steps - the rules that are asked for a name
 * @count: number of rules, at most FS_MAX_STEPS; what is behind is left out
 * @decides: handle of the one that decides, or 0
 * @exempt: none of them decides, for the names in the directory are exempt
 * @deep: the directory is too deep to know all its rules: the strictest one decides
 * @minds: @decides does not let the name pass that was asked about
 * @outcome: then, enum utf8guard_outcome
 * @error: and what is wrong
 * @handle: of each
 * @fits: is it for the asker?
 */
struct fs_steps {
	u32 count;
	u32 decides;
	bool exempt, deep, minds;
	u8 outcome;
	struct utf8guard_error error;
	u32 handle[FS_MAX_STEPS];
	bool fits[FS_MAX_STEPS];
};

int fs_explain(struct fs_steps *steps, struct nlattr **attrs, struct netlink_ext_ack *extack);

/* exempt.c */
bool fs_exempt(const struct inode *dir);
bool fs_exempt_type(const char *fstype);

/**
 * struct fs_attempt - a name that somebody is about to make
 * @op: what makes it, for reports
 * @dir: the directory
 * @parent: the same, by its own name
 * @name: the new name; stable: it is the caller's, or that of @dentry
 * @dentry: for the new name, in a directory that the caller has locked; or NULL
 * @from: what is linked or renamed, or NULL
 * @is_rename: @from goes away
 */
struct fs_attempt {
	const char *op;
	const struct inode *dir;
	const struct dentry *parent;
	const struct qstr *name;
	const struct dentry *dentry, *from;
	bool is_rename;
};

/* overlay.c */

/**
 * enum fs_layer_kind - whose name it is
 * @FS_LAYER_NONE: of whoever asks
 * @FS_LAYER_NEW: of an overlay, that makes a name which is new in its upper layer
 * @FS_LAYER_COPY: of an overlay, that has it from a layer below
 * @FS_LAYER_USERNS: of either kind, of an overlay that was mounted in a user
 *	namespace other than the initial one: it is judged as whoever asks
 */
enum fs_layer_kind {
	FS_LAYER_NONE,
	FS_LAYER_NEW,
	FS_LAYER_COPY,
	FS_LAYER_USERNS,
};

/**
 * struct fs_layer - the layer of an overlay that a name is made in
 * @kind: whose name it is
 * @top: the upper or work directory; valid under rcu_read_lock(); where @kind is
 *	FS_LAYER_NONE, of no meaning
 */
struct fs_layer {
	enum fs_layer_kind kind;
	const struct inode *top;
};

struct fs_layer fs_overlay_layer(const struct fs_attempt *attempt);
bool fs_overlay_is_told(const struct inode *top);
void fs_overlay_set_told(const struct inode *top);

/* check.c */
struct fs_totals {
	u64 checked, refused, audited, exempt, exempt_overlay, userns_overlay, missed, deep;
};

int fs_check(const struct fs_attempt *attempt);
const struct fs_rule *fs_minding(const struct fs_attempt *attempt, const struct fs_rule *known,
				 const struct fs_beyond *beyond, struct utf8guard_error *error);
void fs_count_missed(void);
void fs_totals(struct fs_totals *totals);
void fs_totals_reset(void);
bool fs_enforcing(void);

/* hook.c */
int fs_hooks_attach(void);
void fs_hooks_detach(void);

/* subvolume.c */

/**
 * struct fs_subvolumes - are the subvolumes of btrfs judged?
 * @coverage: enum utf8guard_fs_subvolumes
 * @why: why not, or NULL
 */
struct fs_subvolumes {
	u8 coverage;
	const char *why;
};

int fs_subvolumes_attach(void);
void fs_subvolumes_detach(void);
struct fs_subvolumes fs_subvolumes(void);

/* describe.c */
int fs_describe(struct sk_buff *skb, const struct utf8guard_rule *rule);

/* netlink.c */
extern struct genl_family utf8guard_fs_nl_family;

#endif /* _UTF8GUARD_FS_H */
