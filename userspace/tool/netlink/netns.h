/* SPDX-License-Identifier: GPL-2.0 */
/* Network namespaces, as users name them. */
#ifndef UTF8GUARD_TOOL_NETNS_H
#define UTF8GUARD_TOOL_NETNS_H

#include "words/options.h"

bool netns_take(struct words *value);

/* Of every command that talks to the kernel about more than names. */
#define OPTION_NETNS	{ .letter = 'N', .name = "netns", .take = netns_take }

#endif /* UTF8GUARD_TOOL_NETNS_H */
