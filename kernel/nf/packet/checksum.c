// SPDX-License-Identifier: GPL-2.0
/*
 * Checksums that are yet to be written into a packet (CHECKSUM_PARTIAL). The kernel or a device
 * writes one when the packet leaves this host, which is after it was judged.
 *
 * Nearly always it belongs into the transport header, where no rule looks at it. A tunnel in UDP
 * leaves the checksum of the inner packet to be written, which is payload here. But a virtual
 * machine, or a packet socket with PACKET_VNET_HDR, can name any two octets of its packet, and so
 * have them replaced by what its other octets sum up to.
 */
#include <linux/in.h>
#include <linux/sctp.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#include "checksum.h"

/**
 * ugnf_checksum_is_inner() - is a checksum yet to be written into the payload?
 * @skb: the packet
 * @protocol: IPPROTO_UDP; no other one has such packets
 * @payload: offset of the payload from skb->data
 *
 * Context: a netfilter hook.
 * Return: whether it is. It sums up octets of the payload alone.
 */
bool ugnf_checksum_is_inner(const struct sk_buff *skb, u8 protocol, int payload)
{
	return skb->ip_summed == CHECKSUM_PARTIAL && protocol == IPPROTO_UDP &&
	       skb_checksum_start_offset(skb) >= payload;
}

/**
 * ugnf_checksum_spares_headers() - will the checksum change nothing by which rules are found?
 * @skb: a packet whose checksum is yet to be written
 * @protocol: its protocol
 * @transport: offset of the transport header from skb->data
 *
 * Context: a netfilter hook.
 * Return: false where it will be written to other headers than it belongs to, as no honest sender
 * asks for.
 */
bool ugnf_checksum_spares_headers(const struct sk_buff *skb, u8 protocol, int transport)
{
	int start = skb_checksum_start_offset(skb), at = start + skb->csum_offset;

	switch (protocol) {
	case IPPROTO_TCP:
		return at == transport + offsetof(struct tcphdr, check);
	case IPPROTO_SCTP:
		return at == transport + offsetof(struct sctphdr, checksum);
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
		return at == transport + offsetof(struct udphdr, check) ||
		       ugnf_checksum_is_inner(skb, protocol, transport + sizeof(struct udphdr));
	default:
		/* Other tunnels, in which nothing is judged. */
		return start >= transport;
	}
}

/**
 * ugnf_checksum_write() - write the checksum of an inner packet now
 * @skb: a packet with such a checksum, which is not to be divided (GSO)
 *
 * The kernel or the device would have written the same. All pointers into the packet are invalid
 * afterwards, also on failure.
 *
 * Context: a netfilter hook; does not sleep. Reads all of the inner packet.
 * Return: 0; or -ENOMEM, -EINVAL, -EFAULT where that cannot be done.
 */
int ugnf_checksum_write(struct sk_buff *skb)
{
	int at = skb_checksum_start_offset(skb) + skb->csum_offset;

	/* The kernel warns if the checksum is outside of the linear part. */
	if (!pskb_may_pull(skb, at + sizeof(__sum16)))
		return -EINVAL;
	return skb_csum_hwoffload_help(skb, 0);
}
