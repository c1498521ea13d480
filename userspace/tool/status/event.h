/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the modules, as lines. */
#ifndef UTF8GUARD_TOOL_EVENT_H
#define UTF8GUARD_TOOL_EVENT_H

#include <jansson.h>
#include <stdbool.h>

/* Of a refusal: is it of a packet (or of a name)? */
bool event_is_packet(const json_t *attributes);

void event_print_refusal(const json_t *attributes);
void event_print_change(const char *family, const json_t *attributes);
void event_print_module(const char *family, bool loaded);

/* Events that were not shown: how many, and for want of what. */
void event_print_lost(const char *reason, unsigned long long count);

#endif /* UTF8GUARD_TOOL_EVENT_H */
