/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sequence numbers of one direction of a TCP connection: where it began, how
 * far it came, what was acknowledged. Whatever judges its octets needs these.
 */
#ifndef _UTF8GUARD_NF_SEQUENCE_H
#define _UTF8GUARD_NF_SEQUENCE_H

#include <linux/utf8guard.h>

/* No window is larger: RFC 7323 section 2.3. */
#define NF_STREAM_WINDOW 0x40000000U

/* Milliseconds after which no packet is still on its way behind us. */
#define NF_STREAM_HOLD 2000

/**
 * struct nf_sequence - sequence numbers of a stream; all zero before its first segment
 * @position: octets from the beginning, or from where it was picked up, to @next
 * @next: first sequence number that was not seen in order
 * @una: first one not acknowledged; nothing before it can change any more
 * @fin: sequence number of the FIN, if @fin_known
 * @una_time: when @una moved, or the octet there was let through last
 * @resyncs: times that the state was lost: picked up, or passed in spite of all
 * @started: a segment was seen
 * @acked: an acknowledgment was seen
 * @picked_up: its SYN was not
 * @fin_known: a FIN was let through
 */
struct nf_sequence {
	u64 position;
	u32 next, una, fin, una_time;
	u16 resyncs;
	bool started : 1, acked : 1, picked_up : 1, fin_known : 1;
};

/**
 * struct nf_segment_header - of a TCP segment
 * @seq: sequence number, in host order
 * @len: octets of payload
 * @piece: octets of the segments that it will be, or was, on the wire; 0 for one
 * @now: milliseconds, from any beginning
 * @syn: SYN
 * @fin: FIN
 * @rst: RST
 * @urg: URG
 */
struct nf_segment_header {
	u32 seq, len, piece, now;
	bool syn, fin, rst, urg;
};

/* Sequence numbers wrap: RFC 9293 section 3.4. */
static inline bool nf_seq_before(u32 a, u32 b)
{
	return (int)(a - b) < 0;
}

static inline u32 nf_seq_min(u32 a, u32 b)
{
	return nf_seq_before(a, b) ? a : b;
}

/* The sequence number of its first octet, and of the one behind its last. */
static inline u32 nf_segment_first(const struct nf_segment_header *header)
{
	return header->seq + header->syn;
}

static inline u32 nf_segment_behind(const struct nf_segment_header *header)
{
	return nf_segment_first(header) + header->len;
}

/* The offset in the stream of a sequence number near what is in order. */
static inline u64 nf_sequence_position(const struct nf_sequence *sequence, u32 seq)
{
	return sequence->position + (u64)(long long)(int)(seq - sequence->next);
}

void nf_sequence_start(struct nf_sequence *sequence, u32 seq, bool syn, u32 now);
bool nf_sequence_is_before_pick_up(const struct nf_sequence *sequence, u32 seq);
void nf_sequence_reach_back(struct nf_sequence *sequence, u32 seq);
bool nf_sequence_is_idle(const struct nf_sequence *sequence,
			 const struct nf_segment_header *header, bool urgent);
bool nf_sequence_has_room(const struct nf_sequence *sequence,
			  const struct nf_segment_header *header);
u32 nf_sequence_cut(const struct nf_segment_header *header, u32 at);
bool nf_sequence_is_quiet(const struct nf_sequence *sequence, u32 now);
bool nf_sequence_ends_well(struct nf_sequence *sequence,
			   const struct nf_segment_header *header, u32 last);
void nf_sequence_sent(struct nf_sequence *sequence, const struct nf_segment_header *header);
bool nf_sequence_may_ack(const struct nf_sequence *sequence, u32 *ack);
void nf_sequence_acked(struct nf_sequence *sequence, u32 ack, u32 now);
u32 nf_sequence_behind(const struct nf_sequence *sequence,
		       const struct nf_segment_header *header);

#endif /* _UTF8GUARD_NF_SEQUENCE_H */
