// SPDX-License-Identifier: GPL-2.0
/*
 * Rules of a file whose paths cannot be looked up at present. Others than the administrator can
 * bring that about: the owner of a directory puts a file in its place, for example. A draft then has
 * a rule without a location, which is not the one that was made when the path could be looked up.
 * That one is in force all the same, and is known by its words.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "policy/rule_line.h"
#include "policy/rules.h"
#include "unfound.h"

/* Nothing but the path is known of a location that could not be looked up. */
static bool is_unfound(const json_t *rule)
{
	const json_t *location;
	size_t i;

	rule_for_each_location(rule, i, location)
		if (member_present(location, "waiting") && !member_present(location, "uuid") &&
		    !member_present(location, "device"))
			return true;
	return false;
}

static bool has_handle(const json_t *list, unsigned long long handle)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		if (member_number(rule, "handle") == handle)
			return true;
	}
	return false;
}

/* The words of each rule, without volumes: the draft does not know them. */
static char **words_of(const json_t *list)
{
	char **words = no_null(calloc(json_array_size(list) + 1, sizeof(*words)));
	const json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		words[i] = rule_text_by_path(&rules_fs, rule);
	}
	return words;
}

static void words_free(char **words)
{
	char **next;

	for (next = words; *next; next++)
		free(*next);
	free(words);
}

/* A rule in force that has these words, and that no other rule of the draft is. */
static json_t *find(const json_t *in_force, char *const *words, const json_t *draft,
		    const json_t *wanted)
{
	char *text = rule_text_by_path(&rules_fs, wanted);
	json_t *found = NULL, *rule;
	size_t i;

	json_array_foreach(in_force, i, rule) {
		if (strcmp(words[i], text) || has_handle(draft, member_number(rule, "handle")))
			continue;
		found = rule;
		break;
	}
	free(text);
	return found;
}

/**
 * unfound_replace() - put rules in force in the place of those whose paths cannot be looked up
 * @draft: the rules of a file; changed
 * @in_force: the rules in force
 *
 * Return: how many.
 */
size_t unfound_replace(json_t *draft, const json_t *in_force)
{
	char **words = words_of(in_force);
	json_t *rule, *same;
	size_t i, count = 0;

	json_array_foreach(draft, i, rule) {
		if (!is_unfound(rule) || has_handle(in_force, member_number(rule, "handle")))
			continue;
		same = find(in_force, words, draft, rule);
		if (!same)
			continue;
		json_array_set(draft, i, same);
		count++;
	}
	words_free(words);
	return count;
}
