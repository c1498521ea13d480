// SPDX-License-Identifier: GPL-2.0
/*
 * Proposes rules by the counters of the rules in force: each auditing rule that has counted
 * something becomes an enforcing one. Counters do not tell who and where it was. So what is
 * marked as good gets a rule of its own: for packets, before that rule; for names, a narrower one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"
#include "good.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/text.h"
#include "policy/rule_line.h"
#include "policy/rules.h"
#include "recent.h"

/**
 * struct counted - what was printed so far
 * @recent: what the logs have
 * @there: checks that answered
 * @suggested: rules that are to enforce
 * @idle: rules that audit and have counted nothing
 */
struct counted {
	json_t *recent;
	unsigned int there, suggested, idle;
};

static bool is_audit(const struct rules *of, const json_t *rule)
{
	const char *action = member_text(rule, of == &rules_fs ? "mode" : "action");

	return !strcmp(action, "audit") || (of == &rules_net && !strcmp(action, "count"));
}

static void print_line(struct line *line)
{
	char *text = line_text(line);

	puts(text);
	free(text);
}

/* A rule of packets with @verb and the handle in the place of "add". */
static void print_net(const json_t *rule, const char *verb, unsigned long long handle)
{
	struct line line = { 0 }, other = { 0 };
	char number[24];
	size_t i;

	snprintf(number, sizeof(number), "%llu", handle);
	rules_net.line(rule, &line);
	line_add(&other, "net");
	line_add(&other, verb);
	line_add(&other, number);
	for (i = 2; i < line.count; i++)
		line_add(&other, line.words[i]);
	print_line(&other);
	line_free(&line);
	line_free(&other);
}

/* A copy with another action. The comment is left out: it is about the original. */
static json_t *copy_of(const json_t *rule, const char *member, const char *action)
{
	json_t *copy = no_null(json_copy((json_t *)rule));

	json_object_del(copy, "comment");
	json_object_set_new(copy, member, json_string(action));
	return copy;
}

/* The same rule, for nothing but what is good: it audits that, as before. */
static json_t *name_exception(const json_t *rule, const struct good *good)
{
	json_t *copy = copy_of(rule, "mode", "audit");
	char *path;

	if (good->kind == GOOD_USER) {
		json_object_set_new(copy, "uid-min", json_integer((json_int_t)good->uid));
		json_object_set_new(copy, "uid-max", json_integer((json_int_t)good->uid));
		return copy;
	}
	path = text_escape(good->text, strlen(good->text));
	json_object_set_new(copy, "scope", json_string("subtree"));
	json_object_set_new(copy, "path", json_string(path));
	json_object_del(copy, "uuid");
	json_object_del(copy, "location");
	json_object_del(copy, "fstype");
	free(path);
	return copy;
}

enum relation {
	APART,		/* the rule is for nothing that is good */
	WITHIN,		/* for what is good, and for more */
	ALL,		/* for nothing else */
};

/* A rule with several locations is for nothing else only if that holds for each of them. */
static enum relation relate_directory(const json_t *rule, const char *good)
{
	enum relation relation = APART, its;
	const json_t *location;
	size_t i, all = 0;

	if (!member_present(rule, "path"))
		return WITHIN;
	rule_for_each_location(rule, i, location) {
		char *path = text_unescape(member_text(location, "path"));

		its = !path ? APART : path_is_in(path, good) ? ALL :
		      path_is_in(good, path) ? WITHIN : APART;
		all += its == ALL;
		relation = its == APART ? relation : WITHIN;
		free(path);
	}
	return all == i ? ALL : relation;
}

static enum relation relate_user(const json_t *rule, unsigned long long uid)
{
	unsigned long long min = member_number(rule, "uid-min"), max = member_number(rule, "uid-max");

	if (!member_present(rule, "uid-min"))
		return WITHIN;
	if (uid < min || uid > max)
		return APART;
	return min == max ? ALL : WITHIN;
}

/* A rule with addresses may be for other senders, or for good ones alone. With ALL, it stays. */
static enum relation relate_sender(const json_t *rule, const char *address)
{
	const char *family = member_text(rule, "family");

	if (*family && strcmp(family, strchr(address, ':') ? "ip6" : "ip"))
		return APART;
	return member_present(rule, "saddr") || member_present(rule, "saddr-network") ? ALL : WITHIN;
}

static enum relation relate(const struct rules *of, const json_t *rule, const struct good *good)
{
	if ((of == &rules_net) != (good->kind == GOOD_SENDER))
		return APART;
	switch (good->kind) {
	case GOOD_DIRECTORY:
		return relate_directory(rule, good->text);
	case GOOD_USER:
		return relate_user(rule, good->uid);
	default:
		return relate_sender(rule, good->text);
	}
}

/* The first mark that leaves nothing to refuse, or NULL. */
static const struct good *stays_for(const struct rules *of, const json_t *rule)
{
	const struct good *good;

	for (good = goods; good < goods + good_count; good++)
		if (relate(of, rule, good) == ALL)
			return good;
	return NULL;
}

static void print_exceptions(const struct rules *of, const json_t *rule,
			     unsigned long long handle)
{
	const struct good *good;

	for (good = goods; good < goods + good_count; good++) {
		json_t *copy;

		if (relate(of, rule, good) != WITHIN)
			continue;
		puts("# marked as good: it goes on being counted");
		if (of == &rules_fs) {
			struct line line = { 0 };

			copy = name_exception(rule, good);
			rules_fs.line(copy, &line);
			print_line(&line);
			line_free(&line);
		} else {
			copy = copy_of(rule, "action", "count");
			json_object_set_new(copy, "saddr", json_string(good->text));
			json_object_set_new(copy, "family", json_string(strchr(good->text, ':') ?
									"ip6" : "ip"));
			print_net(copy, "insert", handle);
		}
		json_decref(copy);
	}
}

/* "# 15 audited by handle 7 (overlong 12, control 3):", the rule, and the last events of it */
static void print_reason(const struct counted *c, const struct rules *of, const json_t *rule,
			 unsigned long long handle)
{
	char *text = rule_text(of, rule);
	const char *comma = "";
	const json_t *count;
	size_t i;

	printf("\n# %llu audited by handle %llu (", rule_sum(rule, "audited"), handle);
	json_array_foreach(json_object_get(rule, "count"), i, count) {
		if (!member_number(count, "audited"))
			continue;
		printf("%s%s %llu", comma, member_word(count, "class"),
		       member_number(count, "audited"));
		comma = ", ";
	}
	printf("):\n#   %s\n", text);
	free(text);
	recent_print(c->recent, of->command, handle);
}

static void print_enforcing(const struct rules *of, const json_t *rule, unsigned long long handle)
{
	json_t *copy;

	if (of == &rules_fs && rule_is_default(rule)) {
		puts("fs set default enforce");
	} else if (of == &rules_fs) {
		printf("fs set %llu enforce\n", handle);
	} else {
		copy = no_null(json_copy((json_t *)rule));
		json_object_set_new(copy, "action", json_string("drop"));
		print_net(copy, "replace", handle);
		json_decref(copy);
	}
}

static void suggest_for(struct counted *c, const struct rules *of, const json_t *rule)
{
	const unsigned long long handle = member_number(rule, "handle");
	const struct good *good;

	if (!is_audit(of, rule))
		return;
	if (!rule_sum(rule, "audited")) {
		c->idle++;
		return;
	}
	print_reason(c, of, rule, handle);
	good = stays_for(of, rule);
	if (good) {
		printf("# It stays as it is: %s%s is marked as good.\n",
		       good->kind == GOOD_SENDER ? "it is for some senders alone, and " : "",
		       good->kind == GOOD_USER ? "its user" : good->text);
		return;
	}
	c->suggested++;
	print_exceptions(of, rule, handle);
	print_enforcing(of, rule, handle);
}

static int suggest_all(struct counted *c, const struct rules *of)
{
	struct netlink nl;
	json_t *list = NULL;
	const json_t *rule;
	int error = netlink_open(&nl, of->family), status;
	size_t i;

	if (error == ENOENT)
		return STATUS_DONE;
	if (error) {
		netlink_complain_absent(of->family, error);
		return STATUS_ABSENT;
	}
	if (!c->there++)
		puts("# utf8guard.conf(5), as utf8guard suggest proposes it, by what the rules in force have\n"
		     "# audited. Nothing was changed: read it, then utf8guard load -c, then load --confirm 60,\n"
		     "# before the rules change, for handles are those of now.\n"
		     "# What is not marked by --good is taken to be bad; what no rule audited was not seen.");
	status = rules_list(of, &nl, &list);
	json_array_foreach(list, i, rule) {
		suggest_for(c, of, rule);
	}
	json_decref(list);
	netlink_close(&nl);
	return status;
}

/* For the rules in force; returns enum status, STATUS_NO where there is nothing to suggest. */
int counted_print(void)
{
	struct counted c = { .recent = recent_read() };
	const struct rules *const *of;
	int status = STATUS_DONE;

	for (of = rules_all; *of && !status; of++)
		status = suggest_all(&c, *of);
	json_decref(c.recent);
	if (!status && !c.there) {
		for (of = rules_all; *of; of++)
			netlink_complain_absent((*of)->family, ENOENT);
		return STATUS_ABSENT;
	}
	if (c.idle)
		printf("\n# Rules that audit and have counted nothing: %u; nothing is said of them.\n",
		       c.idle);
	return status ? status : c.suggested ? STATUS_DONE : STATUS_NO;
}
