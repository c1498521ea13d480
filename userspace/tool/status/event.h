/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the modules, as lines. */
#ifndef UTF8GUARD_TOOL_EVENT_H
#define UTF8GUARD_TOOL_EVENT_H

#include <jansson.h>
#include <stdbool.h>

/* Is a refusal about a packet, and not about a name? */
bool event_is_packet(const json_t *attributes);
bool event_is_of_nft(const json_t *attributes);

unsigned long long event_user(const json_t *attributes);
char *event_user_text(unsigned long long uid);

/* For a refusal that the kernel has just told of: later, another process may have the PID. */
void event_add_command(json_t *attributes);

void event_print_refusal(const json_t *attributes);
void event_print_module(const char *family, bool loaded);

/* Events that were not shown: how many, and why. */
void event_print_lost(const char *reason, unsigned long long count);

/* For those who print events of other kinds. */
unsigned long long event_now(void);
void event_print_time(unsigned long long ns);
void event_print_json(const char *event, unsigned long long time, const char *name,
		      const char *value, const json_t *attributes);
void event_end_line(void);

#endif /* UTF8GUARD_TOOL_EVENT_H */
