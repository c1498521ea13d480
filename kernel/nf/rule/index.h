/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding the first rule for a packet at a cost that does not grow with rules
 * that differ in ports or addresses. Pure C; see index.c.
 */
#ifndef _UTF8GUARD_NF_INDEX_H
#define _UTF8GUARD_NF_INDEX_H

#include <linux/utf8guard.h>

#define NF_NO_POSITION 0xffffffffU

/* Inclusive, in host order. */
struct nf_ports {
	u16 min, max;
};

/**
 * struct nf_prefix - addresses that begin alike
 * @addr: octets as in a packet; an IPv4 address is the first word
 * @mask: of the bits that count
 * @len: how many they are
 * @any: no address was given
 */
struct nf_prefix {
	u32 addr[4], mask[4];
	u8 len;
	bool any;
};

/**
 * struct nf_fields - what the index knows of a rule
 * @hook: enum utf8guard_nf_hook
 * @family: AF_INET, AF_INET6, or 0 for both
 * @protocol: IPPROTO_TCP, _UDP, _SCTP or _UDPLITE
 * @more: there are conditions beside these
 * @sport: source ports
 * @dport: destination ports
 * @saddr: source addresses
 * @daddr: destination addresses
 */
struct nf_fields {
	u8 hook, family, protocol;
	bool more;
	struct nf_ports sport, dport;
	struct nf_prefix saddr, daddr;
};

/* The same of a packet; the words behind an IPv4 address are not looked at. */
struct nf_key {
	u8 hook, family, protocol;
	u16 sport, dport;
	u32 saddr[4], daddr[4];
};

static inline bool nf_port_fits(const struct nf_ports *ports, u16 port)
{
	return port >= ports->min && port <= ports->max;
}

static inline bool nf_prefix_fits(const struct nf_prefix *prefix, const u32 *addr)
{
	unsigned int i;

	for (i = 0; i < 4 && prefix->mask[i]; i++)
		if ((addr[i] ^ prefix->addr[i]) & prefix->mask[i])
			return false;
	return true;
}

/* Is a rule for a packet, as far as its fields go? */
static inline bool nf_fields_fit(const struct nf_fields *fields, const struct nf_key *key)
{
	return fields->hook == key->hook && fields->protocol == key->protocol &&
	       (!fields->family || fields->family == key->family) &&
	       nf_port_fits(&fields->dport, key->dport) &&
	       nf_port_fits(&fields->sport, key->sport) &&
	       nf_prefix_fits(&fields->saddr, key->saddr) &&
	       nf_prefix_fits(&fields->daddr, key->daddr);
}

struct nf_index;

/**
 * struct nf_index_rules - the rules of an index, for as long as there is one
 * @rules: whatever @fields takes
 * @count: how many
 * @fields: of the rule at a position
 */
struct nf_index_rules {
	const void *rules;
	u32 count;
	const struct nf_fields *(*fields)(const void *rules, u32 position);
};

/* Do the conditions hold that are not in the fields of the rule at @position? */
typedef bool nf_index_more_fn(const void *context, u32 position);

struct nf_index *nf_index_new(const struct nf_index_rules *rules, u64 seed);
void nf_index_free(struct nf_index *index);
u32 nf_index_find(const struct nf_index *index, const struct nf_key *key,
		  nf_index_more_fn *more, const void *context);

#endif /* _UTF8GUARD_NF_INDEX_H */
