// SPDX-License-Identifier: GPL-2.0
/*
 * utf8guard suggest: proposes, for somebody to read, a policy that would refuse what was seen
 * and is not marked as good. Octets do not show what is good; the user says it, by directory,
 * user or sender. At the end the policy is tried on the same refusals, and the result is
 * printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/utf8guard.h>

#include "command.h"
#include "location/mounts.h"
#include "netlink/netns.h"
#include "output/output.h"
#include "output/text.h"
#include "policy/rule_line.h"
#include "policy/rules.h"
#include "suggest/counted.h"
#include "suggest/good.h"
#include "suggest/outer.h"
#include "suggest/proposal.h"
#include "suggest/seen.h"

/* Rules that are suggested, at most. */
#define MOST 256

/* A rule can name a directory that is so deep below the root of its file system, and no deeper. */
#define RULE_DEPTH 63

/* The classes that every rule that enforces refuses, and those that it has to name. */
#define ILL_FORMED	(UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NUL) - 1)
#define NAMED							\
	((UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE) << 1) -	\
	 UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NUL))

/**
 * struct rule - a rule that is suggested
 * @packet: for packets
 * @place, @inside: as in struct seen; for names the rule is for all below
 * @classes: bits of what is to be refused
 * @refuses: bits of all that the line printed for it refuses; 0 where there is none
 * @outer: of names, the rule in force that enforces there now and would not be asked any more, or NULL
 * @major, @minor: as in struct seen
 * @bad: how many of those it is for
 */
struct rule {
	bool packet;
	char *place, *inside;
	u32 classes, refuses;
	const json_t *outer;
	unsigned int major, minor;
	unsigned long long bad;
};

/**
 * struct suggestion - all that was read, and what it leads to
 * @seen: refusals and audits
 * @rules: what is suggested; @rule_count of them
 * @in_force: index of the rules in force, of the checks that answered; NULL if none did
 * @names: those for names, as a list
 * @printed: index of the rules that were printed so far
 * @suggested: a line was printed that load takes
 * @left: bad ones that there was no room for a rule for
 * @deep: bad ones whose directory is too deep for a rule, and none above it is mounted here
 */
struct suggestion {
	struct seen_all seen;
	struct rule rules[MOST];
	size_t rule_count;
	json_t *in_force, *names, *printed;
	bool suggested;
	unsigned long long left, deep;
};

/* May a rule refuse it by its class? */
static bool has_class(const struct seen *seen)
{
	return seen->class & (ILL_FORMED | NAMED);
}

/* The directory that both are in; malloc'd. */
static char *join(const char *path, const char *other)
{
	char *both = no_null(strdup(path));

	while (strcmp(both, "/") && !path_is_below(other, both)) {
		char *slash = strrchr(both, '/');

		slash[slash == both] = '\0';
	}
	return both;
}

/*
 * Makes the rule be for this name, too. Return: false where nothing that is mounted here shows
 * both, as where a file system is mounted in two locations, by another of its directories in each.
 */
static bool widen(struct rule *rule, const struct seen *seen)
{
	char *inside = join(rule->inside, seen->inside);
	char *place = mounts_path(rule->major, rule->minor, inside);

	if (!place) {
		free(inside);
		return false;
	}
	free(rule->place);
	free(rule->inside);
	rule->place = place;
	rule->inside = inside;
	return true;
}

/* Where the directory is too deep, the rule is for one above it. False: it is mounted nowhere. */
static bool shorten(struct rule *rule)
{
	unsigned int depth = 0;
	char *at, *place;

	for (at = rule->inside; *at; at++)
		if (*at == '/' && depth++ == RULE_DEPTH)
			break;
	if (!*at)
		return true;
	*at = '\0';
	place = mounts_path(rule->major, rule->minor, rule->inside);
	if (!place)
		return false;
	free(rule->place);
	rule->place = place;
	return true;
}

static bool is_on_device(const struct rule *rule, const struct seen *seen)
{
	return rule->major == seen->major && rule->minor == seen->minor;
}

static struct rule *rule_for(struct suggestion *s, const struct seen *seen)
{
	struct rule *rule;

	for (rule = s->rules; rule < s->rules + s->rule_count; rule++) {
		if (rule->packet != seen->packet)
			continue;
		if (seen->packet ? !strcmp(rule->place, seen->place) :
				   is_on_device(rule, seen) && widen(rule, seen))
			return rule;
	}
	if (s->rule_count == MOST)
		return NULL;
	s->rule_count++;
	*rule = (struct rule){ .packet = seen->packet, .place = no_null(strdup(seen->place)),
			       .major = seen->major, .minor = seen->minor };
	if (!seen->packet)
		rule->inside = no_null(strdup(seen->inside));
	return rule;
}

/* One rule a file system, or a mount of it, for the directory that all the bad is below; one a port. */
static void make_rules(struct suggestion *s)
{
	size_t i;

	for (i = 0; i < s->seen.count; i++) {
		const struct seen *seen = &s->seen.at[i];
		struct rule *rule;

		if (seen->refused || seen->good || !seen->place || !has_class(seen))
			continue;
		rule = rule_for(s, seen);
		if (!rule) {
			s->left += seen->count;
			continue;
		}
		rule->classes |= seen->class;
		rule->bad += seen->count;
	}
	for (i = s->rule_count; i--;) {
		if (s->rules[i].packet || shorten(&s->rules[i]))
			continue;
		s->deep += s->rules[i].bad;
		free(s->rules[i].place);
		free(s->rules[i].inside);
		s->rules[i] = s->rules[--s->rule_count];
	}
}

/* A rule for names is for one file system, also where another one is mounted below its path. */
static bool is_below(const char *directory, const struct rule *rule)
{
	unsigned int major = 0, minor = 0;
	char *inside = mounts_inside(directory, &major, &minor);
	bool is = inside && major == rule->major && minor == rule->minor &&
		  path_is_below(inside, rule->inside);

	free(inside);
	return is;
}

/* Is this mark for what the rule would refuse? */
static bool concerns(const struct good *good, const struct rule *rule)
{
	switch (good->kind) {
	case GOOD_DIRECTORY:
		return !rule->packet && is_below(good->text, rule);
	case GOOD_USER:
		return !rule->packet;
	default:
		return rule->packet;
	}
}

/* Is the rule for it? Rules for names are for a path within a file system, wherever it is mounted. */
static bool is_for(const struct rule *rule, const struct seen *seen)
{
	if (rule->packet != seen->packet)
		return false;
	return seen->packet ? !strcmp(rule->place, seen->place) :
	       is_on_device(rule, seen) && path_is_below(seen->inside, rule->inside);
}

/* Would the kernel refuse it? The nearest rule decides, unless there is one for what is good. */
static bool would_refuse(const struct suggestion *s, const struct seen *seen)
{
	const struct rule *rule, *found = NULL;
	const struct good *good;

	for (rule = s->rules; seen->place && rule < s->rules + s->rule_count; rule++) {
		if (!is_for(rule, seen))
			continue;
		if (!found || (!seen->packet && strlen(rule->inside) > strlen(found->inside)))
			found = rule;
	}
	if (!found || !(found->refuses & seen->class))
		return false;
	for (good = goods; good < goods + good_count; good++)
		if (concerns(good, found) && seen_is_marked(seen, good))
			return false;
	return true;
}

static void print_classes(u32 classes)
{
	unsigned int class;
	const char *separator = "";

	for (class = 1; class <= UTF8GUARD_CLASS_MAX; class++) {
		if (!(classes & UTF8GUARD_CLASS_BIT(class)))
			continue;
		printf("%s%s", separator, utf8guard_class_name(class));
		separator = ", ";
	}
}

/* The classes that a rule has to name. */
static json_t *classes_named(u32 classes)
{
	json_t *names = no_null(json_array());
	unsigned int class;

	for (class = UTF8GUARD_CLASS_NUL; class <= UTF8GUARD_CLASS_EDGE_SPACE; class++)
		if (classes & UTF8GUARD_CLASS_BIT(class))
			json_array_append_new(names, json_string(utf8guard_class_name(class)));
	return names;
}

static json_t *name_rule(const struct rule *rule, const char *directory, const char *mode)
{
	char *path = text_escape(directory, strlen(directory));
	json_t *made = json_pack("{s:s, s:s, s:s, s:o}", "scope", "subtree", "path", path,
				 "mode", mode, "refuse", classes_named(rule->classes));

	free(path);
	no_null(made);
	if (rule->outer)
		proposal_demand_too(made, rule->outer);
	return made;
}

/* Of @rule, whose place is as in "input tcp dport 80". */
static json_t *packet_rule(const struct rule *rule, const char *action)
{
	char hook[16] = "", protocol[16] = "";
	unsigned int port = 0;

	sscanf(rule->place, "%15s %15s dport %u", hook, protocol, &port);
	return no_null(json_pack("{s:s, s:s, s:i, s:i, s:s}", "hook", hook, "protocol", protocol,
				 "dport-min", (int)port, "dport-max", (int)port,
				 "action", action));
}

/* Does a rule for packets let pass what it finds, and tell of it? */
static bool only_tells(const json_t *rule)
{
	const char *action = member_text(rule, "action");

	return !strcmp(action, "audit") || !strcmp(action, "count");
}

/*
 * What becomes of a rule in force that is for the same as @rule: it refuses or tells, as @rule does,
 * for the classes of both. All else of it stays.
 */
static json_t *merged(const struct rules *of, const json_t *in_force, const json_t *rule)
{
	json_t *copy = no_null(json_copy((json_t *)in_force));
	const char *member = of == &rules_fs ? "mode" : "action";

	if (of == &rules_fs || only_tells(in_force) != only_tells(rule))
		json_object_set(copy, member, json_object_get(rule, member));
	proposal_refuse_too(copy, rule);
	return copy;
}

static json_t *in_force(const struct suggestion *s, const struct rules *of, const json_t *rule)
{
	return s->in_force ? proposal_same(s->in_force, of, rule) : NULL;
}

/* Bits of all the classes that a rule that refuses is for. */
static u32 refused_by(const json_t *rule)
{
	u32 classes = ILL_FORMED;
	const json_t *name;
	size_t i;

	json_array_foreach(json_object_get(rule, "refuse"), i, name) {
		classes |= seen_class(json_string_value(name));
	}
	if (member_present(rule, "form"))
		classes |= UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NOT_NORMALIZED);
	return classes;
}

/* A change of such a rule would be one for its other locations, too. */
static bool has_other_locations(const json_t *rule)
{
	return json_array_size(json_object_get(rule, "location"));
}

static void print_stays(const struct rules *of, const json_t *rule, bool is_good)
{
	char *text = rule_text(of, rule);

	printf("# %sit has a rule with other locations, handle %llu, which stays:\n#   %s\n",
	       is_good ? "marked as good: " : "", member_number(rule, "handle"), text);
	free(text);
}

/* The line that adds @rule, or replaces the rule in force @same. Return: as refused_by(), of that. */
static u32 print_line(const struct rules *of, const json_t *rule, const json_t *same,
		      unsigned long long before)
{
	json_t *both;
	u32 refuses;

	if (!same) {
		proposal_print(of, rule, before ? "insert" : "add", before);
		return refused_by(rule);
	}
	both = merged(of, same, rule);
	printf("# it replaces rule %llu, which is for the same\n", member_number(same, "handle"));
	proposal_print(of, both, "replace", member_number(same, "handle"));
	refuses = refused_by(both);
	json_decref(both);
	return refuses;
}

/*
 * Prints @rule, which is for what is bad or for what is good, and frees it. It comes before the rule
 * in force @before, which is 0 if it is added after all. Return: as print_line(); 0 where a rule in
 * force stays instead.
 */
static u32 propose(struct suggestion *s, const struct rules *of, json_t *rule,
		   unsigned long long before, bool is_good)
{
	const json_t *same = in_force(s, of, rule);
	u32 refuses = 0;

	proposal_note(s->printed, of, rule);
	if (same && has_other_locations(same)) {
		print_stays(of, same, is_good);
	} else {
		if (is_good)
			printf("# marked as good: it goes on being %s\n",
			       of == &rules_fs ? "reported" : "counted");
		refuses = print_line(of, rule, same, before);
	}
	json_decref(rule);
	return refuses;
}

/* Two marks may be the same directory, by two mounts of its file system. */
static void print_name_exceptions(struct suggestion *s, const struct rule *rule)
{
	const struct good *good;

	for (good = goods; good < goods + good_count; good++) {
		const bool user = good->kind == GOOD_USER;
		json_t *made;

		if (!concerns(good, rule))
			continue;
		made = name_rule(rule, user ? rule->place : good->text, "audit");
		if (user) {
			json_object_set_new(made, "uid-min", json_integer((json_int_t)good->uid));
			json_object_set_new(made, "uid-max", json_integer((json_int_t)good->uid));
		}
		if (proposal_same(s->printed, &rules_fs, made)) {
			json_decref(made);
			continue;
		}
		propose(s, &rules_fs, made, 0, true);
	}
}

/* The exceptions come before the rule, because the first rule that fits a packet decides. */
static void print_packet_rules(struct suggestion *s, struct rule *rule)
{
	json_t *made = packet_rule(rule, "drop"), *exception;
	const json_t *same = in_force(s, &rules_net, made);
	const struct good *good;

	for (good = goods; good < goods + good_count; good++) {
		if (!concerns(good, rule))
			continue;
		exception = packet_rule(rule, "count");
		json_object_set_new(exception, "family",
				    json_string(strchr(good->text, ':') ? "ip6" : "ip"));
		json_object_set_new(exception, "saddr", json_string(good->text));
		propose(s, &rules_net, exception, same ? member_number(same, "handle") : 0, true);
	}
	json_object_set_new(made, "refuse", classes_named(rule->classes));
	rule->refuses = propose(s, &rules_net, made, 0, false);
}

/*
 * Where the new rule @made takes names from rules in force that decide about them now: it refuses
 * what the rule for all callers does, too. Those for some callers are named.
 */
static void take_over(const struct suggestion *s, struct rule *rule, json_t *made)
{
	json_t *others = no_null(json_array());
	const json_t *outer = outer_rule(s->names, rule->place, others), *other;
	size_t i;

	if (outer && !strcmp(member_text(outer, "mode"), "enforce")) {
		rule->outer = outer;
		proposal_demand_too(made, outer);
		printf("# it refuses what rule %llu does, too, which is not asked there any more\n",
		       member_number(outer, "handle"));
	}
	json_array_foreach(others, i, other) {
		char *text = rule_text(&rules_fs, other);

		printf("# rule %llu is not asked there any more for its callers:\n#   %s\n",
		       member_number(other, "handle"), text);
		free(text);
	}
	json_decref(others);
}

static void print_name_rules(struct suggestion *s, struct rule *rule)
{
	json_t *made = name_rule(rule, rule->place, "enforce");

	if (!in_force(s, &rules_fs, made))
		take_over(s, rule, made);
	rule->refuses = propose(s, &rules_fs, made, 0, false);
	if (rule->refuses)
		print_name_exceptions(s, rule);
}

static void print_rule(struct suggestion *s, struct rule *rule)
{
	char *place = text_escape(rule->place, strlen(rule->place));

	printf("\n# %llu seen %s %s: ", rule->bad, rule->packet ? "at" : "below", place);
	free(place);
	print_classes(rule->classes);
	putchar('\n');
	if (rule->packet)
		print_packet_rules(s, rule);
	else
		print_name_rules(s, rule);
	s->suggested = s->suggested || rule->refuses;
}

static void print_check(const struct suggestion *s)
{
	unsigned long long counts[2][2] = { 0 }, refused[2] = { 0 }, nowhere = 0, unclear = 0;
	const struct seen *seen = s->seen.at;
	bool would;

	for (; seen < s->seen.at + s->seen.count; seen++) {
		if (seen->refused) {
			refused[seen->good] += seen->count;
			continue;
		}
		would = would_refuse(s, seen);
		counts[seen->good][would] += seen->count;
		nowhere += seen->place ? 0 : seen->count;
		unclear += seen->place && !seen->good && !has_class(seen) && !would ? seen->count : 0;
	}
	printf("\n# Tried on what was read: refuses %llu of %llu bad, %llu of %llu good.\n",
	       counts[0][1], counts[0][0] + counts[0][1], counts[1][1],
	       counts[1][0] + counts[1][1]);
	if (refused[0] + refused[1])
		printf("# No rule for %llu that were refused already; %llu of them are marked as good.\n",
		       refused[0] + refused[1], refused[1]);
	if (nowhere)
		printf("# No rule for %llu: their file systems are not mounted here, the log has only the end of their paths, or nft judged them.\n",
		       nowhere);
	if (unclear)
		printf("# No rule for %llu: a form, percent encoding or a reason that is no class; the rule that told of them says which.\n",
		       unclear);
	if (s->left)
		printf("# No rule for %llu: there is room for %d rules.\n", s->left, MOST);
	if (s->deep)
		printf("# No rule for %llu: their directory is more than %d deep, and none above it is mounted here.\n",
		       s->deep, RULE_DEPTH);
	if (s->seen.unkept)
		printf("# %llu others were not kept: there is room for %u MiB of paths.\n",
		       s->seen.unkept, SEEN_OCTETS >> 20);
	if (s->seen.suppressed)
		printf("# The kernel told nothing of %llu others.\n", s->seen.suppressed);
	if (s->seen.strange)
		printf("# %llu lines were not understood.\n", s->seen.strange);
}

/* Mistyped, perhaps: then what it was meant for is taken to be bad. */
static void print_unfit(void)
{
	const struct good *good;

	for (good = goods; good < goods + good_count; good++) {
		char *word = text_escape(good->word, strlen(good->word));

		if (!good->fits)
			printf("# --good %s fits nothing that was read.\n", word);
		free(word);
	}
}

/* Of a check that does not answer, no rule is known. */
static void ask_check(struct suggestion *s, const struct rules *of)
{
	static struct request request;
	struct refusal refusal;
	json_t *list = NULL;
	struct netlink nl;

	if (netlink_open(&nl, of->family))
		return;
	request_init(&request, of->get);
	if (!netlink_dump(&nl, &request, of->rule, &list, &refusal)) {
		if (!s->in_force)
			s->in_force = no_null(json_object());
		proposal_note_all(s->in_force, of, list);
		if (of == &rules_fs)
			s->names = json_incref(list);
	}
	json_decref(list);
	netlink_close(&nl);
}

static void print_all(struct suggestion *s)
{
	size_t i;

	puts("# utf8guard.conf(5), as utf8guard suggest proposes it. Nothing was changed: read it,");
	puts("# then utf8guard load -c, then utf8guard load --confirm 60.");
	puts("# What is not marked by --good is taken to be bad; what no rule reported was not seen.");
	puts(s->in_force ? "# Handles are those of now: load it before the rules change." :
	     "# The rules in force are not known: load refuses a line where there is a rule for the same.");
	for (i = 0; i < s->rule_count; i++)
		print_rule(s, &s->rules[i]);
	print_check(s);
	if (!s->seen.unkept)
		print_unfit();
}

static int suggest_of(const char *path)
{
	struct suggestion *s = no_null(calloc(1, sizeof(*s)));
	const struct rules *const *of;
	int status = STATUS_USAGE;
	size_t i;

	s->printed = no_null(json_object());
	if (seen_read(&s->seen, path)) {
		for (of = rules_all; *of; of++)
			ask_check(s, *of);
		make_rules(s);
		print_all(s);
		status = s->suggested && !s->left && !s->deep && !s->seen.unkept ? STATUS_DONE : STATUS_NO;
	}
	if (s->seen.unkept)
		complain("suggest: there is room for %u MiB of paths; %llu that were seen were not kept",
			 SEEN_OCTETS >> 20, s->seen.unkept);
	if (s->left)
		complain("suggest: there is room for %d rules; none was made for %llu that were seen",
			 MOST, s->left);
	for (i = 0; i < s->rule_count; i++) {
		free(s->rules[i].place);
		free(s->rules[i].inside);
	}
	json_decref(s->in_force);
	json_decref(s->names);
	json_decref(s->printed);
	seen_free(&s->seen);
	free(s);
	return status;
}

static int run(struct words *words)
{
	const char *path = words_left(words) ? words_take(words, "a file, or -") : NULL;

	if (!words_end(words))
		return STATUS_USAGE;
	return path ? suggest_of(path) : counted_print();
}

const struct command command_suggest = {
	.name = "suggest",
	.options = OPTIONS({ .name = "good", .take = good_take }, OPTION_NETNS),
	.summary = "a policy that refuses what was seen and is not good",
	.help =
"utf8guard suggest [-N NETNS] [--good WHAT ...] [FILE|-]\n"
"\n"
"Prints a policy that would refuse what was audited, except what is marked as good,\n"
"with the reasons as comments. It changes nothing: it is for you to read.\n"
"\n"
"Without FILE, it reads the counters of the rules in force: each rule that audits and\n"
"has counted something becomes a rule that enforces. Comments show the last events of\n"
"each rule that the log of the kernel or of auditd still has. FILE is what monitor -j\n"
"has written, or records of the audit log (ausearch --raw): then the rules are for the\n"
"directories and ports of the events in it. Where a rule for the same is in force, and\n"
"the check answers, the line replaces it.\n"
"\n"
"  --good /DIRECTORY    what is below it, in names\n"
"  --good user=NAME     what this user makes, in names\n"
"  --good from=ADDRESS  what this address sends, in packets\n"
"\n"
"All that is not marked is taken to be bad. What no rule audited is not known here, nor\n"
"what the kernel did not report because there was too much; a line at the end says so.\n"
"\n"
"Exit status: 1 if there is nothing to suggest, or no room for all of the rules; 2 if\n"
"FILE cannot be read, or no line of it be understood.\n",
	.run = run,
};
