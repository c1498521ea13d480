// SPDX-License-Identifier: GPL-2.0
/*
 * One direction of a connection, as far as it is the same for both ways to follow it. Pure
 * C, but for the memory that it asks for: side_cache.c. The lock of the connection guards
 * all of it.
 *
 * Where the rules change so that the other way is asked for, or another parser, the
 * stream is picked up where it was.
 */
#include "../codec/codec.h"
#include "side.h"

void nf_side_free(struct nf_side *side)
{
	nf_side_free_stream(side->stream);
	nf_side_free_reading(side->reading);
	side->stream = NULL;
	side->reading = NULL;
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
static void start_again(struct nf_side *side, const struct nf_sequence *old, u32 now)
{
	side->is_changed = true;
	nf_side_start(side, old->next, !old->picked_up && !old->position, now);
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
	if (side->reading)
		nf_reading_init(side->reading, scope);
	return side->reading;
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
		start_again(side, nf_side_sequence(&old), header->now);
	else
		start_first(side, header);
	nf_side_free(&old);
	return true;
}
