// SPDX-License-Identifier: GPL-2.0
/*
 * Where rules apply. The location of a rule for a subtree or a super block is a file system,
 * known by its UUID or its device number, and a path from its root. The path is compared with
 * the names of the directories above a new name. So a location holds no reference to a directory
 * or a mount: the directory may be removed and made again, or not exist yet. All rules for the
 * same location share one object, in force or in a transaction.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/stringhash.h>
#include <linux/user_namespace.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "location.h"
#include "path.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/* Octets of the text of a location while it is made, at most, the NUL included. */
#define TEXT_MAX PATH_MAX

/* All locations; each has at least one rule. */
static DEFINE_HASHTABLE(locations, 10);
static DEFINE_MUTEX(locations_lock);

/* The hash by which the index finds rules for a type of file system. Any context; pure. */
u32 ugfs_location_hash_fstype(const char *name, size_t len)
{
	return full_name_hash(NULL, name, len);
}

/*
 * The number of the tree of a super block that has this root; 0 for the tree at s_root. Only NFS
 * clients have several trees on one super block.
 */
u64 ugfs_location_tree(const struct dentry *root)
{
	const struct inode *inode = READ_ONCE(root->d_inode);

	return inode && root != root->d_sb->s_root ? inode->i_ino : 0;
}

static bool is_same(const struct ugfs_location *location, const struct ugfs_location *other)
{
	return location->scope == other->scope && location->tree == other->tree &&
	       location->unfound == other->unfound &&
	       ugfs_volume_same(&location->volume, &other->volume) &&
	       !strcmp(location->text, other->text);
}

/* The shared location that is the same; NULL where there is none. locations_lock held. */
static struct ugfs_location *find_same(const struct ugfs_location *location)
{
	struct ugfs_location *other;

	hash_for_each_possible(locations, other, node, location->key)
		if (is_same(other, location))
			return other;
	return NULL;
}

/*
 * The shared location that is the same as @location, with one more reference; @location itself
 * where there is none yet, else it is freed. May sleep.
 */
static struct ugfs_location *location_share(struct ugfs_location *location)
{
	struct ugfs_location *other;
	size_t len = strlen(location->text);

	location->hash = location->scope == UTF8GUARD_FS_SCOPE_FSTYPE ?
		ugfs_location_hash_fstype(location->text, len) :
		ugfs_volume_hash(&location->volume);
	location->key = jhash(location->text, len, location->hash);
	mutex_lock(&locations_lock);
	other = find_same(location);
	if (other) {
		refcount_inc(&other->ref);
		/* It was seen just now. */
		if (location->present) {
			WRITE_ONCE(other->seen, location->seen);
			WRITE_ONCE(other->present, true);
		}
	} else {
		hash_add(locations, &location->node, location->key);
	}
	mutex_unlock(&locations_lock);
	if (!other)
		return location;
	kfree(location);
	return other;
}

static unsigned int depth_of(const char *inside)
{
	unsigned int depth = 0;

	while (*inside)
		depth += *inside++ == '/';
	return depth;
}

/* Appends the names of @path to the path of a subtree within its file system. */
static int append(struct ugfs_location *location, const char *path, struct netlink_ext_ack *extack)
{
	int err = ugfs_path_append(location->text, strlen(location->text), TEXT_MAX, path);

	if (err) {
		NL_SET_ERR_MSG(extack,
			       "the path within the file system has . or .., or is too long");
		return err;
	}
	if (depth_of(location->text) > UGFS_MAX_INSIDE) {
		NL_SET_ERR_MSG(extack,
			       "the path is more than 63 directories below the root of its file system");
		return -ENAMETOOLONG;
	}
	return 0;
}

/* The root of the tree; NULL where it is too far up to be found. rcu_read_lock() held. */
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
	location->volume.is_private = sb->s_user_ns != &init_user_ns;
	location->seen = sb->s_dev;
	strscpy(location->volume.type, sb->s_type->name, sizeof(location->volume.type));
	strscpy(location->device, sb->s_id, sizeof(location->device));
	/* A tmpfs has a UUID, but a new one with each mount. */
	location->lasting = !uuid_is_null(&sb->s_uuid) && sb->s_type->fs_flags & FS_REQUIRES_DEV;
	location->present = true;
}

/* Sets the location to an open directory, and @below, a path from there that may not exist yet. */
static int locate_by_path(struct ugfs_location *location, const struct path *path,
			  const char *below, struct netlink_ext_ack *extack)
{
	const struct dentry *root;
	char *inside;

	set_volume(location, path->dentry->d_sb);
	if (location->scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK)
		return 0;
	if (d_unlinked(path->dentry)) {
		NL_SET_ERR_MSG(extack, "the directory has been removed");
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
	inside = root ? dentry_path_raw(path->dentry, location->text, TEXT_MAX) :
			ERR_PTR(-ENAMETOOLONG);
	if (IS_ERR(inside)) {
		NL_SET_ERR_MSG(extack, "the path from the root of its file system is too long");
		return PTR_ERR(inside);
	}
	if (!strcmp(inside, "/"))
		inside++;
	memmove(location->text, inside, strlen(inside) + 1);
	return append(location, below, extack);
}

static int locate_by_uuid(struct ugfs_location *location, struct nlattr **attrs, const char *inside,
			  struct netlink_ext_ack *extack)
{
	const struct nlattr *type = attrs[ATTR(VOLUME_TYPE)];

	if (!type || !*(const char *)nla_data(type)) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(UUID)],
				    "a UUID needs a type of file system");
		return -EINVAL;
	}
	nla_memcpy(&location->volume.uuid, attrs[ATTR(UUID)], sizeof(location->volume.uuid));
	nla_strscpy(location->volume.type, type, sizeof(location->volume.type));
	location->lasting = true;
	if (uuid_is_null(&location->volume.uuid)) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(UUID)],
				    "a UUID of zeroes means no file system");
		return -EINVAL;
	}
	if (location->scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK)
		return 0;
	return append(location, inside, extack);
}

/* The request has neither a file nor a UUID: the path could not be looked up. */
static void locate_by_nothing(struct ugfs_location *location, const char *path)
{
	location->unfound = true;
	strscpy(location->text, path, TEXT_MAX);
}

/**
 * ugfs_location_open() - the file that a request hands over
 * @attrs: of the request
 * @extack: told why not
 *
 * The sender opens the file, because nothing here may look up a path: on a dead server that can
 * take for ever.
 *
 * Context: process context of the sender; does not sleep.
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
	NL_SET_ERR_MSG_ATTR(extack, fd, "no open file has this descriptor");
	return ERR_PTR(-EBADF);
}

static int set_up(struct ugfs_location *location, struct nlattr **attrs,
		  struct netlink_ext_ack *extack)
{
	const char *inside = attrs[ATTR(INSIDE)] ? nla_data(attrs[ATTR(INSIDE)]) : "";
	struct file *file = ugfs_location_open(attrs, extack);
	int err = 0;

	if (IS_ERR(file))
		return PTR_ERR(file);
	if (location->scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK && *inside) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(INSIDE)],
				    "only a subtree has a path within its file system");
		err = -EINVAL;
	} else if (attrs[ATTR(UUID)]) {
		err = locate_by_uuid(location, attrs, inside, extack);
	} else if (file) {
		err = locate_by_path(location, &file->f_path, inside, extack);
	} else {
		locate_by_nothing(location, nla_data(attrs[ATTR(PATH)]));
	}
	/* If the request has a UUID and a file, the file proves that the file system is there. */
	if (!err && file && ugfs_volume_is(&location->volume, file_inode(file)->i_sb))
		set_volume(location, file_inode(file)->i_sb);
	if (file)
		fput(file);
	return err;
}

/* A location of its own, with as much memory as its text needs. */
static struct ugfs_location *location_new(const struct ugfs_location *location)
{
	return kmemdup(location, struct_size(location, text, strlen(location->text) + 1),
		       GFP_KERNEL_ACCOUNT);
}

/**
 * ugfs_location_of() - the location that a request describes
 * @scope: enum utf8guard_fs_scope
 * @attrs: of the request, up to UTF8GUARD_FS_A_RULE_MAX, which not each message has;
 *	check_location() of rule.c has checked that the scope takes them
 * @extack: set to why the request fails
 *
 * Context: process context of the sender; may sleep, but looks up no path.
 * Return: the location, with a reference for ugfs_location_put(), or an ERR_PTR(): -EBADF,
 * -EINVAL, -ENOENT, -ENOTDIR, -ENAMETOOLONG, -ENOMEM.
 */
struct ugfs_location *ugfs_location_of(u8 scope, struct nlattr **attrs,
				       struct netlink_ext_ack *extack)
{
	struct ugfs_location *draft = kzalloc(struct_size(draft, text, TEXT_MAX), GFP_KERNEL);
	struct ugfs_location *location;
	int err = 0;

	if (!draft)
		return ERR_PTR(-ENOMEM);
	refcount_set(&draft->ref, 1);
	draft->scope = scope;
	draft->present = true;
	if (scope == UTF8GUARD_FS_SCOPE_FSTYPE) {
		strscpy(draft->text, nla_data(attrs[ATTR(FSTYPE)]), TEXT_MAX);
	} else if (scope != UTF8GUARD_FS_SCOPE_DEFAULT) {
		draft->present = false;
		err = set_up(draft, attrs, extack);
	}
	location = err ? ERR_PTR(err) : location_new(draft) ?: ERR_PTR(-ENOMEM);
	kfree(draft);
	return IS_ERR(location) ? location : location_share(location);
}

/* The path of a subtree within its file system, if that was found out; else NULL. Any context. */
const char *ugfs_location_inside(const struct ugfs_location *location)
{
	return location->scope == UTF8GUARD_FS_SCOPE_SUBTREE && !location->unfound ?
		location->text : NULL;
}

/* The type of file systems that the location is for; NULL of another scope. Any context. */
const char *ugfs_location_fstype(const struct ugfs_location *location)
{
	return location->scope == UTF8GUARD_FS_SCOPE_FSTYPE ? location->text : NULL;
}

/* Takes a reference, for one more rule. */
void ugfs_location_get(struct ugfs_location *location)
{
	refcount_inc(&location->ref);
}

/* Gives a reference back; the last one frees the location. May sleep. */
void ugfs_location_put(struct ugfs_location *location)
{
	if (!refcount_dec_and_mutex_lock(&location->ref, &locations_lock))
		return;
	hash_del(&location->node);
	mutex_unlock(&locations_lock);
	kfree(location);
}

static void set_present(struct ugfs_location *location, bool present)
{
	if (!present && location->present)
		WRITE_ONCE(location->gone, jiffies);
	WRITE_ONCE(location->present, present);
}

/*
 * Was its file system found at no look for ten minutes? A look may miss one that is there, but
 * hardly all of so many do. Any context.
 */
bool ugfs_location_is_gone(const struct ugfs_location *location)
{
	return !READ_ONCE(location->present) &&
	       time_after(jiffies, READ_ONCE(location->gone) + 600 * HZ);
}

/*
 * Looks whether the file system of the location is mounted. A look runs modprobe for an unknown
 * type. If that finds nothing, there is no other look until some module is loaded. Returns false
 * where it cannot be told yet; then nothing is changed. May sleep, for two seconds at most.
 */
static bool look_for(struct ugfs_location *location)
{
	int loaded = ugfs_volume_modules();
	struct ugfs_sighting sighting = {};

	if (!location->unknown || location->unknown_since != loaded) {
		if (ugfs_volume_find(&location->volume, &sighting))
			return false;
		location->unknown = !sighting.known;
		location->unknown_since = loaded;
	}
	if (sighting.mounted)
		WRITE_ONCE(location->seen, sighting.dev);
	set_present(location, sighting.mounted);
	return true;
}

/*
 * May the location move to @path? The location of a super block has no path. So @path must be a
 * mount point, or the directory on which nothing is mounted yet would be taken. What was mounted
 * in a user namespace other than the initial one is never taken.
 */
static bool is_meant(const struct ugfs_location *old, const struct path *path)
{
	return path->dentry->d_sb->s_user_ns == &init_user_ns &&
	       (old->scope == UTF8GUARD_FS_SCOPE_SUBTREE ||
		path->dentry == path->mnt->mnt_root);
}

/*
 * May the rule leave a volume? @stays: set to whether the old one is kept beside the new one. With
 * a UUID, it is: somebody may still hold it, and no look could tell, for users can keep a look from
 * ending, and from seeing all. Without one, it must be gone: its device number might be that of
 * another one day.
 */
static int check_old(const struct ugfs_volume *volume, bool *stays,
		     struct netlink_ext_ack *extack)
{
	struct ugfs_sighting sighting = {};
	int err;

	*stays = !uuid_is_null(&volume->uuid);
	if (*stays)
		return 0;
	err = ugfs_volume_find(volume, &sighting);
	if (!err && sighting.mounted) {
		NL_SET_ERR_MSG(extack, "the file system of this rule is still mounted");
		err = -EBUSY;
	} else if (err == -EAGAIN) {
		NL_SET_ERR_MSG(extack, "file systems of this type are being mounted or unmounted");
	}
	return err;
}

static int check_again(const struct ugfs_location *old, const struct ugfs_location *location,
		       const struct path *path, bool *stays, struct netlink_ext_ack *extack)
{
	if (location == old)
		return 0;
	if (!is_meant(old, path) || strcmp(old->volume.type, location->volume.type) ||
	    old->tree != location->tree || strcmp(old->text, location->text)) {
		NL_SET_ERR_MSG(extack,
			       "this is another path, or a file system of another type");
		return -ENOENT;
	}
	return check_old(&old->volume, stays, extack);
}

/**
 * ugfs_location_again() - find a location again after its file system was mounted anew
 * @old: the location, on a file system without a UUID that lasts
 * @attrs: as for ugfs_location_of(): a file that is open where the file system was mounted, and
 *	the path from there to the location
 * @stays: set to whether the rule stays with the old file system, too
 * @extack: set to why the request fails
 *
 * The new file system must have the same type, and the file must be at the same path within it.
 * Anybody can hold an old file system in a mount namespace of his own. That must not keep the rule
 * from the new one, so the rule gets that beside the old one, if a UUID tells the two apart.
 *
 * Context: process context of the sender; may sleep. If the old one has no UUID, for two seconds at
 * most where a mount or an unmount of this type goes on for longer.
 * Return: the location, with a reference for ugfs_location_put(); or an ERR_PTR(): -EINVAL where
 * @old need not be found again, or there is no file; -ENOENT where it is another path or
 * type; if the old file system has no UUID, -EBUSY where it is still there, and -EAGAIN where that
 * cannot be told yet; and those of ugfs_location_of().
 */
struct ugfs_location *ugfs_location_again(const struct ugfs_location *old, struct nlattr **attrs,
					  bool *stays, struct netlink_ext_ack *extack)
{
	struct ugfs_location *location;
	struct file *file;
	int err = 0;

	if (!*old->volume.type || old->lasting) {
		NL_SET_ERR_MSG(extack, "the file system of this rule need not be found again");
		return ERR_PTR(-EINVAL);
	}
	file = ugfs_location_open(attrs, extack);
	if (IS_ERR_OR_NULL(file))
		return ERR_PTR(file ? PTR_ERR(file) : -EINVAL);
	location = ugfs_location_of(old->scope, attrs, extack);
	if (!IS_ERR(location))
		err = check_again(old, location, &file->f_path, stays, extack);
	fput(file);
	if (!err)
		return location;
	ugfs_location_put(location);
	return ERR_PTR(err);
}

/*
 * May the worker look whether a volume is mounted? Not if it has no UUID: another file system may
 * have its device number by now.
 */
static bool can_be_looked_for(const struct ugfs_volume *volume)
{
	return *volume->type && !uuid_is_null(&volume->uuid);
}

/* All locations that can be looked for, with references; NULL without memory, and @count is 0. */
static struct ugfs_location **list_locations(u32 *count)
{
	struct ugfs_location **list, *location;
	u32 n = 0, room = 0;
	int bucket;

	mutex_lock(&locations_lock);
	hash_for_each(locations, bucket, location, node)
		room++;
	list = kvmalloc_array(room, sizeof(*list), GFP_KERNEL);
	if (list)
		hash_for_each(locations, bucket, location, node)
			if (can_be_looked_for(&location->volume) &&
			    refcount_inc_not_zero(&location->ref))
				list[n++] = location;
	mutex_unlock(&locations_lock);
	*count = n;
	return list;
}

/* Of one volume, those of unknown type come first: a new location has not asked for it yet. */
static int by_volume(const void *a, const void *b)
{
	const struct ugfs_location *one = *(struct ugfs_location *const *)a;
	const struct ugfs_location *other = *(struct ugfs_location *const *)b;

	return memcmp(&one->volume.uuid, &other->volume.uuid, sizeof(one->volume.uuid)) ?:
	       strcmp(one->volume.type, other->volume.type) ?:
	       other->unknown - one->unknown;
}

/**
 * ugfs_location_look() - look which file systems are mounted
 *
 * Sets the members present and seen of all locations whose file systems have a UUID, but leaves
 * them as they are where that cannot be told yet. Only one task may be in it at a time: the members
 * unknown are not locked.
 *
 * Context: process context; may sleep, for two seconds at most for each type of which file systems
 * are being mounted or unmounted.
 */
void ugfs_location_look(void)
{
	struct ugfs_location **list, *first = NULL;
	bool told = false;
	u32 count, i;

	list = list_locations(&count);
	/* Each file system is looked for once. */
	sort(list, count, sizeof(*list), by_volume, NULL);
	for (i = 0; i < count; i++) {
		if (!first || !ugfs_volume_same(&first->volume, &list[i]->volume)) {
			first = list[i];
			told = look_for(first);
		}
		if (!told)
			continue;
		list[i]->unknown = first->unknown;
		list[i]->unknown_since = first->unknown_since;
		WRITE_ONCE(list[i]->seen, first->seen);
		set_present(list[i], first->present);
	}
	for (i = 0; i < count; i++)
		ugfs_location_put(list[i]);
	kvfree(list);
}
