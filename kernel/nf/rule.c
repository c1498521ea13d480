// SPDX-License-Identifier: GPL-2.0
/* One rule: from netlink, and against a packet. */
#include <linux/in.h>
#include <linux/inetdevice.h>
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <net/genetlink.h>
#include <net/ipv6.h>

#include "nf.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

static int refuse(struct genl_info *info, int attr, const char *message)
{
	if (info->extack)
		info->extack->_msg = message;
	if (info->attrs[attr])
		NL_SET_BAD_ATTR(info->extack, info->attrs[attr]);
	return -EINVAL;
}

static int parse_ports(struct genl_info *info, int min, int max, struct nf_ports *ports)
{
	struct nlattr **attrs = info->attrs;

	*ports = (struct nf_ports) { 0, U16_MAX };
	if (!attrs[min] && !attrs[max])
		return 0;
	if (!attrs[min])
		return refuse(info, max, "the lowest port of the range is missing");
	ports->min = nla_get_u16(attrs[min]);
	ports->max = attrs[max] ? nla_get_u16(attrs[max]) : ports->min;
	if (ports->min > ports->max)
		return refuse(info, min, "the range of ports is empty");
	return 0;
}

static bool all_ports(const struct nf_ports *ports)
{
	return ports->min == 0 && ports->max == U16_MAX;
}

static int parse_all_ports(struct genl_info *info, struct nf_rule *rule)
{
	bool all;
	int err;

	err = parse_ports(info, ATTR(SPORT_MIN), ATTR(SPORT_MAX), &rule->sport) ?:
	      parse_ports(info, ATTR(DPORT_MIN), ATTR(DPORT_MAX), &rule->dport);
	if (err)
		return err;
	all = all_ports(&rule->sport) && all_ports(&rule->dport);
	rule->any_port = info->attrs[ATTR(ANY_PORT)];
	if (all && !rule->any_port)
		return refuse(info, ATTR(ANY_PORT),
			      "the rule has no port; say any-port if it is for all of them");
	if (!all && rule->any_port)
		return refuse(info, ATTR(ANY_PORT), "the rule has ports and any-port");
	return 0;
}

/* The bits behind the prefix must be 0: a typing error, if they are not. */
static bool host_bits(const struct in6_addr *addr, unsigned int prefix, unsigned int bits)
{
	struct in6_addr net = {};

	ipv6_addr_prefix(&net, addr, prefix);
	return prefix < bits && !ipv6_addr_equal(&net, addr);
}

static int parse_prefix(struct genl_info *info, int addr, int len, u8 family,
			struct nf_prefix *prefix)
{
	unsigned int octets = family == AF_INET ? 4 : 16;
	struct nlattr **attrs = info->attrs;

	prefix->any = !attrs[addr];
	if (prefix->any)
		return attrs[len] ? refuse(info, len, "a prefix length without address") : 0;
	if (!family)
		return refuse(info, addr, "an address takes a rule for one family");
	if (nla_len(attrs[addr]) != octets)
		return refuse(info, addr, "an address of the other family");
	prefix->len = attrs[len] ? nla_get_u8(attrs[len]) : octets * 8;
	if (prefix->len > octets * 8)
		return refuse(info, len, "the prefix is longer than the address");
	memcpy(&prefix->addr, nla_data(attrs[addr]), octets);
	if (host_bits(&prefix->addr, prefix->len, octets * 8))
		return refuse(info, addr, "the address has bits set behind its prefix");
	return 0;
}

static int parse_stream(struct genl_info *info, struct nf_rule *rule)
{
	struct nlattr **attrs = info->attrs;

	rule->streams = attrs[ATTR(STREAM)];
	if (rule->streams && rule->protocol != IPPROTO_TCP)
		return refuse(info, ATTR(STREAM), "only TCP has streams");
	if (rule->streams && nla_get_u32(attrs[ATTR(STREAM)]) == UTF8GUARD_NF_STREAM_LENIENT)
		rule->policy = (struct nf_stream_policy) { .lenient = true, .urgent_inline = true };
	rule->fail_closed = rule->streams && !rule->policy.lenient;
	if (attrs[ATTR(FAIL)])
		rule->fail_closed = nla_get_u32(attrs[ATTR(FAIL)]) == UTF8GUARD_NF_FAIL_CLOSED;
	return 0;
}

static int parse_all(struct genl_info *info, struct nf_rule *rule)
{
	struct nlattr **attrs = info->attrs;

	if (!attrs[ATTR(HOOK)])
		return refuse(info, ATTR(HOOK), "the hook is missing");
	if (!attrs[ATTR(ACTION)])
		return refuse(info, ATTR(ACTION), "the action is missing");
	if (!attrs[ATTR(PROTOCOL)])
		return refuse(info, ATTR(PROTOCOL), "the protocol is missing");
	rule->hook = nla_get_u32(attrs[ATTR(HOOK)]);
	rule->action = nla_get_u32(attrs[ATTR(ACTION)]);
	rule->protocol = nla_get_u8(attrs[ATTR(PROTOCOL)]);
	if (rule->protocol != IPPROTO_TCP && rule->protocol != IPPROTO_UDP)
		return refuse(info, ATTR(PROTOCOL), "the protocol is neither TCP nor UDP");
	if (attrs[ATTR(FAMILY)])
		rule->family = nla_get_u8(attrs[ATTR(FAMILY)]);
	if (rule->family && rule->family != AF_INET && rule->family != AF_INET6)
		return refuse(info, ATTR(FAMILY), "the family is neither IPv4 nor IPv6");
	return parse_stream(info, rule) ?: parse_all_ports(info, rule) ?:
	       parse_prefix(info, ATTR(SADDR), ATTR(SADDR_PREFIX), rule->family,
			    &rule->saddr) ?:
	       parse_prefix(info, ATTR(DADDR), ATTR(DADDR_PREFIX), rule->family,
			    &rule->daddr);
}

static u32 hash_prefix(const struct nf_prefix *prefix, u32 seed)
{
	return jhash2(prefix->addr.s6_addr32, 4, seed + prefix->len);
}

/* Of all that nf_rule_same() looks at. */
static u32 key_of(const struct nf_rule *rule)
{
	u32 key = jhash_3words(rule->hook << 16 | rule->family << 8 | rule->protocol,
			       (u32)rule->sport.min << 16 | rule->sport.max,
			       (u32)rule->dport.min << 16 | rule->dport.max, 0);

	return hash_prefix(&rule->saddr, hash_prefix(&rule->daddr, key));
}

/**
 * nf_rule_parse() - make a rule of a request
 * @info: the request; its extack is told why not
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no handle yet, or an ERR_PTR().
 */
struct nf_rule *nf_rule_parse(struct genl_info *info)
{
	struct nf_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	int err;

	if (!rule)
		return ERR_PTR(-ENOMEM);
	err = utf8guard_rule_init(&rule->rule, info->attrs[ATTR(COMMENT)], info->extack) ?:
	      parse_all(info, rule) ?: nf_traffic_init(rule);
	if (err) {
		utf8guard_rule_put(&nf_ruleset_type, &rule->rule);
		return ERR_PTR(err);
	}
	rule->rule.key = key_of(rule);
	return rule;
}

void nf_rule_free(struct utf8guard_rule *rule)
{
	struct nf_rule *mine = nf_rule_of(rule);

	free_percpu(mine->traffic);
	kfree(mine);
}

static bool same_ports(const struct nf_ports *a, const struct nf_ports *b)
{
	return a->min == b->min && a->max == b->max;
}

static bool same_prefix(const struct nf_prefix *a, const struct nf_prefix *b)
{
	return a->any == b->any && a->len == b->len && ipv6_addr_equal(&a->addr, &b->addr);
}

/* Do they look for the same packets? Then the second could never decide. */
bool nf_rule_same(const struct utf8guard_rule *one, const struct utf8guard_rule *other)
{
	const struct nf_rule *a = nf_rule_of(one), *b = nf_rule_of(other);

	return a->hook == b->hook && a->family == b->family &&
	       a->protocol == b->protocol && same_ports(&a->sport, &b->sport) &&
	       same_ports(&a->dport, &b->dport) && same_prefix(&a->saddr, &b->saddr) &&
	       same_prefix(&a->daddr, &b->daddr);
}

static bool port_fits(const struct nf_ports *ports, u16 port)
{
	return port >= ports->min && port <= ports->max;
}

static bool addr_fits(const struct nf_prefix *prefix, const void *addr, u8 family)
{
	if (prefix->any)
		return true;
	if (family == AF_INET6)
		return ipv6_prefix_equal(addr, &prefix->addr, prefix->len);
	return !((*(const __be32 *)addr ^ prefix->addr.s6_addr32[0]) &
		 inet_make_mask(prefix->len));
}

/**
 * nf_rule_fits() - is the rule for this packet?
 * @rule: of the packet's hook
 * @packet: as parsed
 *
 * Context: any.
 */
bool nf_rule_fits(const struct nf_rule *rule, const struct nf_packet *packet)
{
	return rule->protocol == packet->protocol &&
	       (!rule->family || rule->family == packet->family) &&
	       port_fits(&rule->dport, packet->dport) &&
	       port_fits(&rule->sport, packet->sport) &&
	       addr_fits(&rule->saddr, packet->saddr, packet->family) &&
	       addr_fits(&rule->daddr, packet->daddr, packet->family);
}
