// SPDX-License-Identifier: GPL-2.0
/*
 * What is refused and audited, how often, by whom and where. The kernel counts rules and
 * classes completely. Processes and locations are counted by events, of which the kernel sends
 * only so many a second, and says how many it did not send.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activity.h"
#include "output/output.h"
#include "status/event.h"

const char *const board_titles[BOARDS] = {
	[BOARD_RULE] = "RULE",
	[BOARD_CLASS] = "CLASS",
	[BOARD_PROCESS] = "PROCESS OR SENDER",
	[BOARD_LOCATION] = "LOCATION",
};

void activity_begin(struct activity *a)
{
	*a = (struct activity){
		.counters = no_null(json_object()),
		.lines = no_null(json_object()),
	};
}

void activity_end(struct activity *a)
{
	size_t kind, i;

	for (kind = 0; kind < BOARDS; kind++)
		for (i = 0; i < a->boards[kind].count; i++)
			free(a->boards[kind].rows[i].name);
	for (i = 0; i < a->event_count; i++)
		json_decref(a->events[i]);
	json_decref(a->counters);
	json_decref(a->lines);
}

static u64 sum(const struct row *row)
{
	return row->refused + row->audited;
}

/* A new row, in the place of the least one where there is no room. */
static struct row *make_room(struct board *board)
{
	struct row *least = board->rows, *row;

	if (board->count < ROWS)
		return &board->rows[board->count++];
	for (row = board->rows; row < board->rows + ROWS; row++)
		if (row->rate < least->rate ||
		    (row->rate == least->rate && sum(row) < sum(least)))
			least = row;
	free(least->name);
	return least;
}

static struct row *row_called(struct board *board, const char *name)
{
	struct row *row;

	for (row = board->rows; row < board->rows + board->count; row++)
		if (!strcmp(row->name, name))
			return row;
	row = make_room(board);
	*row = (struct row){ .name = no_null(strdup(name)) };
	return row;
}

static void count(struct activity *a, enum board_kind kind, const char *name, u64 refused,
		  u64 audited)
{
	struct row *row = row_called(&a->boards[kind], name);

	row->refused += refused;
	row->audited += audited;
}

/* "fs 3": rules of the two checks may have the same handle. */
static void name_rule(char *text, size_t size, const json_t *event)
{
	snprintf(text, size, "%s %llu", event_is_packet(event) ? "net" : "fs",
		 member_number(event, "rule"));
}

/*
 * "smbd uid 0 as uid 1000": rules ask for the second one, and it differs from client to client.
 * Return: malloc'd.
 */
static char *process_of(const json_t *e)
{
	const unsigned long long uid = member_number(e, "uid"), acting = event_user(e);
	char *text;
	int length;

	if (event_is_packet(e))
		return no_null(strdup(member_text(e, "saddr")));
	if (acting == uid)
		length = asprintf(&text, "%s uid %llu", member_text(e, "comm"), uid);
	else
		length = asprintf(&text, "%s uid %llu as uid %llu", member_text(e, "comm"), uid, acting);
	return length < 0 ? no_null(NULL) : text;
}

/* malloc'd */
static char *place_of(const json_t *e)
{
	char *text;
	int length;

	if (event_is_packet(e))
		length = asprintf(&text, "%s %s %s port %llu", member_text(e, "op"),
				  member_text(e, "protocol"), member_text(e, "daddr"),
				  member_number(e, "dport"));
	else
		length = asprintf(&text, "%s of %s", member_text(e, "path"), member_text(e, "device"));
	return length < 0 ? no_null(NULL) : text;
}

/* Takes over @name. */
static void count_made(struct activity *a, enum board_kind kind, char *name, u64 refused,
		       u64 audited)
{
	count(a, kind, name, refused, audited);
	free(name);
}

/* The class, or the reason that stands in its place. */
static const char *class_of(const json_t *e)
{
	return member_word(e, member_present(e, "reason") ? "reason" : "class");
}

static void keep(struct activity *a, const json_t *event)
{
	if (a->event_count == EVENTS)
		json_decref(a->events[EVENTS - 1]);
	else
		a->event_count++;
	memmove(a->events + 1, a->events, (a->event_count - 1) * sizeof(a->events[0]));
	a->events[0] = no_null(json_deep_copy(event));
}

/**
 * activity_event() - a refusal or an audit, as the kernel told of it
 * @a: what is known
 * @event: its attributes
 * @counted: its rule and class come from counters
 */
void activity_event(struct activity *a, const json_t *event, bool counted)
{
	const u64 refused = !strcmp(member_text(event, "outcome"), "refused");
	char rule[32];

	keep(a, event);
	a->suppressed += member_number(event, "suppressed");
	count_made(a, BOARD_PROCESS, process_of(event), refused, !refused);
	count_made(a, BOARD_LOCATION, place_of(event), refused, !refused);
	/* Reasons are no classes: the counters that are read do not have them. */
	if (counted && !member_present(event, "reason"))
		return;
	name_rule(rule, sizeof(rule), event);
	count(a, BOARD_RULE, rule, refused, !refused);
	count(a, BOARD_CLASS, class_of(event), refused, !refused);
	a->refused += refused;
	a->audited += !refused;
}

/* How much a counter has grown since it was read last; after a reset, all of it. */
static u64 growth(struct activity *a, const char *key, u64 now)
{
	u64 before = member_number(a->counters, key);

	if (now != before || !member_present(a->counters, key))
		json_object_set_new(a->counters, key, json_integer((json_int_t)now));
	return now < before ? now : now - before;
}

static void count_class(struct activity *a, const char *rule, const json_t *counts, bool first)
{
	const char *class = member_word(counts, "class");
	u64 refused, audited;
	char key[128];

	snprintf(key, sizeof(key), "%s %s refused", rule, class);
	refused = growth(a, key, member_number(counts, "refused"));
	snprintf(key, sizeof(key), "%s %s audited", rule, class);
	audited = growth(a, key, member_number(counts, "audited"));
	/* What was counted before anybody looked is no rate. */
	if (first || !(refused + audited))
		return;
	count(a, BOARD_RULE, rule, refused, audited);
	count(a, BOARD_CLASS, class, refused, audited);
	a->refused += refused;
	a->audited += audited;
}

/**
 * activity_rule() - the counters of a rule, as the kernel has them now
 * @a: what is known
 * @family: fs or net
 * @rule: its attributes
 * @line: the line that makes it
 * @first: what it has counted was counted before anybody looked
 */
void activity_rule(struct activity *a, const char *family, const json_t *rule,
		   const char *line, bool first)
{
	const json_t *counts;
	char name[32];
	size_t i;

	snprintf(name, sizeof(name), "%s %llu", family, member_number(rule, "handle"));
	json_object_set_new(a->lines, name, json_string(line));
	json_array_foreach(json_object_get(rule, "count"), i, counts) {
		count_class(a, name, counts, first);
	}
}

/* Now the rates are those of the last so many milliseconds. */
void activity_tick(struct activity *a, u64 milliseconds)
{
	size_t kind, i;

	if (!milliseconds)
		return;
	for (kind = 0; kind < BOARDS; kind++) {
		for (i = 0; i < a->boards[kind].count; i++) {
			struct row *row = &a->boards[kind].rows[i];

			row->rate = (sum(row) - row->before) * 1000 / milliseconds;
			row->before = sum(row);
		}
	}
	a->refused_rate = (a->refused - a->refused_before) * 1000 / milliseconds;
	a->audited_rate = (a->audited - a->audited_before) * 1000 / milliseconds;
	a->refused_before = a->refused;
	a->audited_before = a->audited;
}

/* The most first; those that are equal in the order of their names, so that none jumps. */
static int compare(u64 x, u64 y, const struct row *a, const struct row *b)
{
	if (x != y)
		return x < y ? 1 : -1;
	if (sum(a) != sum(b))
		return sum(a) < sum(b) ? 1 : -1;
	return strcmp(a->name, b->name);
}

static int by_rate_first(const void *a, const void *b)
{
	return compare(((const struct row *)a)->rate, ((const struct row *)b)->rate, a, b);
}

static int by_sum_first(const void *a, const void *b)
{
	return compare(sum(a), sum(b), a, b);
}

void activity_sort(struct activity *a, enum board_kind kind, bool by_rate)
{
	struct board *board = &a->boards[kind];

	qsort(board->rows, board->count, sizeof(board->rows[0]),
	      by_rate ? by_rate_first : by_sum_first);
}

/* The line of the rule that decided; "" where it was not asked for. */
const char *activity_line(const struct activity *a, const json_t *event)
{
	char name[32];

	name_rule(name, sizeof(name), event);
	return member_text(a->lines, name);
}
