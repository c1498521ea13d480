/* SPDX-License-Identifier: GPL-2.0 */
/* Headers between that of IP and that of the transport. */
#ifndef _UTF8GUARD_NF_HEADERS_H
#define _UTF8GUARD_NF_HEADERS_H

#include <linux/types.h>

struct in6_addr;
struct sk_buff;

/**
 * struct ugnf_header - a header of IPv6, and where that is said
 * @at: its offset from skb->data
 * @field: offset of the field that names it, from the network header
 * @kind: what that field says
 */
struct ugnf_header {
	int at;
	unsigned int field;
	u8 kind;
};

struct ugnf_header ugnf_header_first(const struct sk_buff *skb);
bool ugnf_header_next(const struct sk_buff *skb, struct ugnf_header *header);
bool ugnf_headers_lead_on_ipv4(const struct sk_buff *skb, void *end);
bool ugnf_headers_lead_on_ipv6(const struct sk_buff *skb, struct in6_addr *end);

#endif /* _UTF8GUARD_NF_HEADERS_H */
