/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of utf8guard scan share. */
#ifndef UTF8GUARD_TOOL_SCAN_H
#define UTF8GUARD_TOOL_SCAN_H

#include "journal.h"
#include "remedy.h"
#include "text/judge.h"

/**
 * struct scan - what was asked for, and how far it has come
 * @judge: of names
 * @remedy: for names
 * @journal: of what is going to be renamed
 * @mounts: what is mounted there, too
 * @fix: rename
 * @dry: only say so
 * @names: looked at
 * @found: of them
 * @renamed: of those
 * @tally: what they were found for
 * @status: the worst so far
 */
struct scan {
	struct judge judge;
	struct remedy remedy;
	struct journal journal;
	bool mounts, fix, dry;
	unsigned long long names, found, renamed;
	struct tally tally;
	int status;
};

void scan_worsen(struct scan *scan, int status);

bool census_can(struct scan *scan, const char *path);
bool census_take(struct scan *scan, const char *path);
void repair(struct scan *scan);

#endif /* UTF8GUARD_TOOL_SCAN_H */
