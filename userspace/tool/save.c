// SPDX-License-Identifier: GPL-2.0
/* utf8guard save: writes the rules as a file that load takes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "netlink/absence.h"
#include "netlink/netns.h"
#include "output/output.h"
#include "output/replacement.h"
#include "policy/line.h"
#include "policy/policy.h"
#include "policy/rule_line.h"
#include "policy/rules.h"
#include "text/input.h"

/* --file */
static const char *save_file;

static bool take_file(struct words *value)
{
	save_file = words_take(value, "a file");
	return save_file;
}

/* A rule whose user namespace is gone cannot be made again; the kernel soon drops it. */
static void leave_out_gone(json_t *list)
{
	size_t i = json_array_size(list);

	while (i--)
		if (member_present(json_array_get(list, i), "gone"))
			json_array_remove(list, i);
}

/* The inode number of the initial user namespace, which is the same on every host. */
#define USERNS_INITIAL 4026531837U

/* Does the rule mean the same after a boot? Any other number may be another namespace's then. */
static bool is_lasting(const json_t *rule)
{
	unsigned long long userns = member_number(rule, "userns");

	return !userns || userns == USERNS_INITIAL;
}

static void leave_out_fleeting(json_t *list)
{
	size_t i = json_array_size(list);

	while (i--) {
		const json_t *rule = json_array_get(list, i);
		char *text;

		if (is_lasting(rule))
			continue;
		text = rule_text(&rules_fs, rule);
		complain("warning: not saved, because only \"userns owner\" survives a reboot: %s", text);
		if (!options.json)
			printf("# %s\n", text);
		free(text);
		json_array_remove(list, i);
	}
}

/* So often all rules are listed, at most: somebody may change them meanwhile. */
#define ATTEMPTS 5

/**
 * struct side - the rules of one check
 * @of: which
 * @nl: a socket, where it is loaded
 * @loaded: is it?
 * @list: its rules; NULL where it is not loaded
 * @generation: theirs, as the check has said it last
 * @is_on_trial: the rules before may come back, as it has said last
 */
struct side {
	const struct rules *of;
	struct netlink nl;
	bool loaded;
	json_t *list;
	u32 generation;
	bool is_on_trial;
};

/* In the order in which they are saved. */
static struct side sides[] = { { .of = &rules_fs }, { .of = &rules_net } };

#define for_each_side(side) \
	for ((side) = sides; (side) < sides + sizeof(sides) / sizeof(sides[0]); (side)++)

static int open_side(struct side *side)
{
	int error = netlink_open(&side->nl, side->of->family);

	side->loaded = !error;
	if (!error || error == ENOENT)
		return STATUS_DONE;
	netlink_complain_absent(side->of->family, error);
	return STATUS_ABSENT;
}

static int open_all(void)
{
	struct side *side;
	int status, loaded = 0;

	for_each_side(side) {
		status = open_side(side);
		if (status)
			return status;
		loaded += side->loaded;
	}
	if (loaded)
		return STATUS_DONE;
	for_each_side(side)
		netlink_complain_absent(side->of->family, ENOENT);
	return STATUS_ABSENT;
}

static void close_all(void)
{
	struct side *side;

	for_each_side(side) {
		netlink_close(&side->nl);
		json_decref(side->list);
	}
}

/* @changed: set where the rules are others than those that the check has told of before */
static int ask(struct side *side, bool *changed)
{
	struct refusal refusal;
	json_t *said = NULL;
	u32 generation;

	if (rules_status(side->of, &side->nl, &said, &refusal)) {
		netlink_complain(&side->nl, side->of->status, &refusal);
		return STATUS_REFUSED;
	}
	generation = (u32)member_number(said, "generation");
	*changed |= generation != side->generation;
	side->generation = generation;
	side->is_on_trial = member_number(said, "confirm");
	json_decref(said);
	return STATUS_DONE;
}

static int ask_all(bool *changed)
{
	struct side *side;
	int status = STATUS_DONE;

	*changed = false;
	for_each_side(side)
		if (!status && side->loaded)
			status = ask(side, changed);
	return status;
}

static int list(struct side *side)
{
	int status;

	json_decref(side->list);
	side->list = NULL;
	status = rules_list(side->of, &side->nl, &side->list);
	leave_out_gone(side->list);
	rules_left_out(side->of, &side->nl);
	return status;
}

static int list_all(void)
{
	struct side *side;
	int status = STATUS_DONE;

	for_each_side(side)
		if (!status && side->loaded)
			status = list(side);
	return status;
}

/*
 * One list comes after the other, and all have to be of the same moment: if a policy was put in
 * force in between, there would be a half of it.
 */
static int fetch(void)
{
	int status, attempts = ATTEMPTS;
	bool changed;

	status = ask_all(&changed);
	do {
		if (!status)
			status = list_all();
		if (!status)
			status = ask_all(&changed);
	} while (!status && changed && --attempts);
	if (status || !changed)
		return status;
	complain("nothing is written: the rules were listed %d times, and somebody has changed them each time",
		 ATTEMPTS);
	return STATUS_REFUSED;
}

static void print_lines(const struct rules *of, const json_t *list)
{
	const json_t *rule;
	size_t i;

	if (!list) {
		printf("# %s: %s\n", of->title, absence_state(of->family));
		return;
	}
	printf("%s flush\n", of->command);
	json_array_foreach(list, i, rule) {
		char *text = rule_text(of, rule);

		puts(text);
		free(text);
	}
}

/* Removes what kernel and tool add to a rule, and a policy cannot set. */
static void strip(json_t *list)
{
	static const char *const of_location[] = { "device", "waiting", "unmounted", "major", "minor" };
	static const char *const own[] = {
		"handle", "generation", "inode", "count", "cgroup-waiting", "exempt", "fstype-waiting", "fstype-unknown", "covered-by",
		"shadowed-by",
		"packets", "octets", "split", "unreadable",
		"binary", "unfollowed",
		"differs", "full", "window", "urgent", "resync", "untracked",
		"ahead", "early", "picked-up" };
	json_t *rule, *location;
	size_t i, n, which;

	json_array_foreach(list, i, rule) {
		rule_for_each_location(rule, which, location) {
			for (n = 0; n < sizeof(of_location) / sizeof(of_location[0]); n++)
				json_object_del(location, of_location[n]);
		}
		for (n = 0; n < sizeof(own) / sizeof(own[0]); n++)
			json_object_del(rule, own[n]);
	}
}

static void print_all(json_t *fs, json_t *net)
{
	if (options.json) {
		leave_out_fleeting(fs);
		strip(fs);
		strip(net);
		output_json(json_pack("{s:O? s:O?}", "fs", fs, "net", net));
		return;
	}
	puts(POLICY_SAVED);
	leave_out_fleeting(fs);
	print_lines(&rules_fs, fs);
	print_lines(&rules_net, net);
	puts(POLICY_SAVED_END);
}

/* Who loads the file later would not miss the rules of a check that was not there. */
static void warn_of_absent(const struct rules *of, const json_t *list)
{
	if (!list)
		complain("warning: %s is %s, so none of its rules are saved", of->family,
			 absence_state(of->family));
}

/*
 * Whose rules a file has, roughly: it may have mistakes, and rules for what is not there. No rule
 * may be overlooked; that a line which is none counts as one does no harm. An included file may
 * have rules of any kind, and a definition their first words.
 */
static bool is_rule(const char *text, size_t length, const struct rules *of)
{
	struct line_error error;
	struct line line = { 0 };
	bool rule = false;

	if (!line_split(&line, text, length, &error)) {
		free(error.word);
		return memmem(text, length, of->command, strlen(of->command));
	}
	if (line.count)
		rule = !strcmp(line.words[0], "include") ||
		       (!strcmp(line.words[0], "define") &&
			memmem(text, length, of->command, strlen(of->command))) ||
		       (!strcmp(line.words[0], of->command) &&
			(line.count < 2 || strcmp(line.words[1], "flush")));
	line_free(&line);
	return rule;
}

static bool is_in_text(const char *text, size_t length, const struct rules *of)
{
	const char *end = text + length;

	while (text < end) {
		const char *feed = memchr(text, '\n', (size_t)(end - text));
		const char *stop = feed ? feed : end;

		if (is_rule(text, (size_t)(stop - text), of))
			return true;
		text = stop + 1;
	}
	return false;
}

/* Does the file have rules of the check? True if it is there and cannot be read. */
static bool has_rules(const char *path, const struct rules *of)
{
	char *real = realpath(path, NULL);
	size_t length;
	char *text;
	json_t *json;
	bool found;

	if (!real)
		return false;
	text = (char *)input_read_most(real, &length, POLICY_OCTETS);
	free(real);
	if (!text)
		return true;
	json = json_loadb(text, length, 0, NULL);
	found = json ? json_array_size(json_object_get(json, of->command)) :
		       is_in_text(text, length, of);
	json_decref(json);
	free(text);
	return found;
}

/* Nobody may be there to read a warning: so --file does not lose the rules of a check. */
static bool loses(const struct rules *of, const json_t *list)
{
	if (list || !save_file || !has_rules(save_file, of))
		return false;
	complain_word(save_file, "nothing is written, because its rules would be lost: %s is %s",
		      of->family, absence(of->family));
	return true;
}

/*
 * Rules of a module that is newer than the tool may have parts that the tool cannot write. Without
 * them, a rule may be for more than before, or for less.
 */
static bool loses_parts(void)
{
	if (!attributes_left_out)
		return false;
	if (save_file)
		complain_word(save_file, "nothing is written, because the modules are newer than this tool, and rules have parts that it does not know");
	else
		complain("warning: the modules are newer than this tool; rules have parts that it does not know, and they are not saved");
	return save_file;
}

/* In the file, rules on trial would stay, also where nobody confirms them. */
static bool is_on_trial(void)
{
	const struct side *side;
	bool found = false;

	for_each_side(side) {
		if (!side->is_on_trial)
			continue;
		found = true;
		if (save_file)
			complain_word(save_file, "nothing is written, because rules are on trial: %s; keep them with utf8guard confirm%s, or take them back with utf8guard confirm%s --revert",
				      side->of->title, netns_option(), netns_option());
		else
			complain("warning: %s: these rules are on trial; unless they are confirmed, the previous ones come back",
				 side->of->title);
	}
	return found && save_file;
}

static int save(json_t *fs, json_t *net)
{
	struct replacement replacement;

	if (loses_parts() || is_on_trial())
		return STATUS_USAGE;
	if (loses(&rules_fs, fs) || loses(&rules_net, net))
		return STATUS_ABSENT;
	warn_of_absent(&rules_fs, fs);
	warn_of_absent(&rules_net, net);
	if (save_file && !replacement_begin(&replacement, save_file))
		return STATUS_USAGE;
	print_all(fs, net);
	return save_file && !replacement_end(&replacement) ? STATUS_USAGE : STATUS_DONE;
}

static int run(struct words *words)
{
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	status = open_all();
	if (!status)
		status = fetch();
	if (!status)
		status = save(sides[0].list, sides[1].list);
	close_all();
	return status;
}

const struct command command_save = {
	.name = "save",
	.options = OPTIONS(OPTION_JSON, OPTION_PRETTY, { .name = "file", .take = take_file },
			   OPTION_NETNS),
	.summary = "write the rules as a file that load takes",
	.help =
"utf8guard save [-j] [--file FILE] [-N NETNS]\n"
"\n"
"Writes the rules of both checks to standard output, as the command lines that\n"
"make them: what \"utf8guard load\" takes, here or elsewhere. Loading it gives the\n"
"same rules in the same order, with new handles and counters. A check that is not\n"
"loaded is left out, with a warning. Comments of rules are kept; what was included\n"
"or defined is written out, and comments of the file are gone.\n"
"\n"
"  -j           JSON, for load -j\n"
"  --file FILE  write FILE, which has its old rules until all of the new ones are on the\n"
"               disk; so nothing is lost if that is full. Where it has rules of a check\n"
"               that is not loaded, or the modules are newer than this tool and rules have\n"
"               parts that it does not know, or rules are on trial, it is left as it is\n",
	.run = run,
};
