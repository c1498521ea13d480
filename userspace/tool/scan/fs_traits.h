/* SPDX-License-Identifier: GPL-2.0 */
/* What a file system keeps, and what it does not. */
#ifndef UTF8GUARD_TOOL_FS_TRAITS_H
#define UTF8GUARD_TOOL_FS_TRAITS_H

#include <stdbool.h>

/**
 * struct fs_traits - what a file system keeps
 * @inode: a file has the same number as long as it is there
 * @birth: it was made at the same time, whatever is done to it
 * @dir_birth: so was a directory, whatever is done in it
 * @names: RENAME_NOREPLACE replaces none, whoever makes it at the same time
 */
struct fs_traits {
	bool inode, birth, dir_birth, names;
};

struct fs_traits fs_traits(int fd);

#endif /* UTF8GUARD_TOOL_FS_TRAITS_H */
