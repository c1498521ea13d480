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
#include "proposal.h"
#include "recent.h"

/**
 * struct counted - what was printed so far
 * @recent: what the logs have
 * @in_force: index of the rules of the checks that answered
 * @exceptions: what the rules of one check need for what is marked as good
 * @there: checks that answered
 * @suggested: rules that are to enforce
 * @idle: rules that audit and have counted nothing
 */
struct counted {
	json_t *recent, *in_force, *exceptions;
	unsigned int there, suggested, idle;
};

static bool is_audit(const struct rules *of, const json_t *rule)
{
	const char *action = member_text(rule, of == &rules_fs ? "mode" : "action");

	return !strcmp(action, "audit") || (of == &rules_net && !strcmp(action, "count"));
}

/* A copy with another action. The comment is left out: it is about the original. */
static json_t *copy_of(const json_t *rule, const char *member, const char *action)
{
	json_t *copy = no_null(json_copy((json_t *)rule));

	json_object_del(copy, "comment");
	json_object_set_new(copy, member, json_string(action));
	return copy;
}

/* The same rule, at one of its locations, for nothing but this user: it audits him, as before. */
static json_t *user_exception(const json_t *rule, const json_t *location, unsigned long long uid)
{
	static const char *const of_location[] = { "path", "uuid", "volume-type", "inside" };
	json_t *copy = copy_of(rule, "mode", "audit");
	size_t i;

	json_object_del(copy, "location");
	for (i = 0; i < sizeof(of_location) / sizeof(of_location[0]); i++) {
		json_object_del(copy, of_location[i]);
		if (member_present(location, of_location[i]))
			json_object_set(copy, of_location[i],
					json_object_get(location, of_location[i]));
	}
	json_object_set_new(copy, "uid-min", json_integer((json_int_t)uid));
	json_object_set_new(copy, "uid-max", json_integer((json_int_t)uid));
	return copy;
}

/* The same rule, for nothing but this directory. */
static json_t *directory_exception(const json_t *rule, const char *directory)
{
	json_t *copy = copy_of(rule, "mode", "audit");
	char *path = text_escape(directory, strlen(directory));

	json_object_set_new(copy, "scope", json_string("subtree"));
	json_object_set_new(copy, "path", json_string(path));
	json_object_del(copy, "uuid");
	json_object_del(copy, "location");
	json_object_del(copy, "fstype");
	free(path);
	return copy;
}

/* The same rule, for nothing but this sender: it counts what he sends. */
static json_t *sender_exception(const json_t *rule, const char *address)
{
	json_t *copy = copy_of(rule, "action", "count");

	json_object_set_new(copy, "saddr", json_string(address));
	json_object_set_new(copy, "family", json_string(strchr(address, ':') ? "ip6" : "ip"));
	return copy;
}

enum relation {
	APART,		/* the rule is for nothing that is good */
	WITHIN,		/* for what is good, and for more */
	ALL,		/* for nothing else; or at one of its locations for nothing else */
};

/* No other rule can be for one of the locations of this one: so one that is good is enough to let it be. */
static enum relation relate_directory(const json_t *rule, const char *good)
{
	enum relation relation = APART, its;
	const json_t *location;
	size_t i;

	if (!member_present(rule, "path"))
		return WITHIN;
	rule_for_each_location(rule, i, location) {
		char *path = text_unescape(member_text(location, "path"));

		its = !path ? APART : path_is_in(path, good) ? ALL :
		      path_is_in(good, path) ? WITHIN : APART;
		relation = its > relation ? its : relation;
		free(path);
	}
	return relation;
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

/* Which rule an exception is from, as a member of it that makes no words. */
#define FROM "from"

/* Where there is one for the same already, that one is enough, if it tells of as much. */
static void add_exception(json_t *index, json_t *exceptions, const struct rules *of,
			  const json_t *rule, json_t *exception)
{
	json_t *same = proposal_same(index, of, exception);

	if (same) {
		proposal_refuse_too(same, exception);
	} else {
		json_object_set(exception, FROM, json_object_get(rule, "handle"));
		json_array_append(exceptions, exception);
		proposal_note(index, of, exception);
	}
	json_decref(exception);
}

static void add_exceptions(json_t *index, json_t *exceptions, const struct rules *of,
			   const json_t *rule)
{
	const struct good *good;
	const json_t *location;
	size_t i;

	for (good = goods; good < goods + good_count; good++) {
		if (relate(of, rule, good) != WITHIN)
			continue;
		if (good->kind == GOOD_DIRECTORY)
			add_exception(index, exceptions, of, rule,
				      directory_exception(rule, good->text));
		else if (good->kind == GOOD_SENDER)
			add_exception(index, exceptions, of, rule,
				      sender_exception(rule, good->text));
		else
			rule_for_each_location(rule, i, location)
				add_exception(index, exceptions, of, rule,
					      user_exception(rule, location, good->uid));
	}
}

static bool has_audited(const struct rules *of, const json_t *rule)
{
	return is_audit(of, rule) && rule_sum(rule, "audited");
}

/* For all rules that are to enforce. */
static json_t *exceptions_of(const struct rules *of, const json_t *list)
{
	json_t *exceptions = no_null(json_array()), *index = no_null(json_object());
	const json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		if (has_audited(of, rule) && !stays_for(of, rule))
			add_exceptions(index, exceptions, of, rule);
	}
	json_decref(index);
	return exceptions;
}

/* Those of one rule. What is in force for the same is left: a second one would be refused. */
static void print_exceptions(const struct counted *c, const struct rules *of,
			     unsigned long long handle)
{
	const json_t *exception;
	size_t i;

	json_array_foreach(c->exceptions, i, exception) {
		const json_t *same;

		if (member_number(exception, FROM) != handle)
			continue;
		same = proposal_same(c->in_force, of, exception);
		if (same) {
			printf("# marked as good: it has a rule of its own, handle %llu, which stays\n",
			       member_number(same, "handle"));
			continue;
		}
		puts("# marked as good: it goes on being counted");
		if (of == &rules_fs)
			proposal_print(of, exception, "add", 0);
		else
			proposal_print(of, exception, "insert", handle);
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
		proposal_print(of, copy, "replace", handle);
		json_decref(copy);
	}
}

static void print_stays(const struct good *good)
{
	const char *what = good->kind == GOOD_USER ? "its user" : good->text;
	char *shown = text_escape(what, strlen(what));

	printf("# It stays as it is: %s%s is marked as good.\n",
	       good->kind == GOOD_SENDER ? "it is for some senders alone, and " : "", shown);
	free(shown);
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
		print_stays(good);
		return;
	}
	c->suggested++;
	print_exceptions(c, of, handle);
	print_enforcing(of, rule, handle);
}

static void suggest_for_each(struct counted *c, const struct rules *of, const json_t *list)
{
	const json_t *rule;
	size_t i;

	proposal_note_all(c->in_force, of, list);
	c->exceptions = exceptions_of(of, list);
	json_array_foreach(list, i, rule) {
		suggest_for(c, of, rule);
	}
	json_decref(c->exceptions);
}

static int suggest_all(struct counted *c, const struct rules *of)
{
	struct netlink nl;
	json_t *list = NULL;
	int error = netlink_open(&nl, of->family), status;

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
	suggest_for_each(c, of, list);
	json_decref(list);
	netlink_close(&nl);
	return status;
}

/* For the rules in force; returns enum status, STATUS_NO where there is nothing to suggest. */
int counted_print(void)
{
	struct counted c = { .recent = recent_read(), .in_force = no_null(json_object()) };
	const struct rules *const *of;
	int status = STATUS_DONE;

	for (of = rules_all; *of && !status; of++)
		status = suggest_all(&c, *of);
	json_decref(c.recent);
	json_decref(c.in_force);
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
