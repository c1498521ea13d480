// SPDX-License-Identifier: GPL-2.0
/*
 * The source and destination addresses that a rule is for: each is all addresses, a network, or
 * a set of networks. A set has at least two networks, and there is only one way to write it. So
 * rules for the same addresses are equal octet by octet.
 */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <net/genetlink.h>

#include "../netlink_gen.h"
#include "index.h"
#include "networks.h"
#include "refuse.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

/* Where addresses are in a request. */
struct network_attrs {
	int addr, prefix, network;
};

static const struct network_attrs source_attrs = {
	ATTR(SADDR), ATTR(SADDR_PREFIX), ATTR(SADDR_NETWORK)
};

static const struct network_attrs destination_attrs = {
	ATTR(DADDR), ATTR(DADDR_PREFIX), ATTR(DADDR_NETWORK)
};

static unsigned int octets_of(u8 family)
{
	return family == AF_INET ? 4 : 16;
}

static void set_mask(struct ugnf_prefix *prefix)
{
	unsigned int bits = prefix->len, i;

	memset(prefix->mask, 0, sizeof(prefix->mask));
	for (i = 0; i < ARRAY_SIZE(prefix->mask) && bits; i++) {
		unsigned int n = min(bits, 32U);

		prefix->mask[i] = (__force u32)htonl(~0U << (32 - n));
		bits -= n;
	}
}

/* Bits set after the prefix are a typing error. */
static bool host_bits(const struct ugnf_prefix *prefix)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(prefix->mask); i++)
		if (prefix->addr[i] & ~prefix->mask[i])
			return true;
	return false;
}

/* @prefix: all zeroes; filled in with the network of @addr and @len, which may be NULL */
static int parse_network(struct genl_info *info, const struct nlattr *addr,
			 const struct nlattr *len, u8 family, struct ugnf_prefix *prefix)
{
	unsigned int octets = octets_of(family);

	if (!family)
		return ugnf_refuse_at(info, addr, "a rule with an address needs a family");
	if (nla_len(addr) != octets)
		return ugnf_refuse_at(info, addr, "the address is of the other family");
	prefix->len = len ? nla_get_u8(len) : octets * 8;
	if (prefix->len > octets * 8)
		return ugnf_refuse_at(info, len, "the prefix is longer than the address");
	memcpy(prefix->addr, nla_data(addr), octets);
	set_mask(prefix);
	if (host_bits(prefix))
		return ugnf_refuse_at(info, addr, "the address has bits set after its prefix");
	return 0;
}

/* Are two networks the two halves of a network whose prefix is one bit shorter? */
static bool make_up_one(const struct ugnf_prefix *a, const struct ugnf_prefix *b)
{
	struct ugnf_prefix both = *a;

	if (a->len != b->len || !a->len)
		return false;
	both.len--;
	set_mask(&both);
	return ugnf_prefix_fits(&both, b->addr);
}

/* Reads the next network of a set; networks come in ascending order. */
static int parse_member(struct genl_info *info, const struct nlattr *attr, u8 family,
			struct ugnf_network_set *set)
{
	struct nlattr *tb[UTF8GUARD_NF_A_NETWORK_MAX + 1];
	struct ugnf_prefix *prefix = &set->networks[set->count];
	int err;

	if (set->count == UGNF_MAX_NETWORKS)
		return ugnf_refuse_at(info, attr, "a set has 64 networks at most");
	err = nla_parse_nested(tb, UTF8GUARD_NF_A_NETWORK_MAX, attr,
			       utf8guard_nf_network_nl_policy, info->extack);
	if (err)
		return err;
	if (!tb[UTF8GUARD_NF_A_NETWORK_ADDRESS])
		return ugnf_refuse_at(info, attr, "the address of the network is missing");
	err = parse_network(info, tb[UTF8GUARD_NF_A_NETWORK_ADDRESS],
			    tb[UTF8GUARD_NF_A_NETWORK_PREFIX], family, prefix);
	if (err)
		return err;
	/* In ascending order, a network that contains another one comes before it. */
	if (set->count && (ugnf_prefix_order(&prefix[-1], prefix->addr) <= 0 ||
			   make_up_one(&prefix[-1], prefix)))
		return ugnf_refuse_at(info, attr,
				      "networks must ascend, with none inside another and no two that make up one");
	set->count++;
	return 0;
}

static int parse_members(struct genl_info *info, int type, u8 family,
			 struct ugnf_network_set *set)
{
	const struct nlattr *attr;
	int left, err = 0;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, left) {
		if (nla_type(attr) == type)
			err = parse_member(info, attr, family, set);
		if (err)
			break;
	}
	return err;
}

/* Sets @hull to the smallest network that contains a set with these first and last networks. */
static void span(struct ugnf_prefix *hull, const struct ugnf_prefix *first,
		 const struct ugnf_prefix *last)
{
	unsigned int i;

	memcpy(hull, first, sizeof(*hull));
	while (!ugnf_prefix_fits(hull, last->addr)) {
		hull->len--;
		set_mask(hull);
	}
	for (i = 0; i < ARRAY_SIZE(hull->addr); i++)
		hull->addr[i] &= hull->mask[i];
}

static int keep_set(const struct ugnf_network_set *all, struct ugnf_prefix *hull,
		    const struct ugnf_network_set **set)
{
	span(hull, &all->networks[0], &all->networks[all->count - 1]);
	if (all->count == 1)
		return 0;
	*set = kmemdup(all, struct_size(all, networks, all->count), GFP_KERNEL_ACCOUNT);
	return *set ? 0 : -ENOMEM;
}

static int parse_set(struct genl_info *info, const struct network_attrs *at, u8 family,
		     struct ugnf_prefix *hull, const struct ugnf_network_set **set)
{
	struct ugnf_network_set *all;
	int err;

	if (info->attrs[at->addr] || info->attrs[at->prefix])
		return ugnf_refuse(info, at->network,
				   "addresses are one network or a set of them, not both");
	all = kzalloc(struct_size(all, networks, UGNF_MAX_NETWORKS), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	err = parse_members(info, at->network, family, all) ?: keep_set(all, hull, set);
	kfree(all);
	return err;
}

static int parse_side(struct genl_info *info, const struct network_attrs *at, u8 family,
		      struct ugnf_prefix *prefix, const struct ugnf_network_set **set)
{
	const struct nlattr *addr = info->attrs[at->addr], *len = info->attrs[at->prefix];

	if (info->attrs[at->network])
		return parse_set(info, at, family, prefix, set);
	prefix->any = !addr;
	if (!addr)
		return len ? ugnf_refuse_at(info, len, "a prefix length needs an address") : 0;
	return parse_network(info, addr, len, family, prefix);
}

/**
 * ugnf_networks_parse() - read from a request which addresses a rule is for
 * @fields: the family is set, the addresses are all zeroes; to be released in any case
 * @info: the request; its extack is told what is wrong
 *
 * Context: process context; may sleep.
 * Return: 0, -EINVAL or -ENOMEM; of malformed attributes, errors of nla_parse_nested().
 */
int ugnf_networks_parse(struct ugnf_fields *fields, struct genl_info *info)
{
	return parse_side(info, &source_attrs, fields->family, &fields->saddr,
			  &fields->saddrs) ?:
	       parse_side(info, &destination_attrs, fields->family, &fields->daddr,
			  &fields->daddrs);
}

/* Frees the sets. */
void ugnf_networks_release(const struct ugnf_fields *fields)
{
	kfree(fields->saddrs);
	kfree(fields->daddrs);
}

static size_t size_of(const struct ugnf_network_set *set)
{
	return array_size(set->count, sizeof(set->networks[0]));
}

static u32 hash_set(const struct ugnf_network_set *set, u32 hash)
{
	return set ? jhash(set->networks, size_of(set), hash) : hash;
}

/* A hash of the sets alone. */
u32 ugnf_networks_hash(const struct ugnf_fields *fields, u32 hash)
{
	return hash_set(fields->saddrs, hash_set(fields->daddrs, hash));
}

static bool same_set(const struct ugnf_network_set *a, const struct ugnf_network_set *b)
{
	if (!a || !b)
		return a == b;
	return a->count == b->count && !memcmp(a->networks, b->networks, size_of(a));
}

/* Are the sets of both rules the same? */
bool ugnf_networks_same(const struct ugnf_fields *a, const struct ugnf_fields *b)
{
	return same_set(a->saddrs, b->saddrs) && same_set(a->daddrs, b->daddrs);
}

static int put_member(struct sk_buff *skb, int attr, u8 family, const struct ugnf_prefix *prefix)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put(skb, UTF8GUARD_NF_A_NETWORK_ADDRESS, octets_of(family), prefix->addr) ||
	    nla_put_u8(skb, UTF8GUARD_NF_A_NETWORK_PREFIX, prefix->len)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/* A set is sent without @prefix: a client that does not know sets would take that for the set. */
static int put_side(struct sk_buff *skb, const struct network_attrs *at, u8 family,
		    const struct ugnf_prefix *prefix, const struct ugnf_network_set *set)
{
	u32 i;

	for (i = 0; set && i < set->count; i++)
		if (put_member(skb, at->network, family, &set->networks[i]))
			return -EMSGSIZE;
	if (set || prefix->any)
		return 0;
	return nla_put(skb, at->addr, octets_of(family), prefix->addr) ?:
	       nla_put_u8(skb, at->prefix, prefix->len);
}

/* Puts the addresses as attributes; -EMSGSIZE where they do not fit in the message. */
int ugnf_networks_put(const struct ugnf_fields *fields, struct sk_buff *skb)
{
	return put_side(skb, &source_attrs, fields->family, &fields->saddr, fields->saddrs) ?:
	       put_side(skb, &destination_attrs, fields->family, &fields->daddr,
			fields->daddrs);
}
