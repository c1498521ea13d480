// SPDX-License-Identifier: GPL-2.0
/* What a rule does about a packet that it refuses. */
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

/* Does the packet not get through? */
bool ugnf_action_refuses(const struct ugnf_action *action)
{
	return action->kind == UTF8GUARD_NF_ACTION_DROP ||
	       action->kind == UTF8GUARD_NF_ACTION_REJECT;
}

/*
 * May it not get through? Those that count or audit let everything through; of what is
 * marked, others decide after us. Then a stream cannot be picked up after it: it may
 * come again, and be no better.
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
					   "a mark to be set is for the actions mark and ctmark");
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
 * ugnf_action_parse() - what a rule does, of a request
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

/* The same as attributes; -EMSGSIZE where they do not fit in the message. */
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

/* The sender is told as nft and iptables do it by default; all three hooks may. */
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

/* Not of what is not tracked. Whoever listens to conntrack is told, as nft tells. */
static void mark_connection(const struct ugnf_action *action, struct sk_buff *skb)
{
	enum ip_conntrack_info ctinfo;
	struct nf_conn *ct = nf_ct_get(skb, &ctinfo);
	u32 mark;

	if (!ct || nf_ct_is_template(ct))
		return;
	mark = marked(READ_ONCE(ct->mark), action);
	if (mark == READ_ONCE(ct->mark))
		return;
	WRITE_ONCE(ct->mark, mark);
	nf_conntrack_event_cache(IPCT_MARK, ct);
}

/* The sender is told, too. */
static struct ugnf_outcome ugnf_reject(struct ugnf_counters *counters,
				       const struct ugnf_packet *packet, u32 octets,
				       struct ugnf_because why)
{
	reject(packet);
	return ugnf_drop(counters, octets, why);
}

/**
 * ugnf_action_take() - do what is to be done about a packet
 * @rule: that refuses it
 * @packet: as parsed
 * @octets: of payload that were looked at
 * @why: what the rule counts
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
		mark_connection(action, skb);
		break;
	}
	return ugnf_pass(&rule->counters, octets, why);
}
