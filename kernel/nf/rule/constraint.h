/* SPDX-License-Identifier: GPL-2.0 */
/* What a rule judges of a payload, and what it refuses. */
#ifndef _UTF8GUARD_NF_DEMAND_H
#define _UTF8GUARD_NF_DEMAND_H

#include "rule_types.h"

struct genl_info;
struct sk_buff;

int nf_demand_parse(struct nf_demand *demand, u8 protocol, struct genl_info *info);
u32 nf_demand_refused(const struct nf_demand *demand);
u8 nf_demand_decode(const struct nf_demand *demand);
bool nf_demand_is_framed(const struct nf_demand *demand);
int nf_demand_put(const struct nf_demand *demand, struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_DEMAND_H */
