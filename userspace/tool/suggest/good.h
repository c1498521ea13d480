/* SPDX-License-Identifier: GPL-2.0 */
/* What --good marks as good: it must go on, whatever is proposed. */
#ifndef UTF8GUARD_TOOL_GOOD_H
#define UTF8GUARD_TOOL_GOOD_H

#include "words/words.h"

enum good_kind {
	GOOD_DIRECTORY,
	GOOD_USER,
	GOOD_SENDER,
};

/**
 * struct good - what must go on
 * @kind: what it is told by
 * @text: the directory as it was given, or the address
 * @uid: of the user
 * @word: as it was given
 * @fits: something is good by it
 */
struct good {
	enum good_kind kind;
	const char *text;
	unsigned long long uid;
	const char *word;
	bool fits;
};

/* Those that were given, at most so many. */
#define GOOD_MOST 256

/* Users among them: one location may have 64 rules, of which one is for all others. */
#define GOOD_USERS 63

extern struct good goods[GOOD_MOST];
extern size_t good_count;

bool good_take(struct words *value);
bool path_is_below(const char *path, const char *directory);
bool path_is_in(const char *path, const char *directory);

#endif /* UTF8GUARD_TOOL_GOOD_H */
