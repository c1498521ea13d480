/* SPDX-License-Identifier: GPL-2.0 */
/* Where a path leads, and whether others than root have a say in that. */
#ifndef UTF8GUARD_TOOL_RESOLVER_H
#define UTF8GUARD_TOOL_RESOLVER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct opened - a path, as far as it is there
 * @fd: opened with O_PATH; the caller may close it
 * @at: how many octets of @path lead to @fd: all, or those up to the mount that @path is on
 * @is_dir: it is a directory
 * @is_mount: a file system is mounted there
 * @path: the real path of the part that is there
 * @below: the rest of the path, which is not there; "" where all of it is
 */
struct opened {
	int fd;
	size_t at;
	bool is_dir, is_mount;
	char path[PATH_MAX];
	char below[PATH_MAX];
};

int resolver_resolve(const char *path, bool any_link, struct opened *opened);

#endif /* UTF8GUARD_TOOL_RESOLVER_H */
