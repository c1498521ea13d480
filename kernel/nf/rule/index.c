// SPDX-License-Identifier: GPL-2.0
/*
 * The first rule for a packet, without asking all rules: tuple space search (Srinivasan,
 * Suri and Varghese, SIGCOMM 1999).
 *
 * Definitions. A position is the number of a rule in the order of the policy, from 0. A
 * group is the rules of one hook, protocol and address family; a rule for both families is
 * in two groups. A shape is a mask of the bits of addresses and ports that are looked at. A
 * group has MAX_SHAPES at most, and its first shape looks at no bit. An entry is a rule in a
 * shape; the entries of a shape are in a hash table by the bits that it looks at. A range of
 * ports is taken apart into prefixes, and a rule has an entry for each. So is a set of ranges,
 * one range after the other: they do not overlap (rule/match.c). The hull of a set is the
 * range from its lowest port to its highest:
 *
 *	rule				shapes (bits looked at)		entries
 *	dport 80			dport /16			1
 *	saddr 10.0.0.0/8 dport 53	saddr /8 and dport /16		1
 *	dport 1024-65535		dport /6, /5, /4, /3, /2, /1	6
 *	dport 1-65534			dport /16, /15 ... /2		30 (two for each)
 *	saddr 10.0.0.0/8,192.168.7.0/24	saddr /8 and dport /16,		2
 *		dport 80		saddr /24 and dport /16
 *
 * Of two ranges or sets only one is taken apart: that of destination ports, unless it is all
 * ports. The other one, of a set its hull, is in the shape if it is one prefix; if not, the
 * shape does not look at it. A set of networks, of source or destination, is taken apart
 * always: a rule has entries for each pair of a source and a destination, and of these one for
 * each prefix of its ports. policy.c limits the entries of all rules together, and so the time
 * to make an index (ugnf_index_entries()).
 *
 * The adversary makes rules, in a network namespace of his own, or sends packets, and knows
 * all but @seed. An index is never changed, so that hooks read it without a lock.
 *
 * Claim. ugnf_index_find() returns what trying one rule after the other would: the lowest
 * position of a rule whose fields fit the packet and whose other conditions hold.
 *
 * 1. A rule that fits is found. Its prefixes cover its ranges of ports and do not overlap
 *    (prefix_at()), so the port of a packet that fits is in one of them. The entry of that
 *    prefix was hashed by bits of the rule that the packet has as well, so both are in the
 *    same bucket, with the same hash. So it is of networks: one pair of those of the rule has
 *    the addresses of the packet. In the first shape there are no such bits, and there
 *    is one bucket.
 * 2. No other rule is found. A hash finds candidates only: of each, ugnf_fields_fit()
 *    compares all fields, also those that its shape does not look at, and @more is asked about
 *    the other conditions.
 * 3. The first such rule is found. insert_all() goes from the last rule to the first, and
 *    link_entry() puts each before those in its bucket, so positions never fall along a bucket
 *    and find_in() may stop. Shapes but the first are in the order of their lowest position
 *    (sort_shapes()), so ugnf_index_find() may stop at one that begins after what was found.
 * 4. Both passes of insert_all() make the same entries: the first counts them, the second
 *    fills in what was allocated for as many. Shapes are found by their masks, wherever
 *    sort_shapes() has put them; and a prefix for which there was no shape left in the first
 *    pass finds none in the second, for shapes are never taken away.
 * 5. Rules of more than MAX_SHAPES shapes are in the first shape, each once, however many
 *    prefixes and networks it has (is_taken).
 *
 * Cost. A lookup in a hash for each shape that begins before the rule that is found, a step for
 * each entry of the bucket, which are few, and a comparison for each with the same hash. So the
 * worst that rules can do is to be compared one by one, as if there were no index: those that
 * differ in nothing that a shape looks at (a mark, an interface, a second range), and those of
 * the first shape.
 *
 * Tests: userspace/tests/host/payload/index.c compares with trying one after the other.
 * random_rules(): 1, 2 and 3, with @more. ranges(): 1, for each port. many_shapes(): 4 and 5.
 * The others that begin with many, and chains(): 1 for sets, and the cost, by counting.
 */
#include "../../codec/codec.h"
#include "index.h"

#ifdef __KERNEL__
#include <linux/in.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/socket.h>

/* The memory is accounted to the cgroup of who makes the rules. */
static void *zalloc(size_t n, size_t size)
{
	return kvcalloc(n, size, GFP_KERNEL_ACCOUNT);
}

#define release(memory) kvfree(memory)
#else
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#define zalloc(n, size) calloc(n, size)
#define release(memory) free(memory)
#define cond_resched() ((void)0)
#endif

/* The most shapes of a group. The first looks at no bits and takes the rules of further shapes. */
#define MAX_SHAPES 256

/* Packets of one hook, protocol and family: they have shapes of their own. */
#define HOOKS 3
#define PROTOCOLS 4
#define GROUPS (HOOKS * PROTOCOLS * 2)

/**
 * struct shape - which bits are looked at, and the entries with these bits
 * @saddr: mask of the bits of the source address
 * @daddr: mask of the bits of the destination address
 * @sport: mask of the bits of the source port
 * @dport: mask of the bits of the destination port
 * @first: the lowest position of a rule in the shape
 * @count: number of entries
 * @base: the number of its first bucket
 * @bits: the number of its buckets less one, as a mask
 */
struct shape {
	u32 saddr[4], daddr[4];
	u16 sport, dport;
	u32 first, count, base, bits;
};

/*
 * A rule in a bucket, whose entries are in the order of positions. @next is 0, or one more than
 * the number of an entry.
 */
struct entry {
	const struct ugnf_fields *fields;
	u32 position, hash, next;
};

struct group {
	u32 count;
	struct shape shapes[MAX_SHAPES];
};

/**
 * struct ugnf_index - immutable
 * @seed: secret, so that nobody can make rules whose entries collide
 * @groups: see group_of()
 * @buckets: 0, or one more than the number of the first entry
 * @entries: of all shapes
 */
struct ugnf_index {
	u64 seed;
	struct group *groups[GROUPS];
	u32 *buckets;
	struct entry *entries;
};

/* One rule on its way into the index: once for each of its networks and prefixes of ports. */
struct insertion {
	struct ugnf_index *index;
	const struct ugnf_fields *fields;
	const struct ugnf_prefix *saddr, *daddr;	/* of the entry */
	u32 position, group;
	bool is_taken;		/* is in the first shape */
	u32 entries;		/* so far, of all rules */
};

static unsigned int protocol_slot(u8 protocol)
{
	switch (protocol) {
	case IPPROTO_TCP:
		return 0;
	case IPPROTO_UDP:
		return 1;
	case IPPROTO_SCTP:
		return 2;
	default:
		return 3;
	}
}

static u32 group_of(u8 hook, u8 protocol, bool is_ipv6)
{
	return (hook * PROTOCOLS + protocol_slot(protocol)) * 2 + is_ipv6;
}

static u64 mix(u64 hash, u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
	return hash ^ hash >> 29;
}

/*
 * The last octets of a source address are the highest bits of the last word, and a multiplication
 * carries nothing downwards: one more brings them to all bits of the result.
 */
static u32 hash_of(const struct shape *shape, const struct ugnf_key *key, u64 seed)
{
	u64 hash = mix(seed, (u32)(key->sport & shape->sport) << 16 | (key->dport & shape->dport));
	unsigned int words = key->family == AF_INET6 ? 4 : 1, i;

	for (i = 0; i < words; i++)
		hash = mix(hash, (u64)(key->saddr[i] & shape->saddr[i]) << 32 |
				 (key->daddr[i] & shape->daddr[i]));
	return mix(hash, 0) >> 32;
}

static bool same_shape(const struct shape *a, const struct shape *b)
{
	return a->sport == b->sport && a->dport == b->dport &&
	       !memcmp(a->saddr, b->saddr, sizeof(a->saddr)) &&
	       !memcmp(a->daddr, b->daddr, sizeof(a->daddr));
}

/* The shape with these bits, which is made if need be; the first shape if there are too many. */
static struct shape *shape_for(struct group *group, const struct shape *wanted)
{
	u32 i;

	for (i = 0; i < group->count; i++)
		if (same_shape(&group->shapes[i], wanted))
			return &group->shapes[i];
	if (group->count == MAX_SHAPES)
		return &group->shapes[0];
	group->shapes[group->count] = *wanted;
	return &group->shapes[group->count++];
}

/* A rule as if it were a packet that it is for. */
static struct ugnf_key key_of(const struct insertion *in, u16 sport, u16 dport)
{
	struct ugnf_key key = {
		.family = in->group & 1 ? AF_INET6 : AF_INET,
		.sport = sport,
		.dport = dport,
	};

	memcpy(key.saddr, in->saddr->addr, sizeof(key.saddr));
	memcpy(key.daddr, in->daddr->addr, sizeof(key.daddr));
	return key;
}

static void link_entry(struct insertion *in, struct shape *shape, const struct ugnf_key *key)
{
	struct ugnf_index *index = in->index;
	u32 hash = hash_of(shape, key, index->seed);
	u32 *bucket = &index->buckets[shape->base + (hash & shape->bits)];

	index->entries[in->entries] = (struct entry) {
		.fields = in->fields,
		.position = in->position,
		.hash = hash,
		.next = *bucket,
	};
	*bucket = in->entries + 1;
}

/* Makes an entry: the first pass only counts entries, the second has buckets and links them. */
static void insert(struct insertion *in, const struct shape *wanted, u16 sport, u16 dport)
{
	struct group *group = in->index->groups[in->group];
	struct shape *shape = shape_for(group, wanted);
	struct ugnf_key key = key_of(in, sport, dport);

	if (shape == &group->shapes[0]) {
		if (in->is_taken)
			return;
		in->is_taken = true;
	}
	if (in->index->buckets) {
		link_entry(in, shape, &key);
	} else {
		shape->first = min(shape->first, in->position);
		shape->count++;
	}
	in->entries++;
}

/* The largest prefix that begins with @port and does not go beyond @max: its size. */
static u32 prefix_at(u32 port, u32 max)
{
	u32 size = port ? port & -port : 0x10000;

	while (port + size - 1 > max)
		size >>= 1;
	return size;
}

static bool is_prefix(const struct ugnf_ports *ports)
{
	return prefix_at(ports->min, ports->max) == ports->max - ports->min + 1U;
}

/* A range, in the prefixes that it takes. */
static void insert_range(struct insertion *in, struct shape *shape, bool by_source,
			 const struct ugnf_ports *range)
{
	u32 port, size;

	for (port = range->min; port <= range->max; port += size) {
		size = prefix_at(port, range->max);
		if (by_source)
			shape->sport = ~(size - 1);
		else
			shape->dport = ~(size - 1);
		insert(in, shape, by_source ? port : in->fields->sport.min, by_source ? 0 : port);
	}
}

/* The ports that are taken apart: a range, or the set in it. Return: are they of the source? */
static bool taken_apart(const struct ugnf_fields *fields, const struct ugnf_ports **range,
			const struct ugnf_port_set **set)
{
	bool by_source = !fields->dports && fields->dport.max - fields->dport.min == 0xffff;

	*range = by_source ? &fields->sport : &fields->dport;
	*set = by_source ? fields->sports : fields->dports;
	return by_source;
}

static void insert_ports(struct insertion *in)
{
	const struct ugnf_fields *fields = in->fields;
	struct shape shape = { .first = UGNF_NO_POSITION };
	const struct ugnf_ports *range;
	const struct ugnf_port_set *set;
	bool by_source = taken_apart(fields, &range, &set);
	u32 i;

	memcpy(shape.saddr, in->saddr->mask, sizeof(shape.saddr));
	memcpy(shape.daddr, in->daddr->mask, sizeof(shape.daddr));
	if (!by_source && is_prefix(&fields->sport))
		shape.sport = ~(fields->sport.max - fields->sport.min);
	if (!set)
		insert_range(in, &shape, by_source, range);
	for (i = 0; set && i < set->count; i++)
		insert_range(in, &shape, by_source, &set->ranges[i]);
}

/* One, where there is no set. */
static u32 networks(const struct ugnf_network_set *set)
{
	return set ? set->count : 1;
}

static u32 prefixes_of(const struct ugnf_ports *range)
{
	u32 port, count = 0;

	for (port = range->min; port <= range->max; port += prefix_at(port, range->max))
		count++;
	return count;
}

/**
 * ugnf_index_entries() - how many entries a rule has in an index, at most
 * @fields: of the rule
 *
 * It takes as many steps to put it there, also where it is in the first shape only.
 *
 * Context: any.
 * Return: at least 1.
 */
u32 ugnf_index_entries(const struct ugnf_fields *fields)
{
	const struct ugnf_ports *range;
	const struct ugnf_port_set *set;
	u32 i, prefixes = 0;

	taken_apart(fields, &range, &set);
	if (!set)
		prefixes = prefixes_of(range);
	for (i = 0; set && i < set->count; i++)
		prefixes += prefixes_of(&set->ranges[i]);
	return prefixes * networks(fields->saddrs) * networks(fields->daddrs) *
	       (fields->family ? 1 : 2);
}

/* Makes entries for each pair of a network of the source and one of the destination. */
static void insert_networks(struct insertion *in)
{
	const struct ugnf_fields *fields = in->fields;
	u32 from, to;

	for (from = 0; from < networks(fields->saddrs); from++) {
		in->saddr = fields->saddrs ? &fields->saddrs->networks[from] : &fields->saddr;
		for (to = 0; to < networks(fields->daddrs); to++) {
			in->daddr = fields->daddrs ? &fields->daddrs->networks[to] :
						     &fields->daddr;
			insert_ports(in);
			cond_resched();
		}
	}
}

static bool insert_family(struct insertion *in, bool is_ipv6)
{
	struct group **group;

	in->group = group_of(in->fields->hook, in->fields->protocol, is_ipv6);
	in->is_taken = false;
	group = &in->index->groups[in->group];
	if (!*group) {
		*group = zalloc(1, sizeof(**group));
		if (!*group)
			return false;
		(*group)->count = 1;
		(*group)->shapes[0].first = UGNF_NO_POSITION;
	}
	insert_networks(in);
	return true;
}

/* Goes from the last rule to the first, because each is put before those in its bucket. */
static bool insert_all(struct insertion *in, const struct ugnf_index_rules *rules)
{
	in->entries = 0;
	for (in->position = rules->count; in->position-- > 0;) {
		in->fields = rules->fields(rules->rules, in->position);
		if (in->fields->family != AF_INET6 && !insert_family(in, false))
			return false;
		if (in->fields->family != AF_INET && !insert_family(in, true))
			return false;
	}
	return true;
}

/* Sorts all shapes but the first by the position of their first rule. */
static void sort_shapes(struct group *group)
{
	u32 i, j;

	for (i = 2; i < group->count; i++) {
		struct shape shape = group->shapes[i];

		for (j = i; j > 1 && group->shapes[j - 1].first > shape.first; j--)
			group->shapes[j] = group->shapes[j - 1];
		group->shapes[j] = shape;
	}
}

/* Gives each shape its buckets; returns how many there are. */
static u32 place_buckets(struct ugnf_index *index)
{
	u32 total = 0, g, i;

	for (g = 0; g < GROUPS; g++) {
		struct group *group = index->groups[g];

		if (!group)
			continue;
		sort_shapes(group);
		for (i = 0; i < group->count; i++) {
			struct shape *shape = &group->shapes[i];
			u32 buckets = 1;

			/* All of the first shape have one hash. */
			while (i && buckets < shape->count)
				buckets <<= 1;
			shape->base = total;
			shape->bits = buckets - 1;
			total += buckets;
		}
	}
	return total;
}

/**
 * ugnf_index_new() - make an index
 * @rules: in order; they outlive the index
 * @seed: a number that nobody can guess
 *
 * Context: process context; may sleep.
 * Return: the index, for ugnf_index_free(), or NULL for want of memory.
 */
struct ugnf_index *ugnf_index_new(const struct ugnf_index_rules *rules, u64 seed)
{
	struct insertion in = { .index = zalloc(1, sizeof(*in.index)) };
	u32 buckets;

	if (!in.index)
		return NULL;
	in.index->seed = seed;
	if (!insert_all(&in, rules))
		goto no_memory;
	buckets = place_buckets(in.index);
	/* One more, because there may be none, and an allocation of nothing may be NULL. */
	in.index->entries = zalloc(in.entries + 1, sizeof(*in.index->entries));
	in.index->buckets = zalloc(buckets + 1, sizeof(*in.index->buckets));
	if (!in.index->entries || !in.index->buckets)
		goto no_memory;
	insert_all(&in, rules);
	return in.index;

no_memory:
	ugnf_index_free(in.index);
	return NULL;
}

/* Has an entry of the bucket before @at the same hash as that? @at is one more than its number. */
static bool has_before(const struct ugnf_index *index, u32 bucket, u32 at)
{
	u32 next;

	for (next = index->buckets[bucket]; next != at; next = index->entries[next - 1].next)
		if (index->entries[next - 1].hash == index->entries[at - 1].hash)
			return true;
	return false;
}

/* Entries from @at on with the same hash: all these are compared with a packet that has it. */
static u32 count_same(const struct ugnf_index *index, u32 at)
{
	u32 hash = index->entries[at - 1].hash, count = 0;

	for (; at; at = index->entries[at - 1].next)
		count += index->entries[at - 1].hash == hash;
	return count;
}

/* The most entries of a shape that have one hash. */
static u32 longest_of(const struct ugnf_index *index, const struct shape *shape)
{
	u32 bucket, next, count, longest = 0;

	for (bucket = shape->base; bucket <= shape->base + shape->bits; bucket++) {
		for (next = index->buckets[bucket]; next; next = index->entries[next - 1].next) {
			count = has_before(index, bucket, next) ? 0 : count_same(index, next);
			longest = max(longest, count);
			cond_resched();
		}
	}
	return longest;
}

/**
 * ugnf_index_longest() - with how many rules one packet may be compared, at most
 * @index: the index
 *
 * Context: process context; may sleep.
 * Return: for each shape the most entries with one hash, of the group with the greatest sum.
 */
u32 ugnf_index_longest(const struct ugnf_index *index)
{
	u32 g, i, sum, longest = 0;

	for (g = 0; g < GROUPS; g++) {
		sum = 0;
		for (i = 0; index->groups[g] && i < index->groups[g]->count; i++)
			sum += longest_of(index, &index->groups[g]->shapes[i]);
		longest = max(longest, sum);
	}
	return longest;
}

/* NULL is fine. May sleep. */
void ugnf_index_free(struct ugnf_index *index)
{
	u32 g;

	if (!index)
		return;
	for (g = 0; g < GROUPS; g++)
		release(index->groups[g]);
	release(index->buckets);
	release(index->entries);
	release(index);
}

/* The first rule of a shape for a packet, if it is before @before; else @before. */
static u32 find_in(const struct ugnf_index *index, const struct shape *shape,
		   const struct ugnf_key *key, u32 before, ugnf_index_more_fn *more,
		   const void *context)
{
	u32 hash = hash_of(shape, key, index->seed);
	u32 next = index->buckets[shape->base + (hash & shape->bits)];

	while (next) {
		const struct entry *entry = &index->entries[next - 1];

		if (entry->position >= before)
			break;
		if (entry->hash == hash && ugnf_fields_fit(entry->fields, key) &&
		    (!entry->fields->more || more(context, entry->position)))
			return entry->position;
		next = entry->next;
	}
	return before;
}

/**
 * ugnf_index_find() - the first rule for a packet
 * @index: of the rules
 * @key: of the packet
 * @more: asked about rules that have more conditions
 * @context: for @more
 *
 * Context: any; pure but for @more.
 * Return: its position, or UGNF_NO_POSITION.
 */
u32 ugnf_index_find(const struct ugnf_index *index, const struct ugnf_key *key,
		    ugnf_index_more_fn *more, const void *context)
{
	const struct group *group =
		index->groups[group_of(key->hook, key->protocol, key->family == AF_INET6)];
	u32 found = UGNF_NO_POSITION, i;

	for (i = 0; group && i < group->count; i++) {
		const struct shape *shape = &group->shapes[i];

		if (shape->first < found)
			found = find_in(index, shape, key, found, more, context);
		else if (i)
			break;
	}
	return found;
}
