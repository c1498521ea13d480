/* SPDX-License-Identifier: GPL-2.0 */
/* A file system that a rule is for: which super block it is, and whether there is one. */
#ifndef _UTF8GUARD_FS_VOLUME_H
#define _UTF8GUARD_FS_VOLUME_H

#include <linux/types.h>
#include <linux/uuid.h>

struct super_block;

/**
 * struct ugfs_volume - a file system, mounted or not
 * @uuid: its UUID; all zeroes where it has none
 * @dev: its device number, by which it is known where it has no UUID
 * @is_private: it was mounted in a user namespace other than the initial one
 * @type: its type, or "" if that is not known
 */
struct ugfs_volume {
	uuid_t uuid;
	dev_t dev;
	bool is_private;
	char type[32];
};

/**
 * struct ugfs_sighting - what a look for a volume found
 * @known: the kernel knows its type
 * @mounted: there is a super block of it
 * @dev: the device number of that
 */
struct ugfs_sighting {
	bool known, mounted;
	dev_t dev;
};

u32 ugfs_volume_hash(const struct ugfs_volume *volume);
u32 ugfs_volume_hash_sb(const struct super_block *sb);
bool ugfs_volume_is(const struct ugfs_volume *volume, const struct super_block *sb);
bool ugfs_volume_same(const struct ugfs_volume *a, const struct ugfs_volume *b);
int ugfs_volume_find(const struct ugfs_volume *volume, struct ugfs_sighting *sighting);
int ugfs_volume_modules(void);
int ugfs_volume_init(void);
void ugfs_volume_exit(void);

#endif /* _UTF8GUARD_FS_VOLUME_H */
