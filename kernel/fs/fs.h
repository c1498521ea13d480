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
struct ugfs_index;
struct ugfs_userns;
struct genl_family;
struct inode;
struct netlink_ext_ack;
struct nlattr;
struct super_block;
struct task_struct;
struct user_namespace;

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

/* Directories in the path of a subtree. */
#define UGFS_MAX_INSIDE 63

/**
 * struct ugfs_subject - for whom a rule is: for all, but for what is narrowed
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
struct ugfs_subject {
	bool by_uid;
	u32 uid_min, uid_max;
	struct ugfs_userns *userns;
	bool by_owner;
	u32 owner;
	char *cgroup;
	bool present;
};

/**
 * struct ugfs_caller - who makes a name
 * @uid: in the initial user namespace
 * @userns: of the credentials
 * @cgroup: of the task, of version 2; valid under rcu_read_lock()
 */
struct ugfs_caller {
	u32 uid;
	const struct user_namespace *userns;
	struct cgroup *cgroup;
};

/**
 * struct ugfs_constraint - what a name must not have, beside ill-formed text
 * @refuse: mask of text classes
 * @forms: mask of the normalization forms that it must be in, by number
 */
struct ugfs_constraint {
	u32 refuse;
	u8 forms;
};

/**
 * struct ugfs_terms - what of a rule stays when its mode is set, or its place found anew; what
 *	hooks read is immutable
 * @ref: one for each rule: more than one only where one was made again
 * @path: of the place as given by the user, or NULL
 * @subject: for whom
 * @constraint: what it refuses
 * @admin_exempt: callers with CAP_MAC_ADMIN are only reported
 * @judge_onto: a rename onto a name that is there is judged
 * @allow_move: a rename that changes the directory alone is not
 * @told: the log was told last that the rule acts; guarded by the lock of the rules
 * @counts: refusals by class
 */
struct ugfs_terms {
	refcount_t ref;
	char *path;
	struct ugfs_subject subject;
	struct ugfs_constraint constraint;
	bool admin_exempt, judge_onto, allow_move, told;
	struct utf8guard_counts counts;
};

/**
 * struct ugfs_rule - a rule; immutable
 * @rule: what all families have
 * @mode: enum utf8guard_fs_mode
 * @location: where
 * @terms: all the rest
 */
struct ugfs_rule {
	struct utf8guard_rule rule;
	u8 mode;
	struct ugfs_location *location;
	struct ugfs_terms *terms;
};

static inline struct ugfs_rule *ugfs_rule_of(const struct utf8guard_rule *rule)
{
	return container_of(rule, struct ugfs_rule, rule);
}

#define UGFS_MAX_RULES 65536

/* Rules of one place, which differ in whom they are for: all are looked at. */
#define UGFS_MAX_RULES_OF_PLACE 64

/* path.c */
int ugfs_path_append(char *to, size_t len, size_t size, const char *path);

/* location.c */
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

/* subject.c */
int ugfs_subject_parse(struct ugfs_subject *subject, struct nlattr **attrs,
		       struct netlink_ext_ack *extack);
void ugfs_subject_release(struct ugfs_subject *subject);
bool ugfs_subject_is_all(const struct ugfs_subject *subject);
bool ugfs_subject_same(const struct ugfs_subject *a, const struct ugfs_subject *b);
bool ugfs_subject_gone(const struct ugfs_subject *subject);
void ugfs_subject_look(struct ugfs_subject *subject);
bool ugfs_subject_fits(const struct ugfs_subject *subject, const struct ugfs_caller *caller);
int ugfs_subject_compare(const struct ugfs_subject *a, const struct ugfs_subject *b);
struct ugfs_caller ugfs_caller_current(void);
struct ugfs_caller ugfs_caller_of(const struct task_struct *task, const struct cred *cred);

/* userns.c */
struct ugfs_userns *ugfs_userns_of_pid(u32 pid);
void ugfs_userns_put(struct ugfs_userns *userns);
u32 ugfs_userns_number(const struct ugfs_userns *userns);
bool ugfs_userns_gone(const struct ugfs_userns *userns);
bool ugfs_userns_has(const struct ugfs_userns *userns, const struct user_namespace *other);

/* constraint.c */
int ugfs_constraint_parse(struct ugfs_constraint *constraint, struct nlattr **attrs,
			  struct netlink_ext_ack *extack);
int ugfs_constraint_check(const struct ugfs_constraint *constraint, const u8 *name, size_t len,
			  struct utf8guard_error *error);

/* rule.c */
struct ugfs_rule *ugfs_rule_new(u8 mode, struct nlattr **attrs, struct netlink_ext_ack *extack);
struct ugfs_rule *ugfs_rule_again(const struct ugfs_rule *rule, u8 mode);
void ugfs_rule_free(struct utf8guard_rule *rule);
bool ugfs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool ugfs_rule_gone(const struct utf8guard_rule *rule);
bool ugfs_rule_acts(const struct ugfs_rule *rule);
struct ugfs_rule *ugfs_rule_at(const struct ugfs_rule *rule, struct ugfs_location *location);

/* index.c */
typedef bool ugfs_visit(const struct ugfs_rule *rule, void *data);

/*
 * Directories upwards that are looked at for rules for subtrees. Preemption is off,
 * and rename_lock may be held: getcwd() holds it for half as many.
 */
#define UGFS_MAX_DEPTH 4096

/* Comparisons with places where case is folded: some fold by the tables of Unicode. */
#define UGFS_MAX_COMPARED 1024

/**
 * enum ugfs_walk - how a walk from a directory upwards ended
 * @UGFS_WALK_OVER: all rules were visited
 * @UGFS_WALK_FOUND: one of them is what was looked for
 * @UGFS_WALK_BEYOND: the directory is deeper than UGFS_MAX_DEPTH, or UGFS_MAX_COMPARED is not
 *	enough for the places that it may be
 */
enum ugfs_walk {
	UGFS_WALK_OVER,
	UGFS_WALK_FOUND,
	UGFS_WALK_BEYOND,
};

/**
 * struct ugfs_strictest - the rules of a mode for the subtrees of a super block
 * @rule: the first one, or NULL
 * @constraint: that of all of them
 */
struct ugfs_strictest {
	const struct ugfs_rule *rule;
	struct ugfs_constraint constraint;
};

/**
 * struct ugfs_beyond - what is asked where it is not known which subtree a name is in
 * @enforce: the rules that enforce
 * @audit: those that audit
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

/* change.c: for utf8guard_change.make */

/* A change with a mode, for ugfs_change_mode(). */
struct ugfs_mode_change {
	struct utf8guard_change change;
	u8 mode;
};

/* A change with a place that was another one, for ugfs_change_location(). */
struct ugfs_location_change {
	struct utf8guard_change change;
	struct ugfs_location *location;
	const struct ugfs_location *old;
};

int ugfs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_location(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change);

/* policy.c */
extern struct utf8guard_ruleset ugfs_ruleset;
extern const struct utf8guard_ruleset_type ugfs_ruleset_type;
int ugfs_policy_init(void);
void ugfs_policy_close(void);
void ugfs_policy_exit(void);
const struct ugfs_constraint *ugfs_policy_constraint(void);
struct ugfs_location *ugfs_policy_location(u32 handle);

/**
 * struct ugfs_search - a walk from a directory upwards, for ugfs_policy_walk()
 * @dir: the directory
 * @by_path: only rules for a subtree or a super block
 * @begin: called before each walk with this, to forget what was seen on the one before
 * @visit: called for each rule with this, until it returns true
 * @beyond: set where the directory is too deep to know all of its rules; or NULL
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

/* explain.c */
#define UGFS_MAX_STEPS 256

/**
 * struct ugfs_steps - the rules that are asked for a name
 * @count: number of rules, at most UGFS_MAX_STEPS; what is behind is left out
 * @decides: handle of the one that decides, or 0
 * @exempt: none of them decides, for the names in the directory are exempt
 * @deep: the directory is too deep to know all its rules: the strictest one decides
 * @minds: @decides does not let the name pass that was asked about
 * @outcome: then, enum utf8guard_outcome
 * @error: and what is wrong
 * @handle: of each
 * @fits: is it for the asker?
 */
struct ugfs_steps {
	u32 count;
	u32 decides;
	bool exempt, deep, minds;
	u8 outcome;
	struct utf8guard_error error;
	u32 handle[UGFS_MAX_STEPS];
	bool fits[UGFS_MAX_STEPS];
};

int ugfs_explain(struct ugfs_steps *steps, struct nlattr **attrs, struct netlink_ext_ack *extack);

/* exempt.c */
bool ugfs_exempt(const struct inode *dir);
bool ugfs_exempt_type(const char *fstype);

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

/* overlay.c */

/**
 * enum ugfs_layer_kind - whose name it is
 * @UGFS_LAYER_NONE: of whoever asks
 * @UGFS_LAYER_NEW: of an overlay, that makes a name which is new in its upper layer
 * @UGFS_LAYER_COPY: of an overlay, that has it from a layer below
 * @UGFS_LAYER_USERNS: of either kind, of an overlay that was mounted in a user
 *	namespace other than the initial one: it is judged as whoever asks
 */
enum ugfs_layer_kind {
	UGFS_LAYER_NONE,
	UGFS_LAYER_NEW,
	UGFS_LAYER_COPY,
	UGFS_LAYER_USERNS,
};

/**
 * struct ugfs_layer - the layer of an overlay that a name is made in
 * @kind: whose name it is
 * @top: the upper or work directory; valid under rcu_read_lock(); where @kind is
 *	UGFS_LAYER_NONE, of no meaning
 */
struct ugfs_layer {
	enum ugfs_layer_kind kind;
	const struct inode *top;
};

struct ugfs_layer ugfs_overlay_layer(const struct ugfs_attempt *attempt);
bool ugfs_overlay_is_told(const struct inode *top);
void ugfs_overlay_set_told(const struct inode *top);

/* check.c */
struct ugfs_totals {
	u64 checked, refused, audited, exempt, exempt_overlay, userns_overlay, missed, deep;
};

int ugfs_check(const struct ugfs_attempt *attempt);
const struct ugfs_rule *ugfs_refusing_rule(const struct ugfs_attempt *attempt,
					   const struct ugfs_rule *known,
					   const struct ugfs_beyond *beyond,
					   struct utf8guard_error *error);
void ugfs_count_missed(void);
void ugfs_totals(struct ugfs_totals *totals);
void ugfs_totals_reset(void);
bool ugfs_enforcing(void);

/* hook.c */
int ugfs_hooks_attach(void);
void ugfs_hooks_detach(void);

/* subvolume.c */

/**
 * struct ugfs_subvolumes - are the subvolumes of btrfs judged?
 * @coverage: enum utf8guard_fs_subvolumes
 * @why: why not, or NULL
 */
struct ugfs_subvolumes {
	u8 coverage;
	const char *why;
};

int ugfs_subvolumes_attach(void);
void ugfs_subvolumes_detach(void);
struct ugfs_subvolumes ugfs_subvolumes(void);

/* describe.c */
int ugfs_describe(struct sk_buff *skb, const struct utf8guard_rule *rule);

/* netlink.c */
extern struct genl_family utf8guard_fs_nl_family;

#endif /* _UTF8GUARD_FS_H */
