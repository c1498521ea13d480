// SPDX-License-Identifier: GPL-2.0
/*
 * What the segments of a TCP connection say about it: what each receiver has, how much more it
 * takes, and whether the octets of a segment can be judged at all.
 */
#include "../../codec/codec.h"
#include "tcb.h"

/* Connection tracking calls the direction of the end that sent the first SYN original, 0. */
#define CALLER 0

/* The widest window that a SYN or SYN-ACK can announce: it is not scaled. */
#define WINDOW_CAP 65535

/**
 * ugnf_tcb_init() - a connection of which nothing was seen yet
 * @tcb: all zeroes
 * @memory: for copies of its octets
 * @is_older: may it be older than the rules?
 * @state: enum tcp_conntrack
 *
 * A SYN may be within an older connection that connection tracking does not know. Of who is called,
 * nothing is older than that: his octets before a SYN-ACK are taken by nobody, and may come again.
 */
void ugnf_tcb_init(struct ugnf_tcb *tcb, struct ugnf_memory *memory, bool is_older, u8 state)
{
	tcb->dir[CALLER].is_older = is_older;
	tcb->dir[!CALLER].is_older = is_older && ugnf_tcb_is_open(state);
	tcb->dir[CALLER].memory = memory;
	tcb->dir[!CALLER].memory = memory;
	tcb->dir[CALLER].is_caller = true;
}

/*
 * Notes the right edge of the receiver's window: of a segment, the receiver may take what is
 * before it. Connection tracking knows what was announced before there was a flow. But with SACK
 * it may take the window for wider than it is, and where it saw no SYN, it does not know the
 * scale. Open vSwitch and act_ct mark a connection as liberal once it is established: then
 * the edge is not kept up, and what is beyond it would be refused.
 */
static void note_window(struct ugnf_direction *dir, const struct ugnf_sighting *sighting)
{
	u32 right_edge = sighting->ack + sighting->window;

	if (sighting->header->syn)
		dir->is_edge_capped = sighting->window == WINDOW_CAP;
	if (sighting->is_liberal) {
		dir->right_edge_known = false;
		return;
	}
	if (!dir->right_edge_known)
		dir->right_edge = sighting->max_end;
	dir->right_edge_known = true;
	if (ugnf_seq_before(dir->right_edge, right_edge))
		dir->right_edge = right_edge;
}

/*
 * Does a segment acknowledge octets of @dir that were not seen, and for which its sender has never
 * had room? No receiver does so. Where net.netfilter.nf_conntrack_tcp_be_liberal is set, connection
 * tracking lets it pass, of whoever knows no more than addresses and ports. If it were believed,
 * octets would count as gone by unseen, and the stream would not be followed any more.
 */
static bool is_impossible(const struct ugnf_direction *dir, const struct ugnf_sighting *sighting)
{
	bool is_sent = dir->has_sent && !ugnf_seq_before(dir->sent_end, sighting->ack);

	return !sighting->is_liberal && dir->right_edge_known &&
	       ugnf_seq_before(dir->right_edge, sighting->ack) && !is_sent;
}

/*
 * Once the receiver of a stream that was picked up has acknowledged all octets that may have gone
 * by unseen, and every gap was counted, the stream is followed: another gap is no pick-up.
 */
static void note_followed(struct ugnf_direction *dir)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	if (seq && seq->started && seq->acked && seq->resyncs == dir->resyncs &&
	    ugnf_seq_before(dir->unseen, seq->snd_una + 1))
		dir->is_followed = true;
}

/* Sets @dir->unseen: octets before it may have gone by before the stream was followed. */
static void note_unseen(struct ugnf_direction *dir, const struct ugnf_sighting *sighting)
{
	u32 end = ugnf_segment_end(sighting->header);

	dir->unseen = ugnf_seq_before(end, sighting->sent_end) ? sighting->sent_end : end;
}

/**
 * ugnf_tcb_observe() - take note of what a segment says besides its payload
 * @tcb: of its connection
 * @sighting: the segment; not a RST
 *
 * Context: any; the flow is locked.
 */
void ugnf_tcb_observe(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting)
{
	struct ugnf_direction *own = &tcb->dir[sighting->direction];
	struct ugnf_direction *other = &tcb->dir[!sighting->direction];

	own->is_multipath |= ugnf_handshake_agrees(own, other, sighting);
	/* The SYN was not seen if the flow began by what came before the answer to it. */
	if (sighting->header->syn && sighting->has_ack)
		ugnf_handshake_learn(own, other, sighting);
	if (sighting->header->syn && !ugnf_handshake_note(own, other, sighting)) {
		if (!ugnf_handshake_contradicts(own, other, sighting))
			return;
		/* Who is answered may begin this stream there, too. */
		own->is_elsewhere = true;
		own->asked_at = sighting->header->now;
	}
	if (sighting->has_ack)
		ugnf_handshake_answer(own, other, sighting);
	ugnf_ending_note(own, other, sighting);
	if (!sighting->has_ack || is_impossible(other, sighting))
		return;
	note_window(other, sighting);
	ugnf_direction_acked(other, sighting->ack, sighting->header->now);
	note_followed(other);
}

/**
 * ugnf_tcb_reset() - take note of a RST
 * @tcb: of its connection
 * @sighting: the RST
 *
 * Context: any; the flow is locked.
 */
void ugnf_tcb_reset(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting)
{
	ugnf_ending_reset(&tcb->dir[sighting->direction], &tcb->dir[!sighting->direction],
			  sighting);
}

/*
 * Is @ack at most a window before what @dir has sent? The receiver may have acknowledged more, in
 * segments that the sender has ignored, so @acked_end says nothing here.
 */
static bool is_near_sent(const struct ugnf_direction *dir, u32 ack)
{
	return dir->has_sent && dir->sent_end - ack <= UGNF_STREAM_WINDOW;
}

/**
 * ugnf_tcb_stray() - take note of a segment that connection tracking finds invalid
 * @tcb: of its connection
 * @sighting: the segment, with SYN, ACK or FIN; not a RST
 *
 * A SYN may begin a connection for ends that have forgotten the one that connection tracking knows.
 *
 * Context: any; the flow is locked.
 */
void ugnf_tcb_stray(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting)
{
	struct ugnf_direction *own = &tcb->dir[sighting->direction];
	struct ugnf_direction *other = &tcb->dir[!sighting->direction];

	if (!sighting->header->syn) {
		if (sighting->has_ack && is_near_sent(other, sighting->ack) &&
		    ugnf_ending_is_acceptable(own, other, sighting))
			note_window(other, sighting);
		ugnf_ending_stray(own, other, sighting);
		return;
	}
	if (!sighting->has_ack || ugnf_handshake_is_answer(other, sighting))
		ugnf_tcb_observe(tcb, sighting);
}

/**
 * ugnf_tcb_is_complete() - was the SYN seen, and has the SYN-ACK been acknowledged?
 * @tcb: the connection
 * @state: enum tcp_conntrack
 *
 * Context: any; the flow is locked.
 * Return: whether both are true.
 */
bool ugnf_tcb_is_complete(const struct ugnf_tcb *tcb, u8 state)
{
	return tcb->dir[CALLER].syn_seen && ugnf_tcb_is_open(state);
}

/*
 * May the receiver take only part of the segment? The next one could then go on in the middle
 * of this one. A segment of one octet beyond a window is a probe.
 */
static bool is_beyond(const struct ugnf_direction *dir, const struct ugnf_segment_header *header,
		      const struct ugnf_admission_policy *policy)
{
	return !policy->stream->lenient && dir->right_edge_known && header->len > 1 &&
	       ugnf_seq_before(dir->right_edge, ugnf_segment_end(header));
}

/*
 * Is it a FIN alone, beyond the window? Connection tracking may have found it invalid for that. If
 * somebody has forged it, he need not know where the stream is, so it ends nothing here. But what
 * says that the window is wider now may be on its way, and then its receiver takes it, or keeps it:
 * so it must not go on.
 */
static bool is_end_beyond(const struct ugnf_direction *dir,
			  const struct ugnf_segment_header *header)
{
	return header->fin && !header->syn && !header->len && !header->urg &&
	       ugnf_ending_is_beyond(dir, header);
}

/* Is there nothing to judge but whether the segment may go on? */
static bool is_ack_alone(const struct ugnf_segment_header *header)
{
	return !header->len && !header->syn && !header->fin && !header->urg;
}

/*
 * May a stream be judged from its middle on? Its first octets could end a character that began
 * before. So a rule that is strict and fails closed does it in two cases alone: the connection
 * may be older than the rule and is not followed yet, or a change of the rules made the gap.
 */
static bool may_pick_up(const struct ugnf_direction *dir,
			const struct ugnf_admission_policy *policy)
{
	bool is_older = dir->is_older && !dir->begun && !dir->is_followed;

	return is_older || dir->is_changed || policy->stream->lenient || !policy->is_closed;
}

/*
 * Is the segment in the middle of a stream that is not known? Either nothing is known of the
 * stream, or its receiver has acknowledged octets that were not seen here. A receiver may
 * have octets that a rule only marked, so for such a rule the second is no reason.
 */
static bool is_in_middle(const struct ugnf_direction *dir, const struct ugnf_segment_header *header,
			 const struct ugnf_admission_policy *policy)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	if (!seq->started)
		return !header->syn;
	return seq->resyncs != dir->resyncs && policy->refuses;
}

/**
 * ugnf_tcb_admit() - can the octets of a segment be judged?
 * @tcb: of its connection
 * @sighting: the segment, with payload, SYN, FIN or URG, or an acknowledgment for which
 *	ugnf_ending_is_beside() was true at a hook; not a RST
 * @policy: of the rule that decides
 *
 * Context: any; the flow is locked; allocates with GFP_ATOMIC.
 * Return: that, or why not.
 */
enum ugnf_admission ugnf_tcb_admit(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting,
				   const struct ugnf_admission_policy *policy)
{
	const struct ugnf_segment_header *header = sighting->header;
	struct ugnf_direction *dir = &tcb->dir[sighting->direction];
	bool picks_up = may_pick_up(dir, policy);

	if (header->syn && sighting->has_ack)
		ugnf_handshake_learn(dir, &tcb->dir[!sighting->direction], sighting);
	/* A SYN that begins nothing is not where its number says: no receiver takes its octets. */
	if (header->syn && !ugnf_handshake_note(dir, &tcb->dir[!sighting->direction], sighting) &&
	    header->len)
		return UGNF_ADMIT_WINDOW;
	if (ugnf_handshake_is_ambiguous(dir, sighting) || is_beyond(dir, header, policy) ||
	    (!picks_up && ugnf_handshake_is_in_doubt(dir, header)))
		return UGNF_ADMIT_WINDOW;
	if (ugnf_ending_is_passed(dir, &tcb->dir[!sighting->direction], sighting) ||
	    is_end_beyond(dir, header))
		return UGNF_ADMIT_WINDOW;
	if (is_ack_alone(header))
		return UGNF_ADMIT_EMPTY;
	dir->has_closed |= header->fin;
	ugnf_ending_ask(dir, &tcb->dir[!sighting->direction], header);
	/* A SYN without octets delivers nothing. Its answer will say whether it begins anything. */
	if (header->syn && !header->len && (!header->urg || policy->stream->urgent_inline))
		return UGNF_ADMIT_EMPTY;
	if (ugnf_handshake_is_in_doubt(dir, header))
		ugnf_direction_start(dir, ugnf_segment_first(header), false, header->now);
	if (!ugnf_direction_follow(dir, policy->scope, header))
		return UGNF_ADMIT_FULL;
	if (!ugnf_direction_sequence(dir)->started)
		note_unseen(dir, sighting);
	/* May it be picked up now? If it is followed in another way, the rules have changed. */
	if (may_pick_up(dir, policy) || !is_in_middle(dir, header, policy))
		return UGNF_ADMIT_JUDGE;
	/* What comes next may begin it: see start_first() and answer_nothing(). */
	if (!ugnf_direction_sequence(dir)->started)
		ugnf_direction_free(dir);
	/* A FIN without octets, of a stream that was never followed, has nothing to judge. */
	return header->len || header->urg ? UGNF_ADMIT_MIDDLE : UGNF_ADMIT_EMPTY;
}
