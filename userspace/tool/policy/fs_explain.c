// SPDX-License-Identifier: GPL-2.0
/* Which rules of the name check are asked for a name, and what becomes of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>

#include "caveats.h"
#include "fs_explain.h"
#include "fs_rule.h"
#include "location/mounts.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/text.h"
#include "rule_line.h"
#include "rules.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/**
 * struct question - what is asked
 * @path: the real path of the directory
 * @name: to judge there, or NULL
 * @request: for the kernel
 */
struct question {
	const char *path, *name;
	struct request request;
};

static bool take_user(struct words *words, struct request *request)
{
	u32 uid;

	if (!words_user(words, "a user ID, or the name of a user", &uid))
		return false;
	request_u32(request, ATTR(UID), uid, words->next[-1]);
	return true;
}

static bool take_process(struct words *words, struct request *request)
{
	u32 pid;

	if (!words_number(words, "the number of a process", &pid))
		return false;
	request_u32(request, ATTR(PID), pid, words->next[-1]);
	return true;
}

static bool take_name(struct words *words, struct question *question)
{
	const char *name = words_take(words, "the name of a file");

	if (!name)
		return false;
	if (!*name || strchr(name, '/') || strlen(name) > 255) {
		complain_word(name, "not a file name");
		return false;
	}
	question->name = name;
	request_string(&question->request, ATTR(NAME), name, name);
	return true;
}

static bool take_cgroup(struct words *words, struct request *request)
{
	const char *cgroup = words_take(words, "a cgroup, from /");

	if (cgroup)
		request_string(request, ATTR(CGROUP), cgroup, cgroup);
	return cgroup;
}

static bool take_one(int which, struct words *words, struct question *question)
{
	struct request *request = &question->request;

	switch (which) {
	case 0:
		return take_user(words, request);
	case 1:
		return take_process(words, request);
	case 2:
		return take_cgroup(words, request);
	default:
		return take_name(words, question);
	}
}

static bool parse(const char *path, struct words *words, struct question *question)
{
	static const char *const known[] = { "uid", "pid", "cgroup", "name", NULL };
	bool said[4] = { false };
	int which;

	request_init(&question->request, UTF8GUARD_FS_CMD_RULE_EXPLAIN);
	question->path = fs_rule_open(path, &question->request);
	if (!question->path)
		return false;
	while (words_left(words)) {
		which = words_choose(words, known);
		if (which < 0)
			return false;
		if (said[which]) {
			complain_word(words->next[-1], "given twice");
			return false;
		}
		said[which] = true;
		if (!take_one(which, words, question))
			return false;
	}
	return true;
}

static json_t *rule_of(const json_t *rules, unsigned long long handle)
{
	json_t *rule;
	size_t i;

	json_array_foreach(rules, i, rule) {
		if (member_number(rule, "handle") == handle)
			return rule;
	}
	return NULL;
}

static void set_verdict(json_t *rule, const json_t *reply)
{
	static const char *const members[] = { "class", "offset", "length" };
	size_t i;

	if (!member_present(reply, "outcome")) {
		json_object_set_new(rule, "outcome", json_string("passed"));
		return;
	}
	json_object_set(rule, "outcome", json_object_get(reply, "outcome"));
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		json_object_set(rule, members[i], json_object_get(reply, members[i]));
}

static void explain(json_t *rule, const json_t *reply, bool fits, bool is_judged)
{
	bool decides = member_number(rule, "handle") == member_number(reply, "handle");

	json_object_set_new(rule, "fits", json_boolean(fits));
	json_object_set_new(rule, "decides", json_boolean(decides));
	if (member_present(reply, "exempt"))
		json_object_set_new(rule, "exempt", json_true());
	if (decides && member_present(reply, "deep"))
		json_object_set_new(rule, "deep", json_true());
	if (decides && is_judged)
		set_verdict(rule, reply);
}

/* Is the path of a location @path, or that of a directory above it? */
static bool is_on_the_way(const json_t *location, const char *path)
{
	char *place = text_unescape(member_text(location, "path"));
	size_t length = place ? strlen(place) : 0;
	bool found = length && !strncmp(path, place, length) &&
		     (length == 1 || !path[length] || path[length] == '/');

	free(place);
	return found;
}

/*
 * Is @path within a location of the rule, and yet the rule is not asked, because another file
 * system is mounted there, or its own is not there? Rules for another caller are asked.
 */
static bool add_unasked_at(json_t *rule, const json_t *location, const char *path)
{
	const char *point;
	char *shown;

	if (!is_on_the_way(location, path))
		return false;
	if (member_present(location, "unmounted"))
		return true;
	point = mounts_covering(path, (unsigned int)member_number(location, "major"),
				(unsigned int)member_number(location, "minor"));
	if (!point && !member_present(location, "waiting"))
		return false;
	if (point && member_present(location, "minor")) {
		shown = text_escape(point, strlen(point));
		json_object_set_new(rule, "covered-by", json_string(shown));
		free(shown);
	}
	return true;
}

static void add_unasked(json_t *list, json_t *rule, const char *path)
{
	const json_t *location;
	bool found = false;
	size_t i;

	if (member_present(rule, "decides"))
		return;
	rule_for_each_location(rule, i, location)
		found = found || add_unasked_at(rule, location, path);
	if (!found)
		return;
	json_object_set_new(rule, "decides", json_false());
	json_array_append(list, rule);
}

/* The rules that are asked, in order. Members say which of them fit, and which one decides. */
static json_t *explained(const struct question *question, const json_t *reply,
			 const json_t *rules)
{
	json_t *decides = rule_of(rules, member_number(reply, "handle"));
	json_t *list = no_null(json_array()), *rule;
	const json_t *step;
	size_t i;

	json_array_foreach(json_object_get(reply, "step"), i, step) {
		rule = rule_of(rules, member_number(step, "handle"));
		/* The rule may have been deleted in between. */
		if (!rule)
			continue;
		explain(rule, reply, member_present(step, "fits"), question->name);
		json_array_append(list, rule);
	}
	/* If it is not known which subtrees this is in, a rule may decide that the walk missed. */
	if (decides && !member_present(decides, "decides")) {
		explain(decides, reply, true, question->name);
		json_array_insert(list, 0, decides);
	}
	json_array_foreach(rules, i, rule) {
		add_unasked(list, rule, question->path);
	}
	return list;
}

static const char *note_of(const json_t *rule)
{
	const json_t *fits = json_object_get(rule, "fits");

	if (member_present(rule, "deep"))
		return ", decides, because it is not known which subtrees this is in";
	if (json_is_true(json_object_get(rule, "decides")))
		return ", decides";
	return json_is_false(fits) ? ", not for this caller" : "";
}

/* As a comment: the rules before it can be loaded as they are printed. */
static void print_verdict(const struct question *question, const json_t *reply)
{
	unsigned long long offset = member_number(reply, "offset");
	char *shown = text_escape(question->name, strlen(question->name));
	char *quoted = text_quote(shown), *hex;

	if (member_present(reply, "exempt")) {
		printf("# exempt %s\n", quoted);
	} else if (!member_present(reply, "outcome")) {
		printf("# passes %s\n", quoted);
	} else {
		hex = text_hex(question->name + offset, member_number(reply, "length"));
		printf("# %s %s:%llu: %s: %s\n", member_word(reply, "outcome"), quoted, offset,
		       member_word(reply, "class"), hex);
		free(hex);
	}
	free(quoted);
	free(shown);
}

static void print(const struct question *question, const json_t *reply, const json_t *list)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		rules_print_one(&rules_fs, rule, note_of(rule));
	}
	if (question->name)
		print_verdict(question, reply);
}

static int ask(struct netlink *nl, struct question *question)
{
	json_t *reply = NULL, *rules = NULL, *list;
	int status = netlink_do(nl, &question->request, &attributes_fs_rule, &reply);

	if (!status)
		status = rules_list(&rules_fs, nl, &rules);
	if (!status) {
		list = explained(question, reply, rules);
		if (options.json)
			output_json(json_pack("{s:O}", "rules", list));
		else
			print(question, reply, list);
		json_decref(list);
		if (!strcmp(member_text(reply, "outcome"), "refused"))
			status = STATUS_NO;
	}
	json_decref(reply);
	json_decref(rules);
	return status;
}

/**
 * fs_explain() - fs show --explain
 * @path: of the directory
 * @words: the other words
 *
 * Return: enum status.
 */
int fs_explain(const char *path, struct words *words)
{
	static struct question question;
	struct netlink nl;
	int status;

	if (!parse(path, words, &question))
		return STATUS_USAGE;
	status = netlink_open_or_complain(&nl, NETLINK_FS);
	if (status)
		return status;
	status = ask(&nl, &question);
	netlink_close(&nl);
	return status;
}
