/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of fragments in lists. A tunnel can come in fragments, and what comes out of it can be
 * fragments again: then members of the list of fragments have lists themselves. skb_seq_read() does
 * not look into these; it takes what is after them for their octets. skb_copy_bits() does, and so
 * do receivers.
 */
#ifndef _UTF8GUARD_NF_NESTED_LIST_H
#define _UTF8GUARD_NF_NESTED_LIST_H

#include <linux/skbuff.h>

/**
 * ugnf_has_nested_list() - has a packet a list of fragments in its list of fragments?
 * @skb: the packet
 *
 * Context: a netfilter hook. Looks at each member of the list, if there is one.
 * Return: whether it has. skb_linearize() makes it one piece.
 */
static inline bool ugnf_has_nested_list(const struct sk_buff *skb)
{
	const struct sk_buff *part;

	if (!skb_is_nonlinear(skb))
		return false;
	skb_walk_frags(skb, part)
		if (skb_has_frag_list(part))
			return true;
	return false;
}

#endif /* _UTF8GUARD_NF_NESTED_LIST_H */
