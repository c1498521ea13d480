/* SPDX-License-Identifier: GPL-2.0 */
/* When segments leave this host after they are judged, and in which order. */
#ifndef _UTF8GUARD_NF_DEPARTURE_H
#define _UTF8GUARD_NF_DEPARTURE_H

#include <linux/types.h>

struct sk_buff;
struct ugnf_packet;

bool ugnf_departure_is_late(struct sk_buff *skb);
void ugnf_departure_hasten(struct sk_buff *skb);
void ugnf_departure_keep_order(const struct ugnf_packet *packet);

#endif /* _UTF8GUARD_NF_DEPARTURE_H */
