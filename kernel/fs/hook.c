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
 * in a trampoline or in a leaf; unloading needs nothing else.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/security.h>

#include "attempt.h"
#include "check.h"
#include "hook.h"

/* @dir, @dentry, @from, @flags: the number of that argument, from 0; -1 where there is none. */
struct hook {
	struct ugfs_hook hook;
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

/* Set when all six functions are attached. Before that, no hook judges a name. */
static bool armed;

static notrace int refuse_eilseq(void)
{
	return -EILSEQ;
}

/* For kernel servers, which cannot pass EILSEQ on: nfsd warns of it, ksmbd drops it. */
static notrace int refuse_einval(void)
{
	return -EINVAL;
}

static bool makes_no_name(const struct hook *hook, struct ftrace_regs *fregs)
{
	/* An exchange swaps two names that are both there already. */
	return hook->flags >= 0 &&
	       ftrace_regs_get_argument(fregs, hook->flags) & RENAME_EXCHANGE;
}

static int ask(const struct ugfs_hook *asking, struct ftrace_regs *fregs)
{
	const struct hook *hook = container_of(asking, struct hook, hook);
	struct dentry *dentry;

	if (makes_no_name(hook, fregs))
		return 0;
	dentry = ugfs_hook_argument(fregs, hook->dentry);
	return ugfs_check(&(struct ugfs_attempt) {
		.op = hook->op,
		.dir = ugfs_hook_argument(fregs, hook->dir),
		.parent = dentry->d_parent,
		.name = &dentry->d_name,
		.dentry = dentry,
		.from = hook->from >= 0 ? ugfs_hook_argument(fregs, hook->from) : NULL,
		.is_rename = hook->flags >= 0,
	});
}

static void decide(const struct ugfs_hook *hook, struct ftrace_regs *fregs)
{
	switch (hook->ask(hook, fregs)) {
	case -EILSEQ:
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)refuse_eilseq);
		break;
	case -EINVAL:
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)refuse_einval);
		break;
	}
}

/**
 * ugfs_hook_handler() - called by ftrace before a function that is redirected
 * @ip: address of the function
 * @parent_ip: address that the function returns to
 * @ops: of a struct ugfs_hook
 * @fregs: the registers at the entry of the function
 *
 * Context: process context of the caller of the function; turns preemption off; does not
 * sleep. Costs a test where nothing is armed.
 */
notrace void ugfs_hook_handler(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	int bit;

	if (!READ_ONCE(armed))
		return;
	/* Turns preemption off. Fails where the check itself is traced, which would recurse. */
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0) {
		ugfs_count_missed();
		return;
	}
	if (likely(ftrace_regs_has_args(fregs)))
		decide(container_of(ops, struct ugfs_hook, ops), fregs);
	else
		ugfs_count_missed();
	ftrace_test_recursion_unlock(bit);
}

#define HOOK(name, dir_arg, dentry_arg, from_arg, flags_arg) {			\
	.hook = {								\
		.ops = UGFS_HOOK_OPS,						\
		.symbol = "security_inode_" #name,				\
		.ask = ask,							\
	},									\
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
		return "ftrace would not";
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

/**
 * ugfs_hook_detach() - redirect a function no longer
 * @hook: attached. It cannot be attached again: ftrace_free_filter() leaves dangling pointers
 *	in its ops
 *
 * Context: process context; sleeps until no task is in a handler or a leaf.
 */
void ugfs_hook_detach(struct ugfs_hook *hook)
{
	int err = unregister_ftrace_function(&hook->ops);

	/* The code must not go away while it is called: the module stays loaded for good. */
	if (WARN(err, "%s: cannot detach: error %d\n", hook->symbol, err))
		__module_get(THIS_MODULE);
	ftrace_free_filter(&hook->ops);
}

static void detach_first(size_t n)
{
	while (n--)
		ugfs_hook_detach(&hooks[n].hook);
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
	WRITE_ONCE(armed, true);
	return 0;
}

/**
 * ugfs_hooks_detach() - watch no longer
 *
 * Context: process context; sleeps until no task is in a handler or a leaf.
 */
void ugfs_hooks_detach(void)
{
	WRITE_ONCE(armed, false);
	detach_first(ARRAY_SIZE(hooks));
}
