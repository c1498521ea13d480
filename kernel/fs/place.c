// SPDX-License-Identifier: GPL-2.0
/*
 * Where rules apply. A place that is a directory or a super block is tied to it
 * by an fsnotify mark on the inode, or on that of the root. The mark keeps the
 * inode in memory, so that rules outlive memory pressure, but it does not hold
 * up umount or rmdir: fsnotify takes it away then and says so. All rules for the
 * same place share it, be they in force or in a transaction.
 */
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include <linux/workqueue.h>
#include <net/netlink.h>

#include "fs.h"

static struct fsnotify_group *group;

/* All places that rules have; none has no rule. */
static DEFINE_HASHTABLE(places, 10);
static DEFINE_MUTEX(places_lock);

/* The module is going away, and all the rules with it. */
static bool closing;

static void reap(struct work_struct *work)
{
	if (!READ_ONCE(closing))
		utf8guard_ruleset_reap(&fs_ruleset);
}

static DECLARE_WORK(reap_work, reap);

/*
 * The directory is removed, or its file system unmounted, or no rule has the
 * place any more. Called before fsnotify drops its reference to the inode:
 * whoever finds another inode at that address later sees the place dead.
 */
static void freeing_mark(struct fsnotify_mark *mark, struct fsnotify_group *g)
{
	struct fs_place *place = container_of(mark, struct fs_place, mark);

	WRITE_ONCE(place->dead, true);
	if (refcount_read(&place->ref))
		schedule_work(&reap_work);
}

/* Neither a rule nor fsnotify knows of it any more. */
static void free_mark(struct fsnotify_mark *mark)
{
	struct fs_place *place = container_of(mark, struct fs_place, mark);

	kfree(place->fstype);
	kfree(place);
}

/* The mark asks for no events; fsnotify wants a function all the same. */
static int handle_event(struct fsnotify_mark *mark, u32 mask, struct inode *inode,
			struct inode *dir, const struct qstr *name, u32 cookie)
{
	return 0;
}

static const struct fsnotify_ops ops = {
	.handle_inode_event = handle_event,
	.freeing_mark = freeing_mark,
	.free_mark = free_mark,
};

int fs_place_init(void)
{
	/* The root of a file system may have two: as a directory, and for it all. */
	group = fsnotify_alloc_group(&ops, FSNOTIFY_GROUP_DUPS);
	return PTR_ERR_OR_ZERO(group);
}

/* From now on rules whose directories go stay where they are. */
void fs_place_close(void)
{
	WRITE_ONCE(closing, true);
	cancel_work_sync(&reap_work);
}

/* No rule is left: what remains is to wait for the last callbacks. */
void fs_place_exit(void)
{
	fsnotify_put_group(group);
	fsnotify_wait_marks_destroyed();
	cancel_work_sync(&reap_work);
}

u32 fs_place_hash_inode(const struct inode *inode)
{
	return hash_ptr(inode, 32);
}

u32 fs_place_hash_fstype(const char *name, size_t len)
{
	return full_name_hash(NULL, name, len);
}

static bool is_place(const struct fs_place *place, u8 scope, const struct inode *inode,
		     const char *fstype)
{
	return place->scope == scope && place->inode == inode && !READ_ONCE(place->dead) &&
	       (!fstype || !strcmp(place->fstype, fstype));
}

/* A place with no rule yet. Nobody knows of it. */
static struct fs_place *place_alloc(u8 scope, const char *fstype)
{
	struct fs_place *place = kzalloc(sizeof(*place), GFP_KERNEL_ACCOUNT);

	if (!place)
		return NULL;
	refcount_set(&place->ref, 1);
	place->scope = scope;
	fsnotify_init_mark(&place->mark, group);
	if (fstype) {
		place->fstype = kstrdup(fstype, GFP_KERNEL_ACCOUNT);
		if (!place->fstype) {
			fsnotify_put_mark(&place->mark);
			return NULL;
		}
	}
	return place;
}

static int attach(struct fs_place *place, struct inode *inode)
{
	place->inode = inode;
	place->sb = inode->i_sb;
	place->ino = inode->i_ino;
	strscpy(place->device, inode->i_sb->s_id, sizeof(place->device));
	return fsnotify_add_inode_mark(&place->mark, inode, 0);
}

/* One that nobody has yet. */
static struct fs_place *place_new(u8 scope, struct inode *inode, const char *fstype, u32 hash)
{
	struct fs_place *place = place_alloc(scope, fstype);
	int err;

	if (!place)
		return ERR_PTR(-ENOMEM);
	place->hash = hash;
	err = inode ? attach(place, inode) : 0;
	if (err) {
		fsnotify_put_mark(&place->mark);
		return ERR_PTR(err);
	}
	hash_add(places, &place->node, hash);
	return place;
}

static struct fs_place *place_get(u8 scope, struct inode *inode, const char *fstype, u32 hash)
{
	struct fs_place *place;

	mutex_lock(&places_lock);
	hash_for_each_possible(places, place, node, hash) {
		if (!is_place(place, scope, inode, fstype))
			continue;
		refcount_inc(&place->ref);
		goto found;
	}
	place = place_new(scope, inode, fstype, hash);
found:
	mutex_unlock(&places_lock);
	return place;
}

/* Where there is no other rule. For fs_place_put(), or ERR_PTR(-ENOMEM). */
struct fs_place *fs_place_of_default(void)
{
	return place_get(UTF8GUARD_FS_SCOPE_DEFAULT, NULL, NULL, 0);
}

/* The file systems of a type. For fs_place_put(), or ERR_PTR(-ENOMEM). */
struct fs_place *fs_place_of_fstype(const char *fstype)
{
	return place_get(UTF8GUARD_FS_SCOPE_FSTYPE, NULL, fstype,
			 fs_place_hash_fstype(fstype, strlen(fstype)));
}

/* Look a path up, for path_put(). May sleep for long. */
int fs_place_find(const char *name, unsigned int flags, struct path *path,
		  struct netlink_ext_ack *extack)
{
	int err = kern_path(name, LOOKUP_FOLLOW | flags, path);

	switch (err) {
	case 0:
		break;
	case -ENOENT:
		NL_SET_ERR_MSG(extack, "no such file or directory");
		break;
	case -ENOTDIR:
		NL_SET_ERR_MSG(extack, "not a directory");
		break;
	default:
		NL_SET_ERR_MSG(extack, "the path cannot be reached");
		break;
	}
	return err;
}

/**
 * fs_place_of_path() - the place that a path names
 * @scope: subtree or superblock
 * @name: the path, of a directory in the first case
 * @extack: told why not
 *
 * Context: process context of the user who named the path; may sleep, for as
 * long as looking up a path can take: no locks.
 * Return: the place, for fs_place_put(), or an ERR_PTR(): errors of path lookup,
 * -ENOMEM.
 */
struct fs_place *fs_place_of_path(u8 scope, const char *name,
				  struct netlink_ext_ack *extack)
{
	bool is_tree = scope == UTF8GUARD_FS_SCOPE_SUBTREE;
	struct fs_place *place;
	struct inode *inode;
	struct path path;
	int err;

	err = fs_place_find(name, is_tree ? LOOKUP_DIRECTORY : 0, &path, extack);
	if (err)
		return ERR_PTR(err);
	inode = d_backing_inode(is_tree ? path.dentry : path.dentry->d_sb->s_root);
	place = place_get(scope, inode, NULL, fs_place_hash_inode(inode));
	if (IS_ERR(place))
		NL_SET_ERR_MSG(extack, "the inode cannot be marked");
	path_put(&path);
	return place;
}

/* A rule with this place is freed. May sleep. */
void fs_place_put(struct fs_place *place)
{
	if (!refcount_dec_and_mutex_lock(&place->ref, &places_lock))
		return;
	hash_del(&place->node);
	mutex_unlock(&places_lock);
	fsnotify_destroy_mark(&place->mark, group);
	fsnotify_put_mark(&place->mark);
}
