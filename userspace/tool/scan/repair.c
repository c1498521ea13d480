// SPDX-License-Identifier: GPL-2.0
/*
 * The second half of utf8guard scan: carries out a log, or undoes it by reading it from the
 * end. A record applies only to the file that it was made for, and is skipped for any other;
 * nothing is ever overwritten. So a log can be carried out or undone in part, a second time, or
 * at the same time as another one. Other mounts are left alone, unless the log was made of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aside.h"
#include "interrupt.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/progress.h"
#include "repair.h"
#include "report.h"

/**
 * struct doubtful - a record to be undone that finds its file by both names
 * @record: it
 * @depth: of its directory
 */
struct doubtful {
	struct record record;
	size_t depth;
};

/**
 * struct repair - how far a log was carried out
 * @scan: what was asked for
 * @cursor: where in the tree it stands; depth 0 is nowhere
 * @skipped: levels below it that could not be reached
 * @last: the record before
 * @doubtful: to be looked at when their directory is left, @doubtful_count of them
 */
struct repair {
	struct scan *scan;
	struct dir_cursor cursor;
	size_t skipped;
	struct record last;
	struct doubtful *doubtful;
	size_t doubtful_count;
};

static const char is_mounted[] = "something is mounted there";
static const char gone[] = "gone, or another file by now";

/* Is it in the directory at hand, by that name? What is mounted there is not asked. */
static bool is_there(const struct dir_cursor *cursor, const char *name,
		     const struct identity *identity)
{
	const struct fs_traits traits = dir_cursor_traits(cursor);
	struct identity found;

	return !dir_cursor_leaves(cursor, name) &&
	       !identity_find(dir_cursor_fd(cursor), name, traits, &found) &&
	       identity_is(&found, identity, traits);
}

static const char *why_left(int error)
{
	return error == EEXIST ? "its new name exists" : strerror(error);
}

/* What was put aside, and not brought back or taken away. */
static const char *tell_aside(const char *reason, const char *aside)
{
	static char told[128];

	snprintf(told, sizeof(told), "%s; it is called %s", reason, aside);
	return told;
}

/*
 * Takes a name away from the noted file, and from no other that somebody saves there at the same
 * time: whatever has the name is first put aside, under a name that nobody else knows, and then
 * looked at. Another file gets its name back. A crash may leave the name that is made up here.
 *
 * Return: NULL, or why that was not done; @gone if nothing was changed.
 */
static const char *unlink_noted(const struct dir_cursor *cursor, const char *name,
				const struct identity *identity)
{
	int error, fd = dir_cursor_fd(cursor);
	char aside[ASIDE_SIZE];
	bool noted;

	error = aside_name(aside);
	if (error)
		return strerror(error);
	if (renameat(fd, name, fd, aside))
		return errno == ENOENT ? gone : strerror(errno);
	noted = is_there(cursor, aside, identity);
	if (!noted && linkat(fd, aside, fd, name, 0))
		return tell_aside("another file by now", aside);
	if (unlinkat(fd, aside, 0))
		return tell_aside(strerror(errno), aside);
	return noted ? NULL : gone;
}

/*
 * For file systems without RENAME_NOREPLACE, or where it does not hold: link() fails, too, if
 * the new name exists. A crash after link() leaves both names. Directories cannot be linked.
 */
static const char *relink(const struct dir_cursor *cursor, const char *from, const char *to,
			  const struct identity *identity)
{
	static const char unsafe[] = "this file system might overwrite another name";
	int fd = dir_cursor_fd(cursor);
	const char *left;

	if (linkat(fd, from, fd, to, 0))
		return errno == EPERM || errno == EOPNOTSUPP ? unsafe : why_left(errno);
	left = unlink_noted(cursor, from, identity);
	if (left == gone)
		unlink_noted(cursor, to, identity);
	return left;
}

/* Return: NULL, or why the name is left. */
static const char *rename_safely(const struct dir_cursor *cursor, const char *from, const char *to,
				 const struct identity *identity)
{
	int fd = dir_cursor_fd(cursor);

	if (!dir_cursor_traits(cursor).names)
		return relink(cursor, from, to, identity);
	if (!renameat2(fd, from, fd, to, RENAME_NOREPLACE))
		return NULL;
	if (errno == EINVAL || errno == ENOSYS)
		return relink(cursor, from, to, identity);
	return why_left(errno);
}

/*
 * Renames a file to another spelling of its name. Linux would do nothing, or say that there is such
 * a name: so the file is called something else in between. A crash may leave that name; the log has
 * it, and --undo looks for it, too.
 */
static const char *respell(const struct dir_cursor *cursor, const char *from, const char *to,
			   const struct record *record)
{
	const char *left = NULL;

	if (!is_there(cursor, record->through, &record->identity))
		left = rename_safely(cursor, from, record->through, &record->identity);
	if (left)
		return left;
	left = rename_safely(cursor, record->through, to, &record->identity);
	if (left && is_there(cursor, record->through, &record->identity) &&
	    rename_safely(cursor, record->through, from, &record->identity))
		return tell_aside(left, record->through);
	return left;
}

static void tell(struct repair *repair, const char *name, const struct fate *fate)
{
	if (fate->left)
		scan_worsen(repair->scan, STATUS_NO);
	else if (!repair->scan->dry)
		repair->scan->renamed++;
	dir_cursor_point(&repair->cursor, name);
	report_fate(&repair->cursor, fate);
	dir_cursor_point(&repair->cursor, NULL);
}

/*
 * The file has both names. If it had two bad names that became one, as a log of an older tool may
 * have it, the new name is that of another record, which comes later; else this record was carried
 * out by half.
 */
static void put_off(struct repair *repair, const struct record *record)
{
	struct doubtful *doubtful;

	repair->doubtful = no_null(realloc(repair->doubtful, (repair->doubtful_count + 1) *
							     sizeof(*repair->doubtful)));
	doubtful = &repair->doubtful[repair->doubtful_count++];
	*doubtful = (struct doubtful){ .record = *record, .depth = repair->cursor.depth };
	doubtful->record.name = no_null(strdup(record->name));
	doubtful->record.to = no_null(strdup(record->to));
}

static void drop_doubtful(struct repair *repair)
{
	record_drop(&repair->doubtful[--repair->doubtful_count].record);
}

/* Tells of those whose new name no other record has taken back. A dry run takes none back. */
static void settle(struct repair *repair)
{
	while (repair->doubtful_count) {
		const struct doubtful *doubtful = &repair->doubtful[repair->doubtful_count - 1];
		const struct record *record = &doubtful->record;

		if (doubtful->depth != repair->cursor.depth)
			return;
		if (!repair->scan->dry && is_there(&repair->cursor, record->to, &record->identity))
			tell(repair, record->to,
			     &(struct fate){ .to = record->name, .left = why_left(EEXIST) });
		drop_doubtful(repair);
	}
}

static void rename_one(struct repair *repair, const struct record *record)
{
	const bool back = repair->scan->journal.back;
	const char *from = back ? record->to : record->name;
	const char *to = back ? record->name : record->to;
	const bool ready = is_there(&repair->cursor, from, &record->identity) ||
			   (record->through &&
			    is_there(&repair->cursor, record->through, &record->identity));
	const bool done = is_there(&repair->cursor, to, &record->identity);
	struct fate fate = { .to = to };

	/* Done before: nothing is left to do. */
	if (!ready && done)
		return;
	/* Another spelling is found by both, whichever it has. */
	if (back && done && !record->through) {
		put_off(repair, record);
		return;
	}
	if (dir_cursor_leaves(&repair->cursor, from))
		fate.left = is_mounted;
	else if (!ready)
		fate.left = gone;
	else if (!repair->scan->dry && record->through)
		fate.left = respell(&repair->cursor, from, to, record);
	else if (!repair->scan->dry)
		fate.left = rename_safely(&repair->cursor, from, to, &record->identity);
	tell(repair, from, &fate);
}

static void leave(struct repair *repair)
{
	struct dir_cursor *cursor = &repair->cursor;

	settle(repair);
	if (cursor->depth > 1) {
		dir_cursor_leave(cursor);
		return;
	}
	dir_cursor_end(cursor);
	*cursor = (struct dir_cursor){ .mounts = repair->scan->mounts };
}

/* Return: 0 or a negative errno. */
static int enter(struct repair *repair, const char *name, const struct identity *identity)
{
	struct dir_cursor *cursor = &repair->cursor;
	struct identity found;
	int error = cursor->depth ? dir_cursor_enter(cursor, name) :
				    dir_cursor_begin_noted(cursor, name);

	if (error)
		return error;
	found = dir_cursor_identity(cursor, cursor->depth);
	if (identity_is(&found, identity, dir_cursor_traits(cursor)))
		return 0;
	leave(repair);
	return -ESTALE;
}

static const char *why_not_entered(int error)
{
	switch (-error) {
	case ESTALE:
		return "another directory by now";
	case ELOOP:
	case ENOTDIR:
		return "another directory by now, or a symbolic link leads there";
	case EXDEV:
		return is_mounted;
	default:
		return strerror(-error);
	}
}

/* Read backwards, a directory comes after its rename: if that failed, it has its new name still. */
static void enter_any(struct repair *repair, const struct record *record)
{
	const struct record *last = &repair->last;
	int error = enter(repair, record->name, &record->identity);

	if (error && last->kind == RECORD_RENAME && !strcmp(last->name, record->name))
		error = enter(repair, last->to, &record->identity);
	if (!error)
		return;
	repair->skipped = 1;
	scan_worsen(repair->scan, STATUS_NO);
	dir_cursor_point(&repair->cursor, record->name);
	progress_clear();
	complain_word(repair->cursor.path, "%s; its contents are left as they are",
		      why_not_entered(error));
	dir_cursor_point(&repair->cursor, NULL);
}

/* Return: false where the record makes no sense at this place. */
static bool step(struct repair *repair, const struct record *record)
{
	const bool nowhere = !repair->cursor.depth;
	const bool in = record->kind == (repair->scan->journal.back ? RECORD_OUT : RECORD_IN);

	if (record->kind == RECORD_RENAME) {
		if (!repair->skipped && !nowhere)
			rename_one(repair, record);
		return repair->skipped || !nowhere;
	}
	if (repair->skipped)
		repair->skipped += in ? 1 : -1;
	else if (in && nowhere == (*record->name == '/'))
		enter_any(repair, record);
	else if (!in && !nowhere)
		leave(repair);
	else
		return false;
	return true;
}

/**
 * repair() - carry out the log of a scan, or undo it
 * @scan: its journal is open, to be read from where it is to begin
 *
 * What could not be done is reported, and makes the status STATUS_NO.
 */
void repair(struct scan *scan)
{
	struct repair repair = { .scan = scan, .cursor.mounts = scan->mounts };
	struct record record;
	bool more = true;

	while (more && !interrupted() && !ferror(stdout)) {
		if (!journal_read(&scan->journal, &record)) {
			scan_worsen(scan, STATUS_USAGE);
			break;
		}
		more = record.kind != RECORD_END;
		if (more && !step(&repair, &record)) {
			journal_complain(&scan->journal);
			scan_worsen(scan, STATUS_USAGE);
			more = false;
		}
		record_drop(&repair.last);
		repair.last = record;
		progress_show("%llu renamed", scan->renamed);
	}
	record_drop(&repair.last);
	while (repair.doubtful_count)
		drop_doubtful(&repair);
	free(repair.doubtful);
	dir_cursor_end(&repair.cursor);
}
