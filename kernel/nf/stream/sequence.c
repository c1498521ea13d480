// SPDX-License-Identifier: GPL-2.0
/*
 * What sequence numbers alone say of a stream and of a segment. None of it
 * depends on the octets. Pure C; the caller serialises.
 */
#include "../../codec/codec.h"
#include "sequence.h"

/* Start anew at @seq: the first octet behind a SYN, or one in the middle. */
void nf_sequence_start(struct nf_sequence *sequence, u32 seq, bool syn, u32 now)
{
	u16 resyncs = sequence->resyncs + !syn;

	*sequence = (struct nf_sequence) {
		.next = seq,
		.una = seq,
		.una_time = now,
		.resyncs = resyncs,
		.started = true,
		.picked_up = !syn,
	};
}

/**
 * nf_sequence_is_before_pick_up() - is an octet before where a stream was picked up?
 * @sequence: of the stream
 * @seq: of the octet, or of what is acknowledged
 *
 * Whoever sent first need not have sent what the receiver waits for. Before an
 * acknowledgment there is no telling.
 */
bool nf_sequence_is_before_pick_up(const struct nf_sequence *sequence, u32 seq)
{
	return sequence->started && sequence->picked_up && !sequence->acked &&
	       nf_seq_before(seq, sequence->una) && sequence->una - seq <= NF_STREAM_WINDOW;
}

/* So it was picked up at @seq, and what is known of octets behind that is out of order. */
void nf_sequence_reach_back(struct nf_sequence *sequence, u32 seq)
{
	sequence->position = 0;
	sequence->next = seq;
	sequence->una = seq;
}

/**
 * nf_sequence_is_idle() - is there nothing to judge in a segment?
 * @sequence: of its stream
 * @header: of the segment
 * @urgent: it announces what is to be refused
 *
 * What a RST carries is never delivered; and where a stream begins cannot be told
 * from an empty segment: a probe says one octet less. But one that is @urgent says
 * which octet the receiver is to take out, now or later.
 */
bool nf_sequence_is_idle(const struct nf_sequence *sequence,
			 const struct nf_segment_header *header, bool urgent)
{
	return header->rst || (!sequence->started && !urgent && !header->len &&
			       !header->syn && !header->fin);
}

/* Can there be a window that reaches as far as this segment? */
bool nf_sequence_has_room(const struct nf_sequence *sequence,
			  const struct nf_segment_header *header)
{
	return header->len <= NF_STREAM_WINDOW &&
	       (int)(nf_segment_behind(header) - sequence->una) <= (int)NF_STREAM_WINDOW;
}

/* Where a segment ends, or is cut up behind us, next behind the octet @at of it. */
u32 nf_sequence_cut(const struct nf_segment_header *header, u32 at)
{
	u32 size = header->piece, end = nf_segment_behind(header);

	if (!size)
		return end;
	return nf_seq_min(end, at + size - (at - nf_segment_first(header)) % size);
}

/*
 * Has nothing that the receiver asks for been on its way for so long? What it asks for
 * is not known where a stream was picked up, before an acknowledgment: it may have all
 * there, and wait for what is before it.
 */
bool nf_sequence_is_quiet(const struct nf_sequence *sequence, u32 now)
{
	u32 age = now - sequence->una_time;

	if (sequence->picked_up && !sequence->acked)
		return false;
	return age >= NF_STREAM_HOLD && age < 1U << 31;
}

/**
 * nf_sequence_ends_well() - may the stream end where a segment says, or go on to
 *	where it goes?
 * @sequence: takes note of a FIN
 * @header: of the segment
 * @last: behind the last octet of the stream that was let through
 */
bool nf_sequence_ends_well(struct nf_sequence *sequence,
			   const struct nf_segment_header *header, u32 last)
{
	u32 end = nf_segment_behind(header);
	/* The receiver has it, or may have it. It may be sent again all the same. */
	bool is_old = (sequence->acked || sequence->picked_up) &&
		      nf_seq_before(end, sequence->una);

	if (header->fin && !is_old) {
		if (sequence->fin_known && sequence->fin != end)
			return false;
		sequence->fin_known = true;
		sequence->fin = end;
	}
	return !sequence->fin_known || !nf_seq_before(sequence->fin, last);
}

/* Let through: a copy of the octet that the receiver asks for may be on its way. */
void nf_sequence_sent(struct nf_sequence *sequence, const struct nf_segment_header *header)
{
	if (nf_seq_before(sequence->una, nf_segment_behind(header)) &&
	    !nf_seq_before(sequence->una, nf_segment_first(header)))
		sequence->una_time = header->now;
}

/* Can it be an acknowledgment? That of a FIN is made that of the octets. */
bool nf_sequence_may_ack(const struct nf_sequence *sequence, u32 *ack)
{
	if (!sequence->started)
		return false;
	if (sequence->fin_known && *ack == sequence->fin + 1)
		*ack = sequence->fin;
	return !nf_seq_before(*ack, sequence->una) && *ack - sequence->una <= NF_STREAM_WINDOW;
}

/* It is one. */
void nf_sequence_acked(struct nf_sequence *sequence, u32 ack, u32 now)
{
	if (sequence->fin_known && nf_seq_before(sequence->fin, ack))
		sequence->fin_known = false;
	if (ack != sequence->una)
		sequence->una_time = now;
	sequence->acked = true;
	sequence->una = ack;
}

/* Behind a segment, or where the stream was if that is further. */
u32 nf_sequence_behind(const struct nf_sequence *sequence,
		       const struct nf_segment_header *header)
{
	u32 end = nf_segment_behind(header);

	return sequence->started && nf_seq_before(end, sequence->next) ? sequence->next : end;
}
