/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The senders of stream_senders.h, for the engine that reads in order. Their texts are of the
 * protocols that the parsers know, with mistakes in the framing, too.
 */
#ifndef _UTF8GUARD_INORDER_SENDERS_H
#define _UTF8GUARD_INORDER_SENDERS_H

#include "inorder_texts.h"
#include "stream_senders.h"

/* The verdicts that an honest sender may get: after these it sends again. */
static const u32 inorder_patience = 1U << UGNF_STREAM_ACCEPT | 1U << UGNF_STREAM_AHEAD |
				    1U << UGNF_STREAM_FULL;

static void inorder_set(struct model *m, enum inorder_kind kind)
{
	struct ugnf_scope initial;

	inorder_scope(&initial, kind);
	model_set_reader(m, &initial);
}

static u32 inorder_fill(u8 *octets, u32 len, enum inorder_kind kind, u64 *seed)
{
	struct inorder_text text = { .octets = octets, .len = len, .seed = seed };

	return inorder_make_text(&text, kind);
}

/* Octets that have a meaning in the framing of a protocol. */
static const char inorder_signs[] = " \r\n:;%0a.\x1fGP";

/* Makes a mistake: an octet is replaced, is missing, or is there twice. */
static void inorder_spoil(u8 *text, u32 len, u64 *seed)
{
	u32 at = sample_random(seed) % len;

	switch (sample_random(seed) % 4) {
	case 0:
		text[at] = sample_border[sample_random(seed) % SAMPLE_BORDERS];
		break;
	case 1:
		text[at] = inorder_signs[sample_random(seed) % (sizeof(inorder_signs) - 1)];
		break;
	case 2:
		memmove(text + at, text + at + 1, len - at - 1);
		break;
	default:
		memmove(text + at + 1, text + at, len - at - 1);
		break;
	}
}

/* Fills attack_texts; returns the length of the texts. */
static u32 inorder_make_texts(u32 len, enum inorder_kind kind, u64 *seed)
{
	u32 i, n;

	len = inorder_fill(attack_texts[0], len, kind, seed);
	for (i = 1; len && i < ATTACK_TEXTS; i++) {
		memcpy(attack_texts[i], attack_texts[0], len);
		if (sample_random(seed) % 4 == 0)
			inorder_fill(attack_texts[i], len, kind, seed);
		for (n = sample_random(seed) % 4; n; n--)
			inorder_spoil(attack_texts[i], len, seed);
	}
	return len;
}

/* The position where the next octets are in order, if the text goes that far. */
static u32 inorder_front(const struct model *m, u32 len)
{
	const struct ugnf_inorder_stream *stream = &m->inorder_stream;
	u32 front = stream->count ? ugnf_inorder_last(stream)->seq - m->isn - 1 : 0;

	return front < len ? front : 0;
}

static struct model_segment inorder_segment(struct model *m, u32 len,
					    const struct model_segment *sent, u32 n)
{
	struct model_segment s = attack_segment(m, len, sent, n);
	const struct model_segment *last = &sent[model_below(m, n)];
	u32 how = model_below(m, 8);

	if (how < 4) {
		s.from = inorder_front(m, len);
		s.len = 1 + model_below(m, model_below(m, 2) ? len - s.from : 1);
	} else if (how == 4 && s.from < last->from + last->len) {
		s.len = last->from + last->len - s.from;
	}
	s.fin = model_below(m, 30) == 0;
	return s;
}

/* Must the engine let nothing through that it has not judged: framing, and fail closed? */
static bool inorder_is_proved(const struct model *m)
{
	return !m->policy.open && !ugnf_scope_stands_alone(&m->inorder_stream.initial);
}

static bool inorder_attack(struct model *m, u64 *seed, struct tally *tally, bool has_detour)
{
	struct model_segment sent[ATTACK_SENT] = {
		{ .text = attack_texts[0], .syn = true },
	};
	enum inorder_kind kind = (enum inorder_kind)(sample_random(seed) % INORDER_KINDS);
	u32 len = 24 + sample_random(seed) % 150, loss = sample_random(seed) % 3 * 25, n;

	len = inorder_make_texts(len, kind, seed);
	if (!len)
		return true;
	model_init(m, seed, sample_random(seed) % MODEL_OVERLAPS);
	m->policy.open = model_below(m, 4) == 0 && !has_detour;
	m->policy.urgent_inline = model_odd(m, 4) == 0;
	m->is_passing = m->policy.open && model_odd(m, 2);
	inorder_set(m, kind);
	m->policy.lenient = inorder_is_proved(m) && model_odd(m, 4) == 0;
	m->has_detour = has_detour;
	m->receiver.must_follow &= !has_detour;
	if (model_below(m, 8) == 0)
		sent[0].len = 1 + model_below(m, len);
	if (judge_and_forward(m, &sent[0], tally) == UGNF_STREAM_OUT_OF_WINDOW) {
		sent[0].len = 0;
		judge_and_forward(m, &sent[0], tally);
	}
	for (n = 1; n < ATTACK_SENT; n++) {
		sent[n] = inorder_segment(m, len, sent, n);
		send_any(m, &sent[n], tally);
		while (m->queued && model_below(m, 2))
			model_arrive_one(m, loss);
		if (model_below(m, 8) == 0)
			model_acknowledge(m);
		if (model_below(m, 10) == 0)
			model_wait(m, loss);
		if (!m->is_forgetful && model_chance(m, 16) == 0)
			model_renege(m);
		if (!m->is_forgetful && model_chance(m, 64) == 0)
			model_give_up(m);
		if (model_is_wrong(m))
			return false;
	}
	model_wait(m, 0);
	return !model_is_wrong(m);
}

/* An attacker: nothing may be delivered that is refused or not followed. */
static bool play_inorder(struct model *m, u64 *seed, struct tally *tally)
{
	return inorder_attack(m, seed, tally, false);
}

/* An attacker who sends some segments around the engine: those need not be followed. */
static bool play_inorder_detour(struct model *m, u64 *seed, struct tally *tally)
{
	return inorder_attack(m, seed, tally, true);
}

static void inorder_honest_init(struct model *m, u64 *seed, u32 len, u32 size)
{
	struct honest *h = &honest;
	enum inorder_kind kind;
	u32 n;

	honest_init(m, seed, len, size);
	do {
		kind = (enum inorder_kind)model_below(m, INORDER_KINDS);
		n = inorder_fill(h->text, h->len, kind, seed);
	} while (!n);
	h->is_ascii = kind == INORDER_CLASSES && model_below(m, 4) == 0;
	if (h->is_ascii)
		memset(h->text, 'a', h->len);
	if (n < h->len) {
		h->len = n;
		honest_cut(m, 1 + model_below(m, size));
	}
	/* The last message of DNS may not be whole. */
	m->policy.open = kind == INORDER_LABELS || model_odd(m, 8) == 0;
	inorder_set(m, kind);
	/* In the middle of a stream, the text gate cannot tell whether it is text. */
	m->is_passing = m->policy.open && kind != INORDER_GATED && model_odd(m, 2);
}

static bool inorder_is_text(const struct ugnf_scope *initial)
{
	struct ugnf_scope scope;

	ugnf_scope_set_alone(&scope, initial, initial);
	return scope.status == UGNF_SCOPE_FOLLOWED && !ugnf_scope_is_binary(&scope);
}

static u32 inorder_allowed(const struct model *m)
{
	return inorder_patience | (m->policy.open ? 1U << UGNF_STREAM_UNFOLLOWED : 0);
}

/* A good text is delivered to its end, whatever the network does. */
static bool play_inorder_honest(struct model *m, u64 *seed, struct tally *tally)
{
	inorder_honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	return play(m, tally, inorder_allowed(m));
}

/*
 * While there is memory for copies, each segment is let through at once, in any order; and once
 * more if the receiver has discarded it.
 */
static bool play_inorder_reordered(struct model *m, u64 *seed, struct tally *tally)
{
	inorder_honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	m->memory.most = MEMORY_COPIES;
	m->memory.want = 0;
	m->inorder_stream.copies.memory = &m->memory;
	m->is_passing = false;
	honest.may_renege = model_chance(m, 2);
	return play(m, tally, inorder_allowed(m) & ~(1U << UGNF_STREAM_AHEAD));
}

/* Like play_answers(); octets go around the engine only if it can pick up the stream after them. */
static bool play_inorder_answers(struct model *m, u64 *seed, struct tally *tally)
{
	inorder_honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	honest.may_miss = true;
	honest.is_fooled = model_below(m, 2);
	m->has_detour = inorder_is_text(&m->inorder_stream.initial) && model_below(m, 2);
	return play(m, tally, inorder_allowed(m));
}

static bool play_inorder_crowd(struct model *m, u64 *seed, struct tally *tally)
{
	inorder_honest_init(m, seed, MODEL_TEXT - 40, 30);
	honest.window = 100;
	return play(m, tally, inorder_allowed(m));
}

static bool play_inorder_resegmented(struct model *m, u64 *seed, struct tally *tally)
{
	inorder_honest_init(m, seed, 400, 40);
	m->is_passing = false;
	return resegmented_finish(m, tally);
}

static bool play_inorder_lenient(struct model *m, u64 *seed, struct tally *tally)
{
	inorder_honest_init(m, seed, 300, 40);
	m->policy.lenient = true;
	m->policy.urgent_inline = model_odd(m, 4);
	m->is_passing &= !inorder_is_proved(m);
	if (inorder_is_proved(m))
		return resegmented_finish(m, tally);
	return lenient_finish(m, tally, inorder_allowed(m));
}

/* The engine does not see the SYN: text is picked up, framing is not followed. */
static bool play_inorder_middle(struct model *m, u64 *seed, struct tally *tally)
{
	struct honest *h = &honest;
	struct model_segment s;
	bool is_text;
	u32 first;

	inorder_honest_init(m, seed, 400, 40);
	m->policy.open = false;
	m->is_passing = false;
	first = model_below(m, h->count);
	m->receiver.next = h->segments[first].from;
	ugnf_scope_pick_up(&m->reader);
	is_text = m->reader.status == UGNF_SCOPE_FOLLOWED;
	s = h->segments[first];
	/* In the middle of a stream, the text gate cannot tell whether it is text. */
	if (m->reader.plain.is_gated)
		return true;
	if (!is_text)
		return model_judge(m, &s) == UGNF_STREAM_UNFOLLOWED;
	return honest_finish(m, tally) &&
	       (m->inorder_stream.seq.resyncs == 1 || !m->inorder_stream.count);
}

#endif /* _UTF8GUARD_INORDER_SENDERS_H */
