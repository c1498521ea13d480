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
 * struct ugnf_tcb - what is known of a connection
 * @dir: by enum ip_conntrack_dir of the sender
 * @is_multipath: both ends agreed on Multipath TCP: it cannot be followed; for good
 * @is_older: the connection may be older than the rules for streams: what it began with
 *	nobody has seen, and its streams may be picked up, until they are followed
 */
struct ugnf_tcb {
	struct ugnf_direction dir[2];
	bool is_multipath, is_older;
};

/**
 * struct ugnf_sighting - a segment, with what connection tracking knows after it
 * @header: of the segment
 * @ack: acknowledgment number, if it @has_ack
 * @window: of its sender, scaled
 * @max_end: how far the other direction may send, by what its sender announced before
 * @sent_end: how far its sender has sent
 * @direction: enum ip_conntrack_dir
 * @state: enum tcp_conntrack
 * @has_ack: it has ACK
 * @is_multipath: it has an option of Multipath TCP, and does not only ask for that
 * @is_liberal: of windows, connection tracking knows nothing for sure
 */
struct ugnf_sighting {
	const struct ugnf_segment_header *header;
	u32 ack, window, max_end, sent_end;
	u8 direction, state;
	bool has_ack, is_multipath, is_liberal;
};

/**
 * struct ugnf_admission_policy - what a rule says of segments before their octets are judged
 * @scope: the parser that its streams take, as it is at their beginning; NULL for none
 * @stream: lenient, and what of urgent data
 * @is_closed: what cannot be followed is refused
 * @refuses: what is refused does not get through; else it is marked, or all goes by
 */
struct ugnf_admission_policy {
	const struct ugnf_scope *scope;
	const struct ugnf_stream_policy *stream;
	bool is_closed, refuses;
};

/**
 * enum ugnf_admission - what is to be done with a segment
 * @UGNF_ADMIT_JUDGE: judge its octets; the direction is followed as the rule asks for it
 * @UGNF_ADMIT_EMPTY: there is nothing to judge
 * @UGNF_ADMIT_WINDOW: there is no telling where it is, or how much of it is taken
 * @UGNF_ADMIT_FULL: there is no memory to follow it
 * @UGNF_ADMIT_MIDDLE: it is in the middle of a stream that should be known
 */
enum ugnf_admission {
	UGNF_ADMIT_JUDGE,
	UGNF_ADMIT_EMPTY,
	UGNF_ADMIT_WINDOW,
	UGNF_ADMIT_FULL,
	UGNF_ADMIT_MIDDLE,
};

void ugnf_tcb_init(struct ugnf_tcb *tcb, struct ugnf_memory *memory, bool is_older);
void ugnf_tcb_observe(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting);
bool ugnf_tcb_is_complete(const struct ugnf_tcb *tcb, u8 state);
enum ugnf_admission ugnf_tcb_admit(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting,
				   const struct ugnf_admission_policy *policy);

/* handshake.c */
bool ugnf_handshake_agrees(const struct ugnf_sighting *sighting);
bool ugnf_handshake_note(struct ugnf_direction *own, const struct ugnf_direction *other,
			 const struct ugnf_sighting *sighting);
void ugnf_handshake_answer(struct ugnf_direction *other, const struct ugnf_sighting *sighting);
bool ugnf_handshake_is_in_doubt(const struct ugnf_direction *dir,
				const struct ugnf_segment_header *header);
bool ugnf_handshake_is_ambiguous(const struct ugnf_direction *dir,
				 const struct ugnf_sighting *sighting);

#endif /* _UTF8GUARD_NF_TCB_H */
