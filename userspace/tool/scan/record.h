/* SPDX-License-Identifier: GPL-2.0 */
/* A line of the log of scan --fix. */
#ifndef UTF8GUARD_TOOL_RECORD_H
#define UTF8GUARD_TOOL_RECORD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/utf8guard.h>

#include "identity.h"

/*
 * The longest line: a name, as long as a path may be, and its new one, each octet written as five. No
 * file system of this host has such names, but a server of FUSE may make them up.
 */
#define RECORD_MAX (5 * (PATH_MAX + NAME_MAX) + 512)

/**
 * enum record_kind - what a line of the log says
 * @RECORD_IN: go down into a directory; where there is none at hand, its path is absolute
 * @RECORD_OUT: come back from it
 * @RECORD_RENAME: a name in the directory at hand
 * @RECORD_END: the log is complete
 */
enum record_kind {
	RECORD_IN,
	RECORD_OUT,
	RECORD_RENAME,
	RECORD_END,
};

/**
 * struct record - a line of the log
 * @kind: enum record_kind
 * @name: of the directory, or the old one of what is renamed
 * @to: the new one
 * @through: what it is called in between, where @name and @to are two spellings of one name, or NULL
 * @mounts: at the end: what is mounted in the trees may be entered; an older tool did not note it
 * @identity: of the directory or of what is renamed
 */
struct record {
	enum record_kind kind;
	char *name, *to, *through;
	bool mounts;
	struct identity identity;
};

char *record_format(const struct record *record);
bool record_parse(struct record *record, const char *line, size_t length);
void record_drop(struct record *record);

#endif /* UTF8GUARD_TOOL_RECORD_H */
