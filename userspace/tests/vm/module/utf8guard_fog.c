// SPDX-License-Identifier: GPL-2.0
/*
 * Makes octets unreadable, as they are where hardware keeps them from the kernel. Of the
 * next packets to a port, at one hook of netfilter, data_len says that the last octets of
 * the payload are in fragments of the skb, which has none. The payload check is between
 * two hooks of this module, and the second one restores the skb.
 *
 * With "lent", the pages of the next packets are such as their driver has to give back, and nothing
 * says that somebody else can write to them.
 *
 * With "changed", all of the next packet but the header of IPv4 is in such a page, and its owner
 * writes that port there after the payload check; or before it, with "early". With hook 0, the page
 * is there before defragmentation, and the port is written right after connection tracking.
 *
 * With hook 4, after routing and before connection tracking calls its helper, the header
 * of IPv4 says instead that the packet is the first of several fragments.
 *
 *	echo 9000 >parameters/port; echo 5 >parameters/octets; echo 1 >parameters/packets
 *	cat parameters/packets				0: it has been
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/net_namespace.h>

static unsigned int hook = NF_INET_FORWARD;
module_param(hook, uint, 0644);
MODULE_PARM_DESC(hook,
		 "where: 0 before routing, 1 for input, 2 for forward, 3 for output, 4 after routing");

static ushort port;
module_param(port, ushort, 0644);
MODULE_PARM_DESC(port, "destination port");

static unsigned int octets;
module_param(octets, uint, 0644);
MODULE_PARM_DESC(octets, "how many at the end of a payload cannot be read");

static unsigned int packets;
module_param(packets, uint, 0644);
MODULE_PARM_DESC(packets, "how many from now on, of those with as many octets");

static unsigned int lent;
module_param(lent, uint, 0644);
MODULE_PARM_DESC(lent, "how many from now on have pages that are lent, of those with pages");

static ushort changed;
module_param(changed, ushort, 0644);
MODULE_PARM_DESC(changed, "destination port that is written over that of the next packet");

static bool early;
module_param(early, bool, 0644);
MODULE_PARM_DESC(early, "it is written before the payload check");

/* The page with the header of that packet. */
static struct page *owned;

/* Where the header of TCP, UDP or SCTP is; packets here have no extension headers of IPv6. */
static unsigned int transport(const struct sk_buff *skb, u8 family, u8 *protocol)
{
	if (family == NFPROTO_IPV4) {
		*protocol = ip_hdr(skb)->protocol;
		return skb_network_offset(skb) + ip_hdrlen(skb);
	}
	*protocol = ipv6_hdr(skb)->nexthdr;
	return skb_network_offset(skb) + sizeof(struct ipv6hdr);
}

static unsigned int header(const struct sk_buff *skb, unsigned int offset, u8 protocol)
{
	struct tcphdr buffer;
	const struct tcphdr *tcp;

	switch (protocol) {
	case IPPROTO_TCP:
		tcp = skb_header_pointer(skb, offset, sizeof(buffer), &buffer);
		return tcp ? tcp->doff * 4 : 0;
	case IPPROTO_UDP:
		return sizeof(struct udphdr);
	case IPPROTO_SCTP:
		return 12;
	default:
		return 0;
	}
}

static bool is_chosen(const struct sk_buff *skb, u8 family)
{
	__be16 buffer[2];
	const __be16 *ports;
	unsigned int offset, size;
	u8 protocol;

	offset = transport(skb, family, &protocol);
	size = header(skb, offset, protocol);
	ports = skb_header_pointer(skb, offset, sizeof(buffer), buffer);
	return size && ports && ports[1] == htons(port) && skb->len >= offset + size + octets;
}

static unsigned int falls(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	if (state->hook != hook || !packets || !octets || !is_chosen(skb, state->pf))
		return NF_ACCEPT;
	/* This copies what it shares with a clone before it moves octets. */
	if (skb_linearize(skb))
		return NF_DROP;
	packets--;
	skb->data_len = octets;
	return NF_ACCEPT;
}

static unsigned int lends(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	if (state->hook != hook || !lent || !skb_shinfo(skb)->nr_frags ||
	    !is_chosen(skb, state->pf) || skb_unclone(skb, GFP_ATOMIC))
		return NF_ACCEPT;
	lent--;
	skb_shinfo(skb)->flags &= ~SKBFL_SHARED_FRAG;
	/* No owner has to be told. What a new packet has here is left over from another object. */
	skb_shinfo(skb)->destructor_arg = NULL;
	skb_shinfo(skb)->flags |= SKBFL_ZEROCOPY_ENABLE;
	return NF_ACCEPT;
}

static void write_port(void)
{
	/* It is at the same offset in TCP and in UDP. */
	((struct udphdr *)page_address(owned))->dest = htons(changed);
	put_page(owned);
	owned = NULL;
	changed = 0;
}

static unsigned int lends_all(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	unsigned int at, len;
	u8 protocol;

	if (state->hook != hook || !changed || owned || state->pf != NFPROTO_IPV4 ||
	    !is_chosen(skb, state->pf) || skb_linearize(skb))
		return NF_ACCEPT;
	at = transport(skb, state->pf, &protocol);
	len = skb->len - at;
	owned = alloc_page(GFP_ATOMIC);
	if (!owned)
		return NF_ACCEPT;
	/* Without a checksum, which would not be that of the other port. */
	if (protocol == IPPROTO_UDP)
		((struct udphdr *)(skb->data + at))->check = 0;
	memcpy(page_address(owned), skb->data + at, len);
	skb_trim(skb, at);
	get_page(owned);
	skb_add_rx_frag(skb, 0, owned, 0, len, PAGE_SIZE);
	skb_shinfo(skb)->destructor_arg = NULL;
	skb_shinfo(skb)->flags |= SKBFL_ZEROCOPY_ENABLE;
	if (early)
		write_port();
	return NF_ACCEPT;
}

static unsigned int writes(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	if (owned)
		write_port();
	return NF_ACCEPT;
}

static unsigned int lifts(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	if (skb->data_len && !skb_shinfo(skb)->nr_frags && !skb_has_frag_list(skb))
		skb->data_len = 0;
	return NF_ACCEPT;
}

static unsigned int boundaries(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	if (state->hook != hook || !packets || state->pf != NFPROTO_IPV4 ||
	    !is_chosen(skb, state->pf) || skb_ensure_writable(skb, sizeof(struct iphdr)))
		return NF_ACCEPT;
	packets--;
	ip_hdr(skb)->frag_off |= htons(IP_MF);
	return NF_ACCEPT;
}

#define OPS(num, function, prio) {	\
	.hook = function,		\
	.pf = NFPROTO_INET,		\
	.hooknum = num,			\
	.priority = prio,		\
}

/* The payload check is between them. */
#define BEFORE (NF_IP_PRI_FILTER - 2)
#define AFTER NF_IP_PRI_FILTER

static const struct nf_hook_ops ops[] = {
	OPS(NF_INET_PRE_ROUTING, lends_all, NF_IP_PRI_CONNTRACK_DEFRAG - 1),
	OPS(NF_INET_PRE_ROUTING, writes, NF_IP_PRI_CONNTRACK + 1),
	OPS(NF_INET_LOCAL_IN, falls, BEFORE),
	OPS(NF_INET_LOCAL_IN, lifts, AFTER),
	OPS(NF_INET_FORWARD, falls, BEFORE),
	OPS(NF_INET_FORWARD, lends, BEFORE),
	OPS(NF_INET_FORWARD, lends_all, BEFORE),
	OPS(NF_INET_FORWARD, lifts, AFTER),
	OPS(NF_INET_FORWARD, writes, AFTER),
	OPS(NF_INET_LOCAL_OUT, falls, BEFORE),
	OPS(NF_INET_LOCAL_OUT, lifts, AFTER),
	OPS(NF_INET_POST_ROUTING, boundaries, NF_IP_PRI_LAST - 1),
};

static int __net_init register_hooks(struct net *net)
{
	return nf_register_net_hooks(net, ops, ARRAY_SIZE(ops));
}

static void __net_exit unregister_hooks(struct net *net)
{
	nf_unregister_net_hooks(net, ops, ARRAY_SIZE(ops));
}

static struct pernet_operations namespaces = {
	.init = register_hooks,
	.exit = unregister_hooks,
};

static int __init utf8guard_fog_init(void)
{
	return register_pernet_subsys(&namespaces);
}

static void __exit utf8guard_fog_exit(void)
{
	unregister_pernet_subsys(&namespaces);
}

module_init(utf8guard_fog_init);
module_exit(utf8guard_fog_exit);

MODULE_DESCRIPTION("Test of utf8guard: hide octets of packets from it");
MODULE_LICENSE("GPL");
