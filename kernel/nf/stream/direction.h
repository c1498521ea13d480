/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One direction of a connection that is followed: by ooo_stream.c, which knows octets in
 * any order, or by inorder_stream.c, which has a parser, as the rule asks for it.
 */
#ifndef _UTF8GUARD_NF_SIDE_H
#define _UTF8GUARD_NF_SIDE_H

#include "answer.h"
#include "inorder_stream.h"

struct nf_rule;

/**
 * struct nf_side - one direction of a connection
 * @stream: what is known of its octets; NULL until there were any to judge, for
 *	many connections have a direction that no rule is about, and those that a
 *	flood of SYNs would make have none at all
 * @reading: the same for rules that take a parser; one of both at most
 * @memory: of the copies that @reading has
 * @syn: sequence number of the last SYN
 * @syn_first: and of the first one that was not answered
 * @begin: of the first octet, as the answer to the SYN said
 * @resyncs: those of @stream or @reading that rules have counted
 * @hook: enum utf8guard_nf_hook, where it was judged last
 * @syn_seen: there is @syn
 * @syn_many: and there were others, unanswered
 * @syn_answers: it was a SYN-ACK
 * @begun: there is @begin
 * @edge: behind the widest window that its receiver announced
 * @edge_known: there is @edge
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
struct nf_side {
	struct nf_stream *stream;
	struct nf_reading *reading;
	struct nf_memory *memory;
	u32 syn, syn_first, begin, edge, unseen, told;
	struct nf_answer answer;
	struct nf_rule *rule;
	u32 generation;
	u16 resyncs;
	u8 hook;
	bool syn_seen : 1, syn_many : 1, syn_answers : 1, begun : 1, edge_known : 1;
	bool is_changed : 1, is_caller : 1;
	bool was_told : 1, asks : 1, owes : 1, is_followed : 1;
};

/* direction_cache.c, or a test in its place. */
int nf_side_cache_init(void);
void nf_side_cache_exit(void);
struct nf_stream *nf_side_new_stream(void);
struct nf_reading *nf_side_new_reading(void);
void nf_side_free_stream(struct nf_stream *stream);
void nf_side_free_reading(struct nf_reading *reading);

bool nf_side_follow(struct nf_side *side, const struct nf_scope *scope,
		    const struct nf_segment_header *header);
void nf_side_start(struct nf_side *side, u32 seq, bool syn, u32 now);
void nf_side_acked(struct nf_side *side, u32 ack, u32 now);
void nf_side_pass(struct nf_side *side, const struct nf_segment_header *header);
bool nf_side_tell(struct nf_side *side, u32 seq, u32 end);
void nf_side_switch(struct nf_side *side);
u32 nf_side_give_up(struct nf_side *side, u32 now);
void nf_side_free(struct nf_side *side);

/* What is known of its sequence numbers; NULL where it is not followed. */
static inline const struct nf_sequence *nf_side_sequence(const struct nf_side *side)
{
	if (side->stream)
		return &side->stream->seq;
	return side->reading ? &side->reading->seq : NULL;
}

/*
 * Does its SYN-ACK say where it begins, until that is acknowledged? The caller has only the
 * answer to his SYN for that.
 */
static inline bool nf_side_answers(const struct nf_side *side)
{
	return side->syn_answers && !side->is_caller;
}

#endif /* _UTF8GUARD_NF_SIDE_H */
