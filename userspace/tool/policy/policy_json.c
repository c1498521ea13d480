// SPDX-License-Identifier: GPL-2.0
/*
 * A policy as JSON, {"fs": [RULE...], "net": [RULE...]}: the rules as the tool
 * shows them, taken back to the command lines that make them.
 */
#include <stdlib.h>
#include <string.h>

#include "output/text.h"
#include "policy.h"

static bool make_line(struct line *line, const struct rules *of, json_t *rule)
{
	const char *stranger;

	if (!json_is_object(rule)) {
		complain("expected an object with the attributes of a rule");
		return false;
	}
	stranger = attributes_stranger(of->rule, rule);
	if (stranger) {
		complain_word(stranger, "not an attribute of a rule, or its value has another type");
		return false;
	}
	if (of->line(rule, line))
		return true;
	complain("a text with a wrong escape; expected \\xHH or \\\\ (with each \\ doubled, for JSON)");
	return false;
}

static bool read_rule(struct policy *policy, const struct place *place,
		      const struct rules *of, json_t *rule)
{
	struct line line = { 0 };
	bool good;

	complain_place = place;
	good = make_line(&line, of, rule);
	complain_place = NULL;
	if (good)
		return policy_add(policy, place, &line);
	line_free(&line);
	return false;
}

static void add_flush(struct policy *policy, const struct rules *of)
{
	struct place place = { policy->path, of->command, 0 };
	struct line line = { 0 };

	line_add(&line, of->command);
	line_add(&line, "flush");
	policy_add(policy, &place, &line);
}

/* Reads all rules of a check, which take the place of those in force. */
static bool read_rules(struct policy *policy, const struct rules *of, json_t *list)
{
	bool good = true;
	json_t *rule;
	size_t i;

	add_flush(policy, of);
	json_array_foreach(list, i, rule) {
		struct place place = { policy->path, of->command, (unsigned int)i };

		good &= read_rule(policy, &place, of, rule);
		if (policy->full)
			break;
	}
	return good;
}

static const struct rules *rules_called(const char *command)
{
	const struct rules *const *of = rules_all;

	while (*of && strcmp((*of)->command, command))
		of++;
	return *of;
}

/* Files of older tools have none. One of a newer tool may hold what this one does not know. */
static bool read_version(const struct policy *policy, const json_t *value)
{
	if (json_is_integer(value) && json_integer_value(value) == JSON_VERSION)
		return true;
	complain_word(policy->path, "version: expected %d, of the JSON that this tool knows",
		      JSON_VERSION);
	return false;
}

static void complain_member(const struct policy *policy, const char *name)
{
	char *shown = text_escape(name, strlen(name));

	complain_word(policy->path, "%s: unknown member; expected fs or net", shown);
	free(shown);
}

/* null is a check that was not loaded when this was saved. */
static bool read_member(struct policy *policy, const char *name, json_t *list)
{
	const struct rules *of = rules_called(name);

	if (!strcmp(name, "version"))
		return read_version(policy, list);
	if (!of)
		complain_member(policy, name);
	else if (json_is_array(list))
		return read_rules(policy, of, list);
	else if (json_is_null(list))
		return true;
	else
		complain_word(policy->path, "%s: expected an array of rules", name);
	return false;
}

/* In words of our own: the messages of the library are for those who know it. */
static const char *reason(enum json_error_code code)
{
	switch (code) {
	case json_error_premature_end_of_input:
		return "the JSON ends too early; a bracket or a quotation mark is open";
	case json_error_end_of_input_expected:
		return "there is more after the end of the JSON";
	case json_error_invalid_utf8:
		return "not UTF-8";
	case json_error_null_byte_in_key:
	case json_error_null_character:
		return "a NUL cannot be in a text of a rule";
	case json_error_duplicate_key:
		return "a member occurs twice";
	case json_error_stack_overflow:
		return "brackets are nested too deep for a policy";
	case json_error_numeric_overflow:
		return "a number is too large";
	default:
		return "not JSON";
	}
}

static json_t *parse(const struct policy *policy, const char *text, size_t length)
{
	json_error_t error;
	json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
	struct place place = { policy->path, NULL,
			       error.line > 0 ? (unsigned int)error.line : 1 };

	if (root)
		return root;
	complain_place = &place;
	complain("%s, near column %d", reason(json_error_code(&error)),
		 error.column > 0 ? error.column : 1);
	complain_place = NULL;
	return NULL;
}

bool policy_read_json(struct policy *policy, const char *text, size_t length)
{
	size_t mark = policy_skip_mark(policy->path, text, length);
	json_t *root = parse(policy, text + mark, length - mark), *list;
	bool good = !mark && json_is_object(root);
	const char *name;

	if (root && !json_is_object(root))
		complain_word(policy->path,
			      "expected an object with fs and net, as \"save -j\" writes it");
	json_object_foreach(root, name, list) {
		good &= read_member(policy, name, list);
	}
	json_decref(root);
	return good;
}
