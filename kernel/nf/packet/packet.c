// SPDX-License-Identifier: GPL-2.0
/* From an skb at a netfilter hook to addresses, ports and payload. */
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/jiffies.h>
#include <linux/sctp.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/tcp.h>

#include "../stream/sequence.h"
#include "headers.h"
#include "packet.h"

/* RFC 9260 section 3.3.1 and RFC 8260 section 2.1: a message, or a piece of one. */
#define SCTP_WHOLE 3	/* the flags B and E */
#define DATA_HEADER 16
#define I_DATA_HEADER 20

/* Sets what the network header knows; returns the transport header's offset. */
static int parse_ipv4(struct ugnf_packet *packet)
{
	const struct iphdr *ip = ip_hdr(packet->skb);

	/* It was put together before, or will be by ugnf_fragment_gather(). */
	if (ip_is_fragment(ip))
		return -1;
	packet->protocol = ip->protocol;
	packet->saddr = &ip->saddr;
	packet->daddr = &ip->daddr;
	packet->leads_on = ip->ihl > 5 && ugnf_headers_lead_on_ipv4(packet->skb, &packet->end);
	return skb_network_offset(packet->skb) + ip_hdrlen(packet->skb);
}

static int parse_ipv6(struct ugnf_packet *packet)
{
	const struct ipv6hdr *ip = ipv6_hdr(packet->skb);
	unsigned int offset = 0;
	int protocol, flags = 0;

	protocol = ipv6_find_hdr(packet->skb, &offset, -1, NULL, &flags);
	if (protocol < 0 || flags & IP6_FH_F_FRAG)
		return -1;
	packet->protocol = protocol;
	packet->saddr = &ip->saddr;
	packet->daddr = &ip->daddr;
	packet->leads_on = ip->nexthdr != protocol &&
			   ugnf_headers_lead_on_ipv6(packet->skb, &packet->end);
	return offset;
}

static int parse_tcp(struct ugnf_packet *packet, int offset)
{
	const struct tcphdr *tcp;

	tcp = skb_header_pointer(packet->skb, offset, sizeof(packet->buffer), &packet->buffer);
	if (!tcp || tcp->doff * 4 < sizeof(*tcp))
		return -EBADMSG;
	packet->sport = ntohs(tcp->source);
	packet->dport = ntohs(tcp->dest);
	packet->payload = offset + tcp->doff * 4;
	packet->fragment = true;
	/* Not from the IP header: BIG TCP has no length there. */
	if (packet->skb->len < packet->payload)
		return -EBADMSG;
	packet->len = packet->skb->len - packet->payload;
	packet->header = tcp;
	packet->is_segment = true;
	return packet->len > 0;
}

/* A length that cannot be ends the list, as it does for receivers. */
static bool has_option(const u8 *options, u32 len, u8 kind)
{
	u32 at = 0;

	while (at < len && options[at] != TCPOPT_EOL) {
		if (options[at] == TCPOPT_NOP) {
			at++;
			continue;
		}
		if (len - at < 2 || options[at + 1] < 2 || options[at + 1] > len - at)
			return false;
		if (options[at] == kind)
			return true;
		at += options[at + 1];
	}
	return false;
}

/*
 * Is it a segment of Multipath TCP (RFC 8684 section 3)? A SYN only asks for that, as many
 * do of servers that do not know it. Nearly all segments have a timestamp, and no more.
 * Options that cannot be read, no receiver reads either.
 */
static bool is_multipath(const struct ugnf_packet *packet)
{
	static const u8 usual[] = { TCPOPT_NOP, TCPOPT_NOP, TCPOPT_TIMESTAMP, TCPOLEN_TIMESTAMP };
	const struct tcphdr *tcp = packet->header;
	u32 len = tcp->doff * 4 - sizeof(*tcp);
	u8 buffer[MAX_TCP_OPTION_SPACE] __uninitialized;
	const u8 *options;

	if (!len || (tcp->syn && !tcp->ack))
		return false;
	options = skb_header_pointer(packet->skb, packet->payload - len, len, buffer);
	if (!options || (len == TCPOLEN_TSTAMP_ALIGNED && !memcmp(options, usual, sizeof(usual))))
		return false;
	return has_option(options, len, TCPOPT_MPTCP);
}

/**
 * ugnf_packet_read_segment() - what who follows its stream asks of a packet
 * @packet: of TCP, as parsed
 *
 * Not a part of parsing: most packets are judged without.
 *
 * Context: a netfilter hook.
 */
void ugnf_packet_read_segment(struct ugnf_packet *packet)
{
	const struct sk_buff *skb = packet->skb;
	const struct tcphdr *tcp = packet->header;

	packet->has_ack = tcp->ack;
	packet->ack = ntohl(tcp->ack_seq);
	packet->window = ntohs(tcp->window);
	packet->is_multipath = is_multipath(packet);
	packet->tcp = (struct ugnf_segment_header) {
		.seq = ntohl(tcp->seq),
		.len = packet->len,
		.piece = skb_is_gso(skb) ? skb_shinfo(skb)->gso_size : 0,
		.now = jiffies_to_msecs(jiffies),
		.syn = tcp->syn,
		.fin = tcp->fin,
		.rst = tcp->rst,
		.urg = tcp->urg,
	};
}

static int parse_udp(struct ugnf_packet *packet, int offset)
{
	struct sk_buff *skb = packet->skb;
	struct udphdr buffer;
	const struct udphdr *udp;
	u32 len;

	udp = skb_header_pointer(skb, offset, sizeof(buffer), &buffer);
	if (!udp)
		return -EBADMSG;
	packet->sport = ntohs(udp->source);
	packet->dport = ntohs(udp->dest);
	packet->payload = offset + sizeof(*udp);
	if (skb->len <= packet->payload)
		return 0;
	packet->len = skb->len - packet->payload;
	/* Many datagrams in one skb, but for UFO, which is one in fragments. */
	if (skb_is_gso(skb) && !(skb_shinfo(skb)->gso_type & SKB_GSO_UDP)) {
		packet->segment = skb_shinfo(skb)->gso_size;
		return 1;
	}
	/* What is after the datagram never reaches the receiver. */
	len = ntohs(udp->len);
	if (len > sizeof(*udp))
		packet->len = min_t(u32, packet->len, len - sizeof(*udp));
	return len != sizeof(*udp);
}

/* Coverage of the checksum is what its header has instead of a length. */
static int parse_udplite(struct ugnf_packet *packet, int offset)
{
	struct udphdr buffer;
	const struct udphdr *udp;

	udp = skb_header_pointer(packet->skb, offset, sizeof(buffer), &buffer);
	if (!udp)
		return -EBADMSG;
	packet->sport = ntohs(udp->source);
	packet->dport = ntohs(udp->dest);
	packet->payload = offset + sizeof(*udp);
	packet->len = packet->skb->len - packet->payload;
	return packet->len > 0;
}

/* Sets the payload to that of a chunk; false where it has none. */
static bool parse_chunk(struct ugnf_packet *packet, u32 at, const struct sctp_chunkhdr *chunk)
{
	u32 header, len;

	switch (chunk->type) {
	case SCTP_CID_DATA:
		header = DATA_HEADER;
		break;
	case SCTP_CID_I_DATA:
		header = I_DATA_HEADER;
		break;
	default:
		return false;
	}
	len = min_t(u32, ntohs(chunk->length), packet->skb->len - at);
	if (len <= header)
		return false;
	packet->payload = at + header;
	packet->len = len - header;
	packet->fragment = (chunk->flags & SCTP_WHOLE) != SCTP_WHOLE;
	return true;
}

/*
 * A chunk whose header cannot be read, as something that cannot be read either: judging
 * that says so. Less than a header is none, and what a receiver throws away.
 */
static bool take_unreadable(struct ugnf_packet *packet, u32 at)
{
	u32 last = at + sizeof(struct sctp_chunkhdr) - 1;

	packet->next = packet->skb->len;
	if (last >= packet->skb->len)
		return false;
	packet->payload = last;
	packet->len = packet->skb->len - last;
	packet->fragment = false;
	return true;
}

/**
 * ugnf_packet_next() - go on to the next payload of a packet
 * @packet: as ugnf_packet_parse() left it
 *
 * A packet of SCTP has any number of messages. No chunk is shorter than four
 * octets, so the time that this takes is bounded by the length of the packet; see
 * flatten().
 *
 * Context: a netfilter hook.
 * Return: whether there is one.
 */
bool ugnf_packet_next(struct ugnf_packet *packet)
{
	struct sctp_chunkhdr buffer;
	const struct sctp_chunkhdr *chunk;

	if (packet->protocol != IPPROTO_SCTP)
		return false;
	while (packet->next < packet->skb->len) {
		u32 at = packet->next;

		chunk = skb_header_pointer(packet->skb, at, sizeof(buffer), &buffer);
		if (!chunk)
			return take_unreadable(packet, at);
		/* What a receiver cannot go on after, it throws away. */
		if (ntohs(chunk->length) < sizeof(*chunk))
			break;
		packet->next += ALIGN(ntohs(chunk->length), 4);
		if (parse_chunk(packet, at, chunk))
			return true;
	}
	return false;
}

static int parse_sctp(struct ugnf_packet *packet, int offset)
{
	struct sctphdr buffer;
	const struct sctphdr *sctp;

	sctp = skb_header_pointer(packet->skb, offset, sizeof(buffer), &buffer);
	if (!sctp)
		return -EBADMSG;
	packet->sport = ntohs(sctp->source);
	packet->dport = ntohs(sctp->dest);
	packet->next = offset + sizeof(*sctp);
	return ugnf_packet_next(packet);
}

static int parse_network(struct ugnf_packet *packet)
{
	return packet->family == AF_INET ? parse_ipv4(packet) : parse_ipv6(packet);
}

/*
 * Each chunk of SCTP is found from the beginning of the packet. Of one that was put
 * together from fragments, that is through a list of as many as there may be chunks:
 * make it one piece, as its receiver does, if there is memory. That moves its octets,
 * which a match may not do: xt_utf8 and the helper are for TCP and UDP only.
 */
static int flatten(struct ugnf_packet *packet, int offset)
{
	struct sk_buff *skb = packet->skb;

	if (packet->protocol != IPPROTO_SCTP || !skb_has_frag_list(skb) || skb_is_gso(skb))
		return offset;
	return skb_linearize(skb) ? offset : parse_network(packet);
}

/* One by one: to clear it all, and what of it is set anyway, takes as long as parsing. */
static void packet_init(struct ugnf_packet *packet, struct sk_buff *skb, u8 family)
{
	packet->skb = skb;
	packet->state = NULL;
	packet->family = family;
	packet->next = 0;
	packet->len = 0;
	packet->segment = 0;
	packet->fragment = false;
	packet->is_segment = false;
}

/**
 * ugnf_packet_parse() - what rules ask of a packet
 * @skb: the packet; its network header is in the linear part
 * @family: AF_INET or AF_INET6
 * @packet: filled in, but for what its protocol does not have
 *
 * Context: a netfilter hook.
 * Return: 1 where it is TCP, UDP, SCTP or UDP-Lite with a payload, of several the
 * first; 0 where it is not, and there is nothing to judge; -EBADMSG where the
 * headers do not tell, as in a fragment.
 */
int ugnf_packet_parse(struct sk_buff *skb, u8 family, struct ugnf_packet *packet)
{
	int offset;

	packet_init(packet, skb, family);
	offset = parse_network(packet);
	if (offset < 0)
		return -EBADMSG;
	offset = flatten(packet, offset);
	switch (packet->protocol) {
	case IPPROTO_TCP:
		return parse_tcp(packet, offset);
	case IPPROTO_UDP:
		return parse_udp(packet, offset);
	case IPPROTO_UDPLITE:
		return parse_udplite(packet, offset);
	case IPPROTO_SCTP:
		return parse_sctp(packet, offset);
	default:
		return 0;
	}
}
