// SPDX-License-Identifier: GPL-2.0
/*
 * Walks a path name by name, with a descriptor of each directory, so that what is opened is what
 * was looked at. Whoever may replace a symbolic link decides where the path leads. So a link is
 * followed only if nobody but root can have put it there: the link, its directory and all
 * directories before that belong to root, and nobody else may write to them; in a sticky
 * directory, nobody else can replace what is root's. Modes of a file system that a user serves
 * himself, or has brought on a disk, say nothing.
 *
 * Whoever may write to a directory on the way can also move or remove what was opened, at any time.
 * A mount he cannot. So what a rule is handed is its mount, and the names from there.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "mounts.h"
#include "resolver.h"

/* As many links as Linux follows. */
#define LINKS_MOST 40

/* On how many mounts, one below the other, a link may be that is followed. */
#define MOUNTS_MOST 32

/**
 * struct walk - a path that is being walked
 * @to: how far it has come: descriptor and real path, which is "" for the root
 * @rest: what is left, from @at on
 * @at: the same
 * @links: how many were followed
 * @any_link: also those of others
 * @mount: descriptor of the mount that @to is on, or of the root; may be that of @to
 * @is_roots: nobody but root can have put anything there that was walked through
 * @mounts: the IDs of the mounts that this was on, @mount_count of them
 */
struct walk {
	struct opened *to;
	char rest[PATH_MAX];
	const char *at;
	unsigned int links;
	int mount;
	bool any_link, is_roots;
	unsigned long long mounts[MOUNTS_MOST];
	unsigned int mount_count;
};

/* Takes the next name, which is @name; false at the end. */
static bool next_name(struct walk *walk, char *name)
{
	size_t length;

	walk->at += strspn(walk->at, "/");
	length = strcspn(walk->at, "/");
	memcpy(name, walk->at, length);
	name[length] = '\0';
	walk->at += length;
	return length;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static bool is_on(int fd, long type)
{
	struct statfs status;

	return !fstatfs(fd, &status) && (long)status.f_type == type;
}

/* Is this a file of root's? And if a directory, one to which nobody else writes, or sticky? */
static bool is_roots(const struct statx *status)
{
	return !status->stx_uid && (!S_ISDIR(status->stx_mode) || !(status->stx_mode & 022) ||
				    status->stx_mode & S_ISVTX);
}

/* Mounts of users are looked for among all mounts: their servers are not asked what they are. */
static bool is_on_users_mount(const struct walk *walk)
{
	unsigned int i;

	for (i = 0; i < walk->mount_count; i++)
		if (mounts_is_users(walk->mounts[i]))
			return true;
	return false;
}

static int look_at(int fd, struct statx *status)
{
	return statx(fd, "", AT_EMPTY_PATH, STATX_TYPE | STATX_MODE | STATX_UID | STATX_MNT_ID,
		     status) ? errno : 0;
}

/* Closes a descriptor of the walk, unless it is @kept. */
static void leave(int fd, int kept)
{
	if (fd >= 0 && fd != kept)
		close(fd);
}

/* Goes on from @fd, which takes the place of the descriptor so far. */
static void move_to(struct walk *walk, int fd, const struct statx *status)
{
	struct opened *to = walk->to;

	leave(to->fd, walk->mount);
	to->fd = fd;
	to->is_dir = S_ISDIR(status->stx_mode);
	to->is_mount = status->stx_attributes & STATX_ATTR_MOUNT_ROOT;
	if (to->is_mount || !*to->path) {
		leave(walk->mount, fd);
		walk->mount = fd;
		to->at = strlen(to->path);
	}
	walk->is_roots = walk->is_roots && is_roots(status) && walk->mount_count < MOUNTS_MOST;
	if (to->is_mount && walk->is_roots)
		walk->mounts[walk->mount_count++] = status->stx_mnt_id;
}

/* At the root. What was walked through before does not matter any more. */
static int begin(struct walk *walk)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statx status;
	int error = fd < 0 ? errno : look_at(fd, &status);

	walk->to->path[0] = '\0';
	walk->is_roots = true;
	walk->mount_count = 0;
	if (!error)
		move_to(walk, fd, &status);
	else if (fd >= 0)
		close(fd);
	return error;
}

static int append(char *path, const char *name)
{
	size_t length = strlen(path);

	if (length + strlen(name) + 1 >= PATH_MAX)
		return ENAMETOOLONG;
	path[length] = '/';
	strcpy(path + length + 1, name);
	return 0;
}

static bool is_same_file(int one, int other)
{
	struct statx a, b;

	return !statx(one, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &a) &&
	       !statx(other, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &b) &&
	       a.stx_mnt_id == b.stx_mnt_id && a.stx_ino == b.stx_ino;
}

/*
 * Does a link of /proc lead elsewhere than its text? What the root of a process leads to, for
 * example, is in another mount namespace, while the text is "/".
 */
static bool is_elsewhere(int fd, const char *name, const char *text)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	int direct = openat(fd, name, O_PATH | O_CLOEXEC);
	int real = (int)syscall(SYS_openat2, AT_FDCWD, text, &how, sizeof(how));
	bool same = direct >= 0 && real >= 0 && is_same_file(direct, real);

	if (direct >= 0)
		close(direct);
	if (real >= 0)
		close(real);
	return !same;
}

/* Puts the text of a link before what is left. */
static int take_text(struct walk *walk, const char *text)
{
	char rest[PATH_MAX];

	if ((size_t)snprintf(rest, sizeof(rest), "%s%s", text, walk->at) >= sizeof(rest))
		return ENAMETOOLONG;
	strcpy(walk->rest, rest);
	walk->at = walk->rest;
	return *text == '/' ? begin(walk) : 0;
}

/* By names, from the root on: the directory may have been moved since, and its parent with it. */
static int go_up(struct walk *walk)
{
	char *slash = strrchr(walk->to->path, '/');

	if (slash)
		*slash = '\0';
	return take_text(walk, *walk->to->path ? walk->to->path : "/");
}

static int follow(struct walk *walk, int link, const char *name, const struct statx *status)
{
	char text[PATH_MAX];
	ssize_t length;

	if (walk->links++ == LINKS_MOST)
		return ELOOP;
	if (!walk->any_link &&
	    (!walk->is_roots || !is_roots(status) || is_on_users_mount(walk)))
		return append(walk->to->path, name) ?: ENOLINK;
	length = readlinkat(link, "", text, sizeof(text));
	if (length < 0)
		return errno;
	if (!length || length == sizeof(text))
		return length ? ENAMETOOLONG : ENOENT;
	text[length] = '\0';
	if (*text == '/' && is_on(walk->to->fd, PROC_SUPER_MAGIC) &&
	    is_elsewhere(walk->to->fd, name, text))
		return EXDEV;
	return take_text(walk, text);
}

/* An automount is asked to mount, by O_DIRECTORY, only if the path goes on below it. */
static int open_name(const struct walk *walk, const char *name)
{
	const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
	int fd = -1;

	if (*walk->at)
		fd = openat(walk->to->fd, name, flags | O_DIRECTORY);
	if (!*walk->at || (fd < 0 && errno == ENOTDIR))
		fd = openat(walk->to->fd, name, flags);
	return fd;
}

static int go_down(struct walk *walk, const char *name)
{
	struct statx status;
	int fd = open_name(walk, name);
	int error = fd < 0 ? errno : look_at(fd, &status);
	bool is_link = !error && S_ISLNK(status.stx_mode);

	if (is_link)
		error = follow(walk, fd, name, &status);
	else if (!error)
		error = append(walk->to->path, name);
	if (!error && !is_link)
		move_to(walk, fd, &status);
	else if (fd >= 0)
		close(fd);
	return error;
}

/* The names from @name on are not there. They may be made later, but none of them may be dots. */
static int take_missing(struct walk *walk, char *name)
{
	char *below = walk->to->below;

	do {
		if (is_dots(name))
			return ENOENT;
		snprintf(below + strlen(below), PATH_MAX - strlen(below), "%s%s", *below ? "/" : "",
			 name);
	} while (next_name(walk, name));
	return 0;
}

static int go(struct walk *walk, char *name)
{
	int error;

	if (!walk->to->is_dir)
		return ENOTDIR;
	if (!strcmp(name, "."))
		return 0;
	if (!strcmp(name, ".."))
		return go_up(walk);
	error = go_down(walk, name);
	return error == ENOENT ? take_missing(walk, name) : error;
}

static int walk_all(struct walk *walk)
{
	char name[PATH_MAX];
	int error = begin(walk);

	while (!error && next_name(walk, name))
		error = go(walk, name);
	/* A slash at the end is for a directory. */
	if (!error && !walk->to->is_dir && walk->at[-1] == '/')
		error = ENOTDIR;
	return error;
}

/* Keeps one of the two descriptors. */
static void choose(struct walk *walk)
{
	struct opened *to = walk->to;

	if (walk->any_link) {
		leave(walk->mount, to->fd);
		to->at = strlen(to->path);
	} else {
		leave(to->fd, walk->mount);
		to->fd = walk->mount;
	}
}

/**
 * resolver_resolve() - find a path as far as it is there, and open the mount that it is on
 * @path: the path, from the root, of less than PATH_MAX octets
 * @any_link: follow symbolic links of everybody, not of root alone, and open the path itself
 * @opened: filled in
 *
 * May take for ever, where a server does not answer.
 *
 * Return: 0; ENOLINK for a symbolic link that others than root may have put there, whose path
 * @opened->path is then; EXDEV where the path leads into another mount namespace; or another errno.
 */
int resolver_resolve(const char *path, bool any_link, struct opened *opened)
{
	static struct walk walk;
	int error;

	*opened = (struct opened){ .fd = -1 };
	walk = (struct walk){ .to = opened, .mount = -1, .any_link = any_link };
	strcpy(walk.rest, path);
	walk.at = walk.rest;
	error = walk_all(&walk);
	choose(&walk);
	if (!*opened->path)
		strcpy(opened->path, "/");
	if (error && opened->fd >= 0) {
		close(opened->fd);
		opened->fd = -1;
	}
	return error;
}
