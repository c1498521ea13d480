// SPDX-License-Identifier: GPL-2.0
/*
 * Names of btrfs subvolumes and snapshots, which ioctls make. The kernel asks no LSM about
 * them, so the function of btrfs that makes them is redirected. That function is static, it is
 * in a module that may be loaded and unloaded at any time, or in the kernel itself, and its
 * arguments differ between kernels. BTF tells which argument is which. Where there is no BTF, or
 * the function in it has unknown arguments, btrfs is left alone, and show and the log say so.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/limits.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/path.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <uapi/linux/utf8guard_fs.h>

#include "attempt.h"
#include "check.h"
#include "hook.h"
#include "prototype.h"
#include "subvolume.h"

#define MODULE_NAME "btrfs"
#define FUNCTION "btrfs_mksubvol"

/* Part of the kernel that these modules are built for. */
#define IS_BUILT_IN IS_BUILTIN(CONFIG_BTRFS_FS)

/* Limit of the octets of BTF that are read; no kernel has so many. */
#define MAX_TYPES_SIZE (64 << 20)

/**
 * struct subvolume_hook - the function, attached to
 * @hook: for ftrace. It can be attached once only, so each load of btrfs takes a new one
 * @parent: number of the argument, from 0, that is the directory
 * @name: number of the argument that is the name: a qstr, or with @len its octets
 * @len: number of the argument that is the length of the name; -1 where @name is a qstr
 * @by_path: the directory is a struct path, not a dentry
 */
struct subvolume_hook {
	struct ugfs_hook hook;
	s8 parent, name, len;
	bool by_path;
};

/*
 * Guards what follows. module_goes() takes it, so btrfs stays loaded while somebody who holds it
 * attaches to it.
 */
static DEFINE_MUTEX(lock);
static struct subvolume_hook *attached;
/* btrfs is loaded, or is being loaded. Valid once look() has run, or btrfs has come or gone. */
static bool loaded;
static struct ugfs_subvolumes state = { .coverage = UTF8GUARD_FS_SUBVOLUMES_ABSENT };

static struct qstr name_of(const struct subvolume_hook *hook, struct ftrace_regs *fregs)
{
	const void *name = ugfs_hook_argument(fregs, hook->name);

	if (hook->len < 0)
		return *(const struct qstr *)name;
	return (struct qstr)QSTR_INIT(name, (u32)ftrace_regs_get_argument(fregs, hook->len));
}

/*
 * The directory is open, so it stays. btrfs has taken no lock yet. Only after this does it check
 * whether the caller may write to the directory, and whether the name exists.
 */
static int ask(const struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct subvolume_hook *hook = container_of(ops, struct subvolume_hook, hook.ops);
	const void *parent = ugfs_hook_argument(fregs, hook->parent);
	const struct qstr name = name_of(hook, fregs);
	struct ugfs_attempt attempt = { .op = "subvolume", .name = &name };

	/* btrfs itself refuses a name that is too long. */
	if (name.len > NAME_MAX || ugfs_check_clean(&name))
		return 0;
	attempt.parent = hook->by_path ? ((const struct path *)parent)->dentry : parent;
	attempt.dir = d_inode(attempt.parent);
	return ugfs_check(&attempt);
}

static notrace void handle(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			   struct ftrace_regs *fregs)
{
	if (ugfs_hook_begin(fregs))
		ugfs_hook_end(fregs, ask(ops, fregs));
}

/* The contents of a file of sysfs, to be given to kvfree(); or an ERR_PTR(). May sleep. */
static void *read_file(const char *path, size_t *len)
{
	struct file *file = filp_open(path, O_RDONLY, 0);
	loff_t at = 0, size;
	ssize_t n = 1;
	void *data;

	if (IS_ERR(file))
		return file;
	size = i_size_read(file_inode(file));
	data = ERR_PTR(-EINVAL);
	if (file_inode(file)->i_sb->s_magic == SYSFS_MAGIC && size > 0 && size <= MAX_TYPES_SIZE)
		data = kvmalloc(size, GFP_KERNEL) ?: ERR_PTR(-ENOMEM);
	while (!IS_ERR(data) && n > 0 && at < size)
		n = kernel_read(file, data + at, size - at, &at);
	filp_close(file, NULL);
	if (!IS_ERR(data) && at != size) {
		kvfree(data);
		data = ERR_PTR(n < 0 ? n : -EINVAL);
	}
	*len = size;
	return data;
}

/* The number of the parameter with this name, from 0; -1 where none has it with this type. */
static int parameter(const struct ugfs_btf *btf, const struct ugfs_prototype *prototype,
		     const char *name, const char *text)
{
	int number = ugfs_prototype_find(prototype, name);

	return number >= 0 && ugfs_btf_is(btf, prototype->parameter[number].type, text) ?
	       number : -1;
}

/* Finds the arguments; false where they are unknown. Since 6.17 they are a dentry and a qstr. */
static bool understand(struct subvolume_hook *hook, const struct ugfs_btf *btf,
		       const struct ugfs_prototype *prototype)
{
	hook->parent = parameter(btf, prototype, "parent", "struct path *");
	hook->by_path = hook->parent >= 0;
	if (!hook->by_path)
		hook->parent = parameter(btf, prototype, "parent", "struct dentry *");
	hook->name = parameter(btf, prototype, "qname", "struct qstr *");
	hook->len = -1;
	if (hook->name < 0) {
		hook->name = parameter(btf, prototype, "name", "char *");
		hook->len = parameter(btf, prototype, "namelen", "int");
		if (hook->len < 0)
			return false;
	}
	return hook->parent >= 0 && hook->name >= 0 && ugfs_btf_is(btf, prototype->result, "int");
}

/* @data: the BTF of btrfs as a module; NULL where @base_data, the kernel's, has these types. */
static int find_arguments(struct subvolume_hook *hook, const void *base_data, size_t base_len,
			  const void *data, size_t len)
{
	struct ugfs_prototype prototype;
	struct ugfs_btf base, btf;
	int err;

	err = ugfs_btf_init(&base, base_data, base_len, NULL);
	if (!err && data)
		err = ugfs_btf_init(&btf, data, len, &base);
	if (!err)
		err = ugfs_btf_prototype(data ? &btf : &base, FUNCTION, &prototype);
	if (err)
		return err;
	return understand(hook, data ? &btf : &base, &prototype) ? 0 : -EOPNOTSUPP;
}

/* Reads the BTF and finds the arguments. NULL, or why that failed, in words for users. */
static const char *read_arguments(struct subvolume_hook *hook)
{
	size_t base_len = 0, len = 0;
	void *base, *data = NULL;
	const char *why = NULL;

	if (!IS_BUILT_IN)
		data = read_file("/sys/kernel/btf/" MODULE_NAME, &len);
	if (IS_ERR(data))
		return "its types (BTF) cannot be read";
	base = read_file("/sys/kernel/btf/vmlinux", &base_len);
	if (IS_ERR(base))
		why = "the types (BTF) of the kernel cannot be read";
	else if (find_arguments(hook, base, base_len, data, len))
		why = "this kernel's " FUNCTION "() is unknown";
	if (!IS_ERR(base))
		kvfree(base);
	kvfree(data);
	return why;
}

/* Redirects the function. NULL, or why that failed. @lock is held. */
static const char *attach(void)
{
	struct subvolume_hook *hook = kzalloc(sizeof(*hook), GFP_KERNEL);
	const char *why;
	int err;

	if (!hook)
		return "out of memory";
	hook->hook = (struct ugfs_hook) {
		.ops = UGFS_HOOK_OPS(handle),
		.symbol = IS_BUILT_IN ? FUNCTION : MODULE_NAME ":" FUNCTION,
	};
	why = read_arguments(hook);
	if (!why) {
		err = ugfs_hook_attach(&hook->hook);
		why = err ? ugfs_hook_cause(err) : NULL;
	}
	if (why)
		kfree(hook);
	else
		attached = hook;
	return why;
}

/* Where ftrace still uses the hook, it is left to it. */
static void detach(void)
{
	if (!attached)
		return;
	if (ugfs_hook_detach(&attached->hook))
		kfree(attached);
	attached = NULL;
}

static bool is_loaded(void)
{
	struct file *file;

	if (IS_BUILT_IN)
		return true;
	file = filp_open("/sys/module/" MODULE_NAME, O_RDONLY | O_DIRECTORY, 0);
	if (IS_ERR(file))
		return false;
	filp_close(file, NULL);
	return true;
}

static void tell(const char *why)
{
	if (why && why != state.why)
		pr_warn("subvolumes of " MODULE_NAME " are not judged: %s\n", why);
	state.coverage = why ? UTF8GUARD_FS_SUBVOLUMES_UNCOVERED : UTF8GUARD_FS_SUBVOLUMES_COVERED;
	state.why = why;
}

/*
 * Runs in a worker, which sees the host's /sys. The task that loads a module may be in another
 * mount namespace.
 */
static void look(struct work_struct *work)
{
	mutex_lock(&lock);
	scoped_with_init_fs() {
		loaded = loaded || is_loaded();
		if (loaded && !attached)
			tell(attach());
	}
	mutex_unlock(&lock);
}

static DECLARE_WORK(look_work, look);

static void look_and_wait(void)
{
	/* Walking over all types of the kernel takes too long for a queue of one processor. */
	queue_work(system_dfl_wq, &look_work);
	flush_work(&look_work);
}

static void module_comes(void)
{
	mutex_lock(&lock);
	loaded = true;
	mutex_unlock(&lock);
	look_and_wait();
}

static void module_goes(void)
{
	mutex_lock(&lock);
	loaded = false;
	detach();
	state = (struct ugfs_subvolumes) { .coverage = UTF8GUARD_FS_SUBVOLUMES_ABSENT };
	mutex_unlock(&lock);
}

static int module_changed(struct notifier_block *block, unsigned long event, void *data)
{
	const struct module *module = data;

	if (strcmp(module->name, MODULE_NAME))
		return NOTIFY_DONE;
	/* COMING: before btrfs runs. LIVE: where btrfs was COMING already when ours was loaded. */
	if (event == MODULE_STATE_COMING || event == MODULE_STATE_LIVE)
		module_comes();
	else if (event == MODULE_STATE_GOING)
		module_goes();
	return NOTIFY_DONE;
}

/* Called after the notifier of BPF, which makes the file of a module's BTF. */
static struct notifier_block module_notifier = {
	.notifier_call = module_changed,
	.priority = -1,
};

/**
 * ugfs_subvolumes_attach() - watch subvolumes, now or as soon as btrfs is loaded
 *
 * Context: process context; may sleep; module init only.
 * Return: 0, or the error of register_module_notifier(). It is no error if subvolumes cannot be
 * watched; ugfs_subvolumes() says so.
 */
int ugfs_subvolumes_attach(void)
{
	int err = register_module_notifier(&module_notifier);

	if (!err)
		look_and_wait();
	return err;
}

/* Watches subvolumes no longer. Sleeps until no task is in a handler or a leaf. */
void ugfs_subvolumes_detach(void)
{
	unregister_module_notifier(&module_notifier);
	mutex_lock(&lock);
	detach();
	mutex_unlock(&lock);
}

/* Whether they are judged, and if not, why. Process context; may sleep. */
struct ugfs_subvolumes ugfs_subvolumes(void)
{
	struct ugfs_subvolumes now;

	mutex_lock(&lock);
	now = state;
	mutex_unlock(&lock);
	return now;
}
