/* SPDX-License-Identifier: GPL-2.0 */
/* What a rule judges of a payload, and what it refuses. */
#ifndef _UTF8GUARD_NF_CONSTRAINT_H
#define _UTF8GUARD_NF_CONSTRAINT_H

#include "rule_types.h"

struct genl_info;
struct sk_buff;

int ugnf_constraint_parse(struct ugnf_constraint *constraint, u8 protocol, struct genl_info *info);
u32 ugnf_constraint_refused(const struct ugnf_constraint *constraint);
u8 ugnf_constraint_decode(const struct ugnf_constraint *constraint);
bool ugnf_constraint_is_framed(const struct ugnf_constraint *constraint);
int ugnf_constraint_put(const struct ugnf_constraint *constraint, struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_CONSTRAINT_H */
