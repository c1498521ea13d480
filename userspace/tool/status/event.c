// SPDX-License-Identifier: GPL-2.0
/* Events of the modules, as lines. */
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "event.h"
#include "output/output.h"
#include "output/style.h"
#include "output/text.h"
#include "process/command_line.h"

#define NANOSECONDS 1000000000ULL

/* PROC_PID_INIT_INO of the kernel: the inode of the initial PID namespace. */
#define PIDNS_INITIAL 4026531836U

bool event_is_packet(const json_t *attributes)
{
	return member_present(attributes, "protocol");
}

/* Was it a packet that a rule of nft gave to our helper? No rule of ours has to do with that. */
bool event_is_of_nft(const json_t *attributes)
{
	return event_is_packet(attributes) && !strcmp(member_text(attributes, "op"), "helper");
}

/*
 * The user ID that a name was made with, for which rules ask: that of a client, where a server acts
 * for one. Older modules tell the real one alone, which says who did it.
 */
unsigned long long event_user(const json_t *attributes)
{
	return member_number(attributes, member_present(attributes, "fsuid") ? "fsuid" : "uid");
}

void event_print_time(unsigned long long ns)
{
	time_t seconds = (time_t)(ns / NANOSECONDS);
	char date[32];
	struct tm tm;

	if (options.numeric || !localtime_r(&seconds, &tm)) {
		printf("%llu.%06llu ", ns / NANOSECONDS, ns % NANOSECONDS / 1000);
		return;
	}
	strftime(date, sizeof(date), "%F %T", &tm);
	printf("%s.%06llu ", date, ns % NANOSECONDS / 1000);
}

unsigned long long event_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (unsigned long long)ts.tv_sec * NANOSECONDS + (unsigned long long)ts.tv_nsec;
}

static void print_outcome(const json_t *e)
{
	const char *outcome = member_word(e, "outcome");

	printf("%s%s%s", style_begin(strcmp(outcome, "refused") ? STYLE_AUDITED : STYLE_REFUSED),
	       outcome, style_end());
}

/* "OFFSET: CLASS: HEX (note)", as validate says it. */
static void print_fault(const json_t *e)
{
	const char *note = member_text(e, "note");

	printf("%llu: %s: %s", member_number(e, "offset"), member_word(e, "class"),
	       member_text(e, "bytes"));
	if (*note)
		printf(" (%s)", note);
}

/* "user alice", or "uid 1000" where there is no name, or none is wanted; malloc'd. */
char *event_user_text(unsigned long long uid)
{
	const struct passwd *user = options.numeric ? NULL : getpwuid((uid_t)uid);
	char *name, *text;

	if (!user) {
		if (asprintf(&text, "uid %llu", uid) < 0)
			no_null(NULL);
		return text;
	}
	/* Whoever serves the names, as a directory of many hosts, may put anything there. */
	name = text_escape(user->pw_name, strlen(user->pw_name));
	if (asprintf(&text, "user %s", name) < 0)
		no_null(NULL);
	free(name);
	return text;
}

static void print_id(unsigned long long uid)
{
	char *text = event_user_text(uid);

	fputs(text, stdout);
	free(text);
}

/* "user root as user www-data", where the process acts with another ID than its own. */
static void print_user(const json_t *e)
{
	if (!member_present(e, "uid"))
		return;
	putchar(' ');
	print_id(member_number(e, "uid"));
	if (event_user(e) == member_number(e, "uid"))
		return;
	printf(" as ");
	print_id(event_user(e));
}

/* Quoted: a name with spaces must not look like the rest of the line. */
static void print_quoted(const json_t *e, const char *name)
{
	char *quoted = text_quote(member_text(e, name));

	fputs(quoted, stdout);
	free(quoted);
}

/* "PATH (inode N) of DEVICE (TYPE, MAJOR:MINOR)"; older modules tell less. */
static void print_directory(const json_t *e)
{
	if (member_present(e, "path")) {
		print_quoted(e, "path");
		printf(" (inode %llu)", member_number(e, "inode"));
	} else {
		printf("inode %llu", member_number(e, "inode"));
	}
	printf(" of %s (%s", member_text(e, "device"), member_text(e, "fstype"));
	if (member_present(e, "major"))
		printf(", %llu:%llu", member_number(e, "major"), member_number(e, "minor"));
	putchar(')');
}

static void print_name_event(const json_t *e)
{
	printf("fs ");
	print_outcome(e);
	printf(" %s ", member_text(e, "op"));
	print_quoted(e, "name");
	putchar(':');
	print_fault(e);
	printf(" in ");
	print_directory(e);
	if (member_present(e, "pending"))
		printf(" pending");
	if (member_present(e, "exempt"))
		printf(" exempt %s", member_text(e, "exempt"));
	printf(" by ");
	print_quoted(e, "comm");
	printf(" pid %llu", member_number(e, "pid"));
	print_user(e);
}

static void print_endpoint(const json_t *e, const char *address, const char *port)
{
	const char *text = member_text(e, address);
	bool brackets = strchr(text, ':');

	printf("%s%s%s:%llu", brackets ? "[" : "", text, brackets ? "]" : "",
	       member_number(e, port));
}

/* What was found in the payload; or the reason for which it was refused without a finding. */
static void print_cause(const json_t *e)
{
	if (member_present(e, "reason")) {
		printf(": %s", member_word(e, "reason"));
		if (member_present(e, "cause"))
			printf(": %s at %llu", member_word(e, "cause"), member_number(e, "offset"));
		printf(", %llu octets", member_number(e, "length"));
		return;
	}
	putchar(' ');
	print_fault(e);
	printf(" of %llu octets", member_number(e, "length"));
}

static void print_packet_event(const json_t *e)
{
	printf("net ");
	print_outcome(e);
	printf(" %s %s ", member_text(e, "op"), member_text(e, "protocol"));
	print_endpoint(e, "saddr", "sport");
	printf(" > ");
	print_endpoint(e, "daddr", "dport");
	print_cause(e);
}

/* A line is of use when it comes, not when a buffer is full. */
void event_end_line(void)
{
	putchar('\n');
	fflush(stdout);
}

/**
 * event_print_json() - print an event as an object
 * @event: what it is; comes first, for people who read JSON
 * @time: when it was, in nanoseconds since 1970
 * @name: of a further member
 * @value: of that, or NULL for none
 * @attributes: the other members, or NULL
 */
void event_print_json(const char *event, unsigned long long time, const char *name,
		      const char *value, const json_t *attributes)
{
	json_t *line = json_pack("{s:s s:o}", "event", event, "time", decimal(time));

	if (value)
		json_object_set_new(line, name, json_string(value));
	if (attributes)
		json_object_update(line, (json_t *)attributes);
	output_json(line);
	fflush(stdout);
}

static void print_rule(const json_t *e)
{
	printf(" rule %llu", member_number(e, "rule"));
	if (!member_present(e, "comment"))
		return;
	printf(" comment ");
	print_quoted(e, "comment");
}

static void print_command(const json_t *e)
{
	if (!member_present(e, "command"))
		return;
	printf(" command ");
	print_quoted(e, "command");
}

/* The kernel tells PIDs of the initial namespace. In another one, they are those of others. */
static bool knows_pids(void)
{
	struct stat here;

	return !stat("/proc/self/ns/pid", &here) && here.st_ino == PIDNS_INITIAL;
}

void event_add_command(json_t *e)
{
	char *command = NULL;

	if (!event_is_packet(e) && knows_pids())
		command = command_line(member_number(e, "pid"));
	if (command)
		json_object_set_new(e, "command", json_string(command));
	free(command);
}

void event_print_refusal(const json_t *e)
{
	if (options.json) {
		event_print_json(event_is_packet(e) ? "packet" : "name",
				 member_number(e, "time"), NULL, NULL, e);
		return;
	}
	event_print_time(member_number(e, "time"));
	if (event_is_packet(e))
		print_packet_event(e);
	else
		print_name_event(e);
	print_rule(e);
	print_command(e);
	if (member_number(e, "suppressed"))
		printf(", %llu more suppressed before", member_number(e, "suppressed"));
	event_end_line();
}

/* A module was loaded or unloaded. Nothing is lost: without the module, nothing happens. */
void event_print_module(const char *family, bool loaded)
{
	json_t *attributes = json_pack("{s:b}", "loaded", loaded);

	if (options.json) {
		event_print_json("module", event_now(), "family", family, attributes);
	} else {
		event_print_time(event_now());
		printf("%s %s", family, loaded ? "was loaded" : "was unloaded");
		event_end_line();
	}
	json_decref(attributes);
}

void event_print_lost(const char *reason, unsigned long long count)
{
	json_t *attributes = json_pack("{s:I s:s}", "count", (json_int_t)count,
				       "reason", reason);

	if (options.json) {
		event_print_json("lost", event_now(), NULL, NULL, attributes);
	} else {
		event_print_time(event_now());
		printf("lost %llu events: %s", count, reason);
		event_end_line();
	}
	json_decref(attributes);
}
