// SPDX-License-Identifier: GPL-2.0
/* Which rules of the name check are asked for a name, and which decides. */
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>

#include "command.h"
#include "fs_explain.h"
#include "fs_rule.h"
#include "output.h"
#include "rules.h"

static bool parse(const char *path, struct words *words, struct request *request)
{
	u32 uid;

	request_init(request, UTF8GUARD_FS_CMD_RULE_EXPLAIN);
	if (words_left(words) && strcmp(*words->next, "uid")) {
		complain_word(*words->next, "fs show --explain takes uid UID, and no other words");
		return false;
	}
	if (!fs_rule_path(path, request))
		return false;
	if (words_skip(words, "uid")) {
		if (!words_number(words, "a user ID", &uid))
			return false;
		request_u32(request, UTF8GUARD_FS_A_RULE_UID, uid, words->next[-1]);
	}
	return words_end(words);
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

static void explain(json_t *rule, const json_t *reply, bool fits)
{
	bool decides = member_number(rule, "handle") == member_number(reply, "handle");

	json_object_set_new(rule, "fits", json_boolean(fits));
	json_object_set_new(rule, "decides", json_boolean(decides));
	if (decides && member_present(reply, "deep"))
		json_object_set_new(rule, "deep", json_true());
}

/* The rules of the steps in order; those that fit, and the one that decides, say so. */
static json_t *explained(const json_t *reply, const json_t *rules)
{
	json_t *decides = rule_of(rules, member_number(reply, "handle"));
	json_t *list = no_null(json_array());
	const json_t *step;
	size_t i;

	json_array_foreach(json_object_get(reply, "step"), i, step) {
		json_t *rule = rule_of(rules, member_number(step, "handle"));

		/* It may have been deleted in between. */
		if (!rule)
			continue;
		explain(rule, reply, member_present(step, "fits"));
		json_array_append(list, rule);
	}
	/* Of a directory that is too deep, it may be none of those on the way. */
	if (decides && !member_present(decides, "decides")) {
		explain(decides, reply, true);
		json_array_insert(list, 0, decides);
	}
	return list;
}

static const char *note_of(const json_t *rule)
{
	if (member_present(rule, "deep"))
		return ", decides, below more than 4096 directories";
	if (json_is_true(json_object_get(rule, "decides")))
		return ", decides";
	return json_is_true(json_object_get(rule, "fits")) ? "" : ", not for this caller";
}

static void print(const json_t *list)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		rules_print_one(&rules_fs, rule, note_of(rule));
	}
}

static int ask(struct netlink *nl, struct request *request)
{
	json_t *reply = NULL, *rules = NULL, *list;
	int status = netlink_do(nl, request, &attributes_fs_rule, &reply);

	if (!status)
		status = rules_list(&rules_fs, nl, &rules);
	if (!status) {
		list = explained(reply, rules);
		if (options.json)
			output_json(json_incref(list));
		else
			print(list);
		json_decref(list);
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
	static struct request request;
	struct netlink nl;
	int status;

	if (!parse(path, words, &request))
		return STATUS_USAGE;
	status = netlink_open_or_complain(&nl, NETLINK_FS);
	if (status)
		return status;
	status = ask(&nl, &request);
	netlink_close(&nl);
	return status;
}
