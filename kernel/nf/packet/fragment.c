// SPDX-License-Identifier: GPL-2.0
/*
 * Fragments: nothing is judged but what they make together. And who receives a packet of
 * IPv6 that was put together must find in it what is judged here. The kernel does not see
 * to that where netfilter puts them together.
 */
#include <linux/bottom_half.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/ipv6_frag.h>
#include <net/netfilter/ipv6/nf_defrag_ipv6.h>

#include "fragment.h"
#include "headers.h"

static bool is_in_chain(const struct sk_buff *skb)
{
	struct ugnf_header header = ugnf_header_first(skb);

	while (header.at < skb_transport_offset(skb))
		if (!ugnf_header_next(skb, &header))
			return false;
	return header.at == skb_transport_offset(skb) && header.field == IP6CB(skb)->nhoff;
}

/*
 * Where headers were before that of the fragment, the kernel goes on after it, but
 * takes what is there for what the first of them is: options, and after them a TCP
 * or UDP that the headers do not lead to. Let it go through all of them again: but
 * for hop-by-hop options, it has not yet. Then good packets arrive, too.
 */
static bool align(struct sk_buff *skb)
{
	struct ugnf_header header = ugnf_header_first(skb);

	if (is_in_chain(skb))
		return true;
	if (header.kind == NEXTHDR_HOP && !ugnf_header_next(skb, &header))
		return false;
	IP6CB(skb)->nhoff = header.field;
	skb_set_transport_header(skb, header.at);
	return true;
}

/* Put together, and a fragment still: another host would put that together, too. */
static bool is_nested(const struct sk_buff *skb)
{
	unsigned int offset = 0;

	return IP6CB(skb)->frag_max_size &&
	       ipv6_find_hdr(skb, &offset, NEXTHDR_FRAGMENT, NULL, NULL) >= 0;
}

/*
 * Whose queues they are: for each hook those of its own, which nobody else has. To the
 * sender of what is never whole, the kernel does not tell that for these.
 */
static u32 user_of_ipv4(unsigned int hook)
{
	return __IP_DEFRAG_CONNTRACK_BRIDGE_IN - hook;
}

static u32 user_of_ipv6(unsigned int hook)
{
	if (hook == NF_INET_LOCAL_IN)
		return IP6_DEFRAG_LOCAL_DELIVER;
	return __IP6_DEFRAG_CONNTRACK_BRIDGE_IN - hook;
}

/* As netfilter does it: where it must go out in fragments again, it may. */
static enum ugnf_gathering gather_ipv4(struct sk_buff *skb, const struct nf_hook_state *state)
{
	int err;

	if (!ip_is_fragment(ip_hdr(skb)))
		return UGNF_GATHERED;
	local_bh_disable();
	err = ip_defrag(state->net, skb, user_of_ipv4(state->hook));
	local_bh_enable();
	if (err)
		return UGNF_GATHERING;
	skb->ignore_df = 1;
	return UGNF_GATHERED;
}

static enum ugnf_gathering gather_ipv6(struct sk_buff *skb, const struct nf_hook_state *state)
{
	int err = nf_ct_frag6_gather(state->net, skb, user_of_ipv6(state->hook));

	if (err == -EINPROGRESS)
		return UGNF_GATHERING;
	return err ? UGNF_NOT_GATHERED : UGNF_GATHERED;
}

/**
 * ugnf_fragment_gather() - put together what the kernel has not
 * @skb: whose ports are not known, for it may be a fragment
 * @state: of the hook
 *
 * The kernel leaves fragments alone that it was told not to track, and of IPv4 those that
 * a socket sends with IP_NODEFRAG. Fragments of IPv6 that it tracked when they went out as
 * one, of a host to itself, it puts together only after us. Any user can send these, so it
 * is done here.
 *
 * Context: a netfilter hook; does not sleep.
 * Return: UGNF_GATHERED to go on; where others are missing, the packet is not the caller's
 * any more.
 */
enum ugnf_gathering ugnf_fragment_gather(struct sk_buff *skb, const struct nf_hook_state *state)
{
	if (state->pf == NFPROTO_IPV4)
		return gather_ipv4(skb, state);
	return gather_ipv6(skb, state);
}

/**
 * ugnf_fragment_settle() - let the receiver see the headers that are seen here
 * @skb: of IPv6; what can be put together has been
 * @hook: NF_INET_LOCAL_IN, where the kernel will take it apart, or another
 *
 * Context: a netfilter hook; does not sleep.
 * Return: true; false where it does not, and the packet must not go on.
 */
bool ugnf_fragment_settle(struct sk_buff *skb, unsigned int hook)
{
	return !is_nested(skb) && (hook != NF_INET_LOCAL_IN || align(skb));
}
