// SPDX-License-Identifier: GPL-2.0
/*
 * Where a rule applies. A rule for a directory is tied to it by an fsnotify mark
 * on its inode. The mark keeps the inode in memory, so that the rule outlives
 * memory pressure, but it does not hold up umount or rmdir: fsnotify takes it
 * away then and says so. A directory has a mark for each rule that somebody
 * means to have for it: one in force, and one in any transaction.
 */
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <net/netlink.h>

#include "fs.h"

static struct fsnotify_group *group;

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

	kfree(place->path);
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

static int find_directory(const char *name, struct path *path,
			  struct netlink_ext_ack *extack)
{
	int err = kern_path(name, LOOKUP_FOLLOW | LOOKUP_DIRECTORY, path);

	switch (err) {
	case 0:
		break;
	case -ENOENT:
		NL_SET_ERR_MSG(extack, "no such directory");
		break;
	case -ENOTDIR:
		NL_SET_ERR_MSG(extack, "not a directory");
		break;
	default:
		NL_SET_ERR_MSG(extack, "the directory cannot be reached");
		break;
	}
	return err;
}

/* Tie a place to the directory that its path names. */
static int attach(struct fs_place *place, struct netlink_ext_ack *extack)
{
	struct inode *inode;
	struct path path;
	int err;

	err = find_directory(place->path, &path, extack);
	if (err)
		return err;
	inode = d_backing_inode(path.dentry);
	place->inode = inode;
	place->ino = inode->i_ino;
	strscpy(place->device, inode->i_sb->s_id, sizeof(place->device));
	err = fsnotify_add_inode_mark(&place->mark, inode, 0);
	if (err)
		NL_SET_ERR_MSG(extack, "the directory cannot be marked");
	path_put(&path);
	return err;
}

/**
 * fs_place_new() - find the place of a new rule
 * @path: of the directory; NULL for the default
 * @extack: told why not
 *
 * Context: process context of the user who named the path; may sleep, for as
 * long as looking up a path can take: no locks.
 * Return: the place, for fs_place_put(), or an ERR_PTR(): errors of path lookup,
 * -ENOMEM.
 */
struct fs_place *fs_place_new(const char *path, struct netlink_ext_ack *extack)
{
	struct fs_place *place = kzalloc(sizeof(*place), GFP_KERNEL_ACCOUNT);
	int err = 0;

	if (!place)
		return ERR_PTR(-ENOMEM);
	refcount_set(&place->ref, 1);
	fsnotify_init_mark(&place->mark, group);
	if (path) {
		place->scope = UTF8GUARD_FS_SCOPE_SUBTREE;
		place->path = kstrdup(path, GFP_KERNEL_ACCOUNT);
		err = place->path ? attach(place, extack) : -ENOMEM;
	}
	if (err) {
		fs_place_put(place);
		return ERR_PTR(err);
	}
	return place;
}

/* The last rule with this place is freed. May sleep. */
void fs_place_put(struct fs_place *place)
{
	if (!refcount_dec_and_test(&place->ref))
		return;
	fsnotify_destroy_mark(&place->mark, group);
	fsnotify_put_mark(&place->mark);
}
