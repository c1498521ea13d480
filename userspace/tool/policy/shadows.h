/* SPDX-License-Identifier: GPL-2.0 */
/* Rules of the payload check that are never asked. */
#ifndef UTF8GUARD_TOOL_SHADOWS_H
#define UTF8GUARD_TOOL_SHADOWS_H

#include <jansson.h>

/* Of more rules than that, nothing is said: each is compared with all before it. */
#define SHADOWS_MOST 8192

void shadows_add(json_t *list);

#endif /* UTF8GUARD_TOOL_SHADOWS_H */
