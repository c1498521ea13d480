// SPDX-License-Identifier: GPL-2.0
/*
 * The first half of utf8guard scan: every name below a directory, and what is to
 * be done about it. It changes nothing, for a directory whose entries are renamed
 * while they are read may show them twice, or for ever.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "interrupt.h"
#include "output/output.h"
#include "output/progress.h"
#include "report.h"
#include "scan.h"

static void complain_path(struct scan *scan, const struct trail *trail, const char *reason)
{
	progress_clear();
	complain_word(trail->path, "%s", reason);
	scan_worsen(scan, STATUS_USAGE);
}

/* Into the log. Return: NULL, or why it is left. */
static const char *plan(struct scan *scan, struct trail *trail, const char *name,
			const char *to)
{
	struct stat status, other;
	int fd = trail_fd(trail);

	if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW))
		return strerror(errno);
	if (!fstatat(fd, to, &other, AT_SYMLINK_NOFOLLOW))
		return "its new name exists";
	if (!scan->dry)
		journal_rename(&scan->journal, trail, name, to, status.st_ino);
	return NULL;
}

static void mend(struct scan *scan, struct trail *trail, const char *name,
		 const struct utf8guard_error *error)
{
	char to[NAME_MAX + 1];
	struct fate fate = { .to = to };

	fate.left = remedy_find(&scan->remedy, &scan->judge, name, to);
	if (fate.left)
		fate.to = NULL;
	else
		fate.left = plan(scan, trail, name, to);
	if (fate.left || scan->dry) {
		scan_worsen(scan, STATUS_NO);
		report_finding(trail, &scan->judge, name, error, &fate);
	}
}

static void judge(struct scan *scan, struct trail *trail, const char *name)
{
	static const struct fate none;
	struct utf8guard_error error;

	scan->names++;
	if (judge_name(&scan->judge, name, strlen(name), &error))
		return;
	scan->found++;
	scan->tally.counts[error.class]++;
	trail_point(trail, name);
	if (scan->fix) {
		mend(scan, trail, name, &error);
		return;
	}
	scan_worsen(scan, STATUS_NO);
	report_finding(trail, &scan->judge, name, &error, &none);
}

/* Return: whether there is a directory to be read first. */
static bool descend(struct scan *scan, struct trail *trail, const struct dirent *entry)
{
	int error;

	if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
		return false;
	error = trail_enter(trail, entry->d_name);
	switch (-error) {
	case 0:
		return true;
	case ENOTDIR:
	case ELOOP:
	case ENOENT:	/* gone meanwhile */
	case EXDEV:
		return false;
	}
	trail_point(trail, entry->d_name);
	complain_path(scan, trail, error == -EDEADLK ? "this directory is above itself" :
						       strerror(-error));
	return false;
}

/* A directory is judged after what is in it: so it can be renamed. */
static void ascend(struct scan *scan, struct trail *trail)
{
	char *name = trail_name(trail, trail->depth);
	int error;

	if (scan->fix)
		journal_leave(&scan->journal, trail);
	error = trail_leave(trail);
	if (error)
		complain_path(scan, trail, error == -ESTALE ?
			      "moved away: not all of it was looked at" : strerror(-error));
	judge(scan, trail, name);
	free(name);
}

static bool goes_on(const struct scan *scan)
{
	return !ferror(stdout) && !interrupted() &&
	       (!scan->fix || scan->dry || journal_works(&scan->journal));
}

static void look_at(struct scan *scan, struct trail *trail, const struct dirent *entry)
{
	if (!descend(scan, trail, entry))
		judge(scan, trail, entry->d_name);
	if (scan->names % 256 == 0)
		progress_show("%llu names, %llu a second, %llu found", scan->names,
			      progress_rate(scan->names), scan->found);
}

static void read_tree(struct scan *scan, struct trail *trail)
{
	const struct dirent *entry;
	int error;

	while (goes_on(scan)) {
		trail_point(trail, NULL);
		entry = trail_read(trail, &error);
		if (error)
			complain_path(scan, trail, strerror(-error));
		if (entry)
			look_at(scan, trail, entry);
		else if (trail->depth == 1)
			break;
		else
			ascend(scan, trail);
	}
	if (scan->fix)
		journal_leave(&scan->journal, trail);
}

static bool begin(struct scan *scan, struct trail *trail, const char *path)
{
	int error = trail_begin(trail, path);

	if (!error)
		return true;
	complain_word(path, "%s", strerror(-error));
	scan_worsen(scan, STATUS_USAGE);
	return false;
}

/* Is it a directory that can be read? If not, a complaint. */
bool census_can(struct scan *scan, const char *path)
{
	struct trail trail = { 0 };
	bool good = begin(scan, &trail, path);

	trail_end(&trail);
	return good;
}

/**
 * census_take() - look at every name below a directory
 * @scan: what to look for
 * @path: of the directory; its own name is not looked at
 *
 * Return: false with a complaint where it is none, or cannot be read.
 */
bool census_take(struct scan *scan, const char *path)
{
	struct trail trail = { .mounts = scan->mounts };
	bool good = begin(scan, &trail, path);

	if (good)
		read_tree(scan, &trail);
	trail_end(&trail);
	return good;
}
