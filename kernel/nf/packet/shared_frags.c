// SPDX-License-Identifier: GPL-2.0
/*
 * Pages that a packet shares with its sender, as those of a file that was sent by
 * sendfile(2) and is mapped: what is in them may be another text by the time that the
 * receiver reads it, and nothing that was found of it holds. Pages of its own cannot be
 * changed after us.
 */
#include <linux/skbuff.h>

#include "shared_frags.h"

/**
 * ugnf_has_shared_frags() - may anyone still change octets of a packet?
 * @skb: the packet
 *
 * Context: a netfilter hook.
 */
bool ugnf_has_shared_frags(const struct sk_buff *skb)
{
	const struct sk_buff *part;

	if (!skb_is_nonlinear(skb))
		return false;
	if (skb_has_shared_frag(skb))
		return true;
	skb_walk_frags(skb, part)
		if (skb_has_shared_frag(part))
			return true;
	return false;
}

static int copy_pages(struct sk_buff *skb)
{
	int err = skb_copy_ubufs(skb, GFP_ATOMIC);

	/* The kernel leaves this where the pages are not to be given back to anyone. */
	if (!err)
		skb_shinfo(skb)->flags &= ~SKBFL_SHARED_FRAG;
	return err;
}

/* Where each of the list is to be a packet again, it must stay as long as it is. */
static int copy_list(struct sk_buff *skb)
{
	struct sk_buff *part;
	int err = copy_pages(skb);

	skb_walk_frags(skb, part)
		if (!err && skb_has_shared_frag(part))
			err = copy_pages(part);
	return err;
}

/**
 * ugnf_copy_shared_frags() - give a packet octets that nobody else can change
 * @skb: the packet; as in all netfilter hooks, others may have clones of it, but not it
 *
 * Its length, its headers and what is said of its segments stay as they are. Clones,
 * such as what TCP keeps to send it again, keep the shared pages. All pointers into the
 * packet are void, also on failure.
 *
 * Context: a netfilter hook; does not sleep. Takes as much memory as there is payload
 * in pages.
 * Return: 0; -ENOMEM; -EINVAL where a list of packets is shared with a clone; -EFAULT
 * where a device alone can read the pages.
 */
int ugnf_copy_shared_frags(struct sk_buff *skb)
{
	if (!skb_has_frag_list(skb))
		return copy_pages(skb);
	if (skb_is_gso(skb) && skb_shinfo(skb)->gso_type & SKB_GSO_FRAGLIST)
		return copy_list(skb);
	return skb_linearize(skb);
}
