// SPDX-License-Identifier: GPL-2.0
/*
 * The first half of utf8guard scan: looks at every name below a directory, and plans what to do
 * about it. It changes nothing: a directory whose entries are renamed while they are read may
 * show them twice, or for ever.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "aside.h"
#include "interrupt.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/progress.h"
#include "plan.h"
#include "report.h"

static void complain_path(struct scan *scan, const struct dir_cursor *cursor, int error)
{
	progress_clear();
	complain_word(cursor->path, "%s", dir_cursor_reason(error));
	scan_worsen(scan, STATUS_USAGE);
}

static bool folds_case(int fd)
{
	int flags = 0;

	return !ioctl(fd, FS_IOC_GETFLAGS, &flags) && flags & FS_CASEFOLD_FL;
}

/*
 * Do both lead to the same file because the file system takes them for one name, by case or by
 * normalization? Two names of one file would do so, too: but a directory has one, and so has a file
 * with one link. Where there are more links, the directory is asked whether it folds case.
 */
static bool is_other_spelling(int fd, const char *name, const char *to)
{
	const int flags = AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW;
	struct stat one, other;

	if (fstatat(fd, name, &one, flags) || fstatat(fd, to, &other, flags))
		return false;
	return one.st_dev == other.st_dev && one.st_ino == other.st_ino &&
	       (S_ISDIR(one.st_mode) || one.st_nlink == 1 || folds_case(fd));
}

static bool has_links(int fd, const char *name)
{
	struct stat status;

	return !fstatat(fd, name, &status, AT_NO_AUTOMOUNT | AT_SYMLINK_NOFOLLOW) &&
	       !S_ISDIR(status.st_mode) && status.st_nlink > 1;
}

/*
 * Writes a rename into the log, but with --dry-run. A log in which two names of one file become the
 * same would not tell which of them was renamed, once the other is gone: so the second one is left.
 * Return: NULL, or why the name is left.
 */
static const char *plan(struct scan *scan, struct dir_cursor *cursor, const char *name,
			const char *to)
{
	int error, fd = dir_cursor_fd(cursor);
	char aside[ASIDE_SIZE];
	const char *through = NULL, *left = NULL;
	struct identity identity;
	struct stat other;

	if (fd < 0)
		return "its directory was moved away meanwhile";
	if (dir_cursor_leaves(cursor, name))
		return "something is mounted there";
	error = identity_find(fd, name, dir_cursor_traits(cursor), &identity);
	if (error)
		return strerror(-error);
	/* As with the old name: what is mounted there is not asked. */
	if (dir_cursor_leaves(cursor, to))
		return "its new name exists";
	if (!fstatat(fd, to, &other, AT_SYMLINK_NOFOLLOW)) {
		if (!is_other_spelling(fd, name, to))
			return "its new name exists";
		error = aside_name(aside);
		if (error)
			return strerror(error);
		through = aside;
	}
	if (scan->dry || has_links(fd, name))
		left = given_names_add(&scan->given, cursor->depth, to);
	if (!left && !scan->dry)
		journal_rename(&scan->journal, cursor, name, to, through, &identity);
	return left;
}

static void mend(struct scan *scan, struct dir_cursor *cursor, const char *name,
		 const struct utf8guard_error *error)
{
	char to[NAME_MAX + 1];
	struct fate fate = { .to = to };

	fate.left = new_name_find(&scan->new_name, &scan->judge, name, to);
	if (fate.left)
		fate.to = NULL;
	else
		fate.left = plan(scan, cursor, name, to);
	if (fate.left || scan->dry) {
		scan_worsen(scan, STATUS_NO);
		report_finding(cursor, &scan->judge, name, error, &fate);
	}
}

static void judge(struct scan *scan, struct dir_cursor *cursor, const char *name)
{
	static const struct fate none;
	struct utf8guard_error error;

	scan->names++;
	if (judge_name(&scan->judge, name, strlen(name), &error))
		return;
	scan->found++;
	scan->tally.counts[error.class]++;
	dir_cursor_point(cursor, name);
	if (scan->fix) {
		mend(scan, cursor, name, &error);
		return;
	}
	scan_worsen(scan, STATUS_NO);
	report_finding(cursor, &scan->judge, name, &error, &none);
}

/* Return: whether there is a directory to be read first. */
static bool descend(struct scan *scan, struct dir_cursor *cursor, const struct dirent *entry)
{
	int error;

	if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
		return false;
	error = dir_cursor_enter(cursor, entry->d_name);
	switch (-error) {
	case 0:
		return true;
	case ENOTDIR:
	case ELOOP:
	case ENOENT:	/* gone meanwhile */
	case EXDEV:
		return false;
	}
	dir_cursor_point(cursor, entry->d_name);
	complain_path(scan, cursor, error);
	return false;
}

/* Leaves a directory, and judges its name: after what is in it, so that it is renamed last. */
static void ascend(struct scan *scan, struct dir_cursor *cursor)
{
	char *name = dir_cursor_name(cursor, cursor->depth);
	int error;

	given_names_leave(&scan->given, cursor->depth);
	if (scan->fix)
		journal_leave(&scan->journal, cursor);
	error = dir_cursor_leave(cursor);
	if (error)
		complain_path(scan, cursor, error);
	judge(scan, cursor, name);
	free(name);
}

static bool goes_on(const struct scan *scan)
{
	return !ferror(stdout) && !interrupted() &&
	       (!scan->fix || scan->dry || journal_works(&scan->journal));
}

/*
 * Nobody knows how many names a tree has. What is known is how many inodes of its file
 * system are in use: so the time that is left is said to be at most so much.
 */
static void show_progress(const struct scan *scan)
{
	unsigned long long rate = progress_rate(scan->names), left;

	if (!rate || scan->expected <= scan->names) {
		progress_show("%llu names, %llu a second, %llu found", scan->names, rate,
			      scan->found);
		return;
	}
	left = (scan->expected - scan->names) / rate;
	progress_show("%llu names, %llu a second, %llu found, at most %llu:%02llu:%02llu left",
		      scan->names, rate, scan->found, left / 3600, left / 60 % 60, left % 60);
}

static void look_at(struct scan *scan, struct dir_cursor *cursor, const struct dirent *entry)
{
	if (!descend(scan, cursor, entry))
		judge(scan, cursor, entry->d_name);
	if (scan->names % 256 == 0)
		show_progress(scan);
}

static void read_tree(struct scan *scan, struct dir_cursor *cursor)
{
	const struct dirent *entry;
	int error;

	while (goes_on(scan)) {
		dir_cursor_point(cursor, NULL);
		entry = dir_cursor_read(cursor, &error);
		if (error)
			complain_path(scan, cursor, error);
		if (entry)
			look_at(scan, cursor, entry);
		else if (cursor->depth == 1)
			break;
		else
			ascend(scan, cursor);
	}
	if (scan->fix)
		journal_leave(&scan->journal, cursor);
}

static bool begin(struct scan *scan, struct dir_cursor *cursor, const char *path)
{
	int error = dir_cursor_begin(cursor, path);

	if (!error)
		return true;
	complain_word(path, "%s", strerror(-error));
	scan_worsen(scan, STATUS_USAGE);
	return false;
}

/* Is it a directory that can be read? If not, a complaint. */
bool plan_can(struct scan *scan, const char *path)
{
	struct dir_cursor cursor = { 0 };
	bool good = begin(scan, &cursor, path);

	dir_cursor_end(&cursor);
	return good;
}

/**
 * plan_take() - look at every name below a directory
 * @scan: what to look for
 * @path: of the directory; its own name is not looked at
 *
 * Return: false with a complaint where it is none, or cannot be read.
 */
bool plan_take(struct scan *scan, const char *path)
{
	struct dir_cursor cursor = { .mounts = scan->mounts };
	bool good = begin(scan, &cursor, path);

	if (good)
		read_tree(scan, &cursor);
	given_names_leave(&scan->given, 1);
	dir_cursor_end(&cursor);
	return good;
}
