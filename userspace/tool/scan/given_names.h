/* SPDX-License-Identifier: GPL-2.0 */
/* The new names that a dry run has given out, so that none is given out twice. */
#ifndef UTF8GUARD_TOOL_GIVEN_NAMES_H
#define UTF8GUARD_TOOL_GIVEN_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct given_names - what was given out in the directories on the way
 * @trees: one for each level, of tsearch(3), @depth of them
 */
struct given_names {
	void **trees;
	size_t depth;
};

bool given_names_add(struct given_names *given, size_t depth, const char *name);
void given_names_leave(struct given_names *given, size_t depth);

#endif /* UTF8GUARD_TOOL_GIVEN_NAMES_H */
