// SPDX-License-Identifier: GPL-2.0
/*
 * A stream: what is known of it between two segments.
 *
 * Definitions. A boundary is where a segment that was let through begins or ends, or a part
 * of it that is a segment on the wire. A piece is the octets between two boundaries that
 * adjoin. A span is pieces that adjoin: either all of it is ASCII, or its pieces have one
 * length, and only the last may have less. An island is a span after a gap. A state is what
 * the validator is in between two octets; a transfer function says for each state before some
 * octets which one is after them, or that they are refused.
 *
 *	         snd_una          snd_nxt
 *	            |                |
 *	 delivered  |    in order    |   gap    islands    gap
 *	------------+-------+--------+        +--+--+--+        +-----+
 *	            | span  | span   |        |  span  |        | span|
 *	------------+-------+--------+        +--+--+--+        +-----+
 *	                                         ^  ^ boundaries in a span
 *
 * What is kept. For each octet that was let through and not acknowledged there is a span; of
 * each span, its transfer function and the state at each of its boundaries; of each piece
 * that is not ASCII, a sum of its octets from the first that is not (stream/sums.c). Of what
 * is in order, @run is the transfer function.
 *
 * The receiver. Of the octets with one sequence number that were let through, it delivers
 * any: the first, the last, that of the segment with the lower number. It may take the beginning
 * of a segment and no more, as where its window shrinks, or throw the end of it away, and take the
 * rest of another one later. If it keeps an octet of a segment, it has those before it in that
 * segment as well. Segments may get lost, be doubled and overtake each other after us, but nobody
 * divides them. The receiver delivers nothing after an octet that it does not have. Once
 * acknowledged, an octet is delivered. A receiver that has taken part of a segment says so, and
 * that is seen within UGNF_STREAM_HOLD.
 *
 * Its acknowledgments may be of any octet, come late, and be of octets that never came by
 * here. Acknowledgments that are not the receiver's are not provided for: who can make one
 * that connection tracking takes, of an octet that is not delivered, can send another octet in
 * its place. Nor does this see whether packets are from where they say.
 *
 * Claim. Under strict policy, nothing ill-formed is delivered, and no valid stream is blocked, but
 * for what 9 and 17 say.
 *
 * Nothing ill-formed is delivered:
 *
 * 1. Octets at snd_nxt are judged from the states to which @run leads (ugnf_ooo_states_at()).
 * 2. Octets after a gap are judged from all states; after an island that they adjoin, from
 *    those to which it leads. If every one of these refuses them, they are refused. If not, the
 *    receiver may have them, but delivers nothing of them before the gap is filled.
 * 3. Octets that fill a gap are judged as in 1. Then the spans after them are run from the states
 *    to which they lead (ugnf_ooo_settle()). If none is left, the segment that fills the gap
 *    is refused, so the island is never delivered.
 * 4. Octets sent again, of a piece, must have its sum and lead from each state before it to the
 *    same state after it (UGNF_PIECE_SAME). So whatever parts of them the receiver joins, they
 *    are the same octets, but for ASCII before the first that is not: it leads to the same
 *    state. A sum is that of other octets once in 2^31 tries.
 * 5. Octets sent again, of a span of ASCII, must be ASCII (UGNF_PIECE_ASCII).
 * 6. Octets sent again that begin or end inside a piece are refused
 *    (UGNF_STREAM_UNVERIFIABLE), but for 8 and 9.
 * 7. Octets that were acknowledged are not judged (UGNF_PIECE_DELIVERED): the receiver takes
 *    none of them.
 * 8. A piece that was acknowledged in part is kept whole (ugnf_span_trim()), as is what it does
 *    to the states: all of it may be sent again, as in 4 (is_whole()).
 * 9. Octets may take the place of others that were never received (UGNF_PIECE_RESEGMENTED): where
 *    they begin at snd_una in the first piece, nothing there was let through for
 *    UGNF_STREAM_HOLD, and the segment goes over the wire as one. If they begin the piece,
 *    they end before it does. What is left of the piece is a gap, and its end stays a boundary
 *    with the states that are kept: so what follows fits, too, should the old ones have been
 *    delivered, and only the acknowledgment be lost. This takes that no packet is on its way
 *    after us for longer. If they begin inside the piece, the state there is lost: an open
 *    policy picks the stream up, a closed one refuses them, for what the receiver has may end
 *    inside a character.
 * 10. Octets that were acknowledged and never seen here are skipped (skip_to()). Of them nothing
 *    is promised; and of those that came early, only that there is a state from which they are
 *    not refused. That is counted. Those that came early after them are in order then.
 * 11. A FIN may not be inside a character (is_cut_off()), nor before octets that were let
 *    through, nor elsewhere than an earlier FIN (check_fin()).
 * 12. A stream whose SYN was not seen begins in any state: up to three continuation octets at
 *    its beginning are not judged. If octets come before that, or are asked for, it begins
 *    there, until an acknowledgment says where it does (ugnf_ooo_reach_back()).
 * 13. A segment that is refused changes nothing here but for sums that no span has: it is judged
 *    on a copy of the stream. The receiver never sees it. Segments with urgent data, which a
 *    receiver may take out of the stream, are refused whatever their octets are. So are those
 *    further ahead than a window can be.
 *
 * By induction from the first octet, the state at each boundary is among those that are kept,
 * whichever of the octets the receiver delivers, and none of them is refused.
 *
 * No valid stream is blocked:
 *
 * 14. In whatever order its segments come, the state that a valid stream really has is among those
 *    from which octets are judged in 1 to 3, so they are not refused for what they are.
 * 15. Sent again, the same octets are let through if they are between the same boundaries, or
 *    those of several pieces together, or are of a span of ASCII, or were acknowledged: 4, 5, 7. A
 *    piece acknowledged in part may be sent again from its beginning (8), so that nobody waits
 *    for good for the rest of it; smaller segments after path MTU discovery, and probes of a
 *    closed window, are 9, unless they are 17.
 * 16. What cannot be remembered is refused as if it were lost (UGNF_STREAM_FULL). Spans after a
 *    gap never take all the room, nor do those in order, so there is some for the octet that
 *    the receiver asks for (capacity()), and the acknowledgment of that makes more.
 *
 * A valid stream may be blocked where a closed policy refuses what begins inside a piece, 9, and:
 *
 * 17. Smaller segments need not end where the old ones did. The first one is 9, and the next goes
 *    over the end of an old piece and ends inside the piece after that. This it may not, however
 *    long ago that piece was let through: it may have come early, and then the receiver keeps it
 *    for any time, and joins the rest of it to the new octets, in a state that nobody knows.
 *    utf8guard(8) says how to avoid that.
 *
 * Lenient policy gives up 4 and 6 in part: it lets segments through that begin or end inside a
 * piece and are possible by themselves, does not compare sums, and forgets octets rather than
 * refuse new ones. So a sender that sends other octets the second time can make the receiver
 * join the halves of two characters. One that sends the same again cannot.
 *
 * Tests: userspace/tests/host/payload/tcp_ooo.c, with the senders of kunit/stream_senders.h.
 * check_short(): 1 to 3, each order of all segments of short texts. check_shapes(): 4 to 6, each
 * overlap of three segments. check_taken_in_part(): 8 and 9. check_across(): 17. play_attack():
 * all of 1 to 9, 11 and 13, at random, with receivers of each kind; play_detour(): 10;
 * play_attack_middle() and play_middle(): 12. play_honest() and play_answers(): 14 and 15;
 * play_resegmented(): 9 in 15; play_pruned(): a receiver that throws octets away; play_crowd(): 16;
 * play_lenient(): a sender of the same octets under lenient policy.
 */
#include "../../codec/codec.h"
#include "ooo_stream.h"

/* Forgets the sums of the stream, and frees them. The flow is locked. */
void ugnf_ooo_drop_sums(struct ugnf_ooo_stream *stream)
{
	ugnf_sums_free(stream->sums);
	stream->sums = NULL;
}

/* Starts the stream anew at @seq: the first octet after a SYN, or one in the middle. */
void ugnf_ooo_start(struct ugnf_ooo_stream *stream, u32 seq, bool syn, u32 now)
{
	ugnf_sequence_start(&stream->seq, seq, syn, now);
	stream->run = syn ? UGNF_ASCII : UTF8GUARD_TRANSFER_NONE;
	stream->reached = seq;
	stream->count = 0;
	ugnf_ooo_drop_sums(stream);
}

/* The stream was picked up too late: moves that to @seq. What was judged is an island now. */
void ugnf_ooo_reach_back(struct ugnf_ooo_stream *stream, u32 seq)
{
	ugnf_sequence_reach_back(&stream->seq, seq);
	stream->run = UTF8GUARD_TRANSFER_NONE;
	stream->reached = seq;
}

/* Copies a stream, with only those spans that exist: most streams have few. */
void ugnf_ooo_copy(struct ugnf_ooo_stream *to, const struct ugnf_ooo_stream *from)
{
	memcpy(to, from, offsetof(struct ugnf_ooo_stream, spans));
	memcpy(to->spans, from->spans, from->count * sizeof(from->spans[0]));
}

static void remove_spans(struct ugnf_ooo_stream *stream, u32 at, u32 n)
{
	stream->count -= n;
	memmove(&stream->spans[at], &stream->spans[at + n],
		(stream->count - at) * sizeof(stream->spans[0]));
}

/* The first span that ends after @seq, or the count. */
u32 ugnf_ooo_find(const struct ugnf_ooo_stream *stream, u32 seq)
{
	u32 i;

	for (i = 0; i < stream->count; i++)
		if (ugnf_seq_before(seq, stream->spans[i].end))
			break;
	return i;
}

/*
 * Goes over the spans after snd_nxt that end at @seq or before it. @at: set to the end of the last
 * one, or to snd_nxt; @i: to the number of the span after that. Returns the transfer function of
 * the octets that adjoin each other before @at.
 */
static u32 run_up_to(const struct ugnf_ooo_stream *stream, u32 seq, u32 *i, u32 *at)
{
	u32 run = stream->run;

	*at = stream->seq.snd_nxt;
	for (*i = ugnf_ooo_find(stream, *at); *i < stream->count; ++*i) {
		const struct ugnf_span *span = &stream->spans[*i];

		if (ugnf_seq_before(seq, span->end))
			break;
		run = utf8guard_compose(span->start == *at ? run : UTF8GUARD_TRANSFER_NONE,
					span->transfer);
		*at = span->end;
	}
	return run;
}

/**
 * ugnf_ooo_states_at() - the states that the stream may have before an octet
 * @stream: the stream
 * @seq: sequence number of the octet; not before @stream->seq.snd_nxt
 *
 * All spans that adjoin before the octet count, not only the last one: the earlier ones may
 * exclude states to which a short last span could lead.
 *
 * Return: a set of states.
 */
u8 ugnf_ooo_states_at(const struct ugnf_ooo_stream *stream, u32 seq)
{
	u32 at, i, run = run_up_to(stream, seq, &i, &at);
	u8 states = UGNF_ANY_STATE;

	if (at == seq)
		states = ugnf_transfer_reach(run);
	if (i < stream->count && !ugnf_seq_before(seq, stream->spans[i].start))
		states &= ugnf_span_states_at(&stream->spans[i], seq);
	return states;
}

/* Joins two spans, but not at snd_nxt: that must move past both first. */
static bool join(const struct ugnf_ooo_stream *stream, struct ugnf_span *left,
		 const struct ugnf_span *right)
{
	return left->end == right->start && left->end != stream->seq.snd_nxt &&
	       ugnf_span_join(left, right);
}

static void join_all(struct ugnf_ooo_stream *stream)
{
	u32 i = 1;

	while (i < stream->count) {
		if (join(stream, &stream->spans[i - 1], &stream->spans[i]))
			remove_spans(stream, i, 1);
		else
			i++;
	}
}

/*
 * How many spans there may be, with one more that begins at @seq. Islands may not take all the
 * room, and octets in order may not either. Otherwise there could be no room for the octet for
 * which the receiver waits.
 */
static u32 capacity(const struct ugnf_ooo_stream *stream, u32 seq, bool ahead)
{
	if (ahead)
		return UGNF_SPANS_AHEAD;
	return seq == stream->seq.snd_una ? UGNF_SPANS : UGNF_SPANS_FLOWING;
}

/**
 * ugnf_ooo_insert() - remember new octets
 * @stream: the stream
 * @span: the octets
 * @ahead: they do not adjoin the octets in order
 * @lenient: forget older octets to make room
 *
 * Return: false if there is no room.
 */
bool ugnf_ooo_insert(struct ugnf_ooo_stream *stream, const struct ugnf_span *span, bool ahead,
		     bool lenient)
{
	u32 most = capacity(stream, span->start, ahead), i;

	/* Never forget an island: @run does not have its effect yet. */
	while (lenient && stream->count >= most && stream->count &&
	       !ugnf_seq_before(stream->seq.snd_nxt, stream->spans[0].end))
		remove_spans(stream, 0, 1);
	i = ugnf_ooo_find(stream, span->start);
	if (i && join(stream, &stream->spans[i - 1], span))
		return true;
	if (stream->count >= most)
		return false;
	memmove(&stream->spans[i + 1], &stream->spans[i],
		(stream->count - i) * sizeof(stream->spans[0]));
	stream->spans[i] = *span;
	stream->count++;
	return true;
}

/* Leaves only the states after a span: a boundary, with no octets remembered. */
static void empty(struct ugnf_span *span)
{
	span->start = span->end;
	span->step = 1;
	span->transfer = ugnf_transfer_restrict(UTF8GUARD_TRANSFER_NONE,
						ugnf_transfer_reach(span->transfer));
}

/**
 * ugnf_ooo_resegment() - octets take the place of the beginning of the first piece
 * @stream: the stream
 * @span: the octets
 *
 * The octets after them, up to the next boundary, count as not seen, and those after that are an
 * island. The boundary stays, for the piece may have been received after all, and only its
 * acknowledgment been lost.
 *
 * Return: false if there is no room.
 */
bool ugnf_ooo_resegment(struct ugnf_ooo_stream *stream, const struct ugnf_span *span)
{
	u32 old = stream->seq.snd_nxt;

	if (ugnf_span_pieces(&stream->spans[0]) > 1)
		ugnf_span_trim(&stream->spans[0], ugnf_span_boundary(&stream->spans[0], 0));
	else
		empty(&stream->spans[0]);
	/* The octets are in order there: so there is room for them. */
	stream->seq.snd_nxt = span->start;
	if (!ugnf_ooo_insert(stream, span, false, false))
		return false;
	stream->run = ugnf_transfer_restrict(UTF8GUARD_TRANSFER_NONE,
					     ugnf_transfer_live(span->transfer));
	stream->seq.position -= old - span->start;
	return true;
}

static void move_to(struct ugnf_ooo_stream *stream, u32 seq)
{
	stream->seq.position += seq - stream->seq.snd_nxt;
	stream->seq.snd_nxt = seq;
	if (ugnf_seq_before(stream->reached, seq))
		stream->reached = seq;
}

/* The next span is in order now. It was judged from more states than are possible now. */
static void advance(struct ugnf_ooo_stream *stream, struct ugnf_span *span)
{
	span->transfer = ugnf_transfer_restrict(span->transfer, ugnf_transfer_reach(stream->run));
	move_to(stream, span->end);
}

/* Would the stream end inside a character, if it ended at @seq, where @run leads? */
static bool is_cut_off(const struct ugnf_ooo_stream *stream, u32 run, u32 seq)
{
	return stream->seq.fin_known && stream->seq.fin == seq &&
	       !(ugnf_transfer_reach(run) & 1U << UTF8GUARD_STATE_START);
}

/**
 * ugnf_ooo_settle() - run the stream over spans that now adjoin, and join these
 * @stream: the stream, with spans that are new
 * @at: set to where spans do not fit
 *
 * Spans in order move @stream->seq.snd_nxt. Of the spans of an island it is only asked whether
 * there is a state from which all of them are possible.
 *
 * Return: UTF8GUARD_CLASS_NONE if all fits; UTF8GUARD_CLASS_TOO_LONG or
 * UTF8GUARD_CLASS_TOO_SHORT if octets cannot go on as they do; and
 * UTF8GUARD_CLASS_TRUNCATED if they may not end there.
 */
u8 ugnf_ooo_settle(struct ugnf_ooo_stream *stream, u32 *at)
{
	u32 i = ugnf_ooo_find(stream, stream->seq.snd_nxt), run = stream->run;

	*at = stream->seq.snd_nxt;
	for (; i < stream->count && !is_cut_off(stream, run, *at); i++) {
		struct ugnf_span *span = &stream->spans[i];
		u8 states;

		if (span->start != *at)
			run = UTF8GUARD_TRANSFER_NONE;
		states = ugnf_transfer_reach(run);
		*at = span->start;
		run = utf8guard_compose(run, span->transfer);
		if (!ugnf_transfer_live(run))
			return states & 1U << UTF8GUARD_STATE_START ?
				UTF8GUARD_CLASS_TOO_LONG : UTF8GUARD_CLASS_TOO_SHORT;
		if (span->start == stream->seq.snd_nxt) {
			advance(stream, span);
			stream->run = run;
		}
		*at = span->end;
	}
	if (is_cut_off(stream, run, *at))
		return UTF8GUARD_CLASS_TRUNCATED;
	join_all(stream);
	return UTF8GUARD_CLASS_NONE;
}

/*
 * Forgets spans that were acknowledged. A piece that @snd_una divides is kept whole, in order or
 * not: the rest of it was let through, and may have arrived.
 */
static void forget(struct ugnf_ooo_stream *stream)
{
	remove_spans(stream, 0, ugnf_ooo_find(stream, stream->seq.snd_una));
	if (stream->count && ugnf_seq_before(stream->spans[0].start, stream->seq.snd_una))
		ugnf_span_trim(&stream->spans[0], stream->seq.snd_una);
	if (!stream->count)
		ugnf_ooo_drop_sums(stream);
}

/* Are there octets before @seq that were never let through? */
static bool has_gap(const struct ugnf_ooo_stream *stream, u32 seq)
{
	u32 at = stream->reached, i;

	for (i = ugnf_ooo_find(stream, at); i < stream->count; i++) {
		if (ugnf_seq_before(at, stream->spans[i].start))
			break;
		at = stream->spans[i].end;
	}
	return ugnf_seq_before(at, seq);
}

/* The beginning of the span that @seq is inside of; @seq where there is none. */
static u32 start_of_span(const struct ugnf_ooo_stream *stream, u32 seq)
{
	u32 i = ugnf_ooo_find(stream, seq);

	return i < stream->count ? ugnf_seq_min(seq, stream->spans[i].start) : seq;
}

/*
 * The receiver has octets that were not seen here, or not since they were
 * resegmented: the stream goes on after them, from the states that it may have there. What came
 * early was judged from any state, not from the one in which those have left the receiver.
 * So a gap is counted even if only one state is possible after it. Where the receiver has taken a
 * part of a span, the stream goes on at the beginning of that. The spans that adjoin are in
 * order then; if they were not, another part of them would count as another gap.
 */
static void skip_to(struct ugnf_ooo_stream *stream, u32 ack)
{
	u32 next = start_of_span(stream, ack), at;
	u8 states = ugnf_ooo_states_at(stream, next);

	stream->seq.resyncs += states == UGNF_ANY_STATE || has_gap(stream, ack);
	move_to(stream, next);
	stream->run = ugnf_transfer_restrict(UTF8GUARD_TRANSFER_NONE, states);
	ugnf_ooo_settle(stream, &at);
}

/**
 * ugnf_ooo_acked() - the receiver acknowledged
 * @stream: the stream
 * @ack: up to which sequence number, of a segment of the opposite direction
 * @now: milliseconds
 *
 * Call this before anything that is sent in answer can be judged.
 *
 * Context: any; the caller serialises.
 */
void ugnf_ooo_acked(struct ugnf_ooo_stream *stream, u32 ack, u32 now)
{
	if (ugnf_sequence_is_before_pick_up(&stream->seq, ack))
		ugnf_ooo_reach_back(stream, ack);
	if (!ugnf_sequence_may_ack(&stream->seq, &ack))
		return;
	if (ugnf_seq_before(stream->seq.snd_nxt, ack))
		skip_to(stream, ack);
	ugnf_sequence_acked(&stream->seq, ack, now);
	forget(stream);
}

/**
 * ugnf_ooo_pass() - a segment was refused, and let through all the same
 * @stream: as before it
 * @header: of the segment
 *
 * For rules that only count or audit. What it left behind cannot be judged any
 * more: the stream is picked up after it, or where it was if that is further.
 *
 * Context: any; the caller serialises.
 */
void ugnf_ooo_pass(struct ugnf_ooo_stream *stream, const struct ugnf_segment_header *header)
{
	ugnf_ooo_start(stream, ugnf_sequence_end(&stream->seq, header), false, header->now);
}
