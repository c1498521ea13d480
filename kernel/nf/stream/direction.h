/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a connection that is followed: by ooo_stream.c, which knows octets in
 * any order, or by inorder_stream.c, which has a parser, as the rule asks for it.
 */
#ifndef _UTF8GUARD_NF_DIRECTION_H
#define _UTF8GUARD_NF_DIRECTION_H

#include "answer.h"
#include "inorder_stream.h"

struct ugnf_rule;

/**
 * struct ugnf_direction - one direction of a connection
 * @ooo: what is known of its octets; NULL until there were any to judge, for
 *	many connections have a direction that no rule is about, and those that a
 *	flood of SYNs would make have none at all
 * @inorder: the same for rules that take a parser; one of both at most
 * @memory: of the copies that @inorder has
 * @syn: sequence number of the last SYN
 * @syn_first: and of the first one that was not answered
 * @begin: of the first octet, as the answer to the SYN said
 * @resyncs: those of @ooo or @inorder that rules have counted
 * @hook: enum utf8guard_nf_hook, where it was judged last
 * @syn_seen: there is @syn
 * @syn_many: and there were others, unanswered
 * @syn_answers: it was a SYN-ACK
 * @begun: there is @begin
 * @right_edge: after the widest window that its receiver announced
 * @right_edge_known: there is @right_edge
 * @is_changed: the rules made a gap in it, or changed the way to follow it: where it is
 *	picked up for that, nobody else has made it
 * @is_caller: it sent the first SYN; also where both ends call each other
 * @answer: what its receiver sends, while @asks
 * @rule: the last that judged it; there for sure only as long as the rules in force are of...
 * @generation: ...this number
 * @unseen: it was picked up; before this, octets may have gone by unseen
 * @is_followed: its receiver has acknowledged all before @unseen
 * @told: after the octets that were reported not to be followed
 * @was_told: there is @told
 * @asks: it has asked for another protocol, to which the answer may agree
 * @owes: octets went by as HTTP that were of another protocol, and nobody has counted it
 */
struct ugnf_direction {
	struct ugnf_ooo_stream *ooo;
	struct ugnf_inorder_stream *inorder;
	struct ugnf_memory *memory;
	u32 syn, syn_first, begin, right_edge, unseen, told;
	struct ugnf_answer answer;
	struct ugnf_rule *rule;
	u32 generation;
	u16 resyncs;
	u8 hook;
	bool syn_seen : 1, syn_many : 1, syn_answers : 1, begun : 1, right_edge_known : 1;
	bool is_changed : 1, is_caller : 1;
	bool was_told : 1, asks : 1, owes : 1, is_followed : 1;
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

/* What is known of its sequence numbers; NULL where it is not followed. */
static inline const struct ugnf_sequence *ugnf_direction_sequence(const struct ugnf_direction *dir)
{
	if (dir->ooo)
		return &dir->ooo->seq;
	return dir->inorder ? &dir->inorder->seq : NULL;
}

/*
 * Does its SYN-ACK say where it begins, until that is acknowledged? The caller has only the
 * answer to his SYN for that.
 */
static inline bool ugnf_direction_answers(const struct ugnf_direction *dir)
{
	return dir->syn_answers && !dir->is_caller;
}

#endif /* _UTF8GUARD_NF_DIRECTION_H */
