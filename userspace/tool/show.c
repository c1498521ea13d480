// SPDX-License-Identifier: GPL-2.0
/* utf8guard show: what is loaded, what it does, and what is wrong; one screen. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "survey.h"

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

/* Prints the line for a part that has nothing to show, or returns false. */
static bool print_silent(const char *title, const struct part *part)
{
	if (part->answered)
		return false;
	printf("%-14s %s\n", title, part->loaded ? "loaded, but did not answer" :
						   netlink_absence(part->family));
	return true;
}

static void print_service(const struct part *part)
{
	const json_t *s = part->status;

	if (print_silent("service", part))
		return;
	printf("%-14s version %s", "service", member_text(s, "version"));
	if (member_present(s, "unicode"))
		printf(", Unicode %s", member_text(s, "unicode"));
	if (member_present(s, "engine"))
		printf(", engine %s", member_text(s, "engine"));
	putchar('\n');
	printf("%-14s events %llu, suppressed %llu, lost %llu\n", "",
	       member_number(s, "events"), member_number(s, "suppressed"),
	       member_number(s, "lost"));
}

static void print_fs(const struct part *part)
{
	const json_t *s = part->status;

	if (print_silent("name check", part))
		return;
	printf("%-14s default %s, rules %llu, generation %llu\n", "name check",
	       default_mode(part), member_number(s, "rules"),
	       member_number(s, "generation"));
	printf("%-14s checked %llu, refused %llu, audited %llu, exempt %llu, missed %llu\n",
	       "", member_number(s, "checked"), member_number(s, "refused"),
	       member_number(s, "audited"), member_number(s, "exempt"),
	       member_number(s, "missed"));
}

static void print_net(const struct part *part)
{
	if (print_silent("payload check", part))
		return;
	printf("%-14s rules %llu, generation %llu\n", "payload check",
	       member_number(part->status, "rules"),
	       member_number(part->status, "generation"));
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

static unsigned long long unreadable(const struct part *net)
{
	unsigned long long sum = 0;
	const json_t *rule;
	size_t i;

	json_array_foreach(net->list, i, rule) {
		sum += member_number(rule, "unreadable");
	}
	return sum;
}

/* What an administrator would want to be told without having asked. */
static json_t *wrong_things(const struct survey *survey)
{
	const json_t *service = survey->service.status, *fs = survey->fs.status;
	json_t *warnings = no_null(json_array());

	if (survey->service.answered && strcmp(member_text(service, "version"), UTF8GUARD_VERSION))
		warn(warnings, "this tool is of version %s, the module is not", UTF8GUARD_VERSION);
	if (member_number(service, "lost"))
		warn(warnings, "%llu events were lost for want of memory",
		     member_number(service, "lost"));
	if (survey->fs.answered && !member_number(fs, "enforcing"))
		warn(warnings, "utf8guard_fs.enforce=0: rules that enforce only audit");
	if (member_number(fs, "missed"))
		warn(warnings, "%llu names could not be looked at", member_number(fs, "missed"));
	if (unreadable(&survey->net))
		warn(warnings, "%llu packets could not be read whole and were let through",
		     unreadable(&survey->net));
	return warnings;
}

static void print_text(const struct survey *survey, const json_t *warnings)
{
	const json_t *warning;
	size_t i;

	print_service(&survey->service);
	print_fs(&survey->fs);
	print_net(&survey->net);
	json_array_foreach(warnings, i, warning) {
		printf("%-14s %s\n", "warning", json_string_value(warning));
	}
}

static json_t *json_part(const struct part *part)
{
	json_t *object = json_pack("{s:b}", "loaded", part->loaded);

	if (part->status)
		json_object_update(object, part->status);
	return object;
}

static void print_json(const struct survey *survey, json_t *warnings)
{
	json_t *fs = json_part(&survey->fs);

	if (survey->fs.answered)
		json_object_set_new(fs, "default", json_string(default_mode(&survey->fs)));
	output_json(json_pack("{s:s s:o s:o s:o s:O}", "tool", UTF8GUARD_VERSION,
			      "service", json_part(&survey->service), "fs", fs,
			      "net", json_part(&survey->net), "warnings", warnings));
}

static int run(struct words *words)
{
	struct survey survey;
	json_t *warnings;
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	status = survey_take(&survey);
	warnings = wrong_things(&survey);
	if (options.json)
		print_json(&survey, warnings);
	else
		print_text(&survey, warnings);
	json_decref(warnings);
	survey_drop(&survey);
	return status;
}

const struct command command_show = {
	.name = "show",
	.flags = "jp",
	.summary = "what is loaded, what it does, and what is wrong",
	.help =
"utf8guard [show] [-j]\n"
"\n"
"One screen: the modules that are loaded, the version, the validation engine,\n"
"the default of the name check, the number of rules, what was checked, refused,\n"
"audited and missed; and warnings. Rules are shown by fs and net.\n"
"\n"
"Exit status: 4 if no module is loaded, 3 if one refused to answer.\n",
	.run = run,
};
