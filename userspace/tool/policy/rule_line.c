// SPDX-License-Identifier: GPL-2.0
/* A rule, as attributes.c decodes it, as the command line that makes it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "output/text.h"
#include "rule_line.h"

__attribute__((format(printf, 2, 3)))
static void add_word(struct line *line, const char *format, ...)
{
	char word[64];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(word, sizeof(word), format, arguments);
	va_end(arguments);
	line_add(line, word);
}

/* Adds a text as it was before attributes.c escaped it. */
static bool add_text(struct line *line, const json_t *rule, const char *name)
{
	char *text = text_unescape(member_text(rule, name));

	if (!text)
		return false;
	line_add(line, text);
	free(text);
	return true;
}

json_t *rule_location(const json_t *rule, size_t i)
{
	return i ? json_array_get(json_object_get(rule, "location"), i - 1) : (json_t *)rule;
}

bool rule_waits(const json_t *rule)
{
	bool waits = member_present(rule, "cgroup-waiting") || member_present(rule, "fstype-waiting");
	const json_t *location;
	size_t i;

	rule_for_each_location(rule, i, location)
		waits |= member_present(location, "waiting") ||
			 member_present(location, "unmounted");
	return waits;
}

static bool add_comment(struct line *line, const json_t *rule)
{
	if (!member_present(rule, "comment"))
		return true;
	line_add(line, "comment");
	return add_text(line, rule, "comment");
}

bool rule_has_callers(const json_t *rule)
{
	return member_present(rule, "uid-min") || member_present(rule, "uid-max") ||
	       member_present(rule, "userns") || member_present(rule, "userns-owner") ||
	       member_present(rule, "cgroup");
}

bool rule_is_default(const json_t *rule)
{
	return !strcmp(member_text(rule, "scope"), "default") && !rule_has_callers(rule);
}

/* "volume TYPE:UUID:PATH", which finds the location whatever is mounted, after a boot, too. */
static bool add_volume(struct line *line, const json_t *rule)
{
	char *type = text_unescape(member_text(rule, "volume-type"));
	char *inside = text_unescape(member_text(rule, "inside"));
	const char *uuid = member_text(rule, "uuid");
	char word[8192], number[33];
	size_t digits = 0;

	for (; *uuid && digits < 32; uuid++)
		if (*uuid != ' ')
			number[digits++] = *uuid;
	number[digits] = '\0';
	if (type && inside) {
		snprintf(word, sizeof(word), "%s:%s:%s", type, number, inside);
		line_add(line, "volume");
		line_add(line, word);
	}
	free(type);
	free(inside);
	return type && inside;
}

/* The paths of a rule, if it has any. A further location must have one: "" is complained of. */
static bool add_places(struct line *line, const json_t *rule)
{
	const json_t *location;
	size_t i;

	rule_for_each_location(rule, i, location) {
		if (i && !member_present(location, "path"))
			line_add(line, "");
		if (member_present(location, "path") && !add_text(line, location, "path"))
			return false;
		if (member_present(location, "uuid") && !add_volume(line, location))
			return false;
	}
	return true;
}

static bool add_scope(struct line *line, const json_t *rule)
{
	line_add(line, member_word(rule, "scope"));
	if (!add_places(line, rule))
		return false;
	return !member_present(rule, "fstype") || add_text(line, rule, "fstype");
}

static bool add_who(struct line *line, const json_t *rule)
{
	unsigned long long min = member_number(rule, "uid-min");
	unsigned long long max = member_number(rule, "uid-max");

	if (member_present(rule, "uid-min") || member_present(rule, "uid-max")) {
		line_add(line, "uid");
		if (min == max)
			add_word(line, "%llu", min);
		else
			add_word(line, "%llu-%llu", min, max);
	}
	if (member_present(rule, "userns")) {
		line_add(line, "userns");
		add_word(line, "%llu", member_number(rule, "userns"));
	}
	if (member_present(rule, "userns-owner")) {
		line_add(line, "userns");
		line_add(line, "owner");
		add_word(line, "%llu", member_number(rule, "userns-owner"));
	}
	if (!member_present(rule, "cgroup"))
		return true;
	line_add(line, "cgroup");
	return add_text(line, rule, "cgroup");
}

/* An element that is no text becomes "?", so that the parser complains of it. */
static void add_classes(struct line *line, const json_t *rule, const char *word)
{
	const json_t *classes = json_object_get(rule, word);
	char list[512] = "";
	const json_t *class;
	size_t i, length = 0;

	if (!json_array_size(classes))
		return;
	json_array_foreach(classes, i, class) {
		const char *name = json_string_value(class);

		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
					   i ? "," : "", name ? name : "?");
		if (length >= sizeof(list))
			break;
	}
	line_add(line, word);
	line_add(line, list);
}

/* The words from the mode on. Defaults are left out. */
static bool add_rest(struct line *line, const json_t *rule)
{
	static const struct {
		const char *member, *word, *choice;
	} flags[] = {
		{ "admin-exempt", "admin", "exempt" },
		{ "judge-onto", "onto", "judge" },
		{ "allow-move", "move", "allow" },
	};
	size_t i;

	line_add(line, member_word(rule, "mode"));
	add_classes(line, rule, "refuse");
	if (member_present(rule, "form")) {
		line_add(line, "form");
		line_add(line, member_word(rule, "form"));
	}
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (!member_present(rule, flags[i].member))
			continue;
		line_add(line, flags[i].word);
		line_add(line, flags[i].choice);
	}
	return add_comment(line, rule);
}

/* Is the mode all there is to say? */
static bool is_bare(const json_t *rule)
{
	static const char *const more[] = {
		"comment", "refuse", "form", "admin-exempt", "judge-onto", "allow-move" };
	size_t i;

	for (i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		if (member_present(rule, more[i]))
			return false;
	return true;
}

/* "set", which changes the mode only, if the rule has nothing else; or "replace". */
static bool default_line(const json_t *rule, struct line *line)
{
	line_add(line, is_bare(rule) ? "set" : "replace");
	line_add(line, "default");
	if (!add_rest(line, rule))
		return false;
	/* The default has none of these. They are added so that the parser complains of them. */
	if (member_present(rule, "path"))
		line_add(line, member_text(rule, "path"));
	if (member_present(rule, "fstype"))
		line_add(line, member_text(rule, "fstype"));
	if (member_present(rule, "location"))
		line_add(line, "location");
	return true;
}

static bool add_fs(struct line *line, const json_t *rule)
{
	line_add(line, "fs");
	if (rule_is_default(rule))
		return default_line(rule, line);
	line_add(line, "add");
	return add_scope(line, rule) && add_who(line, rule) && add_rest(line, rule);
}

/*
 * A word that begins with a minus is an option, unless "--" is before it: comments and
 * the names of interfaces may begin so. A lone minus is a word.
 */
static void guard(struct line *line)
{
	size_t i = 0;
	char *word;

	while (i < line->count && (line->words[i][0] != '-' || !line->words[i][1]))
		i++;
	if (i == line->count)
		return;
	line_add(line, "--");
	word = line->words[line->count - 1];
	memmove(&line->words[i + 1], &line->words[i],
		(line->count - 1 - i) * sizeof(*line->words));
	line->words[i] = word;
}

bool fs_line(const json_t *rule, struct line *line)
{
	bool good = add_fs(line, rule);

	guard(line);
	return good;
}

/* "80" or "8000-8099"; NULL of what is no range */
static char *range_text(const json_t *range)
{
	unsigned long long from = member_number(range, "from"), to = member_number(range, "to");
	char *text = NULL;

	if (!member_present(range, "from") || !member_present(range, "to"))
		return NULL;
	if (asprintf(&text, from == to ? "%llu" : "%llu-%llu", from, to) < 0)
		no_null(NULL);
	return text;
}

/* "192.0.2.0/24", or the address alone; NULL without address and prefix */
static char *network_text(const json_t *network, const char *address_name,
			  const char *prefix_name)
{
	const char *address = member_text(network, address_name);
	unsigned long long prefix = member_number(network, prefix_name);
	unsigned long long all = strchr(address, ':') ? 128 : 32;
	char *text = NULL;

	if (!*address && !member_present(network, prefix_name))
		return NULL;
	if (asprintf(&text, member_present(network, prefix_name) && prefix != all ? "%s/%llu" : "%s",
		     address, prefix) < 0)
		no_null(NULL);
	return text;
}

static char *member_network_text(const json_t *network)
{
	return network_text(network, "address", "prefix");
}

/* The elements with commas between; "" if one is wrong, so that the parser complains. */
static void add_set(struct line *line, const json_t *set, char *(*text_of)(const json_t *element))
{
	char *word = NULL;
	size_t size, i;
	FILE *out = no_null(open_memstream(&word, &size));
	bool good = json_array_size(set);
	const json_t *element;

	json_array_foreach(set, i, element) {
		char *text = text_of(element);

		good &= text != NULL;
		fprintf(out, "%s%s", i ? "," : "", text ? text : "");
		free(text);
	}
	fclose(out);
	line_add(line, good ? no_null(word) : "");
	free(word);
}

/* "dport 80", "dport 8000-8099", "dport 80,443", or nothing */
static void add_ports(struct line *line, const json_t *rule, const char *word,
		      const char *min_name, const char *max_name, const char *range_name)
{
	unsigned long long min = member_number(rule, min_name);
	unsigned long long max = member_number(rule, max_name);

	if (member_present(rule, range_name)) {
		line_add(line, word);
		add_set(line, json_object_get(rule, range_name), range_text);
	}
	if (!member_present(rule, min_name) && !member_present(rule, max_name))
		return;
	line_add(line, word);
	if (!member_present(rule, min_name) || !member_present(rule, max_name))
		line_add(line, "");
	else if (min == max)
		add_word(line, "%llu", min);
	else
		add_word(line, "%llu-%llu", min, max);
}

/* "saddr 192.0.2.0/24", several of these, or nothing */
static void add_networks(struct line *line, const json_t *rule, const char *word,
			 const char *prefix, const char *set)
{
	char *text;

	if (member_present(rule, set)) {
		line_add(line, word);
		add_set(line, json_object_get(rule, set), member_network_text);
	}
	if (!member_present(rule, word) && !member_present(rule, prefix))
		return;
	line_add(line, word);
	text = network_text(rule, word, prefix);
	line_add(line, text ? text : "");
	free(text);
}

/* "word 0x1/0xff", or nothing */
static void add_mark(struct line *line, const json_t *rule, const char *word,
		     const char *mark, const char *mask)
{
	if (!member_present(rule, mark) && !member_present(rule, mask))
		return;
	if (word)
		line_add(line, word);
	if (!member_present(rule, mark))
		line_add(line, "");
	else if (member_present(rule, mask) && member_number(rule, mask) != UINT32_MAX)
		add_word(line, "0x%llx/0x%llx", member_number(rule, mark), member_number(rule, mask));
	else
		add_word(line, "0x%llx", member_number(rule, mark));
}

/* A member, and its value as a word or a number; or nothing */
static void add_said(struct line *line, const json_t *rule, const char *word)
{
	if (!member_present(rule, word))
		return;
	line_add(line, word);
	line_add(line, member_word(rule, word));
}

static bool add_conditions(struct line *line, const json_t *rule)
{
	static const char *const interfaces[] = { "iif", "oif", NULL };
	size_t i;

	for (i = 0; interfaces[i]; i++) {
		if (!member_present(rule, interfaces[i]))
			continue;
		line_add(line, interfaces[i]);
		if (!add_text(line, rule, interfaces[i]))
			return false;
	}
	add_mark(line, rule, "marked", "mark", "mark-mask");
	add_said(line, rule, "direction");
	return true;
}

/* An offset without its scope is added as well, so that the parser complains of it. */
static void add_part(struct line *line, const json_t *rule)
{
	if (strcmp(member_text(rule, "scope"), "part") && !member_present(rule, "offset") &&
	    !member_present(rule, "length")) {
		add_said(line, rule, "scope");
		return;
	}
	line_add(line, "scope");
	if (member_number(rule, "offset")) {
		add_word(line, "%llu:%llu", member_number(rule, "offset"),
			 member_number(rule, "length"));
		return;
	}
	line_add(line, "first");
	add_word(line, "%llu", member_number(rule, "length"));
}

/* The words from the action on. Defaults are left out. */
static void add_what(struct line *line, const json_t *rule)
{

	line_add(line, member_word(rule, "action"));
	add_mark(line, rule, NULL, "set-mark", "set-mask");
	add_classes(line, rule, "refuse");
	add_classes(line, rule, "allow");
	add_part(line, rule);
	add_said(line, rule, "decode");
	if (member_present(rule, "gated") || member_present(rule, "ungated")) {
		line_add(line, "gate");
		line_add(line, member_present(rule, "gated") ? "on" : "off");
	}
	add_said(line, rule, "fail");
	add_said(line, rule, "stream");
}

static bool add_net(struct line *line, const json_t *rule)
{
	line_add(line, "net");
	line_add(line, "add");
	line_add(line, member_word(rule, "hook"));
	if (member_present(rule, "family"))
		line_add(line, member_word(rule, "family"));
	line_add(line, member_word(rule, "protocol"));
	add_ports(line, rule, "sport", "sport-min", "sport-max", "sport-range");
	add_ports(line, rule, "dport", "dport-min", "dport-max", "dport-range");
	if (member_present(rule, "any-port"))
		line_add(line, "any-port");
	add_networks(line, rule, "saddr", "saddr-prefix", "saddr-network");
	add_networks(line, rule, "daddr", "daddr-prefix", "daddr-network");
	if (!add_conditions(line, rule))
		return false;
	add_what(line, rule);
	return add_comment(line, rule);
}

bool net_line(const json_t *rule, struct line *line)
{
	bool good = add_net(line, rule);

	guard(line);
	return good;
}
