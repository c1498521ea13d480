// SPDX-License-Identifier: GPL-2.0
/* From an skb at a netfilter hook to addresses, ports and payload. */
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/jiffies.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "nf.h"

/* Sets what the network header knows; returns the transport header's offset. */
static int parse_ipv4(struct nf_packet *packet)
{
	const struct iphdr *ip = ip_hdr(packet->skb);

	/* Defragmented before, but for what a raw socket sends in pieces. */
	if (ip_is_fragment(ip))
		return -1;
	packet->protocol = ip->protocol;
	packet->saddr = &ip->saddr;
	packet->daddr = &ip->daddr;
	return skb_network_offset(packet->skb) + ip_hdrlen(packet->skb);
}

static int parse_ipv6(struct nf_packet *packet)
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
	return offset;
}

/* For who follows the stream. */
static void take_segment(struct nf_packet *packet, const struct tcphdr *tcp)
{
	const struct sk_buff *skb = packet->skb;

	packet->is_segment = true;
	packet->has_ack = tcp->ack;
	packet->ack = ntohl(tcp->ack_seq);
	packet->tcp = (struct nf_segment_header) {
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

static int parse_tcp(struct nf_packet *packet, int offset)
{
	struct tcphdr buffer;
	const struct tcphdr *tcp;

	tcp = skb_header_pointer(packet->skb, offset, sizeof(buffer), &buffer);
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
	take_segment(packet, tcp);
	return packet->len > 0;
}

static int parse_udp(struct nf_packet *packet, int offset)
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
	/* What is behind the datagram never reaches the receiver. */
	len = ntohs(udp->len);
	if (len > sizeof(*udp))
		packet->len = min_t(u32, packet->len, len - sizeof(*udp));
	return len != sizeof(*udp);
}

/**
 * nf_packet_parse() - what rules ask of a packet
 * @skb: the packet; its network header is in the linear part
 * @family: AF_INET or AF_INET6
 * @packet: filled in
 *
 * Context: a netfilter hook.
 * Return: 1 where it is TCP or UDP with a payload; 0 where it is not, and there is
 * nothing to judge; -EBADMSG where the headers do not tell, as in a fragment.
 */
int nf_packet_parse(struct sk_buff *skb, u8 family, struct nf_packet *packet)
{
	int offset;

	*packet = (struct nf_packet) { .skb = skb, .family = family };
	offset = family == AF_INET ? parse_ipv4(packet) : parse_ipv6(packet);
	if (offset < 0)
		return -EBADMSG;
	switch (packet->protocol) {
	case IPPROTO_TCP:
		return parse_tcp(packet, offset);
	case IPPROTO_UDP:
		return parse_udp(packet, offset);
	default:
		return 0;
	}
}
