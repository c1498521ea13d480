/* SPDX-License-Identifier: GPL-2.0 */
/* The packets that a rule is for. */
#ifndef _UTF8GUARD_NF_SELECTOR_H
#define _UTF8GUARD_NF_SELECTOR_H

#include "rule_types.h"

struct genl_info;
struct sk_buff;

int nf_selectors_parse(struct nf_selectors *selectors, struct genl_info *info);
int nf_selectors_put(const struct nf_selectors *selectors, struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_SELECTOR_H */
