/* SPDX-License-Identifier: GPL-2.0 */
/* The new names that were given out, so that none is given out twice. */
#ifndef UTF8GUARD_TOOL_GIVEN_NAMES_H
#define UTF8GUARD_TOOL_GIVEN_NAMES_H

#include <stddef.h>
#include <linux/utf8guard.h>

struct given_level;

/**
 * struct given_names - what was given out in the directories on the way
 * @levels: one for each level, @depth of them
 * @key: of the hashes; 0 until the first name
 */
struct given_names {
	struct given_level *levels;
	size_t depth;
	u64 key;
};

const char *given_names_add(struct given_names *given, size_t depth, const char *name);
void given_names_leave(struct given_names *given, size_t depth);

#endif /* UTF8GUARD_TOOL_GIVEN_NAMES_H */
