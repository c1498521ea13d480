// SPDX-License-Identifier: GPL-2.0
/* utf8guard show: what is loaded, what it does, and what is wrong; one screen. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "netlink/enumerations.h"
#include "netlink/netns.h"
#include "output/output.h"
#include "output/style.h"
#include "policy/checksum.h"
#include "status/module_status.h"

static const char *default_mode(const struct part *fs)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(fs->list, i, rule) {
		if (!strcmp(member_text(rule, "scope"), "default"))
			return member_text(rule, "mode");
	}
	return "unknown";
}

static const char *number_in(const json_t *status, const char *name)
{
	return count_text(member_number(status, name));
}

static void print_refused(unsigned long long refused, unsigned long long audited)
{
	printf("%-14s %srefused %s%s, %saudited %s%s\n", "",
	       refused ? style_begin(STYLE_REFUSED) : "", count_text(refused),
	       refused ? style_end() : "", audited ? style_begin(STYLE_AUDITED) : "",
	       count_text(audited), audited ? style_end() : "");
}

/* Prints the line for a part that has nothing to show, or returns false. */
static bool print_silent(const char *title, const struct part *part)
{
	if (part->answered)
		return false;
	printf("%-14s %s%s%s\n", title, style_begin(STYLE_AUDITED), module_status_silence(part),
	       style_end());
	return true;
}

static void print_service(const struct part *part)
{
	const json_t *s = part->status;

	if (print_silent("service", part))
		return;
	printf("%-14s version %s", "service", member_text(s, "version"));
	if (member_present(s, "build"))
		printf(" (%s)", member_text(s, "build"));
	if (member_present(s, "unicode"))
		printf(", Unicode %s", member_text(s, "unicode"));
	if (member_present(s, "engine"))
		printf(", engine %s", member_text(s, "engine"));
	putchar('\n');
	printf("%-14s events %s, suppressed %s, lost %s\n", "", number_in(s, "events"),
	       number_in(s, "suppressed"), number_in(s, "lost"));
}

static unsigned long long number_of(const struct part *part, const char *name, const char *word)
{
	unsigned long long count = 0;
	const json_t *rule;
	size_t i;

	json_array_foreach(part->list, i, rule) {
		count += !strcmp(member_text(rule, name), word);
	}
	return count;
}

/* Over all rules, or over all classes of all rules. */
static unsigned long long sum_of(const struct part *part, const char *name)
{
	unsigned long long sum = 0;
	const json_t *rule;
	size_t i;

	json_array_foreach(part->list, i, rule) {
		sum += member_number(rule, name) + rule_sum(rule, name);
	}
	return sum;
}

/* "rules that off 0, audit 2, enforce 1"; three a line, for 80 columns. */
static void print_kinds(const struct part *part, const char *name, const char *const *words)
{
	size_t i;

	for (i = 0; words[i]; i++) {
		if (i % 3)
			printf(", ");
		else
			printf("%s%-14s rules that ", i ? "\n" : "", "");
		printf("%s %llu", words[i], number_of(part, name, words[i]));
	}
	putchar('\n');
}

static void print_checksum(const struct rules *of, const struct part *part)
{
	char text[CHECKSUM_SIZE];

	printf("%-14s checksum %s\n", "", checksum_of(of, part->list, text));
}

/* Lines that are printed only if they are true. */
static void print_hold(const struct rules *of, const json_t *s)
{
	if (member_number(s, "locked"))
		printf("%-14s locked: no change before the next boot\n", "");
	if (member_number(s, "confirm"))
		printf("%-14s on trial: the previous rules are back in %llu seconds, unless you run: utf8guard confirm%s %s\n", "",
		       member_number(s, "confirm"), netns_option(), of->command);
}

static void print_fs(const struct part *part)
{
	const json_t *s = part->status;

	if (print_silent("name check", part))
		return;
	printf("%-14s default %s, rules %llu, generation %llu\n", "name check",
	       default_mode(part), member_number(s, "rules"),
	       member_number(s, "generation"));
	print_kinds(part, "mode", words_mode);
	print_checksum(&rules_fs, part);
	printf("%-14s checked %s, exempt %s, missed %s\n", "", number_in(s, "checked"),
	       number_in(s, "exempt"), number_in(s, "missed"));
	print_refused(member_number(s, "refused"), member_number(s, "audited"));
	if (member_number(s, "exempt-overlay") || member_number(s, "userns-overlay"))
		printf("%-14s overlays: exempt %s, judged in user namespaces %s\n", "",
		       number_in(s, "exempt-overlay"), number_in(s, "userns-overlay"));
	if (member_present(s, "subvolumes"))
		printf("%-14s subvolumes: %s\n", "", member_text(s, "subvolumes"));
	print_hold(&rules_fs, s);
}

static void print_net(const struct part *part)
{
	if (print_silent("payload check", part))
		return;
	printf("%-14s rules %llu, generation %llu\n", "payload check",
	       member_number(part->status, "rules"),
	       member_number(part->status, "generation"));
	print_kinds(part, "action", words_action);
	print_checksum(&rules_net, part);
	if (member_number(part->status, "flows"))
		printf("%-14s connections followed %s\n", "", number_in(part->status, "flows"));
	printf("%-14s packets %s, split %s, unreadable %s\n", "",
	       count_text(sum_of(part, "packets")), count_text(sum_of(part, "split")),
	       count_text(sum_of(part, "unreadable")));
	print_refused(sum_of(part, "refused"), sum_of(part, "audited"));
	print_hold(&rules_net, part->status);
}

__attribute__((format(printf, 2, 3)))
static void warn(json_t *warnings, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	json_array_append_new(warnings, json_string(text));
}

/* What an administrator would want to be told without having asked. */
static json_t *wrong_things(const struct module_status *modules)
{
	const json_t *service = modules->service.status, *fs = modules->fs.status;
	const char *other_build = module_status_other_build(modules);
	unsigned long long unread = sum_of(&modules->net, "unreadable");
	json_t *warnings = no_null(json_array());

	if (other_build)
		warn(warnings, "%s", other_build);
	if (member_number(service, "lost"))
		warn(warnings, "%llu events were lost for want of memory",
		     member_number(service, "lost"));
	if (modules->fs.answered && !member_number(fs, "enforcing"))
		warn(warnings, "utf8guard_fs.enforce=0: rules that enforce only audit");
	if (member_number(fs, "missed"))
		warn(warnings, "%llu names could not be checked", member_number(fs, "missed"));
	if (member_number(fs, "deep"))
		warn(warnings,
		     "%llu names were judged by the strictest rule, because it is not known which subtrees they are in",
		     member_number(fs, "deep"));
	if (member_present(fs, "subvolumes-why"))
		warn(warnings, "subvolumes of btrfs are not judged: %s",
		     member_text(fs, "subvolumes-why"));
	if (unread)
		warn(warnings, "%llu packets could not be read whole; rules with fail open let such packets through",
		     unread);
	return warnings;
}

static void print_text(const struct module_status *modules, const json_t *warnings)
{
	const json_t *warning;
	size_t i;

	print_service(&modules->service);
	print_fs(&modules->fs);
	print_net(&modules->net);
	json_array_foreach(warnings, i, warning) {
		printf("%s%-14s %s%s\n", style_begin(STYLE_AUDITED), "warning",
		       json_string_value(warning), style_end());
	}
}

static json_t *json_part(const struct part *part)
{
	json_t *object = no_null(json_object());

	json_object_set_new(object, "loaded",
			    part->unasked ? json_null() : json_boolean(part->loaded));
	if (part->status)
		json_object_update(object, part->status);
	/* By class they are in "stats". */
	json_object_del(object, "count");
	return object;
}

static void set_checksum(json_t *object, const struct rules *of, const struct part *part)
{
	char text[CHECKSUM_SIZE];

	json_object_set_new(object, "checksum", json_string(checksum_of(of, part->list, text)));
}

static void set_number(json_t *object, const char *name, unsigned long long number)
{
	json_object_set_new(object, name, json_integer((json_int_t)number));
}

/* "rules-enforce": 1 */
static void set_kinds(json_t *object, const struct part *part, const char *name,
		      const char *const *words)
{
	char kind[32];

	for (; *words; words++) {
		snprintf(kind, sizeof(kind), "rules-%s", *words);
		set_number(object, kind, number_of(part, name, *words));
	}
}

static json_t *json_fs(const struct part *part)
{
	json_t *object = json_part(part);

	if (!part->answered)
		return object;
	json_object_set_new(object, "default", json_string(default_mode(part)));
	set_kinds(object, part, "mode", words_mode);
	set_checksum(object, &rules_fs, part);
	return object;
}

static json_t *json_net(const struct part *part)
{
	static const char *const sums[] = {
		"packets", "split", "unreadable", "refused", "audited" };
	json_t *object = json_part(part);
	size_t i;

	if (!part->answered)
		return object;
	set_kinds(object, part, "action", words_action);
	set_checksum(object, &rules_net, part);
	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		set_number(object, sums[i], sum_of(part, sums[i]));
	return object;
}

static void print_json(const struct module_status *modules, json_t *warnings)
{
	output_json(json_pack("{s:s s:o s:o s:o s:O}", "tool", UTF8GUARD_VERSION,
			      "service", json_part(&modules->service),
			      "fs", json_fs(&modules->fs), "net", json_net(&modules->net),
			      "warnings", warnings));
}

static int run(struct words *words)
{
	struct module_status modules;
	json_t *warnings;
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	status = module_status_take(&modules, ASK_RULES | ASK_ANSWER);
	warnings = wrong_things(&modules);
	if (options.json)
		print_json(&modules, warnings);
	else
		print_text(&modules, warnings);
	json_decref(warnings);
	module_status_drop(&modules);
	return status;
}

const struct command command_show = {
	.name = "show",
	.options = OPTIONS(OPTION_JSON, OPTION_PRETTY, OPTION_HUMAN, OPTION_COLOR, OPTION_NETNS),
	.summary = "what is loaded, what it does, and what is wrong",
	.help =
"utf8guard [show] [-j] [-H] [--color WHEN] [-N NETNS]\n"
"\n"
"One screen: the modules that are loaded, the version, the validation engine,\n"
"the version of Unicode, the default of the name check, how many rules of each\n"
"kind there are, a checksum of them, which is the same for the same policy on\n"
"every host; what was checked, refused, audited and missed, whether subvolumes of\n"
"btrfs are judged, whether the rules are locked or on trial; and warnings. Rules\n"
"are shown by fs and net.\n"
"\n"
"  -H            counters of three digits: 12.3k, 4.56M\n"
"  --color WHEN  auto (on a terminal, if NO_COLOR is not set), always or never\n"
"\n"
"Exit status: 4 if no module is loaded, 3 if one refused to answer.\n",
	.run = run,
};
