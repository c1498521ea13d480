// SPDX-License-Identifier: GPL-2.0
/*
 * A rule for streams expects that what it lets through arrives within UGNF_STREAM_HOLD, and after
 * that it forgets the octets. Queues of devices come after it, and a sender has a say in them: by
 * the time at which he wants a packet sent, and by the flow for which they take it.
 */
#include <linux/jhash.h>
#include <linux/ktime.h>
#include <linux/once.h>
#include <linux/skbuff.h>

#include "../stream/sequence.h"
#include "departure.h"
#include "packet.h"

/*
 * Who has privileges in a network namespace can say when his packets are to be sent (SO_TXTIME),
 * also by the host that forwards them. fq holds each until then, for ten seconds at most by
 * default, while others overtake it. No segment of a stream may be on its way for UGNF_STREAM_HOLD
 * after us, nor one without payload, which may begin a connection: so they go earlier.
 */
static ktime_t latest_departure(void)
{
	return ktime_add_ms(ktime_get(), UGNF_STREAM_HOLD / 2);
}

/**
 * ugnf_departure_is_late() - is a packet to be sent later than a rule for streams can wait?
 * @skb: the packet
 *
 * Context: a netfilter hook. Takes away a time by CLOCK_TAI.
 * Return: whether it is.
 */
bool ugnf_departure_is_late(struct sk_buff *skb)
{
	return utf8guard_has_delivery_time(skb) && ktime_after(skb->tstamp, latest_departure());
}

/**
 * ugnf_departure_hasten() - have a packet sent as late as a rule for streams can wait, or sooner
 * @skb: the packet
 *
 * Context: a netfilter hook.
 */
void ugnf_departure_hasten(struct sk_buff *skb)
{
	if (ugnf_departure_is_late(skb))
		skb->tstamp = latest_departure();
}

/**
 * ugnf_departure_keep_order() - have a connection's segments leave in the order of their judgment
 * @packet: a segment of TCP, parsed, that this host forwards
 *
 * Queues keep the order of packets with one hash (fq, fq_codel, cake, the queues of a device), and
 * Linux computes that from what a sender can change within a connection: the flow label of IPv6 and
 * headers before that of TCP. What a container sends has the hash of its socket. So this one is of
 * what the receiver tells connections by. A source route does not change it.
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
