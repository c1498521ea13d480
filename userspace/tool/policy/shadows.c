// SPDX-License-Identifier: GPL-2.0
/*
 * Finds rules of the payload check that are never asked, because one rule before them takes all
 * their packets. It reports only what is certain: several rules together may do the same, and
 * nothing is said of that.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "shadows.h"
#include "words/networks.h"
#include "words/ports.h"

/* The networks of a rule, no two of which overlap; without any, it is for all addresses. */
struct networks {
	struct network *of;
	size_t count;
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
	struct networks saddr, daddr;
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

static void read_network(struct networks *networks, const json_t *from, const char *address,
			 const char *bits)
{
	const char *text = member_text(from, address);
	struct network network = { .length = strchr(text, ':') ? 16 : 4 };

	if (inet_pton(network.length == 4 ? AF_INET : AF_INET6, text, network.octets) != 1)
		return;
	network.prefix = member_present(from, bits) ? (unsigned int)member_number(from, bits) :
						      8U * network.length;
	networks->of = no_null(realloc(networks->of, (networks->count + 1) * sizeof(network)));
	networks->of[networks->count++] = network;
}

static void read_networks(struct networks *networks, const json_t *rule, const char *address,
			  const char *bits, const char *list)
{
	const json_t *network;
	size_t i;

	json_array_foreach(json_object_get(rule, list), i, network) {
		read_network(networks, network, "address", "prefix");
	}
	if (member_present(rule, address))
		read_network(networks, rule, address, bits);
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
	read_networks(&reach->saddr, rule, "saddr", "saddr-prefix", "saddr-network");
	read_networks(&reach->daddr, rule, "daddr", "daddr-prefix", "daddr-network");
}

/* In each of these, is all of @inner in @outer? */

static bool word_covers(const char *outer, const char *inner)
{
	return !*outer || !strcmp(outer, inner);
}

/* One range must hold all of @inner: between two of a set, there is a port that is in neither. */
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

/* One network must hold all of @inner: words_networks() joins those that make up a larger one. */
static bool network_covered(const struct networks *outer, const struct network *inner)
{
	size_t i;

	for (i = 0; i < outer->count; i++)
		if (network_covers(&outer->of[i], *inner))
			return true;
	return false;
}

static bool networks_cover(const struct networks *outer, const struct networks *inner)
{
	size_t i;

	if (!outer->count)
		return true;
	for (i = 0; i < inner->count; i++)
		if (!network_covered(outer, &inner->of[i]))
			return false;
	return inner->count;
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
	       networks_cover(&outer->saddr, &inner->saddr) &&
	       networks_cover(&outer->daddr, &inner->daddr) &&
	       interface_covers(outer->iif, inner->iif) &&
	       interface_covers(outer->oif, inner->oif) &&
	       word_covers(outer->direction, inner->direction) && mark_covers(outer, inner);
}

/**
 * shadows_add() - mark the rules that are never asked
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
	for (i = 0; i < count; i++) {
		free(reaches[i].saddr.of);
		free(reaches[i].daddr.of);
	}
	free(reaches);
}
