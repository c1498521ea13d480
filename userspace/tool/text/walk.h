/* SPDX-License-Identifier: GPL-2.0 */
/* A walk over the ill-formed sequences of an input of any size. */
#ifndef UTF8GUARD_TOOL_WALK_H
#define UTF8GUARD_TOOL_WALK_H

#include <linux/utf8guard.h>

/* Octets of an input that are in memory at once, at most. */
#define WALK_WINDOW 65536

/**
 * struct finding - an ill-formed sequence
 * @offset: from the beginning of the input
 * @line: from 1
 * @column: octets from the beginning of the line, from 0
 * @bytes: @error.span of them
 * @error: what is wrong; its offset has no meaning here
 */
struct finding {
	u64 offset;
	u64 line;
	u64 column;
	const u8 *bytes;
	struct utf8guard_error error;
};

/* Where to go on after a finding. */
enum walk_on {
	WALK_SEQUENCE,	/* after the sequence */
	WALK_LINE,	/* in the next line */
	WALK_STOP,
};

/**
 * struct walk - what to do on the way
 * @judge: as utf8guard_validate(): 0, -EILSEQ; another value, negative or above 2, ends the walk
 * @whole: if not 0, @judge sees the whole input at once, which may have this many octets
 *	at most; less than WALK_WINDOW
 * @found: called for each finding
 * @context: for @judge and @found
 */
struct walk {
	int (*judge)(void *context, const u8 *text, size_t length,
		     struct utf8guard_error *error);
	size_t whole;
	enum walk_on (*found)(void *context, const struct finding *finding);
	void *context;
};

int walk(const struct walk *how, int fd);

#endif /* UTF8GUARD_TOOL_WALK_H */
