/* SPDX-License-Identifier: GPL-2.0 */
/* A packet at a hook: which rule is for it, and what becomes of it. */
#ifndef _UTF8GUARD_NF_CHECK_H
#define _UTF8GUARD_NF_CHECK_H

#include "packet/packet.h"
#include "rule/outcome.h"

struct net;
struct utf8guard_refusal;

struct ugnf_outcome ugnf_check(u8 hook, struct ugnf_packet *packet);
void utf8guard_nf_report(struct net *net, const struct ugnf_packet *packet,
			 const struct utf8guard_refusal *refusal);

#endif /* _UTF8GUARD_NF_CHECK_H */
