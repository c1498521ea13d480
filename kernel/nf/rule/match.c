// SPDX-License-Identifier: GPL-2.0
/* The packets that a rule is for: protocol, ports and addresses. */
#include <linux/in.h>
#include <linux/socket.h>
#include <net/genetlink.h>

#include "condition.h"
#include "index.h"
#include "refuse.h"
#include "rule_types.h"
#include "match.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

static int parse_ports(struct genl_info *info, int min, int max, struct nf_ports *ports)
{
	struct nlattr **attrs = info->attrs;

	*ports = (struct nf_ports) { 0, U16_MAX };
	if (!attrs[min] && !attrs[max])
		return 0;
	if (!attrs[min])
		return nf_refuse(info, max, "the lowest port of the range is missing");
	ports->min = nla_get_u16(attrs[min]);
	ports->max = attrs[max] ? nla_get_u16(attrs[max]) : ports->min;
	if (ports->min > ports->max)
		return nf_refuse(info, min, "the range of ports is empty");
	return 0;
}

static bool all_ports(const struct nf_ports *ports)
{
	return ports->min == 0 && ports->max == U16_MAX;
}

static int parse_all_ports(struct genl_info *info, struct nf_selectors *selectors)
{
	struct nf_fields *fields = &selectors->fields;
	bool all;
	int err;

	err = parse_ports(info, ATTR(SPORT_MIN), ATTR(SPORT_MAX), &fields->sport) ?:
	      parse_ports(info, ATTR(DPORT_MIN), ATTR(DPORT_MAX), &fields->dport);
	if (err)
		return err;
	all = all_ports(&fields->sport) && all_ports(&fields->dport);
	selectors->any_port = info->attrs[ATTR(ANY_PORT)];
	if (all && !selectors->any_port)
		return nf_refuse(info, ATTR(ANY_PORT),
				 "the rule has no port; say any-port if it is for all of them");
	if (!all && selectors->any_port)
		return nf_refuse(info, ATTR(ANY_PORT), "the rule has ports and any-port");
	return 0;
}

static void set_mask(struct nf_prefix *prefix)
{
	unsigned int bits = prefix->len, i;

	for (i = 0; i < ARRAY_SIZE(prefix->mask) && bits; i++) {
		unsigned int n = min(bits, 32U);

		prefix->mask[i] = (__force u32)htonl(~0U << (32 - n));
		bits -= n;
	}
}

/* Bits set behind the prefix are a typing error. */
static bool host_bits(const struct nf_prefix *prefix)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(prefix->mask); i++)
		if (prefix->addr[i] & ~prefix->mask[i])
			return true;
	return false;
}

static int parse_prefix(struct genl_info *info, int addr, int len, u8 family,
			struct nf_prefix *prefix)
{
	unsigned int octets = family == AF_INET ? 4 : 16;
	struct nlattr **attrs = info->attrs;

	prefix->any = !attrs[addr];
	if (prefix->any)
		return attrs[len] ? nf_refuse(info, len, "a prefix length without address") : 0;
	if (!family)
		return nf_refuse(info, addr, "an address takes a rule for one family");
	if (nla_len(attrs[addr]) != octets)
		return nf_refuse(info, addr, "an address of the other family");
	prefix->len = attrs[len] ? nla_get_u8(attrs[len]) : octets * 8;
	if (prefix->len > octets * 8)
		return nf_refuse(info, len, "the prefix is longer than the address");
	memcpy(prefix->addr, nla_data(attrs[addr]), octets);
	set_mask(prefix);
	if (host_bits(prefix))
		return nf_refuse(info, addr, "the address has bits set behind its prefix");
	return 0;
}

static int parse_protocol(struct genl_info *info, struct nf_fields *fields)
{
	struct nlattr **attrs = info->attrs;

	if (!attrs[ATTR(HOOK)])
		return nf_refuse(info, ATTR(HOOK), "the hook is missing");
	if (!attrs[ATTR(PROTOCOL)])
		return nf_refuse(info, ATTR(PROTOCOL), "the protocol is missing");
	fields->hook = nla_get_u32(attrs[ATTR(HOOK)]);
	fields->protocol = nla_get_u8(attrs[ATTR(PROTOCOL)]);
	if (fields->protocol != IPPROTO_TCP && fields->protocol != IPPROTO_UDP &&
	    fields->protocol != IPPROTO_SCTP && fields->protocol != IPPROTO_UDPLITE)
		return nf_refuse(info, ATTR(PROTOCOL),
				 "the protocol is none of TCP, UDP, SCTP and UDP-Lite");
	if (attrs[ATTR(FAMILY)])
		fields->family = nla_get_u8(attrs[ATTR(FAMILY)]);
	if (fields->family && fields->family != AF_INET && fields->family != AF_INET6)
		return nf_refuse(info, ATTR(FAMILY), "the family is neither IPv4 nor IPv6");
	return 0;
}

/**
 * nf_selectors_parse() - the packets that a rule is for, of a request
 * @selectors: all zeroes; filled in
 * @info: the request; its extack is told why not
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int nf_selectors_parse(struct nf_selectors *selectors, struct genl_info *info)
{
	struct nf_fields *fields = &selectors->fields;

	return parse_protocol(info, fields) ?:
	       parse_all_ports(info, selectors) ?:
	       parse_prefix(info, ATTR(SADDR), ATTR(SADDR_PREFIX), fields->family,
			    &fields->saddr) ?:
	       parse_prefix(info, ATTR(DADDR), ATTR(DADDR_PREFIX), fields->family,
			    &fields->daddr) ?:
	       nf_conditions_parse(selectors, info);
}

static int put_ports(struct sk_buff *skb, int min, int max, const struct nf_ports *ports)
{
	if (all_ports(ports))
		return 0;
	return nla_put_u16(skb, min, ports->min) ?: nla_put_u16(skb, max, ports->max);
}

static int put_prefix(struct sk_buff *skb, int addr, int len, u8 family,
		      const struct nf_prefix *prefix)
{
	if (prefix->any)
		return 0;
	return nla_put(skb, addr, family == AF_INET ? 4 : 16, prefix->addr) ?:
	       nla_put_u8(skb, len, prefix->len);
}

/* The same as attributes; -EMSGSIZE where they do not fit in the message. */
int nf_selectors_put(const struct nf_selectors *selectors, struct sk_buff *skb)
{
	const struct nf_fields *fields = &selectors->fields;

	if (nla_put_u32(skb, ATTR(HOOK), fields->hook) ||
	    nla_put_u8(skb, ATTR(PROTOCOL), fields->protocol) ||
	    (fields->family && nla_put_u8(skb, ATTR(FAMILY), fields->family)) ||
	    (selectors->any_port && nla_put_flag(skb, ATTR(ANY_PORT))) ||
	    put_ports(skb, ATTR(SPORT_MIN), ATTR(SPORT_MAX), &fields->sport) ||
	    put_ports(skb, ATTR(DPORT_MIN), ATTR(DPORT_MAX), &fields->dport) ||
	    put_prefix(skb, ATTR(SADDR), ATTR(SADDR_PREFIX), fields->family, &fields->saddr) ||
	    put_prefix(skb, ATTR(DADDR), ATTR(DADDR_PREFIX), fields->family, &fields->daddr))
		return -EMSGSIZE;
	return nf_conditions_put(selectors, skb);
}
