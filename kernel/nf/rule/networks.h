/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses that a rule is for. */
#ifndef _UTF8GUARD_NF_NETWORKS_H
#define _UTF8GUARD_NF_NETWORKS_H

#include "index.h"

struct genl_info;
struct sk_buff;

int ugnf_networks_parse(struct ugnf_fields *fields, struct genl_info *info);
void ugnf_networks_release(const struct ugnf_fields *fields);
int ugnf_networks_put(const struct ugnf_fields *fields, struct sk_buff *skb);
u32 ugnf_networks_hash(const struct ugnf_fields *fields, u32 hash);
bool ugnf_networks_same(const struct ugnf_fields *a, const struct ugnf_fields *b);

#endif /* _UTF8GUARD_NF_NETWORKS_H */
