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
#include "outcome.h"
#include "action.h"
#include "refuse.h"
#include "rule_types.h"
#include "counters.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

static bool marks(u8 action)
{
	return action == UTF8GUARD_NF_ACTION_MARK || action == UTF8GUARD_NF_ACTION_CTMARK;
}

/* Does the packet not get through? */
bool nf_reaction_refuses(const struct nf_reaction *reaction)
{
	return reaction->action == UTF8GUARD_NF_ACTION_DROP ||
	       reaction->action == UTF8GUARD_NF_ACTION_REJECT;
}

/*
 * May it not get through? Those that count or audit let everything through; of what is
 * marked, others decide behind us. Then a stream cannot be picked up behind it: it may
 * come again, and be no better.
 */
bool nf_reaction_withholds(const struct nf_reaction *reaction)
{
	return nf_reaction_refuses(reaction) || marks(reaction->action);
}

static int parse_mark(struct nf_reaction *reaction, struct genl_info *info)
{
	struct nlattr *mark = info->attrs[ATTR(SET_MARK)], *mask = info->attrs[ATTR(SET_MASK)];

	if (!marks(reaction->action)) {
		if (mark || mask)
			return nf_refuse(info, mark ? ATTR(SET_MARK) : ATTR(SET_MASK),
					 "a mark to be set is for the actions mark and ctmark");
		return 0;
	}
	if (!mark)
		return nf_refuse(info, ATTR(SET_MARK), "the mark to be set is missing");
	reaction->mark = nla_get_u32(mark);
	reaction->mask = mask ? nla_get_u32(mask) : U32_MAX;
	if (!reaction->mask)
		return nf_refuse(info, ATTR(SET_MASK), "the mask has no bits");
	if (reaction->mark & ~reaction->mask)
		return nf_refuse(info, ATTR(SET_MARK), "the mark has bits set outside its mask");
	return 0;
}

/**
 * nf_reaction_parse() - what a rule does, of a request
 * @reaction: filled in
 * @info: the request; its extack is told why not
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int nf_reaction_parse(struct nf_reaction *reaction, struct genl_info *info)
{
	const struct nlattr *action = info->attrs[ATTR(ACTION)], *fail = info->attrs[ATTR(FAIL)];

	if (!action)
		return nf_refuse(info, ATTR(ACTION), "the action is missing");
	reaction->action = nla_get_u32(action);
	reaction->fail_closed = fail && nla_get_u32(fail) == UTF8GUARD_NF_FAIL_CLOSED;
	if (reaction->fail_closed && !nf_reaction_withholds(reaction))
		return nf_refuse(info, ATTR(FAIL),
				 "a rule that lets everything through cannot fail closed");
	return parse_mark(reaction, info);
}

/* The same as attributes; -EMSGSIZE where they do not fit in the message. */
int nf_reaction_put(const struct nf_reaction *reaction, struct sk_buff *skb)
{
	if (nla_put_u32(skb, ATTR(ACTION), reaction->action) ||
	    (reaction->fail_closed && nla_put_u32(skb, ATTR(FAIL), UTF8GUARD_NF_FAIL_CLOSED)))
		return -EMSGSIZE;
	if (!marks(reaction->action))
		return 0;
	return nla_put_u32(skb, ATTR(SET_MARK), reaction->mark) ?:
	       nla_put_u32(skb, ATTR(SET_MASK), reaction->mask);
}

/* The sender is told as nft and iptables do it by default; all three hooks may. */
static void reject(const struct nf_packet *packet)
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

static u32 marked(u32 old, const struct nf_reaction *reaction)
{
	return (old & ~reaction->mask) | reaction->mark;
}

/* Not of what is not tracked. Whoever listens to conntrack is told, as nft tells. */
static void mark_connection(const struct nf_reaction *reaction, struct sk_buff *skb)
{
	enum ip_conntrack_info ctinfo;
	struct nf_conn *ct = nf_ct_get(skb, &ctinfo);
	u32 mark;

	if (!ct || nf_ct_is_template(ct))
		return;
	mark = marked(READ_ONCE(ct->mark), reaction);
	if (mark == READ_ONCE(ct->mark))
		return;
	WRITE_ONCE(ct->mark, mark);
	nf_conntrack_event_cache(IPCT_MARK, ct);
}

/* The sender is told, too. */
static struct nf_outcome nf_reject(struct nf_counters *counters, const struct nf_packet *packet,
				   u32 octets, struct nf_because why)
{
	reject(packet);
	return nf_drop(counters, octets, why);
}

/**
 * nf_react() - do what is to be done about a packet
 * @rule: that refuses it
 * @packet: as parsed
 * @octets: of payload that were looked at
 * @why: what the rule counts
 *
 * Context: a netfilter hook; does not sleep.
 * Return: the outcome.
 */
struct nf_outcome nf_react(struct nf_rule *rule, const struct nf_packet *packet, u32 octets,
			   struct nf_because why)
{
	const struct nf_reaction *reaction = &rule->reaction;
	struct sk_buff *skb = packet->skb;

	switch (reaction->action) {
	case UTF8GUARD_NF_ACTION_DROP:
		return nf_drop(&rule->counters, octets, why);
	case UTF8GUARD_NF_ACTION_REJECT:
		return nf_reject(&rule->counters, packet, octets, why);
	case UTF8GUARD_NF_ACTION_MARK:
		skb->mark = marked(skb->mark, reaction);
		break;
	case UTF8GUARD_NF_ACTION_CTMARK:
		mark_connection(reaction, skb);
		break;
	}
	return nf_pass(&rule->counters, octets, why);
}
