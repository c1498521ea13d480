/* SPDX-License-Identifier: GPL-2.0 */
/* Subjects: for which callers rules are, and who makes a name. */
#ifndef _UTF8GUARD_FS_SUBJECT_H
#define _UTF8GUARD_FS_SUBJECT_H

#include <linux/types.h>

struct cgroup;
struct cred;
struct netlink_ext_ack;
struct nlattr;
struct task_struct;
struct ugfs_userns;
struct user_namespace;

/**
 * struct ugfs_subject - for whom a rule is: for all callers, unless a member narrows it
 * @by_uid: @uid_min and @uid_max are given
 * @uid_min: lowest user ID in the initial user namespace
 * @uid_max: highest one
 * @userns: a user namespace and its descendants, or NULL
 * @by_owner: @owner is given
 * @owner: the user namespaces that this user made, and their descendants
 * @cgroup: path in the hierarchy of version 2, as "/a/b": for callers in whatever cgroup has
 *	this path, and in its descendants; or NULL
 * @cgroup_hash: hash of @cgroup, or 0; tells most paths apart without comparing them
 * @present: @cgroup was there when the worker looked last, or is NULL
 */
struct ugfs_subject {
	bool by_uid;
	u32 uid_min, uid_max;
	struct ugfs_userns *userns;
	bool by_owner;
	u32 owner;
	char *cgroup;
	u32 cgroup_hash;
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

int ugfs_subject_parse(struct ugfs_subject *subject, struct nlattr **attrs,
		       struct netlink_ext_ack *extack);
void ugfs_subject_release(struct ugfs_subject *subject);
bool ugfs_subject_is_all(const struct ugfs_subject *subject);
bool ugfs_subject_same(const struct ugfs_subject *a, const struct ugfs_subject *b);
bool ugfs_subject_gone(const struct ugfs_subject *subject);
void ugfs_subject_look(struct ugfs_subject *subject);
bool ugfs_subject_fits(const struct ugfs_subject *subject, const struct ugfs_caller *caller);
int ugfs_subject_compare(const struct ugfs_subject *a, const struct ugfs_subject *b);
bool ugfs_caller_is_admin(const struct task_struct *task, const struct cred *cred);
struct ugfs_caller ugfs_caller_current(void);
struct ugfs_caller ugfs_caller_of(const struct task_struct *task, const struct cred *cred);

#endif /* _UTF8GUARD_FS_SUBJECT_H */
