// SPDX-License-Identifier: GPL-2.0
/*
 * What ties a rule to a directory: an fsnotify mark on its inode. The mark
 * keeps the inode in memory, so that the rule outlives memory pressure, but it
 * does not hold up umount or rmdir: fsnotify takes it away then and says so.
 */
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <net/netlink.h>

#include "fs.h"

struct fs_subtree {
	struct fsnotify_mark mark;
	struct fs_rule *rule;
};

static struct fsnotify_group *group;

/* The module is going away, and all the rules with it. */
static bool closing;

static void reap(struct work_struct *work)
{
	if (!READ_ONCE(closing))
		fs_policy_reap();
}

static DECLARE_WORK(reap_work, reap);

/*
 * The directory is removed, or its file system unmounted, or the rule deleted.
 * Called before fsnotify drops its reference to the inode: whoever finds
 * another inode at that address later sees the rule dead.
 */
static void freeing_mark(struct fsnotify_mark *mark, struct fsnotify_group *g)
{
	struct fs_subtree *subtree = container_of(mark, struct fs_subtree, mark);

	WRITE_ONCE(subtree->rule->dead, true);
	schedule_work(&reap_work);
}

static void free_mark(struct fsnotify_mark *mark)
{
	struct fs_subtree *subtree = container_of(mark, struct fs_subtree, mark);

	fs_rule_put(subtree->rule);
	kfree(subtree);
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

int fs_subtree_init(void)
{
	group = fsnotify_alloc_group(&ops, 0);
	return PTR_ERR_OR_ZERO(group);
}

/* From now on nobody but the caller changes the policy of itself. */
void fs_subtree_close(void)
{
	WRITE_ONCE(closing, true);
	cancel_work_sync(&reap_work);
}

/* No rule is left: what remains is to wait for the last callbacks. */
void fs_subtree_exit(void)
{
	fsnotify_put_group(group);
	fsnotify_wait_marks_destroyed();
	cancel_work_sync(&reap_work);
}

/* Takes a reference of its own on @rule, given back in free_mark(). */
static int attach_to(struct fs_rule *rule, struct inode *inode)
{
	struct fs_subtree *subtree = kzalloc(sizeof(*subtree), GFP_KERNEL_ACCOUNT);
	int err;

	if (!subtree)
		return -ENOMEM;
	fsnotify_init_mark(&subtree->mark, group);
	fs_rule_get(rule);
	subtree->rule = rule;
	rule->inode = inode;
	err = fsnotify_add_inode_mark(&subtree->mark, inode, 0);
	if (err)
		fsnotify_put_mark(&subtree->mark);
	else
		rule->subtree = subtree;
	return err;
}

static int subtree_path(const char *name, struct path *path,
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

/**
 * fs_subtree_attach() - tie a rule to the directory that its path names
 * @rule: a new rule with a path
 * @extack: told why not
 *
 * Context: process context of the user who named the path; may sleep.
 * Return: 0; -EEXIST where the directory has a rule; errors of path lookup;
 * -ENOMEM.
 */
int fs_subtree_attach(struct fs_rule *rule, struct netlink_ext_ack *extack)
{
	struct inode *inode;
	struct path path;
	int err;

	err = subtree_path(rule->path, &path, extack);
	if (err)
		return err;
	inode = d_backing_inode(path.dentry);
	rule->ino = inode->i_ino;
	strscpy(rule->device, inode->i_sb->s_id, sizeof(rule->device));
	err = attach_to(rule, inode);
	if (err == -EEXIST)
		NL_SET_ERR_MSG(extack, "the directory has a rule already");
	else if (err)
		NL_SET_ERR_MSG(extack, "the directory cannot be marked");
	path_put(&path);
	return err;
}

/**
 * fs_subtree_detach() - take the rule away from its directory
 * @rule: in no policy any more; one that never was attached is fine
 *
 * Context: process context; may sleep; the policy's mutex is held.
 */
void fs_subtree_detach(struct fs_rule *rule)
{
	struct fs_subtree *subtree = rule->subtree;

	if (!subtree)
		return;
	rule->subtree = NULL;
	fsnotify_destroy_mark(&subtree->mark, group);
	fsnotify_put_mark(&subtree->mark);
}
