/* SPDX-License-Identifier: GPL-2.0 */
/* Of a rule, whether and how it judges streams. */
#ifndef _UTF8GUARD_NF_RULE_STREAM_H
#define _UTF8GUARD_NF_RULE_STREAM_H

#include "rule_types.h"

struct genl_info;
struct sk_buff;

int nf_streams_parse(struct nf_rule *rule, struct genl_info *info);
int nf_streams_put(const struct nf_rule *rule, struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_RULE_STREAM_H */
