// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel asks the rules for names from the nearest location on, and the first one that is for
 * the caller decides. So a rule that is added at a directory takes its names from the rules in
 * force that decide there now.
 */
#include <stdlib.h>
#include <string.h>

#include "good.h"
#include "location/mounts.h"
#include "outer.h"
#include "output/output.h"
#include "output/text.h"
#include "policy/rule_line.h"

/* Locations are asked by rank, the highest first; of subtrees, the longest path has the highest. */
enum {
	RANK_NONE,		/* not asked there */
	RANK_DEFAULT,
	RANK_TYPE,
	RANK_SUBTYPE,
	RANK_SUPERBLOCK,
	RANK_SUBTREE,
};

/**
 * struct directory - where a rule is to be added
 * @inside: its path within its file system
 * @type: of that file system
 * @major, @minor: device of that file system
 */
struct directory {
	char *inside;
	const char *type;
	unsigned int major, minor;
};

/* "fuse.sshfs" is asked before "fuse". */
static size_t rank_of_type(const char *type, const struct directory *directory)
{
	const size_t length = strcspn(directory->type, ".");

	if (!strcmp(type, directory->type))
		return RANK_SUBTYPE;
	return strlen(type) == length && !strncmp(type, directory->type, length) ? RANK_TYPE : RANK_NONE;
}

/* Rules for the directory itself are asked as before. */
static size_t rank_of_subtree(const char *inside, const struct directory *directory)
{
	if (!strcmp(inside, directory->inside) || !path_is_below(directory->inside, inside))
		return RANK_NONE;
	return RANK_SUBTREE + strlen(inside);
}

static size_t rank_of_location(const json_t *location, bool is_subtree, const struct directory *directory)
{
	char *path = text_unescape(member_text(location, "path"));
	unsigned int major = 0, minor = 0;
	char *inside = path ? mounts_inside(path, &major, &minor) : NULL;
	size_t rank = RANK_NONE;

	if (inside && major == directory->major && minor == directory->minor &&
	    !member_present(location, "waiting"))
		rank = is_subtree ? rank_of_subtree(inside, directory) : RANK_SUPERBLOCK;
	free(inside);
	free(path);
	return rank;
}

static size_t rank_of(const json_t *rule, const struct directory *directory)
{
	const char *scope = member_text(rule, "scope");
	size_t rank = RANK_NONE, its, i;
	const json_t *location;

	if (!strcmp(scope, "default"))
		return RANK_DEFAULT;
	if (!strcmp(scope, "fstype"))
		return rank_of_type(member_text(rule, "fstype"), directory);
	rule_for_each_location(rule, i, location) {
		its = rank_of_location(location, !strcmp(scope, "subtree"), directory);
		rank = its > rank ? its : rank;
	}
	return rank;
}

static const json_t *find(const json_t *list, const struct directory *directory, json_t *others)
{
	const json_t *found = NULL;
	size_t best = RANK_NONE, i;
	json_t *rule;

	json_array_foreach(list, i, rule) {
		const size_t rank = rule_has_callers(rule) ? RANK_NONE : rank_of(rule, directory);

		if (rank <= best)
			continue;
		best = rank;
		found = rule;
	}
	json_array_foreach(list, i, rule) {
		const size_t rank = rule_has_callers(rule) ? rank_of(rule, directory) : RANK_NONE;

		if (rank && rank >= best)
			json_array_append(others, rule);
	}
	return found;
}

/**
 * outer_rule() - the rule that decides about new names in a directory that has no rule
 * @list: the rules in force
 * @path: of the directory
 * @others: given those that are asked before it, each for some callers only
 *
 * Return: the rule, which is for all callers; NULL where the directory is on no mount.
 */
const json_t *outer_rule(const json_t *list, const char *path, json_t *others)
{
	struct directory directory = { .type = mounts_type(path) };
	const json_t *rule;

	directory.inside = mounts_inside(path, &directory.major, &directory.minor);
	rule = directory.inside ? find(list, &directory, others) : NULL;
	free(directory.inside);
	return rule;
}
