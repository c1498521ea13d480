/* SPDX-License-Identifier: GPL-2.0 */
/* The packets that a rule is for. */
#ifndef _UTF8GUARD_NF_MATCH_H
#define _UTF8GUARD_NF_MATCH_H

#include "../packet/packet.h"
#include "rule_types.h"

struct genl_info;
struct net_device;
struct sk_buff;

int ugnf_match_parse(struct ugnf_match *match, struct genl_info *info);
void ugnf_match_release(struct ugnf_match *match);
int ugnf_match_put(const struct ugnf_match *match, struct sk_buff *skb);
u32 ugnf_match_hash(const struct ugnf_match *match);
bool ugnf_match_same(const struct ugnf_match *a, const struct ugnf_match *b);
bool ugnf_match_conditions(const struct ugnf_match *match, struct ugnf_packet *packet,
			   const struct net_device *in, const struct net_device *out);

#endif /* _UTF8GUARD_NF_MATCH_H */
