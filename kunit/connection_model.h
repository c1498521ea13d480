/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A connection from its first SYN on: a server as Linux is one, connection tracking by its
 * table of states, and between them the code that follows connections. The server delivers
 * what is in order; what comes too early it keeps, or throws away. Windows are as wide as can
 * be, and connection tracking takes every number: what it would refuse, is judged here, too.
 */
#ifndef _UTF8GUARD_KUNIT_CONNECTION_MODEL_H
#define _UTF8GUARD_KUNIT_CONNECTION_MODEL_H

#include <linux/netfilter/nf_conntrack_tcp.h>

#include "../kernel/codec/codec.h"
#include "../kernel/nf/stream/tcb.h"
#include "sample.h"
#include "stream_memory.h"

#define WIRE_TEXT 4096
#define WIRE_EARLY 32
#define WIRE_INVALID TCP_CONNTRACK_MAX
#define WIRE_IGNORED TCP_CONNTRACK_IGNORE

enum wire_end { WIRE_CLIENT, WIRE_SERVER };
enum wire_server { WIRE_LISTEN, WIRE_SYN_RECEIVED, WIRE_CONNECTED };

struct wire_segment {
	u32 seq, ack, len;
	bool syn, has_ack, rst, fin;
	const u8 *text;
};

struct wire {
	u64 odds;
	u32 now;
	/* The server. */
	enum wire_server server;
	u32 irs, iss, rcv_nxt, delivered;
	bool takes_early;	/* RFC 7413 */
	u8 text[WIRE_TEXT];
	bool keeps_early, is_early[WIRE_EARLY];	/* by their distance from @rcv_nxt */
	u8 early[WIRE_EARLY];
	bool has_answered;
	struct wire_segment answer;
	/* Connection tracking. */
	u8 state, caller;
	bool is_tracked, is_confirmed, has_ignored;
	u32 ignored_end;
	u8 ignored_from;
	/* What is tested. */
	bool is_followed;
	struct nf_tcb tcb;
	struct nf_memory memory;
	struct nf_stream_policy stream_policy;
	struct nf_admission_policy policy;
	struct nf_scope scope;
	/* What came of it. */
	u64 admitted, refused, middle, ambiguous, connections;
};

static inline u32 wire_odd(struct wire *w, u32 n)
{
	return sample_random(&w->odds) % n;
}

enum { WIRE_SYN, WIRE_SYNACK, WIRE_FIN, WIRE_ACK, WIRE_RST };

#define IV WIRE_INVALID
#define IG WIRE_IGNORED
#define SS TCP_CONNTRACK_SYN_SENT
#define SR TCP_CONNTRACK_SYN_RECV
#define ES TCP_CONNTRACK_ESTABLISHED
#define FW TCP_CONNTRACK_FIN_WAIT
#define CW TCP_CONNTRACK_CLOSE_WAIT
#define LA TCP_CONNTRACK_LAST_ACK
#define TW TCP_CONNTRACK_TIME_WAIT
#define CL TCP_CONNTRACK_CLOSE
#define S2 TCP_CONNTRACK_SYN_SENT2

/* What nf_conntrack_proto_tcp.c says of a segment, by direction, kind and state before. */
static const u8 wire_states[2][5][10] = {
	{
		{ SS, SS, IG, IG, IG, IG, IG, SS, SS, S2 },
		{ IV, IV, SR, IV, IV, IV, IV, IV, IV, SR },
		{ IV, IV, FW, FW, LA, LA, LA, TW, CL, IV },
		{ ES, IV, ES, ES, CW, CW, TW, TW, CL, IV },
		{ IV, CL, CL, CL, CL, CL, CL, CL, CL, CL },
	}, {
		{ IV, S2, IV, IV, IV, IV, IV, SS, IV, S2 },
		{ IV, SR, IG, IG, IG, IG, IG, IG, IG, SR },
		{ IV, IV, FW, FW, LA, LA, LA, TW, CL, IV },
		{ IV, IG, SR, ES, CW, CW, TW, TW, CL, IG },
		{ IV, CL, CL, CL, CL, CL, CL, CL, CL, CL },
	},
};

#undef IV
#undef IG
#undef SS
#undef SR
#undef ES
#undef FW
#undef CW
#undef LA
#undef TW
#undef CL
#undef S2

static inline void wire_unfollow(struct wire *w)
{
	nf_side_free(&w->tcb.side[0]);
	nf_side_free(&w->tcb.side[1]);
	memset(&w->tcb, 0, sizeof(w->tcb));
	w->is_followed = false;
}

/* Its time has run out; what was followed goes with it. */
static inline void wire_forget(struct wire *w)
{
	w->state = TCP_CONNTRACK_NONE;
	w->is_tracked = false;
	w->is_confirmed = false;
	w->has_ignored = false;
	wire_unfollow(w);
}

/* Is it a segment of the connection, by connection tracking? */
static inline bool wire_track(struct wire *w, enum wire_end from, const struct wire_segment *s)
{
	u32 kind = s->rst ? WIRE_RST : s->syn ? (s->has_ack ? WIRE_SYNACK : WIRE_SYN) :
		   s->fin ? WIRE_FIN : WIRE_ACK;
	u8 next;

	/* One that ended, and whose end began it: it is another then. */
	if (w->is_tracked && kind == WIRE_SYN && w->state >= TCP_CONNTRACK_TIME_WAIT &&
	    w->state <= TCP_CONNTRACK_CLOSE && wire_odd(w, 2))
		wire_forget(w);
	if (!w->is_tracked) {
		next = wire_states[0][kind][TCP_CONNTRACK_NONE];
		if (next == WIRE_INVALID)
			return false;
		w->is_tracked = true;
		w->caller = from;
		w->state = next;
		return true;
	}
	next = wire_states[from != w->caller][kind][w->state];
	if (next == WIRE_INVALID)
		return false;
	if (next == WIRE_IGNORED) {
		if (kind == WIRE_SYNACK && w->has_ignored && w->ignored_from != from &&
		    s->ack == w->ignored_end)
			w->state = TCP_CONNTRACK_SYN_RECV;
		w->has_ignored = kind == WIRE_SYN;
		w->ignored_from = from;
		w->ignored_end = s->seq + 1 + s->len;
		return true;
	}
	w->state = next;
	return true;
}

static inline void wire_follow(struct wire *w)
{
	if (w->is_followed)
		return;
	w->is_followed = true;
	nf_tcb_init(&w->tcb, &w->memory, false);
}

/* As judgment.c has it. */
static inline enum nf_stream_verdict wire_judge_octets(struct wire *w, struct nf_side *side,
						       const struct nf_segment_header *header,
						       const u8 *text)
{
	const struct nf_sequence *seq = nf_side_sequence(side);
	enum nf_stream_verdict verdict;

	if (seq->started && !seq->acked && !seq->picked_up &&
	    nf_seq_before(nf_segment_first(header), seq->una))
		return NF_STREAM_OUT_OF_WINDOW;
	if (side->stream) {
		struct nf_segment segment;

		nf_segment_begin(&segment, side->stream, header, &w->stream_policy);
		if (header->len && segment.verdict == NF_STREAM_ACCEPT)
			nf_segment_feed(&segment, text, header->len);
		verdict = nf_segment_end(&segment, side->stream);
	} else {
		struct nf_passage passage;

		nf_passage_begin(&passage, side->reading, header, &w->stream_policy);
		if (header->len && passage.verdict == NF_STREAM_ACCEPT)
			nf_passage_feed(&passage, text, header->len);
		verdict = nf_passage_end(&passage);
	}
	side->resyncs = nf_side_sequence(side)->resyncs;
	side->is_changed = false;
	return verdict;
}

static inline bool wire_judge(struct wire *w, const struct nf_sighting *sighting,
			      const u8 *text)
{
	struct nf_side *side = &w->tcb.side[sighting->direction];

	switch (nf_tcb_admit(&w->tcb, sighting, &w->policy)) {
	case NF_ADMIT_JUDGE:
		return wire_judge_octets(w, side, sighting->header, text) == NF_STREAM_ACCEPT;
	case NF_ADMIT_EMPTY:
		return true;
	case NF_ADMIT_MIDDLE:
		w->middle++;
		return false;
	case NF_ADMIT_WINDOW:
		w->ambiguous++;
		return false;
	default:
		return false;
	}
}

/* Does a segment get through? As check.c and connection.c have it, with one rule. */
static inline bool wire_pass(struct wire *w, enum wire_end from, const struct wire_segment *s)
{
	const struct nf_segment_header header = {
		.seq = s->seq, .len = s->len, .now = w->now,
		.syn = s->syn, .fin = s->fin, .rst = s->rst,
	};
	struct nf_sighting sighting = {
		.header = &header, .ack = s->ack, .window = 60000, .has_ack = s->has_ack,
		.is_liberal = true,
	};
	bool is_asked = from == WIRE_CLIENT && (s->len || s->syn || s->fin), passes = true;

	w->now += 10;
	if (!wire_track(w, from, s))
		return s->rst || !is_asked;
	if (s->rst) {
		w->is_confirmed = true;
		return true;
	}
	sighting.direction = from != w->caller;
	sighting.state = w->state;
	if (!w->is_followed && !s->syn && !w->is_confirmed)
		wire_follow(w);
	if (w->is_followed)
		nf_tcb_observe(&w->tcb, &sighting);
	if (is_asked && (w->is_followed || s->len || s->syn)) {
		wire_follow(w);
		passes = wire_judge(w, &sighting, s->text);
	}
	w->is_confirmed |= passes;
	if (!w->is_confirmed)
		wire_forget(w);
	*(passes ? &w->admitted : &w->refused) += 1;
	return passes;
}

static inline void wire_answer(struct wire *w, bool syn)
{
	w->answer = (struct wire_segment) {
		.seq = w->iss + !syn, .ack = w->rcv_nxt, .syn = syn, .has_ack = true,
	};
	w->has_answered = true;
	wire_pass(w, WIRE_SERVER, &w->answer);
}

/* Not more often than twice a second, so not always. */
static inline void wire_challenge(struct wire *w)
{
	if (wire_odd(w, 2))
		wire_answer(w, false);
}

static inline void wire_take(struct wire *w, u8 octet)
{
	w->text[w->delivered++] = octet;
	w->rcv_nxt++;
	memmove(w->early, w->early + 1, WIRE_EARLY - 1);
	memmove(w->is_early, w->is_early + 1, WIRE_EARLY - 1);
	w->is_early[WIRE_EARLY - 1] = false;
}

/* What came first wins, or what came last. */
static inline void wire_keep(struct wire *w, const struct wire_segment *s, u32 ahead)
{
	bool is_first = wire_odd(w, 2);
	u32 i;

	for (i = 0; w->keeps_early && i < s->len && ahead + i < WIRE_EARLY; i++) {
		if (w->is_early[ahead + i] && is_first)
			continue;
		w->early[ahead + i] = s->text[i];
		w->is_early[ahead + i] = true;
	}
}

static inline void wire_deliver(struct wire *w, const struct wire_segment *s)
{
	u32 first = s->seq + s->syn, end = first + s->len;

	if (nf_seq_before(w->rcv_nxt, first)) {
		wire_keep(w, s, first - w->rcv_nxt);
		return;
	}
	while (nf_seq_before(w->rcv_nxt, end) && w->delivered < WIRE_TEXT)
		wire_take(w, s->text[w->rcv_nxt - first]);
	while (w->is_early[0] && w->delivered < WIRE_TEXT)
		wire_take(w, w->early[0]);
	if (wire_odd(w, 8) == 0)
		memset(w->is_early, 0, sizeof(w->is_early));
}

static inline void wire_listen(struct wire *w, const struct wire_segment *s)
{
	if (!s->syn || s->has_ack || s->rst)
		return;
	w->server = WIRE_SYN_RECEIVED;
	w->irs = s->seq;
	w->rcv_nxt = s->seq + 1;
	w->iss = sample_random(&w->odds);
	w->delivered = 0;
	memset(w->is_early, 0, sizeof(w->is_early));
	w->connections++;
	if (w->takes_early)
		wire_deliver(w, s);
	wire_answer(w, true);
}

/* tcp_check_req() and tcp_validate_incoming(), as far as they matter. */
static inline void wire_receive(struct wire *w, const struct wire_segment *s)
{
	u32 end = s->seq + s->syn + s->len;
	bool is_old = nf_seq_before(end, w->rcv_nxt) ||
		      (end == w->rcv_nxt && s->seq != w->rcv_nxt);

	if (w->server == WIRE_LISTEN) {
		wire_listen(w, s);
		return;
	}
	if (s->rst) {
		if (s->seq == w->rcv_nxt)
			w->server = WIRE_LISTEN;
		return;
	}
	if (w->server == WIRE_SYN_RECEIVED && s->syn && !s->has_ack && s->seq == w->irs) {
		wire_answer(w, true);
		return;
	}
	if (s->syn && s->seq != w->irs) {
		if (w->server == WIRE_SYN_RECEIVED && !is_old)
			w->server = WIRE_LISTEN;
		else
			wire_challenge(w);
		return;
	}
	if (is_old && !s->syn) {
		wire_challenge(w);
		return;
	}
	if (!s->has_ack)
		return;
	if (w->server == WIRE_SYN_RECEIVED) {
		if (s->ack != w->iss + 1)
			return;
		w->server = WIRE_CONNECTED;
	}
	if (s->syn) {
		wire_challenge(w);
		return;
	}
	wire_deliver(w, s);
	if (s->len)
		wire_answer(w, false);
}

static inline void wire_send(struct wire *w, const struct wire_segment *s)
{
	w->has_answered = false;
	if (wire_pass(w, WIRE_CLIENT, s))
		wire_receive(w, s);
}

static inline void wire_init(struct wire *w, u64 *seed, bool in_order)
{
	wire_unfollow(w);
	memset(w, 0, sizeof(*w));
	w->odds = *seed;
	w->takes_early = wire_odd(w, 4) == 0;
	w->policy = (struct nf_admission_policy) {
		.stream = &w->stream_policy, .is_closed = true, .refuses = true,
	};
	w->keeps_early = wire_odd(w, 4);
	w->memory.seed = w->odds;
	w->memory.most = wire_odd(w, 4) ? MEMORY_COPIES : wire_odd(w, 4);
	if (!in_order)
		return;
	nf_plain_init(&w->scope, &(const struct nf_plain) {}, false);
	w->policy.scope = &w->scope;
}

#endif /* _UTF8GUARD_KUNIT_CONNECTION_MODEL_H */
