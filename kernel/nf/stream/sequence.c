// SPDX-License-Identifier: GPL-2.0
/*
 * What sequence numbers alone say of a stream and of a segment. None of it
 * depends on the octets. Pure C; the caller serialises.
 */
#include "../../codec/codec.h"
#include "sequence.h"

/* The stream starts anew at @seq, the first octet after a SYN (@syn) or one in the middle. */
void ugnf_sequence_start(struct ugnf_sequence *sequence, u32 seq, bool syn, u32 now)
{
	u16 resyncs = sequence->resyncs + !syn;

	*sequence = (struct ugnf_sequence) {
		.snd_nxt = seq,
		.snd_una = seq,
		.snd_una_time = now,
		.resyncs = resyncs,
		.started = true,
		.picked_up = !syn,
	};
}

/**
 * ugnf_sequence_is_before_pick_up() - is an octet before where a stream was picked up?
 * @sequence: of the stream
 * @seq: of the octet, or of what is acknowledged
 *
 * Whoever sent first need not have sent what the receiver waits for. Before an
 * acknowledgment there is no telling.
 */
bool ugnf_sequence_is_before_pick_up(const struct ugnf_sequence *sequence, u32 seq)
{
	return sequence->started && sequence->picked_up && !sequence->acked &&
	       ugnf_seq_before(seq, sequence->snd_una) &&
	       sequence->snd_una - seq <= UGNF_STREAM_WINDOW;
}

/* The stream was picked up at @seq instead: octets that are known after it are out of order. */
void ugnf_sequence_reach_back(struct ugnf_sequence *sequence, u32 seq)
{
	sequence->position = 0;
	sequence->snd_nxt = seq;
	sequence->snd_una = seq;
}

/**
 * ugnf_sequence_is_idle() - is there nothing to judge in a segment?
 * @sequence: of its stream
 * @header: of the segment
 * @urgent: it announces what is to be refused
 *
 * What a RST carries is never delivered; and where a stream begins cannot be told
 * from an empty segment: a probe says one octet less. But one that is @urgent says
 * which octet the receiver is to take out, now or later.
 */
bool ugnf_sequence_is_idle(const struct ugnf_sequence *sequence,
			   const struct ugnf_segment_header *header, bool urgent)
{
	return header->rst || (!sequence->started && !urgent && !header->len &&
			       !header->syn && !header->fin);
}

/* Can there be a window that reaches as far as this segment? */
bool ugnf_sequence_has_room(const struct ugnf_sequence *sequence,
			    const struct ugnf_segment_header *header)
{
	return header->len <= UGNF_STREAM_WINDOW &&
	       (int)(ugnf_segment_end(header) - sequence->snd_una) <= (int)UGNF_STREAM_WINDOW;
}

/* The next boundary after the octet @at: where the segment ends, or one of it on the wire. */
u32 ugnf_sequence_boundary(const struct ugnf_segment_header *header, u32 at)
{
	u32 size = header->piece, end = ugnf_segment_end(header);

	if (!size)
		return end;
	return ugnf_seq_min(end, at + size - (at - ugnf_segment_first(header)) % size);
}

/*
 * Was nothing that the receiver asks for let through for UGNF_STREAM_HOLD? Where a stream was
 * picked up, what it asks for is not known before an acknowledgment: the receiver may have all
 * octets there, and wait for those before them.
 */
bool ugnf_sequence_is_quiet(const struct ugnf_sequence *sequence, u32 now)
{
	u32 age = now - sequence->snd_una_time;

	if (sequence->picked_up && !sequence->acked)
		return false;
	return age >= UGNF_STREAM_HOLD && age < 1U << 31;
}

/**
 * ugnf_sequence_ends_well() - may the stream end where a segment says, or go on to
 *	where it goes?
 * @sequence: takes note of a FIN
 * @header: of the segment
 * @last: after the last octet of the stream that was let through
 */
bool ugnf_sequence_ends_well(struct ugnf_sequence *sequence,
			     const struct ugnf_segment_header *header, u32 last)
{
	u32 end = ugnf_segment_end(header);
	/* The receiver has the end of the segment, or may have it: a FIN there is sent again. */
	bool is_old = (sequence->acked || sequence->picked_up) &&
		      ugnf_seq_before(end, sequence->snd_una);

	if (header->fin && !is_old) {
		if (sequence->fin_known && sequence->fin != end)
			return false;
		sequence->fin_known = true;
		sequence->fin = end;
	}
	return !sequence->fin_known || !ugnf_seq_before(sequence->fin, last);
}

/* The segment was let through: if it has the octet asked for, that is on its way from now. */
void ugnf_sequence_sent(struct ugnf_sequence *sequence, const struct ugnf_segment_header *header)
{
	if (ugnf_seq_before(sequence->snd_una, ugnf_segment_end(header)) &&
	    !ugnf_seq_before(sequence->snd_una, ugnf_segment_first(header)))
		sequence->snd_una_time = header->now;
}

/* Can @ack be an acknowledgment? If it is that of a FIN, @ack is set to that of the octets. */
bool ugnf_sequence_may_ack(const struct ugnf_sequence *sequence, u32 *ack)
{
	if (!sequence->started)
		return false;
	if (sequence->fin_known && *ack == sequence->fin + 1)
		*ack = sequence->fin;
	return !ugnf_seq_before(*ack, sequence->snd_una) &&
	       *ack - sequence->snd_una <= UGNF_STREAM_WINDOW;
}

/* The receiver has acknowledged up to @ack, which ugnf_sequence_may_ack() has let pass. */
void ugnf_sequence_acked(struct ugnf_sequence *sequence, u32 ack, u32 now)
{
	if (sequence->fin_known && ugnf_seq_before(sequence->fin, ack))
		sequence->fin_known = false;
	if (ack != sequence->snd_una)
		sequence->snd_una_time = now;
	sequence->acked = true;
	sequence->snd_una = ack;
}

/* The octet after a segment, or snd_nxt if that is further. */
u32 ugnf_sequence_end(const struct ugnf_sequence *sequence,
		      const struct ugnf_segment_header *header)
{
	u32 end = ugnf_segment_end(header);

	return sequence->started && ugnf_seq_before(end, sequence->snd_nxt) ? sequence->snd_nxt :
									      end;
}
