/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One segment of a stream that is read in order. Pure C; the caller serialises. See
 * inorder_segment.c for its way.
 */
#ifndef _UTF8GUARD_NF_INORDER_SEGMENT_H
#define _UTF8GUARD_NF_INORDER_SEGMENT_H

#include "inorder_stream.h"

/* How a range of a segment is read; inorder_range.c. */
enum ugnf_range {
	UGNF_RANGE_NEW,		/* from the parser before it */
	UGNF_RANGE_OLD,		/* the same octets, to where they led the first time */
	UGNF_RANGE_RESEGMENTED,	/* instead of what was never received */
	UGNF_RANGE_ALONE,	/* against nothing */
	UGNF_RANGE_DELIVERED,	/* not at all: the receiver has it */
	UGNF_RANGE_SAME,	/* not at all: it must be what the copies are */
	UGNF_RANGE_EARLY,	/* others before it are missing: copied, to be read later */
};

/**
 * struct ugnf_inorder_segment - a segment that is being read; for the stack
 * @verdict: so far
 * @error: on UGNF_STREAM_ILL_FORMED what is wrong; its offset is from the beginning
 *	of the stream
 * @bytes: and @error.span octets of it, as far as they were at hand
 * @fault: offset in the payload of the octet that was refused
 * @cause: enum utf8guard_cause, on UGNF_STREAM_UNFOLLOWED; @error.offset is that of...
 * @unfollowed: ...the first octet that is not followed: its sequence number
 * @is_resegmented: it took the place of octets that were never received
 * @is_resegmented_ascii: and is ASCII there
 * @is_binary: some of it was no text
 * @is_early: it was let through before others that must be read first
 *
 * All else is private. The boundaries that it makes are after those of @stream.
 */
struct ugnf_inorder_segment {
	enum ugnf_stream_verdict verdict;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
	u32 fault;
	u8 cause;
	u32 unfollowed;
	bool is_resegmented, is_resegmented_ascii, is_binary, is_early;

	struct ugnf_inorder_stream *stream;
	const struct ugnf_stream_policy *policy;
	const struct ugnf_segment_header *header;
	u32 first, at, end;	/* of the payload, as sequence numbers */
	u32 from, to;		/* of the range */
	enum ugnf_range range;
	u8 boundary;			/* the last one that is not after the range */
	u8 staged;		/* boundaries made */
	bool is_idle;		/* nothing to be read */
	bool is_beginning;	/* the stream begins with it */
	bool is_reaching_back;	/* it reaches back before all that is known */
	struct ugnf_sequence old;	/* from before these two: restored if it is refused */
	struct ugnf_copies copies;	/* made of it */
	struct ugnf_copy *near;	/* the copy that was looked at last */
	bool is_copying;	/* the range is copied, or compared with copies */
	bool is_short;		/* there is no memory for more copies */
	bool is_folded;		/* copies after it were read */
	bool is_known;		/* @scope is the parser at @at */
	bool is_ascii;		/* the range has nothing but ASCII so far */
	bool is_tail;		/* the range is old, and has nothing but tails so far */
	bool is_lost;		/* the framing is not known after the segment */
	bool is_summed;		/* @sum is being made of the range */
	bool is_any;		/* there is no sum, for any octets would do */
	struct ugnf_sum sum;
	u32 resegmented; /* where what took the place of others begins, and its sum */
	u32 resegmented_sum;
	u8 before[UTF8GUARD_MAX_SPAN - 1];	/* the last octets */
	u8 before_len;
	struct ugnf_scope scope;
};

void ugnf_inorder_segment_begin(struct ugnf_inorder_segment *segment,
				struct ugnf_inorder_stream *stream,
				const struct ugnf_segment_header *header,
				const struct ugnf_stream_policy *policy);
bool ugnf_inorder_segment_feed(struct ugnf_inorder_segment *segment, const void *data, u32 len);
enum ugnf_stream_verdict ugnf_inorder_segment_end(struct ugnf_inorder_segment *segment);

/* Between inorder_segment.c and its parts: inorder_range.c... */
void ugnf_range_next(struct ugnf_inorder_segment *segment);
void ugnf_range_set(struct ugnf_inorder_segment *segment, enum ugnf_range range, u32 to);
void ugnf_range_end(struct ugnf_inorder_segment *segment);
bool ugnf_range_enter(struct ugnf_inorder_segment *segment);
bool ugnf_range_has_room(struct ugnf_inorder_segment *segment);

/* ...inorder_copying.c... */
u32 ugnf_inorder_copy(struct ugnf_inorder_segment *segment, const u8 *data, u32 len);
void ugnf_inorder_end_copying(struct ugnf_inorder_segment *segment, u32 at);
void ugnf_inorder_begin_alone(struct ugnf_inorder_segment *segment);
void ugnf_inorder_end_alone(struct ugnf_inorder_segment *segment);
void ugnf_inorder_fold(struct ugnf_inorder_segment *segment);

/* ...inorder_reading.c... */
void ugnf_inorder_read(struct ugnf_inorder_segment *segment, const u8 *data, u32 len);

/* ...and inorder_refusal.c. */
void ugnf_inorder_explain(struct ugnf_inorder_segment *segment, const u8 *data, u32 at, u32 len);
void ugnf_inorder_end_scope(struct ugnf_inorder_segment *segment);

/* The first refusal is the verdict. */
static inline void ugnf_inorder_refuse(struct ugnf_inorder_segment *segment,
				       enum ugnf_stream_verdict verdict)
{
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		segment->verdict = verdict;
}

/* From the octet at @seq on the framing is not followed; the first such octet counts. */
static inline void ugnf_inorder_unfollow(struct ugnf_inorder_segment *segment, u32 seq, u8 cause)
{
	if (segment->cause != UTF8GUARD_CAUSE_NONE)
		return;
	segment->cause = cause;
	segment->unfollowed = seq;
}

/* Does the stream end after the octet before @at? */
static inline bool ugnf_inorder_is_end(const struct ugnf_inorder_segment *segment, u32 at)
{
	const struct ugnf_sequence *seq = &segment->stream->seq;

	return (segment->header->fin && at == segment->end) ||
	       (seq->fin_known && seq->fin == at);
}

/* The sum of the range; 0 where it does not matter what its octets are. */
static inline u32 ugnf_inorder_sum(const struct ugnf_inorder_segment *segment)
{
	return segment->is_summed ? ugnf_sum_end(&segment->sum) : 0;
}

#endif /* _UTF8GUARD_NF_INORDER_SEGMENT_H */
