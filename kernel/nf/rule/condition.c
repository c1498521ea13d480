// SPDX-License-Identifier: GPL-2.0
/*
 * The packets that a rule is for: interfaces, mark, and direction in the
 * connection. The index does not know them: they are compared rule by rule.
 */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/genetlink.h>
#include <net/netfilter/nf_conntrack.h>

#include "../packet/packet.h"
#include "condition.h"
#include "refuse.h"
#include "rule_types.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

/* "eth0", or "eth*" for all that begin so. */
static int parse_interface(struct genl_info *info, int attr, struct nf_interface *interface)
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
		return nf_refuse(info, attr, "the name of the interface is empty");
	if (len >= IFNAMSIZ)
		return nf_refuse(info, attr, "no interface has a name so long");
	interface->len = len;
	memcpy(interface->name, name, len);
	return 0;
}

static int parse_interfaces(struct nf_selectors *selectors, struct genl_info *info)
{
	u8 hook = selectors->fields.hook;

	if (info->attrs[ATTR(IIF)] && hook == UTF8GUARD_NF_HOOK_OUTPUT)
		return nf_refuse(info, ATTR(IIF), "a packet of this host came in by no interface");
	if (info->attrs[ATTR(OIF)] && hook == UTF8GUARD_NF_HOOK_INPUT)
		return nf_refuse(info, ATTR(OIF), "a packet for this host goes nowhere else");
	return parse_interface(info, ATTR(IIF), &selectors->iif) ?:
	       parse_interface(info, ATTR(OIF), &selectors->oif);
}

static int parse_mark(struct nf_selectors *selectors, struct genl_info *info)
{
	struct nlattr *mark = info->attrs[ATTR(MARK)], *mask = info->attrs[ATTR(MARK_MASK)];

	if (!mark)
		return mask ? nf_refuse(info, ATTR(MARK_MASK), "a mask without a mark") : 0;
	selectors->mark = nla_get_u32(mark);
	selectors->mark_mask = mask ? nla_get_u32(mask) : U32_MAX;
	if (!selectors->mark_mask)
		return nf_refuse(info, ATTR(MARK_MASK), "the mask has no bits");
	if (selectors->mark & ~selectors->mark_mask)
		return nf_refuse(info, ATTR(MARK), "the mark has bits set outside its mask");
	return 0;
}

/**
 * nf_conditions_parse() - conditions of a request
 * @selectors: its fields are there; gets the conditions
 * @info: the request; its extack is told why not
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int nf_conditions_parse(struct nf_selectors *selectors, struct genl_info *info)
{
	const struct nlattr *direction = info->attrs[ATTR(DIRECTION)];
	int err = parse_interfaces(selectors, info) ?: parse_mark(selectors, info);

	if (err)
		return err;
	if (direction)
		selectors->direction = 1 + nla_get_u32(direction);
	selectors->fields.more = !selectors->iif.any || !selectors->oif.any ||
				 selectors->mark_mask || selectors->direction;
	return 0;
}

static int put_interface(struct sk_buff *skb, int attr, const struct nf_interface *interface)
{
	char name[IFNAMSIZ + 1] = {};

	if (interface->any)
		return 0;
	memcpy(name, interface->name, interface->len);
	if (interface->is_prefix)
		name[interface->len] = '*';
	return nla_put_string(skb, attr, name);
}

/* The same as attributes; -EMSGSIZE where they do not fit in the message. */
int nf_conditions_put(const struct nf_selectors *selectors, struct sk_buff *skb)
{
	if (put_interface(skb, ATTR(IIF), &selectors->iif) ||
	    put_interface(skb, ATTR(OIF), &selectors->oif) ||
	    (selectors->direction && nla_put_u32(skb, ATTR(DIRECTION), selectors->direction - 1)))
		return -EMSGSIZE;
	if (!selectors->mark_mask)
		return 0;
	return nla_put_u32(skb, ATTR(MARK), selectors->mark) ?:
	       nla_put_u32(skb, ATTR(MARK_MASK), selectors->mark_mask);
}

/* Compared by name, as nft does it: an interface may come and go. */
static bool interface_fits(const struct nf_interface *interface, const struct net_device *dev)
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
 * nf_conditions_hold() - do they, for a packet that the fields are for?
 * @selectors: of a rule
 * @packet: as parsed
 * @in: where it came in by, or NULL
 * @out: where it goes out by, or NULL
 *
 * Context: a netfilter hook.
 */
bool nf_conditions_hold(const struct nf_selectors *selectors, const struct nf_packet *packet,
			const struct net_device *in, const struct net_device *out)
{
	return (packet->skb->mark & selectors->mark_mask) == selectors->mark &&
	       interface_fits(&selectors->iif, in) && interface_fits(&selectors->oif, out) &&
	       direction_fits(selectors->direction, packet->skb);
}
