// SPDX-License-Identifier: GPL-2.0
/*
 * Rules of the payload check that are never asked, for one rule before them is for all
 * their packets. That is said where it is certain: several rules may well take together
 * what no one of them does, and nothing is said of that.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "shadows.h"
#include "words/words.h"

/* Addresses that begin alike; @length is 0 for all. */
struct prefix {
	u8 octets[16];
	unsigned int length, bits;
};

/**
 * struct reach - the packets that a rule is for
 * @hook, @protocol, @family, @iif, @oif, @direction: words as they are shown; "" for all
 * @sport, @dport: ports
 * @saddr, @daddr: addresses
 * @mark, @mask: of the mark
 */
struct reach {
	const char *hook, *protocol, *family, *iif, *oif, *direction;
	struct port_set sport, dport;
	struct prefix saddr, daddr;
	unsigned long long mark, mask;
};

static void add_range(struct port_set *set, unsigned long long min, unsigned long long max)
{
	if (set->count < PORT_RANGES)
		set->ranges[set->count++] = (struct ports){ .min = (u16)min, .max = (u16)max };
}

static void read_ports(struct port_set *set, const json_t *rule, const char *min,
		       const char *max, const char *list)
{
	const json_t *range;
	size_t i;

	json_array_foreach(json_object_get(rule, list), i, range) {
		add_range(set, member_number(range, "from"), member_number(range, "to"));
	}
	if (set->count)
		return;
	add_range(set, member_number(rule, min),
		  member_present(rule, max) ? member_number(rule, max) : UINT16_MAX);
}

static void read_prefix(struct prefix *prefix, const json_t *rule, const char *address,
			const char *bits)
{
	const char *text = member_text(rule, address);

	if (inet_pton(AF_INET, text, prefix->octets) == 1)
		prefix->length = 4;
	else if (inet_pton(AF_INET6, text, prefix->octets) == 1)
		prefix->length = 16;
	prefix->bits = member_present(rule, bits) ? (unsigned int)member_number(rule, bits) :
						    8 * prefix->length;
}

static void read_reach(struct reach *reach, const json_t *rule)
{
	*reach = (struct reach){
		.hook = member_text(rule, "hook"),
		.protocol = member_text(rule, "protocol"),
		.family = member_text(rule, "family"),
		.iif = member_text(rule, "iif"),
		.oif = member_text(rule, "oif"),
		.direction = member_text(rule, "direction"),
		.mark = member_number(rule, "mark"),
		.mask = member_present(rule, "mark-mask") ? member_number(rule, "mark-mask") :
			member_present(rule, "mark") ? UINT32_MAX : 0,
	};
	read_ports(&reach->sport, rule, "sport-min", "sport-max", "sport-range");
	read_ports(&reach->dport, rule, "dport-min", "dport-max", "dport-range");
	read_prefix(&reach->saddr, rule, "saddr", "saddr-prefix");
	read_prefix(&reach->daddr, rule, "daddr", "daddr-prefix");
}

/* In each of these, is all of @inner in @outer? */

static bool word_covers(const char *outer, const char *inner)
{
	return !*outer || !strcmp(outer, inner);
}

/* Between two ranges of a set there is a port that is in none. */
static bool range_covered(const struct port_set *outer, const struct ports *inner)
{
	unsigned int i;

	for (i = 0; i < outer->count; i++)
		if (outer->ranges[i].min <= inner->min && outer->ranges[i].max >= inner->max)
			return true;
	return false;
}

static bool ports_cover(const struct port_set *outer, const struct port_set *inner)
{
	unsigned int i;

	for (i = 0; i < inner->count; i++)
		if (!range_covered(outer, &inner->ranges[i]))
			return false;
	return true;
}

static bool prefix_covers(const struct prefix *outer, const struct prefix *inner)
{
	unsigned int whole = outer->bits / 8, rest = outer->bits % 8;

	if (!outer->length)
		return true;
	if (outer->length != inner->length || outer->bits > inner->bits ||
	    memcmp(outer->octets, inner->octets, whole))
		return false;
	return !rest || !((outer->octets[whole] ^ inner->octets[whole]) >> (8 - rest));
}

/* "eth*" is for all that begin so. */
static bool interface_covers(const char *outer, const char *inner)
{
	size_t length = strlen(outer);

	if (length && outer[length - 1] == '*')
		return !strncmp(outer, inner, length - 1);
	return word_covers(outer, inner);
}

static bool mark_covers(const struct reach *outer, const struct reach *inner)
{
	return !(outer->mask & ~inner->mask) && (inner->mark & outer->mask) == outer->mark;
}

static bool covers(const struct reach *outer, const struct reach *inner)
{
	return !strcmp(outer->hook, inner->hook) && !strcmp(outer->protocol, inner->protocol) &&
	       ports_cover(&outer->dport, &inner->dport) &&
	       ports_cover(&outer->sport, &inner->sport) &&
	       word_covers(outer->family, inner->family) &&
	       prefix_covers(&outer->saddr, &inner->saddr) &&
	       prefix_covers(&outer->daddr, &inner->daddr) &&
	       interface_covers(outer->iif, inner->iif) &&
	       interface_covers(outer->oif, inner->oif) &&
	       word_covers(outer->direction, inner->direction) && mark_covers(outer, inner);
}

/**
 * shadows_add() - tell of each rule that is never asked, which one is before it
 * @list: all rules of the payload check, in order; "shadowed-by" becomes the handle of the
 *	first one that is for all packets of a rule
 */
void shadows_add(json_t *list)
{
	size_t count = json_array_size(list), i, before;
	struct reach *reaches;

	if (count > SHADOWS_MOST)
		return;
	reaches = no_null(malloc((count + 1) * sizeof(*reaches)));
	for (i = 0; i < count; i++) {
		read_reach(&reaches[i], json_array_get(list, i));
		for (before = 0; before < i && !covers(&reaches[before], &reaches[i]); before++)
			;
		if (before < i)
			json_object_set(json_array_get(list, i), "shadowed-by",
					json_object_get(json_array_get(list, before), "handle"));
	}
	free(reaches);
}
