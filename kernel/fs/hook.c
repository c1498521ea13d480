// SPDX-License-Identifier: GPL-2.0
/*
 * How a module without a place among the LSMs gets asked about a new name: an
 * ftrace_ops on each of the six functions through which the kernel asks them.
 *
 * The handler runs before the function, in the context of the caller, with
 * preemption off. To refuse, it points the instruction pointer at a leaf of
 * ours, which returns the errno to the caller as if the function had. To allow,
 * it does nothing. The function itself is never called from here: no frame of
 * this module can sleep in it, and so unregister_ftrace_function(), which waits
 * until no task is left in a trampoline or in a leaf, is all that unloading
 * needs.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/security.h>

#include "fs.h"

/* Which argument, from 0, is what; none where it is negative. */
struct hook {
	struct ftrace_ops ops;
	const char *symbol;
	const char *op;
	s8 dir, dentry, from, flags;
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

/* Set when all six are attached: either every way in is watched, or none. */
static bool armed;

static notrace int refuse_eilseq(void)
{
	return -EILSEQ;
}

/* Kernel servers cannot pass EILSEQ on: nfsd warns of it, ksmbd drops it. */
static notrace int refuse_einval(void)
{
	return -EINVAL;
}

static bool makes_no_name(const struct hook *hook, struct pt_regs *regs)
{
	/* An exchange swaps two names that are both there already. */
	return hook->flags >= 0 &&
	       regs_get_kernel_argument(regs, hook->flags) & RENAME_EXCHANGE;
}

static void *argument(struct pt_regs *regs, s8 number)
{
	return (void *)regs_get_kernel_argument(regs, number);
}

static void ask(const struct hook *hook, struct pt_regs *regs)
{
	struct fs_attempt attempt = { .op = hook->op, .is_rename = hook->flags >= 0 };

	if (makes_no_name(hook, regs))
		return;
	attempt.dir = argument(regs, hook->dir);
	attempt.dentry = argument(regs, hook->dentry);
	attempt.parent = attempt.dentry->d_parent;
	attempt.name = &attempt.dentry->d_name;
	if (hook->from >= 0)
		attempt.from = argument(regs, hook->from);
	switch (fs_check(&attempt)) {
	case -EILSEQ:
		instruction_pointer_set(regs, (unsigned long)refuse_eilseq);
		break;
	case -EINVAL:
		instruction_pointer_set(regs, (unsigned long)refuse_einval);
		break;
	}
}

static notrace void handler(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	int bit;

	if (!READ_ONCE(armed))
		return;
	/* Turns preemption off; refuses where the check itself is traced. */
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0) {
		fs_count_missed();
		return;
	}
	if (likely(regs))
		ask(container_of(ops, struct hook, ops), regs);
	else
		fs_count_missed();
	ftrace_test_recursion_unlock(bit);
}

/* PERMANENT: no "echo 0 > ftrace_enabled" turns the check off behind our back. */
#define HOOK(name, dir_arg, dentry_arg, from_arg, flags_arg) {			\
	.ops = {								\
		.func = handler,						\
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY |	\
			 FTRACE_OPS_FL_PERMANENT,				\
	},									\
	.symbol = "security_inode_" #name,					\
	.op = #name,								\
	.dir = dir_arg,								\
	.dentry = dentry_arg,							\
	.from = from_arg,							\
	.flags = flags_arg,							\
}

static struct hook hooks[] = {
	HOOK(create, 0, 1, -1, -1),
	HOOK(mkdir, 0, 1, -1, -1),
	HOOK(mknod, 0, 1, -1, -1),
	HOOK(symlink, 0, 1, -1, -1),
	HOOK(link, 1, 2, 0, -1),
	HOOK(rename, 2, 3, 1, 4),
};

/*
 * Where a function begins, asked of a kprobe that is never armed: a filter set
 * by name instead costs 80 to 100 million instructions a function.
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

static const char *cause_of(int err)
{
	switch (err) {
	case -EBUSY:
		return "a livepatch or another module redirects it, or kernel.ftrace_enabled is 0";
	case -ENOENT:
		return "this kernel does not have it";
	default:
		return "ftrace would not";
	}
}

static int hook_attach(struct hook *hook)
{
	unsigned long addr;
	int err;

	err = address_of(hook->symbol, &addr);
	if (!err)
		err = ftrace_set_filter_ip(&hook->ops, addr, 0, 0);
	if (!err)
		err = register_ftrace_function(&hook->ops);
	if (err) {
		ftrace_free_filter(&hook->ops);
		pr_err("cannot attach to %s: %s (error %d)\n", hook->symbol,
		       cause_of(err), err);
	}
	return err;
}

static void hook_detach(struct hook *hook)
{
	int err = unregister_ftrace_function(&hook->ops);

	/* Nothing is left to try, and the code must not go away under callers. */
	if (WARN(err, "%s: cannot detach: error %d\n", hook->symbol, err))
		__module_get(THIS_MODULE);
	ftrace_free_filter(&hook->ops);
}

static void detach_first(size_t n)
{
	while (n--)
		hook_detach(&hooks[n]);
}

/**
 * fs_hooks_attach() - watch all the ways to make a name, or none
 *
 * Context: process context; may sleep; module init only.
 * Return: 0; -EBUSY where somebody else redirects one of the functions; what
 * kprobes and ftrace return otherwise. The log names the function.
 */
int fs_hooks_attach(void)
{
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		err = hook_attach(&hooks[i]);
		if (err) {
			detach_first(i);
			return err;
		}
	}
	WRITE_ONCE(armed, true);
	return 0;
}

/**
 * fs_hooks_detach() - watch no longer
 *
 * Context: process context; sleeps until no task is in a handler or a leaf.
 */
void fs_hooks_detach(void)
{
	WRITE_ONCE(armed, false);
	detach_first(ARRAY_SIZE(hooks));
}
