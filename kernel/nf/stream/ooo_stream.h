/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a TCP connection, judged as its receiver will see it, without
 * keeping payload. Pure C: no locks, no allocation, no sleeping; the caller
 * serialises the calls on one stream. See ooo_stream.c for what is proved of it.
 */
#ifndef _UTF8GUARD_NF_OOO_STREAM_H
#define _UTF8GUARD_NF_OOO_STREAM_H

#include "span.h"
#include "sums.h"

/*
 * An island is remembered if there are fewer than UGNF_SPANS_AHEAD spans, octets in order if there
 * are fewer than UGNF_SPANS_FLOWING. The rest is for the octet for which the receiver waits.
 */
#define UGNF_SPANS_AHEAD 24
#define UGNF_SPANS_FLOWING (UGNF_SPANS - 2)

/**
 * struct ugnf_ooo_stream - what is known of a stream; all zero before its first segment
 * @seq: its sequence numbers
 * @sums: of the octets of the pieces of @spans; NULL while all of them are ASCII
 * @run: the transfer function of all octets before @seq.snd_nxt; UTF8GUARD_TRANSFER_NONE where the
 *	stream was picked up
 * @reached: the highest value that @seq.snd_nxt has had: all octets before it were let through,
 *	though @seq.snd_nxt may have gone back where octets were resegmented
 * @count: number of @spans
 * @spans: octets let through from @seq.snd_una on, sorted, without overlap; those
 *	after @seq.snd_nxt are islands
 */
struct ugnf_ooo_stream {
	struct ugnf_sequence seq;
	struct ugnf_sums *sums;
	u32 run, reached;
	u8 count;
	struct ugnf_span spans[UGNF_SPANS];
};

/**
 * struct ugnf_stream_policy - where a choice is left
 * @lenient: let through what overlaps judged octets and cannot be compared
 * @urgent_inline: judge urgent data like other octets; else refuse them
 * @open: let through what is not followed
 */
struct ugnf_stream_policy {
	bool lenient, urgent_inline, open;
};

/**
 * enum ugnf_stream_verdict - what came of judging a segment
 * @UGNF_STREAM_ACCEPT: let it through
 * @UGNF_STREAM_ILL_FORMED: with it, the stream would be ill-formed
 * @UGNF_STREAM_DIFFERS: it sends octets again that are not what they were
 * @UGNF_STREAM_UNVERIFIABLE: it sends octets again that cannot be compared, for it begins or ends
 *	inside a piece; strict policy only
 * @UGNF_STREAM_FULL: nothing more can be remembered before an acknowledgment
 * @UGNF_STREAM_OUT_OF_WINDOW: it is where no segment can be: further ahead than any window is
 *	wide, or before the beginning of the stream
 * @UGNF_STREAM_URGENT: urgent data, which the receiver may take out of the stream
 * @UGNF_STREAM_AHEAD: it came before others that must be read first; inorder_stream.c only
 * @UGNF_STREAM_UNREADABLE: fewer octets were fed than it has
 * @UGNF_STREAM_UNFOLLOWED: what it is about cannot be told; inorder_stream.c only
 */
enum ugnf_stream_verdict {
	UGNF_STREAM_ACCEPT,
	UGNF_STREAM_ILL_FORMED,
	UGNF_STREAM_DIFFERS,
	UGNF_STREAM_UNVERIFIABLE,
	UGNF_STREAM_FULL,
	UGNF_STREAM_OUT_OF_WINDOW,
	UGNF_STREAM_URGENT,
	UGNF_STREAM_AHEAD,
	UGNF_STREAM_UNREADABLE,
	UGNF_STREAM_UNFOLLOWED,
};

/* How a piece of a segment is judged; ooo_segment.c. */
enum ugnf_piece {
	UGNF_PIECE_NEW,		/* not seen before */
	UGNF_PIECE_SAME,		/* against a piece of a span */
	UGNF_PIECE_ASCII,		/* against ASCII */
	UGNF_PIECE_RESEGMENTED,		/* in place of octets that were never received */
	UGNF_PIECE_ALONE,		/* against nothing */
	UGNF_PIECE_DELIVERED,	/* not at all: the receiver has it */
};

/**
 * struct ugnf_ooo_segment - a segment being judged; about 1 KiB, for the stack
 * @verdict: so far
 * @error: on UGNF_STREAM_ILL_FORMED what is wrong; its offset is from the
 *	beginning of the stream
 * @bytes: and @error.span octets of it, as far as they were at hand
 * @fault: offset in the payload of the octet that was refused
 * @is_resegmented: it took the place of octets that were never received
 * @work: the stream as it will be if the segment is let through; its sums are staged in those of
 *	@stream
 * @stream: the stream as it is
 *
 * All else is private.
 */
struct ugnf_ooo_segment {
	enum ugnf_stream_verdict verdict;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
	u32 fault;
	bool is_resegmented;

	const struct ugnf_stream_policy *policy;
	const struct ugnf_segment_header *header;
	u32 first, at, end;	/* of the payload, as sequence numbers */
	u32 from, to;		/* of the piece */
	u32 transfer;		/* of the piece up to @at */
	u32 original;		/* UGNF_PIECE_SAME, UGNF_PIECE_RESEGMENTED: what it was before */
	enum ugnf_piece piece;
	bool is_ascii;		/* the piece, so far; if it is not... */
	struct ugnf_sum sum;	/* ...of its octets */
	u32 staged;		/* sums */
	bool is_mixed;		/* it goes over the wire in pieces, and one is not ASCII */
	bool is_idle;		/* nothing to be judged */
	u8 before[3];		/* the last octets, or a lead that stands for them */
	u8 before_len;
	struct ugnf_ooo_stream *stream;
	struct ugnf_ooo_stream work;
};

void ugnf_ooo_segment_begin(struct ugnf_ooo_segment *segment, struct ugnf_ooo_stream *stream,
			    const struct ugnf_segment_header *header,
			    const struct ugnf_stream_policy *policy);
bool ugnf_ooo_segment_feed(struct ugnf_ooo_segment *segment, const void *data, u32 len);
enum ugnf_stream_verdict ugnf_ooo_segment_end(struct ugnf_ooo_segment *segment,
					      struct ugnf_ooo_stream *stream);

void ugnf_ooo_reach_back(struct ugnf_ooo_stream *stream, u32 seq);
void ugnf_ooo_start(struct ugnf_ooo_stream *stream, u32 seq, bool syn, u32 now);
void ugnf_ooo_acked(struct ugnf_ooo_stream *stream, u32 ack, u32 now);
void ugnf_ooo_pass(struct ugnf_ooo_stream *stream, const struct ugnf_segment_header *header);

/*
 * Is the payload of a SYN doubtful? The SYN-ACK that acknowledges it may answer an older SYN, whose
 * connection was forgotten here, and whose stream begins after this payload. A server repeats its
 * SYN-ACK for a minute, and a client that brings connection tracking to forget the connection
 * meanwhile chooses the number of another SYN and its payload. So the payload must leave the next
 * octet to be judged as the first one of a stream.
 * An honest client that gets no answer sends its SYN again without payload.
 */
static inline bool ugnf_segment_is_doubtful(const struct ugnf_segment_header *header,
					    const struct ugnf_stream_policy *policy)
{
	return header->syn && header->len && !policy->lenient && !policy->open;
}

/* For both engines; ooo_segment.c. */
bool ugnf_is_ascii(const u8 *p, u32 len);
void ugnf_keep_before(u8 *before, u8 *count, u32 most, const u8 *data, u32 len);

/* Between ooo_stream.c and ooo_segment.c. */
void ugnf_ooo_drop_sums(struct ugnf_ooo_stream *stream);
void ugnf_ooo_copy(struct ugnf_ooo_stream *to, const struct ugnf_ooo_stream *from);
u8 ugnf_ooo_states_at(const struct ugnf_ooo_stream *stream, u32 seq);
u32 ugnf_ooo_find(const struct ugnf_ooo_stream *stream, u32 seq);
bool ugnf_ooo_insert(struct ugnf_ooo_stream *stream, const struct ugnf_span *span, bool ahead,
		     bool lenient);
bool ugnf_ooo_resegment(struct ugnf_ooo_stream *stream, const struct ugnf_span *span);
u8 ugnf_ooo_settle(struct ugnf_ooo_stream *stream, u32 *at);

#endif /* _UTF8GUARD_NF_OOO_STREAM_H */
