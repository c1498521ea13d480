/* SPDX-License-Identifier: GPL-2.0 */
/* Of the packets that a rule is for, what the index does not know. */
#ifndef _UTF8GUARD_NF_CONDITION_H
#define _UTF8GUARD_NF_CONDITION_H

#include "../packet/packet.h"
#include "rule_types.h"

struct genl_info;
struct net_device;
struct sk_buff;

int nf_conditions_parse(struct nf_selectors *selectors, struct genl_info *info);
int nf_conditions_put(const struct nf_selectors *selectors, struct sk_buff *skb);
bool nf_conditions_hold(const struct nf_selectors *selectors, const struct nf_packet *packet,
			const struct net_device *in, const struct net_device *out);

#endif /* _UTF8GUARD_NF_CONDITION_H */
