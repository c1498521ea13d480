// SPDX-License-Identifier: GPL-2.0
/*
 * A cursor in a tree of directories. Of the levels on the way down, the root and the last ones are
 * open. A level that was closed is opened again as ".." of the level below; if that was moved
 * meanwhile, by the names on the way down from the root. It must still be the same directory;
 * reading goes on where it was left. Some file systems count positions anew each time a directory
 * is opened: if its entries have changed, nobody knows what comes at that position.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "output/output.h"
#include "dir_cursor.h"

/* Directories open at once: each has a buffer of 32 KiB for its entries. */
#define OPEN_LEVELS 64
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
#define FILE_FLAGS (O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
/* The clock of files stands still for up to 10 ms: a change may have the time of the one before. */
#define CLOCK_UNIT 20000000
/* Waits for that clock, at most: below /proc, each directory was changed when it is looked up. */
#define MOST_WAITS 25
/*
 * Waits for leases, at most, of 5 ms each: a minute for the whole tree. Linux takes a lease away after
 * 45 s, so one that nobody gives back can be waited for.
 */
#define LEASE_UNIT 5000000
#define MOST_LEASE_WAITS 12000

/**
 * struct level - a directory on the way
 * @fd: -1 while it is closed
 * @traits: of its file system
 * @stream: its entries, on @fd; NULL before the first is read
 * @position: of the entry to go on with, if it was closed
 * @device: and @inode: which directory it is
 * @born: when it was made; 0 where that is not known
 * @changed: when it was changed, as it was found
 * @settled: the next change will have another time
 * @resumed: it goes on at @position, and nothing was read since
 * @name: where its name begins in the path
 * @length: of its path
 */
struct level {
	int fd;
	struct fs_traits traits;
	DIR *stream;
	long position;
	u64 device, inode, born, changed;
	bool settled, resumed;
	size_t name, length;
};

static struct level *top(const struct dir_cursor *cursor)
{
	return &cursor->levels[cursor->depth - 1];
}

/* A time that is still to come, as after a clock was set back, is not that of a next change either. */
static void note_change(struct level *level, const struct statx *status)
{
	struct timespec now;
	long long age;

	level->changed = nanoseconds(&status->stx_ctime);
	clock_gettime(CLOCK_REALTIME, &now);
	age = now.tv_sec * 1000000000LL + now.tv_nsec - (long long)level->changed;
	level->settled = llabs(age) > CLOCK_UNIT;
}

/* What is above @level is mostly on the same file system, which need not be asked again then. */
static int identify(int fd, const struct level *above, struct level *level, u64 *mount)
{
	struct statx status;

	if (statx(fd, "", AT_EMPTY_PATH, IDENTITY_MASK | STATX_CTIME | STATX_MNT_ID, &status))
		return -errno;
	level->fd = fd;
	level->device = makedev(status.stx_dev_major, status.stx_dev_minor);
	level->traits = above && above->device == level->device ? above->traits :
								  fs_traits(fd);
	level->inode = status.stx_ino;
	level->born = identity_of(&status, level->traits).born;
	note_change(level, &status);
	*mount = identity_mount(&status);
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

/* Closes the highest level that is open, but never the root or the last one. False: no other. */
static bool close_one(struct dir_cursor *cursor)
{
	if (cursor->first_open + 1 >= cursor->depth)
		return false;
	close_level(&cursor->levels[cursor->first_open++]);
	return true;
}

/* errno is ENOSYS without openat2(), or EPERM: some filters say that of calls they do not know. */
static int open_resolved(int parent, const char *path, u64 resolve)
{
	struct open_how how = { .flags = OPEN_FLAGS | O_NOFOLLOW, .resolve = resolve };

	return (int)syscall(SYS_openat2, parent, path, &how, sizeof(how));
}

/*
 * Where other mounts may not be entered, Linux is told so, too: one that somebody mounts after
 * dir_cursor_leaves() has looked is not opened either.
 */
static int open_once(const struct dir_cursor *cursor, int parent, const char *name)
{
	int fd = -1;

	errno = ENOSYS;
	if (!cursor->mounts)
		fd = open_resolved(parent, name, RESOLVE_NO_XDEV);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = openat(parent, name, OPEN_FLAGS | O_NOFOLLOW);
	return fd;
}

/* Could the file not be opened for want of descriptors, and is there one more now? */
static bool made_room(struct dir_cursor *cursor, int fd)
{
	return fd < 0 && errno == EMFILE && close_one(cursor);
}

static int open_at(struct dir_cursor *cursor, int parent, const char *name)
{
	int fd;

	do {
		fd = open_once(cursor, parent, name);
	} while (made_room(cursor, fd));
	return fd < 0 ? -errno : fd;
}

static void append(struct dir_cursor *cursor, const char *name)
{
	size_t more = strlen(name);

	if (cursor->length + more + 2 > cursor->size) {
		cursor->size = 2 * (cursor->length + more + 2);
		cursor->path = no_null(realloc(cursor->path, cursor->size));
	}
	if (cursor->length && cursor->path[cursor->length - 1] != '/')
		cursor->path[cursor->length++] = '/';
	memcpy(cursor->path + cursor->length, name, more + 1);
	cursor->length += more;
}

static void push(struct dir_cursor *cursor, const struct level *level, const char *name)
{
	if (cursor->depth == cursor->room) {
		cursor->room = 2 * cursor->room + 16;
		cursor->levels = no_null(realloc(cursor->levels,
						 cursor->room * sizeof(*cursor->levels)));
	}
	dir_cursor_point(cursor, NULL);
	append(cursor, name);
	cursor->levels[cursor->depth++] = *level;
	top(cursor)->name = cursor->length - strlen(name);
	top(cursor)->length = cursor->length;
	if (cursor->depth - cursor->first_open > OPEN_LEVELS)
		close_one(cursor);
}

/* One name after the other; what is above the directory may be closed to readers. */
static int open_stepwise(const char *path)
{
	char *copy = no_null(strdup(path)), *rest = copy, *name;
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && (name = strsep(&rest, "/"))) {
		int flags = rest ? O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC :
				   OPEN_FLAGS | O_NOFOLLOW;
		int error, next = openat(fd, *name ? name : ".", flags);

		error = errno;
		close(fd);
		errno = error;
		fd = next;
	}
	free(copy);
	return fd;
}

/* Opens a directory by its absolute path, on which no symbolic link may be. */
static int open_without_links(const char *path)
{
	int fd = open_resolved(AT_FDCWD, path, RESOLVE_NO_SYMLINKS);

	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? open_stepwise(path) : fd;
}

/* Takes over @fd. Return: 0 or a negative errno. */
static int begin(struct dir_cursor *cursor, const char *path, int fd)
{
	struct level level = { .fd = -1 };
	int error;

	if (fd < 0)
		return -errno;
	error = identify(fd, NULL, &level, &cursor->mount);
	if (error) {
		close(fd);
		return error;
	}
	cursor->first_open = 1;
	push(cursor, &level, path);
	return 0;
}

/**
 * dir_cursor_begin() - open the root of a tree
 * @cursor: zeroed, but for @mounts; give it to dir_cursor_end(), whatever comes
 * @path: of it; symbolic links are followed, this once
 *
 * Return: 0 or a negative errno.
 */
int dir_cursor_begin(struct dir_cursor *cursor, const char *path)
{
	return begin(cursor, path, open(path, OPEN_FLAGS));
}

/**
 * dir_cursor_begin_noted() - open the root of a tree again
 * @cursor: as for dir_cursor_begin()
 * @path: from dir_cursor_root(). There was no symbolic link on it: one that is there now leads
 *	somewhere else, and is not followed
 *
 * Return: 0 or a negative errno, -ELOOP or -ENOTDIR for a symbolic link.
 */
int dir_cursor_begin_noted(struct dir_cursor *cursor, const char *path)
{
	return begin(cursor, path, open_without_links(path));
}

void dir_cursor_end(struct dir_cursor *cursor)
{
	while (cursor->depth)
		close_level(&cursor->levels[--cursor->depth]);
	free(cursor->levels);
	free(cursor->path);
}

/*
 * A file system that is damaged, or a FUSE server, may have a directory below
 * itself. Brent's algorithm finds that: it compares with the level of the last
 * power of two, to which an endless way down comes back.
 */
static bool is_loop(const struct dir_cursor *cursor, const struct level *level)
{
	size_t mark = 1;

	while (2 * mark <= cursor->depth)
		mark *= 2;
	return is_same(&cursor->levels[mark - 1], level);
}

/**
 * dir_cursor_leaves() - is it on a mount that is not to be entered?
 * @cursor: the cursor
 * @name: in the directory at hand
 *
 * What is mounted there is not asked itself: it may be a server that does not answer, one that
 * serves nobody but its user, or an automount, which would mount something.
 */
bool dir_cursor_leaves(const struct dir_cursor *cursor, const char *name)
{
	const int flags = AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC;
	struct statx status;

	if (cursor->mounts || statx(dir_cursor_fd(cursor), name, flags, STATX_MNT_ID, &status))
		return false;
	return identity_mount(&status) != cursor->mount || status.stx_attributes & STATX_ATTR_AUTOMOUNT;
}

/**
 * dir_cursor_enter() - go down one level
 * @cursor: the cursor
 * @name: in the directory at hand; never followed where it is a link
 *
 * Return: 0, -ENOTDIR or -ELOOP for what is no directory, -EXDEV for another
 * mount, -EDEADLK for a directory that is above itself, -ESTALE where the
 * directory at hand cannot be reached any more, or another negative errno;
 * nothing has changed then.
 */
int dir_cursor_enter(struct dir_cursor *cursor, const char *name)
{
	struct level level = { .fd = -1 };
	int error, fd, parent = dir_cursor_fd(cursor);
	u64 mount = 0;

	if (parent < 0)
		return -ESTALE;
	if (dir_cursor_leaves(cursor, name))
		return -EXDEV;
	fd = open_at(cursor, parent, name);
	if (fd < 0)
		return fd;
	error = identify(fd, top(cursor), &level, &mount);
	if (!error && !cursor->mounts && mount != cursor->mount)
		error = -EXDEV;
	if (!error && is_loop(cursor, &level))
		error = -EDEADLK;
	if (error) {
		close(fd);
		return error;
	}
	push(cursor, &level, name);
	return 0;
}

/*
 * Servers of NFS and SMB hold leases on what their clients have open; they give them back soon. A
 * user may keep one on each of his files, so all that is waited for in a tree counts together.
 */
static int open_file(struct dir_cursor *cursor, const char *name)
{
	const struct timespec unit = { .tv_nsec = LEASE_UNIT };

	for (;;) {
		int fd = openat(dir_cursor_fd(cursor), name, FILE_FLAGS);

		if (fd >= 0 || errno != EWOULDBLOCK || cursor->lease_waits == MOST_LEASE_WAITS)
			return fd;
		cursor->lease_waits++;
		nanosleep(&unit, NULL);
	}
}

/**
 * dir_cursor_open() - open a regular file for reading
 * @cursor: the cursor
 * @name: in the directory at hand; never followed where it is a link
 *
 * Where somebody has a lease on the file, waits until it is given back.
 *
 * Return: a descriptor, or a negative errno, -EWOULDBLOCK if the tree has had its time for leases.
 */
int dir_cursor_open(struct dir_cursor *cursor, const char *name)
{
	int fd;

	do {
		fd = open_file(cursor, name);
	} while (made_room(cursor, fd));
	return fd < 0 ? -errno : fd;
}

/* Opens @level again, by what it is called in @directory. */
static int reopen(struct dir_cursor *cursor, struct level *level, int directory, const char *name)
{
	struct level found;
	u64 mount = 0;
	int error, fd = open_at(cursor, directory, name);

	if (fd < 0)
		return fd;
	error = identify(fd, level, &found, &mount);
	if (!error && !is_same(&found, level))
		error = -ESTALE;
	if (error)
		close(fd);
	else
		level->fd = fd;
	return error;
}

/*
 * What is not there, or no directory, is another one by now, as is one with another number, and
 * one on which something was mounted.
 */
static bool is_elsewhere(int error)
{
	return error == -ENOENT || error == -ENOTDIR || error == -ELOOP || error == -EXDEV;
}

/*
 * Opens the directory at hand again, by the names on the way down from the
 * root. Where that ends, all levels from there on are lost.
 */
static void walk_down(struct dir_cursor *cursor)
{
	struct level *above = &cursor->levels[0];
	size_t depth;
	int error = 0;

	for (depth = 2; depth <= cursor->depth && !error; depth++) {
		struct level *level = &cursor->levels[depth - 1];
		char *name = dir_cursor_name(cursor, depth);

		error = reopen(cursor, level, above->fd, name);
		free(name);
		if (depth > 2)
			close_level(above);
		above = level;
	}
	if (!error)
		return;
	cursor->lost = depth - 1;
	cursor->why = is_elsewhere(error) ? -ESTALE : error;
}

/* Opens the directory at hand again; @below is the one that was left, or -1. */
static int come_back(struct dir_cursor *cursor, int below)
{
	if (!cursor->lost && (below < 0 || reopen(cursor, top(cursor), below, "..")))
		walk_down(cursor);
	if (cursor->lost != cursor->depth)
		return 0;
	cursor->lost = 0;
	return cursor->why;
}

/**
 * dir_cursor_leave() - go up one level; the root is not to be left
 * @cursor: the cursor
 *
 * Where a directory was moved away meanwhile, the levels from it on cannot be
 * reached any more: dir_cursor_read() finds no more entries in them. Those above
 * are not touched by that.
 *
 * Return: 0, or a negative errno if the directory that is at hand now is the
 * highest of those that cannot be reached, -ESTALE because it is elsewhere.
 */
int dir_cursor_leave(struct dir_cursor *cursor)
{
	struct level gone = *top(cursor);
	int error = 0;

	cursor->depth--;
	if (cursor->first_open >= cursor->depth)
		cursor->first_open = cursor->depth > 1 ? cursor->depth - 1 : 1;
	if (top(cursor)->fd < 0)
		error = come_back(cursor, gone.fd);
	close_level(&gone);
	dir_cursor_point(cursor, NULL);
	return error;
}

/*
 * Waits, once, until the time of its last change can be told from that of the next. Who only
 * passes, as --undo does through what it has just renamed, need not wait.
 */
static void settle(struct dir_cursor *cursor, struct level *level)
{
	const struct timespec unit = { .tv_nsec = CLOCK_UNIT };
	struct statx status;

	if (level->settled || cursor->waits == MOST_WAITS)
		return;
	cursor->waits++;
	nanosleep(&unit, NULL);
	if (!statx(level->fd, "", AT_EMPTY_PATH, STATX_CTIME, &status))
		note_change(level, &status);
}

static bool begin_stream(struct dir_cursor *cursor, struct level *level)
{
	level->stream = fdopendir(level->fd);
	level->resumed = level->stream && level->position;
	if (level->resumed)
		seekdir(level->stream, level->position);
	else
		settle(cursor, level);
	return level->stream;
}

/* Asked when the first entry was read: that is when an overlay counts its positions. */
static bool may_have_changed(const struct level *level)
{
	struct level found;
	u64 mount;

	return identify(level->fd, level, &found, &mount) || !level->settled ||
	       found.changed != level->changed;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/**
 * dir_cursor_read() - the next entry of the directory at hand
 * @cursor: the cursor
 * @error: 0 or a negative errno; -EAGAIN, also with an entry, if the directory was changed while
 *	it was closed: what comes now may have been read before, and some entries never will be
 *
 * Return: the entry, good until the next call for @cursor, or NULL.
 */
const struct dirent *dir_cursor_read(struct dir_cursor *cursor, int *error)
{
	const struct dirent *entry = NULL;
	struct level *level = top(cursor);

	errno = 0;
	if (level->fd >= 0 && (level->stream || begin_stream(cursor, level))) {
		do {
			errno = 0;
			entry = readdir(level->stream);
		} while (entry && is_dots(entry->d_name));
	}
	*error = entry ? 0 : -errno;
	if (!*error && level->resumed && may_have_changed(level))
		*error = -EAGAIN;
	level->resumed = false;
	return entry;
}

/* What to say of an error of a cursor. */
const char *dir_cursor_reason(int error)
{
	switch (-error) {
	case EAGAIN:
		return "changed meanwhile: part of it may not have been looked at";
	case EDEADLK:
		return "this directory contains itself";
	case ESTALE:
		return "moved away meanwhile: part of it was not looked at";
	}
	return strerror(-error);
}

/* Sets the path that is shown to an entry of the directory at hand; with NULL, to itself. */
void dir_cursor_point(struct dir_cursor *cursor, const char *name)
{
	cursor->length = cursor->depth ? top(cursor)->length : 0;
	if (cursor->path)
		cursor->path[cursor->length] = '\0';
	if (name)
		append(cursor, name);
}

/* What a level is called; malloc'd. */
char *dir_cursor_name(const struct dir_cursor *cursor, size_t depth)
{
	const struct level *level = &cursor->levels[depth - 1];

	return no_null(strndup(cursor->path + level->name, level->length - level->name));
}

/* The absolute path of the directory that is open; only without /proc, of what has its name. */
static char *path_of(int fd, const char *name)
{
	char link[32], path[PATH_MAX];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path));
	return length < 0 ? realpath(name, NULL) : no_null(strndup(path, (size_t)length));
}

static bool leads_to(const char *path, const struct level *level)
{
	struct level found;
	u64 mount;
	int error, fd = open_without_links(path);

	if (fd < 0)
		return false;
	error = identify(fd, level, &found, &mount);
	close(fd);
	errno = error ? -error : ESTALE;
	return !error && is_same(&found, level);
}

/**
 * dir_cursor_root() - the absolute path of the root, without symbolic links
 * @cursor: the cursor
 *
 * Others may have given its name to another directory or to a link meanwhile: that is not taken.
 *
 * Return: malloc'd; NULL, and errno, if no path leads to the directory that is open.
 */
char *dir_cursor_root(const struct dir_cursor *cursor)
{
	const struct level *root = &cursor->levels[0];
	char *name = dir_cursor_name(cursor, 1), *path = path_of(root->fd, name);

	free(name);
	if (path && leads_to(path, root))
		return path;
	free(path);
	return NULL;
}

/* What a level is known by. */
struct identity dir_cursor_identity(const struct dir_cursor *cursor, size_t depth)
{
	const struct level *level = &cursor->levels[depth - 1];

	return (struct identity){
		.inode = level->inode,
		.born = level->born,
		.directory = true,
	};
}

/* Of the file system that the directory at hand is on. */
struct fs_traits dir_cursor_traits(const struct dir_cursor *cursor)
{
	return top(cursor)->traits;
}

/* The descriptor of the directory at hand; -1 if it cannot be reached any more. */
int dir_cursor_fd(const struct dir_cursor *cursor)
{
	return top(cursor)->fd;
}
