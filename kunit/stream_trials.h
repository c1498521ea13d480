/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trials: segments that an engine gets besides those of a sender, and that must not change
 * its state. These are a RST with a payload, urgent data where the policy refuses that, and a
 * segment of which the engine cannot read all. model_judge() makes them by chance.
 */
#ifndef _UTF8GUARD_KUNIT_STREAM_TRIALS_H
#define _UTF8GUARD_KUNIT_STREAM_TRIALS_H

#include "stream_model.h"

static inline const struct ugnf_sequence *model_sequence(const struct model *m)
{
	return m->in_order ? &m->inorder_stream.seq : &m->ooo_stream.seq;
}

static inline void model_remember(struct model *m)
{
	if (m->in_order)
		memcpy(&m->inorder_stream_before, &m->inorder_stream, sizeof(m->inorder_stream));
	else
		memcpy(&m->ooo_stream_before, &m->ooo_stream, sizeof(m->ooo_stream));
}

static inline bool model_is_same_sequence(const struct ugnf_sequence *a,
					  const struct ugnf_sequence *b)
{
	return a->position == b->position && a->snd_nxt == b->snd_nxt && a->snd_una == b->snd_una &&
	       a->fin == b->fin && a->snd_una_time == b->snd_una_time && a->resyncs == b->resyncs &&
	       a->started == b->started && a->acked == b->acked &&
	       a->picked_up == b->picked_up && a->fin_known == b->fin_known;
}

static inline bool model_is_same_stream(const struct ugnf_ooo_stream *a,
					const struct ugnf_ooo_stream *b)
{
	return model_is_same_sequence(&a->seq, &b->seq) && a->run == b->run &&
	       a->count == b->count &&
	       !memcmp(a->spans, b->spans, a->count * sizeof(a->spans[0]));
}

/* Are these the same copies, with none added or removed? */
static inline bool model_is_same_copies(const struct ugnf_copies *a, const struct ugnf_copies *b)
{
	const struct ugnf_copy *copy;
	u32 count = 0;

	for (copy = a->first; copy; copy = ugnf_copy_next(copy))
		count++;
	return a->first == b->first && a->last == b->last && a->count == b->count &&
	       count == a->count && (!a->last || !ugnf_copy_next(a->last));
}

static inline bool model_is_same_reading(const struct ugnf_inorder_stream *a,
					 const struct ugnf_inorder_stream *b)
{
	u32 i;

	if (!model_is_same_sequence(&a->seq, &b->seq) || a->count != b->count)
		return false;
	if (!model_is_same_copies(&a->copies, &b->copies))
		return false;
	for (i = 0; i < a->count; i++) {
		const struct ugnf_boundary *one = &a->boundaries[i], *two = &b->boundaries[i];
		bool is_last = one->is_hole || i + 1 == a->count;

		/* After the last boundary, and in a hole, there are no octets: ignore is_ascii. */
		if (one->seq != two->seq || one->is_hole != two->is_hole ||
		    (!is_last && one->is_ascii != two->is_ascii) ||
		    memcmp(&one->scope, &two->scope, sizeof(one->scope)))
			return false;
	}
	return true;
}

/* Is the state of the engine the one that model_remember() saw? */
static inline bool model_is_unmoved(const struct model *m)
{
	return m->in_order ? model_is_same_reading(&m->inorder_stream, &m->inorder_stream_before) :
			     model_is_same_stream(&m->ooo_stream, &m->ooo_stream_before);
}

/* Gives the engine @s, but urgent. It must refuse that and stay as it was. */
static inline void model_try_urgent(struct model *m, const struct model_segment *s)
{
	struct model_segment urgent = *s;

	if (m->policy.urgent_inline)
		return;
	urgent.urg = true;
	m->trials.urgent++;
	model_remember(m);
	m->has_erred |= model_give(m, &urgent, s->len, &m->odds) != UGNF_STREAM_URGENT ||
			!model_is_unmoved(m);
}

/* Gives the engine only a part of @s, as if the rest could not be read. Same. */
static inline enum ugnf_stream_verdict model_try_unread(struct model *m,
							const struct model_segment *s)
{
	enum ugnf_stream_verdict verdict;

	m->trials.unread++;
	model_remember(m);
	verdict = model_give(m, s, model_odd(m, s->len), &m->odds);
	m->has_erred |= verdict == UGNF_STREAM_ACCEPT || verdict == UGNF_STREAM_UNFOLLOWED ||
			!model_is_unmoved(m);
	return verdict;
}

/*
 * Octets that were let through early must be the same when they are let through again, until the
 * engine has read them. It also reads on with a segment that it does not follow and lets through.
 */
static inline bool model_note_early(struct model *m, const struct model_segment *s,
				    enum ugnf_stream_verdict verdict)
{
	bool is_accepted = m->in_order && verdict == UGNF_STREAM_ACCEPT;
	u32 i, at;

	for (i = 0; is_accepted && i < s->len; i++) {
		at = s->from + i;
		m->has_erred |= m->is_early[at] && at >= m->read && m->early[at] != s->text[at];
		m->is_early[at] |= m->inorder_segment.is_early;
		m->early[at] = s->text[at];
	}
	model_note_read(m);
	if (!is_accepted)
		return false;
	m->trials.early += m->inorder_segment.is_early;
	return m->inorder_segment.is_early;
}

/* The receiver discards all octets that it has not delivered. */
static inline void model_renege(struct model *m)
{
	m->trials.reneged++;
	model_prune(&m->receiver, m->receiver.next);
}

/* Memory is short: the engine gives up its copies. */
static inline void model_give_up(struct model *m)
{
	u32 held = m->memory.held, count = ugnf_inorder_give_up(&m->inorder_stream);

	m->trials.given_up += count != 0;
	/* If those octets come by a way around the engine, it picks up the stream after them. */
	if (count && m->has_detour) {
		m->receiver.forgotten = m->inorder_stream.given_up - m->isn - 1;
		m->receiver.seam[m->receiver.forgotten] = true;
	}
	m->has_erred |= m->memory.held != held - count;
}

/* The verdict on a segment. Sometimes makes a trial before, which must not influence it. */
static inline enum ugnf_stream_verdict model_judge(struct model *m, const struct model_segment *s)
{
	bool is_urgent = s->urg && !m->policy.urgent_inline;
	enum ugnf_stream_verdict unread = UGNF_STREAM_UNREADABLE, verdict;
	u32 trial = model_odd(m, 16);
	u64 refused = m->memory.refused + stream_sums_memory.refused;

	if (trial == 0)
		model_try_urgent(m, s);
	else if (trial == 1 && s->len)
		unread = model_try_unread(m, s);
	verdict = model_give(m, s, s->len, m->seed);
	/* If an allocation failed, the two verdicts may differ. */
	m->has_erred |= unread != UGNF_STREAM_UNREADABLE && unread != verdict &&
			m->memory.refused + stream_sums_memory.refused == refused;
	m->has_erred |= (verdict == UGNF_STREAM_URGENT) != is_urgent;
	return verdict;
}

/* Sends a RST with any sequence number, and with a payload that nobody reads. */
static inline void model_reset(struct model *m, const struct model_segment *s)
{
	static const u8 garbage[] = { 0xae, 0xff, 'a', 0xc0, 0xae, 0xed, 0xa0, 0x80, 0xe6 };
	struct model_segment rst = { .text = garbage, .rst = true };

	if (model_odd(m, 32))
		return;
	rst.from = model_odd(m, 3) ? s->from : sample_random(&m->odds);
	if (model_odd(m, 16) == 0)
		rst.from = m->receiver.next;
	rst.len = model_odd(m, 3) ? 1 + model_odd(m, sizeof(garbage)) : 0;
	rst.fin = model_odd(m, 4) == 0;
	rst.urg = model_odd(m, 8) == 0;
	m->trials.resets++;
	model_remember(m);
	m->has_erred |= model_give(m, &rst, rst.len, &m->odds) != UGNF_STREAM_ACCEPT ||
			!model_is_unmoved(m);
	model_receive_reset(&m->receiver, rst.from);
}

/* The sequence number after all octets that the engine has in order. */
static inline u32 model_front(const struct model *m)
{
	if (!m->in_order || !m->inorder_stream.count)
		return model_sequence(m)->snd_nxt;
	return ugnf_inorder_last(&m->inorder_stream)->seq;
}

/* Lets a segment through unread, as segment.c does for a rule that fails open. */
static inline void model_pick_up(struct model *m, const struct model_segment *s)
{
	struct ugnf_segment_header header = model_header(m, s);
	u32 after = ugnf_segment_end(&header), i;
	const struct ugnf_sequence *seq = model_sequence(m);
	struct ugnf_sequence before = *seq;

	if (before.started && ugnf_seq_before(after, model_front(m)))
		after = model_front(m);
	if (m->in_order)
		ugnf_inorder_pass(&m->inorder_stream, &header);
	else
		ugnf_ooo_pass(&m->ooo_stream, &header);
	/* Copies may go on there: then snd_nxt is further, and there may be another resync. */
	m->has_erred |= seq->snd_una != after || !seq->started || !seq->picked_up;
	if (!m->in_order || seq->snd_nxt == after)
		m->has_erred |= seq->snd_nxt != after ||
				seq->resyncs != (u16)(before.resyncs + 1);
	model_note_read(m);
	for (i = 0; i < m->queued; i++)
		m->queue[i].elsewhere = true;
	model_receive_anew(&m->receiver, after - m->isn - 1);
}

/* Lets @s through unread by chance, if the policy fails open; returns whether it did. */
static inline bool model_pass_unread(struct model *m, const struct model_segment *s)
{
	struct model_segment passed = *s;

	if (!m->is_passing || !s->len || model_odd(m, 24))
		return false;
	if (model_try_unread(m, s) != UGNF_STREAM_UNREADABLE)
		return false;
	m->trials.passed++;
	model_pick_up(m, s);
	passed.elsewhere = true;
	model_forward(m, &passed);
	return true;
}

#endif /* _UTF8GUARD_KUNIT_STREAM_TRIALS_H */
