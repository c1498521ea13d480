// SPDX-License-Identifier: GPL-2.0
/*
 * A place in a tree of directories. Of the levels on the way down the first one
 * and the last ones are open. A level that was closed is found again as the
 * parent of the one below, and must still be the same directory; what was not
 * read of it yet is read from where it was left.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "output/output.h"
#include "trail.h"

/* Directories open at once: each has a buffer of 32 KiB for its entries. */
#define OPEN_LEVELS 64
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)

/**
 * struct level - a directory on the way
 * @fd: -1 while it is closed
 * @stream: its entries, on @fd; NULL before the first is read
 * @position: of the entry to go on with, if it was closed
 * @device: and @inode: which directory it is
 * @name: where its name begins in the path
 * @length: of its path
 */
struct level {
	int fd;
	DIR *stream;
	long position;
	u64 device, inode;
	size_t name, length;
};

static struct level *top(const struct trail *trail)
{
	return &trail->levels[trail->depth - 1];
}

static int identify(int fd, struct level *level, u64 *mount)
{
	struct statx status;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &status))
		return -errno;
	level->fd = fd;
	level->device = makedev(status.stx_dev_major, status.stx_dev_minor);
	level->inode = status.stx_ino;
	*mount = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : level->device;
	return 0;
}

static bool is_same(const struct level *a, const struct level *b)
{
	return a->device == b->device && a->inode == b->inode;
}

static void close_level(struct level *level)
{
	if (level->stream) {
		level->position = telldir(level->stream);
		closedir(level->stream);
		level->stream = NULL;
	} else if (level->fd >= 0) {
		close(level->fd);
	}
	level->fd = -1;
}

/* All but the root, which is where there is always a way back to, and the last. */
static bool close_one(struct trail *trail)
{
	if (trail->first_open + 1 >= trail->depth)
		return false;
	close_level(&trail->levels[trail->first_open++]);
	return true;
}

static int open_at(struct trail *trail, int parent, const char *name, int flags)
{
	int fd;

	do {
		fd = openat(parent, name, OPEN_FLAGS | flags);
	} while (fd < 0 && errno == EMFILE && close_one(trail));
	return fd < 0 ? -errno : fd;
}

static void append(struct trail *trail, const char *name)
{
	size_t more = strlen(name);

	if (trail->length + more + 2 > trail->size) {
		trail->size = 2 * (trail->length + more + 2);
		trail->path = no_null(realloc(trail->path, trail->size));
	}
	if (trail->length && trail->path[trail->length - 1] != '/')
		trail->path[trail->length++] = '/';
	memcpy(trail->path + trail->length, name, more + 1);
	trail->length += more;
}

static void push(struct trail *trail, const struct level *level, const char *name)
{
	if (trail->depth == trail->room) {
		trail->room = 2 * trail->room + 16;
		trail->levels = no_null(realloc(trail->levels,
						trail->room * sizeof(*trail->levels)));
	}
	trail_point(trail, NULL);
	append(trail, name);
	trail->levels[trail->depth++] = *level;
	top(trail)->name = trail->length - strlen(name);
	top(trail)->length = trail->length;
	if (trail->depth - trail->first_open > OPEN_LEVELS)
		close_one(trail);
}

/**
 * trail_begin() - open the root of a tree
 * @trail: zeroed, but for @mounts; give it to trail_end(), whatever comes
 * @path: of it; a symbolic link is followed, this once
 *
 * Return: 0 or a negative errno.
 */
int trail_begin(struct trail *trail, const char *path)
{
	struct level level = { .fd = -1 };
	int error, fd = open(path, OPEN_FLAGS);

	if (fd < 0)
		return -errno;
	error = identify(fd, &level, &trail->mount);
	if (error) {
		close(fd);
		return error;
	}
	trail->first_open = 1;
	push(trail, &level, path);
	return 0;
}

void trail_end(struct trail *trail)
{
	while (trail->depth)
		close_level(&trail->levels[--trail->depth]);
	free(trail->levels);
	free(trail->path);
}

/*
 * A file system that is damaged, or a program that plays one, may have a
 * directory below itself. Brent's way to see it: compare with the level of the
 * last power of two, which an endless way down comes back to.
 */
static bool is_loop(const struct trail *trail, const struct level *level)
{
	size_t mark = 1;

	while (2 * mark <= trail->depth)
		mark *= 2;
	return is_same(&trail->levels[mark - 1], level);
}

/**
 * trail_enter() - go down one level
 * @trail: the trail
 * @name: in the directory at hand; never followed where it is a link
 *
 * Return: 0, -ENOTDIR or -ELOOP for what is no directory, -EXDEV for another
 * mount, -EDEADLK for a directory that is above itself, or another negative
 * errno; nothing has changed then.
 */
int trail_enter(struct trail *trail, const char *name)
{
	struct level level = { .fd = -1 };
	int error, fd = open_at(trail, trail_fd(trail), name, O_NOFOLLOW);
	u64 mount;

	if (fd < 0)
		return fd;
	error = identify(fd, &level, &mount);
	if (!error && !trail->mounts && mount != trail->mount)
		error = -EXDEV;
	if (!error && is_loop(trail, &level))
		error = -EDEADLK;
	if (error) {
		close(fd);
		return error;
	}
	push(trail, &level, name);
	return 0;
}

/* The level above, from the one that is open below it. */
static int reopen(struct trail *trail, struct level *level, int below)
{
	struct level found;
	u64 mount;
	int error, fd = open_at(trail, below, "..", 0);

	if (fd < 0)
		return fd;
	error = identify(fd, &found, &mount);
	if (!error && !is_same(&found, level))
		error = -ESTALE;
	if (error)
		close(fd);
	else
		level->fd = fd;
	return error;
}

/**
 * trail_leave() - go up one level; the root is not to be left
 * @trail: the trail
 *
 * Return: 0, or a negative errno where the directory above cannot be reached
 * any more, -ESTALE because it is another one by now. Then it has no entries.
 */
int trail_leave(struct trail *trail)
{
	struct level gone = *top(trail), *level;
	int error = 0;

	trail->depth--;
	level = top(trail);
	if (trail->first_open >= trail->depth)
		trail->first_open = trail->depth > 1 ? trail->depth - 1 : 1;
	if (level->fd < 0 && gone.fd >= 0)
		error = reopen(trail, level, gone.fd);
	close_level(&gone);
	trail_point(trail, NULL);
	return error;
}

static bool begin_stream(struct level *level)
{
	level->stream = fdopendir(level->fd);
	if (level->stream && level->position)
		seekdir(level->stream, level->position);
	return level->stream;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/**
 * trail_read() - the next entry of the directory at hand
 * @trail: the trail
 * @error: 0 or a negative errno
 *
 * Return: the entry, good until the next call for @trail, or NULL.
 */
const struct dirent *trail_read(struct trail *trail, int *error)
{
	const struct dirent *entry = NULL;
	struct level *level = top(trail);

	errno = 0;
	if (level->fd >= 0 && (level->stream || begin_stream(level))) {
		do {
			errno = 0;
			entry = readdir(level->stream);
		} while (entry && is_dots(entry->d_name));
	}
	*error = entry ? 0 : -errno;
	return entry;
}

/* Let the path name something in the directory at hand; NULL: itself. */
void trail_point(struct trail *trail, const char *name)
{
	trail->length = trail->depth ? top(trail)->length : 0;
	if (trail->path)
		trail->path[trail->length] = '\0';
	if (name)
		append(trail, name);
}

/* What a level is called; malloc'd. */
char *trail_name(const struct trail *trail, size_t depth)
{
	const struct level *level = &trail->levels[depth - 1];

	return no_null(strndup(trail->path + level->name, level->length - level->name));
}

u64 trail_inode(const struct trail *trail, size_t depth)
{
	return trail->levels[depth - 1].inode;
}

/* Of the directory at hand; -1 if it cannot be reached any more. */
int trail_fd(const struct trail *trail)
{
	return top(trail)->fd;
}
