// SPDX-License-Identifier: GPL-2.0
/*
 * A TCP segment, as part of its connection: which one that is, where its streams
 * begin, and what their receivers have.
 *
 * Where a stream begins, the receiver says: the SYN-ACK acknowledges the SYN that
 * it took. A sender may send several SYNs, with other numbers; were a later one
 * believed, what is before it would count as delivered already.
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

/* Which of several is taken, only the answer says. */
static void note_syn(struct nf_side *side, u32 seq)
{
	side->syn_many |= side->syn_seen && side->syn != seq;
	side->syn_seen = true;
	side->syn = seq;
}

static void begin(struct nf_side *side, u32 seq)
{
	side->begun = true;
	side->begin = seq;
	side->syn_many = false;
}

/*
 * Does the SYN-ACK with @ack make a new beginning of @side? Behind the first, only
 * if it answers another SYN of that side: no sender can begin its own anew.
 */
static bool is_new_beginning(const struct nf_side *side, u32 ack)
{
	const struct nf_sequence *seq = nf_side_sequence(side);

	if (side->begun)
		return side->syn_seen && ack == side->syn + 1 && ack != side->begin;
	if (!seq || !seq->started || (side->syn_seen && ack == side->syn + 1))
		return true;
	return !seq->acked && nf_seq_before(ack, seq->una);
}

/*
 * A SYN-ACK says where the @other side begins. If that one had begun before, it is
 * a new connection in the place of one that only connection tracking remembers.
 */
static void answer_syn(struct nf_side *own, struct nf_side *other,
		       const struct nf_packet *packet)
{
	u32 now = packet->tcp.now;

	if (!is_new_beginning(other, packet->ack))
		return;
	begin(other, packet->ack);
	nf_side_start(other, packet->ack, true, now);
	if (!nf_side_sequence(own) || !other->syn_seen || packet->ack != other->syn + 1)
		return;
	own->begun = false;
	own->syn_many = false;
	nf_side_start(own, packet->tcp.seq + 1, true, now);
}

/* An acknowledgment of a side of which nothing was judged. */
static void answer_nothing(struct nf_side *side, u32 ack)
{
	if (!side->begun && side->syn_seen && (side->syn_many || ack == side->syn + 1)) {
		begin(side, ack);
	} else if (!side->begun || nf_seq_before(side->begin, ack)) {
		/* It received what no rule has judged: there is no telling what. */
		side->begun = false;
		side->syn_seen = false;
		side->syn_many = false;
	}
}

/* What the receiver of @other has. */
static void acknowledge(struct nf_side *own, struct nf_side *other,
			const struct nf_packet *packet)
{
	if (packet->tcp.syn)
		answer_syn(own, other, packet);
	else if (!nf_side_sequence(other))
		answer_nothing(other, packet->ack);
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
	if (packet->tcp.syn)
		note_syn(&flow->side[direction], packet->tcp.seq);
	if (packet->has_ack)
		acknowledge(&flow->side[direction], &flow->side[!direction], packet);
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

/* Several SYNs, no answer yet: where would it be? */
static bool is_ambiguous(const struct nf_side *side, const struct nf_segment_header *header)
{
	return side->syn_many && (header->syn || (!side->begun && !nf_side_sequence(side)));
}

static enum nf_verdict judge_side(struct nf_rule *rule, struct nf_side *side,
				  const struct nf_packet *packet,
				  struct utf8guard_refusal *refusal)
{
	const struct nf_segment_header *header = &packet->tcp;

	if (header->syn)
		note_syn(side, header->seq);
	/* It delivers nothing; whether it begins anything, its answer will say. */
	if (header->syn && !header->len)
		return NF_WELL_FORMED;
	if (is_ambiguous(side, header)) {
		nf_rule_count(rule, NF_ODD_WINDOW, 1);
		return nf_reaction_withholds(&rule->reaction) ? NF_LOST : NF_WELL_FORMED;
	}
	if (!nf_side_follow(side, rule->in_order ? &rule->scope : NULL, header->now)) {
		nf_rule_count(rule, NF_ODD_FULL, 1);
		refusal->reason = UTF8GUARD_REASON_FULL;
		return NF_UNFOLLOWED;
	}
	return nf_segment_judge(rule, side, packet, refusal);
}

/* An end alone, of what was never followed, is nothing to judge. */
static struct nf_flow *flow_of(struct nf_flows *flows, struct nf_conn *ct,
			       const struct nf_packet *packet)
{
	if (packet->len || packet->tcp.syn)
		return nf_flow_get(flows, ct);
	return nf_flow_find(flows, ct);
}

static enum nf_verdict without_flow(struct nf_rule *rule, const struct nf_packet *packet,
				    enum nf_oddity why, struct utf8guard_refusal *refusal)
{
	if (!packet->len && !packet->tcp.syn)
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
 * @packet: a TCP segment with payload, SYN or FIN
 * @refusal: on NF_ILL_FORMED, its error and bytes are filled in; the offset is from
 *	where the stream began, or was picked up. On NF_UNREADABLE and NF_UNFOLLOWED its
 *	reason is, and on NF_LOST where the sender cannot simply send the same again
 *
 * What is not let through is as if it had never come. That of a rule that lets
 * through what is wrong is picked up behind it.
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
	verdict = judge_side(rule, &flow->side[direction], packet, refusal);
	nf_flow_unlock(flow);
	return verdict;
}
