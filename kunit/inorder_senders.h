/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The senders of stream_senders.h before a stream that is read in order, with what a
 * parser tells apart in their texts.
 */
#ifndef _UTF8GUARD_INORDER_SENDERS_H
#define _UTF8GUARD_INORDER_SENDERS_H

#include "inorder_texts.h"
#include "stream_senders.h"

/* What honest senders may see: segments that they send again. */
static const u32 reading_patience = 1U << UGNF_STREAM_ACCEPT | 1U << UGNF_STREAM_AHEAD |
				    1U << UGNF_STREAM_FULL;

static void reading_set(struct model *m, enum reading_kind kind)
{
	struct ugnf_scope initial;

	reading_scope(&initial, kind);
	model_set_reader(m, &initial);
}

static u32 reading_fill(u8 *octets, u32 len, enum reading_kind kind, u64 *seed)
{
	struct reading_text text = { .octets = octets, .len = len, .seed = seed };

	return reading_make_text(&text, kind);
}

/* What frames: a mistake there is another kind of mistake. */
static const char reading_signs[] = " \r\n:;%0a.\x1fGP";

/* One octet is another, is missing, or is there twice. */
static void reading_spoil(u8 *text, u32 len, u64 *seed)
{
	u32 at = sample_random(seed) % len;

	switch (sample_random(seed) % 4) {
	case 0:
		text[at] = sample_border[sample_random(seed) % SAMPLE_BORDERS];
		break;
	case 1:
		text[at] = reading_signs[sample_random(seed) % (sizeof(reading_signs) - 1)];
		break;
	case 2:
		memmove(text + at, text + at + 1, len - at - 1);
		break;
	default:
		memmove(text + at + 1, text + at, len - at - 1);
		break;
	}
}

/* Returns how long they are. */
static u32 reading_make_texts(u32 len, enum reading_kind kind, u64 *seed)
{
	u32 i, n;

	len = reading_fill(attack_texts[0], len, kind, seed);
	for (i = 1; len && i < ATTACK_TEXTS; i++) {
		memcpy(attack_texts[i], attack_texts[0], len);
		if (sample_random(seed) % 4 == 0)
			reading_fill(attack_texts[i], len, kind, seed);
		for (n = sample_random(seed) % 4; n; n--)
			reading_spoil(attack_texts[i], len, seed);
	}
	return len;
}

/* Where new octets would be in order, if that is in the text. */
static u32 reading_front(const struct model *m, u32 len)
{
	u32 front = m->reading.count ? ugnf_inorder_last(&m->reading)->seq - m->isn - 1 : 0;

	return front < len ? front : 0;
}

static struct model_segment reading_segment(struct model *m, u32 len,
					    const struct model_segment *sent, u32 n)
{
	struct model_segment s = attack_segment(m, len, sent, n);
	const struct model_segment *last = &sent[model_below(m, n)];
	u32 how = model_below(m, 8);

	if (how < 4) {
		s.from = reading_front(m, len);
		s.len = 1 + model_below(m, model_below(m, 2) ? len - s.from : 1);
	} else if (how == 4 && s.from < last->from + last->len) {
		s.len = last->from + last->len - s.from;
	}
	s.fin = model_below(m, 30) == 0;
	return s;
}

/* Of what is framed, a policy that fails closed lets nothing through that it has not judged. */
static bool reading_is_proved(const struct model *m)
{
	return !m->policy.open && !ugnf_scope_stands_alone(&m->reading.initial);
}

static bool reading(struct model *m, u64 *seed, struct tally *tally, bool has_detour)
{
	struct model_segment sent[ATTACK_SENT] = {
		{ .text = attack_texts[0], .syn = true },
	};
	enum reading_kind kind = (enum reading_kind)(sample_random(seed) % READING_KINDS);
	u32 len = 24 + sample_random(seed) % 150, loss = sample_random(seed) % 3 * 25, n;

	len = reading_make_texts(len, kind, seed);
	if (!len)
		return true;
	model_init(m, seed, sample_random(seed) % MODEL_OVERLAPS);
	m->policy.open = model_below(m, 4) == 0 && !has_detour;
	m->policy.urgent_inline = model_odd(m, 4) == 0;
	m->is_passing = m->policy.open && model_odd(m, 2);
	reading_set(m, kind);
	m->policy.lenient = reading_is_proved(m) && model_odd(m, 4) == 0;
	m->has_detour = has_detour;
	m->receiver.must_follow &= !has_detour;
	if (model_below(m, 8) == 0)
		sent[0].len = 1 + model_below(m, len);
	judge_and_forward(m, &sent[0], tally);
	for (n = 1; n < ATTACK_SENT; n++) {
		sent[n] = reading_segment(m, len, sent, n);
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

/* Whoever it is: nothing is delivered that is refused, or not followed. */
static bool play_reading(struct model *m, u64 *seed, struct tally *tally)
{
	return reading(m, seed, tally, false);
}

/* What comes by another way is not followed. */
static bool play_reading_detour(struct model *m, u64 *seed, struct tally *tally)
{
	return reading(m, seed, tally, true);
}

static void reading_honest_init(struct model *m, u64 *seed, u32 len, u32 size)
{
	struct honest *h = &honest;
	enum reading_kind kind;
	u32 n;

	honest_init(m, seed, len, size);
	do {
		kind = (enum reading_kind)model_below(m, READING_KINDS);
		n = reading_fill(h->text, h->len, kind, seed);
	} while (!n);
	h->is_ascii = kind == READING_CLASSES && model_below(m, 4) == 0;
	if (h->is_ascii)
		memset(h->text, 'a', h->len);
	if (n < h->len) {
		h->len = n;
		honest_cut(m, 1 + model_below(m, size));
	}
	/* A last message may have been cut off. */
	m->policy.open = kind == READING_LABELS || model_odd(m, 8) == 0;
	reading_set(m, kind);
	/* In the middle, the gate cannot tell. */
	m->is_passing = m->policy.open && kind != READING_GATED && model_odd(m, 2);
}

static bool reading_is_text(const struct ugnf_scope *initial)
{
	struct ugnf_scope scope;

	ugnf_scope_set_alone(&scope, initial, initial);
	return scope.status == UGNF_SCOPE_FOLLOWED && !ugnf_scope_is_binary(&scope);
}

static u32 reading_allowed(const struct model *m)
{
	return reading_patience | (m->policy.open ? 1U << UGNF_STREAM_UNFOLLOWED : 0);
}

/* All of a good text is delivered in the end, whatever the network does. */
static bool play_reading_honest(struct model *m, u64 *seed, struct tally *tally)
{
	reading_honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	return play(m, tally, reading_allowed(m));
}

/*
 * Within what may be copied, each segment is let through at once, in any order, and again
 * if the receiver has thrown it away.
 */
static bool play_reading_reordered(struct model *m, u64 *seed, struct tally *tally)
{
	reading_honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	m->memory.most = MEMORY_COPIES;
	m->memory.want = 0;
	m->reading.copies.memory = &m->memory;
	m->is_passing = false;
	honest.may_renege = model_chance(m, 2);
	return play(m, tally, reading_allowed(m) & ~(1U << UGNF_STREAM_AHEAD));
}

/* As play_answers() has it; after what came by another way, only text is followed. */
static bool play_reading_answers(struct model *m, u64 *seed, struct tally *tally)
{
	reading_honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	honest.may_miss = true;
	honest.is_fooled = model_below(m, 2);
	m->has_detour = reading_is_text(&m->reading.initial) && model_below(m, 2);
	return play(m, tally, reading_allowed(m));
}

static bool play_reading_crowd(struct model *m, u64 *seed, struct tally *tally)
{
	reading_honest_init(m, seed, MODEL_TEXT - 40, 30);
	honest.window = 100;
	return play(m, tally, reading_allowed(m));
}

static bool play_reading_resegmented(struct model *m, u64 *seed, struct tally *tally)
{
	reading_honest_init(m, seed, 400, 40);
	m->is_passing = false;
	return resegmented_finish(m, tally);
}

static bool play_reading_lenient(struct model *m, u64 *seed, struct tally *tally)
{
	reading_honest_init(m, seed, 300, 40);
	m->policy.lenient = true;
	m->policy.urgent_inline = model_odd(m, 4);
	m->is_passing &= !reading_is_proved(m);
	if (reading_is_proved(m))
		return resegmented_finish(m, tally);
	return lenient_finish(m, tally, reading_allowed(m));
}

/* Without its SYN: text is picked up, and of what is framed nothing is said. */
static bool play_reading_middle(struct model *m, u64 *seed, struct tally *tally)
{
	struct honest *h = &honest;
	struct model_segment s;
	bool is_text;
	u32 first;

	reading_honest_init(m, seed, 400, 40);
	m->policy.open = false;
	m->is_passing = false;
	first = model_below(m, h->count);
	m->receiver.next = h->segments[first].from;
	ugnf_scope_pick_up(&m->reader);
	is_text = m->reader.status == UGNF_SCOPE_FOLLOWED;
	s = h->segments[first];
	/* In the middle, the gate cannot tell. */
	if (m->reader.plain.is_gated)
		return true;
	if (!is_text)
		return model_judge(m, &s) == UGNF_STREAM_UNFOLLOWED;
	return honest_finish(m, tally) && (m->reading.seq.resyncs == 1 || !m->reading.count);
}

#endif /* _UTF8GUARD_INORDER_SENDERS_H */
