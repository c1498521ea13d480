/* SPDX-License-Identifier: GPL-2.0 */
/* Pages of a packet to which its sender may still write. */
#ifndef _UTF8GUARD_NF_SHARED_FRAGS_H
#define _UTF8GUARD_NF_SHARED_FRAGS_H

#include <linux/types.h>

struct sk_buff;

bool ugnf_has_shared_frags(const struct sk_buff *skb);
int ugnf_copy_shared_frags(struct sk_buff *skb);

#endif /* _UTF8GUARD_NF_SHARED_FRAGS_H */
