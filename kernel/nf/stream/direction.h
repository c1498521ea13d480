/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a connection. It is followed by the engine that its rule asks for: that of
 * ooo_stream.c, which takes octets in any order, or that of inorder_stream.c, which has a parser.
 */
#ifndef _UTF8GUARD_NF_DIRECTION_H
#define _UTF8GUARD_NF_DIRECTION_H

#include "answer.h"
#include "inorder_stream.h"

struct ugnf_rule;

/**
 * struct ugnf_direction - one direction of a connection
 * @ooo: the engine for octets in any order. NULL until there are octets to judge: in many
 *	connections no rule is for one of the directions, and in a flood of SYNs for none
 * @inorder: the engine that reads in order; at most one of the two is there
 * @memory: memory for the copies of @inorder
 * @syn: sequence number of the last SYN
 * @syn_len: how many octets the last SYN had
 * @syn_first: sequence number of the first SYN that was not answered
 * @begin: sequence number of the first octet, which the answer to the SYN told
 * @answered: the first octet that the receiver may send, by the last SYN-ACK that told @begin
 * @sent_end: the highest number after a segment of its sender
 * @acked_end: the highest number that its receiver has acknowledged
 * @fin_end: the lowest number after a FIN
 * @taken_at: when its receiver took octets last, or sent a FIN, in milliseconds
 * @asked_end: the number after what its receiver may answer by a reset, once that has sent a FIN
 * @asked_at: when that was sent, or the FIN, or what made @is_elsewhere true, in milliseconds
 * @resyncs: the resyncs of the engine that were counted by rules
 * @hook: enum utf8guard_nf_hook, at which the stream was judged last
 * @is_older: the connection may be older than the rules for streams, so that its beginning was
 *	not seen: the stream may be picked up until it is followed
 * @is_multipath: a segment of its sender has shown that both ends agreed on Multipath TCP
 * @syn_seen: @syn is valid
 * @syn_many: there were other SYNs that were not answered
 * @syn_answers: the last SYN was a SYN-ACK
 * @calls: a SYN that was no SYN-ACK was sent, and nothing after its answer
 * @was_called_back: a SYN-ACK has answered that SYN
 * @has_called: such a SYN has begun the connection
 * @went_on: its sender did not wait for that
 * @has_other_scale: its sender has sent several SYNs, or one that was not seen: the scale of his
 *	windows may be that of another than connection tracking knows. Stays true in the next
 *	connections
 * @has_answered_anew: its sender has answered a SYN by several SYN-ACKs with different numbers, as
 *	with SYN cookies: its connection may be that of any one, whatever @acked_end says
 * @begun: @begin is valid
 * @is_denied: a SYN-ACK of its receiver has told another beginning than a known SYN, so that is not
 *	where a SYN-ACK of its sender says
 * @was_answered: @answered is valid
 * @has_sent: @sent_end is valid
 * @was_acked: @acked_end is valid
 * @has_fin: @fin_end is valid
 * @has_closed: a FIN was let through to the engine
 * @is_over: the receiver may have forgotten the connection
 * @is_taken: its receiver has acknowledged octets, by a segment after all that it had sent before:
 *	so it has the known connection, or another one with higher numbers
 * @is_elsewhere: its sender has acknowledged another SYN-ACK than the known one, or sent one with
 *	another number than the known beginning, so the receiver may have another connection
 * @right_edge: the highest right edge of a window that the receiver announced; forgotten where
 *	connection tracking is liberal
 * @right_edge_known: @right_edge is valid
 * @is_edge_capped: the SYN-ACK of the receiver announced as much as it can, so it may take more
 * @is_changed: a change of the rules made a gap, or changed the engine or the parser. If the
 *	stream is picked up then, its sender has not brought that about
 * @is_caller: its sender sent the first SYN of the connection; also where both ends call
 * @answer: the search in what its receiver sends, while @asks
 * @generation: generation of the rules
 * @rule: the rule that judged last; valid only while the rules in force have @generation
 * @unseen: the stream was picked up: octets before this number may have gone by unseen
 * @is_followed: its receiver has acknowledged everything before @unseen
 * @told: the number after the octets that were last reported as not followed
 * @was_told: @told is valid
 * @asks: its sender has asked for another protocol, and the answer may agree
 * @owes: octets of another protocol were judged as HTTP, and no rule has counted that yet
 */
struct ugnf_direction {
	struct ugnf_ooo_stream *ooo;
	struct ugnf_inorder_stream *inorder;
	struct ugnf_memory *memory;
	u32 syn, syn_first, begin, answered, right_edge, unseen, told;
	u32 sent_end, acked_end, fin_end, taken_at, asked_end, asked_at;
	struct ugnf_answer answer;
	u32 generation;
	struct ugnf_rule *rule;
	u16 resyncs, syn_len;
	u8 hook : 3;
	bool is_older : 1, is_multipath : 1;
	bool syn_seen : 1, syn_many : 1, syn_answers : 1, begun : 1, right_edge_known : 1;
	bool is_changed : 1, is_caller : 1, was_answered : 1;
	bool has_sent : 1, was_acked : 1, has_fin : 1, is_over : 1;
	bool was_told : 1, asks : 1, owes : 1, is_followed : 1;
	bool calls : 1, was_called_back : 1, went_on : 1, has_called : 1;
	bool has_other_scale : 1, has_answered_anew : 1, is_edge_capped : 1;
	bool has_closed : 1, is_elsewhere : 1, is_taken : 1, is_denied : 1;
};

/* direction_cache.c, or a test in its place. */
int ugnf_direction_cache_init(void);
void ugnf_direction_cache_exit(void);
struct ugnf_ooo_stream *ugnf_direction_new_ooo(void);
struct ugnf_inorder_stream *ugnf_direction_new_inorder(void);
void ugnf_direction_free_ooo(struct ugnf_ooo_stream *stream);
void ugnf_direction_free_inorder(struct ugnf_inorder_stream *inorder);

bool ugnf_direction_follow(struct ugnf_direction *dir, const struct ugnf_scope *scope,
			   const struct ugnf_segment_header *header);
void ugnf_direction_start(struct ugnf_direction *dir, u32 seq, bool syn, u32 now);
void ugnf_direction_acked(struct ugnf_direction *dir, u32 ack, u32 now);
void ugnf_direction_pass(struct ugnf_direction *dir, const struct ugnf_segment_header *header);
bool ugnf_direction_tell(struct ugnf_direction *dir, u32 seq, u32 end);
void ugnf_direction_switch(struct ugnf_direction *dir);
u32 ugnf_direction_give_up(struct ugnf_direction *dir, u32 now);
void ugnf_direction_free(struct ugnf_direction *dir);

/* The sequence numbers of the engine; NULL where there is none. */
static inline const struct ugnf_sequence *ugnf_direction_sequence(const struct ugnf_direction *dir)
{
	if (dir->ooo)
		return &dir->ooo->seq;
	return dir->inorder ? &dir->inorder->seq : NULL;
}

/*
 * May a SYN-ACK of its sender say where the stream begins, before it is acknowledged? Not for the
 * caller: the answer to his SYN says that.
 */
static inline bool ugnf_direction_answers(const struct ugnf_direction *dir)
{
	return dir->syn_answers && !dir->is_caller && !dir->is_denied;
}

/* Has the receiver acknowledged octets that were followed from their true beginning on? */
static inline bool ugnf_direction_is_received(const struct ugnf_direction *dir)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	return seq && seq->started && !seq->picked_up && dir->begun && seq->snd_una != dir->begin;
}

#endif /* _UTF8GUARD_NF_DIRECTION_H */
