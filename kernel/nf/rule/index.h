/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding the first rule for a packet at a cost that does not grow with rules
 * that differ in ports or addresses. Pure C; see index.c.
 */
#ifndef _UTF8GUARD_NF_INDEX_H
#define _UTF8GUARD_NF_INDEX_H

#include <linux/utf8guard.h>

#define UGNF_NO_POSITION 0xffffffffU

/* A range of ports, both ends included, in host order. */
struct ugnf_ports {
	u16 min, max;
};

/* The most ranges of a set; multiport of iptables has 15. */
#define UGNF_MAX_PORT_RANGES 16

/**
 * struct ugnf_port_set - ports that are not all in one range
 * @count: number of ranges, at least 2
 * @ranges: in ascending order, with a port between any two
 */
struct ugnf_port_set {
	u32 count;
	struct ugnf_ports ranges[];
};

/**
 * struct ugnf_prefix - addresses that begin alike
 * @addr: octets as in a packet; an IPv4 address is the first word
 * @mask: of the bits that count
 * @len: the number of these bits
 * @any: no address was given
 */
struct ugnf_prefix {
	u32 addr[4], mask[4];
	u8 len;
	bool any;
};

/* The most networks of a set. */
#define UGNF_MAX_NETWORKS 64

/**
 * struct ugnf_network_set - addresses that are not all of one network
 * @count: number of networks, at least 2
 * @networks: of one family; they ascend, none is in another, and no two make up one
 */
struct ugnf_network_set {
	u32 count;
	struct ugnf_prefix networks[];
};

/**
 * struct ugnf_fields - what the index knows of a rule
 * @hook: enum utf8guard_nf_hook
 * @family: AF_INET, AF_INET6, or 0 for both
 * @protocol: IPPROTO_TCP, _UDP, _SCTP or _UDPLITE
 * @more: there are conditions beside these
 * @sport: source ports, from the lowest to the highest
 * @dport: destination ports
 * @saddr: source addresses, or the shortest network that has all of them
 * @daddr: destination addresses
 * @sports: which of the ports in @sport the rule is for, or NULL for all of them
 * @dports: the same for @dport
 * @saddrs: which of the addresses in @saddr the rule is for, or NULL for all of them
 * @daddrs: the same for @daddr
 */
struct ugnf_fields {
	u8 hook, family, protocol;
	bool more;
	struct ugnf_ports sport, dport;
	struct ugnf_prefix saddr, daddr;
	const struct ugnf_port_set *sports, *dports;
	const struct ugnf_network_set *saddrs, *daddrs;
};

/* The same fields of a packet. The words after an IPv4 address are not looked at. */
struct ugnf_key {
	u8 hook, family, protocol;
	u16 sport, dport;
	u32 saddr[4], daddr[4];
};

static inline bool ugnf_port_fits(const struct ugnf_ports *ports, u16 port)
{
	return port >= ports->min && port <= ports->max;
}

static inline bool ugnf_port_in(const struct ugnf_port_set *set, u16 port)
{
	u32 i;

	if (!set)
		return true;
	for (i = 0; i < set->count && port >= set->ranges[i].min; i++)
		if (port <= set->ranges[i].max)
			return true;
	return false;
}

static inline bool ugnf_prefix_fits(const struct ugnf_prefix *prefix, const u32 *addr)
{
	unsigned int i;

	for (i = 0; i < 4 && prefix->mask[i]; i++)
		if ((addr[i] ^ prefix->addr[i]) & prefix->mask[i])
			return false;
	return true;
}

/* Negative where an address is before those of a network, 0 in it, positive after them. */
static inline int ugnf_prefix_order(const struct ugnf_prefix *prefix, const u32 *addr)
{
	unsigned int i;

	for (i = 0; i < 4 && prefix->mask[i]; i++) {
		const u32 word = addr[i] & prefix->mask[i];
		int order = memcmp(&word, &prefix->addr[i], sizeof(word));

		if (order)
			return order;
	}
	return 0;
}

static inline bool ugnf_network_in(const struct ugnf_network_set *set, const u32 *addr)
{
	u32 first = 0, end = set ? set->count : 0;

	while (first < end) {
		u32 middle = first + (end - first) / 2;
		int order = ugnf_prefix_order(&set->networks[middle], addr);

		if (!order)
			return true;
		if (order < 0)
			end = middle;
		else
			first = middle + 1;
	}
	return !set;
}

/* Do the fields of a rule fit a packet? */
static inline bool ugnf_fields_fit(const struct ugnf_fields *fields, const struct ugnf_key *key)
{
	return fields->hook == key->hook && fields->protocol == key->protocol &&
	       (!fields->family || fields->family == key->family) &&
	       ugnf_port_fits(&fields->dport, key->dport) &&
	       ugnf_port_fits(&fields->sport, key->sport) &&
	       ugnf_port_in(fields->dports, key->dport) &&
	       ugnf_port_in(fields->sports, key->sport) &&
	       ugnf_prefix_fits(&fields->saddr, key->saddr) &&
	       ugnf_prefix_fits(&fields->daddr, key->daddr) &&
	       ugnf_network_in(fields->saddrs, key->saddr) &&
	       ugnf_network_in(fields->daddrs, key->daddr);
}

struct ugnf_index;

/**
 * struct ugnf_index_rules - the rules of an index, for as long as there is one
 * @rules: whatever @fields takes
 * @count: how many
 * @fields: of the rule at a position
 */
struct ugnf_index_rules {
	const void *rules;
	u32 count;
	const struct ugnf_fields *(*fields)(const void *rules, u32 position);
};

/* Do the conditions hold that are not in the fields of the rule at @position? */
typedef bool ugnf_index_more_fn(const void *context, u32 position);

u32 ugnf_index_entries(const struct ugnf_fields *fields);
struct ugnf_index *ugnf_index_new(const struct ugnf_index_rules *rules, u64 seed);
u32 ugnf_index_longest(const struct ugnf_index *index);
void ugnf_index_free(struct ugnf_index *index);
u32 ugnf_index_find(const struct ugnf_index *index, const struct ugnf_key *key,
		    ugnf_index_more_fn *more, const void *context);

#endif /* _UTF8GUARD_NF_INDEX_H */
