/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of utf8guard scan share. */
#ifndef UTF8GUARD_TOOL_SCAN_H
#define UTF8GUARD_TOOL_SCAN_H

#include "given_names.h"
#include "journal.h"
#include "new_name.h"
#include "text/judge.h"

/**
 * struct scan - what was asked for, and how far it has come
 * @judge: of names
 * @new_name: for names
 * @journal: of what is going to be renamed
 * @given: new names that were given out
 * @mounts: what is mounted there, too
 * @fix: rename
 * @dry: only say so
 * @expected: at most so many names are there, for progress; 0 where nobody knows
 * @names: looked at
 * @found: of them
 * @renamed: of those
 * @tally: what they were found for
 * @status: the worst so far
 */
struct scan {
	struct judge judge;
	struct new_name new_name;
	struct journal journal;
	struct given_names given;
	bool mounts, fix, dry;
	unsigned long long expected, names, found, renamed;
	struct tally tally;
	int status;
};

/* The worst is what the exit status says. */
static inline void scan_worsen(struct scan *scan, int status)
{
	if (status > scan->status)
		scan->status = status;
}

#endif /* UTF8GUARD_TOOL_SCAN_H */
