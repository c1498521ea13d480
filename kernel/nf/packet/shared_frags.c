// SPDX-License-Identifier: GPL-2.0
/*
 * Pages that a packet shares with its sender, such as those of a mapped file that was sent
 * by sendfile(2). The sender can write another text to them after this module has judged
 * the packet and before the receiver reads it. So such a packet gets pages of its own before
 * it is judged.
 */
#include <linux/skbuff.h>

#include "shared_frags.h"

/*
 * Can somebody else write to the pages of a packet, those of its list not counted? The back end of
 * Xen only says that it has to give them back, and a guest can write to them until then. A bridge
 * passes such packets on before the kernel copies them, as it does for all other receivers.
 */
static bool is_shared(const struct sk_buff *skb)
{
	return skb_is_nonlinear(skb) && skb_shinfo(skb)->flags & SKBFL_ZEROCOPY_FRAG;
}

/**
 * ugnf_has_shared_frags() - can anybody else still change octets of a packet?
 * @skb: the packet
 *
 * Context: a netfilter hook.
 * Return: whether somebody can; true for a list in a list, because pages there are not looked at.
 */
bool ugnf_has_shared_frags(const struct sk_buff *skb)
{
	const struct sk_buff *part;

	if (!skb_is_nonlinear(skb))
		return false;
	if (is_shared(skb))
		return true;
	skb_walk_frags(skb, part)
		if (is_shared(part) || skb_has_frag_list(part))
			return true;
	return false;
}

static int copy_pages(struct sk_buff *skb)
{
	int err = skb_copy_ubufs(skb, GFP_ATOMIC);

	/* The kernel clears this flag only for pages that it has to give back to their owner. */
	if (!err)
		skb_shinfo(skb)->flags &= ~SKBFL_SHARED_FRAG;
	return err;
}

/* Each member of the list will be a packet again, so each must keep its length. */
static int copy_list(struct sk_buff *skb)
{
	struct sk_buff *part;
	int err = copy_pages(skb);

	skb_walk_frags(skb, part) {
		/* GRO takes no packet that has a list. */
		if (!err && skb_has_frag_list(part))
			err = -EINVAL;
		if (!err && is_shared(part))
			err = copy_pages(part);
	}
	return err;
}

/**
 * ugnf_copy_shared_frags() - copy the shared pages of a packet into pages of its own
 * @skb: the packet; as in all netfilter hooks, there may be clones of it, but nobody else
 *	holds @skb itself
 *
 * The packet keeps its length, its headers and its division into segments (GSO). Clones, such
 * as the one that TCP keeps for a retransmission, keep the shared pages. All pointers into
 * the packet are invalid afterwards, also on failure.
 *
 * Context: a netfilter hook; does not sleep. Allocates as many pages as the payload has.
 * Return: 0; -ENOMEM; -EINVAL where a clone shares a list of packets, or one of them has a list
 * itself; -EFAULT where only a device can read the pages.
 */
int ugnf_copy_shared_frags(struct sk_buff *skb)
{
	if (!skb_has_frag_list(skb))
		return copy_pages(skb);
	if (skb_is_gso(skb) && skb_shinfo(skb)->gso_type & SKB_GSO_FRAGLIST)
		return copy_list(skb);
	return skb_linearize(skb);
}
