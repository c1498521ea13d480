// SPDX-License-Identifier: GPL-2.0
/* Rules of both checks, listed, shown and changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "caveats.h"
#include "fs_change.h"
#include "net_change.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/style.h"
#include "rule_line.h"
#include "rules.h"
#include "shadows.h"

/* "# differs 1, full 0": counters, each by its name. */
static void print_numbers(const json_t *rule, const char *const *names)
{
	const char *separator = "    #";

	for (; *names; names++) {
		printf("%s %s %s", separator, *names, count_text(member_number(rule, *names)));
		separator = ",";
	}
	putchar('\n');
}

static void print_traffic(const json_t *rule)
{
	static const char *const all[] = {
		"packets", "octets", "split", "unreadable", "binary", "unfollowed", NULL };
	static const char *const streams[] = {
		"differs", "full", "window", "urgent", "resync", "untracked", "ahead", "early",
		"picked-up", NULL };

	print_numbers(rule, all);
	if (member_present(rule, "stream"))
		print_numbers(rule, streams);
}

static void warn_of_new(struct netlink *nl, json_t *rule)
{
	(void)nl;
	caveats_warn_of_new(rule);
}

/* Whether a rule is shadowed depends on the rules before it, so all are listed. */
static void warn_of_shadow(struct netlink *nl, json_t *rule)
{
	json_t *list = NULL;
	const json_t *one;
	size_t i;

	if (!rules_list(&rules_net, nl, &list)) {
		json_array_foreach(list, i, one) {
			if (member_number(one, "handle") == member_number(rule, "handle"))
				caveats_warn(one, NULL);
		}
	}
	json_decref(list);
}

const struct rules rules_fs = {
	.family = NETLINK_FS,
	.command = "fs",
	.title = "name check",
	.rule = &attributes_fs_rule,
	.status = &attributes_fs_status,
	.line = fs_line,
	.parse = fs_parse,
	.doubt = caveats_add_all,
	.added = warn_of_new,
	.get = UTF8GUARD_FS_CMD_RULE_GET,
	.add = UTF8GUARD_FS_CMD_RULE_ADD,
	.status_get = UTF8GUARD_FS_CMD_STATUS_GET,
	.status_reset = UTF8GUARD_FS_CMD_STATUS_RESET,
	.begin = UTF8GUARD_FS_CMD_BEGIN,
	.commit = UTF8GUARD_FS_CMD_COMMIT,
	.flush = UTF8GUARD_FS_CMD_FLUSH,
	.order = {
		[ORDER_CONFIRM] = UTF8GUARD_FS_CMD_CONFIRM,
		[ORDER_REVERT] = UTF8GUARD_FS_CMD_REVERT,
		[ORDER_LOCK] = UTF8GUARD_FS_CMD_LOCK,
	},
	.generation = UTF8GUARD_FS_A_STATUS_GENERATION,
	.seconds = UTF8GUARD_FS_A_STATUS_CONFIRM,
};

const struct rules rules_net = {
	.family = NETLINK_NF,
	.command = "net",
	.title = "payload check",
	.rule = &attributes_nf_rule,
	.status = &attributes_nf_status,
	.line = net_line,
	.parse = net_parse,
	.doubt = shadows_add,
	.added = warn_of_shadow,
	.traffic = print_traffic,
	.get = UTF8GUARD_NF_CMD_RULE_GET,
	.add = UTF8GUARD_NF_CMD_RULE_ADD,
	.status_get = UTF8GUARD_NF_CMD_STATUS_GET,
	.status_reset = UTF8GUARD_NF_CMD_STATUS_RESET,
	.begin = UTF8GUARD_NF_CMD_BEGIN,
	.commit = UTF8GUARD_NF_CMD_COMMIT,
	.flush = UTF8GUARD_NF_CMD_FLUSH,
	.order = {
		[ORDER_CONFIRM] = UTF8GUARD_NF_CMD_CONFIRM,
		[ORDER_REVERT] = UTF8GUARD_NF_CMD_REVERT,
		[ORDER_LOCK] = UTF8GUARD_NF_CMD_LOCK,
	},
	.generation = UTF8GUARD_NF_A_STATUS_GENERATION,
	.seconds = UTF8GUARD_NF_A_STATUS_CONFIRM,
};

const struct rules *const rules_all[] = { &rules_fs, &rules_net, NULL };

int rules_list(const struct rules *of, struct netlink *nl, json_t **list)
{
	static struct request request;

	int status;

	request_init(&request, of->get);
	status = netlink_list(nl, &request, of->rule, list);
	if (!status)
		of->doubt(*list);
	return status;
}

/* What the check says of itself, as whether its rules are on trial. Return: 0 or errno, positive. */
int rules_status(const struct rules *of, struct netlink *nl, json_t **status,
		 struct refusal *refusal)
{
	static struct request request;

	request_init(&request, of->status_get);
	return netlink_ask(nl, &request, of->status, status, refusal);
}

/*
 * How many parts of the rules that were listed are unknown here. An attribute is a part of a rule if
 * the module takes it to make one. If not, the module has added it, as it adds counters.
 */
unsigned int rules_left_out(const struct rules *of, struct netlink *nl)
{
	while (attributes_unknown_count) {
		unsigned int type = attributes_unknown[--attributes_unknown_count];

		attributes_left_out += netlink_takes(nl, of->add, type);
	}
	return attributes_left_out;
}

/* The words of a rule that the kernel sent; malloc'd. */
char *rule_text(const struct rules *of, const json_t *rule)
{
	struct line line = { 0 };
	char *text;

	of->line(rule, &line);
	text = line_text(&line);
	line_free(&line);
	return text;
}

/* Counters are comments, so that what is shown can be fed back. */
static void print_counts(const json_t *rule)
{
	const json_t *count;
	size_t i;

	json_array_foreach(json_object_get(rule, "count"), i, count) {
		printf("    # %s: refused %s, audited %s\n", member_word(count, "class"),
		       count_text(member_number(count, "refused")),
		       count_text(member_number(count, "audited")));
	}
}

/* The same without the UUIDs of file systems: for a reader, the paths say enough. malloc'd. */
char *rule_text_by_path(const struct rules *of, const json_t *rule)
{
	json_t *shown = no_null(json_deep_copy(rule)), *location;
	char *text;
	size_t i;

	rule_for_each_location(shown, i, location)
		json_object_del(location, "uuid");
	text = rule_text(of, shown);
	json_decref(shown);
	return text;
}

/* One rule; @note follows its handle. */
void rules_print_one(const struct rules *of, const json_t *rule, const char *note)
{
	char *text = rule_text_by_path(of, rule), *caveats = caveats_text(rule);

	printf("%s # handle %llu%s%s\n", text, member_number(rule, "handle"), caveats, note);
	free(text);
	free(caveats);
	if (!options.stats)
		return;
	if (of->traffic)
		of->traffic(rule);
	print_counts(rule);
}

/* What a rule has counted under a name, over all classes. */
unsigned long long rule_sum(const json_t *rule, const char *name)
{
	unsigned long long sum = 0;
	const json_t *count;
	size_t i;

	json_array_foreach(json_object_get(rule, "count"), i, count) {
		sum += member_number(count, name);
	}
	return sum;
}

/* In colour, unless it is zero. */
static void print_count(enum style style, unsigned long long count)
{
	printf("%s%9s%s", count ? style_begin(style) : "", count_text(count),
	       count ? style_end() : "");
}

/* "       2       14        0  fs add subtree /srv enforce" */
static void print_row(const struct rules *of, const json_t *rule)
{
	char *text = rule_text_by_path(of, rule), *caveats = caveats_text(rule);

	printf("%6llu", member_number(rule, "handle"));
	if (options.stats) {
		print_count(STYLE_REFUSED, rule_sum(rule, "refused"));
		print_count(STYLE_AUDITED, rule_sum(rule, "audited"));
	}
	/* Caveats begin with a comma, because elsewhere they follow a handle. */
	if (*caveats)
		printf("  %s%s # %s%s\n", text, style_begin(STYLE_AUDITED), caveats + strlen(", "),
		       style_end());
	else
		printf("  %s\n", text);
	free(text);
	free(caveats);
	if (!options.stats)
		return;
	fputs(style_begin(STYLE_NOTE), stdout);
	if (of->traffic)
		of->traffic(rule);
	print_counts(rule);
	fputs(style_end(), stdout);
}

static void print_table(const struct rules *of, const json_t *list)
{
	const json_t *rule;
	size_t i;

	if (json_array_size(list))
		printf("%s%6s%s  %s%s\n", style_begin(STYLE_TITLE), "HANDLE",
		       options.stats ? "  REFUSED  AUDITED" : "", "RULE", style_end());
	json_array_foreach(list, i, rule) {
		print_row(of, rule);
	}
}

/* On a terminal, a table; elsewhere, lines that "load" takes. */
void rules_print(const struct rules *of, const json_t *list)
{
	const json_t *rule;
	size_t i;

	if (style_terminal()) {
		print_table(of, list);
		return;
	}
	json_array_foreach(list, i, rule) {
		rules_print_one(of, rule, "");
	}
}

static int show(const struct rules *of)
{
	struct netlink nl;
	json_t *list = NULL;
	int status = netlink_open_or_complain(&nl, of->family);

	if (status)
		return status;
	status = rules_list(of, &nl, &list);
	if (!status && options.json)
		output_json(json_pack("{s:O}", "rules", list));
	else if (!status)
		rules_print(of, list);
	if (!status && rules_left_out(of, &nl))
		complain("warning: the module is newer than this tool; rules have parts that it does not know, and they are not shown");
	json_decref(list);
	netlink_close(&nl);
	return status;
}

static bool default_in(const json_t *rules, u32 *handle)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(rules, i, rule) {
		if (strcmp(member_text(rule, "scope"), "default"))
			continue;
		*handle = (u32)member_number(rule, "handle");
		return true;
	}
	return false;
}

/* The kernel knows rules by their handles only; @nl is of the name check. */
int rules_default(struct netlink *nl, u32 *handle)
{
	json_t *rules = NULL;
	int status = rules_list(&rules_fs, nl, &rules);

	if (!status && !default_in(rules, handle)) {
		complain("the kernel lists no default rule");
		status = STATUS_REFUSED;
	}
	json_decref(rules);
	return status;
}

/**
 * change_parse() - a command line as a request
 * @change: filled in; words of @words stay in use
 * @of: whose rules
 * @words: after the word that names them
 *
 * Return: false after a complaint.
 */
bool change_parse(struct change *change, const struct rules *of, struct words *words)
{
	change->of = of;
	change->shows = false;
	change->of_default = NULL;
	change->left_out = LEFT_OUT_NOT;
	change->ensures = false;
	change->words = NULL;
	words->command = of->command;
	words->last = NULL;
	return of->parse(words, change);
}

void change_default(struct change *change, u32 handle)
{
	request_u32(&change->request, UTF8GUARD_FS_A_RULE_HANDLE, handle, change->of_default);
}

static bool is_word(const struct line *line, const char *word)
{
	size_t i;

	for (i = 2; i < line->count; i++)
		if (!strcmp(line->words[i], word))
			return true;
	return false;
}

/* How many of @words the rule has, 0 if fewer than two; then, how many of the first ones agree. */
static unsigned int likeness(const struct rules *of, const json_t *rule, char *const *words)
{
	struct line line = { 0 };
	unsigned int found = 0, first = 0;
	char *const *word;

	of->line(rule, &line);
	for (word = words; *word; word++)
		found += is_word(&line, *word);
	while (words[first] && 2 + first < line.count && !strcmp(words[first], line.words[2 + first]))
		first++;
	line_free(&line);
	return found < 2 ? 0 : found * LINE_MOST + first;
}

/* After a deletion by words that no rule has: which one may have been meant? */
static void tell_nearest(struct netlink *nl, const struct change *change)
{
	const json_t *rule, *nearest = NULL;
	unsigned int most = 0, found;
	json_t *list = NULL;
	char *text;
	size_t i;

	if (rules_list(change->of, nl, &list))
		return;
	json_array_foreach(list, i, rule) {
		found = likeness(change->of, rule, change->words);
		if (found <= most)
			continue;
		most = found;
		nearest = rule;
	}
	if (nearest) {
		text = rule_text(change->of, nearest);
		complain("the nearest is handle %llu: %s", member_number(nearest, "handle"), text);
		free(text);
	}
	complain("\"%s show\" lists the rules", change->of->command);
	json_decref(list);
}

static void tell_reply(struct netlink *nl, const struct change *change, json_t *reply)
{
	bool exists = member_present(reply, "exist");

	if (!exists)
		change->of->added(nl, reply);
	if (options.json)
		output_json(json_incref(reply));
	else if (change->ensures)
		printf("handle %llu %s\n", member_number(reply, "handle"),
		       exists ? "exists" : "added");
}

/* The reply is the rule that was made or changed, if there is one: for -j. */
static int submit(struct netlink *nl, struct change *change)
{
	json_t *reply = NULL;
	u32 handle;
	int status = change->of_default ? rules_default(nl, &handle) : STATUS_DONE;

	if (status)
		return status;
	if (change->of_default)
		change_default(change, handle);
	status = netlink_do(nl, &change->request, change->of->rule, &reply);
	if (!status && json_object_size(reply))
		tell_reply(nl, change, reply);
	else if (status == STATUS_REFUSED && change->words)
		tell_nearest(nl, change);
	json_decref(reply);
	return status;
}

int rules_run(const struct rules *of, struct words *words)
{
	static struct change change;
	struct netlink nl;
	int status;

	if (!words_left(words))
		return show(of);
	if (!change_parse(&change, of, words))
		return STATUS_USAGE;
	if (change.shows)
		return show(of);
	if (change.left_out)
		return STATUS_USAGE;
	status = netlink_open_or_complain(&nl, of->family);
	if (status)
		return status;
	status = submit(&nl, &change);
	netlink_close(&nl);
	return status;
}
