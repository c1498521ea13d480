// SPDX-License-Identifier: GPL-2.0
/*
 * Where rules apply. A place that is a directory or a super block is a file system, by
 * its UUID or its device, and a path from its root: names, which are compared with those
 * of the directories on the way up from a new name. It holds nothing and needs no word
 * of what becomes of the directory: it may be removed and made again, or not be there
 * yet. All rules for the same place share it, be they in force or in a transaction.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/stringhash.h>
#include <linux/user_namespace.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "location.h"
#include "path.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/* All places that rules have; none has no rule. */
static DEFINE_HASHTABLE(locations, 10);
static DEFINE_MUTEX(places_lock);

u32 ugfs_location_hash_fstype(const char *name, size_t len)
{
	return full_name_hash(NULL, name, len);
}

static u32 hash_uuid(const uuid_t *uuid)
{
	return jhash(uuid, sizeof(*uuid), 0);
}

u32 ugfs_volume_hash(const struct ugfs_volume *volume)
{
	return uuid_is_null(&volume->uuid) ? volume->dev : hash_uuid(&volume->uuid);
}

/* That of the volume that a super block is, whatever else it may be. */
u32 ugfs_volume_hash_sb(const struct super_block *sb)
{
	return uuid_is_null(&sb->s_uuid) ? sb->s_dev : hash_uuid(&sb->s_uuid);
}

/*
 * A user may mount an overlay in a namespace of his own, and give it any UUID: that of a
 * file system with another type is worth nothing, nor is that of one which is mounted so,
 * but for the very one that the rule was made for.
 */
static bool is_genuine(const struct ugfs_volume *volume, const struct super_block *sb)
{
	return !strcmp(volume->type, sb->s_type->name) &&
	       (sb->s_user_ns == &init_user_ns || volume->dev == sb->s_dev);
}

bool ugfs_volume_is(const struct ugfs_volume *volume, const struct super_block *sb)
{
	if (!uuid_is_null(&volume->uuid))
		return uuid_equal(&volume->uuid, &sb->s_uuid) && is_genuine(volume, sb);
	/* A device number alone may be given to another file system. */
	return volume->dev && volume->dev == sb->s_dev && uuid_is_null(&sb->s_uuid) &&
	       !strcmp(volume->type, sb->s_type->name);
}

bool ugfs_volume_same(const struct ugfs_volume *a, const struct ugfs_volume *b)
{
	if (!uuid_is_null(&a->uuid) || !uuid_is_null(&b->uuid))
		return uuid_equal(&a->uuid, &b->uuid) && !strcmp(a->type, b->type);
	return a->dev == b->dev && !strcmp(a->type, b->type);
}

/* Which of the trees on a super block: but for clients of NFS, there is one. */
u64 ugfs_location_tree(const struct dentry *root)
{
	const struct inode *inode = READ_ONCE(root->d_inode);

	return inode && root != root->d_sb->s_root ? inode->i_ino : 0;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_place(const struct ugfs_location *location, const struct ugfs_location *other)
{
	return location->scope == other->scope && location->tree == other->tree &&
	       ugfs_volume_same(&location->volume, &other->volume) &&
	       same_text(location->inside, other->inside) &&
	       same_text(location->fstype, other->fstype) &&
	       same_text(location->unfound, other->unfound);
}

static void place_free(struct ugfs_location *location)
{
	kfree(location->inside);
	kfree(location->fstype);
	kfree(location->unfound);
	kfree(location);
}

static u32 hash_text(const char *text, u32 hash)
{
	return text ? jhash(text, strlen(text), hash) : hash;
}

/* The place that all have who have one like it; takes @location over, or frees it. */
static struct ugfs_location *place_share(struct ugfs_location *location)
{
	struct ugfs_location *other;

	location->hash = ugfs_volume_hash(&location->volume);
	if (location->fstype)
		location->hash =
			ugfs_location_hash_fstype(location->fstype, strlen(location->fstype));
	location->key = hash_text(location->unfound, hash_text(location->inside, location->hash));
	mutex_lock(&places_lock);
	hash_for_each_possible(locations, other, node, location->key) {
		if (!is_place(other, location))
			continue;
		refcount_inc(&other->ref);
		/* It was seen just now. */
		if (location->present) {
			WRITE_ONCE(other->seen, location->seen);
			WRITE_ONCE(other->present, true);
		}
		place_free(location);
		location = other;
		goto found;
	}
	hash_add(locations, &location->node, location->key);
found:
	mutex_unlock(&places_lock);
	return location;
}

/* What is left of @path on @inside, which has so many octets. */
static int append(char *inside, size_t len, const char *path, struct netlink_ext_ack *extack)
{
	int err = ugfs_path_append(inside, len, PATH_MAX, path);

	if (err)
		NL_SET_ERR_MSG(extack, "this is no path within a file system");
	return err;
}

static unsigned int depth_of(const char *inside)
{
	unsigned int depth = 0;

	while (*inside)
		depth += *inside++ == '/';
	return depth;
}

static int set_inside(struct ugfs_location *location, const char *inside,
		      struct netlink_ext_ack *extack)
{
	if (depth_of(inside) > UGFS_MAX_INSIDE) {
		NL_SET_ERR_MSG(extack, "more than 63 directories from the root of its file system");
		return -ENAMETOOLONG;
	}
	location->inside = kstrdup(inside, GFP_KERNEL_ACCOUNT);
	return location->inside ? 0 : -ENOMEM;
}

/* NULL of a directory that is too deep to be a place. rcu_read_lock() held. */
static const struct dentry *root_of(const struct dentry *dentry)
{
	unsigned int depth;

	for (depth = 0; depth <= UGFS_MAX_DEPTH; depth++) {
		if (IS_ROOT(dentry))
			return dentry;
		dentry = READ_ONCE(dentry->d_parent);
	}
	return NULL;
}

static void set_volume(struct ugfs_location *location, const struct super_block *sb)
{
	location->volume.uuid = sb->s_uuid;
	location->volume.dev = sb->s_dev;
	location->seen = sb->s_dev;
	strscpy(location->volume.type, sb->s_type->name, sizeof(location->volume.type));
	strscpy(location->device, sb->s_id, sizeof(location->device));
	/* That of a tmpfs is made up as it is mounted. */
	location->lasting = !uuid_is_null(&sb->s_uuid) && sb->s_type->fs_flags & FS_REQUIRES_DEV;
	location->present = true;
}

/* What is open, and what is below it that is not there yet. */
static int place_by_path(struct ugfs_location *location, const struct path *path, const char *below,
			 char *buffer, struct netlink_ext_ack *extack)
{
	const struct dentry *root;
	char *inside;
	int err;

	set_volume(location, path->dentry->d_sb);
	if (location->scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK)
		return 0;
	if (d_unlinked(path->dentry)) {
		NL_SET_ERR_MSG(extack, "the directory is removed");
		return -ENOENT;
	}
	if (!d_is_dir(path->dentry)) {
		NL_SET_ERR_MSG(extack, "not a directory");
		return -ENOTDIR;
	}
	rcu_read_lock();
	root = root_of(path->dentry);
	if (root)
		location->tree = ugfs_location_tree(root);
	rcu_read_unlock();
	inside = root ? dentry_path_raw(path->dentry, buffer, PATH_MAX) : ERR_PTR(-ENAMETOOLONG);
	if (IS_ERR(inside)) {
		NL_SET_ERR_MSG(extack, "the path from the root of its file system is too long");
		return PTR_ERR(inside);
	}
	if (!strcmp(inside, "/"))
		inside++;
	memmove(buffer, inside, strlen(inside) + 1);
	err = append(buffer, strlen(buffer), below, extack);
	return err ?: set_inside(location, buffer, extack);
}

static int place_by_uuid(struct ugfs_location *location, struct nlattr **attrs, const char *inside,
			 char *buffer, struct netlink_ext_ack *extack)
{
	const struct nlattr *type = attrs[ATTR(VOLUME_TYPE)];
	int err;

	if (!type || !*(const char *)nla_data(type)) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(UUID)],
				    "a UUID takes a type of file system");
		return -EINVAL;
	}
	nla_memcpy(&location->volume.uuid, attrs[ATTR(UUID)], sizeof(location->volume.uuid));
	nla_strscpy(location->volume.type, type, sizeof(location->volume.type));
	location->lasting = true;
	if (uuid_is_null(&location->volume.uuid)) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(UUID)], "this UUID means none");
		return -EINVAL;
	}
	if (location->scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK)
		return 0;
	err = append(buffer, 0, inside, extack);
	return err ?: set_inside(location, buffer, extack);
}

/* Neither: whoever asks could not find out. It waits until somebody can. */
static int place_by_nothing(struct ugfs_location *location, const char *path)
{
	location->unfound = kstrdup(path, GFP_KERNEL_ACCOUNT);
	return location->unfound ? 0 : -ENOMEM;
}

/**
 * ugfs_location_open() - the file that a request hands over
 * @attrs: of the request
 * @extack: told why not
 *
 * What could take long, or for ever, was done by whoever opened it.
 *
 * Context: process context of the sender.
 * Return: the file, for fput(); NULL where the request has none; ERR_PTR(-EBADF).
 */
struct file *ugfs_location_open(struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	const struct nlattr *fd = attrs[ATTR(FD)];
	struct file *file;

	if (!fd)
		return NULL;
	file = fget_raw(nla_get_u32(fd));
	if (file)
		return file;
	NL_SET_ERR_MSG_ATTR(extack, fd, "no file is open under this number");
	return ERR_PTR(-EBADF);
}

static int set_up(struct ugfs_location *location, struct nlattr **attrs,
		  struct netlink_ext_ack *extack)
{
	const char *inside = attrs[ATTR(INSIDE)] ? nla_data(attrs[ATTR(INSIDE)]) : "";
	struct file *file = ugfs_location_open(attrs, extack);
	char *buffer;
	int err;

	if (IS_ERR(file))
		return PTR_ERR(file);
	buffer = kmalloc(PATH_MAX, GFP_KERNEL);
	if (location->scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK && *inside) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(INSIDE)], "a path within is for a subtree");
		err = -EINVAL;
	} else if (!buffer) {
		err = -ENOMEM;
	} else if (attrs[ATTR(UUID)]) {
		err = place_by_uuid(location, attrs, inside, buffer, extack);
	} else if (file) {
		err = place_by_path(location, &file->f_path, inside, buffer, extack);
	} else {
		err = place_by_nothing(location, nla_data(attrs[ATTR(PATH)]));
	}
	/* With both, the file is to tell whether the file system is there. */
	if (!err && file && ugfs_volume_is(&location->volume, file_inode(file)->i_sb))
		set_volume(location, file_inode(file)->i_sb);
	kfree(buffer);
	if (file)
		fput(file);
	return err;
}

/**
 * ugfs_location_of() - the place that a request is about
 * @scope: enum utf8guard_fs_scope
 * @attrs: of the request, with a path where the scope takes one, and so on
 * @extack: told why not
 *
 * Context: process context of the sender; may sleep, but looks up no path.
 * Return: the place, for ugfs_location_put(), or an ERR_PTR(): -EBADF, -EINVAL, -ENOENT,
 * -ENOTDIR, -ENAMETOOLONG, -ENOMEM.
 */
struct ugfs_location *ugfs_location_of(u8 scope, struct nlattr **attrs,
				       struct netlink_ext_ack *extack)
{
	struct ugfs_location *location = kzalloc(sizeof(*location), GFP_KERNEL_ACCOUNT);
	int err = 0;

	if (!location)
		return ERR_PTR(-ENOMEM);
	refcount_set(&location->ref, 1);
	location->scope = scope;
	location->present = true;
	if (scope == UTF8GUARD_FS_SCOPE_FSTYPE) {
		location->fstype = kstrdup(nla_data(attrs[ATTR(FSTYPE)]), GFP_KERNEL_ACCOUNT);
		err = location->fstype ? 0 : -ENOMEM;
	} else if (scope != UTF8GUARD_FS_SCOPE_DEFAULT) {
		location->present = false;
		err = set_up(location, attrs, extack);
	}
	if (err) {
		place_free(location);
		return ERR_PTR(err);
	}
	return place_share(location);
}

/* For one more rule. */
void ugfs_location_get(struct ugfs_location *location)
{
	refcount_inc(&location->ref);
}

/* A rule with this place is freed. May sleep. */
void ugfs_location_put(struct ugfs_location *location)
{
	if (!refcount_dec_and_mutex_lock(&location->ref, &places_lock))
		return;
	hash_del(&location->node);
	mutex_unlock(&places_lock);
	place_free(location);
}

/* Modules that have been loaded since ours. */
static atomic_t modules_loaded = ATOMIC_INIT(0);

static int module_changed(struct notifier_block *block, unsigned long event, void *data)
{
	if (event == MODULE_STATE_LIVE)
		atomic_inc(&modules_loaded);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = { .notifier_call = module_changed };

int ugfs_location_init(void)
{
	return register_module_notifier(&module_notifier);
}

void ugfs_location_exit(void)
{
	unregister_module_notifier(&module_notifier);
}

/* Is there a super block for it? Unknown is no. */
struct search {
	const struct ugfs_volume *volume;
	bool found;
	dev_t dev;
};

static void look(struct super_block *sb, void *data)
{
	struct search *search = data;

	if (!ugfs_volume_is(search->volume, sb))
		return;
	search->found = true;
	search->dev = sb->s_dev;
}

static bool look_for(struct search *search, struct file_system_type *type)
{
	iterate_supers_type(type, look, search);
	module_put(type->owner);
	return search->found;
}

/*
 * Asking for an unknown type runs modprobe: what that did not find will not be there
 * before some module is loaded.
 */
static bool is_mounted(struct ugfs_location *location)
{
	struct search search = { .volume = &location->volume };
	int loaded = atomic_read(&modules_loaded);
	struct file_system_type *type;

	if (location->unknown && location->unknown_since == loaded)
		return false;
	type = get_fs_type(location->volume.type);
	location->unknown = !type;
	location->unknown_since = loaded;
	if (!type)
		return false;
	if (look_for(&search, type))
		WRITE_ONCE(location->seen, search.dev);
	return search.found;
}

/* Is no file system left that is the volume? Remembers nothing. */
static bool is_gone(const struct ugfs_volume *volume)
{
	struct file_system_type *type = get_fs_type(volume->type);
	struct search search = { .volume = volume };

	return !type || !look_for(&search, type);
}

/*
 * Of a super block no path is kept: the mount point is meant, or what it was mounted on
 * would do. What is mounted in another user namespace is never taken for anything else.
 */
static bool is_meant(const struct ugfs_location *old, const struct path *path)
{
	return path->dentry->d_sb->s_user_ns == &init_user_ns &&
	       (old->scope == UTF8GUARD_FS_SCOPE_SUBTREE ||
		path->dentry == path->mnt->mnt_root);
}

static int check_again(const struct ugfs_location *old, const struct ugfs_location *location,
		       const struct path *path, struct netlink_ext_ack *extack)
{
	if (location == old)
		return 0;
	if (!is_meant(old, path) || strcmp(old->volume.type, location->volume.type) ||
	    old->tree != location->tree || !same_text(old->inside, location->inside)) {
		NL_SET_ERR_MSG(extack, "this is not the same place on a file system of its type");
		return -ENOENT;
	}
	if (is_gone(&old->volume))
		return 0;
	NL_SET_ERR_MSG(extack, "the file system that the rule is for is still there");
	return -EBUSY;
}

/**
 * ugfs_location_again() - the place that one is now, after its file system was mounted anew
 * @old: the place; of a file system that nothing tells from another after a mount
 * @attrs: of the request: what is open where the file system was
 * @extack: told why not
 *
 * Takes what is of the same type, in the same place within it, and only where the one
 * that was is no more: the rule does nothing then, wherever it is.
 *
 * Context: process context of the sender; may sleep, and for long where an unmount does:
 * no locks that users wait for.
 * Return: the place, for ugfs_location_put(), or an ERR_PTR(): -EINVAL where @old is found
 * without; -ENOENT; -EBUSY; and those of ugfs_location_of().
 */
struct ugfs_location *ugfs_location_again(const struct ugfs_location *old, struct nlattr **attrs,
					  struct netlink_ext_ack *extack)
{
	struct ugfs_location *location;
	struct file *file;
	int err;

	if (!*old->volume.type || old->lasting) {
		NL_SET_ERR_MSG(extack, "the rule is for no file system that has to be found");
		return ERR_PTR(-EINVAL);
	}
	file = ugfs_location_open(attrs, extack);
	if (IS_ERR_OR_NULL(file))
		return ERR_PTR(file ? PTR_ERR(file) : -EINVAL);
	location = ugfs_location_of(old->scope, attrs, extack);
	err = IS_ERR(location) ? 0 : check_again(old, location, &file->f_path, extack);
	fput(file);
	if (!err)
		return location;
	ugfs_location_put(location);
	return ERR_PTR(err);
}

/*
 * One without a UUID is not: an unmount of it may wait for a server that is dead, and
 * what is on its device by then may be another one.
 */
static bool can_be_looked_for(const struct ugfs_volume *volume)
{
	return *volume->type && !uuid_is_null(&volume->uuid);
}

/* All places whose file systems can be looked for; with references, or NULL where there is none. */
static struct ugfs_location **list_places(u32 *count)
{
	struct ugfs_location **list, *location;
	u32 n = 0, room = 0;
	int bucket;

	mutex_lock(&places_lock);
	hash_for_each(locations, bucket, location, node)
		room++;
	list = kvmalloc_array(room, sizeof(*list), GFP_KERNEL);
	if (list)
		hash_for_each(locations, bucket, location, node)
			if (can_be_looked_for(&location->volume) &&
			    refcount_inc_not_zero(&location->ref))
				list[n++] = location;
	mutex_unlock(&places_lock);
	*count = n;
	return list;
}

static int by_volume(const void *a, const void *b)
{
	const struct ugfs_volume *one = &(*(struct ugfs_location *const *)a)->volume;
	const struct ugfs_volume *other = &(*(struct ugfs_location *const *)b)->volume;

	return memcmp(&one->uuid, &other->uuid, sizeof(one->uuid)) ?:
	       strcmp(one->type, other->type);
}

/**
 * ugfs_location_look() - look which file systems are mounted
 *
 * Sets @present of all places. Not to be called twice at once.
 *
 * Context: process context; may sleep for long: no locks that users wait for.
 */
void ugfs_location_look(void)
{
	struct ugfs_location **list, *first = NULL;
	bool mounted = false;
	u32 count, i;

	list = list_places(&count);
	/* Each file system is looked for once. */
	sort(list, count, sizeof(*list), by_volume, NULL);
	for (i = 0; i < count; i++) {
		if (!first || !ugfs_volume_same(&first->volume, &list[i]->volume)) {
			first = list[i];
			mounted = is_mounted(first);
		}
		list[i]->unknown = first->unknown;
		list[i]->unknown_since = first->unknown_since;
		WRITE_ONCE(list[i]->seen, first->seen);
		WRITE_ONCE(list[i]->present, mounted);
	}
	for (i = 0; i < count; i++)
		ugfs_location_put(list[i]);
	kvfree(list);
}
