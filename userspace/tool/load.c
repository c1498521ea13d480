// SPDX-License-Identifier: GPL-2.0
/* utf8guard load and diff: a policy file, carried out all at once, or what it would change. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "difference/difference.h"
#include "netlink/netns.h"
#include "policy/audit_policy.h"
#include "policy/caveats.h"
#include "policy/drafts.h"
#include "policy/fs_rule.h"
#include "policy/shadows.h"

/*
 * Where both checks are changed, both are committed on trial, and confirmed when both
 * are in force. If the tool dies in between, both go back by themselves after this time.
 */
#define TRIAL_SECONDS 60

/*
 * So often a file is carried out at most: where others change rules meanwhile, it begins anew. A
 * user does that, too, whose mounts have "utf8guard follow" move rules.
 */
#define ATTEMPTS 5

/**
 * struct load - a file on its way to the kernel
 * @drafts: what it says
 * @confirm: seconds to wait for confirmation, or 0
 * @attempts: how often it was carried out, this time too
 * @again: nothing was done, because somebody else was faster, and it is to be carried out anew
 * @differs: a difference was printed
 */
struct load {
	struct drafts drafts;
	u32 confirm;
	unsigned int attempts;
	bool again, differs;
};

/* --strict */
static bool load_strict;

/* --loaded */
static bool load_loaded;

/* The command diff. */
static bool is_diff;

/* Shall nothing be changed? */
static bool is_dry(void)
{
	return is_diff || options.check;
}

static void complain_late(const struct transaction *check)
{
	complain("%s: somebody else has changed the rules meanwhile; nothing was done, try again",
		 check->of->title);
}

static int commit_check(struct load *load, struct transaction *check, u32 seconds)
{
	int status = transaction_commit(check, seconds);

	load->again = check->is_late && load->attempts < ATTEMPTS;
	if (check->is_late && !load->again)
		complain_late(check);
	return status;
}

/* Where the second was not committed. If the first stays, the file is not carried out anew. */
static void take_back(struct load *load, struct transaction *first,
		      const struct transaction *second)
{
	struct refusal refusal;

	if (!transaction_order(first, ORDER_REVERT, &refusal)) {
		if (!load->again)
			complain("%s: the previous rules are back", first->of->title);
		return;
	}
	if (load->again)
		complain_late(second);
	load->again = false;
	netlink_complain(&first->nl, first->of->status, &refusal);
	complain("%s: the new rules are in force", first->of->title);
}

static int keep(struct transaction *check)
{
	struct refusal refusal;

	if (!transaction_order(check, ORDER_CONFIRM, &refusal))
		return STATUS_DONE;
	netlink_complain(&check->nl, check->of->status, &refusal);
	complain("%s: the new rules are on trial for %u seconds; keep them with: utf8guard confirm%s",
		 check->of->title, TRIAL_SECONDS, netns_option());
	return STATUS_REFUSED;
}

static int keep_both(struct transaction *first, struct transaction *second)
{
	if (keep(first))
		return STATUS_REFUSED;
	return second->is_unchanged ? STATUS_DONE : keep(second);
}

/* A commit that changes nothing is not on trial: it needs no confirmation, and no way back. */
static int commit_both(struct load *load)
{
	struct transaction *first = &load->drafts.checks[0], *second = &load->drafts.checks[1];
	u32 seconds = load->confirm ? load->confirm : TRIAL_SECONDS;
	int status = commit_check(load, first, seconds);

	if (status)
		return status;
	if (first->is_unchanged)
		return commit_check(load, second, load->confirm);
	status = commit_check(load, second, seconds);
	if (status)
		take_back(load, first, second);
	else if (!load->confirm)
		status = keep_both(first, second);
	return status;
}

static bool is_unchanged(const struct load *load)
{
	unsigned int i;

	for (i = 0; i < load->drafts.count; i++)
		if (!load->drafts.checks[i].is_unchanged)
			return false;
	return true;
}

static void tell_audit(struct load *load)
{
	unsigned int i;

	for (i = 0; i < load->drafts.count; i++)
		audit_policy(&load->drafts.checks[i]);
}

/* The one check that is on trial, or NULL where both are. */
static const struct rules *on_trial_alone(const struct load *load)
{
	const struct transaction *checks = load->drafts.checks;

	if (checks[0].is_unchanged)
		return checks[1].of;
	return load->drafts.count < DRAFTS_MOST || checks[1].is_unchanged ? checks[0].of : NULL;
}

/* By "confirm" alone, what somebody else has on trial at the other check would be kept, too. */
static void tell_trial(const struct load *load)
{
	const struct rules *one = on_trial_alone(load);

	printf("the previous rules come back in %u seconds, unless you run: utf8guard confirm%s%s%s\n",
	       load->confirm, netns_option(), one ? " " : "", one ? one->command : "");
}

static int commit(struct load *load)
{
	int status = STATUS_DONE;

	if (load->drafts.count == DRAFTS_MOST)
		status = commit_both(load);
	else if (load->drafts.count)
		status = commit_check(load, &load->drafts.checks[0], load->confirm);
	if (!status)
		tell_audit(load);
	if (!status && is_unchanged(load))
		puts(load->confirm ? "unchanged; nothing is waiting to be confirmed" : "unchanged");
	else if (!status && load->confirm)
		tell_trial(load);
	return status;
}

/* Warns of rules for what is not there, which --strict refuses, and of rules that never act. */
static int warn_of(const struct transaction *check, const json_t *list)
{
	const json_t *rule;
	int status = STATUS_DONE;
	size_t i;

	json_array_foreach(list, i, rule) {
		char *text = rule_text(check->of, rule);

		if (caveats_warn(rule, text) && load_strict)
			status = STATUS_REFUSED;
		caveats_warn_of_fstab(rule, text);
		free(text);
	}
	return status;
}

/* On the socket of a draft, the kernel lists the rules of the draft. */
static int look_at_draft(struct load *load, struct transaction *check, json_t *before)
{
	json_t *after = NULL;
	int status;

	/* All warnings were given the first time. */
	if (load->attempts > 1 && !load_strict)
		return STATUS_DONE;
	/* To list so many takes time, and shadows_add() says nothing of them. */
	if (!is_dry() && check->of == &rules_net && load->drafts.policy.count > SHADOWS_MOST)
		return STATUS_DONE;
	status = rules_list(check->of, &check->nl, &after);

	if (!status)
		status = warn_of(check, after);
	if (!status && is_dry())
		load->differs |= difference_print(check->of, before, after, load->drafts.policy.path);
	json_decref(after);
	return status;
}

static int draft_all(struct load *load)
{
	int status = STATUS_DONE;
	unsigned int i;

	for (i = 0; i < load->drafts.count; i++) {
		int drafted = drafts_fill(&load->drafts, i, is_dry(), false);

		if (!drafted)
			drafted = look_at_draft(load, &load->drafts.checks[i], load->drafts.before[i]);
		status = drafted ? drafted : status;
	}
	drafts_tell_rejections(&load->drafts);
	return status;
}

static int carry_out(struct load *load)
{
	int status;

	load->attempts++;
	load->again = false;
	status = draft_all(load);
	if (status)
		return status;
	if (is_diff)
		return load->differs ? STATUS_NO : STATUS_DONE;
	if (!options.check)
		return commit(load);
	if (!load->differs)
		puts("unchanged");
	return STATUS_DONE;
}

static int carry_out_until_done(struct load *load)
{
	int status = carry_out(load);

	while (load->again) {
		status = drafts_renew(&load->drafts);
		if (status)
			break;
		status = carry_out(load);
	}
	return status;
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
	fs_rule_of_file = true;
	load->drafts.policy.path = words_take(words, "a file, or - for standard input");
	return load->drafts.policy.path && words_end(words);
}

/* As of a file that was emptied, or of a pipe whose sender has died. */
static void warn_of_nothing(const struct policy *policy)
{
	if (!policy->count)
		complain_word(policy->path, "warning: no line in there changes a rule");
}

static int run(struct words *words)
{
	struct load load = { .confirm = confirm, .drafts.only_loaded = load_loaded };
	int status = STATUS_USAGE;

	if (take_words(words, &load) && drafts_read(&load.drafts)) {
		warn_of_nothing(&load.drafts.policy);
		status = drafts_open(&load.drafts);
	}
	if (!status)
		status = carry_out_until_done(&load);
	if (!status && load.drafts.left_out)
		status = STATUS_ABSENT;
	drafts_close(&load.drafts);
	return status;
}

const struct command command_load = {
	.name = "load",
	.options = OPTIONS(OPTION_JSON,
			   { .letter = 'c', .name = "check", .flag = &options.check },
			   { .name = "confirm", .take = take_confirm },
			   { .name = "strict", .flag = &load_strict },
			   { .name = "loaded", .flag = &load_loaded }, OPTION_NETNS),
	.summary = "change the rules as a file says, all at once",
	.help =
"utf8guard load [-c] [-j] [-N NETNS] [--confirm SECONDS] [--strict] [--loaded] FILE|-\n"
"\n"
"Each line of FILE is a command that changes rules, \"fs ...\" or \"net ...\", in the\n"
"words of the command line: what \"utf8guard save\" writes, and utf8guard.conf(5)\n"
"describes. Either all of it is done or nothing: a file with a mistake, or with a line\n"
"that the kernel refuses, changes nothing, and each such line is reported. No packet\n"
"and no name meets a half of it. Rules that the file does not name stay, unless the\n"
"file flushes. \"include FILE\" reads another file at that point. After \"define NAME =\n"
"WORDS\", $NAME stands for the words.\n"
"\n"
"Where the file flushes and has a rule of the same words again, that rule stays, with\n"
"its handle and its counters. Where no rule changes, load prints \"unchanged\".\n"
"\n"
"  -c                 check: do all but the last step, change nothing, and show what\n"
"                     would change, as \"utf8guard diff\" does\n"
"  -j                 FILE is JSON, as \"save -j\" writes it\n"
"  --confirm SECONDS  after so many seconds the previous rules come back, unless\n"
"                     \"utf8guard confirm\" comes first; the kernel does that, even if\n"
"                     your session is gone. FILE stays as it is: give it a copy of what\n"
"                     is loaded at boot\n"
"  --strict           refuse rules for directories, file systems and cgroups that do not\n"
"                     exist; otherwise such rules are taken with a warning, and wait\n"
"  --loaded           where the module of a check is not loaded, leave out the lines for\n"
"                     it, load the others, and exit with 4; otherwise nothing is loaded\n",
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
