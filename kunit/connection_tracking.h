/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A model of a connection, from its first SYN on:
 *
 *	client  -->  connection tracking  -->  code under test, at 1 or 2 hooks  -->  server
 *
 * This is the way of a segment from one end to the other; connection_server.h is the server.
 *
 * Connection tracking has the kernel's table of states, but accepts every sequence number. So
 * the code under test must also judge segments that the kernel would find invalid. If it is
 * strict, it finds some segments of the client invalid: a client can make any one so, by an
 * acknowledgment or a SACK block that the server does not look at. A client can also make some of
 * the server invalid, as by a window that connection tracking does not get to know. Each hook has a
 * rule of its own.
 *
 * If a segment is refused whose entry is not confirmed, the entry is gone. The next one may get the
 * same memory, and then the flow is still there, if the same end begins again.
 */
#ifndef _UTF8GUARD_KUNIT_CONNECTION_TRACKING_H
#define _UTF8GUARD_KUNIT_CONNECTION_TRACKING_H

#include <linux/netfilter/nf_conntrack_tcp.h>

#include "../kernel/codec/codec.h"
#include "../kernel/nf/stream/inorder_segment.h"
#include "../kernel/nf/stream/tcb.h"
#include "inorder_texts.h"
#include "stream_memory.h"

#define WIRE_TEXT 4096
#define WIRE_EARLY 512
#define WIRE_SIGHTS 2
#define WIRE_INVALID TCP_CONNTRACK_MAX
#define WIRE_IGNORED TCP_CONNTRACK_IGNORE

enum wire_end { WIRE_CLIENT, WIRE_SERVER };
enum wire_server { WIRE_LISTEN, WIRE_SYN_SENT, WIRE_SYN_RECEIVED, WIRE_CONNECTED };

struct wire_segment {
	u32 seq, ack, len, piece, window;
	bool syn, has_ack, rst, fin;
	const u8 *text;
};

/* A hook, and its rule for what the client sends: for a scope, or for any text. */
struct wire_sight {
	struct ugnf_tcb tcb;
	struct ugnf_stream_policy stream_policy;
	struct ugnf_admission_policy policy;
	struct ugnf_scope scope;
};

struct wire {
	u64 odds;
	u32 now;
	/* The server: irs, iss and rcv_nxt are those of RFC 9293. */
	enum wire_server server;
	u32 irs, iss, rcv_nxt, delivered, sent;
	u32 snd_una, wnd_end;	/* what the client has acknowledged; the end of its window */
	u32 told_iss;		/* its last SYN or SYN-ACK on the wire; nobody guesses another */
	bool has_fin;		/* it has taken a FIN, which is before @rcv_nxt */
	bool is_fin_judged;	/* the code under test knew the beginning of the stream then */
	bool has_sent_fin, is_fin_acked;
	bool is_orphan;		/* its process has closed the connection, and takes nothing more */
	u32 taken_at;		/* when it sent that, or took octets last */
	bool takes_early;	/* it delivers what a SYN carries, RFC 7413 */
	bool has_cookies;	/* it keeps nothing before the handshake is complete, RFC 4987 */
	bool calls;		/* it begins connections, and nobody else does */
	u32 secret, older_secret; /* of cookies: see wire_is_cookie() */
	u32 size_index;		/* of the segment size that the next SYN has */
	u8 text[WIRE_TEXT];	/* what it has delivered */
	u32 right_edge;		/* of its window, if @moves */
	bool moves;		/* the right edge of its window changes */
	bool takes_part;	/* it takes the part of a segment before @right_edge */
	bool has_part;		/* it has done so, and no acknowledgment has told */
	bool keeps_early, is_early[WIRE_EARLY];	/* octets it keeps, by distance from @rcv_nxt */
	u8 early[WIRE_EARLY];
	bool has_answered;	/* @answer is valid */
	bool is_held;		/* the test sends @answer; wire_answer() does not */
	bool is_slow, is_late;	/* it sends @late later: after the next segment of the client */
	bool loses;		/* some segments of the client pass and do not arrive */
	bool loses_back;	/* some acknowledgments of the server do not come to the hooks */
	struct wire_segment answer, late;
	/* Connection tracking. */
	u8 state, caller;
	bool is_tracked, is_confirmed, is_liberal, has_ignored;
	u32 strictness;		/* it finds one in so many segments invalid; 0: none */
	u32 strictness_back;	/* the same for segments of the server */
	bool keeps_flow;	/* an entry that was not confirmed leaves its flow to the next */
	bool is_simultaneous;	/* both ends have sent a SYN */
	bool is_invalid;	/* this segment is so */
	u32 ignored_end, max_end[2], sent_end[2];
	u8 ignored_from;
	/* The code under test. */
	bool is_followed, is_older, is_ruleless;
	u32 sights;
	struct wire_sight sight[WIRE_SIGHTS];
	struct ugnf_memory memory;
	/* How often each outcome was seen. */
	u64 admitted, refused, middle, ambiguous, beside, connections;
	u64 verdicts[UGNF_STREAM_UNFOLLOWED + 1];
	bool is_unsearched;	/* something that the server has said on this connection */
	u64 unsearched;		/* octets of the client that were delivered after that */
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

/* The state after a segment, from nf_conntrack_proto_tcp.c: by direction, kind, state before. */
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
	u32 i;

	for (i = 0; i < WIRE_SIGHTS; i++) {
		ugnf_direction_free(&w->sight[i].tcb.dir[0]);
		ugnf_direction_free(&w->sight[i].tcb.dir[1]);
		memset(&w->sight[i].tcb, 0, sizeof(w->sight[i].tcb));
	}
	w->is_followed = false;
}

/* Connection tracking deletes its entry, and the flow ends with it. */
static inline void wire_forget(struct wire *w)
{
	w->state = TCP_CONNTRACK_NONE;
	w->is_tracked = false;
	w->is_confirmed = false;
	w->has_ignored = false;
	w->is_simultaneous = false;
	wire_unfollow(w);
}

/* The entry was never confirmed, and its packet was refused. */
static inline void wire_drop_entry(struct wire *w)
{
	if (!w->keeps_flow) {
		wire_forget(w);
		return;
	}
	w->state = TCP_CONNTRACK_NONE;
	w->is_tracked = false;
	w->has_ignored = false;
	w->is_simultaneous = false;
}

/* Is it a segment of the connection, by connection tracking? */
static inline bool wire_track(struct wire *w, enum wire_end from, const struct wire_segment *s)
{
	u32 kind = s->rst ? WIRE_RST : s->syn ? (s->has_ack ? WIRE_SYNACK : WIRE_SYN) :
		   s->fin ? WIRE_FIN : WIRE_ACK;
	bool is_ended = w->is_tracked && w->state >= TCP_CONNTRACK_TIME_WAIT &&
			w->state <= TCP_CONNTRACK_CLOSE;
	u32 strictness;
	u8 next;

	/* A SYN after the end of a connection begins another one, or is ignored. */
	if (is_ended && kind == WIRE_SYN && wire_odd(w, 2)) {
		wire_forget(w);
		is_ended = false;
	}
	if (!w->is_tracked) {
		next = wire_states[0][kind][TCP_CONNTRACK_NONE];
		if (next == WIRE_INVALID)
			return false;
		if (w->keeps_flow && w->caller != from)
			wire_unfollow(w);
		w->is_tracked = true;
		w->is_liberal = kind != WIRE_SYN || (!w->moves && wire_odd(w, 2));
		w->caller = from;
		w->state = next;
		return true;
	}
	next = wire_states[from != w->caller][kind][w->state];
	if (next == WIRE_INVALID)
		return false;
	if (next == WIRE_IGNORED || (next == TCP_CONNTRACK_SYN_SENT && is_ended)) {
		if (kind == WIRE_SYNACK && w->has_ignored && w->ignored_from != from &&
		    s->ack == w->ignored_end)
			w->state = TCP_CONNTRACK_SYN_RECV;
		w->has_ignored = kind == WIRE_SYN;
		w->ignored_from = from;
		w->ignored_end = s->seq + 1 + s->len;
		return true;
	}
	strictness = from == WIRE_CLIENT ? w->strictness : w->strictness_back;
	if (strictness && !s->syn && wire_odd(w, strictness) == 0)
		return false;
	/* The table does not know that both have called: see nf_conntrack_tcp_packet(). */
	w->is_simultaneous |= next == TCP_CONNTRACK_SYN_SENT2;
	if (kind == WIRE_ACK && from != w->caller && next == TCP_CONNTRACK_SYN_RECV &&
	    w->is_simultaneous)
		next = TCP_CONNTRACK_ESTABLISHED;
	w->has_ignored = false;
	/* Open vSwitch and act_ct mark connections so once they are established. */
	if (next == TCP_CONNTRACK_ESTABLISHED && next != w->state && !w->moves)
		w->is_liberal |= wire_odd(w, 8) == 0;
	w->state = next;
	return true;
}

/* Notes how far the other end may send, as this segment says, and how far this end has sent. */
static inline void wire_track_window(struct wire *w, enum wire_end from,
				     const struct wire_segment *s)
{
	u32 *max_end = &w->max_end[from == WIRE_CLIENT ? WIRE_SERVER : WIRE_CLIENT];

	/* Like tcp_init_sender(). */
	if (s->syn)
		w->max_end[from] = s->seq + s->syn + s->len;
	if (s->has_ack && (s->syn || ugnf_seq_before(*max_end, s->ack + s->window)))
		*max_end = s->ack + s->window;
	if (s->syn || ugnf_seq_before(w->sent_end[from], s->seq + s->len + s->fin))
		w->sent_end[from] = s->seq + s->syn + s->len + s->fin;
}

static inline void wire_follow(struct wire *w)
{
	u32 i;

	if (w->is_followed)
		return;
	w->is_followed = true;
	for (i = 0; i < w->sights; i++)
		ugnf_tcb_init(&w->sight[i].tcb, &w->memory,
			      w->is_confirmed ? ugnf_tcb_is_open(w->state) : w->is_older,
			      w->state);
}

/* Like ugnf_segment_judge() of tcp/segment.c. */
static inline enum ugnf_stream_verdict wire_judge_octets(const struct wire_sight *sight,
							 struct ugnf_direction *dir,
							 const struct ugnf_segment_header *header,
							 const u8 *text)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);
	enum ugnf_stream_verdict verdict;

	if (seq->started && !seq->acked && !seq->picked_up &&
	    ugnf_seq_before(ugnf_segment_first(header), seq->snd_una))
		return UGNF_STREAM_OUT_OF_WINDOW;
	if (dir->ooo) {
		struct ugnf_ooo_segment segment;

		ugnf_ooo_segment_begin(&segment, dir->ooo, header, &sight->stream_policy);
		if (header->len && segment.verdict == UGNF_STREAM_ACCEPT)
			ugnf_ooo_segment_feed(&segment, text, header->len);
		verdict = ugnf_ooo_segment_end(&segment, dir->ooo);
	} else {
		struct ugnf_inorder_segment segment;

		ugnf_inorder_segment_begin(&segment, dir->inorder, header,
					   &sight->stream_policy);
		if (header->len && segment.verdict == UGNF_STREAM_ACCEPT)
			ugnf_inorder_segment_feed(&segment, text, header->len);
		verdict = ugnf_inorder_segment_end(&segment);
	}
	dir->resyncs = ugnf_direction_sequence(dir)->resyncs;
	dir->is_changed = false;
	return verdict;
}

static inline bool wire_judge(struct wire *w, struct wire_sight *sight,
			      const struct ugnf_sighting *sighting, const u8 *text)
{
	struct ugnf_direction *dir = &sight->tcb.dir[sighting->direction];
	enum ugnf_stream_verdict verdict;

	switch (ugnf_tcb_admit(&sight->tcb, sighting, &sight->policy)) {
	case UGNF_ADMIT_JUDGE:
		verdict = wire_judge_octets(sight, dir, sighting->header, text);
		w->verdicts[verdict]++;
		return verdict == UGNF_STREAM_ACCEPT ||
		       (verdict == UGNF_STREAM_UNFOLLOWED && sight->stream_policy.open);
	case UGNF_ADMIT_EMPTY:
		return true;
	case UGNF_ADMIT_MIDDLE:
		w->middle++;
		return false;
	case UGNF_ADMIT_WINDOW:
		if (ugnf_ending_is_beside(dir, sighting))
			w->beside++;
		else
			w->ambiguous++;
		return false;
	default:
		return false;
	}
}

/* Like connection.c for a segment that connection tracking finds invalid. */
static inline bool wire_pass_invalid(struct wire *w, u32 at, bool is_asked,
				     const struct ugnf_sighting *sighting, const u8 *text)
{
	const struct ugnf_segment_header *header = sighting->header;
	bool is_known = w->is_followed && w->is_confirmed;
	u32 i;

	for (i = 0; is_known && i < w->sights; i++) {
		if (header->rst)
			ugnf_tcb_reset(&w->sight[i].tcb, sighting);
		else if (header->syn || header->fin || sighting->has_ack)
			ugnf_tcb_stray(&w->sight[i].tcb, sighting);
	}
	if (header->rst)
		return !ugnf_segment_is_multiple(header);
	if (!is_asked)
		return true;
	if (header->len || header->syn)
		return !w->sight[at].policy.is_closed;
	return !is_known || wire_judge(w, &w->sight[at], sighting, text);
}

/* Like is_beside() of connection.c. */
static inline bool wire_is_beside(const struct wire *w, const struct ugnf_sighting *sighting)
{
	u32 i;

	for (i = 0; w->is_followed && i < w->sights; i++)
		if (!sighting->header->rst &&
		    ugnf_ending_is_beside(&w->sight[i].tcb.dir[sighting->direction], sighting))
			return true;
	return false;
}

/*
 * Does a segment get through a hook? Like check.c and connection.c, with one rule. Connection
 * tracking sees the segment before the first hook, and confirms its entry after that hook.
 */
static inline bool wire_pass_at(struct wire *w, u32 at, enum wire_end from,
				const struct wire_segment *s)
{
	const struct ugnf_segment_header header = {
		.seq = s->seq, .len = s->len, .piece = s->piece, .now = w->now,
		.syn = s->syn, .fin = s->fin, .rst = s->rst,
	};
	struct ugnf_sighting sighting = {
		.header = &header, .ack = s->ack, .window = s->window, .has_ack = s->has_ack,
		.is_liberal = w->is_liberal,
	};
	bool is_asked = from == WIRE_CLIENT && (s->len || s->syn || s->fin), passes = true;
	u32 i;

	if (at == 0) {
		w->is_invalid = !wire_track(w, from, s);
		if (!w->is_invalid)
			wire_track_window(w, from, s);
	}
	sighting.direction = from != w->caller;
	sighting.state = w->state;
	sighting.is_liberal = w->is_liberal;
	sighting.max_end = w->max_end[from == WIRE_CLIENT ? WIRE_SERVER : WIRE_CLIENT];
	sighting.sent_end = w->sent_end[from];
	sighting.other_end = w->sent_end[from == WIRE_CLIENT ? WIRE_SERVER : WIRE_CLIENT];
	is_asked |= from == WIRE_CLIENT && wire_is_beside(w, &sighting);
	if (w->is_invalid)
		return wire_pass_invalid(w, at, is_asked, &sighting, s->text);
	if (s->rst) {
		for (i = 0; w->is_followed && i < w->sights; i++)
			ugnf_tcb_reset(&w->sight[i].tcb, &sighting);
		passes = !ugnf_segment_is_multiple(&header);
		w->is_confirmed |= passes;
		if (!w->is_confirmed)
			wire_drop_entry(w);
		return passes;
	}
	if (w->is_ruleless)
		return true;
	if (!w->is_followed && !s->syn && !w->is_confirmed)
		wire_follow(w);
	for (i = 0; w->is_followed && i < w->sights; i++)
		ugnf_tcb_observe(&w->sight[i].tcb, &sighting);
	if (is_asked && (w->is_followed || s->len || s->syn)) {
		wire_follow(w);
		passes = wire_judge(w, &w->sight[at], &sighting, s->text);
	}
	w->is_confirmed |= passes;
	if (!w->is_confirmed)
		wire_drop_entry(w);
	*(passes ? &w->admitted : &w->refused) += 1;
	return passes;
}

static inline void wire_send_late(struct wire *w);

/* Does a segment get through all hooks? */
static inline bool wire_pass(struct wire *w, enum wire_end from, const struct wire_segment *s)
{
	u32 at;

	if (from == WIRE_SERVER)
		wire_send_late(w);
	if (from == WIRE_SERVER && s->syn)
		w->told_iss = s->seq;
	w->now += 10;
	for (at = 0; at < w->sights; at++)
		if (!wire_pass_at(w, at, from, s))
			return false;
	return true;
}

static inline void wire_send_late(struct wire *w)
{
	struct wire_segment late = w->late;

	if (!w->is_late)
		return;
	w->is_late = false;
	wire_pass(w, WIRE_SERVER, &late);
}

/* Sets the rule at a hook: strict and fail closed; for any text where @kind is INORDER_KINDS. */
static inline void wire_set_rule(struct wire *w, u32 at, enum inorder_kind kind)
{
	struct wire_sight *sight = &w->sight[at];

	memset(&sight->stream_policy, 0, sizeof(sight->stream_policy));
	sight->policy = (struct ugnf_admission_policy) {
		.stream = &sight->stream_policy, .is_closed = true, .refuses = true,
	};
	if (kind == INORDER_KINDS)
		return;
	inorder_scope(&sight->scope, kind);
	sight->policy.scope = &sight->scope;
}

static inline void wire_set_open(struct wire *w, u32 at)
{
	w->sight[at].stream_policy.open = true;
	w->sight[at].policy.is_closed = false;
}

#endif /* _UTF8GUARD_KUNIT_CONNECTION_TRACKING_H */
