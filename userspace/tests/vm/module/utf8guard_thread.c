// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel thread that makes a file, as the kernel's own servers do: which errno does it get?
 * The parameter result has it, negative, or 0.
 */
#include <linux/completion.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/namei.h>

static char *dir = "/tmp";
module_param(dir, charp, 0444);
MODULE_PARM_DESC(dir, "where to make it");

static char *name = "file";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "its name");

static int result;
module_param(result, int, 0444);
MODULE_PARM_DESC(result, "what came of it");

static DECLARE_COMPLETION(done);

/* From a path of the caller's: the thread need not have the same root. */
static int make(void *path)
{
	struct file *file = file_open_root(path, name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	result = PTR_ERR_OR_ZERO(file);
	if (!IS_ERR(file))
		fput(file);
	kthread_complete_and_exit(&done, 0);
}

static int __init utf8guard_thread_init(void)
{
	struct task_struct *task;
	struct path path;
	int err;

	err = kern_path(dir, LOOKUP_DIRECTORY, &path);
	if (err)
		return err;
	task = kthread_run(make, &path, "utf8guard_test");
	if (!IS_ERR(task))
		wait_for_completion(&done);
	path_put(&path);
	return PTR_ERR_OR_ZERO(task);
}

static void __exit utf8guard_thread_exit(void)
{
}

module_init(utf8guard_thread_init);
module_exit(utf8guard_thread_exit);

MODULE_DESCRIPTION("Test of utf8guard: make a file from a kernel thread");
MODULE_LICENSE("GPL");
