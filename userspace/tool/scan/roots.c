// SPDX-License-Identifier: GPL-2.0
/*
 * The directories that scan was given. One that is below another one would be looked at twice, and
 * mended twice: the second time, what it has renamed itself would not be there.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "identity.h"
#include "output/output.h"
#include "roots.h"

#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)

/**
 * struct root - a directory
 * @mount: through which it was opened
 * @device: and @inode: which directory it is
 * @at: where it was given first
 */
struct root {
	u64 mount, device, inode;
	size_t at;
};

/**
 * struct roots - all that were given and can be opened, each once, sorted
 * @all: of them
 * @count: of @all
 * @mounts: scan enters other mounts
 */
struct roots {
	struct root *all;
	size_t count;
	bool mounts;
};

static int compare_numbers(u64 one, u64 other)
{
	return (one > other) - (one < other);
}

static int compare_directories(const void *a, const void *b)
{
	const struct root *one = a, *other = b;

	return compare_numbers(one->mount, other->mount) ?:
	       compare_numbers(one->device, other->device) ?:
	       compare_numbers(one->inode, other->inode);
}

static int compare_roots(const void *a, const void *b)
{
	const struct root *one = a, *other = b;

	return compare_directories(a, b) ?: compare_numbers(one->at, other->at);
}

static const struct root *find(const struct roots *roots, const struct root *root)
{
	return bsearch(root, roots->all, roots->count, sizeof(*root), compare_directories);
}

/* Return: its descriptor, or -1. */
static int open_root(int parent, const char *path, struct root *root)
{
	struct statx status;
	int fd = openat(parent, path, OPEN_FLAGS);

	if (fd < 0)
		return -1;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &status)) {
		close(fd);
		return -1;
	}
	root->mount = identity_mount(&status);
	root->device = makedev(status.stx_dev_major, status.stx_dev_minor);
	root->inode = status.stx_ino;
	return fd;
}

static void take_all(struct roots *roots, char *const *paths, size_t count)
{
	size_t at, i, unique = 0;

	roots->all = no_null(calloc(count + 1, sizeof(*roots->all)));
	for (at = 0; at < count; at++) {
		struct root *root = &roots->all[roots->count];
		int fd = open_root(AT_FDCWD, paths[at], root);

		if (fd < 0)
			continue;
		close(fd);
		root->at = at;
		roots->count++;
	}
	qsort(roots->all, roots->count, sizeof(*roots->all), compare_roots);
	for (i = 0; i < roots->count; i++)
		if (!i || compare_directories(&roots->all[i], &roots->all[unique - 1]))
			roots->all[unique++] = roots->all[i];
	roots->count = unique;
}

/*
 * Goes on to the directory above. Return: false where scan would not come down from there: from
 * another mount, or through a directory that cannot be read.
 */
static bool go_up(const struct roots *roots, int *fd, struct root *root)
{
	struct root above = { 0 };
	int up = open_root(*fd, "..", &above);

	if (up < 0)
		return false;
	close(*fd);
	*fd = up;
	if (!compare_directories(&above, root) || (!roots->mounts && above.mount != root->mount))
		return false;
	*root = above;
	return true;
}

/* Is the directory that was given there another one, or below another one? */
static bool is_read_with_another(const struct roots *roots, const char *path, size_t at)
{
	struct root root = { 0 };
	int fd = open_root(AT_FDCWD, path, &root);
	const struct root *found;
	bool with_another;

	if (fd < 0)
		return false;
	found = find(roots, &root);
	with_another = found && found->at != at;
	while (!with_another && go_up(roots, &fd, &root))
		with_another = find(roots, &root);
	close(fd);
	return with_another;
}

static size_t count_of(char *const *paths)
{
	size_t count = 0;

	while (paths[count])
		count++;
	return count;
}

/**
 * roots_leave_out() - leave out what is read with another directory
 * @paths: of directories, ended by NULL; those that are left out are taken from it
 * @mounts: other mounts are entered
 *
 * However they are spelled: what is opened is compared, and what is above it.
 */
void roots_leave_out(char **paths, bool mounts)
{
	struct roots roots = { .mounts = mounts };
	const size_t count = count_of(paths);
	size_t at, kept = 0;

	take_all(&roots, paths, count);
	for (at = 0; at < count; at++)
		if (!is_read_with_another(&roots, paths[at], at))
			paths[kept++] = paths[at];
	paths[kept] = NULL;
	free(roots.all);
}

static size_t length_of(const char *directory)
{
	char *path = realpath(directory, NULL);
	size_t length = path ? strlen(path) : 0;

	free(path);
	return length;
}

static int compare_lengths(const void *a, const void *b)
{
	size_t one = length_of(*(char *const *)a), other = length_of(*(char *const *)b);

	return (one < other) - (one > other);
}

/**
 * roots_put_lower_first() - put what is below another directory before that
 * @paths: of directories, ended by NULL
 *
 * Some are not read with the directory that they are below, as those on another mount. They are
 * mended before it: after that, the path that was given may lead nowhere. Their path is longer.
 */
void roots_put_lower_first(char **paths)
{
	qsort(paths, count_of(paths), sizeof(*paths), compare_lengths);
}
