// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the refusals and audits of a file. A log of months may have millions of them, but few that
 * a rule could tell apart, so these are counted, and nothing else of them is kept.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "location/mounts.h"
#include "output/output.h"
#include "seen.h"
#include "status/audit_record.h"
#include "status/event.h"
#include "status/event_line.h"
#include "text/input.h"
#include "top/exception.h"

/* Does the mark name the user who made the name, or the sender of the packet? */
static bool names_maker(const struct good *good, const json_t *event)
{
	if (event_is_packet(event))
		return good->kind == GOOD_SENDER && !strcmp(good->text, member_text(event, "saddr"));
	return good->kind == GOOD_USER && good->uid == event_user(event);
}

static const struct good *mark_of_maker(const json_t *event)
{
	const struct good *good;

	for (good = goods; good < goods + good_count; good++)
		if (names_maker(good, event))
			return good;
	return NULL;
}

/* Is this mark for what was seen? */
bool seen_is_marked(const struct seen *seen, const struct good *good)
{
	switch (good->kind) {
	case GOOD_DIRECTORY:
		return !seen->packet && seen->place && path_is_in(seen->place, good->text);
	case GOOD_USER:
		return !seen->packet && seen->by && seen->by->uid == good->uid;
	default:
		return seen->packet && seen->by && !strcmp(seen->by->text, good->text);
	}
}

/* Notes each mark that is for it, too. */
static bool is_good(const struct seen *seen)
{
	struct good *good;
	bool is_marked = false;

	for (good = goods; good < goods + good_count; good++) {
		if (!seen_is_marked(seen, good))
			continue;
		good->fits = true;
		is_marked = true;
	}
	return is_marked;
}

/* The bit of a class, or 0 where it is not known. */
u32 seen_class(const char *name)
{
	unsigned int class;

	for (class = UTF8GUARD_CLASS_NONE + 1; class <= UTF8GUARD_CLASS_MAX; class++)
		if (!strcmp(name, utf8guard_class_name(class)))
			return UTF8GUARD_CLASS_BIT(class);
	return 0;
}

/* The words of a rule for a packet; malloc'd, or NULL. */
static char *words_of(const json_t *event)
{
	char *words;

	if (event_is_of_nft(event))
		return NULL;
	if (asprintf(&words, "%s %s dport %llu", member_text(event, "op"),
		     member_text(event, "protocol"), member_number(event, "dport")) < 0)
		no_null(NULL);
	return words;
}

/* The same for all that a rule cannot tell apart; malloc'd. */
static char *key_of(const struct seen *seen, const json_t *event)
{
	char *words = seen->packet ? words_of(event) : NULL, *key;
	const char *where = words ? words : seen->inside ? member_text(event, "path") : "";

	if (asprintf(&key, "%u:%u %x %d %td %s", seen->major, seen->minor, seen->class,
		     seen->refused, seen->by ? seen->by - goods : -1, where) < 0)
		no_null(NULL);
	free(words);
	return key;
}

/* Takes over what @seen has. Return: false where there is no more room. */
static bool add(struct seen_all *all, const struct seen *seen, const char *key)
{
	const size_t octets = sizeof(*seen) + strlen(key);

	if (octets > SEEN_OCTETS - all->octets)
		return false;
	all->octets += octets;
	if (all->count == all->room) {
		all->room = all->room ? 2 * all->room : 256;
		all->at = no_null(realloc(all->at, all->room * sizeof(*all->at)));
	}
	json_object_set_new(all->index, key, json_integer((json_int_t)all->count));
	all->at[all->count++] = *seen;
	return true;
}

static void count_event(struct seen_all *all, const json_t *event)
{
	const bool packet = event_is_packet(event);
	struct seen seen = {
		.packet = packet,
		.refused = !strcmp(member_text(event, "outcome"), "refused"),
		.class = member_present(event, "reason") ? 0 : seen_class(member_text(event, "class")),
		.inside = packet ? NULL : exception_inside(event),
		.by = mark_of_maker(event),
		.major = (unsigned int)member_number(event, "major"),
		.minor = (unsigned int)member_number(event, "minor"),
		.count = 1,
	};
	char *key = key_of(&seen, event);

	all->suppressed += member_number(event, "suppressed");
	if (member_present(all->index, key)) {
		all->at[member_number(all->index, key)].count++;
		free(seen.inside);
	} else {
		seen.place = packet ? words_of(event) : NULL;
		if (!add(all, &seen, key)) {
			all->unkept++;
			free(seen.inside);
			free(seen.place);
		}
	}
	free(key);
}

/* At the end: a pipe from monitor may be read for days, and what is mounted by then counts. */
static void locate_all(struct seen_all *all)
{
	struct seen *seen;

	for (seen = all->at; seen < all->at + all->count; seen++) {
		if (seen->inside)
			seen->place = mounts_path(seen->major, seen->minor, seen->inside);
		seen->good = is_good(seen);
	}
}

/* monitor tells of other things, too; so does the audit log. */
static void read_line(struct seen_all *all, const char *text)
{
	const bool is_json = *text == '{';
	bool understood = true;
	json_t *event = is_json ? event_line_read(text, &understood) : audit_record_read(text);

	all->strange += !understood;
	all->known += event || (is_json && understood);
	if (event)
		count_event(all, event);
	json_decref(event);
}

/**
 * seen_read() - read a file of what monitor -j has written, or of the audit log
 * @all: filled in, and given to seen_free(), also after a failure
 * @path: of the file, or "-"
 *
 * Return: false where it cannot be read, or not understood, with a complaint.
 */
bool seen_read(struct seen_all *all, const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	unsigned long long lines = 0;
	char *text = NULL;
	size_t size = 0;
	ssize_t got;

	*all = (struct seen_all){ .index = no_null(json_object()) };
	if (!file) {
		complain_word(path, "%s", strerror(errno));
		return false;
	}
	for (; (got = input_line(&text, &size, INPUT_LINE_MOST, file)) > 0; lines++)
		read_line(all, text);
	if (got < 0)
		input_complain_line(path, lines + 1, (int)-got);
	free(text);
	if (file != stdin)
		fclose(file);
	if (!got && all->strange && !all->known) {
		complain_word(path, "%llu lines were not understood", all->strange);
		return false;
	}
	locate_all(all);
	return !got;
}

void seen_free(struct seen_all *all)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		free(all->at[i].place);
		free(all->at[i].inside);
	}
	free(all->at);
	json_decref(all->index);
}
