// SPDX-License-Identifier: GPL-2.0
/*
 * The new names that a dry run has given out. Where names are renamed, the directory itself
 * refuses the second one; a dry run has to remember the first.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "given_names.h"
#include "output/memory.h"

static int compare(const void *one, const void *other)
{
	return strcmp(one, other);
}

/**
 * given_names_add() - give out a new name
 * @given: those of this directory, and of those that it is in
 * @depth: of the directory, from 1 on
 * @name: the new name
 *
 * Return: false if it was given out there before.
 */
bool given_names_add(struct given_names *given, size_t depth, const char *name)
{
	char *copy = no_null(strdup(name)), **found;

	if (given->depth < depth) {
		given->trees = no_null(realloc(given->trees, depth * sizeof(*given->trees)));
		while (given->depth < depth)
			given->trees[given->depth++] = NULL;
	}
	found = no_null(tsearch(copy, &given->trees[depth - 1], compare));
	if (*found == copy)
		return true;
	free(copy);
	return false;
}

/* Forgets what was given out in the directory of that depth, and below it. */
void given_names_leave(struct given_names *given, size_t depth)
{
	while (given->depth >= depth)
		tdestroy(given->trees[--given->depth], free);
	if (given->depth)
		return;
	free(given->trees);
	given->trees = NULL;
}
