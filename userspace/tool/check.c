// SPDX-License-Identifier: GPL-2.0
/*
 * utf8guard check: is what a policy file demands in force? One line and an exit status, as
 * plugins of Nagios and its like have them; the unit that keeps the network away asks it, too.
 * The file is carried out in a draft, which is compared and thrown away: the kernel says which
 * rules are those that it has.
 */
#include <linux/genetlink.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "difference/difference.h"
#include "difference/unfound.h"
#include "netlink/absence.h"
#include "netlink/netns.h"
#include "output/text.h"
#include "policy/drafts.h"
#include "policy/fs_rule.h"
#include "policy/rule_line.h"
#include "status/module_status.h"

#define POLICY "/etc/utf8guard.conf"

/* The exit status of a plugin of Nagios. */
enum severity {
	OK = 0,
	WARNING = 1,
	CRITICAL = 2,
	UNKNOWN = 3,
};

/**
 * struct finding - what is found out, part by part
 * @drafts: the file
 * @modules: all that the modules say
 * @severity: the worst so far
 * @text: what is wrong, sentence by sentence
 * @size: of @text
 * @words: where it is written
 * @compared: all rules of the file were compared; else the numbers are of some of them
 * @unseen: lines of the file that were left out because it may not be found out whether a rule in
 *	force is theirs
 * @rules, @waiting, @missing, @other: rules of the file; those of them that wait for what they
 *	are for; those that are not in force; rules in force that the file does not have, or
 *	has in another order
 */
struct finding {
	struct drafts drafts;
	struct module_status modules;
	enum severity severity;
	char *text;
	size_t size;
	FILE *words;
	bool compared;
	size_t unseen;
	size_t rules, waiting, missing, other;
};

/* --strict */
static bool check_strict;

/* Critical is worse than unknown, because it is known for sure. */
static bool is_worse(enum severity one, enum severity other)
{
	static const int rank[] = { [OK] = 0, [WARNING] = 1, [UNKNOWN] = 2, [CRITICAL] = 3 };

	return rank[one] > rank[other];
}

__attribute__((format(printf, 3, 4)))
static void find(struct finding *finding, enum severity severity, const char *format, ...)
{
	va_list arguments;

	if (is_worse(severity, finding->severity))
		finding->severity = severity;
	if (ftell(finding->words))
		fputs("; ", finding->words);
	va_start(arguments, format);
	vfprintf(finding->words, format, arguments);
	va_end(arguments);
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static const struct part *part_of(const struct finding *finding, const struct rules *of)
{
	return of == &rules_fs ? &finding->modules.fs : &finding->modules.net;
}

static bool flushes(const struct drafts *drafts, const struct rules *of)
{
	size_t i;

	for (i = 0; i < drafts->policy.count; i++) {
		const struct entry *entry = &drafts->policy.entries[i];
		const struct genlmsghdr *header;

		if (entry->of != of)
			continue;
		header = mnl_nlmsg_get_payload(entry->message);
		if (header->cmd == of->flush)
			return true;
	}
	return false;
}

static bool names_default(const struct drafts *drafts, const struct rules *of)
{
	size_t i;

	for (i = 0; i < drafts->policy.count; i++)
		if (drafts->policy.entries[i].of == of && drafts->policy.entries[i].of_default)
			return true;
	return false;
}

/* The default is always there: where the file neither names nor flushes it, it may say anything. */
static void leave_out_default(json_t *list)
{
	size_t i = json_array_size(list);

	while (i--) {
		if (rule_is_default(json_array_get(list, i)))
			json_array_remove(list, i);
	}
}

static bool is_idle(const json_t *rule)
{
	return member_present(rule, "shadowed-by") || member_present(rule, "fstype-unknown") ||
	       member_present(rule, "exempt");
}

static bool enforces(const json_t *rule)
{
	return !strcmp(member_text(rule, "mode"), "enforce");
}

/* What keeps rules of the file from acting, although they are in force. */
static void look_at_rules(struct finding *finding, const struct rules *of, const json_t *list)
{
	const json_t *status = part_of(finding, of)->status, *rule;
	size_t i, waiting = 0, idle = 0, covered = 0, enforcing = 0;

	json_array_foreach(list, i, rule) {
		waiting += rule_waits(rule);
		idle += is_idle(rule);
		covered += member_present(rule, "covered-by");
		enforcing += enforces(rule);
	}
	finding->rules += json_array_size(list);
	finding->waiting += waiting;
	if (enforcing && of == &rules_fs && !member_number(status, "enforcing"))
		find(finding, CRITICAL,
		     "%s: utf8guard_fs.enforce=0 on the kernel's command line, nothing is refused",
		     of->title);
	if (idle)
		find(finding, WARNING, "%s: %zu rule%s can never act, see: utf8guard %s show",
		     of->title, idle, plural(idle), of->command);
	if (covered)
		find(finding, WARNING, "%s: %zu rule%s covered by a mount, see: utf8guard %s show",
		     of->title, covered, plural(covered), of->command);
	if (waiting && check_strict)
		find(finding, WARNING, "%s: %zu rule%s wait%s for what is not there", of->title,
		     waiting, plural(waiting), waiting == 1 ? "s" : "");
}

/* These rules act; but if the file was loaded now, they would wait. */
static void look_at_unfound(struct finding *finding, size_t count)
{
	if (count)
		find(finding, WARNING, "%s: the path%s of %zu rule%s in force cannot be looked up",
		     rules_fs.title, plural(count), count, plural(count));
}

/* Names are judged by the nearest rule, whatever the order; packets by the first. */
static void look_at_changes(struct finding *finding, const struct rules *of,
			    const struct changes *changes, bool flushed)
{
	/* A rule for names that is in force may be that of a line which was left out. */
	const bool unsure = of == &rules_fs && finding->unseen;
	size_t other = flushed && !unsure ? changes->removed : 0;

	if (flushed && of == &rules_net)
		other += changes->moved;
	finding->missing += changes->added;
	finding->other += other;
	if (changes->added)
		find(finding, CRITICAL, "%s: %zu rule%s of the file not in force", of->title,
		     changes->added, plural(changes->added));
	if (other)
		find(finding, CRITICAL, "%s: %zu rule%s in force that the file does not have there",
		     of->title, other, plural(other));
}

/* Return: whether they could be compared. */
static bool compare(struct finding *finding, unsigned int i)
{
	struct drafts *drafts = &finding->drafts;
	struct transaction *check = &drafts->checks[i];
	const struct rules *of = check->of;
	const bool flushed = flushes(drafts, of);
	json_t *before, *after = NULL;
	struct changes changes;

	if (drafts_fill(drafts, i, true, true)) {
		if (drafts->rejected)
			find(finding, CRITICAL, "%s: lines of the file are refused", of->title);
		else
			find(finding, UNKNOWN, "%s: cannot be compared", of->title);
		return false;
	}
	if (rules_list(of, &check->nl, &after)) {
		find(finding, UNKNOWN, "%s: cannot be compared", of->title);
		return false;
	}
	before = drafts->before[i];
	if (!flushed && !names_default(drafts, of)) {
		leave_out_default(before);
		leave_out_default(after);
	}
	if (of == &rules_fs)
		look_at_unfound(finding, unfound_replace(after, before));
	changes = difference_count(of, before, after);
	look_at_rules(finding, of, after);
	look_at_changes(finding, of, &changes, flushed);
	json_decref(after);
	return true;
}

/* Are there rules to compare with? Those on trial are not: they may be gone in a moment. */
static bool look_at_part(struct finding *finding, const struct rules *of)
{
	const struct part *part = part_of(finding, of);

	if (!part->loaded && !part->unasked)
		find(finding, CRITICAL, "%s: %s is %s", of->title, part->family,
		     absence_state(part->family));
	else if (!part->answered)
		find(finding, UNKNOWN, "%s: %s", of->title, module_status_silence(part));
	else if (member_number(part->status, "confirm"))
		find(finding, WARNING, "%s: rules are on trial, back in %llu seconds, unless: utf8guard confirm%s %s",
		     of->title, member_number(part->status, "confirm"), netns_option(), of->command);
	else
		return true;
	return false;
}

/* What is wrong whatever the file says. */
static void look_at_modules(struct finding *finding)
{
	const char *other_build = module_status_other_build(&finding->modules);
	const json_t *fs = finding->modules.fs.status;

	if (other_build)
		find(finding, WARNING, "%s", other_build);
	if (drafts_are_about(&finding->drafts, &rules_fs) && member_present(fs, "subvolumes-why"))
		find(finding, WARNING, "subvolumes of btrfs are not judged: %s",
		     member_text(fs, "subvolumes-why"));
}

static void look_at_left_out(struct finding *finding)
{
	const struct policy *policy = &finding->drafts.policy;
	size_t i, absent = 0;

	for (i = 0; i < policy->count; i++) {
		absent += policy->entries[i].left_out == LEFT_OUT_ABSENT;
		finding->unseen += policy->entries[i].left_out == LEFT_OUT_UNSEEN;
	}
	if (absent)
		find(finding, WARNING, "%zu line%s of the file for namespaces that are not there",
		     absent, plural(absent));
	if (finding->unseen)
		find(finding, UNKNOWN, "%zu line%s of the file for namespaces that may not be looked for (CAP_SYS_PTRACE)",
		     finding->unseen, plural(finding->unseen));
	if (!policy->count)
		find(finding, WARNING, "the file says nothing");
}

/* Return: whether its rules can be compared. */
static bool open_part(struct finding *finding, const struct rules *of)
{
	if (!look_at_part(finding, of))
		return false;
	if (!drafts_open_check(&finding->drafts, of))
		return true;
	find(finding, UNKNOWN, "%s: cannot be asked", of->title);
	return false;
}

/* A check that cannot be compared hides nothing of the other one. */
static void look(struct finding *finding)
{
	struct drafts *drafts = &finding->drafts;
	const struct rules *const *of;
	unsigned int i;

	if (!drafts_read(drafts)) {
		find(finding, UNKNOWN, "the file cannot be read, or has mistakes");
		return;
	}
	module_status_take(&finding->modules, 0);
	finding->compared = true;
	for (of = rules_all; *of; of++)
		if (drafts_are_about(drafts, *of))
			finding->compared &= open_part(finding, *of);
	look_at_modules(finding);
	look_at_left_out(finding);
	finding->compared &= !finding->unseen;
	for (i = 0; i < drafts->count; i++)
		finding->compared &= compare(finding, i);
	drafts_tell_rejections(drafts);
}

/* What follows "|" is for graphs, where there is something to show. */
static void print(const struct finding *finding)
{
	static const char *const words[] = { "OK", "WARNING", "CRITICAL", "UNKNOWN" };
	const char *path = finding->drafts.policy.path;
	char *shown = text_escape(path, strlen(path)), *at;

	printf("UTF8GUARD %s - ", words[finding->severity]);
	for (at = shown; *at; at++) {
		if (*at == '|')
			fputs("\\x7C", stdout);
		else
			putchar(*at);
	}
	fputs(": ", stdout);
	free(shown);
	if (*finding->text)
		fputs(finding->text, stdout);
	else
		fputs("in force", stdout);
	if (finding->compared)
		printf(" | rules=%zu waiting=%zu missing=%zu other=%zu", finding->rules,
		       finding->waiting, finding->missing, finding->other);
	putchar('\n');
}

static const char unknown[] = "UTF8GUARD UNKNOWN - wrong use; standard error says why";

static int run(struct words *words)
{
	struct finding finding = { .severity = OK };

	finding.drafts.policy.path = words_left(words) ? words_take(words, "a file") : POLICY;
	if (!words_end(words)) {
		puts(unknown);
		return UNKNOWN;
	}
	fs_rule_may_wait = true;
	fs_rule_of_file = true;
	fs_rule_is_old = true;
	finding.words = no_null(open_memstream(&finding.text, &finding.size));
	look(&finding);
	fclose(finding.words);
	print(&finding);
	free(finding.text);
	drafts_close(&finding.drafts);
	module_status_drop(&finding.modules);
	return finding.severity;
}

const struct command command_check = {
	.name = "check",
	.options = OPTIONS(OPTION_JSON, { .name = "strict", .flag = &check_strict }, OPTION_NETNS),
	.summary = "is what a policy file demands in force?",
	.help =
"utf8guard check [-j] [-N NETNS] [--strict] [FILE|-]\n"
"\n"
"Prints one line, for Nagios, Icinga, cron and units: is all that FILE demands\n"
"(/etc/utf8guard.conf) in force? That is so if the modules are loaded; each rule of the\n"
"file is in force, or waits for what it is for; there are no other rules, where the\n"
"file flushes; and no rule that enforces is kept from it. Nothing is changed. Locked\n"
"rules can be checked, too.\n"
"\n"
"  -j        FILE is JSON, as \"save -j\" writes it\n"
"  --strict  rules that wait are a warning\n"
"\n"
"Exit status: 0 OK; 1 WARNING, the policy is in force, but rules are on trial, some can\n"
"never act, are covered by a mount or have a path that cannot be looked up, subvolumes\n"
"of btrfs are not judged, or tool and modules are of different builds, as from an\n"
"upgrade to the next boot; 2 CRITICAL, the policy is not in force; 3 UNKNOWN, that\n"
"cannot be found out: the file has mistakes, or you have no permission to ask.\n",
	.wrong_line = unknown,
	.wrong = UNKNOWN,
	.run = run,
};
