// SPDX-License-Identifier: GPL-2.0
/*
 * The match of a rule: the packets that it is for. The index finds rules by protocol, ports and
 * addresses. Interfaces, mark and direction of the connection are compared rule by rule.
 */
#include <linux/in.h>
#include <linux/jhash.h>
#include <linux/once.h>
#include <linux/random.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <net/genetlink.h>
#include <net/netfilter/nf_conntrack.h>

#include "../netlink_gen.h"
#include "../packet/conntrack.h"
#include "../packet/packet.h"
#include "index.h"
#include "match.h"
#include "networks.h"
#include "refuse.h"
#include "rule_types.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

/* The attributes of a request that have ports. */
struct port_attrs {
	int min, max, range;
};

static const struct port_attrs source_attrs = {
	ATTR(SPORT_MIN), ATTR(SPORT_MAX), ATTR(SPORT_RANGE)
};

static const struct port_attrs destination_attrs = {
	ATTR(DPORT_MIN), ATTR(DPORT_MAX), ATTR(DPORT_RANGE)
};

/* Adds a range to a set; ranges come in ascending order. */
static int parse_range(struct genl_info *info, const struct nlattr *attr,
		       struct ugnf_port_set *set)
{
	struct nlattr *tb[UTF8GUARD_NF_A_PORT_RANGE_MAX + 1];
	const struct nlattr *min, *max;
	struct ugnf_ports *range = &set->ranges[set->count];
	int err;

	if (set->count == UGNF_MAX_PORT_RANGES)
		return ugnf_refuse_at(info, attr, "a set has 16 ranges of ports at most");
	err = nla_parse_nested(tb, UTF8GUARD_NF_A_PORT_RANGE_MAX, attr,
			       utf8guard_nf_port_range_nl_policy, info->extack);
	if (err)
		return err;
	min = tb[UTF8GUARD_NF_A_PORT_RANGE_FROM];
	max = tb[UTF8GUARD_NF_A_PORT_RANGE_TO];
	if (!min)
		return ugnf_refuse_at(info, attr, "the lowest port of the range is missing");
	range->min = nla_get_u16(min);
	range->max = max ? nla_get_u16(max) : range->min;
	if (range->min > range->max)
		return ugnf_refuse_at(info, attr, "the range of ports is empty");
	if (set->count && range->min <= range[-1].max + 1)
		return ugnf_refuse_at(info, attr,
				      "ranges of ports must ascend, with a port between any two");
	set->count++;
	return 0;
}

static int parse_ranges(struct genl_info *info, int type, struct ugnf_port_set *set)
{
	const struct nlattr *attr;
	int left, err = 0;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, left) {
		if (nla_type(attr) == type)
			err = parse_range(info, attr, set);
		if (err)
			break;
	}
	return err;
}

/* A set of one range is stored as a range, so that rules for the same ports compare equal. */
static int keep_set(const struct ugnf_port_set *all, struct ugnf_ports *ports,
		    const struct ugnf_port_set **set)
{
	*ports = (struct ugnf_ports) { all->ranges[0].min, all->ranges[all->count - 1].max };
	if (all->count == 1)
		return 0;
	*set = kmemdup(all, struct_size(all, ranges, all->count), GFP_KERNEL_ACCOUNT);
	return *set ? 0 : -ENOMEM;
}

static int parse_set(struct genl_info *info, const struct port_attrs *at,
		     struct ugnf_ports *ports, const struct ugnf_port_set **set)
{
	struct ugnf_port_set *all;
	int err;

	if (info->attrs[at->min] || info->attrs[at->max])
		return ugnf_refuse(info, at->range,
				   "ports are one range or a set of them, not both");
	all = kzalloc(struct_size(all, ranges, UGNF_MAX_PORT_RANGES), GFP_KERNEL);
	if (!all)
		return -ENOMEM;
	err = parse_ranges(info, at->range, all) ?: keep_set(all, ports, set);
	kfree(all);
	return err;
}

static int parse_ports(struct genl_info *info, const struct port_attrs *at,
		       struct ugnf_ports *ports, const struct ugnf_port_set **set)
{
	struct nlattr **attrs = info->attrs;
	int min = at->min, max = at->max;

	if (attrs[at->range])
		return parse_set(info, at, ports, set);
	*ports = (struct ugnf_ports) { 0, U16_MAX };
	if (!attrs[min] && !attrs[max])
		return 0;
	if (!attrs[min])
		return ugnf_refuse(info, max, "the lowest port of the range is missing");
	ports->min = nla_get_u16(attrs[min]);
	ports->max = attrs[max] ? nla_get_u16(attrs[max]) : ports->min;
	if (ports->min > ports->max)
		return ugnf_refuse(info, min, "the range of ports is empty");
	return 0;
}

static bool all_ports(const struct ugnf_ports *ports, const struct ugnf_port_set *set)
{
	return ports->min == 0 && ports->max == U16_MAX && !set;
}

static int parse_all_ports(struct genl_info *info, struct ugnf_match *match)
{
	struct ugnf_fields *fields = &match->fields;
	bool all;
	int err;

	err = parse_ports(info, &source_attrs, &fields->sport, &fields->sports) ?:
	      parse_ports(info, &destination_attrs, &fields->dport, &fields->dports);
	if (err)
		return err;
	all = all_ports(&fields->sport, fields->sports) &&
	      all_ports(&fields->dport, fields->dports);
	match->any_port = info->attrs[ATTR(ANY_PORT)];
	if (all && !match->any_port)
		return ugnf_refuse(info, ATTR(ANY_PORT),
				   "the rule has no port; say any-port if it is for all of them");
	if (!all && match->any_port)
		return ugnf_refuse(info, ATTR(ANY_PORT),
				   "a rule takes ports or any-port, not both");
	return 0;
}

static int parse_protocol(struct genl_info *info, struct ugnf_fields *fields)
{
	struct nlattr **attrs = info->attrs;

	if (!attrs[ATTR(HOOK)])
		return ugnf_refuse(info, ATTR(HOOK), "the hook is missing");
	if (!attrs[ATTR(PROTOCOL)])
		return ugnf_refuse(info, ATTR(PROTOCOL), "the protocol is missing");
	fields->hook = nla_get_u32(attrs[ATTR(HOOK)]);
	fields->protocol = nla_get_u8(attrs[ATTR(PROTOCOL)]);
	if (fields->protocol != IPPROTO_TCP && fields->protocol != IPPROTO_UDP &&
	    fields->protocol != IPPROTO_SCTP && fields->protocol != IPPROTO_UDPLITE)
		return ugnf_refuse(info, ATTR(PROTOCOL),
				   "the protocol must be TCP, UDP, SCTP or UDP-Lite");
	if (attrs[ATTR(FAMILY)])
		fields->family = nla_get_u8(attrs[ATTR(FAMILY)]);
	if (fields->family && fields->family != AF_INET && fields->family != AF_INET6)
		return ugnf_refuse(info, ATTR(FAMILY), "the family must be IPv4 or IPv6");
	return 0;
}

/* Reads the name of an interface: "eth0", or "eth*" for all that begin with "eth". */
static int parse_interface(struct genl_info *info, int attr, struct ugnf_interface *interface)
{
	const char *name;
	size_t len;

	interface->any = !info->attrs[attr];
	if (interface->any)
		return 0;
	name = nla_data(info->attrs[attr]);
	len = strlen(name);
	interface->is_prefix = len && name[len - 1] == '*';
	len -= interface->is_prefix;
	if (!len)
		return ugnf_refuse(info, attr, "the name of the interface is empty");
	if (len >= IFNAMSIZ)
		return ugnf_refuse(info, attr, "the name of the interface is too long");
	interface->len = len;
	memcpy(interface->name, name, len);
	return 0;
}

static int parse_interfaces(struct ugnf_match *match, struct genl_info *info)
{
	u8 hook = match->fields.hook;

	if (info->attrs[ATTR(IIF)] && hook == UTF8GUARD_NF_HOOK_OUTPUT)
		return ugnf_refuse(info, ATTR(IIF),
				   "packets of the hook output have no input interface");
	if (info->attrs[ATTR(OIF)] && hook == UTF8GUARD_NF_HOOK_INPUT)
		return ugnf_refuse(info, ATTR(OIF),
				   "packets of the hook input have no output interface");
	return parse_interface(info, ATTR(IIF), &match->iif) ?:
	       parse_interface(info, ATTR(OIF), &match->oif);
}

static int parse_mark(struct ugnf_match *match, struct genl_info *info)
{
	struct nlattr *mark = info->attrs[ATTR(MARK)], *mask = info->attrs[ATTR(MARK_MASK)];

	if (!mark)
		return mask ? ugnf_refuse(info, ATTR(MARK_MASK), "a mask needs a mark") : 0;
	match->mark = nla_get_u32(mark);
	match->mark_mask = mask ? nla_get_u32(mask) : U32_MAX;
	if (!match->mark_mask)
		return ugnf_refuse(info, ATTR(MARK_MASK), "the mask has no bits");
	if (match->mark & ~match->mark_mask)
		return ugnf_refuse(info, ATTR(MARK), "the mark has bits set outside its mask");
	return 0;
}

/* Reads what the index does not know: interfaces, mark, direction. */
static int parse_conditions(struct ugnf_match *match, struct genl_info *info)
{
	const struct nlattr *direction = info->attrs[ATTR(DIRECTION)];
	int err = parse_interfaces(match, info) ?: parse_mark(match, info);

	if (err)
		return err;
	if (direction)
		match->direction = 1 + nla_get_u32(direction);
	match->fields.more = !match->iif.any || !match->oif.any ||
			     match->mark_mask || match->direction;
	return 0;
}

/**
 * ugnf_match_parse() - read from a request which packets a rule is for
 * @match: all zeroes; filled in, and to be released also on failure
 * @info: the request; its extack is told what is wrong
 *
 * Context: process context; may sleep.
 * Return: 0, -EINVAL or -ENOMEM; of malformed attributes, errors of nla_parse_nested().
 */
int ugnf_match_parse(struct ugnf_match *match, struct genl_info *info)
{
	struct ugnf_fields *fields = &match->fields;

	return parse_protocol(info, fields) ?:
	       parse_all_ports(info, match) ?:
	       ugnf_networks_parse(fields, info) ?:
	       parse_conditions(match, info);
}

/* Frees the sets of a match. */
void ugnf_match_release(struct ugnf_match *match)
{
	kfree(match->fields.sports);
	kfree(match->fields.dports);
	ugnf_networks_release(&match->fields);
}

static u32 hash_set(const struct ugnf_port_set *set, u32 hash)
{
	return set ? jhash(set->ranges, array_size(set->count, sizeof(set->ranges[0])), hash) :
		     hash;
}

static bool same_set(const struct ugnf_port_set *a, const struct ugnf_port_set *b)
{
	if (!a || !b)
		return a == b;
	return a->count == b->count &&
	       !memcmp(a->ranges, b->ranges, array_size(a->count, sizeof(a->ranges[0])));
}

/* The two parts of a match that memcmp() compares; its pointers to sets are between them. */
#define OF_FIELDS offsetof(struct ugnf_fields, sports)
#define AFTER_FIELDS offsetofend(struct ugnf_match, fields)

/*
 * A hash: equal matches have the same. It has a random seed, so that nobody can make rules that all
 * have one, each of which is compared with all that were added before.
 */
u32 ugnf_match_hash(const struct ugnf_match *match)
{
	static u32 seed __read_mostly;
	u32 hash;

	get_random_once(&seed, sizeof(seed));
	hash = jhash(&match->fields, OF_FIELDS, seed);
	hash = jhash((const u8 *)match + AFTER_FIELDS, sizeof(*match) - AFTER_FIELDS, hash);
	hash = hash_set(match->fields.sports, hash_set(match->fields.dports, hash));
	return ugnf_networks_hash(&match->fields, hash);
}

/* Are two matches for the same packets, in the same words? */
bool ugnf_match_same(const struct ugnf_match *a, const struct ugnf_match *b)
{
	return !memcmp(&a->fields, &b->fields, OF_FIELDS) &&
	       !memcmp((const u8 *)a + AFTER_FIELDS, (const u8 *)b + AFTER_FIELDS,
		       sizeof(*a) - AFTER_FIELDS) &&
	       same_set(a->fields.sports, b->fields.sports) &&
	       same_set(a->fields.dports, b->fields.dports) &&
	       ugnf_networks_same(&a->fields, &b->fields);
}

static int put_range(struct sk_buff *skb, int attr, const struct ugnf_ports *range)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u16(skb, UTF8GUARD_NF_A_PORT_RANGE_FROM, range->min) ||
	    nla_put_u16(skb, UTF8GUARD_NF_A_PORT_RANGE_TO, range->max)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * For a set, the lowest and the highest port are not sent: a client that does not know sets
 * would believe that the rule is for all ports between.
 */
static int put_ports(struct sk_buff *skb, const struct port_attrs *at,
		     const struct ugnf_ports *ports, const struct ugnf_port_set *set)
{
	u32 i;

	for (i = 0; set && i < set->count; i++)
		if (put_range(skb, at->range, &set->ranges[i]))
			return -EMSGSIZE;
	if (set || all_ports(ports, set))
		return 0;
	return nla_put_u16(skb, at->min, ports->min) ?: nla_put_u16(skb, at->max, ports->max);
}

static int put_interface(struct sk_buff *skb, int attr, const struct ugnf_interface *interface)
{
	char name[IFNAMSIZ + 1] = {};

	if (interface->any)
		return 0;
	memcpy(name, interface->name, interface->len);
	if (interface->is_prefix)
		name[interface->len] = '*';
	return nla_put_string(skb, attr, name);
}

static int put_conditions(const struct ugnf_match *match, struct sk_buff *skb)
{
	if (put_interface(skb, ATTR(IIF), &match->iif) ||
	    put_interface(skb, ATTR(OIF), &match->oif) ||
	    (match->direction && nla_put_u32(skb, ATTR(DIRECTION), match->direction - 1)))
		return -EMSGSIZE;
	if (!match->mark_mask)
		return 0;
	return nla_put_u32(skb, ATTR(MARK), match->mark) ?:
	       nla_put_u32(skb, ATTR(MARK_MASK), match->mark_mask);
}

/* Puts a match as attributes; -EMSGSIZE where they do not fit in the message. */
int ugnf_match_put(const struct ugnf_match *match, struct sk_buff *skb)
{
	const struct ugnf_fields *fields = &match->fields;

	if (nla_put_u32(skb, ATTR(HOOK), fields->hook) ||
	    nla_put_u8(skb, ATTR(PROTOCOL), fields->protocol) ||
	    (fields->family && nla_put_u8(skb, ATTR(FAMILY), fields->family)) ||
	    (match->any_port && nla_put_flag(skb, ATTR(ANY_PORT))) ||
	    put_ports(skb, &source_attrs, &fields->sport, fields->sports) ||
	    put_ports(skb, &destination_attrs, &fields->dport, fields->dports) ||
	    ugnf_networks_put(fields, skb))
		return -EMSGSIZE;
	return put_conditions(match, skb);
}

/* Compares names, as nft does with iifname: an interface may come and go. */
static bool interface_fits(const struct ugnf_interface *interface, const struct net_device *dev)
{
	if (interface->any)
		return true;
	if (!dev || strncmp(dev->name, interface->name, interface->len))
		return false;
	return interface->is_prefix || !dev->name[interface->len];
}

/* Directions of a connection, as a mask of BIT(enum ip_conntrack_dir). */
#define BOTH_DIRECTIONS (BIT(IP_CT_DIR_ORIGINAL) | BIT(IP_CT_DIR_REPLY))
#define IS_ASKED BIT(IP_CT_DIR_MAX)

/*
 * A receiver may take what connection tracking finds invalid. It has the direction of its
 * connection; if that is not known, it fits both.
 */
static u8 directions_of_invalid(const struct ugnf_packet *packet)
{
	struct nf_conn *ct;
	u8 found;

	ct = ugnf_conntrack_of_invalid(packet, &found);
	if (!ct)
		return BOTH_DIRECTIONS;
	nf_ct_put(ct);
	return BIT(found);
}

/*
 * A packet that connection tracking was told to ignore has no direction. One that it has misread
 * would have the direction that its sender chooses: so that is not known, and the packet fits both.
 */
static u8 directions_of(const struct ugnf_packet *packet)
{
	enum ip_conntrack_info ctinfo;

	if (ugnf_packet_is_misread(packet))
		return BOTH_DIRECTIONS;
	if (nf_ct_get(packet->skb, &ctinfo))
		return BIT(CTINFO2DIR(ctinfo));
	return ctinfo == IP_CT_UNTRACKED ? 0 : directions_of_invalid(packet);
}

/*
 * The connection of an invalid packet is looked up once for all rules. So they agree on it, also
 * where it ends meanwhile.
 */
static bool direction_fits(u8 direction, struct ugnf_packet *packet)
{
	if (!direction)
		return true;
	if (!packet->directions)
		packet->directions = directions_of(packet) | IS_ASKED;
	return packet->directions & BIT(direction - 1);
}

/**
 * ugnf_match_conditions() - is a packet in the match, if its fields are?
 * @match: the match of a rule
 * @packet: the packet, parsed; its directions are found if the match is for one
 * @in: the interface by which it came in, or NULL
 * @out: the interface by which it goes out, or NULL
 *
 * Context: a netfilter hook.
 * Return: whether it is.
 */
bool ugnf_match_conditions(const struct ugnf_match *match, struct ugnf_packet *packet,
			   const struct net_device *in, const struct net_device *out)
{
	return (packet->skb->mark & match->mark_mask) == match->mark &&
	       interface_fits(&match->iif, in) && interface_fits(&match->oif, out) &&
	       direction_fits(match->direction, packet);
}
