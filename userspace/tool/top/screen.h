/* SPDX-License-Identifier: GPL-2.0 */
/* What top shows on a terminal, and the keys that are typed there. */
#ifndef UTF8GUARD_TOOL_SCREEN_H
#define UTF8GUARD_TOOL_SCREEN_H

#include "activity.h"

/**
 * struct view - how it is shown
 * @kind: the board
 * @by_rate: sorted by rate, or by all since the beginning
 * @paused: as it was; what happens is counted all the same
 * @chosen: of the last events, from 0
 */
struct view {
	enum board_kind kind;
	bool by_rate, paused;
	size_t chosen;
};

/* What a key asks for that the screen cannot do itself. */
enum screen_ask {
	SCREEN_ASK_NONE,
	SCREEN_ASK_EXPLAIN,
	SCREEN_ASK_EXCEPTION,
	SCREEN_ASK_QUIT,
};

bool screen_can(void);
bool screen_begin(void);
void screen_end(void);
void screen_draw(const struct activity *activity, const struct view *view);
enum screen_ask screen_key(struct view *view, const struct activity *activity);
void screen_leave(void);
void screen_return(void);

#endif /* UTF8GUARD_TOOL_SCREEN_H */
