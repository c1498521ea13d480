// SPDX-License-Identifier: GPL-2.0
/* For whom a rule is, and which of two rules for a place is the narrower one. */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/slab.h>
#include <linux/string.h>
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

static int parse_cgroup(struct fs_who *who, const struct nlattr *attr,
			struct netlink_ext_ack *extack)
{
	const char *path = attr ? nla_data(attr) : NULL;
	struct cgroup *cgroup;

	if (!path)
		return 0;
	if (*path != '/') {
		NL_SET_ERR_MSG_ATTR(extack, attr, "the path of a cgroup begins with /");
		return -EINVAL;
	}
	cgroup = cgroup_get_from_path(path);
	if (IS_ERR(cgroup)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "no cgroup of version 2 has this path");
		return PTR_ERR(cgroup);
	}
	who->cgroup = cgroup;
	who->cgroup_path = kstrdup(path, GFP_KERNEL_ACCOUNT);
	return who->cgroup_path ? 0 : -ENOMEM;
}

/**
 * fs_who_parse() - for whom a rule is, of a request
 * @who: all zeroes; to be released in any case
 * @attrs: of the request
 * @extack: told why not
 *
 * Context: process context of the user; may sleep.
 * Return: 0; -EINVAL, -ESRCH, -ENOENT, -ENOTDIR, -ENOMEM.
 */
int fs_who_parse(struct fs_who *who, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	return parse_uids(who, attrs[ATTR(UID_MIN)], attrs[ATTR(UID_MAX)], extack) ?:
	       parse_userns(who, attrs[ATTR(USERNS_PID)], extack) ?:
	       parse_cgroup(who, attrs[ATTR(CGROUP)], extack);
}

/* May sleep. */
void fs_who_release(struct fs_who *who)
{
	if (who->userns)
		fs_userns_put(who->userns);
	if (who->cgroup)
		cgroup_put(who->cgroup);
	kfree(who->cgroup_path);
}

static unsigned int narrowings(const struct fs_who *who)
{
	return who->by_uid + !!who->userns + !!who->cgroup;
}

bool fs_who_is_all(const struct fs_who *who)
{
	return !narrowings(who);
}

bool fs_who_same(const struct fs_who *a, const struct fs_who *b)
{
	return a->by_uid == b->by_uid && a->uid_min == b->uid_min &&
	       a->uid_max == b->uid_max && a->userns == b->userns && a->cgroup == b->cgroup;
}

/* A reference keeps a cgroup in memory, but not from being removed. */
static bool cgroup_gone(const struct cgroup *cgroup)
{
	return !(READ_ONCE(cgroup->self.flags) & CSS_ONLINE);
}

/* Is nobody left, nor can there be anybody again? */
bool fs_who_gone(const struct fs_who *who)
{
	return (who->userns && fs_userns_gone(who->userns)) ||
	       (who->cgroup && cgroup_gone(who->cgroup));
}

/* Context: rcu_read_lock() held; does not sleep. */
bool fs_who_fits(const struct fs_who *who, const struct fs_asker *asker)
{
	if (who->by_uid && (asker->uid < who->uid_min || asker->uid > who->uid_max))
		return false;
	if (who->userns && !fs_userns_has(who->userns, asker->userns))
		return false;
	return !who->cgroup || cgroup_is_descendant(asker->cgroup, who->cgroup);
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

/*
 * By the credentials that make the file, which a server or an overlay may have
 * taken on for another. Valid as long as rcu_read_lock() is held.
 */
struct fs_asker fs_asker_current(void)
{
	return (struct fs_asker) {
		.uid = from_kuid(&init_user_ns, current_fsuid()),
		.userns = current_user_ns(),
		.cgroup = task_dfl_cgroup(current),
	};
}
