/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A model of a TCP stream, by which both engines are judged, in host and KUnit tests:
 *
 *	sender  -->  engine  -->  network (the queue)  -->  receiver
 *
 * Segments get lost, are doubled and reordered before the engine and after it. The receiver
 * keeps octets that come early, and resolves overlaps in each of the ways of real receivers.
 * The test fails if the receiver delivers ill-formed text (model_receiver.is_wrong), or if the
 * engine gives a wrong verdict or remembers something wrong (model.has_erred).
 */
#ifndef _UTF8GUARD_KUNIT_STREAM_MODEL_H
#define _UTF8GUARD_KUNIT_STREAM_MODEL_H

#include "../kernel/nf/stream/inorder_segment.h"
#include "sample.h"
#include "stream_memory.h"

#define MODEL_TEXT 2048
#define MODEL_QUEUE 48

/* The state after an octet: by an independent implementation, where there is one. */
#ifdef __KERNEL__
static inline u8 model_step(u8 state, u8 octet)
{
	utf8guard_feed(&state, &octet, 1);
	return state;
}
#else
#define model_step reference_step
#endif

/* Which segment the receiver takes where two overlap that were not delivered yet. */
enum model_overlap {
	MODEL_FIRST,	/* the one that came first: Windows */
	MODEL_LAST,	/* the one that came last */
	MODEL_BSD,	/* the one that begins first; if both do, that came first: BSD, Linux */
	MODEL_BSD_LAST,	/* the one that begins first; if both do, that came last: HP-UX, Solaris */
	MODEL_ANY,	/* one of them, by chance */
	MODEL_OVERLAPS,
};

/* All positions are from the octet after the SYN. */
struct model_receiver {
	enum model_overlap overlap;
	u64 *seed;
	u32 next;	/* all octets before this one are delivered */
	u32 fin;	/* position of the FIN, or MODEL_TEXT */
	u8 states;	/* the states to which the delivered octets may have led, a bit each */
	bool is_wrong;	/* something was delivered that must not be */
	bool is_closed;
	bool is_reset;	/* by a RST: octets that are not delivered yet never will be */
	bool is_trusting;	/* it takes any RST in its window: RFC 793, not RFC 5961 */
	u32 promised;	/* the engine promises nothing about octets before this one */
	u32 forgotten;	/* the engine promises nothing about an end here */
	struct ugnf_scope *reader;	/* parses what is delivered, in place of @states */
	const struct ugnf_scope *initial;	/* @reader at the beginning of the stream */
	bool must_follow;		/* @reader must follow everything that is delivered */
	u8 octets[MODEL_TEXT];
	u16 owner[MODEL_TEXT];	/* 0: the octet is not there; else 1 + begin of its segment */
	bool elsewhere[MODEL_TEXT];	/* the octet came by a way around the engine... */
	bool seam[MODEL_TEXT + 1];	/* ...and such a segment began or ended here */
};

static inline void model_receiver_init(struct model_receiver *r, enum model_overlap overlap,
				       u64 *seed)
{
	memset(r, 0, sizeof(*r));
	r->overlap = overlap;
	r->seed = seed;
	r->fin = MODEL_TEXT;
	r->states = 1U << UTF8GUARD_STATE_START;
}

static inline bool model_wins(struct model_receiver *r, u32 owner, u32 from, bool *chance)
{
	switch (r->overlap) {
	case MODEL_FIRST:
		return false;
	case MODEL_LAST:
		return true;
	case MODEL_BSD:
		return from + 1 < owner;
	case MODEL_BSD_LAST:
		return from + 1 <= owner;
	default:
		return *chance;
	}
}

/*
 * Delivers an octet of a text without a parser. The engine promises nothing about octets that
 * it did not see, and about those after them only that there is a state from which they are
 * not refused.
 */
static inline void model_run(struct model_receiver *r, u8 octet, bool elsewhere)
{
	u8 from, to = 0;

	if (r->seam[r->next])
		r->states = UGNF_ANY_STATE;

	for (from = 0; from < UTF8GUARD_STATE_REFUSED; from++)
		if (r->states >> from & 1)
			to |= 1U << model_step(from, octet);
	r->states = elsewhere ? UGNF_ANY_STATE : to & ((1U << UTF8GUARD_STATE_REFUSED) - 1);
	r->is_wrong |= !r->states;
}

/* Delivers an octet to a parser that reads what is delivered and nothing else. */
static inline void model_read(struct model_receiver *r, u8 octet, bool elsewhere)
{
	struct utf8guard_error error;

	if (elsewhere || r->seam[r->next])
		ugnf_scope_set_alone(r->reader, r->initial, r->initial);
	if (elsewhere)
		return;
	ugnf_scope_feed(r->reader, &octet, 1, &error);
	r->is_wrong |= r->reader->status == UGNF_SCOPE_REFUSED ||
		       (r->must_follow && r->reader->status == UGNF_SCOPE_UNFOLLOWED);
}

static inline void model_close(struct model_receiver *r)
{
	struct utf8guard_error error;

	r->is_closed = true;
	/* The engine has forgotten what came before this end, so it promises nothing. */
	if (r->promised || (r->forgotten && r->next == r->forgotten))
		return;
	if (r->reader) {
		ugnf_scope_end(r->reader, &error);
		r->is_wrong |= r->reader->status == UGNF_SCOPE_REFUSED;
	} else {
		r->is_wrong |= !(r->states >> UTF8GUARD_STATE_START & 1);
	}
}

static inline void model_deliver(struct model_receiver *r)
{
	while (r->next < MODEL_TEXT && r->owner[r->next] && r->next < r->fin) {
		bool elsewhere = r->elsewhere[r->next] || r->next < r->promised;

		if (r->reader)
			model_read(r, r->octets[r->next], elsewhere);
		else
			model_run(r, r->octets[r->next], elsewhere);
		r->next++;
	}
	if (r->next == r->fin)
		model_close(r);
}

/* A segment, or a piece of one, arrives at the receiver. */
static inline void model_receive(struct model_receiver *r, u32 from, const u8 *data, u32 len,
				 bool fin, bool elsewhere)
{
	bool chance = false;
	u32 i, last = 0;

	if (r->is_closed)
		return;
	for (i = from < r->next ? r->next - from : 0; i < len; i++) {
		u32 owner = r->owner[from + i];

		if (owner != last)
			chance = sample_random(r->seed) & 1;
		last = owner;
		if (owner && !model_wins(r, owner, from, &chance))
			continue;
		r->octets[from + i] = data[i];
		r->owner[from + i] = from + 1;
		r->elsewhere[from + i] = elsewhere;
	}
	r->seam[from] |= elsewhere;
	r->seam[from + len] |= elsewhere;
	if (fin && r->fin == MODEL_TEXT)
		r->fin = from + len;
	model_deliver(r);
}

/* The receiver is short of memory: it discards octets from @from on that it has not delivered. */
static inline void model_prune(struct model_receiver *r, u32 from)
{
	memset(r->owner + from, 0, (MODEL_TEXT - from) * sizeof(r->owner[0]));
	if (r->fin > from)
		r->fin = MODEL_TEXT;
}

/* A RST arrives. The receiver ignores its payload, and ignores it outside of the window. */
static inline void model_receive_reset(struct model_receiver *r, u32 from)
{
	if (from != r->next && !(r->is_trusting && from - r->next < MODEL_TEXT))
		return;
	r->is_reset |= !r->is_closed;
	r->is_closed = true;
}

/* The engine has picked up the stream at @from: it answers for nothing that is on its way. */
static inline void model_receive_anew(struct model_receiver *r, u32 from)
{
	u32 i;

	for (i = r->next; i < MODEL_TEXT; i++)
		r->elsewhere[i] |= r->owner[i] != 0;
	r->seam[r->next] = true;
	r->seam[from] = true;
	r->promised = from;
}

/* A segment: octets of one of the texts of the sender. */
struct model_segment {
	const u8 *text;
	u32 from, len, piece;	/* where in the text, how long, and the GSO size or 0 */
	u32 parts;	/* the number of segments that were merged into it, less 1 */
	bool syn, fin, urg;
	bool rst;	/* its payload is the first octets of @text, wherever @from is */
	bool elsewhere;	/* it goes by a way around the engine */
	bool is_early;	/* it was let through early, and copied: any part of it may arrive */
};

/* How often each of the trials of stream_trials.h was made, in all streams. */
struct model_trials {
	u64 resets, urgent, unread, passed, early, reneged, given_up;
};

struct model {
	u64 *seed;
	u64 odds;	/* random numbers for trials, apart from @seed: streams stay the same */
	u64 chances;	/* random numbers for copies, apart from both for the same reason */
	bool is_forgetful;	/* there are no copies */
	struct model_trials trials;
	bool has_erred;	/* the engine has, in its verdict or in what it remembers */
	bool is_passing;	/* a segment that cannot be read is let through */
	u32 isn, now;
	bool takes_part;	/* the receiver may take the beginning of a segment alone */
	bool is_racing;	/* segments are short, and many are sent again with other boundaries */
	bool has_detour;	/* there is a way around the engine */
	struct ugnf_ooo_stream ooo_stream, ooo_stream_before;
	struct ugnf_ooo_segment ooo_segment;
	bool in_order;		/* use these, in place of @ooo_stream and @ooo_segment */
	struct ugnf_inorder_stream inorder_stream, inorder_stream_before;
	struct ugnf_inorder_segment inorder_segment;
	struct ugnf_memory memory;	/* of copies, in order */
	struct ugnf_scope reader;
	struct ugnf_stream_policy policy;
	struct model_receiver receiver;
	struct model_segment queue[MODEL_QUEUE];	/* let through, and on their way */
	u32 queued;
	u32 through;	/* the position after all octets that were let through */
	u32 read;	/* the position after all octets that the engine has read in order */
	u8 early[MODEL_TEXT];	/* the octets that were let through, and... */
	bool is_early[MODEL_TEXT];	/* ...which of them came early */
};

static inline u32 model_below(struct model *m, u32 n)
{
	return sample_random(m->seed) % n;
}

static inline u32 model_odd(struct model *m, u32 n)
{
	return sample_random(&m->odds) % n;
}

static inline u32 model_chance(struct model *m, u32 n)
{
	return sample_random(&m->chances) % n;
}

static inline void model_forget(struct model *m)
{
	ugnf_sums_free(m->ooo_stream.sums);
	memset(&m->ooo_stream, 0, sizeof(m->ooo_stream));
}

static inline void model_init(struct model *m, u64 *seed, enum model_overlap overlap)
{
	model_forget(m);
	stream_sums_memory.want = 0;
	memset(&m->policy, 0, sizeof(m->policy));
	m->in_order = false;
	m->has_detour = false;
	m->has_erred = false;
	m->is_passing = false;
	m->seed = seed;
	m->odds = *seed * 0xd6e8feb86659fd93ULL | 1;
	m->chances = *seed * 0xa0761d6478bd642fULL | 1;
	m->queued = 0;
	m->through = 0;
	m->read = 0;
	memset(m->is_early, 0, sizeof(m->is_early));
	m->isn = sample_random(seed);
	if (sample_random(seed) % 4 == 0)
		m->isn = -(sample_random(seed) % MODEL_TEXT); /* it will wrap */
	m->now = sample_random(seed);
	model_receiver_init(&m->receiver, overlap, seed);
	m->receiver.is_trusting = model_odd(m, 8) == 0;
}

/* In some streams there is no memory for sums, or none at first. */
static inline void model_lack_sums(struct model *m)
{
	stream_sums_memory.seed = m->chances;
	stream_sums_memory.want = model_chance(m, 8) ? 0 : 1 + model_chance(m, 4);
}

static inline bool model_is_wrong(const struct model *m)
{
	return m->receiver.is_wrong || m->has_erred;
}

/* Enough memory for all copies, for some, or for none. */
static inline struct ugnf_memory *model_memory(struct model *m)
{
	struct ugnf_memory *memory = &m->memory;

	memset(memory->taken, 0, sizeof(memory->taken));
	memory->held = 0;
	memory->seed = m->chances;
	memory->most = model_chance(m, 2) ? MEMORY_COPIES : model_chance(m, 8);
	memory->want = model_chance(m, 4) ? 0 : 2 + model_chance(m, 8);
	return m->is_forgetful || model_chance(m, 8) == 0 ? NULL : memory;
}

/* The stream ends: does the engine give back all memory? */
static inline bool model_gives_back(struct model *m)
{
	if (!m->in_order)
		return true;
	ugnf_copies_drop(&m->inorder_stream.copies);
	return !m->memory.held && !m->inorder_stream.copies.count &&
	       !m->inorder_segment.copies.count;
}

/* From now on, engine and receiver read the stream in order, by the parser @initial. */
static inline void model_set_reader(struct model *m, const struct ugnf_scope *initial)
{
	m->in_order = true;
	ugnf_inorder_init(&m->inorder_stream, initial, model_memory(m));
	memcpy(&m->reader, initial, sizeof(*initial));
	m->receiver.reader = &m->reader;
	m->receiver.initial = &m->inorder_stream.initial;
	m->receiver.must_follow = !m->policy.open;
}

static inline struct ugnf_segment_header model_header(const struct model *m,
						      const struct model_segment *s)
{
	return (struct ugnf_segment_header) {
		.seq = m->isn + 1 + s->from - s->syn,
		.len = s->len,
		.piece = s->piece,
		.now = m->now,
		.syn = s->syn,
		.fin = s->fin,
		.rst = s->rst,
		.urg = s->urg,
	};
}

static inline bool model_feed(struct model *m, const u8 *data, u32 len)
{
	if (m->in_order)
		return ugnf_inorder_segment_feed(&m->inorder_segment, data, len);
	return ugnf_ooo_segment_feed(&m->ooo_segment, data, len);
}

/* Gives the engine the first @fed octets of a segment, in pieces of random size, as of an skb. */
static inline enum ugnf_stream_verdict model_give(struct model *m, const struct model_segment *s,
						  u32 fed, u64 *seed)
{
	struct ugnf_segment_header header = model_header(m, s);
	const u8 *data = s->text + (s->rst ? 0 : s->from);
	u32 at = 0, n;

	if (m->in_order)
		ugnf_inorder_segment_begin(&m->inorder_segment, &m->inorder_stream, &header,
					   &m->policy);
	else
		ugnf_ooo_segment_begin(&m->ooo_segment, &m->ooo_stream, &header, &m->policy);
	for (; at < fed; at += n) {
		n = fed - at;
		if (sample_random(seed) % 3 == 0)
			n = 1 + sample_random(seed) % n;
		if (!model_feed(m, data + at, n))
			break;
	}
	return m->in_order ? ugnf_inorder_segment_end(&m->inorder_segment) :
			     ugnf_ooo_segment_end(&m->ooo_segment, &m->ooo_stream);
}

/* A receiver may take any part of a segment that came early. */
static inline void model_arrive_in_part(struct model *m, const struct model_segment *s)
{
	u32 at = model_chance(m, s->len), n = 1 + model_chance(m, s->len - at);

	model_receive(&m->receiver, s->from + at, s->text + s->from + at, n,
		      s->fin && at + n == s->len, s->elsewhere);
}

/* A receiver takes what is before the edge of its window, or what it has memory for. */
static inline void model_arrive_beginning(struct model *m, const struct model_segment *s)
{
	model_receive(&m->receiver, s->from, s->text + s->from, model_chance(m, s->len), false,
		      s->elsewhere);
}

/* A segment arrives, whole or in the pieces of its GSO size; some of them get lost. */
static inline void model_arrive(struct model *m, const struct model_segment *s, u32 loss)
{
	u32 size = s->piece ? s->piece : s->len, at = 0, n;

	if (m->takes_part && s->len && model_chance(m, 4) == 0) {
		model_arrive_beginning(m, s);
		return;
	}
	if (s->is_early && s->len && model_chance(m, 4) == 0)
		model_arrive_in_part(m, s);
	do {
		n = s->len - at < size ? s->len - at : size;
		if (model_below(m, 100) >= loss)
			model_receive(&m->receiver, s->from + at, s->text + s->from + at, n,
				      s->fin && at + n == s->len, s->elsewhere);
		at += n;
	} while (at < s->len);
}

static inline void model_arrive_one(struct model *m, u32 loss)
{
	u32 i = model_below(m, m->queued);
	struct model_segment s = m->queue[i];

	/* Most segments arrive in order; some arrive twice. */
	if (model_below(m, 3)) {
		i = 0;
		s = m->queue[0];
	}
	if (model_below(m, 10))
		memmove(&m->queue[i], &m->queue[i + 1],
			(--m->queued - i) * sizeof(m->queue[0]));
	model_arrive(m, &s, loss);
}

/* The position up to which somebody may know what the receiver will deliver. */
static inline u32 model_through(const struct model *m)
{
	return m->in_order && m->read < m->through ? m->read : m->through;
}

/* The engine has let the segment through: it is on its way to the receiver. */
static inline void model_forward(struct model *m, const struct model_segment *s)
{
	while (m->queued == MODEL_QUEUE)
		model_arrive_one(m, 0);
	m->queue[m->queued++] = *s;
	if (m->through < s->from + s->len)
		m->through = s->from + s->len;
}

static inline void model_note_read(struct model *m)
{
	if (m->in_order && m->inorder_stream.count)
		m->read = ugnf_inorder_last(&m->inorder_stream)->seq - m->isn - 1;
}

/* An acknowledgment of all octets before @position, whoever sent it. */
static inline void model_acknowledge_to(struct model *m, u32 position)
{
	u32 ack = m->isn + 1 + position;

	if (m->in_order)
		ugnf_inorder_acked(&m->inorder_stream, ack, m->now);
	else
		ugnf_ooo_acked(&m->ooo_stream, ack, m->now);
	model_note_read(m);
}

static inline void model_acknowledge(struct model *m)
{
	bool is_ended = m->receiver.is_closed && !m->receiver.is_reset;

	model_acknowledge_to(m, m->receiver.next + is_ended);
}

/* An acknowledgment that the receiver sent earlier, or one that no receiver can have sent. */
static inline void model_acknowledge_oddly(struct model *m)
{
	u32 far = UGNF_STREAM_WINDOW + MODEL_TEXT;

	if (model_below(m, 3))
		model_acknowledge_to(m, model_below(m, m->receiver.next + 1));
	else
		model_acknowledge_to(m, far + model_below(m, -2 * far));
}

/*
 * Time passes, until nothing is on its way any more. A receiver that has taken part of a segment
 * says so meanwhile.
 */
static inline void model_wait(struct model *m, u32 loss)
{
	while (m->queued)
		model_arrive_one(m, loss);
	if (m->takes_part)
		model_acknowledge(m);
	m->now += UGNF_STREAM_HOLD;
}

#endif /* _UTF8GUARD_KUNIT_STREAM_MODEL_H */
