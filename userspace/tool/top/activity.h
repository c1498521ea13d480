/* SPDX-License-Identifier: GPL-2.0 */
/* What is refused and audited, how often, by whom and where: what top shows. */
#ifndef UTF8GUARD_TOOL_ACTIVITY_H
#define UTF8GUARD_TOOL_ACTIVITY_H

#include <jansson.h>
#include <linux/utf8guard.h>

/* What refusals are told apart by. */
enum board_kind {
	BOARD_RULE,
	BOARD_CLASS,
	BOARD_PROCESS,	/* of a packet, who sent it */
	BOARD_LOCATION,
	BOARDS,
};

/**
 * struct row - refusals that have one thing in common
 * @name: that
 * @refused, @audited: since the beginning
 * @before: their sum when the rate was made last
 * @rate: of both, a second
 */
struct row {
	char *name;
	u64 refused, audited, before;
	u64 rate;
};

/* The rows of a board, at most: the least of them makes room for another. */
#define ROWS 256
/* The last refusals, which can be looked at one by one. */
#define EVENTS 64

/**
 * struct board - rows of one kind
 * @rows: in no order, until they are sorted
 * @count: of them
 */
struct board {
	struct row rows[ROWS];
	size_t count;
};

/**
 * struct activity - all that is known
 * @boards: by kind
 * @events: the last ones, the latest first
 * @event_count: how many are there
 * @counters: of each rule and class, as they were when they were read last
 * @lines: of each rule, as the line that makes it
 * @refused, @audited, @suppressed: since the beginning
 * @refused_rate, @audited_rate: a second
 * @refused_before, @audited_before: when the rates were made last
 */
struct activity {
	struct board boards[BOARDS];
	json_t *events[EVENTS];
	size_t event_count;
	json_t *counters, *lines;
	u64 refused, audited, suppressed;
	u64 refused_rate, audited_rate, refused_before, audited_before;
};

extern const char *const board_titles[BOARDS];

void activity_begin(struct activity *activity);
void activity_end(struct activity *activity);
void activity_event(struct activity *activity, const json_t *event, bool counted);
void activity_rule(struct activity *activity, const char *family, const json_t *rule,
		   const char *line, bool first);
void activity_tick(struct activity *activity, u64 milliseconds);
void activity_sort(struct activity *activity, enum board_kind kind, bool by_rate);
const char *activity_line(const struct activity *activity, const json_t *event);

#endif /* UTF8GUARD_TOOL_ACTIVITY_H */
