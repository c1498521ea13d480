// SPDX-License-Identifier: GPL-2.0
/*
 * What sequence numbers say about a stream and a segment, without regard to the octets. Pure C;
 * the caller serialises.
 */
#include "../../codec/codec.h"
#include "sequence.h"

/* Starts the stream anew at @seq, the first octet after a SYN (@syn) or one in the middle. */
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
 * @sequence: the stream
 * @seq: sequence number of the octet, or of an acknowledgment
 *
 * The segment at which a stream was picked up need not be the one for which the receiver waits.
 * Only an acknowledgment tells, so octets before that segment are possible until then.
 *
 * Context: any; the flow is locked.
 * Return: whether it is.
 */
bool ugnf_sequence_is_before_pick_up(const struct ugnf_sequence *sequence, u32 seq)
{
	return sequence->started && sequence->picked_up && !sequence->acked &&
	       ugnf_seq_before(seq, sequence->snd_una) &&
	       sequence->snd_una - seq <= UGNF_STREAM_WINDOW;
}

/* Moves the pick-up back to @seq: all octets that are known after it are out of order now. */
void ugnf_sequence_reach_back(struct ugnf_sequence *sequence, u32 seq)
{
	sequence->position = 0;
	sequence->snd_nxt = seq;
	sequence->snd_una = seq;
}

/**
 * ugnf_sequence_is_idle() - is there nothing to judge in a segment?
 * @sequence: its stream
 * @header: its header
 * @urgent: it announces urgent data that must be refused
 *
 * The payload of a RST is never delivered. An empty segment does not tell where a stream begins,
 * for a keep-alive has a sequence number one too low. But an urgent segment matters also when
 * it is empty: it says which octet the receiver will take out of the stream.
 *
 * Context: any; the flow is locked.
 * Return: whether there is nothing.
 */
bool ugnf_sequence_is_idle(const struct ugnf_sequence *sequence,
			   const struct ugnf_segment_header *header, bool urgent)
{
	return header->rst || (!sequence->started && !urgent && !header->len &&
			       !header->syn && !header->fin);
}

/* Can a window of the receiver be so wide that this segment is in it? */
bool ugnf_sequence_has_room(const struct ugnf_sequence *sequence,
			    const struct ugnf_segment_header *header)
{
	return header->len <= UGNF_STREAM_WINDOW &&
	       (int)(ugnf_segment_end(header) - sequence->snd_una) <= (int)UGNF_STREAM_WINDOW;
}

/* The next boundary after @at: the end of the segment, or of one of its pieces on the wire. */
u32 ugnf_sequence_boundary(const struct ugnf_segment_header *header, u32 at)
{
	u32 size = header->piece, end = ugnf_segment_end(header);

	if (!size)
		return end;
	return ugnf_seq_min(end, at + size - (at - ugnf_segment_first(header)) % size);
}

/*
 * Has the octet for which the receiver waits not been let through for UGNF_STREAM_HOLD? If a
 * stream was picked up, that octet is not known before an acknowledgment: the receiver may have
 * all octets from there on, and wait for earlier ones.
 */
bool ugnf_sequence_is_quiet(const struct ugnf_sequence *sequence, u32 now)
{
	u32 age = now - sequence->snd_una_time;

	if (sequence->picked_up && !sequence->acked)
		return false;
	return age >= UGNF_STREAM_HOLD && age < 1U << 31;
}

/**
 * ugnf_sequence_ends_well() - does a segment agree with the end of the stream?
 * @sequence: the stream; takes note of a FIN
 * @header: the header of the segment
 * @last: the number after the last octet of the stream, this segment included
 *
 * Return: false if its FIN is elsewhere than an earlier one, or if octets go on after a FIN.
 */
bool ugnf_sequence_ends_well(struct ugnf_sequence *sequence,
			     const struct ugnf_segment_header *header, u32 last)
{
	u32 end = ugnf_segment_end(header);
	/*
	 * An earlier FIN may have been let through unread. Then @fin is not known, and @snd_una is
	 * after it: it was acknowledged as if it were an octet, or the stream was picked up there.
	 * Such a FIN, sent again, ends nothing.
	 */
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

/* The segment was let through. Notes the time if it has the octet for which the receiver waits. */
void ugnf_sequence_sent(struct ugnf_sequence *sequence, const struct ugnf_segment_header *header)
{
	if (ugnf_seq_before(sequence->snd_una, ugnf_segment_end(header)) &&
	    !ugnf_seq_before(sequence->snd_una, ugnf_segment_first(header)))
		sequence->snd_una_time = header->now;
}

/* Can @ack be an acknowledgment? If it includes the FIN, @ack is set to the number of the FIN. */
bool ugnf_sequence_may_ack(const struct ugnf_sequence *sequence, u32 *ack)
{
	if (!sequence->started)
		return false;
	if (sequence->fin_known && *ack == sequence->fin + 1)
		*ack = sequence->fin;
	return !ugnf_seq_before(*ack, sequence->snd_una) &&
	       *ack - sequence->snd_una <= UGNF_STREAM_WINDOW;
}

/* Takes an acknowledgment that ugnf_sequence_may_ack() has found possible. */
void ugnf_sequence_acked(struct ugnf_sequence *sequence, u32 ack, u32 now)
{
	if (sequence->fin_known && ugnf_seq_before(sequence->fin, ack))
		sequence->fin_known = false;
	if (ack != sequence->snd_una)
		sequence->snd_una_time = now;
	sequence->acked = true;
	sequence->snd_una = ack;
}

/* The number after a segment, or @sequence->snd_nxt if that is further. */
u32 ugnf_sequence_end(const struct ugnf_sequence *sequence,
		      const struct ugnf_segment_header *header)
{
	u32 end = ugnf_segment_end(header);

	return sequence->started && ugnf_seq_before(end, sequence->snd_nxt) ? sequence->snd_nxt :
									      end;
}
