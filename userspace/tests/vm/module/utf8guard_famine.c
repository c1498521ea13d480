// SPDX-License-Identifier: GPL-2.0
/*
 * Allocations that fail, for kernels without failslab: one of those that the
 * modules of utf8guard ask for themselves, on behalf of one process.
 *
 *	echo PID >parameters/pid; echo 3 >parameters/countdown	the third one fails
 *	cat parameters/countdown				0: it has
 */
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>

static int pid;
module_param(pid, int, 0644);
MODULE_PARM_DESC(pid, "thread that is to starve");

static int countdown;
module_param(countdown, int, 0644);
MODULE_PARM_DESC(countdown, "which allocation from now on fails; 0 for none");

static void *nothing(void)
{
	return NULL;
}

static bool asked_by_utf8guard(unsigned long caller)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, caller);
	return strstr(name, "[utf8guard");
}

static notrace void handler(unsigned long ip, unsigned long parent_ip,
			    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int bit;

	if (!countdown || current->pid != pid)
		return;
	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0)
		return;
	if (asked_by_utf8guard(parent_ip) && !--countdown)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)nothing);
	ftrace_test_recursion_unlock(bit);
}

static struct ftrace_ops ops = {
	.func = handler,
	.flags = (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) ? FTRACE_OPS_FL_SAVE_REGS : 0) |
		 FTRACE_OPS_FL_IPMODIFY,
};

/* As 6.1 calls them, and 6.12: what one of them does not have is passed over. */
static const char *const symbols[] = {
	"kmalloc_trace", "kvmalloc_node", "__alloc_percpu_gfp", "kstrdup", "__alloc_skb",
	"__kmalloc_cache_noprof", "__kvmalloc_node_noprof", "pcpu_alloc_noprof",
	"kmem_cache_alloc", "kmem_cache_alloc_noprof",
};

static int filter(const char *symbol)
{
	struct kprobe probe = {
		.symbol_name = symbol,
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long address;

	if (register_kprobe(&probe))
		return 0;
	address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return ftrace_set_filter_ip(&ops, address, 0, 0);
}

static int __init utf8guard_famine_init(void)
{
	int i, err = 0;

	for (i = 0; i < ARRAY_SIZE(symbols) && !err; i++)
		err = filter(symbols[i]);
	err = err ?: register_ftrace_function(&ops);
	if (err)
		ftrace_free_filter(&ops);
	return err;
}

static void __exit utf8guard_famine_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
}

module_init(utf8guard_famine_init);
module_exit(utf8guard_famine_exit);

MODULE_DESCRIPTION("Test of utf8guard: make its allocations fail");
MODULE_LICENSE("GPL");
