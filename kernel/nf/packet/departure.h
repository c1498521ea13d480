/* SPDX-License-Identifier: GPL-2.0 */
/* When packets leave this host after its rules have let them through, and in which order. */
#ifndef _UTF8GUARD_NF_DEPARTURE_H
#define _UTF8GUARD_NF_DEPARTURE_H

#include <linux/types.h>

struct sk_buff;
struct ugnf_packet;

void ugnf_departure_limit(struct sk_buff *skb);
void ugnf_departure_limit_forwarded(struct sk_buff *skb);
void ugnf_departure_keep_order(const struct ugnf_packet *packet);

#endif /* _UTF8GUARD_NF_DEPARTURE_H */
