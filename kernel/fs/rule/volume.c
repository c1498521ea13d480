// SPDX-License-Identifier: GPL-2.0
/* A file system that a rule is for: which super block it is, and whether there is one. */
#include <linux/completion.h>
#include <linux/fs.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>
#include <linux/wait.h>

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

/**
 * struct look - a look for a volume, in a thread of its own
 * @node: in the list of looks that go on
 * @ref: one of who asks, one of the thread
 * @late: the jiffies from which on nobody waits for it
 * @done: the thread has looked
 * @volume: what is looked for
 * @sighting: what the thread found
 */
struct look {
	struct list_head node;
	refcount_t ref;
	unsigned long late;
	struct completion done;
	struct ugfs_volume volume;
	struct ugfs_sighting sighting;
};

/* So often what is not seen is looked for. */
#define LOOKS 3

static LIST_HEAD(looks);
static DEFINE_SPINLOCK(looks_lock);
static DECLARE_WAIT_QUEUE_HEAD(look_ends);

static void look_put(struct look *look)
{
	if (refcount_dec_and_test(&look->ref))
		kfree(look);
}

static void look_end(struct look *look)
{
	spin_lock(&looks_lock);
	list_del(&look->node);
	spin_unlock(&looks_lock);
	wake_up_all(&look_ends);
}

static void compare(struct super_block *sb, void *data)
{
	struct look *look = data;

	if (!ugfs_volume_is(&look->volume, sb))
		return;
	look->sighting.mounted = true;
	look->sighting.dev = sb->s_dev;
}

/*
 * Waits for as long as any super block of the type is being mounted or unmounted. In older kernels,
 * as 6.1, that ends at one that is unmounted meanwhile, and older ones are not seen. So what is not
 * seen is looked for again; somebody who mounts and unmounts all the time can still hide it.
 */
static int look_thread(void *data)
{
	struct look *look = data;
	struct file_system_type *type = get_fs_type(look->volume.type);
	unsigned int i;

	if (type) {
		look->sighting.known = true;
		for (i = 0; i < LOOKS && !look->sighting.mounted; i++)
			iterate_supers_type(type, compare, look);
		module_put(type->owner);
	}
	look_end(look);
	complete(&look->done);
	look_put(look);
	module_put_and_kthread_exit(0);
}

static const struct look *look_at(const char *type)
{
	const struct look *look;

	list_for_each_entry(look, &looks, node)
		if (!strcmp(look->volume.type, type))
			return look;
	return NULL;
}

/*
 * One look at a time for each type: another one would wait for the same. Returns true where this
 * one may begin, or where the other one is late; then @err is -EAGAIN.
 */
static bool look_begin(struct look *look, int *err)
{
	const struct look *other;
	bool late;

	spin_lock(&looks_lock);
	other = look_at(look->volume.type);
	late = other && time_after_eq(jiffies, other->late);
	if (!other) {
		look->late = jiffies + HZ;
		list_add(&look->node, &looks);
	}
	spin_unlock(&looks_lock);
	*err = late ? -EAGAIN : 0;
	return !other || late;
}

static struct look *look_new(const struct ugfs_volume *volume)
{
	struct look *look = kzalloc(sizeof(*look), GFP_KERNEL);
	long left;
	int err;

	if (!look)
		return ERR_PTR(-ENOMEM);
	refcount_set(&look->ref, 2);
	init_completion(&look->done);
	look->volume = *volume;
	left = wait_event_killable_timeout(look_ends, look_begin(look, &err), HZ);
	if (left > 0 && !err)
		return look;
	kfree(look);
	return ERR_PTR(left < 0 ? -EINTR : -EAGAIN);
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
 * ugfs_volume_find() - is a volume mounted?
 * @volume: the volume
 * @sighting: set to what was found
 *
 * Context: process context; may sleep, but for two seconds at most, however long file systems of
 * this type are being mounted and unmounted; not at all where somebody has waited for one already.
 * Return: 0; -EAGAIN where it cannot be told yet, or the module is going away; -ENOMEM; -EINTR for
 * a fatal signal.
 */
int ugfs_volume_find(const struct ugfs_volume *volume, struct ugfs_sighting *sighting)
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
	if (left > 0)
		*sighting = look->sighting;
	look_put(look);
	if (left < 0)
		return -EINTR;
	return left ? 0 : -EAGAIN;
}
