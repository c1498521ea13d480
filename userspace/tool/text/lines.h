/* SPDX-License-Identifier: GPL-2.0 */
/* An input line by line, and what each line must be besides UTF-8. */
#ifndef UTF8GUARD_TOOL_LINES_H
#define UTF8GUARD_TOOL_LINES_H

#include "judge.h"
#include "walk.h"

/*
 * The longest line, for a line is held in memory. A dump of a database without a line feed may be as
 * long; but a hole of a file, which costs nothing, must not take all memory of the host.
 */
#define LINES_MOST (1 << 28)

/**
 * struct lines - what is asked of an input
 * @judge: of each line; the line feed that ends it is no part of it
 * @strip: a byte order mark at the beginning is passed over
 * @require: there must be one; a finding of class bom, of no octets, if there is none
 * @found: called for each finding
 * @context: for @found
 */
struct lines {
	struct judge judge;
	bool strip, require;
	enum walk_on (*found)(void *context, const struct finding *finding);
	void *context;
};

int lines_walk(const struct lines *lines, int fd);

#endif /* UTF8GUARD_TOOL_LINES_H */
