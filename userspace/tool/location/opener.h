/* SPDX-License-Identifier: GPL-2.0 */
/* Paths opened for the kernel, which is handed the descriptor. */
#ifndef UTF8GUARD_TOOL_OPENER_H
#define UTF8GUARD_TOOL_OPENER_H

#include <limits.h>
#include <stdbool.h>

/**
 * struct opened - a path, as far as it is there
 * @fd: a descriptor of @path, opened with O_PATH; the caller may close it
 * @path: the real path of the part that is there
 * @below: the rest of the path, which is not there; "" where all of it is
 */
struct opened {
	int fd;
	char path[PATH_MAX];
	char below[PATH_MAX];
};

int opener_open(const char *path, struct opened *opened);

#endif /* UTF8GUARD_TOOL_OPENER_H */
