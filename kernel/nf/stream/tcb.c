// SPDX-License-Identifier: GPL-2.0
/*
 * A TCP segment, as part of its connection: what the receivers of its streams have, how
 * much more they take, and whether the octets of a segment can be judged at all.
 */
#include <linux/netfilter/nf_conntrack_tcp.h>

#include "../../codec/codec.h"
#include "tcb.h"

/* The first of enum ip_conntrack_dir is who sent the first SYN. */
#define CALLER 0

/**
 * nf_tcb_init() - a connection of which nothing was seen yet
 * @tcb: all zeroes
 * @memory: for copies of its octets
 * @is_older: may it be older than the rules?
 */
void nf_tcb_init(struct nf_tcb *tcb, struct nf_memory *memory, bool is_older)
{
	tcb->is_older = is_older;
	tcb->side[CALLER].memory = memory;
	tcb->side[!CALLER].memory = memory;
	tcb->side[CALLER].is_caller = true;
}

/*
 * How far the window of the receiver reaches: it may take of a segment what is in it.
 * What was announced before the flow was there, connection tracking knows, but with
 * SACK it may think it wider; where it saw no SYN, it does not know the scale.
 */
static void note_window(struct nf_side *side, const struct nf_sighting *sighting)
{
	u32 edge = sighting->ack + sighting->window;

	if (sighting->is_liberal)
		return;
	if (!side->edge_known)
		side->edge = sighting->max_end;
	side->edge_known = true;
	if (nf_seq_before(side->edge, edge))
		side->edge = edge;
}

/*
 * The receiver of a stream that was picked up has acknowledged all that may have gone by
 * before that, and every gap has been counted: there are to be no others.
 */
static void note_followed(struct nf_side *side)
{
	const struct nf_sequence *seq = nf_side_sequence(side);

	if (seq && seq->started && seq->acked && seq->resyncs == side->resyncs &&
	    nf_seq_before(side->unseen, seq->una + 1))
		side->is_followed = true;
}

/* As far as its sender has sent, nobody may have seen it. */
static void note_unseen(struct nf_side *side, const struct nf_sighting *sighting)
{
	u32 end = nf_segment_behind(sighting->header);

	side->unseen = nf_seq_before(end, sighting->sent_end) ? sighting->sent_end : end;
}

/**
 * nf_tcb_observe() - take note of what a segment says besides its payload
 * @tcb: of its connection
 * @sighting: the segment; not a RST
 *
 * Context: any; the flow is locked.
 */
void nf_tcb_observe(struct nf_tcb *tcb, const struct nf_sighting *sighting)
{
	struct nf_side *own = &tcb->side[sighting->direction];
	struct nf_side *other = &tcb->side[!sighting->direction];

	tcb->is_multipath |= nf_handshake_agrees(sighting);
	if (sighting->header->syn && !nf_handshake_note(own, other, sighting))
		return;
	if (!sighting->has_ack)
		return;
	nf_handshake_answer(other, sighting);
	note_window(other, sighting);
	nf_side_acked(other, sighting->ack, sighting->header->now);
	note_followed(other);
}

/**
 * nf_tcb_is_complete() - was the SYN seen, and has the SYN-ACK been acknowledged?
 * @tcb: the connection
 * @state: enum tcp_conntrack
 */
bool nf_tcb_is_complete(const struct nf_tcb *tcb, u8 state)
{
	return tcb->side[CALLER].syn_seen && state >= TCP_CONNTRACK_ESTABLISHED &&
	       state <= TCP_CONNTRACK_LAST_ACK;
}

/*
 * May the receiver take it in part? Then what is sent next could go on in the middle of
 * it. One octet beyond a window is a probe.
 */
static bool is_beyond(const struct nf_side *side, const struct nf_segment_header *header,
		      const struct nf_admission_policy *policy)
{
	return !policy->stream->lenient && side->edge_known && header->len > 1 &&
	       nf_seq_before(side->edge, nf_segment_behind(header));
}

/*
 * Strict and closed, nothing is judged from the middle of a stream on that should be known
 * from its beginning: its first octets could end a character that began before. But where
 * the connection may be older than the rule, and is not followed yet, or the rules
 * themselves have made the gap.
 */
static bool may_pick_up(const struct nf_tcb *tcb, const struct nf_side *side,
			const struct nf_admission_policy *policy)
{
	bool is_older = tcb->is_older && !side->begun && !side->is_followed;

	return is_older || side->is_changed || policy->stream->lenient || !policy->is_closed;
}

/*
 * Is it? Either nothing is known of the stream, or its receiver has acknowledged what was
 * not seen here. What a rule only marks, it may have got for that.
 */
static bool is_in_middle(const struct nf_side *side, const struct nf_segment_header *header,
			 const struct nf_admission_policy *policy)
{
	const struct nf_sequence *seq = nf_side_sequence(side);

	if (!seq->started)
		return !header->syn;
	return seq->resyncs != side->resyncs && policy->refuses;
}

/**
 * nf_tcb_admit() - can the octets of a segment be judged?
 * @tcb: of its connection
 * @sighting: the segment, with payload, SYN, FIN or URG; not a RST
 * @policy: of the rule that decides
 *
 * Context: any; the flow is locked; allocates with GFP_ATOMIC.
 * Return: that, or why not.
 */
enum nf_admission nf_tcb_admit(struct nf_tcb *tcb, const struct nf_sighting *sighting,
			       const struct nf_admission_policy *policy)
{
	const struct nf_segment_header *header = sighting->header;
	struct nf_side *side = &tcb->side[sighting->direction];
	bool picks_up = may_pick_up(tcb, side, policy);

	/* One that begins nothing is not where it says, and nobody takes its octets. */
	if (header->syn && !nf_handshake_note(side, &tcb->side[!sighting->direction], sighting) &&
	    header->len)
		return NF_ADMIT_WINDOW;
	if (nf_handshake_is_ambiguous(side, sighting) || is_beyond(side, header, policy) ||
	    (!picks_up && nf_handshake_is_in_doubt(side, header)))
		return NF_ADMIT_WINDOW;
	/* It delivers nothing; whether it begins anything, its answer will say. */
	if (header->syn && !header->len && (!header->urg || policy->stream->urgent_inline))
		return NF_ADMIT_EMPTY;
	if (nf_handshake_is_in_doubt(side, header))
		nf_side_start(side, nf_segment_first(header), false, header->now);
	if (!nf_side_follow(side, policy->scope, header))
		return NF_ADMIT_FULL;
	if (!nf_side_sequence(side)->started)
		note_unseen(side, sighting);
	/* Asked anew: to follow it in another way is a change by the rules. */
	if (may_pick_up(tcb, side, policy) || !is_in_middle(side, header, policy))
		return NF_ADMIT_JUDGE;
	/* An end alone ends what was never followed. */
	return header->len || header->urg ? NF_ADMIT_MIDDLE : NF_ADMIT_EMPTY;
}
