// SPDX-License-Identifier: GPL-2.0
/* For users: which rules are asked for a new name in a directory, and what becomes of the name. */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/stringhash.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "attempt.h"
#include "check.h"
#include "exempt.h"
#include "explain.h"
#include "policy.h"
#include "rule/beyond.h"
#include "rule/location.h"
#include "rule/rule.h"
#include "rule/subject.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/**
 * struct maker - who would make the name
 * @task: the process, with a reference
 * @cred: the credentials of @task, with a reference
 * @cgroup: the cgroup that the request names, with a reference; or NULL for that of @task
 * @uid: the user ID that the request names, where @by_uid
 * @by_uid: the request names a user ID, which takes the place of that of @cred
 * @is_admin: rules may exempt the maker as an administrator; false for a user given by ID
 */
struct maker {
	struct task_struct *task;
	const struct cred *cred;
	struct cgroup *cgroup;
	u32 uid;
	bool by_uid, is_admin;
};

static void maker_put(struct maker *maker)
{
	if (maker->cgroup)
		cgroup_put(maker->cgroup);
	if (maker->cred)
		put_cred(maker->cred);
	if (maker->task)
		put_task_struct(maker->task);
}

static int take_task(struct maker *maker, const struct nlattr *pid,
		     struct netlink_ext_ack *extack)
{
	rcu_read_lock();
	maker->task = get_pid_task(pid ? find_vpid(nla_get_u32(pid)) : task_tgid(current),
				   PIDTYPE_PID);
	rcu_read_unlock();
	if (!maker->task) {
		NL_SET_ERR_MSG_ATTR(extack, pid, "no process has this ID");
		return -ESRCH;
	}
	maker->cred = get_task_cred(maker->task);
	return 0;
}

static int take_cgroup(struct maker *maker, const struct nlattr *path,
		       struct netlink_ext_ack *extack)
{
	struct cgroup *cgroup;

	if (!path)
		return 0;
	cgroup = cgroup_get_from_path(nla_data(path));
	if (IS_ERR(cgroup)) {
		NL_SET_ERR_MSG_ATTR(extack, path, "no cgroup of version 2 has this path");
		return PTR_ERR(cgroup);
	}
	maker->cgroup = cgroup;
	return 0;
}

/* Fills in @maker. The caller gives it to maker_put(), after an error too. */
static int maker_of(struct maker *maker, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	const struct nlattr *uid = attrs[ATTR(UID)];
	int err = take_task(maker, attrs[ATTR(PID)], extack) ?:
		  take_cgroup(maker, attrs[ATTR(CGROUP)], extack);

	if (err)
		return err;
	/* Which capabilities a user given by ID has is not known: none are assumed. */
	maker->is_admin = !uid && ugfs_caller_is_admin(maker->task, maker->cred);
	maker->by_uid = uid;
	if (uid)
		maker->uid = nla_get_u32(uid);
	return 0;
}

/* The maker as rules see a caller. rcu_read_lock() held. */
static struct ugfs_caller asker_of(const struct maker *maker)
{
	struct ugfs_caller caller = ugfs_caller_of(maker->task, maker->cred);

	if (maker->by_uid)
		caller.uid = maker->uid;
	if (maker->cgroup)
		caller.cgroup = maker->cgroup;
	return caller;
}

/* For ugfs_explain(). */
struct explanation {
	struct ugfs_search search;
	struct ugfs_caller caller;
	struct ugfs_steps *steps;
	const struct ugfs_rule *decides;
};

static void begin(struct ugfs_search *search)
{
	struct explanation *explanation = container_of(search, struct explanation, search);

	explanation->decides = NULL;
	explanation->steps->count = 0;
}

static bool note(const struct ugfs_rule *rule, void *data)
{
	struct explanation *explanation = container_of(data, struct explanation, search);
	struct ugfs_steps *steps = explanation->steps;
	bool fits = ugfs_subject_fits(&rule->terms->subject, &explanation->caller);

	if (fits && !explanation->decides)
		explanation->decides = rule;
	if (steps->count < UGFS_MAX_STEPS) {
		steps->handle[steps->count] = rule->rule.handle;
		steps->fits[steps->count++] = fits;
	}
	/* The rules after the one that decides are listed, too, as far as there is room. */
	return explanation->decides && steps->count == UGFS_MAX_STEPS;
}

static bool is_enforcing_mode(const struct ugfs_rule *rule)
{
	return rule && rule->mode == UTF8GUARD_FS_MODE_ENFORCE;
}

/* The rule that ugfs_refusing_rule() would return for a name that every rule minds. */
static const struct ugfs_rule *strictest(const struct ugfs_beyond *beyond,
					 const struct ugfs_rule *known)
{
	if (beyond->enforce.rule)
		return beyond->enforce.rule;
	return is_enforcing_mode(known) || !beyond->audit.rule ? known : beyond->audit.rule;
}

/* The rule that decides on @name; sets in @steps what becomes of the name. */
static const struct ugfs_rule *judge(struct ugfs_steps *steps, const struct qstr *name,
				     const struct explanation *explanation,
				     const struct maker *maker)
{
	const struct ugfs_attempt attempt = { .parent = explanation->search.dir, .name = name };
	const struct ugfs_rule *rule;

	rule = ugfs_refusing_rule(&attempt, explanation->decides, explanation->search.beyond,
				  &steps->error);
	if (!rule)
		return explanation->decides;
	steps->minds = true;
	steps->outcome = ugfs_outcome(rule, rule == explanation->decides, maker->is_admin);
	return rule;
}

/* Fills in @steps. @name: the name to judge, or NULL. */
static void walk(struct ugfs_steps *steps, const struct dentry *dir, const struct maker *maker,
		 const struct qstr *name)
{
	struct explanation explanation = {
		.search = { .dir = dir, .begin = begin, .visit = note },
		.steps = steps,
	};
	const struct ugfs_rule *decides;

	rcu_read_lock();
	explanation.caller = asker_of(maker);
	ugfs_policy_walk(&explanation.search);
	steps->deep = explanation.search.beyond;
	steps->exempt = ugfs_exempt(d_inode(dir));
	decides = explanation.decides;
	if (steps->exempt)
		decides = NULL;
	else if (name)
		decides = judge(steps, name, &explanation, maker);
	else if (steps->deep)
		decides = strictest(explanation.search.beyond, decides);
	steps->decides = decides ? decides->rule.handle : 0;
	rcu_read_unlock();
}

static int check(const struct dentry *dir, const struct nlattr *name,
		 struct netlink_ext_ack *extack)
{
	if (!d_is_dir(dir)) {
		NL_SET_ERR_MSG(extack, "not a directory");
		return -ENOTDIR;
	}
	if (!name || (*(char *)nla_data(name) && !strchr(nla_data(name), '/')))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, name, "not a file name");
	return -EINVAL;
}

static int explain(struct ugfs_steps *steps, const struct dentry *dir, struct nlattr **attrs,
		   struct netlink_ext_ack *extack)
{
	const struct nlattr *attr = attrs[ATTR(NAME)];
	struct maker maker = {};
	struct qstr name;
	int err = check(dir, attr, extack) ?: maker_of(&maker, attrs, extack);

	if (!err && attr)
		name = (struct qstr)QSTR_INIT(nla_data(attr), strlen(nla_data(attr)));
	if (!err)
		walk(steps, dir, &maker, attr ? &name : NULL);
	maker_put(&maker);
	return err;
}

/**
 * ugfs_explain() - list the rules that are asked for a new name in a directory
 * @steps: all zeroes; filled in
 * @attrs: of the request: an open directory (fd); who makes the name (pid, uid, cgroup); and
 *	the name, if it is to be judged
 * @extack: set to why the request fails
 *
 * Nothing is made, counted or reported.
 *
 * Context: process context of the sender; may sleep.
 * Return: 0; -EINVAL where the descriptor is missing, or the name is not one; -EBADF; -ENOTDIR;
 * -ESRCH where there is no such process; -ENOENT where there is no such cgroup.
 */
int ugfs_explain(struct ugfs_steps *steps, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	struct file *file = ugfs_location_open(attrs, extack);
	int err;

	if (!file) {
		NL_SET_ERR_MSG(extack, "a directory descriptor is missing");
		return -EINVAL;
	}
	if (IS_ERR(file))
		return PTR_ERR(file);
	err = explain(steps, file->f_path.dentry, attrs, extack);
	fput(file);
	return err;
}
