/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a TCP connection, read in order by a parser, without keeping payload
 * but for copies of what came before its turn: for all that a rule may ask of a stream and
 * ooo_stream.c cannot tell. Pure C: no locks, no sleeping, no memory but of copies; the caller
 * serialises the calls on one stream. See inorder_stream.c for what is proved of it.
 */
#ifndef _UTF8GUARD_NF_INORDER_STREAM_H
#define _UTF8GUARD_NF_INORDER_STREAM_H

#include "../scope/scope.h"
#include "copies.h"
#include "ooo_stream.h"
#include "sums.h"

/* A packet of 64 KiB that is cut into pieces of 1448 octets has 46, and a beginning. */
#define UGNF_BOUNDARIES 48

/**
 * struct ugnf_boundary - where a segment or a piece of one begins or ends
 * @seq: sequence number of the octet after it
 * @is_hole: from here to the next boundary, nothing that was let through has arrived
 * @is_ascii: from here to the next boundary all is ASCII, which may be cut anywhere
 * @is_start: the stream was picked up here; what comes before it may be anything
 * @is_kept: of all octets from here to the next boundary there are copies, as far as they are
 *	not acknowledged
 * @sum: of the octets from here to the next boundary; 0 where it does not matter what they are
 * @scope: the parser, as it is here whatever the receiver takes
 */
struct ugnf_boundary {
	u32 seq, sum;
	bool is_hole, is_ascii, is_start, is_kept;
	struct ugnf_scope scope;
};

/* How often copies may be read and found bad, before nothing is tried any more. */
#define UGNF_FOLD_TRIES 2

/**
 * struct ugnf_misfit - copies that cannot go on from where the octets before them led to
 * @is_known: there was one
 * @cause: enum utf8guard_cause, why they cannot be followed; if it is none, they are refused
 * @tries: how often that was found
 * @at: sequence number of the first of these octets
 * @unfollowed: and of the first that is not followed
 * @scope: the parser before it
 * @error: what is wrong
 * @bytes: and @error.span octets of it
 */
struct ugnf_misfit {
	bool is_known;
	u8 cause, tries;
	u32 at, unfollowed;
	struct ugnf_scope scope;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
};

/**
 * struct ugnf_inorder_stream - how far a stream was read; begin by ugnf_inorder_init()
 * @seq: its sequence numbers
 * @copies: of octets that were let through and could not be read yet, for others before
 *	them are missing; and of what was read of these, until it is acknowledged
 * @misfit: why those copies were not read when others had come
 * @is_given_up: copies were given up that were not read yet; until all before @given_up is
 *	acknowledged, nothing new is let through
 * @given_up: the number after all octets that had been let through then
 * @initial: the parser as it is at the beginning of a stream
 * @count: number of @boundaries, one at least once the stream was started
 * @boundaries: from the last one that is not after @seq.snd_una on, sorted; the last is where
 *	octets are new
 */
struct ugnf_inorder_stream {
	struct ugnf_sequence seq;
	struct ugnf_copies copies;
	struct ugnf_misfit misfit;
	bool is_given_up;
	u32 given_up;
	struct ugnf_scope initial;
	u8 count;
	struct ugnf_boundary boundaries[UGNF_BOUNDARIES];
};

void ugnf_inorder_init(struct ugnf_inorder_stream *stream, const struct ugnf_scope *initial,
		       struct ugnf_memory *memory);
void ugnf_inorder_start(struct ugnf_inorder_stream *stream, u32 seq, bool syn, u32 now);
void ugnf_inorder_acked(struct ugnf_inorder_stream *stream, u32 ack, u32 now);
bool ugnf_inorder_asks(const struct ugnf_inorder_stream *stream);
bool ugnf_inorder_switch(struct ugnf_inorder_stream *stream);
void ugnf_inorder_pass(struct ugnf_inorder_stream *stream,
		       const struct ugnf_segment_header *header);
void ugnf_inorder_adopt(struct ugnf_inorder_stream *stream, struct ugnf_inorder_stream *from);
bool ugnf_inorder_has_unread(const struct ugnf_inorder_stream *stream);
u32 ugnf_inorder_give_up(struct ugnf_inorder_stream *stream);

/* For inorder_segment.c and the files beside it. */
void ugnf_inorder_undo(struct ugnf_inorder_stream *stream, const struct ugnf_sequence *old);
bool ugnf_inorder_reach_back(struct ugnf_inorder_stream *stream, u32 seq);
void ugnf_inorder_undo_back(struct ugnf_inorder_stream *stream, const struct ugnf_sequence *old);
int ugnf_inorder_find(const struct ugnf_inorder_stream *stream, u32 seq);
bool ugnf_inorder_at(const struct ugnf_inorder_stream *stream, u32 boundary, u32 seq,
		     struct ugnf_scope *scope);
void ugnf_inorder_lose(struct ugnf_inorder_stream *stream);
u32 ugnf_inorder_stage(struct ugnf_inorder_stream *stream, u32 staged);
void ugnf_inorder_commit(struct ugnf_inorder_stream *stream, u32 staged, u32 first, u32 end);

/* The boundary after all octets that were read. */
static inline const struct ugnf_boundary *
ugnf_inorder_last(const struct ugnf_inorder_stream *stream)
{
	return &stream->boundaries[stream->count - 1];
}

#endif /* _UTF8GUARD_NF_INORDER_STREAM_H */
