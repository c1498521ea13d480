/* SPDX-License-Identifier: GPL-2.0 */
/* A function of the kernel that asks us before it makes a name. */
#ifndef _UTF8GUARD_FS_HOOK_H
#define _UTF8GUARD_FS_HOOK_H

#include <linux/ftrace.h>

/**
 * struct ugfs_hook - a function that is redirected
 * @ops: its ftrace_ops, of UGFS_HOOK_OPS
 * @symbol: the name of the function, as "function" or "module:function"
 * @ask: called before the function, with preemption off: returns 0 to let it run, -EILSEQ or
 *	-EINVAL to have it return that instead
 */
struct ugfs_hook {
	struct ftrace_ops ops;
	const char *symbol;
	int (*ask)(const struct ugfs_hook *hook, struct ftrace_regs *fregs);
};

void ugfs_hook_handler(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);

/*
 * PERMANENT: no "echo 0 > ftrace_enabled" turns the check off unseen. SAVE_REGS is refused where
 * ftrace saves no more than arguments, which are all that is asked for.
 */
#define UGFS_HOOK_OPS {								\
	.func = ugfs_hook_handler,						\
	.flags = (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) ?			\
			FTRACE_OPS_FL_SAVE_REGS : 0) |				\
		 FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT,		\
}

static inline void *ugfs_hook_argument(struct ftrace_regs *fregs, unsigned int number)
{
	return (void *)ftrace_regs_get_argument(fregs, number);
}

int ugfs_hook_attach(struct ugfs_hook *hook);
void ugfs_hook_detach(struct ugfs_hook *hook);
const char *ugfs_hook_cause(int err);

int ugfs_hooks_attach(void);
void ugfs_hooks_detach(void);

#endif /* _UTF8GUARD_FS_HOOK_H */
