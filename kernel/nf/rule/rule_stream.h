/* SPDX-License-Identifier: GPL-2.0 */
/* Whether and how a rule judges streams. */
#ifndef _UTF8GUARD_NF_RULE_STREAM_H
#define _UTF8GUARD_NF_RULE_STREAM_H

#include "rule_types.h"

struct genl_info;
struct sk_buff;

int ugnf_streams_parse(struct ugnf_rule *rule, struct genl_info *info);
int ugnf_streams_put(const struct ugnf_rule *rule, struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_RULE_STREAM_H */
