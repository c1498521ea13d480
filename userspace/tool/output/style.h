/* SPDX-License-Identifier: GPL-2.0 */
/* Colours, and numbers for people, if standard output is for people. */
#ifndef UTF8GUARD_TOOL_STYLE_H
#define UTF8GUARD_TOOL_STYLE_H

#include <stdbool.h>

enum style {
	STYLE_REFUSED,
	STYLE_AUDITED,	/* and warnings: nothing was refused, but look */
	STYLE_NOTE,	/* what surrounds the words that matter */
	STYLE_TITLE,
};

/* What --color says. */
enum style_when {
	STYLE_AUTO,
	STYLE_ALWAYS,
	STYLE_NEVER,
};

bool style_terminal(void);
bool style_colors(void);
const char *style_begin(enum style style);
const char *style_end(void);
const char *count_text(unsigned long long count);

#endif /* UTF8GUARD_TOOL_STYLE_H */
