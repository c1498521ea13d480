// SPDX-License-Identifier: GPL-2.0
/*
 * The packets that a rule is for. The index finds rules by protocol, ports and addresses;
 * interfaces, mark and direction in the connection are compared rule by rule.
 */
#include <linux/in.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/socket.h>
#include <net/genetlink.h>
#include <net/netfilter/nf_conntrack.h>

#include "../packet/packet.h"
#include "index.h"
#include "match.h"
#include "refuse.h"
#include "rule_types.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

static int parse_ports(struct genl_info *info, int min, int max, struct ugnf_ports *ports)
{
	struct nlattr **attrs = info->attrs;

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

static bool all_ports(const struct ugnf_ports *ports)
{
	return ports->min == 0 && ports->max == U16_MAX;
}

static int parse_all_ports(struct genl_info *info, struct ugnf_match *match)
{
	struct ugnf_fields *fields = &match->fields;
	bool all;
	int err;

	err = parse_ports(info, ATTR(SPORT_MIN), ATTR(SPORT_MAX), &fields->sport) ?:
	      parse_ports(info, ATTR(DPORT_MIN), ATTR(DPORT_MAX), &fields->dport);
	if (err)
		return err;
	all = all_ports(&fields->sport) && all_ports(&fields->dport);
	match->any_port = info->attrs[ATTR(ANY_PORT)];
	if (all && !match->any_port)
		return ugnf_refuse(info, ATTR(ANY_PORT),
				   "the rule has no port; say any-port if it is for all of them");
	if (!all && match->any_port)
		return ugnf_refuse(info, ATTR(ANY_PORT), "the rule has ports and any-port");
	return 0;
}

static void set_mask(struct ugnf_prefix *prefix)
{
	unsigned int bits = prefix->len, i;

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

static int parse_prefix(struct genl_info *info, int addr, int len, u8 family,
			struct ugnf_prefix *prefix)
{
	unsigned int octets = family == AF_INET ? 4 : 16;
	struct nlattr **attrs = info->attrs;

	prefix->any = !attrs[addr];
	if (prefix->any)
		return attrs[len] ? ugnf_refuse(info, len, "a prefix length without address") : 0;
	if (!family)
		return ugnf_refuse(info, addr, "an address takes a rule for one family");
	if (nla_len(attrs[addr]) != octets)
		return ugnf_refuse(info, addr, "an address of the other family");
	prefix->len = attrs[len] ? nla_get_u8(attrs[len]) : octets * 8;
	if (prefix->len > octets * 8)
		return ugnf_refuse(info, len, "the prefix is longer than the address");
	memcpy(prefix->addr, nla_data(attrs[addr]), octets);
	set_mask(prefix);
	if (host_bits(prefix))
		return ugnf_refuse(info, addr, "the address has bits set after its prefix");
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
				   "the protocol is none of TCP, UDP, SCTP and UDP-Lite");
	if (attrs[ATTR(FAMILY)])
		fields->family = nla_get_u8(attrs[ATTR(FAMILY)]);
	if (fields->family && fields->family != AF_INET && fields->family != AF_INET6)
		return ugnf_refuse(info, ATTR(FAMILY), "the family is neither IPv4 nor IPv6");
	return 0;
}

/* "eth0", or "eth*" for all that begin so. */
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
		return ugnf_refuse(info, attr, "no interface has a name so long");
	interface->len = len;
	memcpy(interface->name, name, len);
	return 0;
}

static int parse_interfaces(struct ugnf_match *match, struct genl_info *info)
{
	u8 hook = match->fields.hook;

	if (info->attrs[ATTR(IIF)] && hook == UTF8GUARD_NF_HOOK_OUTPUT)
		return ugnf_refuse(info, ATTR(IIF),
				   "a packet of this host came in by no interface");
	if (info->attrs[ATTR(OIF)] && hook == UTF8GUARD_NF_HOOK_INPUT)
		return ugnf_refuse(info, ATTR(OIF), "a packet for this host goes nowhere else");
	return parse_interface(info, ATTR(IIF), &match->iif) ?:
	       parse_interface(info, ATTR(OIF), &match->oif);
}

static int parse_mark(struct ugnf_match *match, struct genl_info *info)
{
	struct nlattr *mark = info->attrs[ATTR(MARK)], *mask = info->attrs[ATTR(MARK_MASK)];

	if (!mark)
		return mask ? ugnf_refuse(info, ATTR(MARK_MASK), "a mask without a mark") : 0;
	match->mark = nla_get_u32(mark);
	match->mark_mask = mask ? nla_get_u32(mask) : U32_MAX;
	if (!match->mark_mask)
		return ugnf_refuse(info, ATTR(MARK_MASK), "the mask has no bits");
	if (match->mark & ~match->mark_mask)
		return ugnf_refuse(info, ATTR(MARK), "the mark has bits set outside its mask");
	return 0;
}

/* What the index does not know. */
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
 * ugnf_match_parse() - the packets that a rule is for, of a request
 * @match: all zeroes; filled in
 * @info: the request; its extack is told why not
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int ugnf_match_parse(struct ugnf_match *match, struct genl_info *info)
{
	struct ugnf_fields *fields = &match->fields;

	return parse_protocol(info, fields) ?:
	       parse_all_ports(info, match) ?:
	       parse_prefix(info, ATTR(SADDR), ATTR(SADDR_PREFIX), fields->family,
			    &fields->saddr) ?:
	       parse_prefix(info, ATTR(DADDR), ATTR(DADDR_PREFIX), fields->family,
			    &fields->daddr) ?:
	       parse_conditions(match, info);
}

static int put_ports(struct sk_buff *skb, int min, int max, const struct ugnf_ports *ports)
{
	if (all_ports(ports))
		return 0;
	return nla_put_u16(skb, min, ports->min) ?: nla_put_u16(skb, max, ports->max);
}

static int put_prefix(struct sk_buff *skb, int addr, int len, u8 family,
		      const struct ugnf_prefix *prefix)
{
	if (prefix->any)
		return 0;
	return nla_put(skb, addr, family == AF_INET ? 4 : 16, prefix->addr) ?:
	       nla_put_u8(skb, len, prefix->len);
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

/* The same as attributes; -EMSGSIZE where they do not fit in the message. */
int ugnf_match_put(const struct ugnf_match *match, struct sk_buff *skb)
{
	const struct ugnf_fields *fields = &match->fields;

	if (nla_put_u32(skb, ATTR(HOOK), fields->hook) ||
	    nla_put_u8(skb, ATTR(PROTOCOL), fields->protocol) ||
	    (fields->family && nla_put_u8(skb, ATTR(FAMILY), fields->family)) ||
	    (match->any_port && nla_put_flag(skb, ATTR(ANY_PORT))) ||
	    put_ports(skb, ATTR(SPORT_MIN), ATTR(SPORT_MAX), &fields->sport) ||
	    put_ports(skb, ATTR(DPORT_MIN), ATTR(DPORT_MAX), &fields->dport) ||
	    put_prefix(skb, ATTR(SADDR), ATTR(SADDR_PREFIX), fields->family, &fields->saddr) ||
	    put_prefix(skb, ATTR(DADDR), ATTR(DADDR_PREFIX), fields->family, &fields->daddr))
		return -EMSGSIZE;
	return put_conditions(match, skb);
}

/* Compared by name, as nft does it: an interface may come and go. */
static bool interface_fits(const struct ugnf_interface *interface, const struct net_device *dev)
{
	if (interface->any)
		return true;
	if (!dev || strncmp(dev->name, interface->name, interface->len))
		return false;
	return interface->is_prefix || !dev->name[interface->len];
}

/* What is not tracked has no direction. */
static bool direction_fits(u8 direction, const struct sk_buff *skb)
{
	enum ip_conntrack_info ctinfo;

	if (!direction)
		return true;
	return nf_ct_get(skb, &ctinfo) && CTINFO2DIR(ctinfo) == direction - 1;
}

/**
 * ugnf_match_conditions() - do they, for a packet that the fields are for?
 * @match: of a rule
 * @packet: as parsed
 * @in: where it came in by, or NULL
 * @out: where it goes out by, or NULL
 *
 * Context: a netfilter hook.
 */
bool ugnf_match_conditions(const struct ugnf_match *match, const struct ugnf_packet *packet,
			   const struct net_device *in, const struct net_device *out)
{
	return (packet->skb->mark & match->mark_mask) == match->mark &&
	       interface_fits(&match->iif, in) && interface_fits(&match->oif, out) &&
	       direction_fits(match->direction, packet->skb);
}
