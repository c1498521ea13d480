/* SPDX-License-Identifier: GPL-2.0 */
/* Fragments that reach a hook before the kernel has put them together. */
#ifndef _UTF8GUARD_NF_FRAGMENT_H
#define _UTF8GUARD_NF_FRAGMENT_H

#include <linux/types.h>

struct nf_hook_state;
struct sk_buff;

/**
 * enum ugnf_gathering - what has become of a packet that may be a fragment
 * @UGNF_GATHERED: it is a whole packet now, or was one before
 * @UGNF_GATHERING: the kernel keeps it until the other fragments have come
 * @UGNF_NOT_GATHERED: it is a fragment, and the kernel cannot put it together
 */
enum ugnf_gathering {
	UGNF_GATHERED,
	UGNF_GATHERING,
	UGNF_NOT_GATHERED,
};

enum ugnf_gathering ugnf_fragment_gather(struct sk_buff *skb, const struct nf_hook_state *state);
bool ugnf_fragment_settle(struct sk_buff *skb, unsigned int hook);

#endif /* _UTF8GUARD_NF_FRAGMENT_H */
