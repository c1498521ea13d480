// SPDX-License-Identifier: GPL-2.0
/*
 * One segment of a stream that is read in order, from its first octet to what becomes of it.
 *
 * 1. ugnf_inorder_segment_begin() asks what sequence numbers alone tell: whether there is
 *    anything to read, whether the stream begins with it, whether it can be where it says.
 * 2. ugnf_inorder_segment_feed() takes its octets in any pieces and goes over them in ranges,
 *    which lie between boundaries that are known and its own. For each range,
 *    ugnf_range_next() says how it is read (inorder_range.c); run() compares it with copies or
 *    copies it (inorder_copying.c), and has the parser go over it (inorder_reading.c); and
 *    ugnf_range_end() asks whether it may end as it did.
 * 3. ugnf_inorder_segment_end(): all of it is good. settle() asks whether the stream may go on
 *    or end there, and reads the copies that it now adjoins. Only then does the stream change:
 *    boundaries that the segment made are staged after those of the stream until it is let
 *    through, and become some of them.
 *
 * The first refusal on the way is the verdict; inorder_refusal.c says what was wrong.
 */
#include "../../codec/codec.h"
#include "inorder_segment.h"

/* Takes octets of one range. Returns how many; fewer where there is no memory to copy them. */
static u32 run(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	u32 copied = segment->is_copying ? ugnf_inorder_copy(segment, data, len) : len;

	if (segment->range != UGNF_RANGE_DELIVERED && segment->range != UGNF_RANGE_SAME)
		ugnf_inorder_read(segment, data, copied);
	if (copied < len && segment->verdict == UGNF_STREAM_ACCEPT)
		ugnf_inorder_end_copying(segment, segment->at + copied);
	return copied;
}

/* The stream was picked up too late: it goes back to the beginning of this segment. */
static void reach_back(struct ugnf_inorder_segment *segment)
{
	segment->is_reaching_back = ugnf_inorder_reach_back(segment->stream, segment->first);
	if (!segment->is_reaching_back)
		ugnf_inorder_refuse(segment, UGNF_STREAM_FULL);
}

/**
 * ugnf_inorder_segment_begin() - begin to read a segment
 * @segment: filled in
 * @stream: its stream; must stay until ugnf_inorder_segment_end()
 * @header: its header; must stay, too
 * @policy: the policy of the rule; must stay, too
 *
 * If @segment->verdict is UGNF_STREAM_ACCEPT, feed the payload next.
 *
 * Context: any; the caller serialises.
 */
void ugnf_inorder_segment_begin(struct ugnf_inorder_segment *segment,
				struct ugnf_inorder_stream *stream,
				const struct ugnf_segment_header *header,
				const struct ugnf_stream_policy *policy)
{
	bool urgent = header->urg && !policy->urgent_inline;
	const struct ugnf_sequence *seq = &stream->seq;

	memset(segment, 0, sizeof(*segment));
	segment->stream = stream;
	segment->header = header;
	segment->policy = policy;
	segment->first = ugnf_segment_first(header);
	segment->at = segment->first;
	segment->to = segment->first;
	segment->end = ugnf_segment_end(header);
	segment->is_idle = ugnf_sequence_is_idle(seq, header, urgent);
	if (segment->is_idle)
		return;
	/* While no SYN was answered, another SYN begins the stream anew. */
	segment->old = *seq;
	segment->is_beginning = !seq->started ||
				(header->syn && !seq->acked && seq->snd_una == seq->snd_nxt &&
				 stream->count == 1 && !stream->copies.first &&
				 !stream->is_given_up);
	if (segment->is_beginning)
		ugnf_inorder_start(stream, segment->first, header->syn, header->now);
	/* The urgent data may be in another segment, after this one or before it. */
	if (urgent)
		ugnf_inorder_refuse(segment, UGNF_STREAM_URGENT);
	if (!ugnf_sequence_has_room(seq, header))
		ugnf_inorder_refuse(segment, UGNF_STREAM_OUT_OF_WINDOW);
	if (stream->is_given_up && ugnf_seq_before(seq->snd_una, segment->end))
		ugnf_inorder_refuse(segment, UGNF_STREAM_FULL);
	if (segment->verdict == UGNF_STREAM_ACCEPT && header->len &&
	    ugnf_sequence_is_before_pick_up(seq, segment->first))
		reach_back(segment);
}

/**
 * ugnf_inorder_segment_feed() - read the next octets of the payload
 * @segment: the segment, after ugnf_inorder_segment_begin()
 * @data: the octets
 * @len: their number; octets after the end of the payload are ignored
 *
 * Context: any; the caller serialises.
 * Return: whether more octets can change the verdict.
 */
bool ugnf_inorder_segment_feed(struct ugnf_inorder_segment *segment, const void *data, u32 len)
{
	const u8 *p = data;

	if (segment->is_idle)
		return false;
	len = min_t(u32, len, segment->end - segment->at);
	while (len && segment->verdict == UGNF_STREAM_ACCEPT) {
		u32 n;

		if (segment->at == segment->to) {
			ugnf_range_next(segment);
			/* No range is empty. If one is, it must not hold a processor. */
			if (segment->at == segment->to)
				ugnf_inorder_refuse(segment, UGNF_STREAM_UNVERIFIABLE);
			continue;
		}
		n = run(segment, p, min_t(u32, len, segment->to - segment->at));
		if (segment->verdict != UGNF_STREAM_ACCEPT)
			break;
		ugnf_keep_before(segment->before, &segment->before_len, sizeof(segment->before),
				 p, n);
		segment->at += n;
		p += n;
		len -= n;
		if (segment->at == segment->to && segment->at != segment->from)
			ugnf_range_end(segment);
	}
	return segment->verdict == UGNF_STREAM_ACCEPT && segment->at != segment->end;
}

/* Have all octets up to the end of the segment been read? Then copies may go on there. */
static bool is_at_front(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	return segment->is_known && segment->staged &&
	       stream->boundaries[stream->count + segment->staged - 1].seq == segment->at &&
	       ugnf_seq_before(ugnf_inorder_last(stream)->seq, segment->at);
}

/*
 * The stream ends with the segment: may the text end there? If earlier octets are missing, this is
 * asked again when they come.
 */
static void end_text(struct ugnf_inorder_segment *segment)
{
	if (ugnf_seq_before(segment->at, segment->stream->seq.snd_una) || segment->is_early ||
	    !ugnf_range_enter(segment))
		return;
	if (segment->is_known) {
		ugnf_inorder_end_scope(segment);
	} else if (segment->boundary + 1 < segment->stream->count) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_AHEAD);
	} else if (ugnf_scope_stands_alone(&segment->stream->initial)) {
		ugnf_inorder_begin_alone(segment);
		ugnf_inorder_end_scope(segment);
	}
}

/* The number after the last octet of the stream; after a pick-up, a FIN may be before that. */
static u32 after_last(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	const struct ugnf_boundary *last = ugnf_inorder_last(stream);
	u32 seq = last->is_start && stream->count > 1 ? last[-1].seq : last->seq;

	if ((segment->staged || segment->is_early) && ugnf_seq_before(seq, segment->end))
		seq = segment->end;
	if (stream->copies.last && ugnf_seq_before(seq, ugnf_copy_end(stream->copies.last)))
		seq = ugnf_copy_end(stream->copies.last);
	return seq;
}

/* See ugnf_segment_is_doubtful(). */
static bool is_as_new(const struct ugnf_inorder_segment *segment)
{
	return segment->is_known &&
	       ugnf_scope_is_as_new(&segment->scope, &segment->stream->initial);
}

/* The whole segment was read, and is good: may the stream go on or end there? */
static void settle(struct ugnf_inorder_segment *segment, struct ugnf_sequence *seq)
{
	if (!ugnf_sequence_ends_well(seq, segment->header, after_last(segment)))
		ugnf_inorder_refuse(segment, UGNF_STREAM_DIFFERS);
	if (segment->cause != UTF8GUARD_CAUSE_NONE && !segment->policy->open)
		ugnf_inorder_refuse(segment, UGNF_STREAM_UNFOLLOWED);
	if (ugnf_segment_is_doubtful(segment->header, segment->policy) && !is_as_new(segment))
		ugnf_inorder_refuse(segment, UGNF_STREAM_OUT_OF_WINDOW);
	if (segment->verdict == UGNF_STREAM_ACCEPT && is_at_front(segment))
		ugnf_inorder_fold(segment);
	if (segment->verdict == UGNF_STREAM_ACCEPT && ugnf_inorder_is_end(segment, segment->at))
		end_text(segment);
	if (segment->cause != UTF8GUARD_CAUSE_NONE)
		ugnf_inorder_refuse(segment, UGNF_STREAM_UNFOLLOWED);
	if (segment->verdict == UGNF_STREAM_UNFOLLOWED)
		segment->error.offset = ugnf_sequence_position(&segment->stream->seq,
							       segment->unfollowed);
}

/* Octets have taken the place of others: these are what the piece is compared with from now on. */
static void note_resegmented(const struct ugnf_inorder_segment *segment)
{
	struct ugnf_inorder_stream *stream = segment->stream;
	int i = ugnf_inorder_find(stream, segment->resegmented);

	stream->boundaries[i].sum = segment->resegmented_sum;
	/* ASCII has no sum. */
	stream->boundaries[i].is_ascii = segment->is_resegmented_ascii;
}

/**
 * ugnf_inorder_segment_end() - all octets that can be read have been fed
 * @segment: the segment
 *
 * Changes the stream only if the segment goes on: for UGNF_STREAM_ACCEPT, and, if @policy->open,
 * for UGNF_STREAM_UNFOLLOWED.
 *
 * Context: any; the caller serialises.
 * Return: the verdict.
 */
enum ugnf_stream_verdict ugnf_inorder_segment_end(struct ugnf_inorder_segment *segment)
{
	struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_sequence seq = stream->seq;

	if (segment->is_idle)
		return UGNF_STREAM_ACCEPT;
	if (segment->at != segment->end)
		ugnf_inorder_refuse(segment, UGNF_STREAM_UNREADABLE);
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		settle(segment, &seq);
	if (segment->verdict == UGNF_STREAM_ACCEPT ||
	    (segment->verdict == UGNF_STREAM_UNFOLLOWED && segment->policy->open)) {
		ugnf_sequence_sent(&seq, segment->header);
		stream->seq = seq;
		if (segment->is_resegmented)
			note_resegmented(segment);
		ugnf_copies_add(&stream->copies, &segment->copies);
		ugnf_inorder_commit(stream, segment->staged, segment->first, segment->end);
		if (segment->is_lost)
			ugnf_inorder_lose(stream);
		return segment->verdict;
	}
	segment->is_early = false;
	ugnf_copies_drop(&segment->copies);
	stream->misfit.tries += segment->is_folded && stream->misfit.tries < UGNF_FOLD_TRIES;
	if (segment->is_beginning)
		ugnf_inorder_undo(stream, &segment->old);
	else if (segment->is_reaching_back)
		ugnf_inorder_undo_back(stream, &segment->old);
	return segment->verdict;
}
