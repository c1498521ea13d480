// SPDX-License-Identifier: GPL-2.0
/*
 * A TCP segment, as part of its connection: which one that is, what the receivers of
 * its streams have, and how much more they take.
 */
#include <linux/skbuff.h>
#include <net/net_namespace.h>
#include <net/netfilter/nf_conntrack.h>

#include "nf.h"

/*
 * NULL for packets that connection tracking was told to let alone, or finds
 * invalid, and where a helper changes sequence numbers behind us, so that those of
 * the acknowledgments are others.
 */
static struct nf_conn *conntrack_of(const struct nf_packet *packet, u8 *direction)
{
	enum ip_conntrack_info info;
	struct nf_conn *ct = nf_ct_get(packet->skb, &info);

	if (!ct || nf_ct_is_template(ct) || test_bit(IPS_SEQ_ADJUST_BIT, &ct->status))
		return NULL;
	*direction = CTINFO2DIR(info);
	return ct;
}

/*
 * How far the window of the receiver reaches: it may take of a segment what is in it.
 * What was announced before the flow was there, connection tracking knows, but with
 * SACK it may think it wider; where it saw no SYN, it does not know the scale.
 */
static void note_window(struct nf_side *side, const struct nf_conn *ct, u8 direction,
			const struct nf_packet *packet)
{
	const struct ip_ct_tcp_state *receiver = &ct->proto.tcp.seen[direction];
	const struct ip_ct_tcp_state *sender = &ct->proto.tcp.seen[!direction];
	u32 window = (u32)packet->window << (packet->tcp.syn ? 0 : receiver->td_scale);

	if (receiver->flags & IP_CT_TCP_FLAG_BE_LIBERAL)
		return;
	if (!side->edge_known)
		side->edge = READ_ONCE(sender->td_maxend);
	side->edge_known = true;
	if (nf_seq_before(side->edge, packet->ack + window))
		side->edge = packet->ack + window;
}

static void observe(struct nf_flow *flow, const struct nf_conn *ct, u8 direction,
		    const struct nf_packet *packet)
{
	struct nf_side *own = &flow->side[direction], *other = &flow->side[!direction];

	flow->is_multipath |= nf_handshake_agrees(ct, packet);
	if (packet->tcp.syn && !nf_handshake_note(own, other, ct, packet))
		return;
	if (!packet->has_ack)
		return;
	nf_handshake_answer(other, packet);
	note_window(other, ct, direction, packet);
	nf_side_acked(other, packet->ack, packet->tcp.now);
}

/**
 * nf_connection_observe() - take note of what a segment says besides its payload
 * @net: its network namespace
 * @packet: a TCP segment, with payload or without
 *
 * Whichever rule it is for, or none: the acknowledgment is what its sender has.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep.
 */
void nf_connection_observe(struct net *net, const struct nf_packet *packet)
{
	struct nf_flow *flow;
	struct nf_conn *ct;
	u8 direction;

	if (packet->tcp.rst)
		return;
	ct = conntrack_of(packet, &direction);
	flow = ct ? nf_flow_find(&nf_net_of(net)->flows, ct) : NULL;
	if (!flow)
		return;
	observe(flow, ct, direction, packet);
	nf_flow_unlock(flow);
}

/**
 * nf_connection_skip() - a segment goes where a rule for streams does not look
 * @net: its network namespace
 * @hook: where it is
 * @packet: a TCP segment with payload
 *
 * If one did so before, at the same hook, the rules were changed, or the segment has
 * another mark: the stream is picked up behind it.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep.
 */
void nf_connection_skip(struct net *net, u8 hook, const struct nf_packet *packet)
{
	struct nf_side *side;
	struct nf_flow *flow;
	struct nf_conn *ct;
	u8 direction;

	ct = conntrack_of(packet, &direction);
	flow = ct ? nf_flow_find(&nf_net_of(net)->flows, ct) : NULL;
	if (!flow)
		return;
	side = &flow->side[direction];
	if (side->hook == hook && !packet->tcp.rst)
		nf_side_pass(side, &packet->tcp);
	nf_flow_unlock(flow);
}

/*
 * May the receiver take it in part? Then what is sent next could go on in the middle of
 * it. One octet beyond a window is a probe.
 */
static bool is_beyond(const struct nf_rule *rule, const struct nf_side *side,
		      const struct nf_segment_header *header)
{
	return !rule->policy.lenient && side->edge_known && header->len > 1 &&
	       nf_seq_before(side->edge, nf_segment_behind(header));
}

static enum nf_verdict judge_side(struct nf_rule *rule, struct nf_flow *flow, u8 direction,
				  const struct nf_packet *packet,
				  struct utf8guard_refusal *refusal)
{
	const struct nf_segment_header *header = &packet->tcp;
	struct nf_side *side = &flow->side[direction];
	const struct nf_conn *ct = flow->ct;

	if (header->syn)
		nf_handshake_note(side, &flow->side[!direction], ct, packet);
	if (nf_handshake_is_ambiguous(side, ct, header) || is_beyond(rule, side, header)) {
		nf_rule_count(rule, NF_ODD_WINDOW, 1);
		return nf_reaction_withholds(&rule->reaction) ? NF_LOST : NF_WELL_FORMED;
	}
	/* It delivers nothing; whether it begins anything, its answer will say. */
	if (header->syn && !header->len && (!header->urg || rule->policy.urgent_inline))
		return NF_WELL_FORMED;
	nf_handshake_doubt(side, header);
	if (!nf_side_follow(side, rule->in_order ? &rule->scope : NULL, header)) {
		nf_rule_count(rule, NF_ODD_FULL, 1);
		refusal->reason = UTF8GUARD_REASON_FULL;
		return NF_UNFOLLOWED;
	}
	return nf_segment_judge(rule, side, packet, refusal);
}

/*
 * Octets go to the application by numbers that are not those of TCP, or not at all. What
 * has none of them is nothing to judge.
 */
static enum nf_verdict judge_multipath(const struct nf_packet *packet,
				       struct utf8guard_refusal *refusal)
{
	if (!packet->len)
		return NF_WELL_FORMED;
	refusal->reason = UTF8GUARD_REASON_UNFOLLOWED;
	return NF_UNFOLLOWED;
}

/* An end alone, of what was never followed, is nothing to judge. */
static bool is_end_alone(const struct nf_packet *packet)
{
	return !packet->len && !packet->tcp.syn && !packet->tcp.urg;
}

static struct nf_flow *flow_of(struct nf_flows *flows, struct nf_conn *ct,
			       const struct nf_packet *packet)
{
	return is_end_alone(packet) ? nf_flow_find(flows, ct) : nf_flow_get(flows, ct);
}

static enum nf_verdict without_flow(struct nf_rule *rule, const struct nf_packet *packet,
				    enum nf_oddity why, struct utf8guard_refusal *refusal)
{
	if (is_end_alone(packet))
		return NF_WELL_FORMED;
	nf_rule_count(rule, why, 1);
	refusal->reason = why == NF_ODD_FULL ? UTF8GUARD_REASON_FULL :
					       UTF8GUARD_REASON_UNTRACKED;
	return NF_UNFOLLOWED;
}

/**
 * nf_connection_judge() - may this segment be delivered, with all before it?
 * @net: its network namespace
 * @rule: the rule for streams that decides
 * @packet: a TCP segment with payload, SYN, FIN or URG
 * @refusal: on NF_ILL_FORMED, its error and bytes are filled in; the offset is from
 *	where the stream began, or was picked up. On NF_UNREADABLE and NF_UNFOLLOWED its
 *	reason is, and on NF_LOST where the sender cannot simply send the same again
 *
 * What is refused is as if it had never come, also where it is only marked. For a rule
 * that counts or audits, the stream is picked up behind it.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep; takes 1.2 KiB
 * of stack, and the lock of the connection.
 * Return: the verdict; NF_UNFOLLOWED is for the rule's fail policy.
 */
enum nf_verdict nf_connection_judge(struct net *net, struct nf_rule *rule,
				    const struct nf_packet *packet,
				    struct utf8guard_refusal *refusal)
{
	enum nf_verdict verdict;
	struct nf_flow *flow;
	struct nf_conn *ct;
	u8 direction;

	/* What it carries is never delivered. */
	if (packet->tcp.rst)
		return NF_WELL_FORMED;
	ct = conntrack_of(packet, &direction);
	if (!ct)
		return without_flow(rule, packet, NF_ODD_UNTRACKED, refusal);
	flow = flow_of(&nf_net_of(net)->flows, ct, packet);
	if (!flow)
		return without_flow(rule, packet, NF_ODD_FULL, refusal);
	/* Of a new flow, nothing was observed yet. */
	flow->is_multipath |= nf_handshake_agrees(ct, packet);
	verdict = flow->is_multipath ?
		  judge_multipath(packet, refusal) :
		  judge_side(rule, flow, direction, packet, refusal);
	nf_flow_unlock(flow);
	return verdict;
}
