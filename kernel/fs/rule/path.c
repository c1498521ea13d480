// SPDX-License-Identifier: GPL-2.0
/* Paths as text: names with a slash before each. */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "path.h"

/**
 * ugfs_path_append() - add the names of a path to another one
 * @to: the path that gets longer, as "/a/b", or empty; need not end with a NUL
 * @len: octets of @to
 * @size: octets that @to has room for, the NUL included
 * @path: names, with any number of slashes between them
 *
 * Context: any; pure.
 * Return: 0, and @to ends with a NUL; -EINVAL where a name is "." or "..", a name is longer
 * than NAME_MAX, or @to has too little room.
 */
int ugfs_path_append(char *to, size_t len, size_t size, const char *path)
{
	while (*path) {
		size_t name = strcspn(path, "/");
		bool dots = name <= 2 && !strncmp(path, "..", name);

		if (name && (dots || name > NAME_MAX || len + name + 2 > size))
			return -EINVAL;
		if (name) {
			to[len++] = '/';
			memcpy(to + len, path, name);
			len += name;
		}
		path += name + (path[name] == '/');
	}
	to[len] = '\0';
	return 0;
}
