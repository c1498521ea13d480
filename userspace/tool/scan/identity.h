/* SPDX-License-Identifier: GPL-2.0 */
/* What a file is known by, whatever its name. */
#ifndef UTF8GUARD_TOOL_IDENTITY_H
#define UTF8GUARD_TOOL_IDENTITY_H

#include <stdbool.h>
#include <linux/stat.h>
#include <linux/utf8guard.h>

#include "fs_traits.h"

/* What statx() is to be asked for. */
#define IDENTITY_MASK (STATX_TYPE | STATX_INO | STATX_BTIME | STATX_SIZE | STATX_MTIME)

/**
 * struct identity - what a file is known by
 * @inode: its number
 * @born: when it was made, in nanoseconds since 1970; 0: that is not known, or changes
 * @directory: it is one; that is not noted
 * @changed: when its contents were, and @size of them; 0 where a file is known by the others
 */
struct identity {
	u64 inode, born, changed, size;
	bool directory;
};

u64 nanoseconds(const struct statx_timestamp *time);
u64 identity_mount(const struct statx *status);
struct identity identity_of(const struct statx *status, struct fs_traits traits);
int identity_find(int fd, const char *name, struct fs_traits traits,
		  struct identity *identity);
bool identity_is(const struct identity *found, const struct identity *noted,
		 struct fs_traits traits);

#endif /* UTF8GUARD_TOOL_IDENTITY_H */
