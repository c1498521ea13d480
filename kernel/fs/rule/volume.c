// SPDX-License-Identifier: GPL-2.0
/* A file system that a rule is for: which super block it is, and whether there is one. */
#include <linux/completion.h>
#include <linux/fs.h>
#include <linux/jhash.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "volume.h"

static u32 hash_uuid(const uuid_t *uuid)
{
	return jhash(uuid, sizeof(*uuid), 0);
}

/* The hash by which the index finds rules for a file system. Any context; pure. */
u32 ugfs_volume_hash(const struct ugfs_volume *volume)
{
	return uuid_is_null(&volume->uuid) ? volume->dev : hash_uuid(&volume->uuid);
}

/* The hash that ugfs_volume_hash() has for the volume of this super block. */
u32 ugfs_volume_hash_sb(const struct super_block *sb)
{
	return uuid_is_null(&sb->s_uuid) ? sb->s_dev : hash_uuid(&sb->s_uuid);
}

/*
 * Is a super block with the UUID of the volume really that volume? A user can mount an overlay
 * in a user namespace of his own and give it any UUID, also that of an overlay of the host. So the
 * type must be the same, too, and who mounted it, the host or a user. Of what users mount, the
 * device number must be the one that the rule was made for.
 */
static bool is_genuine(const struct ugfs_volume *volume, const struct super_block *sb)
{
	return !strcmp(volume->type, sb->s_type->name) &&
	       volume->is_private == (sb->s_user_ns != &init_user_ns) &&
	       (!volume->is_private || volume->dev == sb->s_dev);
}

/**
 * ugfs_volume_is() - is a super block the file system that a rule is for?
 * @volume: the file system of the rule
 * @sb: the super block
 *
 * By the UUID and the type; by the device number and the type where there is no UUID.
 *
 * Context: any; takes no lock.
 * Return: whether it is.
 */
bool ugfs_volume_is(const struct ugfs_volume *volume, const struct super_block *sb)
{
	if (!uuid_is_null(&volume->uuid))
		return uuid_equal(&volume->uuid, &sb->s_uuid) && is_genuine(volume, sb);
	/*
	 * A device number alone may be given to another file system. Users can wait for one and
	 * take it, with what they mount in namespaces of their own.
	 */
	return volume->dev && volume->dev == sb->s_dev && uuid_is_null(&sb->s_uuid) &&
	       !strcmp(volume->type, sb->s_type->name) &&
	       volume->is_private == (sb->s_user_ns != &init_user_ns);
}

/* Are two volumes the same file system? As ugfs_volume_is() compares. Any context; pure. */
bool ugfs_volume_same(const struct ugfs_volume *a, const struct ugfs_volume *b)
{
	if (strcmp(a->type, b->type) || a->is_private != b->is_private ||
	    !uuid_equal(&a->uuid, &b->uuid))
		return false;
	return a->dev == b->dev || !(a->is_private || uuid_is_null(&a->uuid));
}

/* How many modules have been loaded since this one was. */
static atomic_t modules_loaded = ATOMIC_INIT(0);

static int module_changed(struct notifier_block *block, unsigned long event, void *data)
{
	if (event == MODULE_STATE_LIVE)
		atomic_inc(&modules_loaded);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = module_changed };

/* How many modules have been loaded by now? Any context. */
int ugfs_volume_modules(void)
{
	return atomic_read(&modules_loaded);
}

/* Begins to count modules that are loaded. Module init; may sleep. Returns 0 or an error. */
int ugfs_volume_init(void)
{
	return register_module_notifier(&module_notifier);
}

/* Undoes ugfs_volume_init(). All rules are freed, and no look goes on. May sleep. */
void ugfs_volume_exit(void)
{
	unregister_module_notifier(&module_notifier);
}

/* For ugfs_volume_find(): is there a super block of the volume, and which device has it? */
struct search {
	const struct ugfs_volume *volume;
	bool found;
	dev_t dev;
};

static void compare(struct super_block *sb, void *data)
{
	struct search *search = data;

	if (!ugfs_volume_is(search->volume, sb))
		return;
	search->found = true;
	search->dev = sb->s_dev;
}

/**
 * ugfs_volume_find() - is a volume mounted?
 * @volume: the volume
 * @type: its type; its reference is given back
 * @dev: set to its device number if it is mounted
 *
 * Context: process context; may sleep for as long as any super block of the type is being mounted
 * or unmounted, which a server that does not answer can make for ever. Hold no lock that users
 * wait for.
 * Return: whether it is.
 */
bool ugfs_volume_find(const struct ugfs_volume *volume, struct file_system_type *type, dev_t *dev)
{
	struct search search = { .volume = volume };

	iterate_supers_type(type, compare, &search);
	module_put(type->owner);
	if (search.found)
		*dev = search.dev;
	return search.found;
}

/**
 * struct look - a look whether a volume is gone, in a thread of its own
 * @node: in the list of looks that go on
 * @ref: one of who asks, one of the thread
 * @done: the thread has looked
 * @volume: what is looked for
 * @gone: what the thread found
 */
struct look {
	struct list_head node;
	refcount_t ref;
	struct completion done;
	struct ugfs_volume volume;
	bool gone;
};

static LIST_HEAD(looks);
static DEFINE_MUTEX(looks_lock);

static void look_put(struct look *look)
{
	if (refcount_dec_and_test(&look->ref))
		kfree(look);
}

static void look_end(struct look *look)
{
	mutex_lock(&looks_lock);
	list_del(&look->node);
	mutex_unlock(&looks_lock);
}

static int look_thread(void *data)
{
	struct look *look = data;
	struct file_system_type *type = get_fs_type(look->volume.type);
	dev_t dev;

	look->gone = !type || !ugfs_volume_find(&look->volume, type, &dev);
	look_end(look);
	complete(&look->done);
	look_put(look);
	module_put_and_kthread_exit(0);
}

static bool is_looked_at(const char *type)
{
	const struct look *look;

	list_for_each_entry(look, &looks, node)
		if (!strcmp(look->volume.type, type))
			return true;
	return false;
}

/* One look at a time for each type: another one would wait for the same. */
static struct look *look_new(const struct ugfs_volume *volume)
{
	struct look *look = kzalloc(sizeof(*look), GFP_KERNEL);

	if (!look)
		return ERR_PTR(-ENOMEM);
	refcount_set(&look->ref, 2);
	init_completion(&look->done);
	look->volume = *volume;
	mutex_lock(&looks_lock);
	if (is_looked_at(volume->type)) {
		mutex_unlock(&looks_lock);
		kfree(look);
		return ERR_PTR(-EAGAIN);
	}
	list_add(&look->node, &looks);
	mutex_unlock(&looks_lock);
	return look;
}

/* The thread has a reference to the module, for it may outlast whoever asks. */
static int look_start(struct look *look)
{
	struct task_struct *thread;

	if (!try_module_get(THIS_MODULE))
		return -EAGAIN;
	thread = kthread_run(look_thread, look, "utf8guard_look");
	if (!IS_ERR(thread))
		return 0;
	module_put(THIS_MODULE);
	return PTR_ERR(thread);
}

/**
 * ugfs_volume_is_gone() - is there no super block of a volume any more?
 * @volume: the volume
 *
 * Context: process context; may sleep, but for a second at most, however long file systems of
 * this type are being mounted and unmounted.
 * Return: 1 if there is none; 0 if there is one; -EAGAIN where that cannot be told yet, or the
 * module is going away; -ENOMEM; -EINTR for a fatal signal.
 */
int ugfs_volume_is_gone(const struct ugfs_volume *volume)
{
	struct look *look = look_new(volume);
	long left;
	int err;

	if (IS_ERR(look))
		return PTR_ERR(look);
	err = look_start(look);
	if (err) {
		look_end(look);
		kfree(look);
		return err;
	}
	left = wait_for_completion_killable_timeout(&look->done, HZ);
	err = left > 0 ? look->gone : left ? -EINTR : -EAGAIN;
	look_put(look);
	return err;
}
