/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a TCP connection, read in order by a parser, without keeping
 * payload: for all that a rule may ask of a stream and stream.c cannot tell. Pure C:
 * no locks, no allocation, no sleeping; the caller serialises the calls on one
 * reading. See reading.c for what is proved of it.
 */
#ifndef _UTF8GUARD_NF_READING_H
#define _UTF8GUARD_NF_READING_H

#include "scope.h"
#include "stream.h"

/* A packet of 64 KiB that is cut into pieces of 1448 octets has 46, and a beginning. */
#define NF_CUTS 48

/**
 * struct nf_cut - where a segment or a piece of one begins or ends
 * @seq: sequence number of the octet behind it
 * @is_hole: from here to the next cut, nothing that was let through has arrived
 * @is_ascii: from here to the next cut all is ASCII, which may be cut anywhere
 * @is_start: the stream was picked up here; what comes before it may be anything
 * @scope: the parser, as it is here whatever the receiver takes
 */
struct nf_cut {
	u32 seq;
	bool is_hole, is_ascii, is_start;
	struct nf_scope scope;
};

/**
 * struct nf_reading - how far a stream was read; begin by nf_reading_init()
 * @seq: its sequence numbers
 * @initial: the parser as it is at the beginning of a stream
 * @count: number of @cuts, one at least once the stream was started
 * @cuts: from the last one that is not behind @seq.una on, sorted; the last is where
 *	octets are new
 */
struct nf_reading {
	struct nf_sequence seq;
	struct nf_scope initial;
	u8 count;
	struct nf_cut cuts[NF_CUTS];
};

/* How a stretch of a segment is read; passage.c. */
enum nf_stretch {
	NF_STRETCH_NEW,		/* from the parser before it */
	NF_STRETCH_OLD,		/* and to where it led the first time */
	NF_STRETCH_RECUT,	/* instead of what was never received */
	NF_STRETCH_ALONE,	/* against nothing */
	NF_STRETCH_DELIVERED,	/* not at all: the receiver has it */
};

/**
 * struct nf_passage - a segment that is being read; for the stack, 250 octets
 * @verdict: so far
 * @error: on NF_STREAM_ILL_FORMED what is wrong; its offset is from the beginning
 *	of the stream
 * @bytes: and @error.span octets of it, as far as they were at hand
 * @fault: offset in the payload of the octet that was refused
 * @is_recut: it took the place of octets that were never received
 * @is_binary: some of it was no text
 *
 * All else is private. The cuts that it makes are behind those of @reading.
 */
struct nf_passage {
	enum nf_stream_verdict verdict;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
	u32 fault;
	bool is_recut, is_binary;

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
	bool is_known;		/* @scope is what it is at @at */
	bool is_ascii;		/* the stretch, so far */
	bool is_unfollowed;	/* some of it */
	bool is_lost;		/* and all behind it */
	u8 before[UTF8GUARD_MAX_SPAN - 1];	/* the last octets */
	u8 before_len;
	struct nf_scope scope;
};

void nf_passage_begin(struct nf_passage *passage, struct nf_reading *reading,
		      const struct nf_segment_header *header,
		      const struct nf_stream_policy *policy);
bool nf_passage_feed(struct nf_passage *passage, const void *data, u32 len);
enum nf_stream_verdict nf_passage_end(struct nf_passage *passage);

void nf_reading_init(struct nf_reading *reading, const struct nf_scope *initial);
void nf_reading_start(struct nf_reading *reading, u32 seq, bool syn, u32 now);
void nf_reading_acked(struct nf_reading *reading, u32 ack, u32 now);
void nf_reading_pass(struct nf_reading *reading, const struct nf_segment_header *header);

/* Between reading.c and passage.c. */
void nf_reading_undo(struct nf_reading *reading, const struct nf_sequence *old);
bool nf_reading_reach_back(struct nf_reading *reading, u32 seq);
void nf_reading_undo_back(struct nf_reading *reading, const struct nf_sequence *old);
int nf_reading_find(const struct nf_reading *reading, u32 seq);
bool nf_reading_at(const struct nf_reading *reading, u32 cut, u32 seq, struct nf_scope *scope);
void nf_reading_lose(struct nf_reading *reading);
u32 nf_reading_stage(struct nf_reading *reading, u32 staged);
void nf_reading_commit(struct nf_reading *reading, u32 staged, u32 first, u32 end);

/* The cut behind all octets that were let through. */
static inline const struct nf_cut *nf_reading_last(const struct nf_reading *reading)
{
	return &reading->cuts[reading->count - 1];
}

#endif /* _UTF8GUARD_NF_READING_H */
