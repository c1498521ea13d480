// SPDX-License-Identifier: GPL-2.0
/*
 * A real livepatch of a function that the name check redirects. The replacement asks no LSM:
 * for tests only.
 */
#include <linux/fs.h>
#include <linux/livepatch.h>
#include <linux/module.h>

static int livepatch_inode_symlink(struct inode *dir, struct dentry *dentry, const char *target)
{
	return 0;
}

static struct klp_func funcs[] = {
	{
		.old_name = "security_inode_symlink",
		.new_func = livepatch_inode_symlink,
	}, { }
};

static struct klp_object objs[] = {
	{ .funcs = funcs }, { }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objs,
};

static int __init utf8guard_livepatch_init(void)
{
	return klp_enable_patch(&patch);
}

/* The kernel lets the module go only after the patch was disabled. */
static void __exit utf8guard_livepatch_exit(void)
{
}

module_init(utf8guard_livepatch_init);
module_exit(utf8guard_livepatch_exit);

MODULE_DESCRIPTION("Test of utf8guard: livepatch a function");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
