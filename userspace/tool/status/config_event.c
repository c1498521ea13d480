// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of the rules, as lines: the action, then a line for each rule that the kernel
 * describes, and the number of rules that it does not describe.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_event.h"
#include "event.h"
#include "output/output.h"

static void begin(const struct rules *of)
{
	event_print_time(event_now());
	printf("config %s ", of->command);
}

/* What an action did to a rule; by @kind, if the action does not say more. */
static const char *word_of(const char *action, const char *kind)
{
	if (!strcmp(action, "rule-set"))
		return "set";
	if (!strcmp(action, "rule-found"))
		return "found again";
	if (!strcmp(action, "rule-gone"))
		return "deleted: the namespace that it was for is gone";
	return kind;
}

static void print_rule(const struct rules *of, const char *action, const json_t *change)
{
	const json_t *rule = json_object_get(change, "rule");
	char *text = rule_text_by_path(of, rule);

	begin(of);
	printf("rule %llu %s: %s", member_number(rule, "handle"),
	       word_of(action, member_text(change, "kind")), text);
	event_end_line();
	free(text);
}

/* "rules 3: added 1, replaced 0, deleted 2" */
static void print_counts(const json_t *e)
{
	printf("rules %llu: added %llu, replaced %llu, deleted %llu", member_number(e, "rules"),
	       member_number(e, "added"), member_number(e, "replaced"),
	       member_number(e, "deleted"));
}

/* A line for an action on the rules as a whole. */
static void print_whole(const struct rules *of, const json_t *e, const char *action)
{
	begin(of);
	if (!strcmp(action, "commit")) {
		printf("loaded, ");
		print_counts(e);
		if (member_present(e, "confirm"))
			printf(", on trial for %llu seconds", member_number(e, "confirm"));
	} else if (!strcmp(action, "flush")) {
		printf("flushed, ");
		print_counts(e);
	} else if (!strcmp(action, "revert")) {
		printf("reverted, rules %llu as before", member_number(e, "rules"));
	} else if (!strcmp(action, "confirm")) {
		printf("confirmed, rules %llu stay", member_number(e, "rules"));
	} else if (!strcmp(action, "lock")) {
		printf("locked, rules %llu until the next boot", member_number(e, "rules"));
	} else {
		/* From a module that is older or newer than the tool. */
		printf("changed, rules %llu", member_number(e, "rules"));
	}
	printf(", generation %llu", member_number(e, "generation"));
	event_end_line();
}

static bool is_of_one(const char *action)
{
	return !strncmp(action, "rule-", strlen("rule-"));
}

static void print_text(const struct rules *of, const json_t *e)
{
	const unsigned long long all = member_number(e, "added") + member_number(e, "replaced") +
				       member_number(e, "deleted");
	const json_t *changes = json_object_get(e, "change"), *change;
	const char *action = member_text(e, "action");
	size_t i;

	if (!is_of_one(action) || !json_array_size(changes))
		print_whole(of, e, action);
	json_array_foreach(changes, i, change) {
		print_rule(of, action, change);
	}
	if (json_array_size(changes) == all)
		return;
	begin(of);
	printf("and %llu rules more, which are not told one by one",
	       all - json_array_size(changes));
	event_end_line();
}

/**
 * config_event_print() - print a change of the rules
 * @of: whose rules
 * @attributes: of the event
 */
void config_event_print(const struct rules *of, const json_t *attributes)
{
	if (options.json)
		event_print_json("config", event_now(), "family", of->family, attributes);
	else
		print_text(of, attributes);
}
