/* SPDX-License-Identifier: GPL-2.0 */
/* What rules have to know of a packet. */
#ifndef _UTF8GUARD_NF_PACKET_H
#define _UTF8GUARD_NF_PACKET_H

#include <linux/in6.h>
#include <linux/tcp.h>
#include <linux/types.h>

#include "../stream/ooo_stream.h"

struct nf_hook_state;
struct sk_buff;

/**
 * struct ugnf_packet - what rules have to know of a packet
 * @skb: the packet
 * @family: AF_INET or AF_INET6
 * @state: the state of the hook; NULL where a front end asks, not a hook of ours
 * @had_open_headers: connection tracking has read headers that the sender could change after that:
 *	rules came when the packet was on its way, or a tunnel is bound to a VRF that sends it on.
 *	Set by a hook of ours, and not by parsing
 * @protocol: IPPROTO_TCP, _UDP, _SCTP or _UDPLITE
 * @sport: source port, in host order
 * @dport: destination port, in host order
 * @saddr: source address; points into the packet
 * @daddr: destination address in the IP header; points into the packet
 * @has_source_route: a source route leads on from @daddr, and @last_daddr is valid
 * @last_daddr: the last destination of the source route, where an application receives the packet
 * @next: offset of the next SCTP chunk from skb->data
 * @payload: offset of the payload from skb->data
 * @len: length of the payload in octets
 * @gso_size: length of each datagram of UDP GSO, a text of its own; 0 without GSO
 * @begins_before: the payload goes on with a stream or a message, so it may begin in a character
 * @ends_later: the stream or the message goes on after it, so it may end in a character
 * @is_tcp: the packet is a TCP segment, and @header is valid
 * @directions: those of its connection that it fits, for match.c; 0 before any rule has asked
 * @header: the TCP header; points into the packet, or to @buffer
 * @buffer: a copy of the TCP header, where it is not in one piece in the packet
 * @has_ack: @ack is valid; ugnf_packet_read_segment() sets this and all that follows
 * @ack: acknowledgment number, in host order
 * @window: window field of the TCP header, not scaled
 * @is_multipath: the segment has an option of Multipath TCP, and is not a SYN that offers it
 * @scale: of the windows of its sender, as a SYN says; 0 where it does not
 * @tcp: what the engines for streams have to know of the TCP header
 */
struct ugnf_packet {
	struct sk_buff *skb;
	const struct nf_hook_state *state;
	bool had_open_headers;
	u8 family, protocol;
	u16 sport, dport;
	const void *saddr, *daddr;
	bool has_source_route;
	struct in6_addr last_daddr;
	u32 next, payload, len, gso_size;
	bool begins_before, ends_later, is_tcp;
	u8 directions;
	const struct tcphdr *header;
	struct tcphdr buffer;
	bool has_ack, is_multipath;
	u8 scale;
	u32 ack;
	u16 window;
	struct ugnf_segment_header tcp;
};

int ugnf_packet_parse(struct sk_buff *skb, u8 family, struct ugnf_packet *packet);
int ugnf_packet_parse_in_place(struct sk_buff *skb, u8 family, struct ugnf_packet *packet);
bool ugnf_packet_has_open_headers(const struct ugnf_packet *packet, int ret);
void ugnf_packet_read_segment(struct ugnf_packet *packet);
bool ugnf_packet_next(struct ugnf_packet *packet);

/*
 * Does connection tracking know a packet by other headers than its receiver? Those that it has read
 * were changed after that, perhaps; or it knows the address of the next hop of a source route.
 */
static inline bool ugnf_packet_is_misread(const struct ugnf_packet *packet)
{
	return packet->had_open_headers || packet->has_source_route;
}

#endif /* _UTF8GUARD_NF_PACKET_H */
