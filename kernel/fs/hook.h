/* SPDX-License-Identifier: GPL-2.0 */
/* A function of the kernel that asks us before it makes a name. */
#ifndef _UTF8GUARD_FS_HOOK_H
#define _UTF8GUARD_FS_HOOK_H

#include <linux/ftrace.h>
#include <linux/preempt.h>

#include "check.h"

/**
 * struct ugfs_hook - a function that is redirected
 * @ops: its ftrace_ops, of UGFS_HOOK_OPS()
 * @symbol: the name of the function, as "function" or "module:function"
 */
struct ugfs_hook {
	struct ftrace_ops ops;
	const char *symbol;
};

/*
 * PERMANENT: no "echo 0 > ftrace_enabled" turns the check off unseen. Arguments, and where to go
 * on, are all that is asked for; as livepatches do, not SAVE_REGS where ftrace saves these without.
 */
#define UGFS_HOOK_OPS(handler) {						\
	.func = handler,							\
	.flags = (IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) ?		\
			0 : FTRACE_OPS_FL_SAVE_REGS) |				\
		 FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT,		\
}

/* Set when all six functions are attached. Before that, no hook judges a name. */
extern bool ugfs_hooks_armed;

/*
 * What each handler begins with. Return: true, with preemption off, if the handler is to judge the
 * name; ugfs_hook_end() is to follow. Nothing that runs until then calls a function that is
 * redirected, so no guard against recursion is needed.
 */
static __always_inline bool ugfs_hook_begin(struct ftrace_regs *fregs)
{
	if (!READ_ONCE(ugfs_hooks_armed))
		return false;
	preempt_disable_notrace();
	if (likely(ftrace_regs_has_args(fregs)))
		return true;
	ugfs_count_missed();
	preempt_enable_notrace();
	return false;
}

void ugfs_hook_refuse(struct ftrace_regs *fregs, int err);

/* @err: 0 to let the function run, -EILSEQ or -EINVAL to have it return that instead. */
static __always_inline void ugfs_hook_end(struct ftrace_regs *fregs, int err)
{
	if (unlikely(err))
		ugfs_hook_refuse(fregs, err);
	preempt_enable_notrace();
}

static inline void *ugfs_hook_argument(struct ftrace_regs *fregs, unsigned int number)
{
	return (void *)ftrace_regs_get_argument(fregs, number);
}

int ugfs_hook_attach(struct ugfs_hook *hook);
bool ugfs_hook_detach(struct ugfs_hook *hook);
const char *ugfs_hook_cause(int err);

int ugfs_hooks_attach(void);
void ugfs_hooks_detach(void);

#endif /* _UTF8GUARD_FS_HOOK_H */
