/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The server of the connection in connection_tracking.h.
 *
 * The server behaves like Linux. If it calls, the parts are exchanged: it is then what others call
 * the client, and the client, which may attack it, is their server. It delivers octets that are in
 * order; it keeps or discards those that come early. Its window is as wide as possible, or its
 * right edge moves in both directions; the server takes a segment across that edge whole, in part
 * or not at all. It sends no more than the window of the client has room for, and a client can make
 * that narrower again. After both ends have sent a FIN, or a minute after it has sent one alone, it
 * knows nothing of the connection. A client can make segments pass that the server does not get, by
 * a low TTL, or does not take, by an old timestamp (RFC 7323).
 */
#ifndef _UTF8GUARD_KUNIT_CONNECTION_SERVER_H
#define _UTF8GUARD_KUNIT_CONNECTION_SERVER_H

#include "connection_tracking.h"

#define WIRE_WIDE 60000
#define WIRE_SAID 100000
#define WIRE_SIZES 4
#define WIRE_ALONE 60000	/* ms: tcp_fin_timeout */

/* A segment of the server goes on its way, or late if that is slow. */
static inline void wire_reply(struct wire *w, const struct wire_segment *s)
{
	if (!w->is_slow) {
		wire_pass(w, WIRE_SERVER, s);
		return;
	}
	wire_send_late(w);
	w->late = *s;
	w->is_late = true;
}

/* The number of the next octet of the server. */
static inline u32 wire_next(const struct wire *w)
{
	return w->iss + 1 + w->sent + w->has_sent_fin;
}

/* Like tcp_acceptable_seq(): where the client has made its window narrower, the end of that. */
static inline u32 wire_acceptable(const struct wire *w)
{
	u32 next = wire_next(w);

	return ugnf_seq_before(w->wnd_end, next) ? w->wnd_end : next;
}

/*
 * Takes the window of the client, like tcp_ack(): not from an acknowledgment that is older than the
 * last one, nor from one of what was never sent.
 */
static inline void wire_take_window(struct wire *w, const struct wire_segment *s)
{
	if (!s->has_ack || ugnf_seq_before(s->ack, w->snd_una) ||
	    ugnf_seq_before(wire_next(w), s->ack))
		return;
	w->snd_una = s->ack;
	w->wnd_end = s->ack + s->window;
}

static inline u32 wire_window(const struct wire *w)
{
	return w->moves ? w->right_edge - w->rcv_nxt : WIRE_WIDE;
}

static inline void wire_answer(struct wire *w, bool syn)
{
	w->answer = (struct wire_segment) {
		.seq = syn ? w->iss : wire_acceptable(w), .ack = w->rcv_nxt,
		.syn = syn, .has_ack = true, .window = wire_window(w),
	};
	w->has_answered = true;
	/* After a FIN, what gets lost may be all that tells of the end: see utf8guard(8). */
	if (!syn && !w->has_fin && !w->has_sent_fin && w->loses_back && wire_odd(w, 4) == 0)
		return;
	if (w->is_slow || !w->is_held)
		wire_reply(w, &w->answer);
}

/*
 * Like observe_answer() of connection.c: what the server says has to be searched for a consent to
 * another protocol, if the stream of the client is followed, for the client may take it.
 */
static inline void wire_search(struct wire *w, const struct wire_segment *s)
{
	const struct ugnf_segment_header header = { .seq = s->seq, .len = s->len };
	u8 direction = w->caller != WIRE_SERVER;
	u32 i;

	for (i = 0; w->is_followed && i < w->sights; i++) {
		struct ugnf_direction *dir = w->sight[i].tcb.dir;

		w->is_unsearched |= ugnf_direction_sequence(&dir[!direction]) &&
				    !ugnf_ending_is_taken(&dir[direction], &dir[!direction],
							  &header);
	}
}

/* The server says @len octets, or what the client has room for. They are not judged. */
static inline void wire_say(struct wire *w, u32 len)
{
	static const u8 zeroes[WIRE_SAID];
	u32 room = w->wnd_end - wire_next(w);
	struct wire_segment s = {
		.seq = wire_next(w), .ack = w->rcv_nxt, .text = zeroes, .has_ack = true,
		.window = wire_window(w),
	};

	/* It probes a closed window: RFC 9293, 3.8.6.1. */
	if (!room && w->server == WIRE_CONNECTED)
		room = 1;
	if (!room || ugnf_seq_before(w->wnd_end, wire_next(w)))
		return;
	s.len = room < len ? room : len;
	wire_pass(w, WIRE_SERVER, &s);
	wire_search(w, &s);
	w->sent += s.len;
}

/* The server has no more to say. */
static inline void wire_finish(struct wire *w)
{
	w->answer = (struct wire_segment) {
		.seq = w->iss + 1 + w->sent, .ack = w->rcv_nxt, .has_ack = true, .fin = true,
		.window = WIRE_WIDE,
	};
	if (!w->has_sent_fin)
		w->taken_at = w->now;
	w->has_sent_fin = true;
	wire_pass(w, WIRE_SERVER, &w->answer);
}

/* The server makes its window wider or narrower. */
static inline void wire_move_edge(struct wire *w, u32 most)
{
	w->right_edge = w->rcv_nxt + wire_odd(w, most);
}

/* A challenge ACK, RFC 5961. Linux limits them by rate, so it is not always sent. */
static inline void wire_challenge(struct wire *w)
{
	if (wire_odd(w, 2))
		wire_answer(w, false);
}

static inline void wire_take(struct wire *w, u8 octet)
{
	w->text[w->delivered++] = octet;
	w->unsearched += w->is_unsearched;
	w->rcv_nxt++;
	w->taken_at = w->now;
	memmove(w->early, w->early + 1, WIRE_EARLY - 1);
	memmove(w->is_early, w->is_early + 1, WIRE_EARLY - 1);
	w->is_early[WIRE_EARLY - 1] = false;
}

/* Keeps octets that came early. Of two that overlap, the first or the last one wins. */
static inline void wire_keep(struct wire *w, const struct wire_segment *s, u32 ahead, u32 len)
{
	bool is_first = wire_odd(w, 2);
	u32 i;

	for (i = 0; w->keeps_early && i < len && ahead + i < WIRE_EARLY; i++) {
		if (w->is_early[ahead + i] && is_first)
			continue;
		w->early[ahead + i] = s->text[i];
		w->is_early[ahead + i] = true;
	}
}

/* How many octets of a segment the server takes, by its window. */
static inline u32 wire_within(struct wire *w, u32 first, u32 len)
{
	u32 end = first + len;

	if (!w->moves || !ugnf_seq_before(w->right_edge, end))
		return len;
	if (!ugnf_seq_before(first, w->right_edge))
		return 0;
	if (!w->takes_part)
		return wire_odd(w, 2) ? len : 0;
	w->has_part = true;
	return w->right_edge - first;
}

static inline void wire_deliver_piece(struct wire *w, const struct wire_segment *s)
{
	u32 first = s->seq + s->syn, end = first + wire_within(w, first, s->len);

	if (w->has_fin)
		return;
	if (ugnf_seq_before(w->rcv_nxt, first)) {
		wire_keep(w, s, first - w->rcv_nxt, end - first);
		return;
	}
	while (ugnf_seq_before(w->rcv_nxt, end) && w->delivered < WIRE_TEXT)
		wire_take(w, s->text[w->rcv_nxt - first]);
	while (w->is_early[0] && w->delivered < WIRE_TEXT)
		wire_take(w, w->early[0]);
	if (ugnf_seq_before(w->right_edge, w->rcv_nxt))
		w->right_edge = w->rcv_nxt;
	if (wire_odd(w, 8) == 0)
		memset(w->is_early, 0, sizeof(w->is_early));
}

/* The segment arrives, whole or in the pieces of its GSO size. */
static inline void wire_deliver(struct wire *w, const struct wire_segment *s)
{
	struct wire_segment piece = *s;
	u32 at, size = s->piece ? s->piece : s->len;

	for (at = 0; at < s->len; at += piece.len) {
		piece.seq = s->seq + s->syn + at;
		piece.syn = false;
		piece.len = s->len - at < size ? s->len - at : size;
		piece.text = s->text + at;
		wire_deliver_piece(w, &piece);
	}
}

/* The first number of the server. A fuzzer that chooses the random ones cannot repeat it. */
static inline u32 wire_number(struct wire *w)
{
	return sample_random(&w->odds) + w->connections * 0x9e3779b1U;
}

/* A connection whose first octet is at @first. */
static inline void wire_begin(struct wire *w, u32 first, u32 iss)
{
	w->irs = first - 1;
	w->rcv_nxt = first;
	w->iss = iss;
	w->sent = 0;
	w->snd_una = iss + 1;
	w->wnd_end = iss + 1;
	w->delivered = 0;
	w->has_fin = false;
	w->has_sent_fin = false;
	w->is_fin_acked = false;
	w->is_orphan = false;
	w->has_part = false;
	w->is_unsearched = false;
	w->right_edge = w->rcv_nxt + WIRE_WIDE;
	memset(w->is_early, 0, sizeof(w->is_early));
	w->connections++;
}

/*
 * May this cookie have been the answer to a SYN with this number? As in Linux, a cookie is the sum
 * of that number, a secret and the index of a segment size.
 */
static inline bool wire_is_cookie(u32 cookie, u32 syn, u32 secret)
{
	return cookie - syn - secret < WIRE_SIZES;
}

/*
 * A SYN is answered by a cookie, and an acknowledgment that returns one for its number begins a
 * connection there. The secret changes each minute, and the last one is good, too.
 */
static inline void wire_listen_by_cookies(struct wire *w, const struct wire_segment *s)
{
	if (s->rst || (s->syn && s->has_ack))
		return;
	if (s->syn) {
		if (wire_odd(w, 8) == 0)
			w->older_secret = w->secret, w->secret += wire_odd(w, 1 << 25);
		wire_begin(w, s->seq + 1, w->secret + s->seq + w->size_index);
		wire_answer(w, true);
		return;
	}
	if (!s->has_ack || !(wire_is_cookie(s->ack - 1, s->seq - 1, w->secret) ||
			     wire_is_cookie(s->ack - 1, s->seq - 1, w->older_secret)))
		return;
	wire_begin(w, s->seq, s->ack - 1);
	w->server = WIRE_CONNECTED;
	wire_take_window(w, s);
	wire_deliver(w, s);
	if (s->len)
		wire_answer(w, false);
}

/* A reset, as it answers what belongs to no connection. Some hosts send none. */
static inline void wire_refuse(struct wire *w, const struct wire_segment *s)
{
	struct wire_segment reset = { .seq = s->ack, .rst = true };

	if (s->rst || wire_odd(w, 2))
		return;
	if (!s->has_ack) {
		reset.seq = 0;
		reset.has_ack = true;
		reset.ack = s->seq + s->syn + s->len + s->fin;
	}
	wire_pass(w, WIRE_SERVER, &reset);
}

/* The server calls the client, or calls again. */
static inline void wire_call(struct wire *w)
{
	if (w->server != WIRE_SYN_SENT)
		wire_begin(w, 0, wire_number(w));
	w->server = WIRE_SYN_SENT;
	wire_pass(w, WIRE_SERVER, &(struct wire_segment) {
			     .seq = w->iss, .syn = true, .window = WIRE_WIDE,
		     });
}

/* A segment answers the call. Like tcp_rcv_synsent_state_process(); some take what a SYN has. */
static inline void wire_receive_answer(struct wire *w, const struct wire_segment *s)
{
	if (s->has_ack && s->ack != w->iss + 1) {
		wire_refuse(w, s);
	} else if (s->rst) {
		if (s->has_ack)
			w->server = WIRE_LISTEN;
	} else if (s->syn) {
		w->irs = s->seq;
		w->rcv_nxt = s->seq + 1;
		w->right_edge = w->rcv_nxt + WIRE_WIDE;
		w->server = s->has_ack ? WIRE_CONNECTED : WIRE_SYN_RECEIVED;
		wire_take_window(w, s);
		if (w->takes_early)
			wire_deliver(w, s);
		wire_answer(w, !s->has_ack);
	}
}

static inline void wire_listen(struct wire *w, const struct wire_segment *s)
{
	if (w->calls) {
		wire_refuse(w, s);
		return;
	}
	if (w->has_cookies) {
		wire_listen_by_cookies(w, s);
		return;
	}
	if (!s->syn || s->has_ack || s->rst)
		return;
	w->server = WIRE_SYN_RECEIVED;
	wire_begin(w, s->seq + 1, wire_number(w));
	if (w->takes_early)
		wire_deliver(w, s);
	wire_answer(w, true);
}

/*
 * The server knows nothing of the connection any more, and tells nobody: no acknowledgment of its
 * SYN-ACK has come in time, it was started anew, or another one has taken its place. Cookies are
 * not valid any more then, as after the minutes that a connection takes to time out.
 */
static inline void wire_give_up(struct wire *w)
{
	if (!w->has_cookies)
		w->server = WIRE_LISTEN;
}

/*
 * Like tcp_validate_incoming(): at the next octet, at the end of octets that came early, or, if
 * the server has taken a FIN, where that was.
 */
static inline bool wire_takes_reset(const struct wire *w, u32 seq)
{
	u32 ahead = WIRE_EARLY;

	while (ahead && !w->is_early[ahead - 1])
		ahead--;
	return seq == w->rcv_nxt || seq == w->rcv_nxt + ahead ||
	       (w->has_fin && seq == w->rcv_nxt - 1);
}

/* The process of the server has closed the connection, so that is over once octets come for it. */
static inline void wire_abort(struct wire *w, const struct wire_segment *s)
{
	w->server = WIRE_LISTEN;
	wire_reply(w, &(struct wire_segment) {
			      .seq = s->has_ack ? s->ack : 0,
			      .ack = s->seq + s->syn + s->len + s->fin, .rst = true,
			      .has_ack = !s->has_ack,
		      });
}

/*
 * The process of the server has closed the connection, and the client has acknowledged that. Like
 * tcp_timewait_state_process() in FIN_WAIT2: any acknowledgment will do, and any reset in the
 * window; what has octets for the process is answered by a reset, RFC 1122 section 4.2.2.13.
 */
static inline void wire_receive_orphan(struct wire *w, const struct wire_segment *s)
{
	u32 end = s->seq + s->syn + s->len + s->fin;
	bool is_beyond = ugnf_seq_before(w->rcv_nxt, end);

	if (s->seq != w->rcv_nxt &&
	    !(is_beyond && ugnf_seq_before(s->seq, w->rcv_nxt + WIRE_WIDE))) {
		wire_challenge(w);
		return;
	}
	if (!s->rst && !(s->syn && !ugnf_seq_before(s->seq, w->rcv_nxt)) &&
	    (!s->has_ack || !is_beyond))
		return;
	w->server = WIRE_LISTEN;
	if (s->rst)
		return;
	if (s->fin && end == w->rcv_nxt + 1) {
		w->rcv_nxt++;
		wire_answer(w, false);
		return;
	}
	wire_abort(w, s);
}

/* A segment arrives. Like tcp_check_req() and tcp_validate_incoming(), as far as they matter. */
static inline void wire_receive(struct wire *w, const struct wire_segment *s)
{
	u32 end = s->seq + s->syn + s->len;
	bool is_old = ugnf_seq_before(end, w->rcv_nxt) ||
		      (end == w->rcv_nxt && s->seq != w->rcv_nxt);

	if (w->server == WIRE_CONNECTED && w->has_sent_fin && w->now - w->taken_at >= WIRE_ALONE)
		w->server = WIRE_LISTEN;
	if (w->server == WIRE_LISTEN) {
		wire_listen(w, s);
		return;
	}
	if (w->server == WIRE_SYN_SENT) {
		wire_receive_answer(w, s);
		return;
	}
	if (w->server == WIRE_CONNECTED && w->is_orphan && w->is_fin_acked) {
		wire_receive_orphan(w, s);
		return;
	}
	if (s->rst) {
		if (wire_takes_reset(w, s->seq))
			w->server = WIRE_LISTEN;
		return;
	}
	if (w->server == WIRE_SYN_RECEIVED && s->syn && !s->has_ack && s->seq == w->irs) {
		wire_answer(w, true);
		return;
	}
	if (s->syn && s->seq != w->irs) {
		if (w->server == WIRE_SYN_RECEIVED && !is_old && !w->calls)
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
	/* Like tcp_rcv_state_process() in FIN_WAIT1. */
	if (w->is_orphan && s->len && ugnf_seq_before(w->rcv_nxt, end) &&
	    ugnf_seq_before(s->seq, w->rcv_nxt + WIRE_WIDE)) {
		wire_abort(w, s);
		return;
	}
	wire_take_window(w, s);
	wire_deliver(w, s);
	if (s->fin && !w->has_fin && w->rcv_nxt == end) {
		w->has_fin = true;
		w->is_fin_judged = w->sight[0].tcb.dir[w->caller != WIRE_CLIENT].begun;
		w->rcv_nxt++;
	}
	if (s->len || s->fin)
		wire_answer(w, false);
	w->is_fin_acked |= w->has_sent_fin && s->ack == wire_next(w);
	if (w->has_fin && w->is_fin_acked)
		w->server = WIRE_LISTEN;
}

/*
 * Each piece of a SYN or of a reset is one, as tcp_gso_segment() makes them, and some get lost.
 */
static inline void wire_arrive(struct wire *w, const struct wire_segment *s)
{
	u32 size = s->piece && (s->syn || s->rst) ? s->piece : s->len, at = 0;
	struct wire_segment piece = *s;

	do {
		piece.seq = s->seq + at;
		piece.text = s->text + at;
		piece.len = s->len - at < size ? s->len - at : size;
		if (piece.len == s->len || wire_odd(w, 2))
			wire_receive(w, &piece);
		at += size;
	} while (at < s->len);
}

static inline void wire_send(struct wire *w, const struct wire_segment *s)
{
	w->has_answered = false;
	if (wire_pass(w, WIRE_CLIENT, s) && !(w->loses && wire_odd(w, 4) == 0))
		wire_arrive(w, s);
}

static inline void wire_init(struct wire *w, u64 *seed, bool in_order)
{
	u32 odd;

	wire_unfollow(w);
	memset(w, 0, sizeof(*w));
	w->odds = *seed;
	odd = wire_odd(w, 4);
	w->takes_early = odd == 0;
	w->has_cookies = odd == 1;
	w->keeps_early = wire_odd(w, 4);
	w->memory.seed = w->odds;
	w->memory.most = wire_odd(w, 4) ? MEMORY_COPIES : wire_odd(w, 4);
	w->sights = 1;
	wire_set_rule(w, 0, INORDER_KINDS);
	if (!in_order)
		return;
	ugnf_plain_init(&w->sight[0].scope, &(const struct ugnf_plain) {}, false);
	w->sight[0].policy.scope = &w->sight[0].scope;
}

#endif /* _UTF8GUARD_KUNIT_CONNECTION_SERVER_H */
