// SPDX-License-Identifier: GPL-2.0
/* utf8guard load and diff: a policy file, carried out all at once, or what it would change. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>

#include "command.h"
#include "netlink/netns.h"
#include "netlink/pipeline.h"
#include "policy/caveats.h"
#include "policy/difference.h"
#include "policy/fs_rule.h"
#include "policy/policy.h"
#include "policy/rule_line.h"
#include "policy/shadows.h"
#include "policy/transaction.h"
#include "text/input.h"

/*
 * Where both checks are changed, each stays on trial until the other has been
 * too. So long it takes for them to go back by themselves, should we die between.
 */
#define TRIAL_SECONDS 60

#define CHECKS 2

/* A line that the kernel refused; @handle is of the default rule, if it was asked for. */
struct rejection {
	struct transaction *check;
	const struct entry *entry;
	struct refusal refusal;
	u32 handle;
};

/**
 * struct load - a file on its way to the kernel
 * @policy: the file
 * @rejections: in the order in which the kernel said so
 * @rejected: how many
 * @confirm: seconds to wait for confirmation, or 0
 * @checks: one for each check that the file is about
 * @before: the rules of each that were in force, where it is to be told what changes
 * @count: of them
 * @differs: so much was told
 */
struct load {
	struct policy policy;
	struct rejection *rejections;
	size_t rejected;
	u32 confirm;
	struct transaction checks[CHECKS];
	json_t *before[CHECKS];
	unsigned int count;
	bool differs;
};

/* The lines of one check, and where in the file each of them is. */
struct part {
	struct load *load;
	struct transaction *check;
	struct nlmsghdr **messages;
	struct entry **entries;
	size_t count;
	u32 handle;
	int status;
};

/* --strict */
static bool load_strict;

/* The command diff. */
static bool is_diff;

/* Shall nothing be changed? */
static bool is_dry(void)
{
	return is_diff || options.check;
}

/* Told later: one check is asked after the other, and a file is read from the top. */
static void on_refused(size_t at, struct refusal *refusal, void *context)
{
	struct part *part = context;
	struct load *load = part->load;

	load->rejections = no_null(realloc(load->rejections,
					   (load->rejected + 1) * sizeof(*load->rejections)));
	load->rejections[load->rejected++] = (struct rejection){
		part->check, part->entries[at], *refusal, part->handle };
	part->status = STATUS_REFUSED;
}

static int by_line(const void *a, const void *b)
{
	const struct rejection *first = a, *second = b;

	return first->entry < second->entry ? -1 : first->entry > second->entry;
}

/* The line is read again: which word made what the kernel did not like. */
static void tell_rejection(struct rejection *rejection)
{
	static struct change change;
	const struct entry *entry = rejection->entry;

	complain_place = &entry->place;
	if (policy_parse(entry, &change)) {
		if (entry->of_default)
			change_default(&change, rejection->handle);
		rejection->refusal.word = request_word(&change.request,
						       rejection->refusal.offset);
		netlink_complain(&rejection->check->nl, entry->of->rule, &rejection->refusal);
	}
	complain_place = NULL;
}

static void tell_rejections(struct load *load)
{
	size_t i;

	if (load->rejected)
		qsort(load->rejections, load->rejected, sizeof(*load->rejections), by_line);
	for (i = 0; i < load->rejected; i++)
		tell_rejection(&load->rejections[i]);
	free(load->rejections);
}

/* The handle is asked for where a line needs it: rules may be many. */
static int add_default(struct part *part, struct entry *entry)
{
	if (!part->handle)
		part->status = rules_default(&part->check->nl, &part->handle);
	mnl_attr_put_u32(entry->message, UTF8GUARD_FS_A_RULE_HANDLE, part->handle);
	return part->status;
}

static int gather(struct part *part, struct policy *policy)
{
	size_t i;

	part->messages = no_null(malloc(policy->count * sizeof(*part->messages)));
	part->entries = no_null(malloc(policy->count * sizeof(*part->entries)));
	for (i = 0; i < policy->count; i++) {
		struct entry *entry = &policy->entries[i];

		if (entry->of != part->check->of)
			continue;
		if (entry->of_default && add_default(part, entry))
			return part->status;
		part->entries[part->count] = entry;
		part->messages[part->count++] = entry->message;
	}
	return STATUS_DONE;
}

static int send_part(struct part *part)
{
	const struct pipeline pipeline = {
		.messages = part->messages, .count = part->count,
		.refused = on_refused, .context = part,
	};
	int error = pipeline_run(&part->check->nl, &pipeline);

	if (!error)
		return part->status;
	complain("netlink: %s", strerror(error));
	return STATUS_REFUSED;
}

/* All lines of a check into its draft; what that was begun with is @before. */
static int draft(struct load *load, struct transaction *check, json_t **before)
{
	struct part part = { .load = load, .check = check };
	int status = transaction_begin(check);

	if (!status && is_dry())
		status = rules_list(check->of, &check->nl, before);
	if (!status)
		status = gather(&part, &load->policy);
	if (!status)
		status = send_part(&part);
	free(part.messages);
	free(part.entries);
	return status;
}

static bool is_about(const struct policy *policy, const struct rules *of)
{
	size_t i;

	for (i = 0; i < policy->count; i++)
		if (policy->entries[i].of == of)
			return true;
	return false;
}

/* Nothing is begun before all that is needed is there. */
static int open_checks(struct load *load)
{
	const struct rules *const *of;
	int status = STATUS_DONE;

	for (of = rules_all; *of && !status; of++)
		if (is_about(&load->policy, *of))
			status = transaction_open(&load->checks[load->count++], *of);
	return status;
}

static void take_back(struct transaction *check)
{
	struct refusal refusal;

	if (!transaction_order(check, ORDER_REVERT, &refusal)) {
		complain("%s: the rules of before are back", check->of->title);
		return;
	}
	netlink_complain(&check->nl, check->of->status, &refusal);
	complain("%s: the new rules are in force", check->of->title);
}

static int keep(struct transaction *check)
{
	struct refusal refusal;

	if (!transaction_order(check, ORDER_CONFIRM, &refusal))
		return STATUS_DONE;
	netlink_complain(&check->nl, check->of->status, &refusal);
	complain("%s: the new rules are on trial for %u seconds; keep them with: utf8guard confirm",
		 check->of->title, TRIAL_SECONDS);
	return STATUS_REFUSED;
}

static int keep_both(struct transaction *first, struct transaction *second)
{
	if (keep(first))
		return STATUS_REFUSED;
	return second->is_unchanged ? STATUS_DONE : keep(second);
}

/* What is as it was waits for nothing, and cannot be taken back. */
static int commit_both(struct load *load)
{
	struct transaction *first = &load->checks[0], *second = &load->checks[1];
	u32 seconds = load->confirm ? load->confirm : TRIAL_SECONDS;
	int status = transaction_commit(first, seconds);

	if (status)
		return status;
	if (first->is_unchanged)
		return transaction_commit(second, load->confirm);
	status = transaction_commit(second, seconds);
	if (status)
		take_back(first);
	else if (!load->confirm)
		status = keep_both(first, second);
	return status;
}

static bool is_unchanged(const struct load *load)
{
	unsigned int i;

	for (i = 0; i < load->count; i++)
		if (!load->checks[i].is_unchanged)
			return false;
	return true;
}

static int commit(struct load *load)
{
	int status = STATUS_DONE;

	if (load->count == CHECKS)
		status = commit_both(load);
	else if (load->count)
		status = transaction_commit(&load->checks[0], load->confirm);
	if (!status && load->count && is_unchanged(load))
		puts(load->confirm ? "unchanged; nothing waits to be confirmed" : "unchanged");
	else if (!status && load->confirm && load->count)
		printf("the rules of before come back in %u seconds, unless: utf8guard confirm\n",
		       load->confirm);
	return status;
}

/* Rules for what is not there, or that are never asked. */
static int warn_of(const struct transaction *check, const json_t *list)
{
	const json_t *rule;
	int status = STATUS_DONE;
	size_t i;

	json_array_foreach(list, i, rule) {
		char *text = rule_text(check->of, rule);

		if (caveats_warn(rule, text) && load_strict)
			status = STATUS_REFUSED;
		free(text);
	}
	return status;
}

/* The draft is what the socket sees. */
static int look_at_draft(struct load *load, struct transaction *check, json_t *before)
{
	json_t *after = NULL;
	int status;

	/* Listing so many takes its time, and nothing would be said of them. */
	if (!is_dry() && check->of == &rules_net && load->policy.count > SHADOWS_MOST)
		return STATUS_DONE;
	status = rules_list(check->of, &check->nl, &after);

	if (!status)
		status = warn_of(check, after);
	if (!status && is_dry())
		load->differs |= difference_print(check->of, before, after, load->policy.path);
	json_decref(after);
	return status;
}

static int draft_all(struct load *load)
{
	int status = STATUS_DONE;
	unsigned int i;

	for (i = 0; i < load->count; i++) {
		int drafted = draft(load, &load->checks[i], &load->before[i]);

		if (!drafted)
			drafted = look_at_draft(load, &load->checks[i], load->before[i]);
		status = drafted ? drafted : status;
	}
	tell_rejections(load);
	return status;
}

static int carry_out(struct load *load)
{
	int status = draft_all(load);

	if (status)
		return status;
	if (is_diff)
		return load->differs ? STATUS_NO : STATUS_DONE;
	if (!options.check)
		return commit(load);
	if (!load->differs && load->count)
		puts("unchanged");
	return STATUS_DONE;
}

static bool read_policy(struct load *load)
{
	size_t length;
	char *text = (char *)input_read(load->policy.path, &length);
	bool good;

	if (!text)
		return false;
	good = options.json ? policy_read_json(&load->policy, text, length) :
			      policy_read_text(&load->policy, text, length);
	free(text);
	return good;
}

/* As --confirm says, or 0. */
static u32 confirm;

static bool take_confirm(struct words *value)
{
	static const char expected[] = "a number of seconds from 1 to 86400";

	if (!words_number(value, expected, &confirm))
		return false;
	if (confirm && confirm <= 86400)
		return true;
	complain_word(value->next[-1], "expected %s", expected);
	return false;
}

static bool take_words(struct words *words, struct load *load)
{
	fs_rule_may_wait = !load_strict;
	load->policy.path = words_take(words, "a file, or - for standard input");
	return load->policy.path && words_end(words);
}

static int run(struct words *words)
{
	struct load load = { .confirm = confirm };
	unsigned int i;
	int status = STATUS_USAGE;

	if (take_words(words, &load) && read_policy(&load))
		status = open_checks(&load);
	if (!status)
		status = carry_out(&load);
	/* With its socket goes what is left of a draft. */
	for (i = 0; i < load.count; i++) {
		transaction_close(&load.checks[i]);
		json_decref(load.before[i]);
	}
	policy_free(&load.policy);
	return status;
}

const struct command command_load = {
	.name = "load",
	.options = OPTIONS(OPTION_JSON,
			   { .letter = 'c', .name = "check", .flag = &options.check },
			   { .name = "confirm", .take = take_confirm },
			   { .name = "strict", .flag = &load_strict }, OPTION_NETNS),
	.summary = "change the rules as a file says, all at once",
	.help =
"utf8guard load [-c] [-j] [-N NETNS] [--confirm SECONDS] [--strict] FILE|-\n"
"\n"
"Each line of FILE is a command that changes rules, \"fs ...\" or \"net ...\", in the\n"
"words of the command line: what \"utf8guard save\" writes, and utf8guard.conf(5)\n"
"describes. Either all of it is done or nothing: a file with a mistake, or a line\n"
"that the kernel refuses, changes nothing, and each is told with its line. Nobody\n"
"ever sees half of it. Rules that the file does not name stay, unless it flushes.\n"
"\"include FILE\" puts another file in its place, and after \"define NAME = WORDS\"\n"
"$NAME stands for the words.\n"
"\n"
"A rule that is flushed and is in the file, with the same words, stays: with its\n"
"handle, and it counts on. Where all are as they were, nothing happens but the\n"
"word \"unchanged\".\n"
"\n"
"  -c                 check: do all but the last step, change nothing, and show what\n"
"                     would change, as \"utf8guard diff\" does\n"
"  -j                 FILE is JSON, as \"save -j\" writes it\n"
"  --confirm SECONDS  the rules of before come back then, unless \"utf8guard confirm\"\n"
"                     comes first; the kernel sees to it, whatever becomes of you\n"
"  --strict           refuse rules for directories, file systems and cgroups that are not\n"
"                     there; they are otherwise taken with a warning, and wait\n",
	.run = run,
};

static int run_diff(struct words *words)
{
	is_diff = true;
	return run(words);
}

const struct command command_diff = {
	.name = "diff",
	.options = OPTIONS(OPTION_JSON, { .name = "strict", .flag = &load_strict }, OPTION_NETNS),
	.summary = "show what load would change",
	.help =
"utf8guard diff [-j] [-N NETNS] [--strict] FILE|-\n"
"\n"
"Does all that load does with FILE but the last step, and prints what would change:\n"
"lines with - for the rules that would go, with + for those that would come, with ~\n"
"for those that would only stand elsewhere among the others. What stays is counted.\n"
"\n"
"  -j        FILE is JSON, as \"save -j\" writes it\n"
"  --strict  as for load\n"
"\n"
"Exit status: 0 nothing would change, 1 something would, 2 and above as for load.\n",
	.run = run_diff,
};
