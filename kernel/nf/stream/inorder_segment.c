// SPDX-License-Identifier: GPL-2.0
/*
 * One segment of a stream that is read in order. Its octets come in any pieces; they
 * are read in ranges of another kind, between the boundaries that are known and its own.
 * The boundaries that it makes are staged after those of the stream, and become some of
 * them if all is well.
 */
#include "../../codec/codec.h"
#include "../../codec/decode.h"
#include "inorder_stream.h"

static void refuse(struct ugnf_inorder_segment *segment, enum ugnf_stream_verdict verdict)
{
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		segment->verdict = verdict;
}

/* The last octets, for whoever has to explain the next. */
static void keep_before(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	u32 most = sizeof(segment->before), n = min_t(u32, len, most);
	u32 kept = min_t(u32, segment->before_len, most - n);

	memmove(segment->before, segment->before + segment->before_len - kept, kept);
	memcpy(segment->before + kept, data + len - n, n);
	segment->before_len = kept + n;
}

/* An escape that ends in @octet, or that octet. Returns how many are before it. */
static u32 explain_escape(struct ugnf_inorder_segment *segment, u8 octet)
{
	u32 n = segment->before_len, i = n;

	while (i && segment->before[i - 1] != '%')
		i--;
	i = i ? i - 1 : n;
	memcpy(segment->bytes, segment->before + i, n - i);
	segment->bytes[n - i] = octet;
	segment->error.length = n - i + 1;
	segment->error.span = n - i + 1;
	return n - i;
}

/*
 * Octets that are ill-formed, of which the last that was read is the first of @data.
 * Returns how many are before it.
 */
static u32 explain_octets(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	const struct ugnf_text *text = &segment->scope.text;
	struct utf8guard_error *error = &segment->error;
	u8 octets[sizeof(text->before) + UTF8GUARD_MAX_SPAN], class = error->class;
	u32 before = text->before_len, skip = 0;

	len = min_t(u32, len, UTF8GUARD_MAX_SPAN);
	memcpy(octets, text->before, before);
	memcpy(octets + before, data, len);
	while (skip < before && utf8guard_is_tail(octets[skip]))
		skip++;
	/* What is after a text that is not whole is no part of it, and may be good. */
	if (!utf8guard_validate(octets + skip, before + len - skip, error))
		return 0;
	error->class = class;
	memcpy(segment->bytes, octets + skip + error->offset, error->span);
	return before - min_t(u32, before, skip + error->offset);
}

/* Say what was refused at @data, of @len octets left. */
static void explain(struct ugnf_inorder_segment *segment, const u8 *data, u32 at, u32 len)
{
	struct utf8guard_error *error = &segment->error;
	u32 before;

	refuse(segment, UGNF_STREAM_ILL_FORMED);
	keep_before(segment, data, at);
	segment->fault = segment->at + at - segment->first;
	if (segment->scope.text.decode) {
		before = explain_escape(segment, data[at]);
	} else if (UTF8GUARD_CLASS_BIT(error->class) & UTF8GUARD_ILL_FORMED) {
		before = explain_octets(segment, data + at, len - at);
	} else {
		utf8guard_encode(segment->bytes, error->code_point);
		before = error->length - 1;
	}
	error->offset = ugnf_sequence_position(&segment->stream->seq, segment->at + at) - before;
}

/* From this octet on it is not followed; the first such counts. */
static void lose(struct ugnf_inorder_segment *segment, u32 seq, u8 cause)
{
	if (segment->cause != UTF8GUARD_CAUSE_NONE)
		return;
	segment->cause = cause;
	segment->unfollowed = seq;
}

static bool is_tail(const u8 *data, u32 len)
{
	u32 i = 0;

	while (i < len && utf8guard_is_tail(data[i]))
		i++;
	return i == len;
}

static u32 common(const u8 *a, const u8 *b, u32 len)
{
	u32 i = 0;

	if (!memcmp(a, b, len))
		return len;
	while (a[i] == b[i])
		i++;
	return i;
}

/* How many octets are those of the copy in which @at is. */
static u32 same(const struct ugnf_copy *copy, u32 at, const u8 *data, u32 len)
{
	return common(copy->octets + (at - copy->seq), data,
		      min_t(u32, len, ugnf_copy_end(copy) - at));
}

/*
 * Octets of which there is a copy must be the same; of others, copies are made. Returns how
 * many there are before what is not so.
 */
static u32 copy(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	const struct ugnf_copies *known = &segment->stream->copies;
	u32 done = 0, n, at;

	while (done < len) {
		at = segment->at + done;
		segment->near = ugnf_copies_find(known, segment->near, at);
		n = segment->near ? min_t(u32, len - done, segment->near->seq - at) : len - done;
		if (segment->near && ugnf_copy_has(segment->near, at))
			n = same(segment->near, at, data + done, len - done);
		else if (segment->range == UGNF_RANGE_SAME ||
			 !ugnf_copies_put(&segment->copies, known->count, at, data + done, &n,
					  segment->header->now))
			n = 0;
		if (!n)
			break;
		done += n;
	}
	return done;
}

/* At @at, octets are not what their copy is, or there is no memory to copy them. */
static void end_copying(struct ugnf_inorder_segment *segment, u32 at)
{
	if (segment->range == UGNF_RANGE_SAME ||
	    (segment->near && ugnf_copy_has(segment->near, at))) {
		refuse(segment, UGNF_STREAM_DIFFERS);
	} else if (segment->range == UGNF_RANGE_EARLY) {
		refuse(segment, UGNF_STREAM_AHEAD);
	} else {
		/* In order, none is needed. */
		segment->is_short = true;
		segment->to = at;
	}
}

/*
 * How many of the first octets of a range are of no account: those that are stepped over,
 * or of a text, ASCII, with which each octet leads on to the same place.
 */
static u32 of_no_account(const struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	const struct ugnf_scope *initial = &segment->stream->initial;
	u32 i = 0;

	if (!ugnf_scope_stands_alone(initial) || initial->plain.is_gated)
		return ugnf_scope_any(&segment->scope, len);
	if (ugnf_is_ascii(data, len))
		return len;
	while (data[i] < 0x80)
		i++;
	return i;
}

/* Where others may come in the place of these octets, they must be the same. */
static void add_up(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	u32 n = 0;

	if (segment->is_any || segment->is_copying)
		return;
	if (!segment->is_summed) {
		n = of_no_account(segment, data, len);
		if (n == len)
			return;
		segment->is_summed = true;
		ugnf_sum_begin(&segment->sum, segment->at + n);
	}
	ugnf_sum_feed(&segment->sum, data + n, len - n);
}

static u32 sum_of(const struct ugnf_inorder_segment *segment)
{
	return segment->is_summed ? ugnf_sum_end(&segment->sum) : 0;
}

/* The parser goes on. */
static void read(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	struct ugnf_scope *scope = &segment->scope;
	u32 at;

	if (segment->is_ascii)
		segment->is_ascii = ugnf_is_ascii(data, len);
	if (segment->is_tail)
		segment->is_tail = is_tail(data, len);
	add_up(segment, data, len);
	at = ugnf_scope_feed(scope, data, len, &segment->error);
	if (scope->status == UGNF_SCOPE_REFUSED)
		explain(segment, data, at, len);
	else if (segment->range == UGNF_RANGE_EARLY)
		return;
	else if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		lose(segment, segment->at + at, scope->cause);
	segment->is_binary |= ugnf_scope_is_binary(scope);
}

/* Octets of one range. Returns how many: fewer where there is no memory to copy them. */
static u32 run(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	u32 copied = segment->is_copying ? copy(segment, data, len) : len;

	if (segment->range != UGNF_RANGE_DELIVERED && segment->range != UGNF_RANGE_SAME)
		read(segment, data, copied);
	if (copied < len && segment->verdict == UGNF_STREAM_ACCEPT)
		end_copying(segment, segment->at + copied);
	return copied;
}

/* The parser at the next boundary after where a range begins, or that of the beginning. */
static const struct ugnf_scope *scope_after(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	int next = ugnf_inorder_find(stream, segment->at) + 1;

	return next < stream->count ? &stream->boundaries[next].scope : &stream->initial;
}

/* Are the octets of the range compared in another way, or need not be the same? */
static bool is_any(const struct ugnf_inorder_segment *segment)
{
	u32 len = segment->to - segment->from;

	if (segment->range != UGNF_RANGE_NEW && segment->range != UGNF_RANGE_OLD &&
	    segment->range != UGNF_RANGE_RESEGMENTED)
		return true;
	return ugnf_scope_any(&segment->scope, len) == len;
}

/* The range goes up to @to, or to the end. */
static void set_stretch(struct ugnf_inorder_segment *segment, enum ugnf_range range, u32 to)
{
	segment->range = range;
	segment->from = segment->at;
	segment->to = ugnf_seq_min(to, segment->end);
	if (range == UGNF_RANGE_ALONE && !segment->is_known)
		ugnf_scope_set_alone(&segment->scope, &segment->stream->initial,
				     scope_after(segment));
	/* Which copy the receiver takes, and so how it goes on, is not known from here on. */
	if (range == UGNF_RANGE_ALONE && !ugnf_scope_stands_alone(&segment->stream->initial)) {
		segment->is_lost = true;
		lose(segment, segment->at, UTF8GUARD_CAUSE_RESEGMENTED);
	}
	segment->is_ascii = ugnf_scope_is_steady(&segment->scope);
	segment->is_tail = range == UGNF_RANGE_OLD;
	segment->is_copying = range == UGNF_RANGE_SAME || range == UGNF_RANGE_EARLY;
	segment->is_summed = false;
	segment->is_any = is_any(segment);
}

/* Nothing up to the next boundary, which @segment does not reach, can still arrive. */
static bool may_resegment(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_sequence *seq = &segment->stream->seq;

	return segment->at == seq->snd_una && segment->is_known &&
	       ugnf_sequence_boundary(segment->header, segment->at) == segment->end &&
	       ugnf_sequence_is_quiet(seq, segment->header->now);
}

/*
 * May there be copies of the piece that begin here? The receiver could hold these for
 * any time, so only where all of it is known, and never resegmented, inside it.
 */
static bool may_begin(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundary = &segment->stream->boundaries[segment->boundary];
	struct ugnf_scope scope;

	return segment->at == boundary->seq ||
	       ugnf_inorder_at(segment->stream, segment->boundary, boundary[1].seq, &scope);
}

/* Up to the next of our own boundaries, is it known there what the parser was? */
static bool is_comparable(const struct ugnf_inorder_segment *segment, u32 ours)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_scope scope;

	return segment->is_known && may_begin(segment) &&
	       (!ugnf_seq_before(ours, stream->boundaries[segment->boundary + 1].seq) ||
		ugnf_inorder_at(stream, segment->boundary, ours, &scope));
}

/*
 * May octets be judged against nothing? Where the parser cannot do that, the fail policy
 * lets them through, or they are as under strict policy.
 */
static bool may_be_alone(const struct ugnf_inorder_segment *segment)
{
	return segment->policy->lenient &&
	       (segment->policy->open || ugnf_scope_stands_alone(&segment->stream->initial));
}

/* Octets that were read before. */
static void set_old(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundaries = &segment->stream->boundaries[segment->boundary];
	u32 ours = ugnf_sequence_boundary(segment->header, segment->at);
	u32 boundary = boundaries[1].seq;

	if (boundaries->is_kept)
		set_stretch(segment, UGNF_RANGE_SAME, boundary);
	else if (is_comparable(segment, ours))
		set_stretch(segment, UGNF_RANGE_OLD, ugnf_seq_min(ours, boundary));
	else if (may_be_alone(segment))
		set_stretch(segment, UGNF_RANGE_ALONE, boundary);
	else if (may_resegment(segment))
		set_stretch(segment, UGNF_RANGE_RESEGMENTED, ours);
	else
		refuse(segment, UGNF_STREAM_UNVERIFIABLE);
}

/*
 * Room for one cut more. Two are kept for a segment with the octet that the receiver
 * asks for; lenient policy forgets old ones.
 */
static bool has_room(struct ugnf_inorder_segment *segment)
{
	struct ugnf_inorder_stream *stream = segment->stream;
	u32 used = stream->count + segment->staged;

	if (used < UGNF_BOUNDARIES - 2 ||
	    (used < UGNF_BOUNDARIES && !ugnf_seq_before(stream->seq.snd_una, segment->first)))
		return true;
	if (!may_be_alone(segment) || !segment->boundary)
		return false;
	memmove(&stream->boundaries[0], &stream->boundaries[1],
		(used - 1) * sizeof(stream->boundaries[0]));
	stream->count--;
	segment->boundary--;
	return true;
}

static void stage(struct ugnf_inorder_segment *segment, u32 seq)
{
	struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_boundary *boundary;

	if (!has_room(segment)) {
		refuse(segment, UGNF_STREAM_FULL);
		return;
	}
	boundary = &stream->boundaries[stream->count + segment->staged];
	memset(boundary, 0, sizeof(*boundary));
	boundary->seq = seq;
	memcpy(&boundary->scope, &segment->scope, sizeof(boundary->scope));
	segment->staged = ugnf_inorder_stage(stream, segment->staged + 1);
}

/* The boundary at @seq, where a range begins, if it is our own; else one that is known. */
static struct ugnf_boundary *last_cut(const struct ugnf_inorder_segment *segment, u32 seq)
{
	struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_boundary *staged = &stream->boundaries[stream->count + segment->staged - 1];

	if (segment->staged && staged->seq == seq)
		return staged;
	return &stream->boundaries[segment->boundary];
}

/* Does the stream end there? */
static bool is_end(const struct ugnf_inorder_segment *segment, u32 at)
{
	const struct ugnf_sequence *seq = &segment->stream->seq;

	return (segment->header->fin && at == segment->end) ||
	       (seq->fin_known && seq->fin == at);
}

/* The text ends here: may it? */
static void end_scope(struct ugnf_inorder_segment *segment)
{
	struct utf8guard_error *error = &segment->error;
	struct ugnf_scope *scope = &segment->scope;
	u32 before = 0;

	/* Its octets were counted, or are not here: an end adds nothing to that. */
	if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		return;
	ugnf_scope_end(scope, error);
	if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		lose(segment, segment->at, scope->cause);
	if (scope->status != UGNF_SCOPE_REFUSED)
		return;
	refuse(segment, UGNF_STREAM_ILL_FORMED);
	segment->fault = segment->at - segment->first;
	if (scope->text.decode)
		error->span = 0;
	else
		before = explain_octets(segment, segment->before, 0);
	error->offset = ugnf_sequence_position(&segment->stream->seq, segment->at) - before;
}

/*
 * As text, octets are judged without those before them, too: they may never be read from
 * there, if the receiver gets what is missing by another way, or the flow is forgotten.
 * Up to eight octets before them are enough to know where a character begins.
 */
static void begin_alone(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	u8 before[8];
	u32 n;

	ugnf_scope_set_alone(&segment->scope, &stream->initial, &ugnf_inorder_last(stream)->scope);
	/* A byte order mark is one at the beginning of the stream alone. */
	segment->scope.text.refuse &= ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	n = ugnf_copies_before(&stream->copies, segment->at, before, sizeof(before));
	ugnf_scope_feed(&segment->scope, before, n, &segment->error);
}

/* And with those after them, where these were let through. */
static void end_alone(struct ugnf_inorder_segment *segment)
{
	u8 after[8];
	u32 n = ugnf_copies_after(&segment->stream->copies, segment->at, after, sizeof(after));

	read(segment, after, n);
	if (segment->verdict == UGNF_STREAM_ACCEPT && is_end(segment, segment->at + n))
		end_scope(segment);
}

/*
 * Others that must be read first are missing. The receiver delivers nothing of it until
 * they come; they are judged together with the copy then.
 */
static void set_early(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	if (!stream->copies.memory || segment->boundary + 1 < stream->count ||
	    segment->at != segment->first || segment->header->urg) {
		refuse(segment, UGNF_STREAM_AHEAD);
		return;
	}
	segment->copies.memory = stream->copies.memory;
	segment->is_early = true;
	begin_alone(segment);
	set_stretch(segment, UGNF_RANGE_EARLY, segment->end);
}

/* With few boundaries left, octets in order are copied, too: then only their ends are some. */
static bool is_crowded(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	return stream->copies.memory && !segment->is_short && !segment->header->urg &&
	       stream->count + segment->staged >= UGNF_BOUNDARIES / 2;
}

/*
 * Octets after all that were read. Where they reach copies that were not, they are these,
 * or refused.
 */
static void set_front(struct ugnf_inorder_segment *segment)
{
	struct ugnf_copy *next = ugnf_copies_find(&segment->stream->copies, segment->near,
						  segment->at);
	bool is_copied = next && ugnf_copy_has(next, segment->at);
	u32 to = ugnf_sequence_boundary(segment->header, segment->at);
	bool is_copying = is_copied || is_crowded(segment);

	segment->near = next;
	if (is_copied)
		to = ugnf_copies_run_end(next);
	else if (is_copying)
		to = segment->end;
	if (next && !is_copied)
		to = ugnf_seq_min(to, next->seq);
	segment->copies.memory = segment->stream->copies.memory;
	set_stretch(segment, UGNF_RANGE_NEW, to);
	segment->is_copying = is_copying;
}

/* Octets of a hole, or after all that were read. */
static void set_new(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_boundary *before = last_cut(segment, segment->at);
	u32 to = ugnf_sequence_boundary(segment->header, segment->at);

	if (!segment->is_known) {
		set_early(segment);
		return;
	}
	/* Before others that may be any, it is a piece of its own. */
	if (before->seq != segment->at) {
		before->is_kept = false;
		before->sum = 0;
		stage(segment, segment->at);
	}
	if (segment->boundary + 1 == stream->count) {
		set_front(segment);
		return;
	}
	to = ugnf_seq_min(to, stream->boundaries[segment->boundary + 1].seq);
	set_stretch(segment, UGNF_RANGE_NEW, to);
}

/* Find the parser at an octet. False where that is before all that is known. */
static bool enter(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	int boundary = ugnf_inorder_find(stream, segment->at);

	if (boundary < 0)
		return false;
	segment->boundary = boundary;
	if (!segment->is_known)
		segment->is_known = ugnf_inorder_at(stream, boundary, segment->at, &segment->scope);
	return true;
}

/* Octets whose boundaries lenient policy has given up, if it is still the policy. */
static void set_forgotten(struct ugnf_inorder_segment *segment)
{
	if (may_be_alone(segment))
		set_stretch(segment, UGNF_RANGE_ALONE, segment->stream->boundaries[0].seq);
	else
		refuse(segment, UGNF_STREAM_UNVERIFIABLE);
}

/* Octets that the receiver has: up to what it asks for, or to a piece that reaches there. */
static void set_delivered(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_sequence *seq = &segment->stream->seq;
	u32 to = seq->snd_una, first = segment->stream->boundaries[0].seq;

	if (ugnf_seq_before(segment->at, first))
		to = ugnf_seq_min(to, first);
	set_stretch(segment, UGNF_RANGE_DELIVERED, to);
}

/* Is all of a piece here that the receiver may have only the beginning of? */
static bool is_whole(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	return enter(segment) && segment->boundary + 1 < stream->count &&
	       !stream->boundaries[segment->boundary].is_hole &&
	       !stream->boundaries[segment->boundary].is_kept &&
	       is_comparable(segment, ugnf_sequence_boundary(segment->header, segment->at));
}

static void next_stretch(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	if (ugnf_seq_before(segment->at, stream->seq.snd_una) && !is_whole(segment))
		set_delivered(segment);
	else if (!enter(segment))
		set_forgotten(segment);
	else if (segment->boundary + 1 == stream->count ||
		 stream->boundaries[segment->boundary].is_hole)
		set_new(segment);
	else
		set_old(segment);
}

/*
 * The parser must be what it was, but where it was picked up in the middle. After that it
 * may know less than now, if it had no whole character yet.
 */
static void compare(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *after = &segment->stream->boundaries[segment->boundary + 1];

	if (segment->to == after->seq && !after->is_start &&
	    !ugnf_scope_agrees(&segment->scope, &after->scope, segment->is_tail))
		refuse(segment, UGNF_STREAM_DIFFERS);
}

/* Are they other octets than the first time? */
static bool is_other(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundary = &segment->stream->boundaries[segment->boundary];

	if (boundary->is_ascii && !segment->is_ascii)
		return true;
	if (segment->is_any || !boundary->sum || may_be_alone(segment))
		return false;
	return segment->from == boundary->seq && segment->to == boundary[1].seq &&
	       sum_of(segment) != boundary->sum;
}

/*
 * Does it repeat a piece that begins where the stream was picked up? What was before that
 * may have come later, and been acknowledged: the parser at the end of the piece knew more
 * than the one at its beginning does, and the same octets lead there again.
 */
static bool is_repeated(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundary = &segment->stream->boundaries[segment->boundary];

	return boundary->is_start && boundary->sum && segment->from == boundary->seq &&
	       segment->to == boundary[1].seq && sum_of(segment) == boundary->sum;
}

static void end_old(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *after = &segment->stream->boundaries[segment->boundary + 1];

	if (is_other(segment))
		refuse(segment, UGNF_STREAM_DIFFERS);
	if (is_repeated(segment))
		memcpy(&segment->scope, &after->scope, sizeof(segment->scope));
	else
		compare(segment);
}

static void end_new(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_boundary *from = last_cut(segment, segment->from);

	from->is_ascii = segment->is_ascii;
	from->is_kept = segment->is_copying && !segment->is_ascii;
	from->sum = segment->is_ascii ? 0 : sum_of(segment);
	if (segment->boundary + 1 < stream->count &&
	    segment->to == stream->boundaries[segment->boundary + 1].seq)
		compare(segment);
	else
		stage(segment, segment->to);
}

static void end_stretch(struct ugnf_inorder_segment *segment)
{
	ugnf_text_settle(&segment->scope.text);
	switch (segment->range) {
	case UGNF_RANGE_NEW:
		end_new(segment);
		break;
	case UGNF_RANGE_OLD:
		end_old(segment);
		break;
	case UGNF_RANGE_RESEGMENTED:
		segment->is_resegmented = true;
		segment->resegmented = segment->from;
		segment->resegmented_sum = sum_of(segment);
		stage(segment, segment->to);
		break;
	case UGNF_RANGE_EARLY:
		end_alone(segment);
		segment->is_known = false;
		break;
	case UGNF_RANGE_ALONE:
	case UGNF_RANGE_DELIVERED:
	case UGNF_RANGE_SAME:
		segment->is_known = false;
		break;
	}
}

/* What was picked up began before that. */
static void reach_back(struct ugnf_inorder_segment *segment)
{
	segment->is_reaching_back = ugnf_inorder_reach_back(segment->stream, segment->first);
	if (!segment->is_reaching_back)
		refuse(segment, UGNF_STREAM_FULL);
}

/**
 * ugnf_inorder_segment_begin() - begin to read a segment
 * @segment: filled in
 * @stream: what came before it; must stay until ugnf_inorder_segment_end()
 * @header: of the segment; must stay as well
 * @policy: must stay as well
 *
 * Then feed its payload, unless @segment->verdict is not UGNF_STREAM_ACCEPT.
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
	/* A SYN that was not answered may be followed by another. */
	segment->old = *seq;
	segment->is_beginning = !seq->started ||
				(header->syn && !seq->acked && seq->snd_una == seq->snd_nxt &&
				 stream->count == 1 && !stream->copies.first &&
				 !stream->is_given_up);
	if (segment->is_beginning)
		ugnf_inorder_start(stream, segment->first, header->syn, header->now);
	/* Urgent data may be after this segment, or have been before it. */
	if (urgent)
		refuse(segment, UGNF_STREAM_URGENT);
	if (!ugnf_sequence_has_room(seq, header))
		refuse(segment, UGNF_STREAM_OUT_OF_WINDOW);
	if (stream->is_given_up && ugnf_seq_before(seq->snd_una, segment->end))
		refuse(segment, UGNF_STREAM_FULL);
	if (segment->verdict == UGNF_STREAM_ACCEPT && header->len &&
	    ugnf_sequence_is_before_pick_up(seq, segment->first))
		reach_back(segment);
}

/**
 * ugnf_inorder_segment_feed() - read the next octets of the payload
 * @segment: begun
 * @data: the octets
 * @len: how many; what is beyond the payload is ignored
 *
 * Context: any; the caller serialises.
 * Return: whether more can change the verdict.
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
			next_stretch(segment);
			continue;
		}
		n = run(segment, p, min_t(u32, len, segment->to - segment->at));
		if (segment->verdict != UGNF_STREAM_ACCEPT)
			break;
		keep_before(segment, p, n);
		segment->at += n;
		p += n;
		len -= n;
		if (segment->at == segment->to && segment->at != segment->from)
			end_stretch(segment);
	}
	return segment->verdict == UGNF_STREAM_ACCEPT && segment->at != segment->end;
}

/* Have all octets been read up to where @segment is? Then copies may go on there. */
static bool is_at_front(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	return segment->is_known && segment->staged &&
	       stream->boundaries[stream->count + segment->staged - 1].seq == segment->at &&
	       ugnf_seq_before(ugnf_inorder_last(stream)->seq, segment->at);
}

/*
 * These copies were found bad before. From the same place they still are; from another,
 * the sender changes its octets each time, which honest ones do not, and would have us read
 * all of them for each.
 */
static bool is_misfit(struct ugnf_inorder_segment *segment)
{
	struct ugnf_misfit *misfit = &segment->stream->misfit;

	if (misfit->is_known && misfit->at == segment->at &&
	    !memcmp(&misfit->scope, &segment->scope, sizeof(misfit->scope)) &&
	    (misfit->cause == UTF8GUARD_CAUSE_NONE || !segment->policy->open)) {
		if (misfit->cause != UTF8GUARD_CAUSE_NONE) {
			lose(segment, misfit->unfollowed, misfit->cause);
			return true;
		}
		refuse(segment, UGNF_STREAM_ILL_FORMED);
		segment->error = misfit->error;
		memcpy(segment->bytes, misfit->bytes, sizeof(segment->bytes));
		return true;
	}
	if (misfit->tries == UGNF_FOLD_TRIES)
		refuse(segment, UGNF_STREAM_DIFFERS);
	return segment->verdict != UGNF_STREAM_ACCEPT;
}

/* Take note of what could not go on from @scope at @at. */
static void note_misfit(struct ugnf_inorder_segment *segment, const struct ugnf_scope *scope,
			u32 at)
{
	struct ugnf_misfit *misfit = &segment->stream->misfit;

	misfit->is_known = true;
	misfit->cause = segment->cause;
	misfit->unfollowed = segment->unfollowed;
	misfit->at = at;
	memcpy(&misfit->scope, scope, sizeof(*scope));
	misfit->error = segment->error;
	memcpy(misfit->bytes, segment->bytes, sizeof(misfit->bytes));
}

/*
 * The segment was read, and its last octet is followed by copies of what was let through
 * early. The receiver delivers that together with it, so it must be good as well.
 */
static void fold(struct ugnf_inorder_segment *segment)
{
	struct ugnf_copy *next = ugnf_copies_find(&segment->stream->copies, segment->near,
						  segment->at);
	struct ugnf_scope before;
	u32 at = segment->at, n;

	if (!next || !ugnf_copy_has(next, at) || is_misfit(segment))
		return;
	if (!has_room(segment)) {
		refuse(segment, UGNF_STREAM_FULL);
		return;
	}
	segment->is_folded = true;
	memcpy(&before, &segment->scope, sizeof(before));
	set_stretch(segment, UGNF_RANGE_NEW, at);
	segment->to = ugnf_copies_run_end(next);
	for (; segment->at != segment->to; next = next->next) {
		const u8 *octets = next->octets + (segment->at - next->seq);

		n = ugnf_copy_end(next) - segment->at;
		read(segment, octets, n);
		if (segment->verdict != UGNF_STREAM_ACCEPT)
			break;
		keep_before(segment, octets, n);
		segment->at += n;
	}
	segment->is_copying = true;
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		end_stretch(segment);
	if (segment->verdict == UGNF_STREAM_ILL_FORMED ||
	    (segment->cause != UTF8GUARD_CAUSE_NONE && !segment->policy->open))
		note_misfit(segment, &before, at);
}

/*
 * The stream ends where @segment is: may the text end there? If that is not known yet, it
 * is asked again of the segment by which it will be.
 */
static void end_text(struct ugnf_inorder_segment *segment)
{
	if (ugnf_seq_before(segment->at, segment->stream->seq.snd_una) || segment->is_early ||
	    !enter(segment))
		return;
	if (segment->is_known) {
		end_scope(segment);
	} else if (segment->boundary + 1 < segment->stream->count) {
		refuse(segment, UGNF_STREAM_AHEAD);
	} else if (ugnf_scope_stands_alone(&segment->stream->initial)) {
		begin_alone(segment);
		end_scope(segment);
	}
}

/* After the last octet. Where the stream was picked up, a FIN may have been before that. */
static u32 behind_last(const struct ugnf_inorder_segment *segment)
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

/* All of it was read, and is good: may the stream go on, or end, there? */
static void settle(struct ugnf_inorder_segment *segment, struct ugnf_sequence *seq)
{
	if (!ugnf_sequence_ends_well(seq, segment->header, behind_last(segment)))
		refuse(segment, UGNF_STREAM_DIFFERS);
	if (segment->cause != UTF8GUARD_CAUSE_NONE && !segment->policy->open)
		refuse(segment, UGNF_STREAM_UNFOLLOWED);
	if (segment->verdict == UGNF_STREAM_ACCEPT && is_at_front(segment))
		fold(segment);
	if (segment->verdict == UGNF_STREAM_ACCEPT && is_end(segment, segment->at))
		end_text(segment);
	if (segment->cause != UTF8GUARD_CAUSE_NONE)
		refuse(segment, UGNF_STREAM_UNFOLLOWED);
	if (segment->verdict == UGNF_STREAM_UNFOLLOWED)
		segment->error.offset = ugnf_sequence_position(&segment->stream->seq,
							       segment->unfollowed);
}

/**
 * ugnf_inorder_segment_end() - all that could be read was fed
 * @segment: begun; its reading is changed only if the segment is to be let through
 *
 * That is on UGNF_STREAM_ACCEPT, and by @policy->open on UGNF_STREAM_UNFOLLOWED.
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
		refuse(segment, UGNF_STREAM_UNREADABLE);
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		settle(segment, &seq);
	if (segment->verdict == UGNF_STREAM_ACCEPT ||
	    (segment->verdict == UGNF_STREAM_UNFOLLOWED && segment->policy->open)) {
		ugnf_sequence_sent(&seq, segment->header);
		stream->seq = seq;
		if (segment->is_resegmented)
			stream->boundaries[ugnf_inorder_find(stream, segment->resegmented)].sum =
				segment->resegmented_sum;
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
