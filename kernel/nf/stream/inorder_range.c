// SPDX-License-Identifier: GPL-2.0
/*
 * The ranges of a segment: where each begins and ends, and how its octets are read there.
 *
 * ugnf_range_next() decides; the functions before it are its cases, and ugnf_range_end()
 * says whether a range may end as it did.
 */
#include "../../codec/codec.h"
#include "inorder_segment.h"

/* The parser at the next boundary after where a range begins, or that of the beginning. */
static const struct ugnf_scope *scope_after(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	int next = ugnf_inorder_find(stream, segment->at) + 1;

	return next < stream->count ? &stream->boundaries[next].scope : &stream->initial;
}

/*
 * Does the range need no sum? Either its octets are compared with copies, or with nothing, or
 * they have no influence on the parser.
 */
static bool is_any(const struct ugnf_inorder_segment *segment)
{
	u32 len = segment->to - segment->from;

	if (segment->range != UGNF_RANGE_NEW && segment->range != UGNF_RANGE_OLD &&
	    segment->range != UGNF_RANGE_RESEGMENTED)
		return true;
	return ugnf_scope_any(&segment->scope, len) == len;
}

/* Begins a range, which goes up to @to or to the end of the segment. */
void ugnf_range_set(struct ugnf_inorder_segment *segment, enum ugnf_range range, u32 to)
{
	segment->range = range;
	segment->from = segment->at;
	segment->to = ugnf_seq_min(to, segment->end);
	if (range == UGNF_RANGE_ALONE && !segment->is_known)
		ugnf_scope_set_alone(&segment->scope, &segment->stream->initial,
				     scope_after(segment));
	/* From here on, nobody knows which octets the receiver takes and how the stream goes on. */
	if (range == UGNF_RANGE_ALONE && !ugnf_scope_stands_alone(&segment->stream->initial)) {
		segment->is_lost = true;
		ugnf_inorder_unfollow(segment, segment->at, UTF8GUARD_CAUSE_RESEGMENTED);
	}
	segment->is_ascii = ugnf_scope_is_steady(&segment->scope);
	segment->is_tail = range == UGNF_RANGE_OLD;
	segment->is_copying = range == UGNF_RANGE_SAME || range == UGNF_RANGE_EARLY;
	segment->is_summed = false;
	segment->is_any = is_any(segment);
}

/*
 * May octets take the place of others? Only if they begin at snd_una, if the segment goes over the
 * wire as one, and if none of the octets up to the next boundary can still be on its way.
 */
static bool may_resegment(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_sequence *seq = &segment->stream->seq;

	return segment->at == seq->snd_una && segment->is_known &&
	       ugnf_sequence_boundary(segment->header, segment->at) == segment->end &&
	       ugnf_sequence_is_quiet(seq, segment->header->now);
}

/*
 * Can octets of a piece be compared from here on? From its first octet, they can. From another
 * one, only if the parser is known at each octet of the piece (ugnf_inorder_at()), and if nothing
 * inside of the piece was ever resegmented: the receiver could keep such octets for any time.
 */
static bool may_begin(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundary = &segment->stream->boundaries[segment->boundary];
	struct ugnf_scope scope;

	return segment->at == boundary->seq ||
	       ugnf_inorder_at(segment->stream, segment->boundary, boundary[1].seq, &scope);
}

/* Is the parser known at this octet, and at the next boundary of the segment or of the stream? */
static bool is_comparable(const struct ugnf_inorder_segment *segment, u32 ours)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_scope scope;

	return segment->is_known && may_begin(segment) &&
	       (!ugnf_seq_before(ours, stream->boundaries[segment->boundary + 1].seq) ||
		ugnf_inorder_at(stream, segment->boundary, ours, &scope));
}

/*
 * May octets be judged without being compared with anything? Only under lenient policy, and if
 * the parser can judge them alone, or if the rule fails open.
 */
static bool may_be_alone(const struct ugnf_inorder_segment *segment)
{
	return segment->policy->lenient &&
	       (segment->policy->open || ugnf_scope_stands_alone(&segment->stream->initial));
}

/* The range has octets that were read before. */
static void set_old(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundaries = &segment->stream->boundaries[segment->boundary];
	u32 ours = ugnf_sequence_boundary(segment->header, segment->at);
	u32 boundary = boundaries[1].seq;

	if (boundaries->is_kept)
		ugnf_range_set(segment, UGNF_RANGE_SAME, boundary);
	else if (is_comparable(segment, ours))
		ugnf_range_set(segment, UGNF_RANGE_OLD, ugnf_seq_min(ours, boundary));
	else if (may_be_alone(segment))
		ugnf_range_set(segment, UGNF_RANGE_ALONE, boundary);
	else if (may_resegment(segment))
		ugnf_range_set(segment, UGNF_RANGE_RESEGMENTED, ours);
	else
		ugnf_inorder_refuse(segment, UGNF_STREAM_UNVERIFIABLE);
}

/*
 * Is there room for another boundary? The last two are reserved for a segment with the octet for
 * which the receiver waits. Under lenient policy, the oldest boundary is forgotten to make room.
 */
bool ugnf_range_has_room(struct ugnf_inorder_segment *segment)
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

	if (!ugnf_range_has_room(segment)) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_FULL);
		return;
	}
	boundary = &stream->boundaries[stream->count + segment->staged];
	memset(boundary, 0, sizeof(*boundary));
	boundary->seq = seq;
	memcpy(&boundary->scope, &segment->scope, sizeof(boundary->scope));
	segment->staged = ugnf_inorder_stage(stream, segment->staged + 1);
}

/* The last boundary at @seq or before it: one that the segment has made, or one of the stream. */
static struct ugnf_boundary *last_boundary(const struct ugnf_inorder_segment *segment, u32 seq)
{
	struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_boundary *staged = &stream->boundaries[stream->count + segment->staged - 1];

	if (segment->staged && staged->seq == seq)
		return staged;
	return &stream->boundaries[segment->boundary];
}

/*
 * Earlier octets are missing, which must be read first. The receiver delivers nothing of this range
 * before they come. So let the range through, copy it, and read the copy after those octets.
 */
static void set_early(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	if (!stream->copies.memory || segment->boundary + 1 < stream->count ||
	    segment->at != segment->first || segment->header->urg) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_AHEAD);
		return;
	}
	segment->copies.memory = stream->copies.memory;
	segment->is_early = true;
	ugnf_inorder_begin_alone(segment);
	ugnf_range_set(segment, UGNF_RANGE_EARLY, segment->end);
}

/* With few boundaries left, also copy octets in order: copies need a boundary only at their end. */
static bool is_crowded(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	return stream->copies.memory && !segment->is_short && !segment->header->urg &&
	       stream->count + segment->staged >= UGNF_BOUNDARIES / 2;
}

/*
 * The range has octets after all that were read. If it reaches copies, its octets there must be the
 * same, or are refused.
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
		to = ugnf_copies_run_end(next, segment->end);
	else if (is_copying)
		to = segment->end;
	if (next && !is_copied)
		to = ugnf_seq_min(to, next->seq);
	segment->copies.memory = segment->stream->copies.memory;
	ugnf_range_set(segment, UGNF_RANGE_NEW, to);
	segment->is_copying = is_copying;
}

/* The range has octets of a hole, or octets after all that were read. */
static void set_new(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_boundary *before = last_boundary(segment, segment->at);
	u32 to = ugnf_sequence_boundary(segment->header, segment->at);

	if (!segment->is_known) {
		set_early(segment);
		return;
	}
	/* The range begins inside of a piece: that piece ends here now, and keeps no sum. */
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
	ugnf_range_set(segment, UGNF_RANGE_NEW, to);
}

/*
 * Sets @segment->boundary to the last boundary at its next octet or before it; and sets the
 * parser, if it is known at that octet. Returns false where the octet is before all boundaries.
 */
bool ugnf_range_enter(struct ugnf_inorder_segment *segment)
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

/* The range has octets whose boundaries were forgotten under lenient policy. */
static void set_forgotten(struct ugnf_inorder_segment *segment)
{
	if (may_be_alone(segment))
		ugnf_range_set(segment, UGNF_RANGE_ALONE, segment->stream->boundaries[0].seq);
	else
		ugnf_inorder_refuse(segment, UGNF_STREAM_UNVERIFIABLE);
}

/* The range has octets that were delivered: up to snd_una, or to a piece that reaches it. */
static void set_delivered(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_sequence *seq = &segment->stream->seq;
	u32 to = seq->snd_una, first = segment->stream->boundaries[0].seq;

	if (ugnf_seq_before(segment->at, first))
		to = ugnf_seq_min(to, first);
	ugnf_range_set(segment, UGNF_RANGE_DELIVERED, to);
}

/* Does the segment have the whole of a piece that may have been received only in part? */
static bool is_whole(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	return ugnf_range_enter(segment) && segment->boundary + 1 < stream->count &&
	       !stream->boundaries[segment->boundary].is_hole &&
	       !stream->boundaries[segment->boundary].is_kept &&
	       is_comparable(segment, ugnf_sequence_boundary(segment->header, segment->at));
}

/* Sets the range that begins at @segment->at: its kind, and where it ends. The flow is locked. */
void ugnf_range_next(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;

	if (ugnf_seq_before(segment->at, stream->seq.snd_una) && !is_whole(segment))
		set_delivered(segment);
	else if (!ugnf_range_enter(segment))
		set_forgotten(segment);
	else if (segment->boundary + 1 == stream->count ||
		 stream->boundaries[segment->boundary].is_hole)
		set_new(segment);
	else
		set_old(segment);
}

/*
 * Is the parser in the state in which it was after these octets the first time? After a pick-up
 * inside a character, it knew less then, until the first character was whole.
 */
static void compare(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *after = &segment->stream->boundaries[segment->boundary + 1];

	if (segment->to == after->seq && !after->is_start &&
	    !ugnf_scope_agrees(&segment->scope, &after->scope, segment->is_tail))
		ugnf_inorder_refuse(segment, UGNF_STREAM_DIFFERS);
}

/* Do the octets of the range differ from those of the first time? */
static bool is_other(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundary = &segment->stream->boundaries[segment->boundary];

	if (boundary->is_ascii && !segment->is_ascii)
		return true;
	if (segment->is_any || !boundary->sum || may_be_alone(segment))
		return false;
	return segment->from == boundary->seq && segment->to == boundary[1].seq &&
	       ugnf_inorder_sum(segment) != boundary->sum;
}

/*
 * Does the range repeat a piece that begins where the stream was picked up? Octets before the
 * pick-up may have come later, and been acknowledged. So the parser at the end of the piece knew
 * more than the one at its beginning. The same octets lead to the same end.
 */
static bool is_repeated(const struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *boundary = &segment->stream->boundaries[segment->boundary];

	return boundary->is_start && boundary->sum && segment->from == boundary->seq &&
	       segment->to == boundary[1].seq && ugnf_inorder_sum(segment) == boundary->sum;
}

static void end_old(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_boundary *after = &segment->stream->boundaries[segment->boundary + 1];

	if (is_other(segment))
		ugnf_inorder_refuse(segment, UGNF_STREAM_DIFFERS);
	if (is_repeated(segment))
		memcpy(&segment->scope, &after->scope, sizeof(segment->scope));
	else
		compare(segment);
}

static void end_new(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	struct ugnf_boundary *from = last_boundary(segment, segment->from);

	from->is_ascii = segment->is_ascii;
	from->is_kept = segment->is_copying && !segment->is_ascii;
	from->sum = segment->is_ascii ? 0 : ugnf_inorder_sum(segment);
	if (segment->boundary + 1 < stream->count &&
	    segment->to == stream->boundaries[segment->boundary + 1].seq)
		compare(segment);
	else
		stage(segment, segment->to);
}

/*
 * The octets of the range have been read. Compares them with what is known of them, stages what is
 * new, or refuses the segment. The flow is locked.
 */
void ugnf_range_end(struct ugnf_inorder_segment *segment)
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
		segment->resegmented_sum = ugnf_inorder_sum(segment);
		segment->is_resegmented_ascii = segment->is_ascii;
		stage(segment, segment->to);
		break;
	case UGNF_RANGE_EARLY:
		ugnf_inorder_end_alone(segment);
		segment->is_known = false;
		break;
	case UGNF_RANGE_ALONE:
	case UGNF_RANGE_DELIVERED:
	case UGNF_RANGE_SAME:
		segment->is_known = false;
		break;
	}
}
