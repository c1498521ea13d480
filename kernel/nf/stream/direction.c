// SPDX-License-Identifier: GPL-2.0
/*
 * One direction of a connection, as far as it is the same for both ways to follow it. Pure
 * C, but for the memory that it asks for: direction_cache.c. The lock of the connection guards
 * all of it.
 *
 * Where the rules change so that the other way is asked for, or another parser, the
 * stream is picked up where it was.
 */
#include "../../codec/codec.h"
#include "direction.h"

/* Milliseconds after which copies are given up, where others need the memory. */
#define NF_COPY_MAX_AGE 30000

void nf_side_free(struct nf_side *side)
{
	if (side->reading)
		nf_copies_drop(&side->reading->copies);
	nf_side_free_stream(side->stream);
	nf_side_free_reading(side->reading);
	side->stream = NULL;
	side->reading = NULL;
}

/**
 * nf_side_give_up() - others need the memory of copies that are old
 * @side: of a flow that is locked
 * @now: milliseconds
 *
 * Context: any.
 * Return: how many copies there were, or 0.
 */
u32 nf_side_give_up(struct nf_side *side, u32 now)
{
	const struct nf_copy *copy = side->reading ? side->reading->copies.first : NULL;

	for (; copy; copy = copy->next)
		if (now - copy->time >= NF_COPY_MAX_AGE)
			return nf_reading_give_up(side->reading);
	return 0;
}

/* Begin at @seq: the first octet behind a SYN, or one in the middle. */
void nf_side_start(struct nf_side *side, u32 seq, bool syn, u32 now)
{
	if (side->stream)
		nf_stream_start(side->stream, seq, syn, now);
	else if (side->reading)
		nf_reading_start(side->reading, seq, syn, now);
}

/* The receiver acknowledged. */
void nf_side_acked(struct nf_side *side, u32 ack, u32 now)
{
	if (side->stream)
		nf_stream_acked(side->stream, ack, now);
	else if (side->reading)
		nf_reading_acked(side->reading, ack, now);
}

/* A segment was let through that was not judged: pick the stream up behind it. */
void nf_side_pass(struct nf_side *side, const struct nf_segment_header *header)
{
	if (side->stream)
		nf_stream_pass(side->stream, header);
	else if (side->reading)
		nf_reading_pass(side->reading, header);
}

/**
 * nf_side_tell() - octets are about to be reported not to be followed
 * @side: of a flow that is locked
 * @seq: sequence number of the first of them
 * @end: after the last, and the FIN
 *
 * Return: false if the first was reported before: the segment is sent again.
 */
bool nf_side_tell(struct nf_side *side, u32 seq, u32 end)
{
	bool is_new = !side->was_told || !nf_seq_before(seq, side->told);

	/* It may be in a copy of what came early, after the segment. */
	if (!nf_seq_before(seq, end))
		end = seq + 1;
	if (!side->was_told || nf_seq_before(side->told, end))
		side->told = end;
	side->was_told = true;
	return is_new;
}

/* Its receiver has agreed to the protocol that it asked for. */
void nf_side_switch(struct nf_side *side)
{
	if (side->reading)
		side->owes = nf_reading_switch(side->reading);
}

static bool is_followed(const struct nf_side *side, const struct nf_scope *scope)
{
	if (!scope)
		return side->stream;
	return side->reading && !memcmp(&side->reading->initial, scope, sizeof(*scope));
}

/*
 * From where the answer to the SYN said; or, before that, where the last SYN did, if it
 * carries what is to be judged, or was itself an answer.
 */
static void start_first(struct nf_side *side, const struct nf_segment_header *header)
{
	u32 now = header->now;

	if (side->begun) {
		nf_side_start(side, side->begin, true, now);
		nf_side_acked(side, side->begin, now);
	} else if (side->syn_seen && (nf_side_answers(side) || header->syn)) {
		nf_side_start(side, side->syn + 1, true, now);
	}
}

/*
 * Where it was; from its beginning, if no octet was let through. What was not acknowledged
 * may be sent again, as something else: it does not count as delivered.
 */
static void start_again(struct nf_side *side, const struct nf_side *before, u32 now)
{
	const struct nf_sequence *old = nf_side_sequence(before);
	bool is_unread = before->reading && nf_reading_has_unread(before->reading);
	bool is_beginning = !old->picked_up && !old->position && (side->reading || !is_unread);

	side->is_changed = true;
	nf_side_start(side, old->next, is_beginning, now);
	/* What was let through and not read yet is for the new parser. */
	if (side->reading && before->reading)
		nf_reading_adopt(side->reading, before->reading);
	if (old->acked)
		nf_side_acked(side, old->una, now);
}

static bool make(struct nf_side *side, const struct nf_scope *scope)
{
	if (!scope) {
		side->stream = nf_side_new_stream();
		return side->stream;
	}
	side->reading = nf_side_new_reading();
	if (!side->reading)
		return false;
	nf_reading_init(side->reading, scope, side->memory);
	return true;
}

/**
 * nf_side_follow() - follow one direction as a rule asks for it
 * @side: of a flow that is locked
 * @scope: the parser at the beginning of a stream; NULL for none
 * @header: of a segment that is to be judged
 *
 * Context: any; allocates with GFP_ATOMIC.
 * Return: false for want of memory: then all is as before.
 */
bool nf_side_follow(struct nf_side *side, const struct nf_scope *scope,
		    const struct nf_segment_header *header)
{
	struct nf_side old = *side;

	if (is_followed(side, scope))
		return true;
	side->stream = NULL;
	side->reading = NULL;
	if (!make(side, scope)) {
		*side = old;
		return false;
	}
	side->resyncs = 0;
	if (nf_side_sequence(&old) && nf_side_sequence(&old)->started)
		start_again(side, &old, header->now);
	else
		start_first(side, header);
	nf_side_free(&old);
	return true;
}
