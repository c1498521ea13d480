// SPDX-License-Identifier: GPL-2.0
/*
 * Fragments. A packet is judged only when all of its fragments have been put together.
 *
 * The receiver of an IPv6 packet must find the same transport header in it as this module
 * does. The kernel does not ensure that where netfilter has put the packet together, so
 * ugnf_fragment_settle() does.
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

/* Do the extension headers lead to the offset at which the kernel will go on? */
static bool is_in_chain(const struct sk_buff *skb)
{
	struct ugnf_header header = ugnf_header_first(skb);

	while (header.at < skb_transport_offset(skb))
		if (!ugnf_header_next(skb, &header))
			return false;
	return header.at == skb_transport_offset(skb) && header.field == IP6CB(skb)->nhoff;
}

/*
 * Where extension headers precede the fragment header, the kernel goes on after the fragment
 * header, but takes the type of what is there from the first extension header. It would read
 * that as options, and then find a TCP or UDP header to which the headers do not lead. So
 * make the kernel go through all extension headers again, but for the hop-by-hop options,
 * the only ones that it has read before this hook. Well-formed packets then arrive, too.
 *
 * Return: false where the headers cannot be read.
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

/* Does a packet that was put together have another fragment header? A receiver might obey it. */
static bool is_nested(const struct sk_buff *skb)
{
	struct ugnf_header header = ugnf_header_first(skb);

	if (!IP6CB(skb)->frag_max_size)
		return false;
	while (header.kind != NEXTHDR_FRAGMENT)
		if (!ugnf_header_next(skb, &header))
			return false;
	return true;
}

/*
 * The kernel has a queue of fragments for each "user". Each hook has a user of its own, which
 * nothing else in the kernel takes. For these, the kernel sends no ICMP error when fragments
 * stay away.
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

/* Like netfilter, allow that the packet is divided into fragments again when it is sent. */
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
 * ugnf_fragment_gather() - put fragments together that the kernel has left as they are
 * @skb: a packet whose ports could not be read, which may be a fragment
 * @state: the state of the hook
 *
 * The kernel does not put together fragments that it was told not to track (NOTRACK), nor
 * IPv4 fragments of a socket with IP_NODEFRAG. A host that sends IPv6 fragments to itself
 * puts them together after our hooks, if it tracked them as one packet on their way out.
 * Any user can send all of these, so this function puts them together.
 *
 * Context: a netfilter hook; does not sleep.
 * Return: what has become of @skb; with UGNF_GATHERING it no longer belongs to the caller.
 */
enum ugnf_gathering ugnf_fragment_gather(struct sk_buff *skb, const struct nf_hook_state *state)
{
	if (state->pf == NFPROTO_IPV4)
		return gather_ipv4(skb, state);
	return gather_ipv6(skb, state);
}

/**
 * ugnf_fragment_settle() - make the receiver see the headers that this module sees
 * @skb: an IPv6 packet, put together where that is possible
 * @hook: the hook; only at NF_INET_LOCAL_IN does this host read the headers next
 *
 * Context: a netfilter hook; does not sleep.
 * Return: false where the receiver would see others: the packet must not go on.
 */
bool ugnf_fragment_settle(struct sk_buff *skb, unsigned int hook)
{
	return !is_nested(skb) && (hook != NF_INET_LOCAL_IN || align(skb));
}
