/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Both directions of a TCP connection that is followed. Pure C, but for the memory of the
 * engines: what connection tracking knows is handed over with each segment, so that tests
 * can play connections from their first SYN on. The lock of the connection guards all.
 */
#ifndef _UTF8GUARD_NF_TCB_H
#define _UTF8GUARD_NF_TCB_H

#include "direction.h"

/**
 * struct nf_tcb - what is known of a connection
 * @side: by enum ip_conntrack_dir of the sender
 * @is_multipath: both ends agreed on Multipath TCP: it cannot be followed; for good
 * @is_older: the connection may be older than the rules for streams: what it began with
 *	nobody has seen, and its streams may be picked up, until they are followed
 */
struct nf_tcb {
	struct nf_side side[2];
	bool is_multipath, is_older;
};

/**
 * struct nf_sighting - a segment, with what connection tracking knows after it
 * @header: of the segment
 * @ack: acknowledgment number, if it @has_ack
 * @window: of its sender, scaled
 * @max_end: how far the other side may send, by what its sender announced before
 * @sent_end: how far its sender has sent
 * @direction: enum ip_conntrack_dir
 * @state: enum tcp_conntrack
 * @has_ack: it has ACK
 * @is_multipath: it has an option of Multipath TCP, and does not only ask for that
 * @is_liberal: of windows, connection tracking knows nothing for sure
 */
struct nf_sighting {
	const struct nf_segment_header *header;
	u32 ack, window, max_end, sent_end;
	u8 direction, state;
	bool has_ack, is_multipath, is_liberal;
};

/**
 * struct nf_admission_policy - what a rule says of segments before their octets are judged
 * @scope: the parser that its streams take, as it is at their beginning; NULL for none
 * @stream: lenient, and what of urgent data
 * @is_closed: what cannot be followed is refused
 * @refuses: what is refused does not get through; else it is marked, or all goes by
 */
struct nf_admission_policy {
	const struct nf_scope *scope;
	const struct nf_stream_policy *stream;
	bool is_closed, refuses;
};

/**
 * enum nf_admission - what is to be done with a segment
 * @NF_ADMIT_JUDGE: judge its octets; the side is followed as the rule asks for it
 * @NF_ADMIT_EMPTY: there is nothing to judge
 * @NF_ADMIT_WINDOW: there is no telling where it is, or how much of it is taken
 * @NF_ADMIT_FULL: there is no memory to follow it
 * @NF_ADMIT_MIDDLE: it is in the middle of a stream that should be known
 */
enum nf_admission {
	NF_ADMIT_JUDGE,
	NF_ADMIT_EMPTY,
	NF_ADMIT_WINDOW,
	NF_ADMIT_FULL,
	NF_ADMIT_MIDDLE,
};

void nf_tcb_init(struct nf_tcb *tcb, struct nf_memory *memory, bool is_older);
void nf_tcb_observe(struct nf_tcb *tcb, const struct nf_sighting *sighting);
bool nf_tcb_is_complete(const struct nf_tcb *tcb, u8 state);
enum nf_admission nf_tcb_admit(struct nf_tcb *tcb, const struct nf_sighting *sighting,
			       const struct nf_admission_policy *policy);

/* handshake.c */
bool nf_handshake_agrees(const struct nf_sighting *sighting);
bool nf_handshake_note(struct nf_side *own, const struct nf_side *other,
		       const struct nf_sighting *sighting);
void nf_handshake_answer(struct nf_side *other, const struct nf_sighting *sighting);
bool nf_handshake_is_in_doubt(const struct nf_side *side,
			      const struct nf_segment_header *header);
bool nf_handshake_is_ambiguous(const struct nf_side *side, const struct nf_sighting *sighting);

#endif /* _UTF8GUARD_NF_TCB_H */
