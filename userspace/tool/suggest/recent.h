/* SPDX-License-Identifier: GPL-2.0 */
/* The last refusals and audits, from the logs of this host. */
#ifndef UTF8GUARD_TOOL_RECENT_H
#define UTF8GUARD_TOOL_RECENT_H

#include <jansson.h>

/* How many are kept of each rule, the last ones. */
#define RECENT_MOST 3

json_t *recent_read(void);
void recent_print(const json_t *recent, const char *check, unsigned long long handle);

#endif /* UTF8GUARD_TOOL_RECENT_H */
