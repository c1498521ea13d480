/* SPDX-License-Identifier: GPL-2.0 */
/* What a rule does. */
#ifndef _UTF8GUARD_NF_REACTION_H
#define _UTF8GUARD_NF_REACTION_H

#include "../packet/packet.h"
#include "rule_types.h"

struct genl_info;
struct sk_buff;

int nf_reaction_parse(struct nf_reaction *reaction, struct genl_info *info);
int nf_reaction_put(const struct nf_reaction *reaction, struct sk_buff *skb);
bool nf_reaction_refuses(const struct nf_reaction *reaction);
bool nf_reaction_withholds(const struct nf_reaction *reaction);
struct nf_outcome nf_react(struct nf_rule *rule, const struct nf_packet *packet, u32 octets,
			   struct nf_because why);

#endif /* _UTF8GUARD_NF_REACTION_H */
