/* SPDX-License-Identifier: GPL-2.0 */
/* Pages that the sender may still write to. */
#ifndef _UTF8GUARD_NF_PAGES_H
#define _UTF8GUARD_NF_PAGES_H

#include <linux/types.h>

struct sk_buff;

bool nf_pages_shared(const struct sk_buff *skb);
int nf_pages_own(struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_PAGES_H */
