/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a TCP connection, judged as its receiver will see it, without
 * keeping payload. Pure C: no locks, no allocation, no sleeping; the caller
 * serialises the calls on one stream. See ooo_stream.c for what is proved of it.
 */
#ifndef _UTF8GUARD_NF_STREAM_H
#define _UTF8GUARD_NF_STREAM_H

#include "span.h"
#include "sums.h"

/* Spans out of order at most; in order less 2, but for the octet asked for. */
#define NF_SPANS_AHEAD 24
#define NF_SPANS_FLOWING (NF_SPANS - 2)

/**
 * struct nf_stream - what is known of a stream; all zero before its first segment
 * @seq: its sequence numbers
 * @sums: of the octets of the pieces of @spans; NULL while all of them are ASCII
 * @run: the transfer function of all before @seq.next; NONE where it was picked up
 * @count: number of @spans
 * @spans: octets let through from @seq.una on, sorted, without overlap; those
 *	behind @seq.next are islands
 */
struct nf_stream {
	struct nf_sequence seq;
	struct nf_sums *sums;
	u32 run;
	u8 count;
	struct nf_span spans[NF_SPANS];
};

/**
 * struct nf_stream_policy - where a choice is left
 * @lenient: let through what overlaps judged octets and cannot be compared
 * @urgent_inline: judge urgent octets as if they were not; else refuse them
 * @open: let through what is not followed
 */
struct nf_stream_policy {
	bool lenient, urgent_inline, open;
};

/**
 * enum nf_stream_verdict - what came of judging a segment
 * @NF_STREAM_ACCEPT: let it through
 * @NF_STREAM_ILL_FORMED: with it, the stream would be ill-formed
 * @NF_STREAM_DIFFERS: it sends octets again that are not what they were
 * @NF_STREAM_UNVERIFIABLE: it cuts octets sent before where they cannot be
 *	compared; strict policy only
 * @NF_STREAM_FULL: nothing more can be remembered before an acknowledgment
 * @NF_STREAM_OUT_OF_WINDOW: it is where no segment can be
 * @NF_STREAM_URGENT: urgent data, which the receiver may take out of the stream
 * @NF_STREAM_AHEAD: it is ahead of others that must be read first; inorder_stream.c only
 * @NF_STREAM_UNREADABLE: fewer octets were fed than it has
 * @NF_STREAM_UNFOLLOWED: what it is about cannot be told; inorder_stream.c only
 */
enum nf_stream_verdict {
	NF_STREAM_ACCEPT,
	NF_STREAM_ILL_FORMED,
	NF_STREAM_DIFFERS,
	NF_STREAM_UNVERIFIABLE,
	NF_STREAM_FULL,
	NF_STREAM_OUT_OF_WINDOW,
	NF_STREAM_URGENT,
	NF_STREAM_AHEAD,
	NF_STREAM_UNREADABLE,
	NF_STREAM_UNFOLLOWED,
};

/* How a piece of a segment is judged; ooo_segment.c. */
enum nf_piece {
	NF_PIECE_NEW,		/* not seen before */
	NF_PIECE_SAME,		/* against a piece of a span */
	NF_PIECE_ASCII,		/* against ASCII */
	NF_PIECE_RECUT,		/* instead of what was never received */
	NF_PIECE_ALONE,		/* against nothing */
	NF_PIECE_DELIVERED,	/* not at all: the receiver has it */
};

/**
 * struct nf_segment - a segment being judged; about 1 KiB, for the stack
 * @verdict: so far
 * @error: on NF_STREAM_ILL_FORMED what is wrong; its offset is from the
 *	beginning of the stream
 * @bytes: and @error.span octets of it, as far as they were at hand
 * @fault: offset in the payload of the octet that was refused
 * @is_recut: it took the place of octets that were never received
 * @work: the stream as it will be, but for the sums, which are staged behind those of...
 * @stream: ...the stream as it is
 *
 * All else is private.
 */
struct nf_segment {
	enum nf_stream_verdict verdict;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
	u32 fault;
	bool is_recut;

	const struct nf_stream_policy *policy;
	const struct nf_segment_header *header;
	u32 first, at, end;	/* of the payload, as sequence numbers */
	u32 from, to;		/* of the piece */
	u32 transfer;		/* of the piece up to @at */
	u32 original;		/* NF_PIECE_SAME, NF_PIECE_RECUT: what it was before */
	enum nf_piece piece;
	bool is_ascii;		/* the piece, so far; if it is not... */
	struct nf_sum sum;	/* ...of its octets */
	u32 staged;		/* sums */
	bool is_mixed;		/* cut up behind us, and some of that is not ASCII */
	bool is_idle;		/* nothing to be judged */
	u8 before[3];		/* the last octets, or what begins a character like it */
	u8 before_len;
	struct nf_stream *stream;
	struct nf_stream work;
};

void nf_segment_begin(struct nf_segment *segment, struct nf_stream *stream,
		      const struct nf_segment_header *header,
		      const struct nf_stream_policy *policy);
bool nf_segment_feed(struct nf_segment *segment, const void *data, u32 len);
enum nf_stream_verdict nf_segment_end(struct nf_segment *segment, struct nf_stream *stream);

void nf_stream_reach_back(struct nf_stream *stream, u32 seq);
void nf_stream_start(struct nf_stream *stream, u32 seq, bool syn, u32 now);
void nf_stream_acked(struct nf_stream *stream, u32 ack, u32 now);
void nf_stream_pass(struct nf_stream *stream, const struct nf_segment_header *header);

bool nf_is_ascii(const u8 *p, u32 len);

/* Between ooo_stream.c and ooo_segment.c. */
void nf_stream_drop_sums(struct nf_stream *stream);
void nf_stream_copy(struct nf_stream *to, const struct nf_stream *from);
u8 nf_stream_states_at(const struct nf_stream *stream, u32 seq);
u32 nf_stream_find(const struct nf_stream *stream, u32 seq);
bool nf_stream_insert(struct nf_stream *stream, const struct nf_span *span, bool ahead,
		      bool lenient);
bool nf_stream_recut(struct nf_stream *stream, const struct nf_span *span);
u8 nf_stream_settle(struct nf_stream *stream, u32 *at);

#endif /* _UTF8GUARD_NF_STREAM_H */
