/* SPDX-License-Identifier: GPL-2.0 */
/* Fragments, gathered for hooks that see them before defragmentation. */
#ifndef _UTF8GUARD_NF_FRAGMENT_H
#define _UTF8GUARD_NF_FRAGMENT_H

#include <linux/types.h>

struct nf_hook_state;
struct sk_buff;

enum ugnf_gathering {
	UGNF_GATHERED,	/* it is whole, as far as that can be */
	UGNF_GATHERING,	/* it was taken: others are missing */
	UGNF_NOT_GATHERED,
};

enum ugnf_gathering ugnf_fragment_gather(struct sk_buff *skb, const struct nf_hook_state *state);
bool ugnf_fragment_settle(struct sk_buff *skb, unsigned int hook);

#endif /* _UTF8GUARD_NF_FRAGMENT_H */
