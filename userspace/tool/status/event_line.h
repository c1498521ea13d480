/* SPDX-License-Identifier: GPL-2.0 */
/* Reads refusals that monitor -j has written. */
#ifndef UTF8GUARD_TOOL_EVENT_LINE_H
#define UTF8GUARD_TOOL_EVENT_LINE_H

#include <jansson.h>
#include <stdbool.h>

/* What the modules write, and what must not be taken for more: in events, and in the audit log. */
bool event_is_word(const char *text);
bool event_is_address(const char *text);

json_t *event_line_read(const char *text, bool *understood);

#endif /* UTF8GUARD_TOOL_EVENT_LINE_H */
