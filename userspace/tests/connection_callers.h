/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clients of the server in connection_server.h, at random: one that sends anything, one that hides
 * what the server says, and an honest one that comes again and again.
 */
#ifndef _UTF8GUARD_TESTS_CONNECTION_CALLERS_H
#define _UTF8GUARD_TESTS_CONNECTION_CALLERS_H

#include "connection_client.h"
#include "reference.h"

/* Is all that was delivered well-formed, or the beginning of something that is? */
static bool is_good(const struct wire *w)
{
	u8 state = UTF8GUARD_STATE_START;
	u32 i;

	for (i = 0; i < w->delivered && state != UTF8GUARD_STATE_REFUSED; i++)
		state = reference_step(state, w->text[i]);
	return w->has_fin && w->is_fin_judged ? state == UTF8GUARD_STATE_START :
						state != UTF8GUARD_STATE_REFUSED;
}

/* Pieces of text: parts that make up characters together, and some that never can. */
static u32 piece(struct wire *w, u8 *text)
{
	static const char *const pieces[] = {
		"a", "aa", "aaa", "\xc3", "\xa9", "\xe6", "\x97", "\xe6\x97", "\x97\xa5", "\xa5",
		"\xf0\x9f", "\x90\xa7", "\xc3\xa9", "\xa5z", "\xc0\xae", "a\xe6", "aa\xe6\x97",
	};
	const char *one = pieces[wire_odd(w, ARRAY_SIZE(pieces))];

	memcpy(text, one, strlen(one));
	return strlen(one);
}

/* A wide window, any, or none. */
static u32 any_window(struct wire *w)
{
	return wire_odd(w, 2) ? 2 * WIRE_SAID : wire_odd(w, 2) ? wire_odd(w, 2 * WIRE_SAID) : 0;
}

/* Any segment: near the beginning of the stream, near rcv_nxt, or after the last one (@told). */
static struct wire_segment anything(struct wire *w, u32 isn, u32 told, u8 *text)
{
	u32 said = wire_odd(w, 2) ? w->sent : wire_odd(w, w->sent + 1);
	struct wire_segment s = { .ack = w->told_iss + 1 + said, .text = text };
	u32 from = wire_odd(w, 3) ? isn + 1 : w->rcv_nxt;

	s.seq = wire_odd(w, 3) ? from + wire_odd(w, 8) - 5 : wire_odd(w, 2) ? from : told;
	switch (wire_odd(w, 12)) {
	case 0:
		s.syn = true;
		s.seq = wire_odd(w, 3) ? s.seq - 1 : isn;
		break;
	case 1:
	case 2:
	case 3:
		s.syn = s.has_ack = true;
		s.seq = wire_odd(w, 3) ? s.seq - 1 : isn;
		break;
	case 4:
		s.rst = true;
		s.has_ack = w->server == WIRE_SYN_SENT && wire_odd(w, 2);
		if (wire_odd(w, 2))
			s.seq = w->has_fin ? w->rcv_nxt - 1 : w->rcv_nxt + wire_odd(w, 4);
		break;
	case 5:
		s.has_ack = s.fin = wire_odd(w, 2);
		return s;
	default:
		s.has_ack = true;
	}
	s.fin = !s.syn && !s.rst && wire_odd(w, 12) == 0;
	if (w->has_sent_fin && wire_odd(w, 2))
		s.ack++;
	if (w->has_cookies && wire_odd(w, 2))
		s.ack = (wire_odd(w, 2) ? w->secret : w->older_secret) + s.seq;
	else if (wire_odd(w, 8) == 0)
		s.ack += wire_odd(w, 5) - 2;
	if (s.syn ? wire_odd(w, 6) == 0 : wire_odd(w, 8))
		s.len = piece(w, text);
	s.window = any_window(w);
	return s;
}

/* Both ends send a FIN and acknowledge that of the other. */
static void part(struct wire *w)
{
	struct wire_segment s = {
		.seq = w->rcv_nxt, .ack = wire_next(w), .has_ack = true, .fin = true,
	};

	wire_send(w, &s);
	if (!w->has_sent_fin)
		wire_finish(w);
	s = (struct wire_segment) { .seq = w->rcv_nxt, .ack = wire_next(w), .has_ack = true };
	wire_send(w, &s);
}

/* Sends a segment. It may pass before the server's answer to the last one does. */
static void send_early(struct wire *w, const struct wire_segment *s)
{
	bool passes = wire_pass(w, WIRE_CLIENT, s) && !(w->loses && wire_odd(w, 4) == 0);

	wire_send_late(w);
	w->is_slow = wire_odd(w, 6) == 0;
	if (passes)
		wire_arrive(w, s);
	w->is_slow = false;
}

/* A second hook with the same rule, and a window whose edge moves; or not. */
static void vary(struct wire *w)
{
	w->moves = wire_odd(w, 2);
	w->takes_part = wire_odd(w, 2);
	w->sights = 1 + wire_odd(w, WIRE_SIGHTS);
	w->sight[1] = w->sight[0];
	w->sight[1].policy.stream = &w->sight[1].stream_policy;
	if (w->sight[0].policy.scope)
		w->sight[1].policy.scope = &w->sight[1].scope;
}

/*
 * The server says something, or moves the edge of its window, and may say so; or its process closes
 * the connection with octets unread.
 */
static void act(struct wire *w)
{
	if (wire_odd(w, 8) == 0) {
		w->server = WIRE_LISTEN;
		wire_pass(w, WIRE_SERVER, &(struct wire_segment) {
				     .seq = wire_acceptable(w), .ack = w->rcv_nxt,
				     .has_ack = true, .rst = true,
			     });
		return;
	}
	if (!w->has_sent_fin && wire_odd(w, 2)) {
		wire_say(w, 1 + wire_odd(w, wire_odd(w, 3) ? 4 : WIRE_SAID));
		return;
	}
	if (w->moves)
		wire_move_edge(w, 6);
	if (wire_odd(w, 2))
		wire_answer(w, false);
}

static bool play_attack_on(struct wire *w, bool calls)
{
	u32 isn, told, n, i;
	u8 text[8] = { 0 };
	bool good = true;

	w->calls = calls;
	w->has_cookies &= !calls;
	w->size_index = wire_odd(w, WIRE_SIZES);
	w->strictness = wire_odd(w, 2) * 4;
	w->strictness_back = wire_odd(w, 4) == 0 ? 4 : 0;
	w->keeps_flow = wire_odd(w, 2);
	w->loses = wire_odd(w, 2);
	vary(w);
	/* What a receiver has taken of a segment in part must be seen: see ooo_stream.c. */
	w->loses_back = !w->takes_part && wire_odd(w, 2);
	isn = told = sample_random(&w->odds);
	n = 4 + wire_odd(w, 20);
	if (calls && wire_odd(w, 2))
		wire_call(w);
	else
		wire_send(w, &(struct wire_segment) {
				     .seq = isn,
				     .syn = true,
				     .text = text,
				     .len = wire_odd(w, 4) ? 0 : piece(w, text),
			     });
	for (i = 0; i < n && good; i++) {
		struct wire_segment s = anything(w, isn, told, text);
		u32 event = wire_odd(w, 12);

		if (event == 0 && !w->is_late)
			wire_forget(w);
		if (event == 1)
			wire_give_up(w);
		if (calls && w->server <= WIRE_SYN_SENT && wire_odd(w, 3) == 0)
			wire_call(w);
		if (w->server == WIRE_CONNECTED && wire_odd(w, 8) == 0)
			wire_answer(w, false);
		if (w->server == WIRE_SYN_RECEIVED && wire_odd(w, 8) == 0)
			wire_answer(w, true);
		if (w->server == WIRE_CONNECTED && wire_odd(w, 12) == 0) {
			wire_finish(w);
			w->is_orphan |= wire_odd(w, 2);
		}
		if (w->server == WIRE_CONNECTED && event == 2)
			part(w);
		if (w->server == WIRE_CONNECTED && event >= 10)
			act(w);
		if (s.len > 1 && wire_odd(w, 3) == 0)
			s.piece = 1 + wire_odd(w, s.len);
		if (event == 3) {
			wire_send_late(w);
			w->now += wire_odd(w, 2) ? WIRE_ALONE : wire_odd(w, WIRE_ALONE);
		}
		/* Where anything() may go on. */
		told = s.seq + s.syn + s.len;
		send_early(w, &s);
		good = is_good(w) && !w->unsearched;
	}
	return good;
}

/* A client of any kind. */
static bool play_attack(struct wire *w, u64 *seed, bool in_order)
{
	wire_init(w, seed, in_order);
	return play_attack_on(w, false);
}

/* The same, which is called: the server of who is protected. */
static bool play_called_attack(struct wire *w, u64 *seed, bool in_order)
{
	wire_init(w, seed, in_order);
	return play_attack_on(w, true);
}

/* A segment that acknowledges what the client likes, of all that the server has sent. */
static struct wire_segment acknowledging(struct wire *w)
{
	u32 unacked = wire_next(w) - w->snd_una;
	const u32 taken[] = { 0, unacked, wire_odd(w, unacked + 1) };

	return (struct wire_segment) {
		.seq = w->rcv_nxt, .ack = w->snd_una + taken[wire_odd(w, ARRAY_SIZE(taken))],
		.has_ack = true,
		.window = wire_odd(w, 2) ? WIRE_SAID * wire_odd(w, 3) : any_window(w),
	};
}

/* The client opens the window, of what the server has, by a segment that is invalid on its way. */
static void open_unseen(struct wire *w)
{
	u32 strictness = w->strictness;

	w->strictness = 1;
	wire_send(w, &(struct wire_segment) { .seq = w->rcv_nxt, .ack = w->snd_una,
					      .has_ack = true, .window = 2 * WIRE_SAID });
	w->strictness = strictness;
}

/* The client acknowledges one SYN-ACK of several, which begins no connection, and then the last. */
static bool call_twice(struct wire *w, u32 isn)
{
	const struct wire_segment syn = { .seq = isn, .syn = true, .window = WIRE_WIDE };
	struct wire_segment lost;
	u32 i;

	for (i = wire_odd(w, 3); i; i--) {
		w->size_index = wire_odd(w, WIRE_SIZES);
		wire_send(w, &syn);
		lost = acknowledging(w);
		wire_pass(w, WIRE_CLIENT, &lost);
	}
	w->size_index = wire_odd(w, WIRE_SIZES);
	return call(w, isn, 0);
}

/*
 * A client that sends nothing but text wants to hide what the server says from the search for a
 * consent to another protocol: by windows, by acknowledgments, and by segments that the server does
 * not get, or ignores, or that connection tracking finds invalid.
 */
static bool play_hiding(struct wire *w, u64 *seed, bool in_order)
{
	bool is_narrow;
	u32 i, isn;

	wire_init(w, seed, in_order);
	isn = sample_random(&w->odds);
	if (!call_twice(w, isn))
		return true;
	w->strictness = wire_odd(w, 2) * 2;
	w->strictness_back = wire_odd(w, 4) == 0 ? 4 : 0;
	is_narrow = wire_odd(w, 2);
	for (i = 0; i < 30 && w->delivered < WIRE_TEXT / 2; i++) {
		struct wire_segment s = acknowledging(w);

		/* So that there is something to open. */
		s.window = is_narrow ? s.window % WIRE_SAID : s.window;
		switch (wire_odd(w, 5)) {
		case 0:
			wire_say(w, wire_odd(w, 4) ? WIRE_SAID : 1 + wire_odd(w, 4));
			continue;
		case 1:
			s.seq -= wire_odd(w, 2) * wire_odd(w, 100);
			break;
		case 2:
			wire_pass(w, WIRE_CLIENT, &s);
			continue;
		case 3:
			open_unseen(w);
			continue;
		default:
			s.text = (const u8 *)"text";
			s.len = 1 + wire_odd(w, 4);
		}
		wire_send(w, &s);
	}
	return !w->unsearched;
}

/* The server has closed, and the client does so with his last octets. Are they delivered? */
static bool tell_last(struct wire *w, u32 isn, const u8 *text, u32 from, u32 len, u32 loss)
{
	const struct wire_segment last = {
		.seq = isn + 1 + from, .ack = w->iss + 2, .has_ack = true, .fin = true,
		.window = WIRE_WIDE, .text = text + from, .len = len - from,
	};
	u32 tries = 0;

	wire_finish(w);
	while (w->delivered != len && tries++ < 20) {
		lossy_send(w, &last, tries < 10 ? loss : 0);
		w->now += 2500;
	}
	return w->delivered == len && (loss || tries == 1);
}

static bool play_honest(struct wire *w, u64 *seed, bool in_order)
{
	u32 times, loss, isn;
	u8 text[64];

	wire_init(w, seed, in_order);
	loss = wire_odd(w, 2) ? 0 : 3 + wire_odd(w, 6);
	isn = sample_random(&w->odds);
	for (times = 1 + wire_odd(w, 4); times; times--) {
		u32 len = 0, tries = 0, from;

		while (len < 8 + wire_odd(w, 40)) {
			u32 size = 1 + wire_odd(w, 4);

			sample_char(text + len, size, &w->odds);
			len += size;
		}
		/* As by the clock for initial sequence numbers: after all that was used before. */
		isn += 100000 + wire_odd(w, 100000);
		while (!call(w, isn, tries < 20 ? loss : 0))
			if (tries++ > 40)
				return false;
		from = wire_odd(w, 3) ? len : 1 + wire_odd(w, len - 1);
		if (!tell(w, isn, text, from, loss) ||
		    (from < len && !tell_last(w, isn, text, from, len, loss)))
			return false;
		if (w->delivered != len || memcmp(w->text, text, len))
			return false;
		if (wire_odd(w, 2))
			wire_send(w, &(struct wire_segment) { .seq = isn + 1 + len, .rst = true });
		if (wire_odd(w, 3) == 0)
			wire_forget(w);
	}
	return true;
}

#endif /* _UTF8GUARD_TESTS_CONNECTION_CALLERS_H */
