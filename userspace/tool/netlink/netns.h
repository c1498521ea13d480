/* SPDX-License-Identifier: GPL-2.0 */
/* Network namespaces, as users name them. */
#ifndef UTF8GUARD_TOOL_NETNS_H
#define UTF8GUARD_TOOL_NETNS_H

#include "words/options.h"

bool netns_take(struct words *value);
const char *netns_option(void);

/* For commands that are not about names alone: each network namespace has rules for packets. */
#define OPTION_NETNS	{ .letter = 'N', .name = "netns", .take = netns_take }

#endif /* UTF8GUARD_TOOL_NETNS_H */
