// SPDX-License-Identifier: GPL-2.0
/* For whom a rule is, and which of two rules for a location is the narrower one. */
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/jhash.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "path.h"
#include "subject.h"
#include "userns.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

static int parse_uids(struct ugfs_subject *subject, const struct nlattr *min,
		      const struct nlattr *max, struct netlink_ext_ack *extack)
{
	if (!min && !max)
		return 0;
	if (!min || !max) {
		NL_SET_ERR_MSG_ATTR(extack, min ?: max, "a range of user IDs needs both ends");
		return -EINVAL;
	}
	subject->uid_min = nla_get_u32(min);
	subject->uid_max = nla_get_u32(max);
	subject->by_uid = true;
	/* U32_MAX is no user ID: it is (uid_t)-1. */
	if (subject->uid_min <= subject->uid_max && subject->uid_max != U32_MAX)
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, max, "not a range of user IDs");
	return -EINVAL;
}

/*
 * Whoever found the process by the number of its namespace sends that, too: meanwhile the process
 * may have entered another namespace, or its ID may have gone to another process.
 */
static int parse_userns(struct ugfs_subject *subject, const struct nlattr *pid,
			const struct nlattr *number, struct netlink_ext_ack *extack)
{
	struct ugfs_userns *userns;

	if (!pid && number) {
		NL_SET_ERR_MSG_ATTR(extack, number,
				    "a user namespace needs a process that is in it");
		return -EINVAL;
	}
	if (!pid)
		return 0;
	userns = ugfs_userns_of_pid(nla_get_u32(pid));
	if (IS_ERR(userns)) {
		if (PTR_ERR(userns) == -ESRCH)
			NL_SET_ERR_MSG_ATTR(extack, pid, "no process has this ID");
		return PTR_ERR(userns);
	}
	subject->userns = userns;
	if (!number || nla_get_u32(number) == ugfs_userns_number(userns))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, pid, "the process that was found has left this user namespace");
	return -ESRCH;
}

static int parse_owner(struct ugfs_subject *subject, const struct nlattr *owner,
		       struct netlink_ext_ack *extack)
{
	if (!owner)
		return 0;
	subject->owner = nla_get_u32(owner);
	subject->by_owner = true;
	if (subject->userns) {
		NL_SET_ERR_MSG_ATTR(extack, owner,
				    "a rule takes a user namespace or an owner, not both");
		return -EINVAL;
	}
	if (subject->owner != U32_MAX)
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, owner, "not a user ID");
	return -EINVAL;
}

/* The path of a cgroup that is not there, with one slash before each name; or an ERR_PTR(). */
static char *cgroup_named(const char *path)
{
	size_t size = strlen(path) + 2;
	char *named = kmalloc(size, GFP_KERNEL_ACCOUNT);
	int err = named ? ugfs_path_append(named, 0, size, path) : -ENOMEM;

	if (err) {
		kfree(named);
		return ERR_PTR(err);
	}
	if (!*named)
		strscpy(named, "/", size);
	return named;
}

/* The path of a cgroup from the root of the hierarchy, not from that of the caller's namespace. */
static char *cgroup_found(struct cgroup *cgroup)
{
	char *buffer = kmalloc(PATH_MAX, GFP_KERNEL), *path = NULL;
	int len = buffer ? cgroup_path(cgroup, buffer, PATH_MAX) : -ENOMEM;

	if (len >= 0 && len < PATH_MAX)
		path = kstrdup(buffer, GFP_KERNEL_ACCOUNT);
	kfree(buffer);
	return path ?: ERR_PTR(len >= PATH_MAX ? -ENAMETOOLONG : -ENOMEM);
}

static bool is_at_root(void)
{
	return !current->nsproxy->cgroup_ns->root_cset->dfl_cgrp->level;
}

static int parse_cgroup(struct ugfs_subject *subject, const struct nlattr *attr, bool may_wait,
			struct netlink_ext_ack *extack)
{
	const char *path = attr ? nla_data(attr) : NULL;
	struct cgroup *cgroup;
	char *name;

	if (!path)
		return 0;
	if (*path != '/') {
		NL_SET_ERR_MSG_ATTR(extack, attr, "the path of a cgroup must begin with /");
		return -EINVAL;
	}
	cgroup = cgroup_get_from_path(path);
	if (!IS_ERR(cgroup)) {
		name = cgroup_found(cgroup);
		cgroup_put(cgroup);
	} else if (PTR_ERR(cgroup) == -ENOENT && may_wait && is_at_root()) {
		name = cgroup_named(path);
		subject->present = false;
	} else {
		name = ERR_CAST(cgroup);
	}
	if (IS_ERR(name)) {
		if (PTR_ERR(name) != -ENOMEM)
			NL_SET_ERR_MSG_ATTR(extack, attr, "no cgroup of version 2 has this path");
		return PTR_ERR(name);
	}
	subject->cgroup = name;
	subject->cgroup_hash = jhash(name, strlen(name), 0);
	return 0;
}

/**
 * ugfs_subject_parse() - read from a request for whom a rule is
 * @subject: all zeroes; to be given to ugfs_subject_release(), after an error too
 * @attrs: of the request
 * @extack: set to why the request fails
 *
 * Context: process context of the user; may sleep.
 * Return: 0; -EINVAL, -ESRCH, -ENOENT, -ENOTDIR, -ENAMETOOLONG, -ENOMEM.
 */
int ugfs_subject_parse(struct ugfs_subject *subject, struct nlattr **attrs,
		       struct netlink_ext_ack *extack)
{
	subject->present = true;
	return parse_uids(subject, attrs[ATTR(UID_MIN)], attrs[ATTR(UID_MAX)], extack) ?:
	       parse_userns(subject, attrs[ATTR(USERNS_PID)], attrs[ATTR(USERNS)], extack) ?:
	       parse_owner(subject, attrs[ATTR(USERNS_OWNER)], extack) ?:
	       parse_cgroup(subject, attrs[ATTR(CGROUP)], attrs[ATTR(MAY_WAIT)], extack);
}

/* May sleep. */
void ugfs_subject_release(struct ugfs_subject *subject)
{
	if (subject->userns)
		ugfs_userns_put(subject->userns);
	kfree(subject->cgroup);
}

static unsigned int narrowings(const struct ugfs_subject *subject)
{
	return subject->by_uid + (subject->userns || subject->by_owner) + !!subject->cgroup;
}

/* Is it for all callers? Any context; pure. */
bool ugfs_subject_is_all(const struct ugfs_subject *subject)
{
	return !narrowings(subject);
}

/* Are two rules narrowed in the same way? Any context; pure. */
bool ugfs_subject_same(const struct ugfs_subject *a, const struct ugfs_subject *b)
{
	return a->by_uid == b->by_uid && a->uid_min == b->uid_min &&
	       a->uid_max == b->uid_max && a->userns == b->userns &&
	       a->by_owner == b->by_owner && a->owner == b->owner &&
	       a->cgroup_hash == b->cgroup_hash && !strcmp(a->cgroup ?: "", b->cgroup ?: "");
}

/* Is the user namespace gone for good, so that the rule can be for nobody any more? */
bool ugfs_subject_gone(const struct ugfs_subject *subject)
{
	return subject->userns && ugfs_userns_gone(subject->userns);
}

/*
 * Sets @present. The path is looked up in the cgroup namespace of the caller, so the caller must
 * be a worker of the kernel, which is in the initial one. May sleep.
 */
void ugfs_subject_look(struct ugfs_subject *subject)
{
	struct cgroup *cgroup;

	if (!subject->cgroup)
		return;
	cgroup = cgroup_get_from_path(subject->cgroup);
	WRITE_ONCE(subject->present, !IS_ERR(cgroup));
	if (!IS_ERR(cgroup))
		cgroup_put(cgroup);
}

/*
 * Is @cgroup the one with this path, or below it? The names of its ancestors are compared, so
 * cgroups may come and go unnoticed. A cgroup of version 2 cannot be renamed, and its ancestors
 * stay in memory as long as it does.
 */
static bool cgroup_fits(const char *path, struct cgroup *cgroup)
{
	int level;

	for (level = 1; *path == '/' && path[1]; level++) {
		const struct cgroup *ancestor = cgroup_ancestor(cgroup, level);
		size_t len = strcspn(++path, "/");
		const char *name;

		if (!ancestor)
			return false;
		name = READ_ONCE(ancestor->kn->name);
		if (strncmp(name, path, len) || name[len])
			return false;
		path += len;
	}
	return true;
}

/* Did @owner make @ns or one above it? Nobody made the initial one. At most 32 steps. */
static bool owner_fits(u32 owner, const struct user_namespace *ns)
{
	for (; ns && ns != &init_user_ns; ns = ns->parent)
		if (from_kuid(&init_user_ns, ns->owner) == owner)
			return true;
	return false;
}

/* Is a rule for this subject for the caller? rcu_read_lock() held; does not sleep. */
bool ugfs_subject_fits(const struct ugfs_subject *subject, const struct ugfs_caller *caller)
{
	if (subject->by_uid && (caller->uid < subject->uid_min || caller->uid > subject->uid_max))
		return false;
	if (subject->userns && !ugfs_userns_has(subject->userns, caller->userns))
		return false;
	if (subject->by_owner && !owner_fits(subject->owner, caller->userns))
		return false;
	return !subject->cgroup || cgroup_fits(subject->cgroup, caller->cgroup);
}

/**
 * ugfs_subject_compare() - which of two rules for a location is asked first?
 * @a: for whom the one is
 * @b: for whom the other is
 *
 * The rule that is narrowed in more ways (user IDs, user namespace, cgroup) is asked first; of
 * two that are narrowed in as many, the one with the narrower range of user IDs.
 *
 * Context: any; pure.
 * Return: below 0 for @a, above 0 for @b, 0 where neither is narrower.
 */
int ugfs_subject_compare(const struct ugfs_subject *a, const struct ugfs_subject *b)
{
	u32 a_width = a->by_uid ? a->uid_max - a->uid_min : U32_MAX;
	u32 b_width = b->by_uid ? b->uid_max - b->uid_min : U32_MAX;

	if (narrowings(a) != narrowings(b))
		return narrowings(a) > narrowings(b) ? -1 : 1;
	if (a_width != b_width)
		return a_width < b_width ? -1 : 1;
	return 0;
}

/*
 * Is a task that acts with @cred an administrator whom rules may exempt? It is if @cred has
 * CAP_MAC_ADMIN in the initial user namespace. LSMs decide that, too, and no kernel function for
 * it that takes credentials is exported everywhere. So @cred is made current. The kernel's servers
 * are not asked: for a client, nfsd and ksmbd take away capabilities that are about files, and
 * CAP_MAC_ADMIN is none of these.
 * Context: process context; does not sleep.
 */
bool ugfs_caller_is_admin(const struct task_struct *task, const struct cred *cred)
{
	const struct cred *own;
	bool is_admin;

	if (task->flags & PF_KTHREAD)
		return false;
	own = override_creds(cred);
	is_admin = ns_capable_noaudit(&init_user_ns, CAP_MAC_ADMIN);
	revert_creds(own);
	return is_admin;
}

/* The caller that @task is with @cred. Valid as long as rcu_read_lock() is held. */
struct ugfs_caller ugfs_caller_of(const struct task_struct *task, const struct cred *cred)
{
	return (struct ugfs_caller) {
		.uid = from_kuid(&init_user_ns, cred->fsuid),
		.userns = cred->user_ns,
		.cgroup = task_dfl_cgroup((struct task_struct *)task),
	};
}

/*
 * The current task as a caller, with the credentials that it acts with: a server or an overlay
 * may have taken on those of another. Valid as long as rcu_read_lock() is held.
 */
struct ugfs_caller ugfs_caller_current(void)
{
	return ugfs_caller_of(current, current_cred());
}
