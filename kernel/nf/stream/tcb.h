/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Both directions of a TCP connection that is followed. Pure C, but for the memory of the
 * engines: what connection tracking knows is handed over with each segment, so that tests
 * can play connections from their first SYN on. The lock of the connection guards all.
 */
#ifndef _UTF8GUARD_NF_TCB_H
#define _UTF8GUARD_NF_TCB_H

#include <linux/netfilter/nf_conntrack_tcp.h>

#include "direction.h"

/**
 * struct ugnf_tcb - what is known of a connection
 * @dir: by enum ip_conntrack_dir of the sender
 */
struct ugnf_tcb {
	struct ugnf_direction dir[2];
};

/* Have both ends agreed on Multipath TCP? Then the connection is never followed. */
static inline bool ugnf_tcb_is_multipath(const struct ugnf_tcb *tcb)
{
	return tcb->dir[0].is_multipath || tcb->dir[1].is_multipath;
}

/**
 * ugnf_tcb_is_open() - may octets be on their way in a connection?
 * @state: enum tcp_conntrack, after a segment
 *
 * Not if connection tracking waits for the SYN-ACK or its acknowledgment, or has seen the end: what
 * comes then, and is not ignored by its receiver, belongs to a connection that begins.
 *
 * Return: whether they may.
 */
static inline bool ugnf_tcb_is_open(u8 state)
{
	return state >= TCP_CONNTRACK_ESTABLISHED && state <= TCP_CONNTRACK_LAST_ACK;
}

/**
 * struct ugnf_sighting - a segment, with what connection tracking knows after it
 * @header: the header of the segment
 * @ack: acknowledgment number, if @has_ack
 * @window: the window of its sender, scaled
 * @max_end: the number up to which the other direction may send, as its sender announced before
 * @sent_end: the number up to which its sender has sent
 * @other_end: the same of the other direction
 * @direction: enum ip_conntrack_dir
 * @state: enum tcp_conntrack
 * @has_ack: the segment has ACK
 * @is_multipath: it has an option of Multipath TCP, and is not a SYN that offers it
 * @has_other_scale: it is a SYN with another scale for windows than connection tracking knows
 * @is_liberal: connection tracking does not know the windows for sure
 */
struct ugnf_sighting {
	const struct ugnf_segment_header *header;
	u32 ack, window, max_end, sent_end, other_end;
	u8 direction, state;
	bool has_ack, is_multipath, is_liberal, has_other_scale;
};

/**
 * struct ugnf_admission_policy - the part of a rule that decides before octets are judged
 * @scope: the parser of its streams, as it is at their beginning; NULL for none
 * @stream: whether the rule is lenient, and what it does about urgent data
 * @is_closed: what cannot be followed is refused
 * @refuses: what is refused does not get through; without this, it is at most marked
 */
struct ugnf_admission_policy {
	const struct ugnf_scope *scope;
	const struct ugnf_stream_policy *stream;
	bool is_closed, refuses;
};

/**
 * enum ugnf_admission - can a segment be judged?
 * @UGNF_ADMIT_JUDGE: yes; its direction is followed by the engine that the rule asks for
 * @UGNF_ADMIT_EMPTY: it has nothing to judge
 * @UGNF_ADMIT_WINDOW: no: it is not known where it is in the stream, or how much of it the
 *	receiver takes
 * @UGNF_ADMIT_FULL: no: there is no memory to follow it
 * @UGNF_ADMIT_MIDDLE: no: it is in the middle of a stream whose beginning should be known
 */
enum ugnf_admission {
	UGNF_ADMIT_JUDGE,
	UGNF_ADMIT_EMPTY,
	UGNF_ADMIT_WINDOW,
	UGNF_ADMIT_FULL,
	UGNF_ADMIT_MIDDLE,
};

void ugnf_tcb_init(struct ugnf_tcb *tcb, struct ugnf_memory *memory, bool is_older, u8 state);
void ugnf_tcb_observe(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting);
bool ugnf_tcb_is_complete(const struct ugnf_tcb *tcb, u8 state);
enum ugnf_admission ugnf_tcb_admit(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting,
				   const struct ugnf_admission_policy *policy);

void ugnf_tcb_reset(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting);
void ugnf_tcb_stray(struct ugnf_tcb *tcb, const struct ugnf_sighting *sighting);

/* handshake.c */
bool ugnf_handshake_is_answer(const struct ugnf_direction *other,
			      const struct ugnf_sighting *sighting);
bool ugnf_handshake_agrees(const struct ugnf_direction *own, const struct ugnf_direction *other,
			   const struct ugnf_sighting *sighting);
void ugnf_handshake_learn(const struct ugnf_direction *own, struct ugnf_direction *other,
			  const struct ugnf_sighting *sighting);
bool ugnf_handshake_note(struct ugnf_direction *own, const struct ugnf_direction *other,
			 const struct ugnf_sighting *sighting);
bool ugnf_handshake_contradicts(const struct ugnf_direction *own,
				const struct ugnf_direction *other,
				const struct ugnf_sighting *sighting);
void ugnf_handshake_answer(struct ugnf_direction *own, struct ugnf_direction *other,
			   const struct ugnf_sighting *sighting);
bool ugnf_handshake_is_in_doubt(const struct ugnf_direction *dir,
				const struct ugnf_segment_header *header);
bool ugnf_handshake_is_ambiguous(const struct ugnf_direction *dir,
				 const struct ugnf_sighting *sighting);

/* ending.c */
void ugnf_ending_begin(struct ugnf_direction *own, struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting);
void ugnf_ending_begin_again(struct ugnf_direction *own, struct ugnf_direction *other,
			     const struct ugnf_sighting *sighting);
void ugnf_ending_note(struct ugnf_direction *own, struct ugnf_direction *other,
		      const struct ugnf_sighting *sighting);
void ugnf_ending_reset(struct ugnf_direction *own, struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting);
bool ugnf_ending_is_beside(const struct ugnf_direction *own, const struct ugnf_sighting *sighting);
bool ugnf_ending_is_passed(const struct ugnf_direction *own, const struct ugnf_direction *other,
			   const struct ugnf_sighting *sighting);
void ugnf_ending_ask(struct ugnf_direction *own, const struct ugnf_direction *other,
		     const struct ugnf_segment_header *header);
bool ugnf_ending_is_known(const struct ugnf_direction *dir, u32 ack);
bool ugnf_ending_is_beyond(const struct ugnf_direction *own,
			   const struct ugnf_segment_header *header);
bool ugnf_ending_is_acceptable(const struct ugnf_direction *own, const struct ugnf_direction *other,
			       const struct ugnf_sighting *sighting);
bool ugnf_ending_is_taken(const struct ugnf_direction *own, const struct ugnf_direction *other,
			  const struct ugnf_segment_header *header);
void ugnf_ending_stray(struct ugnf_direction *own, struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting);

#endif /* _UTF8GUARD_NF_TCB_H */
