/* SPDX-License-Identifier: GPL-2.0 */
/* Paths opened for the kernel, which is handed the descriptor. */
#ifndef UTF8GUARD_TOOL_OPENER_H
#define UTF8GUARD_TOOL_OPENER_H

#include <limits.h>
#include <stdbool.h>

/**
 * struct opened - a path, as far as it is there
 * @fd: its descriptor, by O_PATH; open until the tool ends
 * @path: the real path
 * @below: what of it is not there, from @fd on; empty where all is
 */
struct opened {
	int fd;
	char path[PATH_MAX];
	char below[PATH_MAX];
};

int opener_open(const char *path, struct opened *opened);

#endif /* UTF8GUARD_TOOL_OPENER_H */
