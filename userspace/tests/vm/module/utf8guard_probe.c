// SPDX-License-Identifier: GPL-2.0
/*
 * A kprobe with a post_handler. Such a kprobe redirects the function itself; one without leaves
 * that to ftrace.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe = {
	.symbol_name = "security_inode_symlink",
	.post_handler = after,
};

static int __init utf8guard_probe_init(void)
{
	return register_kprobe(&probe);
}

static void __exit utf8guard_probe_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(utf8guard_probe_init);
module_exit(utf8guard_probe_exit);

MODULE_DESCRIPTION("Test of utf8guard: probe a function on its way out");
MODULE_LICENSE("GPL");
