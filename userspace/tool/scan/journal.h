/* SPDX-License-Identifier: GPL-2.0 */
/* The log of scan --fix: what it is going to rename. */
#ifndef UTF8GUARD_TOOL_JOURNAL_H
#define UTF8GUARD_TOOL_JOURNAL_H

#include <stdio.h>
#include <sys/types.h>

#include "record.h"
#include "dir_cursor.h"

/**
 * struct journal - the log, while it is written or read
 * @path: of it
 * @back: to be read from the end
 * @mounts: what is mounted in the trees was looked at, too
 * @complete: it has its last record; only then may names have been renamed by it
 * @renames: written
 */
struct journal {
	const char *path;
	bool back, mounts, complete;
	unsigned long long renames;
	/* private: */
	FILE *file;
	int error;
	size_t depth;
	char *root, *block;
	off_t start, end;
};

bool journal_create(struct journal *journal, const char *path, bool mounts);
void journal_rename(struct journal *journal, struct dir_cursor *cursor, const char *name,
		    const char *to, const char *through, const struct identity *identity);
void journal_leave(struct journal *journal, const struct dir_cursor *cursor);
bool journal_works(const struct journal *journal);
bool journal_commit(struct journal *journal);
void journal_discard(struct journal *journal);

bool journal_open(struct journal *journal, const char *path);
bool journal_read(struct journal *journal, struct record *record);
void journal_complain(const struct journal *journal);
void journal_close(struct journal *journal);

#endif /* UTF8GUARD_TOOL_JOURNAL_H */
