// SPDX-License-Identifier: GPL-2.0
/*
 * Extension headers and options, and the last address to which they lead a packet.
 *
 * The destination in the IP header is only the next hop of a packet that carries a source
 * route: a routing header of IPv6 (RFC 8754 for segment routing, RFC 6554, RFC 6275), or an
 * option of IPv4 (RFC 791). The route lists the addresses after that. A host that owns several
 * of these addresses goes from one to the next and does not ask netfilter again; its
 * application receives the packet at the last one. So rules must match the last address, too.
 */
#include <linux/in6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "headers.h"

/* Types of routing headers; the kernel has no constants for some of them. */
#define ROUTE_SOURCE 0	/* RFC 2460: Linux ignores it today, other hosts may not */
#define ROUTE_HOME 2	/* RFC 6275 section 6.4 */
#define ROUTE_RPL 3	/* RFC 6554 section 3 */
#define ROUTE_SEGMENTS 4	/* RFC 8754 section 2 */

/* The first 8 octets of a routing header: the same for all types, but for the last four. */
struct route {
	u8 next, len, type, left, a, b, c, d;
};

/* The first header after the fixed IPv6 header. */
struct ugnf_header ugnf_header_first(const struct sk_buff *skb)
{
	return (struct ugnf_header) {
		.at = skb_network_offset(skb) + sizeof(struct ipv6hdr),
		.field = offsetof(struct ipv6hdr, nexthdr),
		.kind = ipv6_hdr(skb)->nexthdr,
	};
}

static int length_of(u8 kind, const struct ipv6_opt_hdr *header)
{
	switch (kind) {
	case NEXTHDR_FRAGMENT:
		return sizeof(struct frag_hdr);
	case NEXTHDR_AUTH:
		return ipv6_authlen(header);
	default:
		return ipv6_optlen(header);
	}
}

/* Is it an extension header, after which there is another header? */
bool ugnf_header_is_extension(const struct ugnf_header *header)
{
	return ipv6_ext_hdr(header->kind) && header->kind != NEXTHDR_NONE;
}

/**
 * ugnf_header_next() - go on to the next header
 * @skb: an IPv6 packet
 * @header: one of its headers; changed to the next one
 *
 * Return: false, and @header unchanged, where it is no extension header, cannot be read, or is one
 * more than UGNF_MAX_HEADERS.
 */
bool ugnf_header_next(const struct sk_buff *skb, struct ugnf_header *header)
{
	struct ipv6_opt_hdr buffer;
	const struct ipv6_opt_hdr *found;
	int len;

	if (!ugnf_header_is_extension(header) || header->before == UGNF_MAX_HEADERS)
		return false;
	found = skb_header_pointer(skb, header->at, sizeof(buffer), &buffer);
	if (!found)
		return false;
	len = length_of(header->kind, found);
	if (skb->len - header->at < len)
		return false;
	header->field = header->at - skb_network_offset(skb);
	header->at += len;
	header->kind = found->nexthdr;
	header->before++;
	return true;
}

/*
 * The last address of a route of RFC 6554. The header leaves out the first octets that this
 * address has in common with the destination, so @end must hold the destination at first.
 */
static bool end_of_rpl(const struct sk_buff *skb, u32 at, const struct route *route,
		       struct in6_addr *end)
{
	u32 same = route->a & 15, padding = route->b >> 4;
	u32 len = route->len * 8, own = sizeof(*end) - same;

	if (len < padding + own)
		return false;
	return !skb_copy_bits(skb, at + sizeof(*route) + len - padding - own,
			      &end->s6_addr[same], own);
}

/*
 * The last address of a routing header. Changes @end, the address so far, only if the route
 * goes on after it, and returns whether it does.
 */
static bool end_of(const struct sk_buff *skb, u32 at, const struct route *route,
		   struct in6_addr *end)
{
	u32 last = route->len / 2;

	if (!route->left)
		return false;
	if (route->type == ROUTE_RPL)
		return end_of_rpl(skb, at, route, end);
	if (!last)
		return false;
	switch (route->type) {
	case ROUTE_SEGMENTS:
		/* The list is in the opposite order: the last address comes first. */
		last = 1;
		break;
	case ROUTE_SOURCE:
	case ROUTE_HOME:
		break;
	default:
		return false;
	}
	return !skb_copy_bits(skb, at + sizeof(*route) + (last - 1) * sizeof(*end), end,
			      sizeof(*end));
}

/**
 * ugnf_header_leads_on() - does a header lead a packet to another address?
 * @skb: an IPv6 packet
 * @header: one of its headers
 * @end: the last address so far, the destination at first; changed to the one of this header
 *
 * Context: a netfilter hook.
 * Return: whether it is a routing header that does.
 */
bool ugnf_header_leads_on(const struct sk_buff *skb, const struct ugnf_header *header,
			  struct in6_addr *end)
{
	struct route buffer;
	const struct route *route;

	if (header->kind != NEXTHDR_ROUTING)
		return false;
	route = skb_header_pointer(skb, header->at, sizeof(buffer), &buffer);
	return route && end_of(skb, header->at, route, end);
}

/* The last address of a source route option. Its pointer counts octets of the option from 1. */
static bool end_of_option(const struct sk_buff *skb, u32 at, u8 len, void *end)
{
	u8 pointer;

	if (len < 7 || skb_copy_bits(skb, at + 2, &pointer, 1) || pointer + 3 > len)
		return false;
	return !skb_copy_bits(skb, at + len - 4, end, 4);
}

/**
 * ugnf_headers_lead_on_ipv4() - does a source route lead a packet to another address?
 * @skb: an IPv4 packet
 * @end: set to the last address, 4 octets, if so
 *
 * Context: a netfilter hook.
 * Return: whether it does.
 */
bool ugnf_headers_lead_on_ipv4(const struct sk_buff *skb, void *end)
{
	u32 at = skb_network_offset(skb) + sizeof(struct iphdr);
	u32 after = skb_network_offset(skb) + ip_hdrlen(skb);

	while (at < after) {
		u8 option[2];

		if (skb_copy_bits(skb, at, option, 1) || option[0] == IPOPT_END)
			return false;
		if (option[0] == IPOPT_NOOP) {
			at++;
			continue;
		}
		if (skb_copy_bits(skb, at, option, 2) || option[1] < 2 || option[1] > after - at)
			return false;
		if (option[0] == IPOPT_LSRR || option[0] == IPOPT_SSRR)
			return end_of_option(skb, at, option[1], end);
		at += option[1];
	}
	return false;
}
