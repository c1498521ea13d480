/* SPDX-License-Identifier: GPL-2.0 */
/* The subvolumes of btrfs. */
#ifndef _UTF8GUARD_FS_SUBVOLUME_H
#define _UTF8GUARD_FS_SUBVOLUME_H

#include <linux/types.h>

/**
 * struct ugfs_subvolumes - are the subvolumes of btrfs judged?
 * @coverage: enum utf8guard_fs_subvolumes
 * @why: where they are not, the reason in words for users; else NULL
 */
struct ugfs_subvolumes {
	u8 coverage;
	const char *why;
};

int ugfs_subvolumes_attach(void);
void ugfs_subvolumes_detach(void);
struct ugfs_subvolumes ugfs_subvolumes(void);

#endif /* _UTF8GUARD_FS_SUBVOLUME_H */
