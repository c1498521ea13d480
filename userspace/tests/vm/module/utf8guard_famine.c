// SPDX-License-Identifier: GPL-2.0
/*
 * Allocations that fail, for kernels without failslab: one of those that the
 * modules of utf8guard ask for themselves, on behalf of one process.
 *
 *	echo PID >parameters/pid; echo 3 >parameters/countdown	the third one fails
 *	cat parameters/countdown				0: it has
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
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

/* For an int and for a pointer. */
static void *refused(void)
{
	return ERR_PTR(-ENOMEM);
}

static unsigned long caller_of(struct pt_regs *regs)
{
#ifdef CONFIG_X86_64
	return *(unsigned long *)regs->sp;
#else
	return procedure_link_pointer(regs);
#endif
}

/* Each of our modules has "utf8" in its name, and no other one that is loaded here. */
static bool asked_by_utf8guard(struct pt_regs *regs)
{
	char name[KSYM_SYMBOL_LEN];
	const char *module;

	sprint_symbol(name, caller_of(regs));
	module = strchr(name, '[');
	return module && strstr(module, "utf8");
}

/* Another function is called instead; returns whether. */
static int starve(struct pt_regs *regs, void *(*instead)(void))
{
	if (!countdown || current->pid != pid || !asked_by_utf8guard(regs) || --countdown)
		return 0;
	instruction_pointer_set(regs, (unsigned long)instead);
	return 1;
}

static int give_nothing(struct kprobe *probe, struct pt_regs *regs)
{
	return starve(regs, nothing);
}

static int refuse(struct kprobe *probe, struct pt_regs *regs)
{
	return starve(regs, refused);
}

/* With this, a probe is not made a jump, or a call of ftrace that must not redirect. */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

#define NOTHING(name) { .symbol_name = name, .pre_handler = give_nothing, .post_handler = after }
#define REFUSED(name) { .symbol_name = name, .pre_handler = refuse, .post_handler = after }

/*
 * As 6.1, 6.12 and 7.3 call them: what one of them does not have is passed over. starved.t checks
 * that none is missing that the modules import. Those that are refused ask for memory themselves.
 */
static struct kprobe probes[] = {
	NOTHING("__alloc_percpu_gfp"), NOTHING("__alloc_skb"), NOTHING("__kmalloc"),
	NOTHING("__kmalloc_cache_noprof"), NOTHING("__kmalloc_noprof"),
	NOTHING("__kmem_cache_create_args"), NOTHING("__kvmalloc_node_noprof"),
	NOTHING("__pskb_pull_tail"), NOTHING("alloc_workqueue"), NOTHING("alloc_workqueue_noprof"),
	NOTHING("audit_log_start"), NOTHING("kmalloc_trace"), NOTHING("kmem_cache_alloc"),
	NOTHING("kmem_cache_alloc_noprof"), NOTHING("kmem_cache_create"), NOTHING("kmemdup"),
	NOTHING("kmemdup_noprof"), NOTHING("kstrdup"), NOTHING("kvmalloc_node"),
	NOTHING("pcpu_alloc_noprof"),
	REFUSED("__rhashtable_init_noprof"), REFUSED("genl_register_family"),
	REFUSED("kthread_create_on_node"), REFUSED("nf_ct_netns_get"),
	REFUSED("nf_register_net_hook"), REFUSED("pskb_expand_head"),
	REFUSED("register_pernet_subsys"), REFUSED("rhashtable_init"),
	REFUSED("rhashtable_init_noprof"), REFUSED("skb_copy_ubufs"),
};

static void feed(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (probes[i].addr)
			unregister_kprobe(&probes[i]);
}

static int __init utf8guard_famine_init(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = register_kprobe(&probes[i]);
		if (!err || err == -ENOENT)
			continue;
		pr_err("%s() cannot be made to fail: error %d\n", probes[i].symbol_name, err);
		probes[i].addr = NULL;
		feed();
		return err;
	}
	return 0;
}

module_init(utf8guard_famine_init);
module_exit(feed);

MODULE_DESCRIPTION("Test of utf8guard: make its allocations fail");
MODULE_LICENSE("GPL");
