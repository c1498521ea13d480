/* SPDX-License-Identifier: GPL-2.0 */
/* What rules ask of a packet. */
#ifndef _UTF8GUARD_NF_PACKET_H
#define _UTF8GUARD_NF_PACKET_H

#include <linux/in6.h>
#include <linux/tcp.h>
#include <linux/types.h>

#include "../stream/ooo_stream.h"

struct nf_hook_state;
struct sk_buff;

/**
 * struct ugnf_packet - what rules ask of a packet
 * @skb: the packet
 * @family: AF_INET or AF_INET6
 * @state: of the hook; NULL where it is none of ours
 * @protocol: IPPROTO_TCP, _UDP, _SCTP or _UDPLITE
 * @sport: source port, in host order
 * @dport: destination port
 * @saddr: source address; points into the packet
 * @daddr: destination address, as the header has it
 * @leads_on: it is not that of whose application receives the packet, which is
 * @end: the last address of its source route
 * @next: offset from skb->data of the next chunk of SCTP
 * @payload: offset of the payload from skb->data
 * @len: octets of payload
 * @segment: octets after which the text begins anew (UDP GSO); 0 for never
 * @fragment: part of a stream or of a message: its edges may divide a character
 * @is_segment: of TCP
 * @header: its header; points into the packet, or to @buffer
 * @buffer: for a header in pieces
 * @has_ack: @ack is valid; this and what follows is set by ugnf_packet_read_segment()
 * @ack: acknowledgment number, in host order
 * @window: as the header has it, not scaled
 * @is_multipath: it has an option of Multipath TCP, and does not only ask for that
 * @tcp: of the header
 */
struct ugnf_packet {
	struct sk_buff *skb;
	const struct nf_hook_state *state;
	u8 family, protocol;
	u16 sport, dport;
	const void *saddr, *daddr;
	bool leads_on;
	struct in6_addr end;
	u32 next, payload, len, segment;
	bool fragment, is_segment;
	const struct tcphdr *header;
	struct tcphdr buffer;
	bool has_ack, is_multipath;
	u32 ack;
	u16 window;
	struct ugnf_segment_header tcp;
};

int ugnf_packet_parse(struct sk_buff *skb, u8 family, struct ugnf_packet *packet);
void ugnf_packet_read_segment(struct ugnf_packet *packet);
bool ugnf_packet_next(struct ugnf_packet *packet);

#endif /* _UTF8GUARD_NF_PACKET_H */
