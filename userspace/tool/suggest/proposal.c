// SPDX-License-Identifier: GPL-2.0
/*
 * What suggest proposes, as lines that load takes beside the rules in force. Two rules for names
 * cannot have the same location and the same callers, and two rules for packets not the same
 * matches. An index finds such a rule.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "location/mounts.h"
#include "output/output.h"
#include "output/text.h"
#include "policy/rule_line.h"
#include "proposal.h"

/**
 * proposal_print() - print the line of a rule
 * @of: the check
 * @rule: as attributes.c decodes it
 * @verb: "add", or another one that takes a handle
 * @handle: for that verb; 0 is none
 */
void proposal_print(const struct rules *of, const json_t *rule, const char *verb,
		    unsigned long long handle)
{
	struct line line = { 0 }, other = { 0 };
	char number[24], *text;
	size_t i;

	snprintf(number, sizeof(number), "%llu", handle);
	of->line(rule, &line);
	line_add(&other, of->command);
	line_add(&other, verb);
	if (handle)
		line_add(&other, number);
	for (i = 2; i < line.count; i++)
		line_add(&other, line.words[i]);
	text = line_text(&other);
	puts(text);
	free(text);
	line_free(&line);
	line_free(&other);
}

static bool has_class(const json_t *classes, const json_t *wanted)
{
	const json_t *class;
	size_t i;

	json_array_foreach(classes, i, class) {
		if (json_equal(class, wanted))
			return true;
	}
	return false;
}

/* Makes @rule refuse what @other does, too. A list that it shares with another rule stays as it is. */
void proposal_refuse_too(json_t *rule, const json_t *other)
{
	json_t *classes = json_copy(json_object_get(rule, "refuse")), *class;
	size_t i;

	if (!classes)
		classes = no_null(json_array());
	json_array_foreach(json_object_get(other, "refuse"), i, class) {
		if (!has_class(classes, class))
			json_array_append(classes, class);
	}
	json_object_set_new(rule, "refuse", classes);
}

/* Makes @rule, for names, demand all that @other does. */
void proposal_demand_too(json_t *rule, const json_t *other)
{
	static const char *const members[] = { "form", "judge-onto" };
	size_t i;

	proposal_refuse_too(rule, other);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (member_present(other, members[i]))
			json_object_set(rule, members[i], json_object_get(other, members[i]));
}

/* A path by the file system that it is on: the same for each mount that shows it. Safe; malloc'd. */
static char *spell(const char *escaped)
{
	char *path = text_unescape(escaped), *inside = NULL, *text = NULL, *safe;
	unsigned int major = 0, minor = 0;

	if (path)
		inside = mounts_inside(path, &major, &minor);
	if (inside && asprintf(&text, "%u:%u:%s", major, minor, inside) < 0)
		no_null(NULL);
	safe = text ? no_null(text_escape(text, strlen(text))) : no_null(strdup(escaped));
	free(path);
	free(inside);
	free(text);
	return safe;
}

/* Rules with the same key cannot both be in force: their words, without what they do; malloc'd. */
static char *key_of(const struct rules *of, const json_t *rule, const json_t *location)
{
	static const char *const rest[] = {
		"location", "uuid", "mode", "action", "set-mark", "set-mask", "refuse", "allow",
		"form", "admin-exempt", "judge-onto", "allow-move", "offset", "length", "decode",
		"gated", "ungated", "fail", "stream", "comment" };
	json_t *key = no_null(json_copy((json_t *)rule));
	char *path, *text;
	size_t i;

	for (i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		json_object_del(key, rest[i]);
	/* Of packets it is which part of them is judged. */
	if (of == &rules_net)
		json_object_del(key, "scope");
	if (member_present(location, "path")) {
		path = spell(member_text(location, "path"));
		json_object_set_new(key, "path", json_string(path));
		free(path);
	}
	text = rule_text(of, key);
	json_decref(key);
	return text;
}

/* Adds a rule to an index, by each of its locations. */
void proposal_note(json_t *index, const struct rules *of, json_t *rule)
{
	const json_t *location;
	size_t i;

	rule_for_each_location(rule, i, location) {
		char *key = key_of(of, rule, location);

		json_object_set(index, key, rule);
		free(key);
	}
}

void proposal_note_all(json_t *index, const struct rules *of, const json_t *list)
{
	json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		proposal_note(index, of, rule);
	}
}

/* The rule of an index that has the same matches, or the same callers at the only location of @rule. */
json_t *proposal_same(const json_t *index, const struct rules *of, const json_t *rule)
{
	char *key = key_of(of, rule, rule);
	json_t *same = json_object_get(index, key);

	free(key);
	return same;
}
