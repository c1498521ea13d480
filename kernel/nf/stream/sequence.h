/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sequence numbers of one direction of a TCP connection: where it began, how far it has come,
 * and what was acknowledged. Both engines need them.
 */
#ifndef _UTF8GUARD_NF_SEQUENCE_H
#define _UTF8GUARD_NF_SEQUENCE_H

#include <linux/utf8guard.h>

/* No window is larger: RFC 7323 section 2.3. */
#define UGNF_STREAM_WINDOW 0x40000000U

/* After so many milliseconds, no packet that was let through is still on its way. */
#define UGNF_STREAM_HOLD 2000

/**
 * struct ugnf_sequence - sequence numbers of a stream; all zero before its first segment
 * @position: the number of octets from the beginning, or from the pick-up, to @snd_nxt
 * @snd_nxt: the first number that was not seen in order
 * @snd_una: the first number that was not acknowledged; octets before it are final
 * @fin: the number of the FIN, if @fin_known
 * @snd_una_time: when @snd_una moved, or when the octet there was let through last
 * @resyncs: how often the state was lost, because the stream was picked up
 * @started: a segment was seen
 * @acked: an acknowledgment was seen
 * @picked_up: the SYN was not seen
 * @fin_known: a FIN was let through
 */
struct ugnf_sequence {
	u64 position;
	u32 snd_nxt, snd_una, fin, snd_una_time;
	u16 resyncs;
	bool started : 1, acked : 1, picked_up : 1, fin_known : 1;
};

/**
 * struct ugnf_segment_header - what the engines have to know of the header of a TCP segment
 * @seq: sequence number, in host order
 * @len: length of the payload
 * @piece: length of its pieces on the wire, for GSO and GRO; 0 where it is one piece
 * @now: the time, in milliseconds
 * @syn: SYN
 * @fin: FIN
 * @rst: RST
 * @urg: URG
 */
struct ugnf_segment_header {
	u32 seq, len, piece, now;
	bool syn, fin, rst, urg;
};

/* Sequence numbers wrap: RFC 9293 section 3.4. */
static inline bool ugnf_seq_before(u32 a, u32 b)
{
	return (int)(a - b) < 0;
}

static inline u32 ugnf_seq_min(u32 a, u32 b)
{
	return ugnf_seq_before(a, b) ? a : b;
}

/* The sequence number of the first octet of a segment, and the one after its last octet. */
static inline u32 ugnf_segment_first(const struct ugnf_segment_header *header)
{
	return header->seq + header->syn;
}

static inline u32 ugnf_segment_end(const struct ugnf_segment_header *header)
{
	return ugnf_segment_first(header) + header->len;
}

/*
 * Is it a SYN or a reset that is to be divided? Each piece is one then, with a number of its own,
 * and may arrive without the others. No TCP sends such a segment; who says himself how a host is
 * to divide it can, as a virtual machine.
 */
static inline bool ugnf_segment_is_multiple(const struct ugnf_segment_header *header)
{
	return (header->syn || header->rst) && header->piece && header->piece < header->len;
}

/* The offset in the stream of a sequence number that is near @snd_nxt. */
static inline u64 ugnf_sequence_position(const struct ugnf_sequence *sequence, u32 seq)
{
	return sequence->position + (u64)(long long)(int)(seq - sequence->snd_nxt);
}

void ugnf_sequence_start(struct ugnf_sequence *sequence, u32 seq, bool syn, u32 now);
bool ugnf_sequence_is_before_pick_up(const struct ugnf_sequence *sequence, u32 seq);
void ugnf_sequence_reach_back(struct ugnf_sequence *sequence, u32 seq);
bool ugnf_sequence_is_idle(const struct ugnf_sequence *sequence,
			   const struct ugnf_segment_header *header, bool urgent);
bool ugnf_sequence_has_room(const struct ugnf_sequence *sequence,
			    const struct ugnf_segment_header *header);
u32 ugnf_sequence_boundary(const struct ugnf_segment_header *header, u32 at);
bool ugnf_sequence_is_quiet(const struct ugnf_sequence *sequence, u32 now);
bool ugnf_sequence_ends_well(struct ugnf_sequence *sequence,
			     const struct ugnf_segment_header *header, u32 last);
void ugnf_sequence_sent(struct ugnf_sequence *sequence, const struct ugnf_segment_header *header);
bool ugnf_sequence_may_ack(const struct ugnf_sequence *sequence, u32 *ack);
void ugnf_sequence_acked(struct ugnf_sequence *sequence, u32 ack, u32 now);
u32 ugnf_sequence_end(const struct ugnf_sequence *sequence,
		      const struct ugnf_segment_header *header);

#endif /* _UTF8GUARD_NF_SEQUENCE_H */
