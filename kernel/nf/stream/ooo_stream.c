// SPDX-License-Identifier: GPL-2.0
/*
 * A stream: what is known of it between two segments.
 *
 * The receiver. Of the octets at one place in the stream that were let through,
 * it delivers any one: the first, the last, that of the segment with the lower
 * number. It may take any part of a segment, as where its window shrinks, or throw
 * the end of it away, and the rest of another copy later. Segments may get lost, be
 * doubled and overtake each other after us. Once acknowledged, an octet is delivered.
 * Who has taken part of a segment says so, and that is seen within UGNF_STREAM_HOLD.
 *
 * Acknowledgments. They may be of any octet, come late, and be of octets that never
 * came by here. Of such octets nothing is promised, and of those between them, or
 * between where they began and ended, that there is a state from which they are not
 * refused; that there are such is counted (skip_to()). Nor is anything of acknowledgments
 * that are not the receiver's: who can make one that connection tracking takes, of an
 * octet that is not delivered, can send another in its place. That packets are from where
 * they say is not for us to see.
 *
 * What is kept. For each octet let through and not acknowledged there is a span,
 * and of each span the state of the validator at each of its boundaries: known, where
 * three octets are before it in the span; else a function of the state before.
 * A span of ASCII is known everywhere. Of each piece that is not ASCII there is a sum
 * of its octets, from the first that is not (stream/sums.c). A segment is refused that
 * has other octets there, leads to another state at a known boundary, or has a boundary of its own
 * inside a piece, where the state is not known (but for lenient policy, see below).
 *
 * Hence strict policy is sound. All copies of the octets between two adjoining
 * boundaries are the same, but for ASCII before the first octet of them that is not, so
 * whatever parts of them the receiver joins lead from each state that the stream may have
 * at the first to the same state at the second, and are not refused in between. By
 * induction from the first octet, the state at each boundary is
 * the one that is kept; nothing ill-formed is delivered. New octets are judged
 * from the states at their beginning, and what they adjoin after them must not
 * be refused from there (ugnf_ooo_settle()). A segment that is refused changes
 * nothing here, and the receiver never sees it.
 *
 * And it blocks no valid stream, whatever the order in which segments arrive, as
 * long as what is sent again is the same octets between the same boundaries, or boundaries
 * of several of those together, or ASCII however it is cut, or was acknowledged. Of a
 * piece that is acknowledged in part, all is kept, and may be sent again from its
 * beginning: so nobody waits for good because half of a piece was acknowledged, or
 * one that has not arrived. What cannot be remembered any more is refused like a
 * packet lost on a full queue; it is let through when sent again after an
 * acknowledgment, for which the octet asked for has room in reserve.
 *
 * Octets resegmented elsewhere cannot be compared without keeping them. In one case
 * they may go: they begin at the octet that the receiver asks for and end in the
 * first piece, and nothing of that piece was let through for UGNF_STREAM_HOLD. Then
 * the receiver has no copy of that piece, or has delivered it. The new one takes
 * its place, and what follows is judged as if it were out of order
 * (UGNF_PIECE_RESEGMENTED). That serves smaller segments after path MTU discovery and
 * probes of a closed window. It takes that no packet arrives that was held up
 * after us for longer. Should the old piece have been delivered, and only the
 * acknowledgment be lost, then the new one is not, and as the state at its end
 * is kept, what follows fits both. Where the receiver asks for an octet inside the
 * piece, the rest of which it has thrown away, an open policy picks them up in the middle.
 * A closed one refuses them, for what the receiver has may end inside a character: all of
 * the piece may be sent again from its beginning, and nothing else in its place.
 *
 * What lenient policy gives up: it lets segments through that cut judged octets
 * where it does not know the state, and that are possible by themselves; and it
 * forgets judged octets rather than to refuse new ones. A sender that sends
 * different octets the second time can so make the receiver join the halves of
 * two characters. One that sends the same again cannot.
 *
 * A stream whose SYN was not seen begins in any state: up to three continuation
 * octets at its beginning cannot be judged. Where octets come before that, or are
 * asked for, it begins there, until an acknowledgment says where it does.
 */
#include "../../codec/codec.h"
#include "ooo_stream.h"

/* Of octets that are not there. */
void ugnf_ooo_drop_sums(struct ugnf_ooo_stream *stream)
{
	ugnf_sums_free(stream->sums);
	stream->sums = NULL;
}

/* Start anew at @seq: the first octet after a SYN, or one in the middle. */
void ugnf_ooo_start(struct ugnf_ooo_stream *stream, u32 seq, bool syn, u32 now)
{
	ugnf_sequence_start(&stream->seq, seq, syn, now);
	stream->run = syn ? UGNF_ASCII : UTF8GUARD_TRANSFER_NONE;
	stream->reached = seq;
	stream->count = 0;
	ugnf_ooo_drop_sums(stream);
}

/* It was picked up too late: from @seq on. What was judged stays, out of order. */
void ugnf_ooo_reach_back(struct ugnf_ooo_stream *stream, u32 seq)
{
	ugnf_sequence_reach_back(&stream->seq, seq);
	stream->run = UTF8GUARD_TRANSFER_NONE;
	stream->reached = seq;
}

/* Only the spans that there are: most streams have few. */
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
 * The transfer function of all that adjoins before an octet, up to @at: the last span that
 * ends there or before it. The next span is @i, or there is none.
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
 * @seq: of the octet; not before @stream->seq.snd_nxt
 *
 * All that adjoins before it counts, not only the last span: of what a short one
 * could lead to from anywhere, little may be left.
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

/* Before what ends at @stream->seq.snd_nxt and what begins there are joined, it moves. */
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
 * What is out of order may not take all the room, nor all of it be taken in
 * order, or the octet that all wait for could not come.
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
 * @span: what they do
 * @ahead: they do not adjoin what is in order
 * @lenient: forget older octets for them
 *
 * Return: false if there is no room.
 */
bool ugnf_ooo_insert(struct ugnf_ooo_stream *stream, const struct ugnf_span *span, bool ahead,
		     bool lenient)
{
	u32 most = capacity(stream, span->start, ahead), i;

	/* Never an island: what it does is not in @run yet. */
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

/* Of a span, only the states after it: a boundary, where nothing is remembered. */
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
 * @span: what they do
 *
 * The octets after them, up to the next boundary, are as if they had not been seen,
 * and those after that are out of order. The boundary stays, for the piece may have
 * been received after all, and the acknowledgment lost.
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
	/* Where the next octets would go to, so that there is room for them. */
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

/* One span further in order; it was judged from more states than there are. */
static void advance(struct ugnf_ooo_stream *stream, struct ugnf_span *span)
{
	span->transfer = ugnf_transfer_restrict(span->transfer, ugnf_transfer_reach(stream->run));
	move_to(stream, span->end);
}

/* Would the stream end at @seq, where @run leads to, inside a character? */
static bool is_cut_off(const struct ugnf_ooo_stream *stream, u32 run, u32 seq)
{
	return stream->seq.fin_known && stream->seq.fin == seq &&
	       !(ugnf_transfer_reach(run) & 1U << UTF8GUARD_STATE_START);
}

/**
 * ugnf_ooo_settle() - let what adjoins be one
 * @stream: new spans are in
 * @at: where it does not fit
 *
 * Spans in order move @stream->seq.snd_nxt; of each island only whether it can be at all
 * is asked.
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
 * Nothing before @snd_una can be sent again. Of a piece that it cuts all is kept, in order
 * or not: the rest of it was let through, and may have arrived.
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

/* Of the span that @ack is inside, what adjoins before it goes: what it led to stays. */
static void keep_states(struct ugnf_ooo_stream *stream, u32 ack)
{
	u32 at, i, run = run_up_to(stream, ack, &i, &at);

	if (i < stream->count && stream->spans[i].start == at)
		stream->spans[i].transfer = ugnf_transfer_restrict(stream->spans[i].transfer,
								   ugnf_transfer_reach(run));
}

/*
 * The receiver has octets that were not seen here, or not since they were cut
 * anew: the stream goes on after them, from the states that it may have there. What came
 * early was judged from any state, not from the one in which those have left the receiver.
 * So a gap is counted, though the state after it be known.
 */
static void skip_to(struct ugnf_ooo_stream *stream, u32 ack)
{
	u8 states = ugnf_ooo_states_at(stream, ack);

	stream->seq.resyncs += states == UGNF_ANY_STATE || has_gap(stream, ack);
	keep_states(stream, ack);
	move_to(stream, ack);
	stream->run = ugnf_transfer_restrict(UTF8GUARD_TRANSFER_NONE, states);
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
