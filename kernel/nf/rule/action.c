// SPDX-License-Identifier: GPL-2.0
/* The action of a rule: what it does about a packet that it refuses. */
#include <linux/in.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>
#include <net/genetlink.h>
#include <net/netfilter/ipv4/nf_reject.h>
#include <net/netfilter/ipv6/nf_reject.h>
#include <net/netfilter/nf_conntrack.h>
#include <net/netfilter/nf_conntrack_ecache.h>

#include "../packet/packet.h"
#include "action.h"
#include "counters.h"
#include "outcome.h"
#include "refuse.h"
#include "rule_types.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

static bool marks(u8 action)
{
	return action == UTF8GUARD_NF_ACTION_MARK || action == UTF8GUARD_NF_ACTION_CTMARK;
}

/* Does the action keep the packet from getting through? */
bool ugnf_action_refuses(const struct ugnf_action *action)
{
	return action->kind == UTF8GUARD_NF_ACTION_DROP ||
	       action->kind == UTF8GUARD_NF_ACTION_REJECT;
}

/*
 * Can the action keep a packet from getting through? Counting and auditing cannot. Marking can,
 * for other rules of the firewall decide by the mark. A stream must not be picked up after a
 * segment that may have been dropped: the sender may send it again.
 */
bool ugnf_action_withholds(const struct ugnf_action *action)
{
	return ugnf_action_refuses(action) || marks(action->kind);
}

static int parse_mark(struct ugnf_action *action, struct genl_info *info)
{
	struct nlattr *mark = info->attrs[ATTR(SET_MARK)], *mask = info->attrs[ATTR(SET_MASK)];

	if (!marks(action->kind)) {
		if (mark || mask)
			return ugnf_refuse(info, mark ? ATTR(SET_MARK) : ATTR(SET_MASK),
					   "only the actions mark and ctmark set a mark");
		return 0;
	}
	if (!mark)
		return ugnf_refuse(info, ATTR(SET_MARK), "the mark to be set is missing");
	action->mark = nla_get_u32(mark);
	action->mask = mask ? nla_get_u32(mask) : U32_MAX;
	if (!action->mask)
		return ugnf_refuse(info, ATTR(SET_MASK), "the mask has no bits");
	if (action->mark & ~action->mask)
		return ugnf_refuse(info, ATTR(SET_MARK), "the mark has bits set outside its mask");
	return 0;
}

/**
 * ugnf_action_parse() - read the action of a rule from a request
 * @action: filled in
 * @info: the request; its extack is told why not
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int ugnf_action_parse(struct ugnf_action *action, struct genl_info *info)
{
	const struct nlattr *kind = info->attrs[ATTR(ACTION)], *fail = info->attrs[ATTR(FAIL)];

	if (!kind)
		return ugnf_refuse(info, ATTR(ACTION), "the action is missing");
	action->kind = nla_get_u32(kind);
	action->fail_closed = fail && nla_get_u32(fail) == UTF8GUARD_NF_FAIL_CLOSED;
	if (action->fail_closed && !ugnf_action_withholds(action))
		return ugnf_refuse(info, ATTR(FAIL),
				   "a rule that lets everything through cannot fail closed");
	return parse_mark(action, info);
}

/* Puts an action as attributes; -EMSGSIZE where they do not fit in the message. */
int ugnf_action_put(const struct ugnf_action *action, struct sk_buff *skb)
{
	if (nla_put_u32(skb, ATTR(ACTION), action->kind) ||
	    (action->fail_closed && nla_put_u32(skb, ATTR(FAIL), UTF8GUARD_NF_FAIL_CLOSED)))
		return -EMSGSIZE;
	if (!marks(action->kind))
		return 0;
	return nla_put_u32(skb, ATTR(SET_MARK), action->mark) ?:
	       nla_put_u32(skb, ATTR(SET_MASK), action->mask);
}

/* Tells the sender as nft and iptables do by default; that is allowed at all three hooks. */
static void reject(const struct ugnf_packet *packet)
{
	const struct nf_hook_state *state = packet->state;

	if (packet->family == AF_INET && packet->protocol == IPPROTO_TCP)
		nf_send_reset(state->net, state->sk, packet->skb, state->hook);
	else if (packet->family == AF_INET)
		nf_send_unreach(packet->skb, ICMP_PORT_UNREACH, state->hook);
	else if (packet->protocol == IPPROTO_TCP)
		nf_send_reset6(state->net, state->sk, packet->skb, state->hook);
	else
		nf_send_unreach6(state->net, packet->skb, ICMPV6_PORT_UNREACH, state->hook);
}

static u32 marked(u32 old, const struct ugnf_action *action)
{
	return (old & ~action->mask) | action->mark;
}

/*
 * Marks the connection, if it is tracked, and no other one for it. Listeners to conntrack are told,
 * as with nft.
 */
static void mark_connection(const struct ugnf_action *action, const struct ugnf_packet *packet)
{
	enum ip_conntrack_info ctinfo;
	struct nf_conn *ct = nf_ct_get(packet->skb, &ctinfo);
	u32 mark;

	if (!ct || nf_ct_is_template(ct) || packet->had_open_headers)
		return;
	mark = marked(READ_ONCE(ct->mark), action);
	if (mark == READ_ONCE(ct->mark))
		return;
	WRITE_ONCE(ct->mark, mark);
	nf_conntrack_event_cache(IPCT_MARK, ct);
}

/* Drops a packet and tells its sender. */
static struct ugnf_outcome ugnf_reject(struct ugnf_counters *counters,
				       const struct ugnf_packet *packet, u32 octets,
				       struct ugnf_because why)
{
	reject(packet);
	return ugnf_drop(counters, octets, why);
}

/**
 * ugnf_action_take() - take the action of a rule
 * @rule: the rule that refuses the packet
 * @packet: the packet, parsed
 * @octets: the length of the payload that was looked at
 * @why: the reasons, which the rule counts
 *
 * Context: a netfilter hook; does not sleep.
 * Return: the outcome.
 */
struct ugnf_outcome ugnf_action_take(struct ugnf_rule *rule, const struct ugnf_packet *packet,
				     u32 octets, struct ugnf_because why)
{
	const struct ugnf_action *action = &rule->action;
	struct sk_buff *skb = packet->skb;

	switch (action->kind) {
	case UTF8GUARD_NF_ACTION_DROP:
		return ugnf_drop(&rule->counters, octets, why);
	case UTF8GUARD_NF_ACTION_REJECT:
		return ugnf_reject(&rule->counters, packet, octets, why);
	case UTF8GUARD_NF_ACTION_MARK:
		skb->mark = marked(skb->mark, action);
		break;
	case UTF8GUARD_NF_ACTION_CTMARK:
		mark_connection(action, packet);
		break;
	}
	return ugnf_pass(&rule->counters, octets, why);
}
