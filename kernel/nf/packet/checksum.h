/* SPDX-License-Identifier: GPL-2.0 */
/* Checksums that are yet to be written into a packet. */
#ifndef _UTF8GUARD_NF_CHECKSUM_H
#define _UTF8GUARD_NF_CHECKSUM_H

#include <linux/types.h>

struct sk_buff;

bool ugnf_checksum_spares_headers(const struct sk_buff *skb, u8 protocol, int transport);
bool ugnf_checksum_is_inner(const struct sk_buff *skb, u8 protocol, int payload);
int ugnf_checksum_write(struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_CHECKSUM_H */
