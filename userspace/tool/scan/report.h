/* SPDX-License-Identifier: GPL-2.0 */
/* What scan prints about names. */
#ifndef UTF8GUARD_TOOL_REPORT_H
#define UTF8GUARD_TOOL_REPORT_H

#include "text/judge.h"
#include "dir_cursor.h"

/**
 * struct fate - what becomes of a name, where names are mended
 * @to: its new name, or NULL
 * @left: why it stays as it is, or NULL
 */
struct fate {
	const char *to, *left;
};

void report_finding(const struct dir_cursor *cursor, const struct judge *judge,
		    const char *name, const struct utf8guard_error *error,
		    const struct fate *fate);
void report_fate(const struct dir_cursor *cursor, const struct fate *fate);

#endif /* UTF8GUARD_TOOL_REPORT_H */
