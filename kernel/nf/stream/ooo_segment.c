// SPDX-License-Identifier: GPL-2.0
/*
 * One segment of a stream whose octets may come in any order. It is judged in pieces between the
 * boundaries that are known, on a copy of the stream. If all of it is good, the copy becomes the
 * stream.
 */
#include "../../codec/codec.h"
#include "ooo_stream.h"

/* Are all octets ASCII? Mostly they are, so this does not stop at the first that is not. */
bool ugnf_is_ascii(const u8 *p, u32 len)
{
	u64 all = 0;
	u32 i = 0;

	for (; len - i >= 32; i += 32) {
		all = utf8guard_load64(p + i) | utf8guard_load64(p + i + 8) |
		      utf8guard_load64(p + i + 16) | utf8guard_load64(p + i + 24);
		if (all & UTF8GUARD_TOP_BITS)
			return false;
	}
	for (; i < len; i++)
		all |= p[i];
	return !(all & UTF8GUARD_TOP_BITS);
}

/* The lead octet of a character that is in this state; to explain an error in its middle. */
static void stand_in(struct ugnf_ooo_segment *segment, u8 states)
{
	static const u8 leads[] = {
		[UTF8GUARD_STATE_TAIL1] = 0xc2, [UTF8GUARD_STATE_TAIL2] = 0xe1,
		[UTF8GUARD_STATE_TAIL3] = 0xf1, [UTF8GUARD_STATE_E0] = 0xe0,
		[UTF8GUARD_STATE_ED] = 0xed, [UTF8GUARD_STATE_F0] = 0xf0,
		[UTF8GUARD_STATE_F4] = 0xf4,
	};
	u8 state = ugnf_only_state(states);

	segment->before_len = 0;
	if (state != UTF8GUARD_STATE_START && state < ARRAY_SIZE(leads)) {
		segment->before[0] = leads[state];
		segment->before_len = 1;
	}
}

/**
 * ugnf_keep_before() - keep the last octets, to explain an error after them
 * @before: the octets that are kept
 * @count: their number
 * @most: the number of octets for which there is room
 * @data: the next octets
 * @len: the number of these
 *
 * Context: any; pure.
 */
void ugnf_keep_before(u8 *before, u8 *count, u32 most, const u8 *data, u32 len)
{
	u32 n = min_t(u32, len, most), kept = min_t(u32, *count, most - n);

	memmove(before, before + *count - kept, kept);
	memcpy(before + kept, data + len - n, n);
	*count = kept + n;
}

/*
 * Explains what was refused at @data + @at. All octets before it are well-formed, so the first
 * error from the nearest beginning of a character on is the one.
 */
static void explain(struct ugnf_ooo_segment *segment, const u8 *data, u32 at, u32 len)
{
	struct utf8guard_error *error = &segment->error;
	u8 text[12];
	u32 before, n, skip;

	segment->verdict = UGNF_STREAM_ILL_FORMED;
	segment->fault = segment->at + at - segment->first;
	ugnf_keep_before(segment->before, &segment->before_len, sizeof(segment->before), data, at);
	before = segment->before_len;
	n = min_t(u32, len - at, UTF8GUARD_MAX_SPAN);
	memcpy(text, segment->before, before);
	memcpy(text + before, data + at, n);
	for (skip = 0; skip < before && utf8guard_is_tail(text[skip]); skip++)
		;
	if (!utf8guard_validate(text + skip, before + n - skip, error)) {
		/* Refused from other states, but well-formed from the first: a tail too many. */
		utf8guard_explain(text, before + n, before, error);
		skip = 0;
	}
	memcpy(segment->bytes, text + skip + error->offset, error->span);
	error->offset +=
		ugnf_sequence_position(&segment->work.seq, segment->at + at) + skip - before;
}

static void refuse(struct ugnf_ooo_segment *segment, enum ugnf_stream_verdict verdict)
{
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		segment->verdict = verdict;
}

/* The farthest offset at which octets are refused, from any of a set of states. */
static u32 last_refused(u8 states, const u8 *data, u32 len)
{
	u32 last = 0;
	u8 from;

	for (from = 0; from < UTF8GUARD_STATE_REFUSED; from++) {
		u8 state = from;
		u32 at;

		if (!(states >> from & 1))
			continue;
		at = utf8guard_feed(&state, data, len);
		if (at > last)
			last = at;
	}
	return last;
}

/* Sums octets from the first that is not ASCII on: those before do not change the state. */
static void add_up(struct ugnf_ooo_segment *segment, const u8 *data, u32 len)
{
	u32 i = 0;

	if (segment->is_ascii) {
		while (data[i] < 0x80)
			i++;
		ugnf_sum_begin(&segment->sum, segment->at + i);
	}
	ugnf_sum_feed(&segment->sum, data + i, len - i);
}

/* The sum of the piece; 0 if it is ASCII. */
static u32 sum_of(const struct ugnf_ooo_segment *segment)
{
	return segment->is_ascii ? 0 : ugnf_sum_end(&segment->sum);
}

/* Judges octets of one piece. */
static void run(struct ugnf_ooo_segment *segment, const u8 *data, u32 len)
{
	u8 live = ugnf_transfer_live(segment->transfer);
	u8 states = ugnf_transfer_image(segment->transfer, live);
	u8 state = ugnf_only_state(states);
	bool ascii = ugnf_is_ascii(data, len);

	if (!ascii || !segment->is_ascii)
		add_up(segment, data, len);
	segment->is_ascii &= ascii;
	if (ascii) {
		segment->transfer = utf8guard_compose(segment->transfer, UGNF_ASCII);
	} else if (state != UTF8GUARD_STATE_REFUSED) {
		utf8guard_feed(&state, data, len);
		segment->transfer = ugnf_transfer_constant(live, state);
	} else {
		segment->transfer = utf8guard_compose(segment->transfer,
						      utf8guard_transfer(data, len));
	}
	if (!ugnf_transfer_live(segment->transfer))
		explain(segment, data, last_refused(states, data, len), len);
}

/* Begins a piece, which goes up to @to or to the end of the segment, in one of @states. */
static void set_piece(struct ugnf_ooo_segment *segment, enum ugnf_piece piece, u32 to, u8 states)
{
	if (segment->at == segment->first || segment->piece == UGNF_PIECE_DELIVERED)
		stand_in(segment, states);
	segment->piece = piece;
	segment->from = segment->at;
	segment->to = ugnf_seq_min(to, segment->end);
	segment->transfer = ugnf_transfer_restrict(UTF8GUARD_TRANSFER_NONE, states);
	segment->is_ascii = true;
}

/*
 * Can nothing of the first piece arrive any more, or of what is left of it, so that the segment may
 * take its place?
 */
static bool may_resegment(const struct ugnf_ooo_segment *segment, const struct ugnf_span *span,
			  u32 piece)
{
	const struct ugnf_ooo_stream *work = &segment->work;

	return span == &work->spans[0] && !piece && segment->at == work->seq.snd_una &&
	       ugnf_seq_before(segment->at, work->seq.snd_nxt) &&
	       ugnf_sequence_is_quiet(&work->seq, segment->header->now);
}

/*
 * The segment begins in the middle of the piece, where the state is not known. A closed policy does
 * not pick the stream up there: the octets that the receiver has may end inside a character, and
 * other octets could complete it in another way.
 */
static void set_resegmented(struct ugnf_ooo_segment *segment, u32 to, u8 states)
{
	set_piece(segment, UGNF_PIECE_RESEGMENTED, to, states);
	segment->work.seq.resyncs += states == UGNF_ANY_STATE;
}

/* The next piece has octets that were judged before, in this span. */
static void set_old_piece(struct ugnf_ooo_segment *segment, const struct ugnf_span *span)
{
	u32 piece, boundary, ours = ugnf_sequence_boundary(segment->header, segment->at);
	u8 states;
	bool known;

	if (!span->step) {
		set_piece(segment, UGNF_PIECE_ASCII, span->end, 1U << UTF8GUARD_STATE_START);
		return;
	}
	known = ugnf_span_contains(span, segment->at, &piece);
	boundary = ugnf_span_boundary(span, piece);
	segment->original = ugnf_span_piece(span, piece);
	states = ugnf_transfer_live(segment->original);
	if (known && !ugnf_seq_before(ours, boundary))
		set_piece(segment, UGNF_PIECE_SAME, boundary, states);
	else if (segment->policy->lenient)
		set_piece(segment, UGNF_PIECE_ALONE, boundary, known ? states : UGNF_ANY_STATE);
	else if (may_resegment(segment, span, piece) && ours == segment->end &&
		 (known || segment->policy->open))
		set_resegmented(segment, boundary, known ? states : UGNF_ANY_STATE);
	else
		refuse(segment, UGNF_STREAM_UNVERIFIABLE);
}

/* The next piece has new octets: up to the next span, or the next boundary of the segment. */
static u32 end_of_new(const struct ugnf_ooo_segment *segment, const struct ugnf_span *next)
{
	u32 boundary = ugnf_sequence_boundary(segment->header, segment->at);

	return next ? ugnf_seq_min(boundary, next->start) : boundary;
}

/* The next piece was delivered: up to snd_una, or to a piece that reaches it. */
static void set_delivered(struct ugnf_ooo_segment *segment, const struct ugnf_span *span)
{
	const struct ugnf_sequence *seq = &segment->work.seq;
	u32 to = seq->snd_una;

	if (span && ugnf_seq_before(segment->at, span->start))
		to = ugnf_seq_min(to, span->start);
	set_piece(segment, UGNF_PIECE_DELIVERED, to, UGNF_ANY_STATE);
}

/* Does the segment have the whole of a piece that may have been received only in part? */
static bool is_whole(const struct ugnf_ooo_segment *segment, const struct ugnf_span *span)
{
	u32 piece;

	return span->step && ugnf_span_contains(span, segment->at, &piece) &&
	       !ugnf_seq_before(ugnf_sequence_boundary(segment->header, segment->at),
				ugnf_span_boundary(span, piece));
}

static void next_piece(struct ugnf_ooo_segment *segment)
{
	const struct ugnf_ooo_stream *work = &segment->work;
	u32 i = ugnf_ooo_find(work, segment->at);
	const struct ugnf_span *span = i < work->count ? &work->spans[i] : NULL;
	bool is_old = span && !ugnf_seq_before(segment->at, span->start);

	if (ugnf_seq_before(segment->at, work->seq.snd_una) && !(is_old && is_whole(segment, span)))
		set_delivered(segment, span);
	else if (is_old)
		set_old_piece(segment, span);
	else if (!ugnf_seq_before(segment->at, work->seq.snd_nxt))
		set_piece(segment, UGNF_PIECE_NEW, end_of_new(segment, span),
			  ugnf_ooo_states_at(work, segment->at));
	else if (segment->policy->lenient)
		set_piece(segment, UGNF_PIECE_ALONE,
			  span ? ugnf_seq_min(span->start, work->seq.snd_nxt) : work->seq.snd_nxt,
			  UGNF_ANY_STATE);
	else
		refuse(segment, UGNF_STREAM_UNVERIFIABLE);
}

/*
 * Does a piece that is sent again lead to the same states as before? Under strict policy, it must
 * have the same octets, for the receiver may take some octets of one and go on with the other.
 */
static bool is_same(const struct ugnf_ooo_segment *segment)
{
	if (ugnf_transfer_restrict(segment->transfer, ugnf_transfer_live(segment->original)) !=
	    segment->original)
		return false;
	return segment->policy->lenient ||
	       sum_of(segment) == ugnf_sums_find(segment->work.sums, segment->to);
}

/* Stages the sum of a piece. False without room or memory; lenient policy needs no sums. */
static bool note_sum(struct ugnf_ooo_segment *segment)
{
	struct ugnf_ooo_stream *stream = segment->stream;
	u32 sum = sum_of(segment);

	if (!sum && !(stream->sums && stream->sums->is_resegmented))
		return true;
	if (!stream->sums) {
		stream->sums = ugnf_sums_alloc();
		segment->work.sums = stream->sums;
	}
	if (!stream->sums || !ugnf_sums_put(stream->sums, segment->staged, stream->seq.snd_una,
					    segment->to, sum))
		return segment->policy->lenient;
	segment->staged++;
	return true;
}

/* Remembers a piece that was not seen before. */
static struct ugnf_span span_of(struct ugnf_ooo_segment *segment)
{
	/*
	 * Once a segment of several pieces has one that is not ASCII, its pieces of ASCII are taken
	 * like that one. As spans of their own they would be too many to be remembered.
	 */
	segment->is_mixed |= !segment->is_ascii && segment->header->piece;
	return (struct ugnf_span) {
		.start = segment->from,
		.end = segment->to,
		.step = segment->is_ascii && !segment->is_mixed ? 0 :
			segment->to - segment->from,
		.transfer = segment->transfer,
	};
}

static void end_piece(struct ugnf_ooo_segment *segment)
{
	struct ugnf_span span = span_of(segment);
	bool ahead = ugnf_seq_before(segment->work.seq.snd_nxt, segment->first);

	switch (segment->piece) {
	case UGNF_PIECE_NEW:
		if (!note_sum(segment) ||
		    !ugnf_ooo_insert(&segment->work, &span, ahead, segment->policy->lenient))
			refuse(segment, UGNF_STREAM_FULL);
		break;
	case UGNF_PIECE_SAME:
		if (!is_same(segment))
			refuse(segment, UGNF_STREAM_DIFFERS);
		break;
	case UGNF_PIECE_ASCII:
		if (!segment->is_ascii)
			refuse(segment, UGNF_STREAM_DIFFERS);
		break;
	case UGNF_PIECE_RESEGMENTED:
		segment->is_resegmented = true;
		if (segment->stream->sums)
			segment->stream->sums->is_resegmented = true;
		if (!note_sum(segment) || !ugnf_ooo_resegment(&segment->work, &span))
			refuse(segment, UGNF_STREAM_FULL);
		break;
	case UGNF_PIECE_ALONE:
	case UGNF_PIECE_DELIVERED:
		break;
	}
}

/* Does the segment agree with the end of the stream? */
static void check_fin(struct ugnf_ooo_segment *segment)
{
	struct ugnf_ooo_stream *work = &segment->work;
	u32 last = work->seq.snd_nxt;

	if (work->count && ugnf_seq_before(last, work->spans[work->count - 1].end))
		last = work->spans[work->count - 1].end;
	if (!ugnf_sequence_ends_well(&work->seq, segment->header, last))
		refuse(segment, UGNF_STREAM_DIFFERS);
}

/**
 * ugnf_ooo_segment_begin() - begin to judge a segment
 * @segment: filled in
 * @stream: its stream; must stay until ugnf_ooo_segment_end()
 * @header: its header; must stay, too
 * @policy: the policy of the rule; must stay, too
 *
 * If @segment->verdict is UGNF_STREAM_ACCEPT, feed the payload next.
 *
 * Context: any; the caller serialises.
 */
void ugnf_ooo_segment_begin(struct ugnf_ooo_segment *segment, struct ugnf_ooo_stream *stream,
			    const struct ugnf_segment_header *header,
			    const struct ugnf_stream_policy *policy)
{
	bool urgent = header->urg && !policy->urgent_inline;
	struct ugnf_ooo_stream *work = &segment->work;

	memset(segment, 0, offsetof(struct ugnf_ooo_segment, work));
	segment->stream = stream;
	segment->header = header;
	segment->policy = policy;
	segment->first = ugnf_segment_first(header);
	segment->at = segment->first;
	segment->end = ugnf_segment_end(header);
	/* Without spans, there can only be sums of a segment that was refused. */
	if (!stream->count)
		ugnf_ooo_drop_sums(stream);
	ugnf_ooo_copy(work, stream);
	segment->is_idle = ugnf_sequence_is_idle(&work->seq, header, urgent);
	if (segment->is_idle)
		return;
	/* While no SYN was answered, another SYN begins the stream anew. */
	if (!work->seq.started || (header->syn && !work->seq.acked && !work->count))
		ugnf_ooo_start(work, segment->first, header->syn, header->now);
	else if (header->len && ugnf_sequence_is_before_pick_up(&work->seq, segment->first))
		ugnf_ooo_reach_back(work, segment->first);
	/* The urgent data may be in another segment, after this one or before it. */
	if (urgent)
		refuse(segment, UGNF_STREAM_URGENT);
	if (!ugnf_sequence_has_room(&work->seq, header))
		refuse(segment, UGNF_STREAM_OUT_OF_WINDOW);
	segment->to = segment->at;
}

/**
 * ugnf_ooo_segment_feed() - judge the next octets of the payload
 * @segment: the segment, after ugnf_ooo_segment_begin()
 * @data: the octets
 * @len: their number; octets after the end of the payload are ignored
 *
 * Context: any; pure.
 * Return: whether more octets can change the verdict.
 */
bool ugnf_ooo_segment_feed(struct ugnf_ooo_segment *segment, const void *data, u32 len)
{
	const u8 *p = data;

	if (segment->is_idle)
		return false;
	len = min_t(u32, len, segment->end - segment->at);
	while (len && segment->verdict == UGNF_STREAM_ACCEPT) {
		u32 n;

		if (segment->at == segment->to) {
			next_piece(segment);
			continue;
		}
		n = min_t(u32, len, segment->to - segment->at);
		if (segment->piece != UGNF_PIECE_DELIVERED)
			run(segment, p, n);
		if (segment->verdict != UGNF_STREAM_ACCEPT)
			break;
		ugnf_keep_before(segment->before, &segment->before_len, sizeof(segment->before),
				 p, n);
		segment->at += n;
		p += n;
		len -= n;
		if (segment->at == segment->to)
			end_piece(segment);
	}
	return segment->verdict == UGNF_STREAM_ACCEPT && segment->at != segment->end;
}

/* Runs the spans after the segment on from it. If one does not fit, the error is on both sides. */
static void settle(struct ugnf_ooo_segment *segment)
{
	u32 at;
	u8 class;

	check_fin(segment);
	if (ugnf_segment_is_doubtful(segment->header, segment->policy) &&
	    ugnf_only_state(ugnf_ooo_states_at(&segment->work, segment->end)) !=
		    UTF8GUARD_STATE_START)
		refuse(segment, UGNF_STREAM_OUT_OF_WINDOW);
	if (segment->verdict != UGNF_STREAM_ACCEPT)
		return;
	class = ugnf_ooo_settle(&segment->work, &at);
	if (class == UTF8GUARD_CLASS_NONE)
		return;
	refuse(segment, UGNF_STREAM_ILL_FORMED);
	segment->fault = at - segment->first;
	segment->error = (struct utf8guard_error) {
		.offset = ugnf_sequence_position(&segment->work.seq, at),
		.class = class,
		.code_point = UTF8GUARD_NO_CODE_POINT,
	};
}

/**
 * ugnf_ooo_segment_end() - all octets that can be read have been fed
 * @segment: the segment
 * @stream: the same as at the beginning; changed only on UGNF_STREAM_ACCEPT
 *
 * Context: any; the caller serialises.
 * Return: the verdict.
 */
enum ugnf_stream_verdict ugnf_ooo_segment_end(struct ugnf_ooo_segment *segment,
					      struct ugnf_ooo_stream *stream)
{
	struct ugnf_ooo_stream *work = &segment->work;

	if (segment->is_idle)
		return UGNF_STREAM_ACCEPT;
	if (segment->at != segment->end)
		refuse(segment, UGNF_STREAM_UNREADABLE);
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		settle(segment);
	if (segment->verdict != UGNF_STREAM_ACCEPT)
		return segment->verdict;
	ugnf_sequence_sent(&work->seq, segment->header);
	if (segment->staged)
		work->sums->count += segment->staged;
	ugnf_ooo_copy(stream, work);
	return UGNF_STREAM_ACCEPT;
}
