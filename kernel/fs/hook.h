/* SPDX-License-Identifier: GPL-2.0 */
/* A function of the kernel that asks us before it makes a name. */
#ifndef _UTF8GUARD_FS_HOOK_H
#define _UTF8GUARD_FS_HOOK_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>

/**
 * struct fs_hook - a function that is redirected
 * @ops: its ftrace_ops, of FS_HOOK_OPS
 * @symbol: its name, as "function" or "module:function"
 * @ask: asks whether it may go on: 0, -EILSEQ or -EINVAL. Preemption is off.
 */
struct fs_hook {
	struct ftrace_ops ops;
	const char *symbol;
	int (*ask)(const struct fs_hook *hook, struct pt_regs *regs);
};

void fs_hook_handler(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		     struct ftrace_regs *fregs);

/* PERMANENT: no "echo 0 > ftrace_enabled" turns the check off behind our back. */
#define FS_HOOK_OPS {								\
	.func = fs_hook_handler,						\
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY |		\
		 FTRACE_OPS_FL_PERMANENT,					\
}

static inline void *fs_hook_argument(struct pt_regs *regs, unsigned int number)
{
	return (void *)regs_get_kernel_argument(regs, number);
}

int fs_hook_attach(struct fs_hook *hook);
void fs_hook_detach(struct fs_hook *hook);
const char *fs_hook_cause(int err);

#endif /* _UTF8GUARD_FS_HOOK_H */
