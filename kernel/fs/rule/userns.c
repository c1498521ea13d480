// SPDX-License-Identifier: GPL-2.0
/*
 * The user namespaces that rules are for. When a namespace is gone, its inode number may be given
 * to another one, and a rule must not apply to that. So rules hold the namespace itself: all of
 * them together have one reference. When it is the last reference, nobody is in the namespace or
 * can enter it, so the namespace counts as gone.
 */
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "userns.h"

struct ugfs_userns {
	refcount_t ref;
	struct list_head node;
	struct user_namespace *ns;
};

static LIST_HEAD(known);
static DEFINE_MUTEX(known_lock);

/* A reference to the user namespace of a process in our PID namespace; NULL if there is none. */
static struct user_namespace *ns_of_process(u32 pid)
{
	struct user_namespace *ns = NULL;
	struct task_struct *task;

	rcu_read_lock();
	task = get_pid_task(find_vpid(pid), PIDTYPE_PID);
	if (task) {
		ns = get_user_ns(__task_cred(task)->user_ns);
		put_task_struct(task);
	}
	rcu_read_unlock();
	return ns;
}

/* The entry for @ns, with one more reference. Consumes the reference to @ns. @known_lock held. */
static struct ugfs_userns *userns_get(struct user_namespace *ns)
{
	struct ugfs_userns *userns;

	list_for_each_entry(userns, &known, node)
		if (userns->ns == ns) {
			refcount_inc(&userns->ref);
			put_user_ns(ns);
			return userns;
		}
	userns = kzalloc(sizeof(*userns), GFP_KERNEL_ACCOUNT);
	if (!userns) {
		put_user_ns(ns);
		return ERR_PTR(-ENOMEM);
	}
	refcount_set(&userns->ref, 1);
	userns->ns = ns;
	list_add(&userns->node, &known);
	return userns;
}

/**
 * ugfs_userns_of_pid() - the user namespace that a process is in
 * @pid: the process, in the PID namespace of the caller
 *
 * Context: process context; may sleep.
 * Return: it, for ugfs_userns_put(), or an ERR_PTR(): -ESRCH, -ENOMEM.
 */
struct ugfs_userns *ugfs_userns_of_pid(u32 pid)
{
	struct user_namespace *ns = ns_of_process(pid);
	struct ugfs_userns *userns;

	if (!ns)
		return ERR_PTR(-ESRCH);
	mutex_lock(&known_lock);
	userns = userns_get(ns);
	mutex_unlock(&known_lock);
	return userns;
}

/* May sleep. */
void ugfs_userns_put(struct ugfs_userns *userns)
{
	if (!refcount_dec_and_mutex_lock(&userns->ref, &known_lock))
		return;
	list_del(&userns->node);
	mutex_unlock(&known_lock);
	put_user_ns(userns->ns);
	kfree(userns);
}

/* Its inode number, as /proc/PID/ns/user shows it. Any context. */
u32 ugfs_userns_number(const struct ugfs_userns *userns)
{
	return userns->ns->ns.inum;
}

/*
 * Is the reference of the rules the last one? Credentials, descendants and open files have
 * others. The initial namespace is never gone, and later kernels do not count its references.
 */
bool ugfs_userns_gone(const struct ugfs_userns *userns)
{
	return userns->ns != &init_user_ns && ns_ref_read(userns->ns) == 1;
}

/* Is @other the user namespace itself, or a descendant? Any context; at most 32 steps. */
bool ugfs_userns_has(const struct ugfs_userns *userns, const struct user_namespace *other)
{
	while (other && other->level > userns->ns->level)
		other = other->parent;
	return other == userns->ns;
}
