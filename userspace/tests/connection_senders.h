/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happens in connections of connection_tracking.h once they have begun: packets that get
 * lost, are doubled and overtake each other, windows that move, probes, segments of which a
 * part is taken, and acknowledgments that nobody can have sent.
 */
#ifndef _UTF8GUARD_TESTS_CONNECTION_SENDERS_H
#define _UTF8GUARD_TESTS_CONNECTION_SENDERS_H

#include "../../kunit/connection_server.h"

#define NET_TEXTS 4
#define NET_TEXT 320
#define NET_QUEUE 24
#define NET_SENT 40

/* A packet on its way: it has passed @at hooks. */
struct net_packet {
	enum wire_end from;
	u32 at;
	struct wire_segment s;
};

struct net {
	struct wire *w;
	u32 isn, len, loss;
	enum inorder_kind kind[WIRE_SIGHTS];
	u8 texts[NET_TEXTS][NET_TEXT];
	u32 queued;
	struct net_packet queue[NET_QUEUE];
	/*
	 * At each hook: the sequence number after all that was let through; the first octets that
	 * were let through, where any were; whether octets were acknowledged that never were let
	 * through; whether the hook need not notice that (net_forge()).
	 */
	u32 through[WIRE_SIGHTS];
	u8 octets[WIRE_SIGHTS][NET_TEXT];
	bool is_through[WIRE_SIGHTS][NET_TEXT + 1];
	bool is_gap[WIRE_SIGHTS], is_unfollowed[WIRE_SIGHTS], has_forged;
	/* The client: what it knows of the window, and where the pieces of its text begin. */
	u32 snd_una, next, right_edge, size;
	u32 count, boundaries[NET_TEXT + 2];
	bool is_known[NET_TEXT];	/* the piece that begins there has passed all hooks */
};

static u32 net_odd(struct net *n, u32 below)
{
	return wire_odd(n->w, below);
}

/* Makes a good text of a kind, of @len octets at most; returns how long it is. */
static u32 net_make_text(struct net *n, u8 *octets, u32 len, enum inorder_kind kind)
{
	struct inorder_text text = { .octets = octets, .len = len, .seed = &n->w->odds };

	if (kind != INORDER_KINDS)
		return inorder_make_text(&text, kind);
	sample_text(octets, len, sample_mixes[net_odd(n, SAMPLE_MIXES)], &n->w->odds);
	return len;
}

/* The first text is good. The others are copies or other texts of the kind, some of them spoilt. */
static bool net_make_texts(struct net *n, u32 len)
{
	u32 i, spoilt;

	n->len = net_make_text(n, n->texts[0], len, n->kind[0]);
	for (i = 1; n->len && i < NET_TEXTS; i++) {
		memcpy(n->texts[i], n->texts[0], n->len);
		if (net_odd(n, 3) == 0)
			net_make_text(n, n->texts[i], n->len, n->kind[0]);
		for (spoilt = net_odd(n, 4); spoilt; spoilt--)
			n->texts[i][net_odd(n, n->len)] =
				net_odd(n, 2) ? sample_border[net_odd(n, SAMPLE_BORDERS)] :
						"%0a. \r\n"[net_odd(n, 7)];
	}
	return n->len;
}

/* A handshake by RFC 9293, in which nothing gets lost. */
static bool net_connect(struct net *n)
{
	struct wire *w = n->w;

	n->isn = sample_random(&w->odds);
	wire_send(w, &(struct wire_segment) { .seq = n->isn, .syn = true, .window = WIRE_WIDE });
	if (!w->has_answered || !w->answer.syn)
		return false;
	n->snd_una = n->next = n->through[0] = n->through[1] = n->isn + 1;
	n->right_edge = w->answer.ack + w->answer.window;
	wire_send(w, &(struct wire_segment) { .seq = n->isn + 1, .ack = w->iss + 1,
					      .window = WIRE_WIDE, .has_ack = true });
	return w->server == WIRE_CONNECTED;
}

static struct wire_segment net_segment(const struct net *n, const u8 *text, u32 from, u32 to)
{
	return (struct wire_segment) {
		.seq = n->isn + 1 + from, .len = to - from, .text = text + from,
		.ack = n->w->iss + 1, .window = WIRE_WIDE, .has_ack = true,
	};
}

static void net_put(struct net *n, enum wire_end from, u32 at, const struct wire_segment *s);

static void net_answer(struct net *n)
{
	wire_answer(n->w, false);
	net_put(n, WIRE_SERVER, 0, &n->w->answer);
}

/* A segment arrives at the server, whose answer goes on its way. */
static void net_serve(struct net *n, const struct wire_segment *s)
{
	n->w->is_held = true;
	n->w->has_answered = false;
	wire_receive(n->w, s);
	if (n->w->has_answered)
		net_put(n, WIRE_SERVER, 0, &n->w->answer);
}

/* An acknowledgment arrives at the client. */
static void net_hear(struct net *n, const struct wire_segment *s)
{
	if (ugnf_seq_before(s->ack, n->snd_una))
		return;
	n->snd_una = s->ack;
	n->right_edge = s->ack + s->window;
}

static void net_arrive(struct net *n, const struct net_packet *packet)
{
	if (packet->from == WIRE_CLIENT)
		net_serve(n, &packet->s);
	else
		net_hear(n, &packet->s);
}

/* All hooks have let a segment through: if its pieces are sent again, each can be compared. */
static void net_note_known(struct net *n, const struct wire_segment *s)
{
	u32 at, size = s->piece ? s->piece : s->len;

	for (at = 0; at < s->len; at += size)
		if (s->seq - n->isn - 1 + at < n->len)
			n->is_known[s->seq - n->isn - 1 + at] = true;
}

/*
 * Some packet goes on, often the oldest one. It gets lost, or passes its next hook, or arrives.
 * Before its first hook, it may be doubled.
 */
static void net_go_on(struct net *n)
{
	u32 i = net_odd(n, 3) ? 0 : net_odd(n, n->queued);
	struct net_packet packet = n->queue[i];

	if (n->loss && net_odd(n, n->loss) == 0) {
		memmove(&n->queue[i], &n->queue[i + 1],
			(--n->queued - i) * sizeof(n->queue[0]));
		return;
	}
	if (!n->loss || net_odd(n, 12) || packet.at)
		memmove(&n->queue[i], &n->queue[i + 1],
			(--n->queued - i) * sizeof(n->queue[0]));
	if (packet.at == n->w->sights) {
		net_arrive(n, &packet);
		return;
	}
	n->w->now++;
	if (!wire_pass_at(n->w, packet.at, packet.from, &packet.s))
		return;
	if (packet.from == WIRE_SERVER && packet.s.ack == n->w->rcv_nxt)
		n->w->has_part = false;
	if (packet.at + 1 == n->w->sights && packet.from == WIRE_CLIENT && !n->w->is_ruleless)
		net_note_known(n, &packet.s);
	net_put(n, packet.from, packet.at + 1, &packet.s);
}

static void net_put(struct net *n, enum wire_end from, u32 at, const struct wire_segment *s)
{
	/* What has no room on the wire gets lost. */
	if (n->queued == NET_QUEUE)
		return;
	n->queue[n->queued++] = (struct net_packet) { .from = from, .at = at, .s = *s };
}

/*
 * Waits until nothing is on its way, until a server that took a part of a segment has acknowledged
 * that part, and then for UGNF_STREAM_HOLD.
 */
static void net_wait(struct net *n)
{
	while (n->queued)
		net_go_on(n);
	if (n->w->has_part) {
		u32 loss = n->loss;

		n->loss = 0;
		net_answer(n);
		while (n->queued)
			net_go_on(n);
		n->loss = loss;
	}
	n->w->now += UGNF_STREAM_HOLD;
}

/* Is all that was delivered good, by the rule of a hook, if that fails closed? */
static bool net_is_good(const struct net *n, u32 at)
{
	const struct wire_sight *sight = &n->w->sight[at];
	u8 state = UTF8GUARD_STATE_START;
	struct utf8guard_error error;
	struct ugnf_scope reader;
	u32 i;

	/*
	 * After a forged acknowledgment, a lenient rule goes on after the gap. Without a gap, the
	 * hook was right to begin anew there: see net_forge().
	 */
	if (!sight->policy.is_closed ||
	    (n->has_forged && (sight->stream_policy.lenient || !n->is_gap[at])))
		return true;
	if (n->kind[at] == INORDER_KINDS) {
		if (sight->stream_policy.lenient)
			return true;
		for (i = 0; i < n->w->delivered; i++)
			state = reference_step(state, n->w->text[i]);
		return state != UTF8GUARD_STATE_REFUSED;
	}
	inorder_scope(&reader, n->kind[at]);
	if (sight->stream_policy.lenient && ugnf_scope_stands_alone(&reader))
		return true;
	ugnf_scope_feed(&reader, n->w->text, n->w->delivered, &error);
	return reader.status == UGNF_SCOPE_FOLLOWED;
}

static struct wire_segment net_any_segment(struct net *n, const struct wire_segment *sent,
					   u32 count)
{
	const u8 *text = n->texts[net_odd(n, 2) ? 0 : net_odd(n, NET_TEXTS)];
	const struct wire_segment *old = count ? &sent[net_odd(n, count)] : NULL;
	u32 front = n->w->rcv_nxt - n->isn - 1, from = net_odd(n, n->len), to;
	struct wire_segment s;

	if (net_odd(n, 2))
		from = front < n->len ? front : from;
	else if (net_odd(n, 2))
		from = n->through[0] - n->isn - 1 < n->len ? n->through[0] - n->isn - 1 : from;
	to = from + 1 + net_odd(n, net_odd(n, 2) ? n->len - from : 1);
	if (net_odd(n, 4) == 0 && n->len - from > 8)
		to = from + 1 + net_odd(n, 8);
	if (old && old->len && net_odd(n, 2)) {
		from = old->seq - n->isn - 1;
		to = from + old->len;
	}
	s = net_segment(n, text, from, to);
	if (old && net_odd(n, 2))
		s.piece = old->piece;
	else if (net_odd(n, 4) == 0)
		s.piece = 1 + net_odd(n, 12);
	s.fin = net_odd(n, 40) == 0;
	return s;
}

/* The end of one of the ranges that the first hook let through after a hole; 0 if there is none. */
static u32 net_end_of_early(struct net *n)
{
	bool is_hole = false;
	u32 i, count = 0, end = 0;

	for (i = 0; i < n->len; i++) {
		is_hole |= !n->is_through[0][i];
		if (is_hole && n->is_through[0][i] && !n->is_through[0][i + 1] &&
		    net_odd(n, ++count) == 0)
			end = i + 1;
	}
	return end;
}

/*
 * Feeds a parser what a hook let through up to @end, with @octet in the holes. Does it follow all
 * of that? Where octets were let through again with others in their place, the first ones stand for
 * both: the others lead the parser to the same state, or to none.
 */
static bool net_leads_to(const struct net *n, u32 at, u32 end, u8 octet, struct ugnf_scope *reader)
{
	struct utf8guard_error error;
	u8 text[NET_TEXT];
	u32 i;

	for (i = 0; i < end; i++)
		text[i] = n->is_through[at][i] ? n->octets[at][i] : octet;
	memset(reader, 0, sizeof(*reader));
	inorder_scope(reader, n->kind[at]);
	ugnf_scope_feed(reader, text, end, &error);
	ugnf_text_settle(&reader->text);
	return reader->status == UGNF_SCOPE_FOLLOWED;
}

/* Is the parser in the same state at @end whatever the missing octets are, as with 'a' and FF? */
static bool net_steps_over(const struct net *n, u32 at, u32 end)
{
	struct ugnf_scope one, other;

	return n->kind[at] != INORDER_KINDS && end <= n->len &&
	       net_leads_to(n, at, end, 'a', &one) && net_leads_to(n, at, end, 0xff, &other) &&
	       !memcmp(&one, &other, sizeof(one));
}

/* Somebody forges an acknowledgment of octets that were refused or never seen. */
static void net_forge(struct net *n)
{
	u32 early = net_odd(n, 2) ? net_end_of_early(n) : 0;
	/* What a later hook lets through, the first one has let through, too. */
	struct wire_segment s = {
		.seq = n->w->iss + 1, .has_ack = true, .window = WIRE_WIDE,
		.ack = early ? n->isn + 1 + early :
			       n->through[0] + 1 + net_odd(n, net_odd(n, 2) ? 4 : n->len),
	};
	u32 i;

	n->has_forged = true;
	for (i = 0; i < n->w->sights; i++) {
		/* A stream that may be older, of which nothing got through, is picked up there. */
		n->is_unfollowed[i] |= n->w->is_older && n->through[i] == n->isn + 1;
		/* The missing octets make no difference to the parser, and so there is no gap. */
		n->is_unfollowed[i] |= early && net_steps_over(n, i, early);
		n->is_gap[i] = !n->is_unfollowed[i];
	}
	wire_pass(n->w, WIRE_SERVER, &s);
}

static void net_note_through(struct net *n, u32 at, const struct wire_segment *s)
{
	u32 first = s->seq - n->isn - 1, end = s->seq + s->len + s->fin, i;

	for (i = 0; i < s->len; i++) {
		if (!n->is_through[at][first + i])
			n->octets[at][first + i] = s->text[i];
		n->is_through[at][first + i] = true;
	}
	if (ugnf_seq_before(n->through[at], end))
		n->through[at] = end;
}

/*
 * Tells in @passes whether a segment gets through a hook. Returns false if it must not: if there
 * was a gap, and the rule is strict and fails closed.
 */
static bool net_try(struct net *n, u32 at, const struct wire_segment *s, bool *passes)
{
	const struct wire_sight *sight = &n->w->sight[at];
	*passes = wire_pass_at(n->w, at, WIRE_CLIENT, s);
	if (*passes)
		net_note_through(n, at, s);
	return !*passes || !n->is_gap[at] || !s->len || sight->stream_policy.lenient ||
	       !sight->policy.is_closed;
}

static void net_set_rules(struct net *n, bool is_honest)
{
	u32 i;

	n->w->sights = 1 + net_odd(n, WIRE_SIGHTS);
	for (i = 0; i < n->w->sights; i++) {
		n->kind[i] = net_odd(n, 3) ? (enum inorder_kind)net_odd(n, INORDER_KINDS) :
					     INORDER_KINDS;
		/* An honest text is good at each hook: one for classes is good for any text, too. */
		if (i && is_honest &&
		    !(n->kind[0] == INORDER_CLASSES && n->kind[i] == INORDER_KINDS))
			n->kind[i] = n->kind[0];
		wire_set_rule(n->w, i, n->kind[i]);
		n->w->sight[i].stream_policy.lenient = net_odd(n, 6) == 0;
		/* The last message of DNS in a text may be cut off, which is no fault. */
		if (net_odd(n, 6) == 0 || (is_honest && n->kind[i] == INORDER_LABELS))
			wire_set_open(n->w, i);
	}
}

static void net_init(struct net *n, struct wire *w, u64 *seed)
{
	memset(n, 0, sizeof(*n));
	wire_init(w, seed, false);
	n->w = w;
	w->moves = wire_odd(w, 4);
	w->takes_early = w->has_cookies = false;
}

/* A sender of anything, and a receiver that may take a segment in part or not at all. */
static inline bool play_windows(struct wire *w, u64 *seed, bool in_order)
{
	static struct net net;
	struct wire_segment sent[NET_SENT];
	struct net *n = &net;
	u32 i, at;

	(void)in_order;
	net_init(n, w, seed);
	n->loss = wire_odd(w, 2) ? 0 : 3 + wire_odd(w, 6);
	w->takes_part = wire_odd(w, 2);
	w->is_older = wire_odd(w, 2);
	net_set_rules(n, false);
	if (!net_make_texts(n, 8 + wire_odd(w, wire_odd(w, 2) ? 24 : 150)))
		return true;
	if (!net_connect(n))
		return false;
	w->is_held = true;
	for (i = 0; i < NET_SENT; i++) {
		bool passes = true;

		sent[i] = net_any_segment(n, sent, i);
		w->now += 10;
		for (at = 0; at < w->sights && passes; at++)
			if (!net_try(n, at, &sent[i], &passes))
				return false;
		if (passes)
			net_put(n, WIRE_CLIENT, w->sights, &sent[i]);
		while (n->queued && net_odd(n, 2))
			net_go_on(n);
		if (w->moves && net_odd(n, 3) == 0) {
			wire_move_edge(w, net_odd(n, 2) ? 6 : n->len);
			if (net_odd(n, 2))
				net_answer(n);
		}
		if (net_odd(n, 16) == 0)
			net_wait(n);
		if (net_odd(n, 64) == 0)
			net_forge(n);
		/* The flow is forgotten. A new one is seen from its beginning on. */
		if (net_odd(n, 128) == 0) {
			w->is_older = false;
			wire_forget(w);
		}
		for (at = 0; at < w->sights; at++)
			if (!net_is_good(n, at))
				return false;
	}
	return true;
}

/*
 * Sends some pieces as one segment. All hooks know the boundaries between them, from segments that
 * were sent before, or else this segment is segmented there.
 */
static void net_send(struct net *n, u32 from, u32 to)
{
	u32 size = n->boundaries[from + 1] - n->boundaries[from], i;
	struct wire_segment s;

	/* Pieces of one length may go as one packet, which is segmented after the hooks (GSO). */
	for (i = from; i + 1 < to && n->boundaries[i + 1] - n->boundaries[i] == size; i++)
		;
	if (i + 1 < to || n->boundaries[to] - n->boundaries[i] > size || net_odd(n, 2))
		size = 0;
	for (i = from; !size && i + 1 < to; i++)
		if (!n->is_known[n->boundaries[i]])
			to = i + 1;
	s = net_segment(n, n->texts[0], n->boundaries[from], n->boundaries[to]);
	s.piece = to - from > 1 ? size : 0;
	if (ugnf_seq_before(n->next, s.seq + s.len))
		n->next = s.seq + s.len;
	net_put(n, WIRE_CLIENT, 0, &s);
}

/* The first piece that is not all acknowledged. */
static u32 net_oldest(const struct net *n)
{
	u32 i = 0;

	while (i + 1 < n->count && n->boundaries[i + 1] <= n->snd_una - n->isn - 1)
		i++;
	return i;
}

/* A probe of the window: an old sequence number, with no octet or one that was acknowledged. */
static void net_probe(struct net *n)
{
	static const u8 garbage[] = { 0xff };
	struct wire_segment s = net_segment(n, n->texts[0], 0, 0);

	s.seq = n->snd_una - 1;
	/* In a stream that is picked up, this octet could be the first that is seen. */
	if (n->snd_una != n->isn + 1 && !n->w->is_older && net_odd(n, 2)) {
		s.text = garbage;
		s.len = 1;
	}
	net_put(n, WIRE_CLIENT, 0, &s);
}

/* A probe of the window by the next octet, beyond its edge: a piece of its own from now on. */
static void net_probe_beyond(struct net *n)
{
	u32 i = net_oldest(n), at = n->next - n->isn - 1;

	while (i < n->count && n->boundaries[i] < at)
		i++;
	if (i >= n->count || n->boundaries[i] != at || i + 1 > n->count || n->count > NET_TEXT)
		return;
	if (n->boundaries[i + 1] - at > 1) {
		memmove(&n->boundaries[i + 2], &n->boundaries[i + 1],
			(n->count - i) * sizeof(n->boundaries[0]));
		n->boundaries[i + 1] = at + 1;
		n->count++;
	}
	net_send(n, i, i + 1);
}

static void net_client(struct net *n)
{
	u32 oldest = net_oldest(n), from, to, most;

	if (n->snd_una == n->isn + 1 + n->len)
		return;
	most = oldest + 6 < n->count ? oldest + 6 : n->count;
	from = oldest + net_odd(n, most - oldest);
	/* No new piece goes out before those that precede it, and none beyond the window. */
	while (from > oldest && n->isn + 1 + n->boundaries[from] - n->next < 1U << 31 &&
	       n->isn + 1 + n->boundaries[from] != n->next)
		from--;
	to = from + 1 + (from + 1 < most ? net_odd(n, 2 * (most - from) / 2) : 0);
	while (to > from && ugnf_seq_before(n->right_edge, n->isn + 1 + n->boundaries[to]))
		to--;
	if (to > from && n->boundaries[to] > n->boundaries[from])
		net_send(n, from, to);
	else if (net_odd(n, 2))
		net_probe(n);
	else
		net_probe_beyond(n);
}

static void net_cut(struct net *n)
{
	u32 at = 0;

	n->size = 1 + net_odd(n, net_odd(n, 4) ? 40 : 4);
	for (n->count = 0; at < n->len; n->count++) {
		n->boundaries[n->count] = at;
		at += net_odd(n, 2) ? n->size : 1 + net_odd(n, n->size);
		if (at > n->len)
			at = n->len;
	}
	n->boundaries[n->count] = at;
}

/* Was nothing refused of what the honest sender sent? */
static bool net_is_content(const struct net *n)
{
	u32 i, refused = 0;

	/*
	 * A segment for which there is no memory is as if lost, and so is one beside the beginning
	 * (@beside), until the server has acknowledged that. What is not followed passes, or ends
	 * the connection. In a stream that is picked up, single octets of a character cannot
	 * all be compared.
	 */
	for (i = 0; i <= UGNF_STREAM_UNFOLLOWED; i++)
		refused += i == UGNF_STREAM_ACCEPT || i == UGNF_STREAM_UNFOLLOWED ||
			   i == UGNF_STREAM_FULL || i == UGNF_STREAM_AHEAD ||
			   (i == UGNF_STREAM_DIFFERS && n->w->is_older) ? 0 : n->w->verdicts[i];
	return !refused && !n->w->middle && !n->w->ambiguous;
}

/* May the stream be picked up? A protocol's framing may not, nor what the gate has to see begin. */
static bool net_is_text(const struct net *n)
{
	u32 i;

	for (i = 0; i < n->w->sights; i++)
		if (n->kind[i] != INORDER_KINDS && n->kind[i] != INORDER_CLASSES)
			return false;
	return true;
}

/*
 * An honest sender of TCP, one hook or two, and a receiver whose window moves to and fro. All is
 * delivered, and nothing refused on the way.
 */
static inline bool play_network(struct wire *w, u64 *seed, bool in_order)
{
	static struct net net;
	struct net *n = &net;
	u32 i;

	(void)in_order;
	net_init(n, w, seed);
	net_set_rules(n, true);
	if (net_is_text(n) && wire_odd(w, 3) == 0) {
		w->is_older = true;
		w->is_ruleless = true;
	}
	w->memory.most = MEMORY_COPIES;
	w->takes_part = wire_odd(w, 4) == 0;
	do {
		n->len = net_make_text(n, n->texts[0], 1 + wire_odd(w, NET_TEXT - 1), n->kind[0]);
	} while (!n->len);
	net_cut(n);
	if (!net_connect(n))
		return false;
	w->is_held = true;
	n->loss = wire_odd(w, 3) ? 4 + wire_odd(w, 12) : 0;
	for (i = 0; i < 20000 && net_is_content(n) && w->delivered < n->len; i++) {
		if (i > 4000)
			n->loss = 0;
		if (net_odd(n, 3) == 0)
			net_client(n);
		else if (n->queued)
			net_go_on(n);
		/* The first rules come amid the stream; what is on its way gets lost. */
		if (w->is_ruleless && net_odd(n, 40) == 0) {
			w->is_ruleless = false;
			n->queued = 0;
		}
		if (i == 4000) {
			w->moves = false;
			net_answer(n);
		}
		if (w->moves && net_odd(n, 8) == 0) {
			wire_move_edge(w, net_odd(n, 3) ? n->len + 1 : 4);
			net_answer(n);
		}
		/* A retransmission timeout passes. */
		if (net_odd(n, 200) == 0)
			w->now += UGNF_STREAM_HOLD;
	}
	return w->delivered == n->len && !memcmp(w->text, n->texts[0], n->len) &&
	       net_is_content(n);
}

#endif /* _UTF8GUARD_TESTS_CONNECTION_SENDERS_H */
