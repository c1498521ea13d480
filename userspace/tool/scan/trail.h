/* SPDX-License-Identifier: GPL-2.0 */
/* A place in a tree of directories, and the way down to it. */
#ifndef UTF8GUARD_TOOL_TRAIL_H
#define UTF8GUARD_TOOL_TRAIL_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/utf8guard.h>

struct level;

/**
 * struct trail - a place in a tree of directories
 * @path: as it is shown: of the directory at hand, or of what trail_point()
 *	named in it
 * @length: of @path
 * @depth: levels down to the directory at hand; the root of the tree is 1
 * @mounts: other mounts may be entered
 *
 * Each step is taken from the directory that is open, never by a path: what
 * others rename meanwhile leads nowhere else. A few directories are open at a
 * time, however deep it goes; what is kept of the others is some 70 octets and
 * their names.
 */
struct trail {
	char *path;
	size_t length, depth;
	bool mounts;
	/* private: */
	size_t size, room, first_open;
	struct level *levels;
	u64 mount;
};

int trail_begin(struct trail *trail, const char *path);
void trail_end(struct trail *trail);
int trail_enter(struct trail *trail, const char *name);
int trail_leave(struct trail *trail);
const struct dirent *trail_read(struct trail *trail, int *error);
void trail_point(struct trail *trail, const char *name);
char *trail_name(const struct trail *trail, size_t depth);
u64 trail_inode(const struct trail *trail, size_t depth);
int trail_fd(const struct trail *trail);

#endif /* UTF8GUARD_TOOL_TRAIL_H */
