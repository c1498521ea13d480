// SPDX-License-Identifier: GPL-2.0
/*
 * What a file is known by, whatever its name. An inode number alone is given to another file as
 * soon as the first is gone; the time of birth, which neither a rename nor a write changes, tells
 * them apart. Some file systems make up a number each time an inode is read into memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "identity.h"

/* FAT and exFAT keep a time of birth in units of 10 ms; until it is written, exFAT shows more. */
#define BIRTH_UNIT 10000000

u64 nanoseconds(const struct statx_timestamp *time)
{
	return (u64)time->tv_sec * 1000000000 + time->tv_nsec;
}

/* Before 5.8 a mount has no number, and the device stands for it. */
u64 identity_mount(const struct statx *status)
{
	if (status->stx_mask & STATX_MNT_ID)
		return status->stx_mnt_id;
	return makedev(status->stx_dev_major, status->stx_dev_minor);
}

/**
 * identity_of() - what a file is known by
 * @status: from statx(), asked for IDENTITY_MASK
 * @traits: of its file system
 */
struct identity identity_of(const struct statx *status, struct fs_traits traits)
{
	const bool directory = S_ISDIR(status->stx_mode);
	struct identity identity = { .inode = status->stx_ino, .directory = directory };

	if ((directory ? traits.dir_birth : traits.birth) && status->stx_mask & STATX_BTIME)
		identity.born = nanoseconds(&status->stx_btime);
	if (traits.inode)
		return identity;
	identity.born -= identity.born % BIRTH_UNIT;
	/* Of a directory, they change with what is renamed in it. */
	if (!identity.born && !directory) {
		identity.changed = nanoseconds(&status->stx_mtime);
		identity.size = status->stx_size;
	}
	return identity;
}

/* Of a file by its name. Nothing is mounted for that. Return: 0 or a negative errno. */
int identity_find(int fd, const char *name, struct fs_traits traits,
		  struct identity *identity)
{
	const int flags = AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW;
	struct statx status;

	if (statx(fd, name, flags, IDENTITY_MASK, &status))
		return -errno;
	*identity = identity_of(&status, traits);
	return 0;
}

/**
 * identity_is() - is it the file that was noted?
 * @found: what it is known by
 * @noted: by an older tool, maybe, which noted nothing but the inode
 * @traits: of its file system
 */
bool identity_is(const struct identity *found, const struct identity *noted,
		 struct fs_traits traits)
{
	const bool same_inode = found->inode == noted->inode;

	if (found->born && noted->born)
		return found->born == noted->born && (same_inode || !traits.inode);
	if (same_inode || traits.inode)
		return same_inode;
	/*
	 * Nothing is left to know a directory by but its name, and what is in it is looked at. If
	 * the noted one had a time of birth, this one is on another file system.
	 */
	if (found->directory)
		return !found->born && !noted->born && !noted->changed;
	return found->changed && found->changed == noted->changed && found->size == noted->size;
}
