// SPDX-License-Identifier: GPL-2.0
/*
 * How new names come here. A module cannot register an LSM, so an ftrace_ops is
 * attached to each of the six functions by which the kernel asks the LSMs.
 *
 * The handler runs before the function, in the context of the caller, with
 * preemption off. To refuse, it points the instruction pointer at a leaf of
 * ours, which returns the errno to the caller as if the function had. To allow,
 * it does nothing. The function is never called from this module, so no frame of
 * the module can sleep. unregister_ftrace_function() waits until no task is left
 * in a trampoline or in a leaf; unloading needs nothing else. Where ftrace has
 * failed, that function does nothing, and the module never goes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/security.h>

#include "attempt.h"
#include "check.h"
#include "hook.h"

/* @dir, @dentry, @from, @flags: the number of that argument, from 0; -1 where there is none. */
struct arguments {
	s8 dir, dentry, from, flags;
};

struct hook {
	struct ugfs_hook hook;
	const char *op;
};

/* A kernel where these differ must not get a module that misreads them. */
static_assert(__same_type(security_inode_create,
			  int (struct inode *, struct dentry *, umode_t)));
static_assert(__same_type(security_inode_mkdir,
			  int (struct inode *, struct dentry *, umode_t)));
static_assert(__same_type(security_inode_mknod,
			  int (struct inode *, struct dentry *, umode_t, dev_t)));
static_assert(__same_type(security_inode_symlink,
			  int (struct inode *, struct dentry *, const char *)));
static_assert(__same_type(security_inode_link,
			  int (struct dentry *, struct inode *, struct dentry *)));
static_assert(__same_type(security_inode_rename,
			  int (struct inode *, struct dentry *, struct inode *,
			       struct dentry *, unsigned int)));

bool ugfs_hooks_armed;

static notrace int refuse_eilseq(void)
{
	return -EILSEQ;
}

/* For kernel servers, which cannot pass EILSEQ on: nfsd warns of it, ksmbd drops it. */
static notrace int refuse_einval(void)
{
	return -EINVAL;
}

/* Has the function that is redirected return @err, -EILSEQ or -EINVAL. Any context. */
void ugfs_hook_refuse(struct ftrace_regs *fregs, int err)
{
	ftrace_regs_set_instruction_pointer(fregs, err == -EINVAL ? (unsigned long)refuse_einval :
								    (unsigned long)refuse_eilseq);
}

static __always_inline bool has_flag(struct ftrace_regs *fregs, const struct arguments *at,
				     unsigned int flag)
{
	return at->flags >= 0 && ftrace_regs_get_argument(fregs, at->flags) & flag;
}

/* Those of security_inode_rename() for an exchange, the other way round. */
static const struct arguments at_exchanged = { 0, 1, 3, 4 };

/* And for a whiteout: the name that what is renamed leaves to it. */
static const struct arguments at_whiteout = { 0, 1, 1, 4 };

/* Some rule may mind the name. Not inlined, so that a clean name takes no room on the stack. */
static noinline int ask(const struct ftrace_ops *ops, struct ftrace_regs *fregs,
			const struct arguments *at)
{
	const struct hook *hook = container_of(ops, struct hook, hook.ops);
	struct dentry *dentry = ugfs_hook_argument(fregs, at->dentry);

	return ugfs_check(&(struct ugfs_attempt) {
		.op = hook->op,
		.dir = ugfs_hook_argument(fregs, at->dir),
		.parent = dentry->d_parent,
		.name = &dentry->d_name,
		.dentry = dentry,
		.from = at->from >= 0 ? ugfs_hook_argument(fregs, at->from) : NULL,
		.is_rename = at->flags >= 0,
		.is_exchange = has_flag(fregs, at, RENAME_EXCHANGE),
		.is_whiteout = at == &at_whiteout,
	});
}

static __always_inline int judge_name(const struct ftrace_ops *ops, struct ftrace_regs *fregs,
				      const struct arguments *at)
{
	const struct dentry *dentry = ugfs_hook_argument(fregs, at->dentry);

	return likely(ugfs_check_clean(&dentry->d_name)) ? 0 : ask(ops, fregs, at);
}

/*
 * An exchange swaps two names that are both there already. But who acts with the credentials of
 * another may be an overlay, which puts a directory in the place of a whiteout. And where case is
 * folded, each of the two names may be stored as it was spelt to find it.
 */
static noinline int judge_exchange(const struct ftrace_ops *ops, struct ftrace_regs *fregs,
				   const struct arguments *at)
{
	const struct dentry *from = ugfs_hook_argument(fregs, at->from);
	bool folds = from->d_flags & DCACHE_OP_COMPARE;
	int err;

	if (!folds && current_cred() == rcu_access_pointer(current->real_cred))
		return 0;
	err = judge_name(ops, fregs, at);
	return err || !folds ? err : judge_name(ops, fregs, &at_exchanged);
}

/*
 * A whiteout gets the name of what is renamed. Where case is folded, it may be stored as it was
 * spelt to find that.
 */
static noinline int judge_whiteout(const struct ftrace_ops *ops, struct ftrace_regs *fregs,
				   const struct arguments *at)
{
	const struct dentry *from = ugfs_hook_argument(fregs, at->from);
	int err = judge_name(ops, fregs, at);

	return err || !(from->d_flags & DCACHE_OP_COMPARE) ?
	       err : judge_name(ops, fregs, &at_whiteout);
}

static __always_inline int judge(const struct ftrace_ops *ops, struct ftrace_regs *fregs,
				 const struct arguments *at)
{
	if (has_flag(fregs, at, RENAME_EXCHANGE))
		return judge_exchange(ops, fregs, at);
	if (has_flag(fregs, at, RENAME_WHITEOUT))
		return judge_whiteout(ops, fregs, at);
	return judge_name(ops, fregs, at);
}

/*
 * A handler is called by ftrace before its function, in the process context of the caller of the
 * function. If nothing is armed, it costs one test. Each function has a handler of its own, in
 * which the numbers of the arguments are constants.
 */
#define HANDLER(name, ...)							\
static const struct arguments at_##name = { __VA_ARGS__ };			\
static notrace void handle_##name(unsigned long ip, unsigned long parent_ip,	\
				  struct ftrace_ops *ops,			\
				  struct ftrace_regs *fregs)			\
{										\
	if (ugfs_hook_begin(fregs))						\
		ugfs_hook_end(fregs, judge(ops, fregs, &at_##name));		\
}

HANDLER(create, 0, 1, -1, -1)
HANDLER(mkdir, 0, 1, -1, -1)
HANDLER(mknod, 0, 1, -1, -1)
HANDLER(symlink, 0, 1, -1, -1)
HANDLER(link, 1, 2, 0, -1)
HANDLER(rename, 2, 3, 1, 4)

#define HOOK(name) {								\
	.hook = {								\
		.ops = UGFS_HOOK_OPS(handle_##name),				\
		.symbol = "security_inode_" #name,				\
	},									\
	.op = #name,								\
}

static struct hook hooks[] = {
	HOOK(create),
	HOOK(mkdir),
	HOOK(mknod),
	HOOK(symlink),
	HOOK(link),
	HOOK(rename),
};

/*
 * The address of a function, from a kprobe that is never armed. To set an ftrace filter
 * by name instead takes 80 to 100 million instructions for each function.
 */
static int address_of(const char *symbol, unsigned long *addr)
{
	struct kprobe probe = {
		.symbol_name = symbol,
		.flags = KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&probe);

	if (err)
		return err;
	*addr = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

/* In words for users, why ugfs_hook_attach() has returned @err. */
const char *ugfs_hook_cause(int err)
{
	switch (err) {
	case -EBUSY:
		return "a livepatch or another module redirects it, or kernel.ftrace_enabled is 0";
	case -ENOENT:
		return "this kernel does not have it";
	default:
		return "ftrace refused";
	}
}

/**
 * ugfs_hook_attach() - redirect a function
 * @hook: the function, and what is asked before it
 *
 * Context: process context; may sleep.
 * Return: 0; -ENOENT where there is no such function; -EBUSY where somebody else redirects
 * it; what kprobes and ftrace return otherwise.
 */
int ugfs_hook_attach(struct ugfs_hook *hook)
{
	unsigned long addr;
	int err;

	err = address_of(hook->symbol, &addr);
	if (!err)
		err = ftrace_set_filter_ip(&hook->ops, addr, 0, 0);
	if (!err)
		err = register_ftrace_function(&hook->ops);
	if (err)
		ftrace_free_filter(&hook->ops);
	return err;
}

/* Set where a function is still redirected although it should not be; never cleared. */
static bool is_stuck;

/**
 * ugfs_hook_detach() - redirect a function no longer
 * @hook: attached. It cannot be attached again: ftrace_free_filter() leaves dangling pointers
 *	in its ops
 *
 * Context: process context; sleeps until no task is in a handler or a leaf.
 * Return: whether ftrace has done that. After an error of its own, ftrace does nothing any more:
 * the function is redirected until the next boot, @hook must stay, and so must this module, for
 * which ugfs_hooks_detach() sees.
 */
bool ugfs_hook_detach(struct ugfs_hook *hook)
{
	int err = unregister_ftrace_function(&hook->ops);

	if (WARN(err, "%s: cannot detach: error %d; reboot\n", hook->symbol, err)) {
		WRITE_ONCE(is_stuck, true);
		return false;
	}
	ftrace_free_filter(&hook->ops);
	return true;
}

/*
 * Does not return where a function is still redirected. The module is freed when its init has
 * failed, and when its exit returns, whatever references it has. So the task waits here, and
 * the handlers, which are not armed, do nothing.
 */
static void detach_first(size_t n)
{
	while (n--)
		ugfs_hook_detach(&hooks[n].hook);
	while (READ_ONCE(is_stuck))
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}

/**
 * ugfs_hooks_attach() - watch all the ways to make a name, or none
 *
 * Context: process context; may sleep; module init only.
 * Return: 0; -EBUSY where somebody else redirects one of the functions; what
 * kprobes and ftrace return otherwise. The log names the function.
 */
int ugfs_hooks_attach(void)
{
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		err = ugfs_hook_attach(&hooks[i].hook);
		if (err) {
			pr_err("cannot attach to %s: %s (error %d)\n", hooks[i].hook.symbol,
			       ugfs_hook_cause(err), err);
			detach_first(i);
			return err;
		}
	}
	WRITE_ONCE(ugfs_hooks_armed, true);
	return 0;
}

/**
 * ugfs_hooks_detach() - watch no longer
 *
 * Context: process context; after ugfs_subvolumes_detach(). Sleeps until no task is in a handler
 * or a leaf; for ever where ftrace does not detach.
 */
void ugfs_hooks_detach(void)
{
	WRITE_ONCE(ugfs_hooks_armed, false);
	detach_first(ARRAY_SIZE(hooks));
}
