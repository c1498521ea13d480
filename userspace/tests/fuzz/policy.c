// SPDX-License-Identifier: GPL-2.0
/*
 * A policy as text, or as JSON if it begins like that. Its rules come back from the words with
 * which the tool shows them, and the words come back from the line that is made of them.
 *
 * promise administrator by mistake: of any policy, words come back from their line, and rules for
 *   packets from theirs
 * shown by: policy
 */
#include <errno.h>

#include "../../tool/location/opener.h"
#include "../../tool/policy/policy.h"
#include "fuzz.h"

/* Opens nothing: of an absolute path, "/" is there, and all else below it; no other path is. */
int __wrap_opener_open(const char *path, struct opened *opened);
int __wrap_opener_open(const char *path, struct opened *opened)
{
	*opened = (struct opened) { .fd = -1, .is_dir = true };
	if (*path != '/')
		return ENOENT;
	snprintf(opened->path, sizeof(opened->path), "/");
	snprintf(opened->below, sizeof(opened->below), "%s", path + 1);
	return 0;
}

/* Every file that is included has the same text, unless its name has a question mark. */
u8 *__wrap_input_read(const char *path, size_t *length);
u8 *__wrap_input_read(const char *path, size_t *length)
{
	static const char text[] = "net add input udp dport 514 audit\n";

	*length = sizeof(text) - 1;
	return strchr(path, '?') ? NULL : (u8 *)strdup(text);
}

struct passwd *__wrap_getpwnam(const char *name);
struct passwd *__wrap_getpwnam(const char *name)
{
	(void)name;
	return NULL;
}

static void check_line(const struct line *line)
{
	char *text = line_text(line);
	struct line_error error = { NULL, NULL };
	struct line again;
	size_t i;

	fuzz_check(line_split(&again, text, strlen(text), &error));
	fuzz_check(again.count == line->count);
	for (i = 0; i < line->count; i++)
		fuzz_check(!strcmp(again.words[i], line->words[i]));
	line_free(&again);
	free(text);
}

static json_t *rule_of(const struct entry *entry)
{
	const struct nlmsghdr *message = entry->message;

	return attributes_decode(entry->of->rule,
				 mnl_nlmsg_get_payload_offset(message, sizeof(u32)),
				 mnl_nlmsg_get_payload_len(message) - sizeof(u32));
}

/* A rule has no unknown attribute. The line that shows a rule for packets requests it again. */
static void check_rule(const struct entry *entry)
{
	struct policy policy = { .path = "text" };
	struct line line = { 0 };
	json_t *rule = rule_of(entry), *again;
	char *text;

	fuzz_check(!attributes_stranger(entry->of->rule, rule));
	if (entry->of == &rules_net) {
		fuzz_check(entry->of->line(rule, &line));
		text = line_text(&line);
		fuzz_check(policy_read_text(&policy, text, strlen(text)) && policy.count == 1);
		again = rule_of(&policy.entries[0]);
		fuzz_check(json_equal(rule, again));
		json_decref(again);
		free(text);
		line_free(&line);
		policy_free(&policy);
	}
	json_decref(rule);
}

static bool is_added(const struct entry *entry)
{
	return entry->message && entry->line.count > 1 && !strcmp(entry->line.words[1], "add") &&
	       !entry->of_default;
}

FUZZ_BEGINS_SILENTLY

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct policy policy = { .path = "fuzz" };
	size_t i;

	if (size && *data == '{')
		policy_read_json(&policy, (const char *)data, size);
	else
		policy_read_text(&policy, (const char *)data, size);
	for (i = 0; i < policy.count; i++) {
		check_line(&policy.entries[i].line);
		if (is_added(&policy.entries[i]))
			check_rule(&policy.entries[i]);
	}
	policy_free(&policy);
	return 0;
}
