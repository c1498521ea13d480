// SPDX-License-Identifier: GPL-2.0
/* Finds addresses, ports and payload of an skb at a netfilter hook. */
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
#include "checksum.h"
#include "headers.h"
#include "packet.h"
#include "shared_frags.h"

/* DATA and I-DATA chunks carry a message or a piece of one: RFC 9260 3.3.1, RFC 8260 2.1. */
#define SCTP_FIRST 2	/* the flag B */
#define SCTP_LAST 1	/* the flag E */
#define DATA_HEADER 16
#define I_DATA_HEADER 20

/*
 * Sets what the IPv4 header says. Returns the offset of the transport header from skb->data, or
 * an error as ugnf_packet_parse().
 */
static int parse_ipv4(struct ugnf_packet *packet)
{
	const struct iphdr *ip = ip_hdr(packet->skb);

	/* The kernel has not put it together; ugnf_fragment_gather() will. */
	if (ip_is_fragment(ip))
		return -EBADMSG;
	packet->protocol = ip->protocol;
	packet->saddr = &ip->saddr;
	packet->daddr = &ip->daddr;
	packet->has_source_route = ip->ihl > 5 &&
				   ugnf_headers_lead_on_ipv4(packet->skb, &packet->last_daddr);
	return skb_network_offset(packet->skb) + ip_hdrlen(packet->skb);
}

/* The same for IPv6. */
static int parse_ipv6(struct ugnf_packet *packet)
{
	const struct ipv6hdr *ip = ipv6_hdr(packet->skb);
	struct ugnf_header header = ugnf_header_first(packet->skb);

	packet->saddr = &ip->saddr;
	packet->daddr = &ip->daddr;
	packet->has_source_route = false;
	while (ugnf_header_is_extension(&header)) {
		if (header.kind == NEXTHDR_FRAGMENT)
			return -EBADMSG;
		if (!packet->has_source_route)
			packet->last_daddr = ip->daddr;
		packet->has_source_route |=
			ugnf_header_leads_on(packet->skb, &header, &packet->last_daddr);
		if (!ugnf_header_next(packet->skb, &header))
			return header.before == UGNF_MAX_HEADERS ? -EPERM : -EBADMSG;
	}
	packet->protocol = header.kind;
	return header.at;
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
	packet->begins_before = true;
	packet->ends_later = true;
	/* skb->len, not the length in the IP header: that is 0 for BIG TCP. */
	if (packet->skb->len < packet->payload)
		return -EBADMSG;
	packet->len = packet->skb->len - packet->payload;
	packet->header = tcp;
	packet->is_tcp = true;
	return packet->len > 0;
}

/*
 * The last option of that kind, and of that size if it is not 0; NULL where there is none. An
 * option with an impossible length ends the list, as it does for receivers.
 */
static const u8 *find_option(const u8 *options, u32 len, u8 kind, u8 size)
{
	const u8 *found = NULL;
	u32 at = 0;

	while (at < len && options[at] != TCPOPT_EOL) {
		if (options[at] == TCPOPT_NOP) {
			at++;
			continue;
		}
		if (len - at < 2 || options[at + 1] < 2 || options[at + 1] > len - at)
			break;
		if (options[at] == kind && (!size || options[at + 1] == size))
			found = options + at;
		at += options[at + 1];
	}
	return found;
}

/* If the options cannot be read here, no receiver can read them. */
static const u8 *options_of(const struct ugnf_packet *packet, u32 *len, u8 *buffer)
{
	*len = packet->header->doff * 4 - sizeof(*packet->header);
	return *len ? skb_header_pointer(packet->skb, packet->payload - *len, *len, buffer) : NULL;
}

/* What a SYN says of the scale of its sender's windows (RFC 7323 section 2.2). */
static u8 scale_of(const struct ugnf_packet *packet)
{
	u8 buffer[MAX_TCP_OPTION_SPACE] __uninitialized;
	const u8 *options, *scale;
	u32 len;

	if (!packet->header->syn)
		return 0;
	options = options_of(packet, &len, buffer);
	scale = options ? find_option(options, len, TCPOPT_WINDOW, TCPOLEN_WINDOW) : NULL;
	return scale ? min_t(u8, scale[2], TCP_MAX_WSCALE) : 0;
}

/*
 * Is it a segment of Multipath TCP (RFC 8684 section 3)? A SYN does not count: it only offers
 * Multipath TCP, and most servers do not take the offer. Nearly all segments have a timestamp
 * as their only option, so look for that first.
 */
static bool is_multipath(const struct ugnf_packet *packet)
{
	static const u8 usual[] = { TCPOPT_NOP, TCPOPT_NOP, TCPOPT_TIMESTAMP, TCPOLEN_TIMESTAMP };
	const struct tcphdr *tcp = packet->header;
	u8 buffer[MAX_TCP_OPTION_SPACE] __uninitialized;
	const u8 *options;
	u32 len;

	if (tcp->syn && !tcp->ack)
		return false;
	options = options_of(packet, &len, buffer);
	if (!options || (len == TCPOLEN_TSTAMP_ALIGNED && !memcmp(options, usual, sizeof(usual))))
		return false;
	return find_option(options, len, TCPOPT_MPTCP, 0);
}

/**
 * ugnf_packet_read_segment() - read what only rules for streams need
 * @packet: a TCP segment, after ugnf_packet_parse()
 *
 * This is no part of parsing, because most packets are judged without it.
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
	packet->scale = scale_of(packet);
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

/*
 * What is to be divided belongs to a tunnel inside of the datagram. Its datagrams are made when it
 * is divided: each with a copy of the headers of the tunnel, whose lengths and checksums are new.
 */
#define TUNNELS (SKB_GSO_UDP_TUNNEL | SKB_GSO_UDP_TUNNEL_CSUM | SKB_GSO_ESP)

/* Will the receiver get other octets than are in this datagram, because it is yet to be divided? */
static bool changes_when_divided(const struct ugnf_packet *packet)
{
	const struct sk_buff *skb = packet->skb;
	const struct skb_shared_info *info = skb_shinfo(skb);

	if (!skb_is_gso(skb))
		return false;
	if (info->gso_type & TUNNELS ||
	    ugnf_checksum_is_inner(skb, packet->protocol, packet->payload))
		return true;
	/*
	 * The offset of an IPv4 fragment counts 8 octets, so the receiver cuts off what is more.
	 * Only a virtual machine or a packet socket asks for such fragments.
	 */
	return info->gso_type & SKB_GSO_UDP && info->gso_size % 8;
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
	len = ntohs(udp->len);
	if (changes_when_divided(packet)) {
		/* What will be received is not known: see below. */
		packet->len++;
		return 1;
	}
	/*
	 * Only an skb of this type is divided into datagrams before a socket gets it. With another
	 * type, which a virtual machine may write beside a UDP header, a socket gets all as one.
	 */
	if (skb_is_gso(skb) && skb_shinfo(skb)->gso_type & SKB_GSO_UDP_L4) {
		packet->gso_size = skb_shinfo(skb)->gso_size;
		/*
		 * The length is that of all datagrams. If it is less, as only such a machine writes
		 * it, a socket gets the last of them cut, and the next device may not cut it. What
		 * will be received is not known, so an octet more than there are makes the
		 * payload one that cannot be read.
		 */
		packet->len += len && len != skb->len - offset;
		return 1;
	}
	/* Octets after the end of the datagram never reach the receiver. */
	if (len > sizeof(*udp))
		packet->len = min_t(u32, packet->len, len - sizeof(*udp));
	return len != sizeof(*udp);
}

/* The UDP-Lite header has the coverage of the checksum in place of the length. */
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

/* Makes the payload of @chunk that of the packet; returns false where the chunk has none. */
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
	packet->begins_before = !(chunk->flags & SCTP_FIRST);
	packet->ends_later = !(chunk->flags & SCTP_LAST);
	return true;
}

/* The rest cannot be read. Nor can a payload after the end of the packet, so that stands for it. */
static bool take_unreadable(struct ugnf_packet *packet)
{
	packet->next = packet->skb->len;
	packet->payload = packet->skb->len;
	packet->len = 1;
	packet->begins_before = false;
	packet->ends_later = false;
	return true;
}

/**
 * ugnf_packet_next() - go on to the next payload of a packet
 * @packet: as ugnf_packet_parse() or this function left it
 *
 * An SCTP packet can have many messages. No chunk is shorter than four octets, so the length
 * of the packet bounds the time that this takes; see flatten() for one with a list of parts.
 *
 * Context: a netfilter hook.
 * Return: false where there is no further payload.
 */
bool ugnf_packet_next(struct ugnf_packet *packet)
{
	struct sctp_chunkhdr buffer;
	const struct sctp_chunkhdr *chunk;

	if (packet->protocol != IPPROTO_SCTP)
		return false;
	/* Fewer octets than a header at the end are no chunk; receivers discard them. */
	while (packet->next + sizeof(buffer) <= packet->skb->len) {
		u32 at = packet->next;

		chunk = skb_header_pointer(packet->skb, at, sizeof(buffer), &buffer);
		if (!chunk)
			return take_unreadable(packet);
		/* A receiver cannot find the next chunk either, and discards the rest. */
		if (ntohs(chunk->length) < sizeof(*chunk))
			break;
		packet->next += ALIGN(ntohs(chunk->length), 4);
		if (parse_chunk(packet, at, chunk))
			return true;
	}
	return false;
}

/* Is it a list of the parts that it was put together from? */
static bool is_list(const struct ugnf_packet *packet)
{
	return skb_has_frag_list(packet->skb) && !skb_is_gso(packet->skb);
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
	return is_list(packet) ? take_unreadable(packet) : ugnf_packet_next(packet);
}

static int parse_network(struct ugnf_packet *packet)
{
	return packet->family == AF_INET ? parse_ipv4(packet) : parse_ipv6(packet);
}

/*
 * To read a chunk, the kernel walks to it from the beginning of the packet. A packet that was
 * put together from fragments is a list that can have as many members as chunks, so reading
 * all chunks would take quadratic time. Make it one piece, as its receiver does; if there is no
 * memory for that, it cannot be read.
 */
static int flatten(struct ugnf_packet *packet, int offset)
{
	if (packet->protocol != IPPROTO_SCTP || !is_list(packet) || skb_linearize(packet->skb))
		return offset;
	return parse_network(packet);
}

/* Sets only the members that parsing may leave unset: clearing all takes as long as parsing. */
static void packet_init(struct ugnf_packet *packet, struct sk_buff *skb, u8 family)
{
	packet->skb = skb;
	packet->state = NULL;
	packet->family = family;
	packet->next = 0;
	packet->len = 0;
	packet->gso_size = 0;
	packet->begins_before = false;
	packet->ends_later = false;
	packet->is_tcp = false;
	packet->directions = 0;
}

static int parse_transport(struct ugnf_packet *packet, int offset)
{
	struct sk_buff *skb = packet->skb;

	if (skb->ip_summed == CHECKSUM_PARTIAL &&
	    !ugnf_checksum_spares_headers(skb, packet->protocol, offset))
		return -EPERM;
	packet->payload = offset;
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

/**
 * ugnf_packet_parse() - find what rules have to know of a packet
 * @skb: the packet; its network header is in the linear part; SCTP may be moved
 * @family: AF_INET or AF_INET6
 * @packet: filled in, but for members that its protocol does not have
 *
 * Context: a netfilter hook.
 * Return: 1 where the packet has a payload of TCP, UDP, SCTP or UDP-Lite, and @packet is
 * about the first one; 0 where it has none, so there is nothing to judge; -EBADMSG where the
 * headers cannot be read, as in a fragment; -EPERM where this module reads other headers than the
 * receiver may: there are more extension headers than UGNF_MAX_HEADERS, or a checksum will be
 * written to headers.
 */
int ugnf_packet_parse(struct sk_buff *skb, u8 family, struct ugnf_packet *packet)
{
	int offset;

	packet_init(packet, skb, family);
	offset = parse_network(packet);
	if (offset < 0)
		return offset;
	return parse_transport(packet, flatten(packet, offset));
}

/**
 * ugnf_packet_parse_in_place() - the same for who must not move octets
 * @skb: the packet; its network header is in the linear part
 * @family: AF_INET or AF_INET6
 * @packet: filled in, but for members that its protocol does not have
 *
 * Context: a netfilter hook.
 * Return: as ugnf_packet_parse(); but an SCTP packet that was put together from fragments has one
 * payload that cannot be read.
 */
int ugnf_packet_parse_in_place(struct sk_buff *skb, u8 family, struct ugnf_packet *packet)
{
	int offset;

	packet_init(packet, skb, family);
	offset = parse_network(packet);
	return offset < 0 ? offset : parse_transport(packet, offset);
}

/**
 * ugnf_packet_has_open_headers() - can the sender still change headers that were read?
 * @packet: a packet
 * @ret: what ugnf_packet_parse() has returned for it
 *
 * The kernel's own senders have their headers in the linear part. What comes out of a tunnel has
 * its headers where the tunnel had payload, which is in pages of the sender after sendfile(2). And
 * a virtual machine can have headers in pages that the host has not copied.
 *
 * Context: a netfilter hook.
 * Return: whether headers, or the lack of them, are in pages of the sender.
 */
bool ugnf_packet_has_open_headers(const struct ugnf_packet *packet, int ret)
{
	const struct sk_buff *skb = packet->skb;

	if (!skb_is_nonlinear(skb))
		return false;
	if (ret >= 0 && max(packet->payload, packet->next) <= skb_headlen(skb))
		return false;
	return ugnf_has_shared_frags(skb);
}
