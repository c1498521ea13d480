/* SPDX-License-Identifier: GPL-2.0 */
/* Extension headers and options, between the IP header and the transport header. */
#ifndef _UTF8GUARD_NF_HEADERS_H
#define _UTF8GUARD_NF_HEADERS_H

#include <linux/types.h>

struct in6_addr;
struct sk_buff;

/*
 * So many extension headers of a packet are read. Since 7.2, Linux has the same limit. In a list of
 * fragments, each look at a header is a walk through the list, so the limit also bounds the time.
 */
#define UGNF_MAX_HEADERS 12

/**
 * struct ugnf_header - an IPv6 header, and the "next header" field that announces it
 * @at: offset of the header from skb->data
 * @field: offset of the field that announces it, from the network header
 * @kind: the value of that field
 * @before: number of extension headers before it
 */
struct ugnf_header {
	int at;
	unsigned int field;
	u8 kind, before;
};

struct ugnf_header ugnf_header_first(const struct sk_buff *skb);
bool ugnf_header_is_extension(const struct ugnf_header *header);
bool ugnf_header_next(const struct sk_buff *skb, struct ugnf_header *header);
bool ugnf_header_leads_on(const struct sk_buff *skb, const struct ugnf_header *header,
			  struct in6_addr *end);
bool ugnf_headers_lead_on_ipv4(const struct sk_buff *skb, void *end);

#endif /* _UTF8GUARD_NF_HEADERS_H */
