// SPDX-License-Identifier: GPL-2.0
/*
 * Another user of ftrace that may change the instruction pointer of a function, as a livepatch
 * may. It never does.
 */
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static char *symbol = "security_inode_symlink";
module_param(symbol, charp, 0444);
MODULE_PARM_DESC(symbol, "the function to hold");

static notrace void handler(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops ops = {
	.func = handler,
	.flags = (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) ? FTRACE_OPS_FL_SAVE_REGS : 0) |
		 FTRACE_OPS_FL_IPMODIFY,
};

static int __init utf8guard_rival_init(void)
{
	/* A probe that is never armed finds the address faster than ftrace does. */
	struct kprobe probe = {
		.symbol_name = symbol,
		.flags = KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&probe);

	if (err)
		return err;
	err = ftrace_set_filter_ip(&ops, (unsigned long)probe.addr, 0, 0);
	unregister_kprobe(&probe);
	if (!err)
		err = register_ftrace_function(&ops);
	if (err)
		ftrace_free_filter(&ops);
	return err;
}

static void __exit utf8guard_rival_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
}

module_init(utf8guard_rival_init);
module_exit(utf8guard_rival_exit);

MODULE_DESCRIPTION("Test of utf8guard: hold a function as livepatch does");
MODULE_LICENSE("GPL");
