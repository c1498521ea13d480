/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a TCP connection, read in order by a parser, without keeping payload
 * but for copies of what came before its turn: for all that a rule may ask of a stream and
 * ooo_stream.c cannot tell. Pure C: no locks, no sleeping, no memory but of copies; the caller
 * serialises the calls on one reading. See inorder_stream.c for what is proved of it.
 */
#ifndef _UTF8GUARD_NF_READING_H
#define _UTF8GUARD_NF_READING_H

#include "../scope/scope.h"
#include "copies.h"
#include "ooo_stream.h"
#include "sums.h"

/* A packet of 64 KiB that is cut into pieces of 1448 octets has 46, and a beginning. */
#define NF_CUTS 48

/**
 * struct nf_cut - where a segment or a piece of one begins or ends
 * @seq: sequence number of the octet behind it
 * @is_hole: from here to the next cut, nothing that was let through has arrived
 * @is_ascii: from here to the next cut all is ASCII, which may be cut anywhere
 * @is_start: the stream was picked up here; what comes before it may be anything
 * @is_kept: of all octets from here to the next cut there are copies, as far as they are
 *	not acknowledged
 * @sum: of the octets from here to the next cut; 0 where it does not matter what they are
 * @scope: the parser, as it is here whatever the receiver takes
 */
struct nf_cut {
	u32 seq, sum;
	bool is_hole, is_ascii, is_start, is_kept;
	struct nf_scope scope;
};

/* How often copies may be read and found bad, before nothing is tried any more. */
#define NF_FOLD_TRIES 2

/**
 * struct nf_misfit - copies that cannot go on from where the octets before them led to
 * @is_known: there was one
 * @cause: enum utf8guard_cause, why they cannot be followed; if it is none, they are refused
 * @tries: how often that was found
 * @at: sequence number of the first of these octets
 * @unfollowed: and of the first that is not followed
 * @scope: the parser before it
 * @error: what is wrong
 * @bytes: and @error.span octets of it
 */
struct nf_misfit {
	bool is_known;
	u8 cause, tries;
	u32 at, unfollowed;
	struct nf_scope scope;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
};

/**
 * struct nf_reading - how far a stream was read; begin by nf_reading_init()
 * @seq: its sequence numbers
 * @copies: of octets that were let through and could not be read yet, for others before
 *	them are missing; and of what was read of these, until it is acknowledged
 * @misfit: why those copies were not read when others had come
 * @is_given_up: copies were taken from it that were not read; before @given_up nothing
 *	more is let through
 * @given_up: after all octets that were let through then
 * @initial: the parser as it is at the beginning of a stream
 * @count: number of @cuts, one at least once the stream was started
 * @cuts: from the last one that is not behind @seq.una on, sorted; the last is where
 *	octets are new
 */
struct nf_reading {
	struct nf_sequence seq;
	struct nf_copies copies;
	struct nf_misfit misfit;
	bool is_given_up;
	u32 given_up;
	struct nf_scope initial;
	u8 count;
	struct nf_cut cuts[NF_CUTS];
};

/* How a stretch of a segment is read; inorder_segment.c. */
enum nf_stretch {
	NF_STRETCH_NEW,		/* from the parser before it */
	NF_STRETCH_OLD,		/* the same octets, to where they led the first time */
	NF_STRETCH_RECUT,	/* instead of what was never received */
	NF_STRETCH_ALONE,	/* against nothing */
	NF_STRETCH_DELIVERED,	/* not at all: the receiver has it */
	NF_STRETCH_SAME,	/* not at all: it must be what the copies are */
	NF_STRETCH_EARLY,	/* others before it are missing: copied, to be read later */
};

/**
 * struct nf_passage - a segment that is being read; for the stack
 * @verdict: so far
 * @error: on NF_STREAM_ILL_FORMED what is wrong; its offset is from the beginning
 *	of the stream
 * @bytes: and @error.span octets of it, as far as they were at hand
 * @fault: offset in the payload of the octet that was refused
 * @cause: enum utf8guard_cause, on NF_STREAM_UNFOLLOWED; @error.offset is that of...
 * @unfollowed: ...the first octet that is not followed: its sequence number
 * @is_recut: it took the place of octets that were never received
 * @is_binary: some of it was no text
 * @is_early: it was let through before others that must be read first
 *
 * All else is private. The cuts that it makes are behind those of @reading.
 */
struct nf_passage {
	enum nf_stream_verdict verdict;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
	u32 fault;
	u8 cause;
	u32 unfollowed;
	bool is_recut, is_binary, is_early;

	struct nf_reading *reading;
	const struct nf_stream_policy *policy;
	const struct nf_segment_header *header;
	u32 first, at, end;	/* of the payload, as sequence numbers */
	u32 from, to;		/* of the stretch */
	enum nf_stretch stretch;
	u8 cut;			/* the last one that is not behind the stretch */
	u8 staged;		/* cuts made */
	bool is_idle;		/* nothing to be read */
	bool is_beginning;	/* the reading begins with it, unless it is refused... */
	bool is_reaching_back;	/* ...or reaches back before all that is known, likewise... */
	struct nf_sequence old;	/* ...then it is this again */
	struct nf_copies copies;	/* made of it */
	struct nf_copy *near;	/* the copy that was looked at last */
	bool is_copying;	/* the stretch is copied, or compared with copies */
	bool is_short;		/* there is no memory for more */
	bool is_folded;		/* copies after it were read */
	bool is_known;		/* @scope is what it is at @at */
	bool is_ascii;		/* the stretch, so far... */
	bool is_tail;		/* ...has nothing but continuation octets, read again */
	bool is_lost;		/* and all behind it */
	bool is_summed;		/* @sum is made of the stretch */
	bool is_any;		/* or there is none, for the octets do not matter */
	struct nf_sum sum;
	u32 recut;		/* where what took the place of others begins, and its sum */
	u32 recut_sum;
	u8 before[UTF8GUARD_MAX_SPAN - 1];	/* the last octets */
	u8 before_len;
	struct nf_scope scope;
};

void nf_passage_begin(struct nf_passage *passage, struct nf_reading *reading,
		      const struct nf_segment_header *header,
		      const struct nf_stream_policy *policy);
bool nf_passage_feed(struct nf_passage *passage, const void *data, u32 len);
enum nf_stream_verdict nf_passage_end(struct nf_passage *passage);

void nf_reading_init(struct nf_reading *reading, const struct nf_scope *initial,
		     struct nf_memory *memory);
void nf_reading_start(struct nf_reading *reading, u32 seq, bool syn, u32 now);
void nf_reading_acked(struct nf_reading *reading, u32 ack, u32 now);
bool nf_reading_asks(const struct nf_reading *reading);
bool nf_reading_switch(struct nf_reading *reading);
void nf_reading_pass(struct nf_reading *reading, const struct nf_segment_header *header);
void nf_reading_adopt(struct nf_reading *reading, struct nf_reading *from);
bool nf_reading_has_unread(const struct nf_reading *reading);
u32 nf_reading_give_up(struct nf_reading *reading);

/* Between inorder_stream.c and inorder_segment.c. */
void nf_reading_undo(struct nf_reading *reading, const struct nf_sequence *old);
bool nf_reading_reach_back(struct nf_reading *reading, u32 seq);
void nf_reading_undo_back(struct nf_reading *reading, const struct nf_sequence *old);
int nf_reading_find(const struct nf_reading *reading, u32 seq);
bool nf_reading_at(const struct nf_reading *reading, u32 cut, u32 seq, struct nf_scope *scope);
void nf_reading_lose(struct nf_reading *reading);
u32 nf_reading_stage(struct nf_reading *reading, u32 staged);
void nf_reading_commit(struct nf_reading *reading, u32 staged, u32 first, u32 end);

/* The cut behind all octets that were read. */
static inline const struct nf_cut *nf_reading_last(const struct nf_reading *reading)
{
	return &reading->cuts[reading->count - 1];
}

#endif /* _UTF8GUARD_NF_READING_H */
