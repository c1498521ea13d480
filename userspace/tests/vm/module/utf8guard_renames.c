// SPDX-License-Identifier: GPL-2.0
/*
 * A rename during each walk upwards of the name check: what such a walk has seen may be
 * wrong, so it must be repeated, or be made with rename_lock held.
 *
 *	echo 10 >parameters/renames		of the next ten ways, each has one
 *	cat parameters/walks			how many there were
 */
#include <linux/dcache.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/seqlock.h>

static unsigned int renames;
module_param(renames, uint, 0644);
MODULE_PARM_DESC(renames, "how many ways upwards from now on have a rename");

static unsigned int walks;
module_param(walks, uint, 0644);
MODULE_PARM_DESC(walks, "how many there were");

/* If the walk holds rename_lock, no rename happens. */
static int rename_once(struct kprobe *probe, struct pt_regs *regs)
{
	walks++;
	if (!renames || !spin_trylock(&rename_lock.lock))
		return 0;
	renames--;
	raw_write_seqcount_begin(&rename_lock.seqcount);
	raw_write_seqcount_end(&rename_lock.seqcount);
	spin_unlock(&rename_lock.lock);
	return 0;
}

static struct kprobe probe = {
	.symbol_name = "utf8guard_fs:ugfs_index_walk",
	.pre_handler = rename_once,
};

static int __init utf8guard_renames_init(void)
{
	return register_kprobe(&probe);
}

static void __exit utf8guard_renames_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(utf8guard_renames_init);
module_exit(utf8guard_renames_exit);

MODULE_DESCRIPTION("Test of utf8guard: rename while the name check looks for rules");
MODULE_LICENSE("GPL");
