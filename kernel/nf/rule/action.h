/* SPDX-License-Identifier: GPL-2.0 */
/* What a rule does. */
#ifndef _UTF8GUARD_NF_ACTION_H
#define _UTF8GUARD_NF_ACTION_H

#include "../packet/packet.h"
#include "rule_types.h"

struct genl_info;
struct sk_buff;

int ugnf_action_parse(struct ugnf_action *action, struct genl_info *info);
int ugnf_action_put(const struct ugnf_action *action, struct sk_buff *skb);
bool ugnf_action_refuses(const struct ugnf_action *action);
bool ugnf_action_withholds(const struct ugnf_action *action);
struct ugnf_outcome ugnf_action_take(struct ugnf_rule *rule, const struct ugnf_packet *packet,
				     u32 octets, struct ugnf_because why);

#endif /* _UTF8GUARD_NF_ACTION_H */
