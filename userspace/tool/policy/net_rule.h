/* SPDX-License-Identifier: GPL-2.0 */
/* The words that make a rule of the payload check. */
#ifndef UTF8GUARD_TOOL_NET_RULE_H
#define UTF8GUARD_TOOL_NET_RULE_H

#include "netlink/request.h"
#include "words/words.h"

bool net_rule_take(struct words *words, struct request *request);

#endif /* UTF8GUARD_TOOL_NET_RULE_H */
