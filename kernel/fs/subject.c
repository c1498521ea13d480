// SPDX-License-Identifier: GPL-2.0
/* For whom a rule is, and which of two rules for a place is the narrower one. */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <net/netlink.h>

#include "fs.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

static int parse_uids(struct fs_who *who, const struct nlattr *min, const struct nlattr *max,
		      struct netlink_ext_ack *extack)
{
	if (!min && !max)
		return 0;
	if (!min || !max) {
		NL_SET_ERR_MSG_ATTR(extack, min ?: max, "a range of user IDs has two ends");
		return -EINVAL;
	}
	who->uid_min = nla_get_u32(min);
	who->uid_max = nla_get_u32(max);
	who->by_uid = true;
	/* The highest number is no user. */
	if (who->uid_min <= who->uid_max && who->uid_max != U32_MAX)
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, max, "this is no range of user IDs");
	return -EINVAL;
}

static int parse_userns(struct fs_who *who, const struct nlattr *pid,
			struct netlink_ext_ack *extack)
{
	struct fs_userns *userns;

	if (!pid)
		return 0;
	userns = fs_userns_of_pid(nla_get_u32(pid));
	if (IS_ERR(userns)) {
		NL_SET_ERR_MSG_ATTR(extack, pid, "no process has this number");
		return PTR_ERR(userns);
	}
	who->userns = userns;
	return 0;
}

static int parse_owner(struct fs_who *who, const struct nlattr *owner,
		       struct netlink_ext_ack *extack)
{
	if (!owner)
		return 0;
	who->owner = nla_get_u32(owner);
	who->by_owner = true;
	if (who->userns) {
		NL_SET_ERR_MSG_ATTR(extack, owner,
				    "a rule is for one user namespace or for an owner");
		return -EINVAL;
	}
	if (who->owner != U32_MAX)
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, owner, "this is no user ID");
	return -EINVAL;
}

/* Of a cgroup that is not there: @path without what says nothing. */
static char *cgroup_named(const char *path)
{
	size_t size = strlen(path) + 2;
	char *named = kmalloc(size, GFP_KERNEL_ACCOUNT);
	int err = named ? fs_path_append(named, 0, size, path) : -ENOMEM;

	if (err) {
		kfree(named);
		return ERR_PTR(err);
	}
	if (!*named)
		strscpy(named, "/", size);
	return named;
}

/* From the root of the hierarchy, wherever the caller's own namespace begins. */
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

static int parse_cgroup(struct fs_who *who, const struct nlattr *attr, bool may_wait,
			struct netlink_ext_ack *extack)
{
	const char *path = attr ? nla_data(attr) : NULL;
	struct cgroup *cgroup;
	char *name;

	if (!path)
		return 0;
	if (*path != '/') {
		NL_SET_ERR_MSG_ATTR(extack, attr, "the path of a cgroup begins with /");
		return -EINVAL;
	}
	cgroup = cgroup_get_from_path(path);
	if (!IS_ERR(cgroup)) {
		name = cgroup_found(cgroup);
		cgroup_put(cgroup);
	} else if (PTR_ERR(cgroup) == -ENOENT && may_wait && is_at_root()) {
		name = cgroup_named(path);
		who->present = false;
	} else {
		name = ERR_CAST(cgroup);
	}
	if (IS_ERR(name)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "no cgroup of version 2 has this path");
		return PTR_ERR(name);
	}
	who->cgroup = name;
	return 0;
}

/**
 * fs_who_parse() - for whom a rule is, of a request
 * @who: all zeroes; to be released in any case
 * @attrs: of the request
 * @extack: told why not
 *
 * Context: process context of the user; may sleep.
 * Return: 0; -EINVAL, -ESRCH, -ENOENT, -ENOTDIR, -ENAMETOOLONG, -ENOMEM.
 */
int fs_who_parse(struct fs_who *who, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	who->present = true;
	return parse_uids(who, attrs[ATTR(UID_MIN)], attrs[ATTR(UID_MAX)], extack) ?:
	       parse_userns(who, attrs[ATTR(USERNS_PID)], extack) ?:
	       parse_owner(who, attrs[ATTR(USERNS_OWNER)], extack) ?:
	       parse_cgroup(who, attrs[ATTR(CGROUP)], attrs[ATTR(MAY_WAIT)], extack);
}

/* May sleep. */
void fs_who_release(struct fs_who *who)
{
	if (who->userns)
		fs_userns_put(who->userns);
	kfree(who->cgroup);
}

static unsigned int narrowings(const struct fs_who *who)
{
	return who->by_uid + (who->userns || who->by_owner) + !!who->cgroup;
}

bool fs_who_is_all(const struct fs_who *who)
{
	return !narrowings(who);
}

bool fs_who_same(const struct fs_who *a, const struct fs_who *b)
{
	return a->by_uid == b->by_uid && a->uid_min == b->uid_min &&
	       a->uid_max == b->uid_max && a->userns == b->userns &&
	       a->by_owner == b->by_owner && a->owner == b->owner &&
	       !strcmp(a->cgroup ?: "", b->cgroup ?: "");
}

/* Is nobody left, nor can there be anybody again? */
bool fs_who_gone(const struct fs_who *who)
{
	return who->userns && fs_userns_gone(who->userns);
}

/* Sets @present. By the caller's namespace: for a worker of the kernel. May sleep. */
void fs_who_look(struct fs_who *who)
{
	struct cgroup *cgroup;

	if (!who->cgroup)
		return;
	cgroup = cgroup_get_from_path(who->cgroup);
	WRITE_ONCE(who->present, !IS_ERR(cgroup));
	if (!IS_ERR(cgroup))
		cgroup_put(cgroup);
}

/*
 * Is @cgroup what has the path, or below it? By the names of those above it: then no
 * word is needed of what becomes of them. They do not change in this hierarchy, and stay
 * in memory as long as @cgroup does.
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

/* The initial one is nobody's. Costs the depth, 32 at most. */
static bool owner_fits(u32 owner, const struct user_namespace *ns)
{
	for (; ns && ns != &init_user_ns; ns = ns->parent)
		if (from_kuid(&init_user_ns, ns->owner) == owner)
			return true;
	return false;
}

/* Context: rcu_read_lock() held; does not sleep. */
bool fs_who_fits(const struct fs_who *who, const struct fs_asker *asker)
{
	if (who->by_uid && (asker->uid < who->uid_min || asker->uid > who->uid_max))
		return false;
	if (who->userns && !fs_userns_has(who->userns, asker->userns))
		return false;
	if (who->by_owner && !owner_fits(who->owner, asker->userns))
		return false;
	return !who->cgroup || cgroup_fits(who->cgroup, asker->cgroup);
}

/**
 * fs_who_compare() - which of two rules for a place is asked first?
 * @a: for whom the one is
 * @b: for whom the other is
 *
 * The one with more kinds of narrowing, then the one with the narrower range of
 * user IDs.
 *
 * Return: below 0 for @a, above 0 for @b, 0 where neither is the narrower one.
 */
int fs_who_compare(const struct fs_who *a, const struct fs_who *b)
{
	u32 a_width = a->by_uid ? a->uid_max - a->uid_min : U32_MAX;
	u32 b_width = b->by_uid ? b->uid_max - b->uid_min : U32_MAX;

	if (narrowings(a) != narrowings(b))
		return narrowings(a) > narrowings(b) ? -1 : 1;
	if (a_width != b_width)
		return a_width < b_width ? -1 : 1;
	return 0;
}

/* With credentials of the task's. Valid as long as rcu_read_lock() is held. */
struct fs_asker fs_asker_of(const struct task_struct *task, const struct cred *cred)
{
	return (struct fs_asker) {
		.uid = from_kuid(&init_user_ns, cred->fsuid),
		.userns = cred->user_ns,
		.cgroup = task_dfl_cgroup((struct task_struct *)task),
	};
}

/*
 * By the credentials that make the file, which a server or an overlay may have
 * taken on for another. Valid as long as rcu_read_lock() is held.
 */
struct fs_asker fs_asker_current(void)
{
	return fs_asker_of(current, current_cred());
}
