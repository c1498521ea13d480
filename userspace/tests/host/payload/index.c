// SPDX-License-Identifier: GPL-2.0
/*
 * The index of the payload check's rules against trying them one after the
 * other: random rules, and packets that are near their borders.
 *
 * promise remote peer: of ten thousand rules for a port each, or for an address each, one is
 *   compared with a packet of his
 * shown by: of 10000 ports, one rule is compared
 * shown by: of 10000 addresses, one rule is compared
 * shown by: no packet walks past many
 * promise operator: the rule that the index finds for a packet is the first of all that fit
 * shown by: times other rules: the first one is found
 */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../../../../kernel/nf/rule/index.h"
#include "../../tap.h"

/* The source is included, so that the rules that it compares can be counted. */
static u32 compared;
#define ugnf_fields_fit(fields, key) (compared++, ugnf_fields_fit(fields, key))
#include "../../../../kernel/nf/rule/index.c"
#undef ugnf_fields_fit

#define MAX_RULES 20000

static struct ugnf_fields rules[MAX_RULES];
static u32 count;
static u64 state = 88172645463325252ULL;

static u32 any(u32 below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 32) % below;
}

static const struct ugnf_fields *fields_at(const void *of, u32 position)
{
	return (const struct ugnf_fields *)of + position;
}

/* Conditions beside the fields: two rules of three have theirs fulfilled. */
static bool more(const void *context, u32 position)
{
	(void)context;
	return position % 3;
}

static u32 find_by_list(const struct ugnf_key *key)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (ugnf_fields_fit(&rules[i], key) && (!rules[i].more || more(NULL, i)))
			return i;
	return UGNF_NO_POSITION;
}

static u8 any_protocol(void)
{
	static const u8 protocols[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_SCTP,
					IPPROTO_UDPLITE };

	return protocols[any(4)];
}

/* Few ports, so that rules overlap: borders of prefixes, and single ones. */
static u16 any_port(void)
{
	static const u16 ports[] = { 0, 1, 2, 79, 80, 81, 127, 128, 255, 1023, 1024,
				     8079, 8080, 32767, 32768, 65534, 65535 };

	return any(4) ? ports[any(sizeof(ports) / sizeof(ports[0]))] : any(0x10000);
}

static struct ugnf_ports any_ports(void)
{
	u16 a = any_port(), b = any_port();

	switch (any(4)) {
	case 0:
		return (struct ugnf_ports){ 0, 65535 };
	case 1:
		return (struct ugnf_ports){ a < b ? a : b, a < b ? b : a };
	default:
		return (struct ugnf_ports){ a, a };
	}
}

/* The sets of ports of the rules of one test: two for each rule at most. */
static struct {
	u32 count;
	struct ugnf_ports ranges[UGNF_MAX_PORT_RANGES];
} sets[2 * 1500];
static u32 sets_used;

/* At most @most ascending ranges, with ports between them. NULL if there is one: that is no set. */
static const struct ugnf_port_set *any_set(struct ugnf_ports *hull, u32 most)
{
	struct ugnf_ports *ranges = sets[sets_used].ranges;
	u32 n = 0, from = any_port();

	while (n < most && from <= 65535) {
		u32 to = from + (any(2) ? 0 : any(any(2) ? 4 : 3000));

		ranges[n++] = (struct ugnf_ports){ (u16)from, to > 65535 ? 65535 : (u16)to };
		from = to + 2 + (any(2) ? 0 : any(5000));
	}
	*hull = (struct ugnf_ports){ ranges[0].min, ranges[n - 1].max };
	if (n < 2)
		return NULL;
	sets[sets_used].count = n;
	return (const struct ugnf_port_set *)&sets[sets_used++];
}

static u8 any_octet(void)
{
	return any(3) ? (u8)any(2) : (u8)any(256);
}

static void any_address(u32 *addr, u8 family)
{
	u8 octets[16] = { 0 };
	unsigned int i, length = family == AF_INET ? 4 : 16;

	for (i = 0; i < length; i++)
		octets[i] = any_octet();
	memcpy(addr, octets, sizeof(octets));
}

static struct ugnf_prefix prefix_of(const u32 *addr, u8 length)
{
	struct ugnf_prefix prefix = { .len = length };
	u8 mask[16] = { 0 };
	unsigned int i;

	for (i = 0; i < length; i++)
		mask[i / 8] |= 0x80 >> i % 8;
	memcpy(prefix.mask, mask, sizeof(mask));
	for (i = 0; i < 4; i++)
		prefix.addr[i] = addr[i] & prefix.mask[i];
	return prefix;
}

static struct ugnf_prefix any_prefix(u8 family)
{
	u8 bits = family == AF_INET ? 32 : 128;
	u32 addr[4];

	if (!family || !any(3))
		return (struct ugnf_prefix){ .any = true };
	any_address(addr, family);
	return prefix_of(addr, any(2) ? bits : (u8)any(bits + 1U));
}

/* Their sets of networks, likewise. */
static struct {
	u32 count;
	struct ugnf_prefix networks[UGNF_MAX_NETWORKS];
} network_sets[2 * 1500];
static u32 network_sets_used;

static int by_address(const void *a, const void *b)
{
	return memcmp(((const struct ugnf_prefix *)a)->addr, ((const struct ugnf_prefix *)b)->addr,
		      sizeof(((const struct ugnf_prefix *)a)->addr));
}

/*
 * At most @most ascending networks, none inside another; NULL if there are fewer than two. Some may
 * make up a larger one together, which does not matter.
 */
static const struct ugnf_network_set *any_networks(struct ugnf_prefix *hull, u8 family, u32 most)
{
	struct ugnf_prefix *networks = network_sets[network_sets_used].networks;
	u32 n = 0, tries, i;

	for (tries = 0; tries < 2 * most && n < most; tries++) {
		networks[n] = any_prefix(family);
		for (i = 0; i < n && !ugnf_prefix_fits(&networks[i], networks[n].addr) &&
			    !ugnf_prefix_fits(&networks[n], networks[i].addr); i++)
			;
		n += i == n && !networks[n].any && networks[n].len;
	}
	if (n < 2)
		return NULL;
	qsort(networks, n, sizeof(*networks), by_address);
	*hull = networks[0];
	while (!ugnf_prefix_fits(hull, networks[n - 1].addr))
		*hull = prefix_of(hull->addr, hull->len - 1);
	network_sets[network_sets_used].count = n;
	return (const struct ugnf_network_set *)&network_sets[network_sets_used++];
}

static struct ugnf_fields any_rule(void)
{
	static const u8 families[] = { 0, AF_INET, AF_INET6 };
	u8 family = families[any(3)];
	struct ugnf_fields rule = {
		.hook = (u8)any(3),
		.family = family,
		.protocol = any_protocol(),
		.more = !any(4),
		.sport = any_ports(),
		.dport = any_ports(),
		.saddr = any_prefix(family),
		.daddr = any_prefix(family),
	};

	if (!any(4))
		rule.sports = any_set(&rule.sport, UGNF_MAX_PORT_RANGES);
	if (!any(3))
		rule.dports = any_set(&rule.dport, UGNF_MAX_PORT_RANGES);
	if (family && !any(3))
		rule.saddrs = any_networks(&rule.saddr, family, any(8) ? 4 : UGNF_MAX_NETWORKS);
	if (family && !any(3))
		rule.daddrs = any_networks(&rule.daddr, family, any(8) ? 4 : 16);
	return rule;
}

/* A port at the edge of a range: of one in the set, where the rule has a set. */
static u16 edge_of(const struct ugnf_ports *hull, const struct ugnf_port_set *set)
{
	const struct ugnf_ports *range = set ? &set->ranges[any(set->count)] : hull;

	return any(2) ? range->min : range->max;
}

/* Moves an address into a network: into one of the set, where the rule has a set. */
static void enter(u32 *addr, const struct ugnf_prefix *hull, const struct ugnf_network_set *set)
{
	const struct ugnf_prefix *prefix = set ? &set->networks[any(set->count)] : hull;
	unsigned int i;

	for (i = 0; i < 4; i++)
		addr[i] = prefix->addr[i] | (addr[i] & ~prefix->mask[i]);
}

static struct ugnf_key any_key(void)
{
	struct ugnf_key key = {
		.hook = (u8)any(3),
		.family = any(2) ? AF_INET : AF_INET6,
		.protocol = any_protocol(),
		.sport = any_port(),
		.dport = any_port(),
	};

	any_address(key.saddr, key.family);
	any_address(key.daddr, key.family);
	return key;
}

/* A packet that a rule is for, or nearly so. */
static struct ugnf_key near_rule(const struct ugnf_fields *rule)
{
	struct ugnf_key key = any_key();

	key.hook = rule->hook;
	key.protocol = rule->protocol;
	if (rule->family && rule->family != key.family) {
		key.family = rule->family;
		any_address(key.saddr, key.family);
		any_address(key.daddr, key.family);
	}
	key.sport = edge_of(&rule->sport, rule->sports);
	key.dport = edge_of(&rule->dport, rule->dports);
	enter(key.saddr, &rule->saddr, rule->saddrs);
	enter(key.daddr, &rule->daddr, rule->daddrs);
	if (!any(8))
		key.dport++;
	if (!any(8))
		key.sport--;
	if (!any(8))
		key.saddr[0] ^= 1;
	return key;
}

static struct ugnf_index *index_of_rules(void)
{
	const struct ugnf_index_rules all = { rules, count, fields_at };

	return ugnf_index_new(&all, state);
}

/* How many of @keys packets are not found as in the list; @found counts rules that decide. */
static u32 differ(u32 keys, u32 *found)
{
	struct ugnf_index *index = index_of_rules();
	u32 wrong = 0;

	if (!index)
		return keys;
	while (keys--) {
		struct ugnf_key key = count && any(4) ? near_rule(&rules[any(count)]) : any_key();
		u32 wanted = find_by_list(&key);

		wrong += ugnf_index_find(index, &key, more, NULL) != wanted;
		*found += wanted != UGNF_NO_POSITION;
	}
	ugnf_index_free(index);
	return wrong;
}

/* find_by_list() uses ugnf_port_in(), too, so this is compared with the set itself. */
static void membership(void)
{
	static bool in[65536];
	u32 wrong = 0, n, i, port;

	for (n = 0; n < 200; n++) {
		struct ugnf_ports hull;
		const struct ugnf_port_set *set;

		sets_used = 0;
		set = any_set(&hull, UGNF_MAX_PORT_RANGES);
		memset(in, !set, sizeof(in));
		for (i = 0; set && i < set->count; i++)
			memset(in + set->ranges[i].min, true,
			       (size_t)set->ranges[i].max - set->ranges[i].min + 1);
		for (port = 0; port < 65536; port++)
			wrong += ugnf_port_in(set, (u16)port) != in[port];
	}
	tap_ok(!wrong, "200 sets have their ports, and no others");
}

/* The same for networks: the search is compared with a look at each of them. */
static void network_membership(void)
{
	u32 wrong = 0, inside = 0, n, i, j;

	for (n = 0; n < 2000; n++) {
		const u8 family = any(2) ? AF_INET : AF_INET6;
		const struct ugnf_network_set *set;
		struct ugnf_prefix hull = { .any = true };

		network_sets_used = 0;
		set = any_networks(&hull, family, 2 + any(UGNF_MAX_NETWORKS - 1));
		for (i = 0; set && i < 100; i++) {
			bool in = false;
			u32 addr[4];

			any_address(addr, family);
			if (any(2))
				enter(addr, &hull, set);
			for (j = 0; j < set->count; j++)
				in |= ugnf_prefix_fits(&set->networks[j], addr);
			wrong += ugnf_network_in(set, addr) != in;
			wrong += in && !ugnf_prefix_fits(&hull, addr);
			inside += in;
		}
	}
	tap_ok(!wrong && inside > 1000, "2000 sets of networks have their addresses, and no others");
}

static void random_rules(void)
{
	u32 rulesets, keys = 0, wrong = 0, found = 0, i;

	for (rulesets = 0; rulesets < 1000; rulesets++) {
		sets_used = network_sets_used = 0;
		count = any(rulesets % 10 ? 40 : 1500);
		for (i = 0; i < count; i++)
			rules[i] = any_rule();
		wrong += differ(300, &found);
		keys += 300;
	}
	tap_ok(!wrong, "%u packets, %u times other rules: the first one is found", keys, rulesets);
	tap_ok(found > keys / 3 && found < keys, "a rule was for %u of them", found);
}

static struct ugnf_fields exact(u16 port)
{
	return (struct ugnf_fields){
		.protocol = IPPROTO_TCP,
		.sport = { 0, 65535 },
		.dport = { port, port },
		.saddr = { .any = true },
		.daddr = { .any = true },
	};
}

/* Rules compared to find that of one packet. */
static u32 comparisons(const struct ugnf_key *key)
{
	struct ugnf_index *index = index_of_rules();

	compared = count;
	if (index) {
		compared = 0;
		ugnf_index_find(index, key, more, NULL);
	}
	ugnf_index_free(index);
	return compared;
}

/* The group of TCP at the hook input: how many shapes it has, and how many entries the first. */
static u32 shapes(bool is_ipv6, u32 *unindexed)
{
	struct ugnf_index *index = index_of_rules();
	const struct group *group = index ? index->groups[group_of(0, IPPROTO_TCP, is_ipv6)] : NULL;
	u32 n = group ? group->count : UGNF_NO_POSITION;

	*unindexed = group ? group->shapes[0].count : UGNF_NO_POSITION;
	ugnf_index_free(index);
	return n;
}

/* Entries of all shapes. @unindexed: of those, in first shapes, where a rule has one for all of its. */
static u32 entries(u32 *unindexed)
{
	struct ugnf_index *index = index_of_rules();
	u32 total = 0, g, i;

	*unindexed = 0;
	for (g = 0; index && g < GROUPS; g++)
		for (i = 0; index->groups[g] && i < index->groups[g]->count; i++) {
			total += index->groups[g]->shapes[i].count;
			*unindexed += i ? 0 : index->groups[g]->shapes[0].count;
		}
	ugnf_index_free(index);
	return total;
}

/* What the limit of entries counts is what the index has. */
static void counted_entries(void)
{
	u32 n, alike = 0, wrong = 0, unindexed, total;

	for (count = 1, n = 0; n < 2000; n++) {
		sets_used = network_sets_used = 0;
		rules[0] = any_rule();
		total = entries(&unindexed);
		alike += !unindexed;
		wrong += unindexed ? total > ugnf_index_entries(&rules[0]) :
				     total != ugnf_index_entries(&rules[0]);
	}
	tap_ok(!wrong && alike > 1000, "%u rules have as many entries as are counted", alike);
	rules[0] = exact(1);
	rules[0].dport.max = 65534;
	tap_ok(ugnf_index_entries(&rules[0]) == 60, "ports 1 to 65534 of both families have 60");
}

/* The most entries of a bucket of @shape. */
static u32 longest_chain_of(const struct ugnf_index *index, const struct shape *shape)
{
	u32 longest = 0, bucket, length, next;

	for (bucket = shape->base; bucket <= shape->base + shape->bits; bucket++) {
		length = 0;
		for (next = index->buckets[bucket]; next; next = index->entries[next - 1].next)
			length++;
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* The most entries that a packet may have to walk past in a shape, beside the first one. */
static u32 longest_chain(void)
{
	struct ugnf_index *index = index_of_rules();
	u32 longest = index ? 0 : UGNF_NO_POSITION, length, g, i;

	for (g = 0; index && g < GROUPS; g++)
		for (i = 1; index->groups[g] && i < index->groups[g]->count; i++) {
			length = longest_chain_of(index, &index->groups[g]->shapes[i]);
			longest = length > longest ? length : longest;
		}
	ugnf_index_free(index);
	return longest;
}

/* As many as ugnf_index_longest() says. */
static u32 longest(void)
{
	struct ugnf_index *index = index_of_rules();
	u32 said = index ? ugnf_index_longest(index) : UGNF_NO_POSITION;

	ugnf_index_free(index);
	return said;
}

/* Rules that differ in conditions beside their fields alone. */
static void alike(void)
{
	for (count = 0; count < 5000; count++) {
		rules[count] = exact(80);
		rules[count].more = true;
	}
	tap_ok(longest() == 5000, "of 5000 rules for a port, a packet is compared with as many");
	for (count = 0; count < 5000; count++)
		rules[count].dport = (struct ugnf_ports){ 0, 65535 };
	tap_ok(longest() == 5000, "of 5000 rules for any port, likewise");
	for (count = 0; count < 5000; count++) {
		u32 addr[4] = { 0 };

		rules[count] = exact((u16)(count / 100));
		rules[count].family = AF_INET6;
		rules[count].saddr = prefix_of(addr, (u8)(count % 100));
	}
	tap_ok(longest() == 100, "of 100 shapes, with one of each");
}

/* Of 3000 packets, some have a rule, and each has that of the list. */
static bool all_are_found(void)
{
	u32 found = 0;

	return !differ(3000, &found) && found;
}

static void many_ports(void)
{
	const struct ugnf_key key = {
		.family = AF_INET, .protocol = IPPROTO_TCP, .sport = 7777, .dport = 7777
	};

	for (count = 0; count < 10000; count++)
		rules[count] = exact((u16)count);
	tap_ok(comparisons(&key) == 1, "of 10000 ports, one rule is compared");
	tap_ok(all_are_found(), "and they are all found");
	for (count = 0; count < 10000; count++) {
		rules[count].sport = rules[count].dport;
		rules[count].dport = (struct ugnf_ports){ 0, 65535 };
	}
	tap_ok(comparisons(&key) == 1, "of 10000 source ports, one rule is compared");
	tap_ok(all_are_found(), "and they are all found, too");
	for (count = 0; count < 10000; count++)
		rules[count].dport = (struct ugnf_ports){ 7777, 7777 };
	tap_ok(comparisons(&key) == 1, "of 10000 source ports for one port, one rule is compared");
	tap_ok(all_are_found(), "and they are all found as well");
}

static void many_addresses(void)
{
	struct ugnf_key key = { .family = AF_INET, .protocol = IPPROTO_TCP, .dport = 80 };

	for (count = 0; count < 10000; count++) {
		u32 addr[4] = { htonl(0x0a000000 + count) };

		rules[count] = exact(80);
		rules[count].family = AF_INET;
		rules[count].saddr = prefix_of(addr, 32);
	}
	key.saddr[0] = htonl(0x0a000000 + 777);
	tap_ok(comparisons(&key) == 1, "of 10000 addresses, one rule is compared");
	tap_ok(all_are_found(), "and they are all found");
	for (count = 0; count < 10000; count++) {
		u32 addr[4] = { any(-1U), any(-1U), any(-1U), any(-1U) };

		rules[count] = exact(80);
		rules[count].family = AF_INET6;
		rules[count].saddr = prefix_of(addr, (u8)(17 + count % 112));
	}
	key.family = AF_INET6;
	memcpy(key.saddr, rules[9999].saddr.addr, sizeof(key.saddr));
	tap_ok(comparisons(&key) <= 112, "of 10000 prefixes of 112 lengths, one of each is");
	tap_ok(all_are_found(), "and they are all found");
}

/* Are there few? None is in the first shape, or this would be 0. */
static bool is_short(u32 chain)
{
	return chain && chain <= 16;
}

/* 10000 rules for hosts or networks of a block of addresses, as who has that block makes them. */
static u32 chain_of_block(bool by_source, u8 family, u32 step, u8 length)
{
	const u32 low = family == AF_INET6 ? 3 : 0;

	for (count = 0; count < 10000; count++) {
		u32 addr[4] = { htonl(0x20010db8) };
		struct ugnf_prefix *prefix = by_source ? &rules[count].saddr : &rules[count].daddr;

		addr[low] = htonl((family == AF_INET6 ? 0 : 0x0a000000) + count * step);
		rules[count] = exact(80);
		rules[count].family = family;
		*prefix = prefix_of(addr, length);
	}
	return longest_chain();
}

static void chains(void)
{
	static const struct {
		u8 family, length;
		u32 step;
		const char *name;
	} blocks[] = {
		{ AF_INET, 32, 1, "neighbours" },
		{ AF_INET, 32, 2, "every second host" },
		{ AF_INET, 32, 256, "a host of each network" },
		{ AF_INET, 24, 256, "networks" },
		{ AF_INET, 16, 65536, "large networks" },
		{ AF_INET6, 128, 1, "neighbours by IPv6" },
		{ AF_INET6, 112, 65536, "networks by IPv6" },
	};
	size_t i;

	for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		tap_ok(is_short(chain_of_block(true, blocks[i].family, blocks[i].step,
					       blocks[i].length)),
		       "10000 sources, %s: no packet walks past many", blocks[i].name);
		tap_ok(is_short(chain_of_block(false, blocks[i].family, blocks[i].step,
					       blocks[i].length)),
		       "10000 destinations, %s", blocks[i].name);
	}
}

static void many_port_sets(void)
{
	struct ugnf_key key = { .family = AF_INET, .protocol = IPPROTO_TCP };
	u32 unindexed;

	for (sets_used = 0, count = 0; count < 1500; count++) {
		rules[count] = exact(80);
		rules[count].dports = any_set(&rules[count].dport, UGNF_MAX_PORT_RANGES);
	}
	tap_ok(shapes(false, &unindexed) <= 1 + 17 && !unindexed,
	       "1500 sets have no more shapes than prefixes have lengths");
	tap_ok(all_are_found(), "and they are all found");
	for (sets_used = 0, count = 0; count < 1000; count++) {
		const u16 port = (u16)(2 * count + 2);
		const struct ugnf_ports three[] = { { 0, 0 }, { port, port }, { 65535, 65535 } };

		rules[count] = exact(80);
		rules[count].dport = (struct ugnf_ports){ 0, 65535 };
		rules[count].dports = (const struct ugnf_port_set *)&sets[sets_used];
		sets[sets_used].count = 3;
		memcpy(sets[sets_used++].ranges, three, sizeof(three));
	}
	key.dport = 1002;
	tap_ok(comparisons(&key) == 1, "of 1000 sets up to the last port, one is compared");
	tap_ok(all_are_found(), "and they are all found");
	for (sets_used = 0, count = 0; count < 512; count++) {
		u32 addr[4] = { htonl(0x0a000000 + count) };

		rules[count] = exact(1);
		rules[count].family = AF_INET;
		rules[count].saddr = prefix_of(addr, 32);
		rules[count].dports = any_set(&rules[count].dport, UGNF_MAX_PORT_RANGES);
	}
	key.dport = rules[511].dport.min;
	key.saddr[0] = htonl(0x0a000000 + 511);
	tap_ok(comparisons(&key) <= 17, "of 512 sets, those of one address are compared");
}

static void many_network_sets(void)
{
	struct ugnf_key key = { .family = AF_INET, .protocol = IPPROTO_TCP, .dport = 80 };
	u32 i, unindexed;

	for (network_sets_used = 0, count = 0; count < 1000; count++) {
		struct ugnf_prefix *networks = network_sets[network_sets_used].networks;

		/* Every other network like 10.0.0.0/30; and one that all sets have. */
		for (i = 0; i < UGNF_MAX_NETWORKS - 1; i++) {
			u32 addr[4] = { htonl(0x0a000000 + (64 * count + i) * 8) };

			networks[i] = prefix_of(addr, 30);
		}
		networks[i] = prefix_of((u32[4]){ htonl(0xc0000200) }, 24);
		rules[count] = exact(80);
		rules[count].family = AF_INET;
		network_sets[network_sets_used].count = UGNF_MAX_NETWORKS;
		rules[count].saddr = prefix_of(networks[0].addr, 0);
		rules[count].saddrs =
			(const struct ugnf_network_set *)&network_sets[network_sets_used++];
	}
	key.saddr[0] = htonl(0x0a000000 + 64 * 777 * 8 + 9);
	tap_ok(comparisons(&key) == 1, "of 1000 sets of 64 networks, one is compared");
	tap_ok(shapes(false, &unindexed) == 1 + 2 && !unindexed,
	       "and they have as many shapes as prefixes have lengths");
	tap_ok(all_are_found(), "and they are all found");
}

/* The range with most prefixes, 30: ports 1 to 65534. In more shapes than there may be. */
static void many_shapes(void)
{
	u32 unindexed, n;

	for (count = 0; count < 200; count++) {
		u32 addr[4] = { 0 };

		rules[count] = exact(1);
		rules[count].family = AF_INET6;
		rules[count].saddr = prefix_of(addr, (u8)(count % 129));
		rules[count].dport.max = 65534;
	}
	n = shapes(true, &unindexed);
	tap_ok(n == MAX_SHAPES && unindexed > 0 && unindexed <= count,
	       "of rules of too many shapes, the first shape has %u, each once", unindexed);
	tap_ok(all_are_found(), "rules of too many shapes are found");
}

/* Each port is asked about, and compared with the range itself. */
static void ranges(void)
{
	struct ugnf_key key = { .family = AF_INET, .protocol = IPPROTO_TCP };
	u32 wrong = 0, n, port;

	for (count = 1, n = 0; n < 64; n++) {
		const u16 a = any_port(), b = (u16)any(65536);
		struct ugnf_index *index;

		rules[0] = exact(0);
		rules[0].dport = (struct ugnf_ports){ a < b ? a : b, a < b ? b : a };
		index = index_of_rules();
		for (port = 0; index && port < 65536; port++) {
			const bool in = port >= rules[0].dport.min && port <= rules[0].dport.max;

			key.dport = (u16)port;
			wrong += ugnf_index_find(index, &key, NULL, NULL) !=
				 (in ? 0 : UGNF_NO_POSITION);
		}
		wrong += !index;
		ugnf_index_free(index);
	}
	tap_ok(!wrong, "ranges begin where they begin, and end where they end");
}

static void no_rules(void)
{
	u32 found = 0;

	count = 0;
	tap_ok(!differ(1000, &found) && !found, "without rules, none is found");
}

/* utf8guard(8) promises as many, and the tool writes as many. */
static void limits(void)
{
	tap_ok(UGNF_MAX_PORT_RANGES == 16 && UGNF_MAX_NETWORKS == 64,
	       "a set has up to 16 ranges of ports, or 64 networks");
}

int main(void)
{
	limits();
	membership();
	network_membership();
	random_rules();
	no_rules();
	many_ports();
	many_addresses();
	chains();
	many_port_sets();
	many_network_sets();
	many_shapes();
	counted_entries();
	alike();
	ranges();
	return tap_done();
}
