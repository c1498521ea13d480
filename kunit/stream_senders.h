/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The senders of the model of a stream. An attacker may send anything; honest senders do what
 * TCP does. Each play_*() plays one stream and returns whether the engine was right. For
 * an attacker, that is: nothing ill-formed was delivered. For an honest sender also: all was
 * delivered in the end, and the engine gave no verdict but those that the play allows.
 */
#ifndef _UTF8GUARD_KUNIT_STREAM_SENDERS_H
#define _UTF8GUARD_KUNIT_STREAM_SENDERS_H

#include "stream_trials.h"

/* How often the engine gave each verdict. */
struct tally {
	u64 verdicts[UGNF_STREAM_UNFOLLOWED + 1];
	u64 resegmented;
};

#define ATTACK_TEXTS 4
#define ATTACK_LEN 48
#define ATTACK_SENT 24

static u8 attack_texts[ATTACK_TEXTS][MODEL_TEXT];

/* The first text is well-formed; the others differ from it in characters or have mistakes. */
static void attack_make_texts(u32 len, u64 *seed)
{
	u32 i;

	for (i = 0; i < ATTACK_TEXTS; i++) {
		u8 *text = attack_texts[i];
		u32 at = sample_random(seed) % len, n = 1 + sample_random(seed) % 6;

		sample_text(text, len, sample_mixes[sample_random(seed) % SAMPLE_MIXES], seed);
		if (i && sample_random(seed) & 1)
			memcpy(text, attack_texts[0], len);
		if (n > len - at)
			n = len - at;
		if (i && sample_random(seed) & 1)
			sample_text(text + at, n, sample_mixes[4], seed);
		if (i && sample_random(seed) & 1)
			text[at] = sample_border[sample_random(seed) % SAMPLE_BORDERS];
	}
}

static struct model_segment attack_segment(struct model *m, u32 len,
					   const struct model_segment *sent, u32 n)
{
	struct model_segment s = { .text = attack_texts[model_below(m, ATTACK_TEXTS)] };
	const struct model_segment *old = n ? &sent[model_below(m, n)] : NULL;

	if (model_below(m, 2))
		s.text = attack_texts[0];
	s.from = model_below(m, len);
	s.len = 1 + model_below(m, len - s.from);
	if (model_below(m, 2) && s.len > 6)
		s.len = 1 + model_below(m, 6);
	/* At boundaries that were there before, or where the receiver misses octets. */
	if (old && model_below(m, 2)) {
		s.from = old->from;
		s.len = old->len;
		s.piece = old->piece;
	} else if (model_below(m, 3) == 0) {
		s.from = m->receiver.next < len ? m->receiver.next : s.from;
		s.len = 1 + model_below(m, len - s.from);
	}
	if (model_below(m, 4) == 0)
		s.piece = 1 + model_below(m, 9);
	/* So short that a character is in several segments. */
	if (m->is_racing) {
		s.piece = 0;
		if (s.len > 2)
			s.len = 1 + model_below(m, 2);
		if (model_below(m, 8) == 0) {
			s.from = 0;
			s.len = 1 + model_below(m, len);
		}
	}
	s.fin = model_below(m, 20) == 0;
	s.urg = model_below(m, 50) == 0;
	return s;
}

static inline bool model_is_resegmented(const struct model *m)
{
	return m->in_order ? m->inorder_segment.is_resegmented : m->ooo_segment.is_resegmented;
}

static enum ugnf_stream_verdict judge_and_forward(struct model *m, const struct model_segment *s,
						  struct tally *tally)
{
	struct model_segment sent = *s;
	enum ugnf_stream_verdict verdict;

	model_reset(m, s);
	if (model_pass_unread(m, s))
		return UGNF_STREAM_UNREADABLE;
	verdict = model_judge(m, s);
	tally->verdicts[verdict]++;
	tally->resegmented += verdict == UGNF_STREAM_ACCEPT && model_is_resegmented(m);
	sent.is_early = model_note_early(m, s, verdict);
	if (verdict == UGNF_STREAM_ACCEPT ||
	    (verdict == UGNF_STREAM_UNFOLLOWED && m->policy.open))
		model_forward(m, &sent);
	return verdict;
}

/* Sends a segment by the engine, or by the way around it; sometimes acknowledges something. */
static void send_any(struct model *m, struct model_segment *s, struct tally *tally)
{
	s->elsewhere = m->has_detour && model_below(m, 6) == 0;
	/* A FIN that the engine does not see is not its business. */
	s->fin &= !s->elsewhere;
	if (s->elsewhere)
		model_forward(m, s);
	else
		judge_and_forward(m, s, tally);
	if (m->has_detour && model_below(m, 6) == 0)
		model_acknowledge_oddly(m);
}

static bool attack(struct model *m, u64 *seed, struct tally *tally, bool has_detour)
{
	u32 most = sample_random(seed) & 1 ? 8 : ATTACK_LEN;
	u32 len = 4 + sample_random(seed) % most, loss = sample_random(seed) % 3 * 25;
	struct model_segment sent[ATTACK_SENT] = {
		{ .text = attack_texts[0], .syn = true, .len = 0 },
	};
	u32 n;

	attack_make_texts(len, seed);
	model_init(m, seed, sample_random(seed) % MODEL_OVERLAPS);
	model_lack_sums(m);
	m->has_detour = has_detour;
	m->is_racing = model_below(m, 4) == 0;
	m->is_passing = model_odd(m, 8) == 0;
	m->policy.urgent_inline = model_odd(m, 4) == 0;
	if (model_below(m, 8) == 0)
		sent[0].len = 1 + model_below(m, len);
	judge_and_forward(m, &sent[0], tally);
	if (m->ooo_segment.verdict != UGNF_STREAM_ACCEPT) {
		sent[0].len = 0;
		judge_and_forward(m, &sent[0], tally);
	}
	for (n = 1; n < ATTACK_SENT; n++) {
		sent[n] = attack_segment(m, len, sent, n);
		send_any(m, &sent[n], tally);
		while (m->queued && model_below(m, 2))
			model_arrive_one(m, loss);
		if (model_below(m, m->is_racing ? 12 : 6) == 0)
			model_acknowledge(m);
		if (model_below(m, m->is_racing ? 4 : 12) == 0)
			model_wait(m, loss);
		if (model_is_wrong(m))
			return false;
	}
	model_wait(m, 0);
	return !model_is_wrong(m);
}

/* An attacker sends all segments by the engine. */
static inline bool play_attack(struct model *m, u64 *seed, struct tally *tally)
{
	return attack(m, seed, tally, false);
}

/* An attacker sends some segments by a way around the engine, and the receiver answers those. */
static inline bool play_detour(struct model *m, u64 *seed, struct tally *tally)
{
	return attack(m, seed, tally, true);
}

/*
 * The engine does not see the SYN of an attacker, and picks up the stream at any segment. The
 * receiver may be anywhere in a character.
 */
static inline bool play_attack_middle(struct model *m, u64 *seed, struct tally *tally)
{
	u32 most = sample_random(seed) & 1 ? 8 : ATTACK_LEN, n;
	u32 len = 4 + sample_random(seed) % most, loss = sample_random(seed) % 3 * 25;
	struct model_segment sent[ATTACK_SENT] = { { .text = attack_texts[0] } };

	attack_make_texts(len, seed);
	model_init(m, seed, sample_random(seed) % MODEL_OVERLAPS);
	model_lack_sums(m);
	m->policy.urgent_inline = model_odd(m, 4) == 0;
	m->receiver.states = UGNF_ANY_STATE;
	for (n = 1; n < ATTACK_SENT; n++) {
		sent[n] = attack_segment(m, len, sent, n);
		sent[n].syn = false;
		/* No FIN before the first acknowledgment: the engine could not know what ends. */
		sent[n].fin &= model_sequence(m)->acked;
		judge_and_forward(m, &sent[n], tally);
		while (m->queued && model_below(m, 2))
			model_arrive_one(m, loss);
		if (model_below(m, 6) == 0)
			model_acknowledge(m);
		if (model_below(m, 12) == 0)
			model_wait(m, loss);
		if (model_is_wrong(m))
			return false;
	}
	model_wait(m, 0);
	return !model_is_wrong(m);
}

#define HONEST_SEGMENTS 128

struct honest {
	u8 text[MODEL_TEXT];
	u32 len, count, window, loss;
	u32 known;	/* the highest acknowledgment that the sender has got */
	bool is_ascii;
	bool may_miss;	/* acknowledgments get lost, so the sender only knows @known */
	bool is_fooled;	/* some acknowledgments are not from the receiver */
	bool may_renege;	/* the receiver discards octets that are out of order */
	struct model_segment segments[HONEST_SEGMENTS];
};

static struct honest honest;

static void honest_cut(struct model *m, u32 size)
{
	struct honest *h = &honest;
	u32 at = 0, n, piece = model_below(m, 3) ? 0 : 4 + model_below(m, size);

	for (h->count = 0; at < h->len && h->count < HONEST_SEGMENTS; at += n) {
		n = model_below(m, 2) ? size : 1 + model_below(m, size);
		if (n > h->len - at)
			n = h->len - at;
		h->segments[h->count++] = (struct model_segment) {
			.text = h->text, .from = at, .len = n, .piece = piece,
		};
	}
	h->len = at;
	h->segments[h->count - 1].fin = true;
}

static void honest_init(struct model *m, u64 *seed, u32 len, u32 size)
{
	struct honest *h = &honest;
	u32 mix = sample_random(seed) % SAMPLE_MIXES;

	model_init(m, seed, sample_random(seed) % MODEL_OVERLAPS);
	h->len = 1 + model_below(m, len);
	h->is_ascii = mix == 0;
	h->window = 5;
	h->known = 0;
	h->may_miss = false;
	h->is_fooled = false;
	h->may_renege = false;
	h->loss = model_below(m, 4) * 15;
	honest_cut(m, 1 + model_below(m, size));
	sample_text(h->text, h->len, sample_mixes[mix], seed);
}

/* The first segment that the receiver has not acknowledged all of. */
static u32 honest_oldest(const struct model *m)
{
	u32 i, known = honest.may_miss ? honest.known : m->receiver.next;

	for (i = 0; i + 1 < honest.count; i++)
		if (honest.segments[i].from + honest.segments[i].len > known)
			break;
	return i;
}

/* An acknowledgment, which may get lost before the engine and after it. */
static void honest_acknowledge_to(struct model *m, u32 position)
{
	if (model_below(m, 100) < honest.loss)
		return;
	model_acknowledge_to(m, position);
	if (model_below(m, 100) >= honest.loss && honest.known < position)
		honest.known = position;
}

/*
 * The receiver acknowledges what has arrived. At times it sends an older acknowledgment first,
 * or somebody else acknowledges what has not arrived.
 */
static void honest_answer(struct model *m)
{
	struct honest *h = &honest;
	u32 next = m->receiver.next;

	if (!h->may_miss)
		return;
	if (model_below(m, 8) == 0)
		honest_acknowledge_to(m, model_below(m, next + 1));
	if (model_below(m, 8) == 0)
		model_acknowledge_oddly(m);
	if (h->is_fooled && model_below(m, 8) == 0)
		model_acknowledge_to(m, model_below(m, model_through(m) + 1));
	honest_acknowledge_to(m, next + (m->receiver.is_closed && !m->receiver.is_reset));
}

/* The sender merges two segments into one, as Linux does with small ones. */
static void honest_merge(u32 i)
{
	struct honest *h = &honest;

	/* At most two: the engine remembers a limited number of boundaries in flight. */
	if (h->segments[i].parts || h->segments[i + 1].parts)
		return;
	h->segments[i].parts = 1;
	h->segments[i].len += h->segments[i + 1].len;
	h->segments[i].fin = h->segments[i + 1].fin;
	/* With GSO, the boundaries inside of it would be others. */
	h->segments[i].piece = 0;
	h->count--;
	memmove(&h->segments[i + 1], &h->segments[i + 2],
		(h->count - i - 1) * sizeof(h->segments[0]));
}

/* A segment is sent again: as it was, or some of its GSO pieces, or a part if all is ASCII. */
static struct model_segment honest_again(struct model *m, u32 i)
{
	struct honest *h = &honest;
	struct model_segment s = h->segments[i];
	u32 n, end = s.from + s.len;

	if (s.piece && model_below(m, 2)) {
		n = s.piece * model_below(m, (s.len + s.piece - 1) / s.piece);
		s.from += n;
		s.len -= n;
		if (s.piece < s.len && model_below(m, 2)) {
			s.len = s.piece;
			s.fin = s.fin && s.from + s.len == end;
		}
	} else if (h->is_ascii && s.len > 1 && model_below(m, 2)) {
		n = model_below(m, s.len);
		s.from += n;
		s.len -= n;
	}
	return s;
}

/* A keep-alive: the last octet that was acknowledged, with another value; or a window probe. */
static struct model_segment honest_probe(struct model *m, u32 most)
{
	static u8 garbage[MODEL_TEXT] = { 0xff };
	struct honest *h = &honest;
	struct model_segment s = { .text = garbage, .len = model_below(m, 2) };

	if (m->receiver.next && !m->queued && model_below(m, 2) && !m->is_passing) {
		model_acknowledge(m);
		s.from = m->receiver.next - 1;
		garbage[s.from] = 0xff;
		return s;
	}
	s = h->segments[most - 1];
	if (s.len > 1 && h->is_ascii) {
		s.len = 1;
		s.fin = false;
	}
	return s;
}

static void honest_round(struct model *m, struct tally *tally)
{
	struct honest *h = &honest;
	u32 oldest = honest_oldest(m), most = oldest + h->window, i;
	struct model_segment s;

	if (most > h->count)
		most = h->count;
	for (i = oldest; i < most; i++) {
		s = honest_again(m, oldest + model_below(m, most - oldest));
		if (model_below(m, 8) == 0)
			s = honest_probe(m, most);
		s.elsewhere = m->has_detour && model_below(m, 8) == 0;
		if (s.elsewhere)
			model_forward(m, &s);
		else if (model_below(m, 100) >= h->loss)
			judge_and_forward(m, &s, tally);
		while (m->queued && model_below(m, 3)) {
			model_arrive_one(m, h->loss);
			honest_answer(m);
		}
		if (!h->may_miss && model_below(m, 4) == 0)
			model_acknowledge(m);
		if (h->may_renege && model_chance(m, 8) == 0)
			model_renege(m);
	}
	if (most - oldest > 1 && model_below(m, 4) == 0)
		honest_merge(oldest + model_below(m, most - oldest - 1));
	/* The retransmission timer: the oldest segment, as it was sent first. */
	s = h->segments[honest_oldest(m)];
	judge_and_forward(m, &s, tally);
}

/* If its payload is refused, as where that ends inside a character, it is sent without. */
static void honest_syn(struct model *m, struct tally *tally)
{
	struct model_segment syn = { .text = honest.text, .syn = true };
	u32 i;

	if (model_below(m, 8) == 0) {
		syn = honest.segments[0];
		syn.syn = true;
	}
	for (i = 0; i < 2; i++) {
		if (judge_and_forward(m, &syn, tally) != UGNF_STREAM_OUT_OF_WINDOW || !syn.len)
			continue;
		tally->verdicts[UGNF_STREAM_OUT_OF_WINDOW]--;
		syn = (struct model_segment){ .text = honest.text, .syn = true };
		judge_and_forward(m, &syn, tally);
	}
}

static bool honest_finish(struct model *m, struct tally *tally)
{
	u32 round;

	for (round = 0; round < 2000 && !m->receiver.is_closed; round++) {
		honest_round(m, tally);
		if (model_is_wrong(m))
			return false;
	}
	return m->receiver.is_reset || (m->receiver.is_closed && m->receiver.next == honest.len);
}

/* Plays an honest sender; @allowed has a bit for each verdict that it may get. */
static bool play(struct model *m, struct tally *tally, u32 allowed)
{
	struct tally mine = { 0 };
	bool good;
	u32 i;

	honest_syn(m, &mine);
	good = honest_finish(m, &mine);
	for (i = 0; i <= UGNF_STREAM_UNFOLLOWED; i++) {
		if (mine.verdicts[i] && !(allowed >> i & 1))
			good = false;
		tally->verdicts[i] += mine.verdicts[i];
	}
	tally->resegmented += mine.resegmented;
	return good;
}

/* Within the limits of the engine, each segment is let through at once. */
static inline bool play_honest(struct model *m, u64 *seed, struct tally *tally)
{
	honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	m->is_passing = model_odd(m, 8) == 0;
	return play(m, tally, 1U << UGNF_STREAM_ACCEPT);
}

/*
 * Acknowledgments get lost, are of any octet, are not from the receiver, or are of octets that
 * came by a way around the engine. A retransmission must be let through: there is no other.
 */
static inline bool play_answers(struct model *m, u64 *seed, struct tally *tally)
{
	honest_init(m, seed, sample_random(seed) & 1 ? 40 : 400, 40);
	honest.may_miss = true;
	honest.is_fooled = model_below(m, 2);
	m->has_detour = model_below(m, 2);
	m->is_passing = model_odd(m, 8) == 0;
	return play(m, tally, 1U << UGNF_STREAM_ACCEPT);
}

/* More segments are on their way than the engine can remember: it may say that it is full. */
static inline bool play_crowd(struct model *m, u64 *seed, struct tally *tally)
{
	honest_init(m, seed, MODEL_TEXT, 20);
	honest.window = 100;
	return play(m, tally, 1U << UGNF_STREAM_ACCEPT | 1U << UGNF_STREAM_FULL);
}

/*
 * Path MTU discovery: after the engine, no segment larger than a half of the first one gets
 * through. The sender learns that, and sends the octets again in smaller segments, none of which
 * goes over the end of an old one: see ooo_stream.c, 17.
 */
static bool resegmented_finish(struct model *m, struct tally *tally)
{
	struct honest *h = &honest;
	u32 i, size, round, after = -1;

	for (i = 0; i < h->count; i++)
		h->segments[i].piece = 0;
	size = h->segments[0].len / 2 + 1;
	honest_syn(m, tally);
	for (i = 0; i < h->count; i++) {
		judge_and_forward(m, &h->segments[i], tally);
		m->queued -= m->queued && h->segments[i].len > size;
	}
	for (round = 0; round < 2000 && !m->receiver.is_closed; round++) {
		struct model_segment s = h->segments[honest_oldest(m)];
		enum ugnf_stream_verdict verdict;
		u32 end = s.from + s.len;

		s.from = m->receiver.next;
		s.len = end - s.from < size ? end - s.from : size;
		s.fin = s.from + s.len == h->len;
		verdict = judge_and_forward(m, &s, tally);
		/* The sender must not have to wait twice for the same piece. */
		if (verdict == UGNF_STREAM_UNVERIFIABLE && s.from == after)
			return false;
		after = verdict == UGNF_STREAM_ACCEPT && s.from + s.len < end &&
			 model_is_resegmented(m) ? s.from + s.len : -1U;
		while (m->queued)
			model_arrive_one(m, 20);
		model_acknowledge(m);
		m->now += model_below(m, 2) ? UGNF_STREAM_HOLD : 0;
	}
	return m->receiver.is_closed && !model_is_wrong(m);
}

static inline bool play_resegmented(struct model *m, u64 *seed, struct tally *tally)
{
	honest_init(m, seed, 400, 40);
	return resegmented_finish(m, tally);
}

/*
 * The receiver discards some octets that are out of order, and then asks for an octet in the
 * middle of a segment. The sender goes on from there. Linux does both.
 */
static bool pruned_finish(struct model *m, struct tally *tally, bool may_stop)
{
	struct honest *h = &honest;
	bool waited = false;
	u32 i, round;

	honest_syn(m, tally);
	for (i = 0; i < h->count; i++) {
		h->segments[i].piece = 0;
		judge_and_forward(m, &h->segments[i], tally);
	}
	for (round = 0; round < 2000 && !m->receiver.is_closed; round++) {
		enum ugnf_stream_verdict verdict;
		struct model_segment s;
		u32 next;

		while (m->queued)
			model_arrive_one(m, 40);
		next = m->receiver.next;
		model_prune(&m->receiver, next + model_below(m, h->len + 1 - next));
		model_acknowledge(m);
		s = h->segments[honest_oldest(m)];
		if (s.from < next) {
			s.len -= next - s.from;
			s.from = next;
		}
		verdict = judge_and_forward(m, &s, tally);
		/* If waiting once does not help, waiting never will. */
		if (verdict == UGNF_STREAM_UNVERIFIABLE && waited)
			return may_stop && !model_is_wrong(m);
		waited = verdict == UGNF_STREAM_UNVERIFIABLE && model_below(m, 2);
		m->now += waited ? UGNF_STREAM_HOLD : 0;
	}
	return !model_is_wrong(m) && (m->receiver.is_reset || m->receiver.is_closed);
}

static inline bool play_pruned(struct model *m, u64 *seed, struct tally *tally)
{
	honest_init(m, seed, 400, 40);
	m->policy.open = true;
	return pruned_finish(m, tally, false);
}

/* A rule that fails closed does not pick up the stream: it may hang, but not resynchronise. */
static inline bool play_pruned_closed(struct model *m, u64 *seed, struct tally *tally)
{
	honest_init(m, seed, 400, 40);
	return pruned_finish(m, tally, true) && !m->ooo_stream.seq.resyncs;
}

/* The sender sends the same octets with other boundaries each time. */
static bool lenient_finish(struct model *m, struct tally *tally, u32 allowed)
{
	struct honest *h = &honest;
	u32 round;

	/* A segment that was refused as urgent is sent again, and is not urgent then. */
	if (!m->policy.urgent_inline)
		allowed |= 1U << UGNF_STREAM_URGENT;
	honest_syn(m, tally);
	for (round = 0; round < 4000 && !m->receiver.is_closed; round++) {
		u32 ahead = m->receiver.next + model_below(m, 120), back = model_below(m, 40);
		struct model_segment s = { .text = h->text };
		enum ugnf_stream_verdict verdict;

		s.from = ahead > back ? ahead - back : 0;
		if (s.from >= h->len || model_below(m, 4) == 0)
			s.from = m->receiver.next;
		s.len = model_below(m, h->len - s.from + 1);
		s.fin = s.from + s.len == h->len;
		s.urg = model_odd(m, 8) == 0;
		model_reset(m, &s);
		verdict = model_judge(m, &s);
		tally->verdicts[verdict]++;
		if (verdict == UGNF_STREAM_ACCEPT ||
		    (verdict == UGNF_STREAM_UNFOLLOWED && m->policy.open))
			model_forward(m, &s);
		else if (!(allowed >> verdict & 1))
			return false;
		while (m->queued && model_below(m, 2))
			model_arrive_one(m, h->loss);
		if (model_below(m, 5) == 0)
			model_acknowledge(m);
	}
	return m->receiver.is_closed && !model_is_wrong(m);
}

static inline bool play_lenient(struct model *m, u64 *seed, struct tally *tally)
{
	honest_init(m, seed, 300, 40);
	m->policy.lenient = true;
	m->policy.urgent_inline = model_odd(m, 4);
	return lenient_finish(m, tally, 1U << UGNF_STREAM_FULL);
}

/* The engine does not see the SYN. First all is good, then there is a mistake in the text. */
static inline bool play_middle(struct model *m, u64 *seed, struct tally *tally)
{
	struct honest *h = &honest;
	u32 first, i;

	honest_init(m, seed, 400, 40);
	first = model_below(m, h->count);
	m->receiver.next = h->segments[first].from;
	for (i = 0; i < m->receiver.next; i++)
		model_run(&m->receiver, h->text[i], false);
	if (!honest_finish(m, tally))
		return false;
	if (m->ooo_stream.seq.resyncs != 1 && m->ooo_stream.seq.started)
		return false;

	model_init(m, seed, MODEL_FIRST);
	first = model_below(m, h->len);
	for (i = first + 3; i < h->len; i++) {
		struct model_segment s = { .text = h->text, .from = first, .len = i - first };
		u8 kept = h->text[i];
		bool good;

		if (s.len && model_judge(m, &s) != UGNF_STREAM_ACCEPT)
			return false;
		h->text[i] = 0xff;
		s.from = i;
		s.len = 1;
		good = model_judge(m, &s) == UGNF_STREAM_ILL_FORMED && !m->ooo_segment.fault &&
		       m->ooo_segment.error.offset <= i - first;
		h->text[i] = kept;
		if (!good)
			return false;
		first = i;
		model_forget(m);
		i += 10;
	}
	return true;
}

#endif /* _UTF8GUARD_KUNIT_STREAM_SENDERS_H */
