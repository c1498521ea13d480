/* SPDX-License-Identifier: GPL-2.0 */
/* Which requests for rules are carried out, where users make them. */
#ifndef _UTF8GUARD_NF_ADMISSION_H
#define _UTF8GUARD_NF_ADMISSION_H

#include <linux/atomic.h>
#include <linux/types.h>

struct net;
struct nlmsghdr;
struct sk_buff;

bool ugnf_request_is_later(const struct sk_buff *skb, const struct nlmsghdr *nlh,
			   const struct net *net);
bool ugnf_datagram_is_over(struct sk_buff *skb, const struct net *net);
atomic_t *ugnf_request_begin(const struct net *net);
void ugnf_request_end(atomic_t *slot);

#endif /* _UTF8GUARD_NF_ADMISSION_H */
