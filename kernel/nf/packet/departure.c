// SPDX-License-Identifier: GPL-2.0
/*
 * A rule for streams expects that what it lets through arrives within UGNF_STREAM_HOLD, and after
 * that it forgets the octets. Queues of devices come after it, and a sender has a say in them: by
 * the time at which he wants a packet sent, and by the flow for which they take it.
 */
#include <linux/jhash.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/once.h>
#include <linux/skbuff.h>

#include "../stream/sequence.h"
#include "departure.h"
#include "packet.h"

/**
 * ugnf_departure_limit() - have a packet sent within half of UGNF_STREAM_HOLD, and after others
 * @skb: a packet, of any protocol
 *
 * Its sender can say when it is to be sent (SO_TXTIME), also if his namespace is another one on
 * this host. fq holds it until then, for ten seconds at most by default, and with it others that it
 * takes for the same flow; what is to be sent before others overtakes them. So a time that is too
 * late comes earlier, and a time in the past is now.
 *
 * Context: a netfilter hook.
 */
void ugnf_departure_limit(struct sk_buff *skb)
{
	ktime_t now;

	if (!utf8guard_has_delivery_time(skb))
		return;
	now = ktime_get();
	skb->tstamp = clamp(skb->tstamp, now, ktime_add_ms(now, UGNF_STREAM_HOLD / 2));
}

/**
 * ugnf_departure_limit_forwarded() - the same, whatever clock the packet's time is by
 * @skb: a packet that this host forwards
 *
 * For a time by CLOCK_TAI, its sender needs privileges in his namespace. What this host sends by
 * that clock is not touched: to use it, one needs privileges here.
 *
 * Context: the hook for forward.
 */
void ugnf_departure_limit_forwarded(struct sk_buff *skb)
{
	utf8guard_clear_tai_time(skb);
	ugnf_departure_limit(skb);
}

/**
 * ugnf_departure_keep_order() - have a connection's segments leave in the order of their judgment
 * @packet: a segment of TCP, parsed
 *
 * Queues keep the order of packets with one hash (fq_codel, fq_pie, cake), and Linux computes that
 * from what a sender can change within a connection: the flow label of IPv6 and headers before
 * that of TCP. What is sent by this host or a container of it has the hash of its socket, which
 * changes when it sends a segment again. So this one is of what the receiver tells connections by.
 * A source route does not change it.
 *
 * Context: a netfilter hook.
 */
void ugnf_departure_keep_order(const struct ugnf_packet *packet)
{
	const void *daddr = packet->has_source_route ? &packet->last_daddr : packet->daddr;
	u32 octets = packet->family == AF_INET ? 4 : 16;
	static u32 seed __read_mostly;
	u32 hash;

	get_random_once(&seed, sizeof(seed));
	hash = jhash(packet->saddr, octets, seed);
	hash = jhash(daddr, octets, hash);
	hash = jhash_1word((u32)packet->sport << 16 | packet->dport, hash);
	__skb_set_sw_hash(packet->skb, hash, true);
}
