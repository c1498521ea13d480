// SPDX-License-Identifier: GPL-2.0
/* The conntrack of a packet that connection tracking finds invalid. */
#include <linux/netfilter.h>
#include <linux/skbuff.h>
#include <net/netfilter/nf_conntrack.h>
#include <net/netfilter/nf_conntrack_core.h>
#include <net/netfilter/nf_conntrack_zones.h>

#include "conntrack.h"
#include "packet.h"

/**
 * ugnf_conntrack_of_invalid() - the conntrack of a packet that connection tracking finds invalid
 * @packet: the packet, parsed, at a hook of ours
 * @direction: set to enum ip_conntrack_dir of the packet, if there is one
 *
 * The kernel gives such a packet no conntrack, and its receiver may take it all the same. It is
 * looked up by addresses and ports, in the default zone.
 *
 * Context: a netfilter hook, under rcu_read_lock().
 * Return: the conntrack, with a reference; NULL if there is none, and for all other packets.
 */
struct nf_conn *ugnf_conntrack_of_invalid(const struct ugnf_packet *packet, u8 *direction)
{
	struct net *net = packet->state->net;
	struct nf_conntrack_tuple_hash *found;
	struct nf_conntrack_tuple tuple;
	enum ip_conntrack_info info;

	if (nf_ct_get(packet->skb, &info) || info == IP_CT_UNTRACKED ||
	    ugnf_packet_is_misread(packet))
		return NULL;
	if (!nf_ct_get_tuplepr(packet->skb, skb_network_offset(packet->skb), packet->family, net,
			       &tuple))
		return NULL;
	found = nf_conntrack_find_get(net, &nf_ct_zone_dflt, &tuple);
	if (!found)
		return NULL;
	*direction = NF_CT_DIRECTION(found);
	return nf_ct_tuplehash_to_ctrack(found);
}
