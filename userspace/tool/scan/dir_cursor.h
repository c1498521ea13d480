/* SPDX-License-Identifier: GPL-2.0 */
/* A place in a tree of directories, and the way down to it. */
#ifndef UTF8GUARD_TOOL_DIR_CURSOR_H
#define UTF8GUARD_TOOL_DIR_CURSOR_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/utf8guard.h>

#include "identity.h"

struct level;

/**
 * struct dir_cursor - a place in a tree of directories
 * @path: as it is shown: of the directory at hand, or of what dir_cursor_point()
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
struct dir_cursor {
	char *path;
	size_t length, depth;
	bool mounts;
	/* private: */
	size_t size, room, first_open;
	struct level *levels;
	u64 mount;
	unsigned int waits, lease_waits;
	size_t lost;	/* the highest level that cannot be reached any more; 0: none */
	int why;	/* it cannot */
};

int dir_cursor_begin(struct dir_cursor *cursor, const char *path);
int dir_cursor_begin_noted(struct dir_cursor *cursor, const char *path);
void dir_cursor_end(struct dir_cursor *cursor);
bool dir_cursor_leaves(const struct dir_cursor *cursor, const char *name);
int dir_cursor_enter(struct dir_cursor *cursor, const char *name);
int dir_cursor_open(struct dir_cursor *cursor, const char *name);
int dir_cursor_leave(struct dir_cursor *cursor);
const struct dirent *dir_cursor_read(struct dir_cursor *cursor, int *error);
const char *dir_cursor_reason(int error);
void dir_cursor_point(struct dir_cursor *cursor, const char *name);
char *dir_cursor_name(const struct dir_cursor *cursor, size_t depth);
char *dir_cursor_root(const struct dir_cursor *cursor);
struct identity dir_cursor_identity(const struct dir_cursor *cursor, size_t depth);
struct fs_traits dir_cursor_traits(const struct dir_cursor *cursor);
int dir_cursor_fd(const struct dir_cursor *cursor);

#endif /* UTF8GUARD_TOOL_DIR_CURSOR_H */
