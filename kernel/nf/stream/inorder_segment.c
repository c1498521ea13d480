// SPDX-License-Identifier: GPL-2.0
/*
 * One segment of a stream that is read in order. Its octets come in any pieces; they
 * are read in stretches of another kind, between the cuts that are known and its own.
 * The cuts that it makes are staged behind those of the reading, and become some of
 * them if all is well.
 */
#include "../../codec/codec.h"
#include "../../codec/decode.h"
#include "inorder_stream.h"

static void refuse(struct nf_passage *passage, enum nf_stream_verdict verdict)
{
	if (passage->verdict == NF_STREAM_ACCEPT)
		passage->verdict = verdict;
}

/* The last octets, for whoever has to explain the next. */
static void keep_before(struct nf_passage *passage, const u8 *data, u32 len)
{
	u32 most = sizeof(passage->before), n = min_t(u32, len, most);
	u32 kept = min_t(u32, passage->before_len, most - n);

	memmove(passage->before, passage->before + passage->before_len - kept, kept);
	memcpy(passage->before + kept, data + len - n, n);
	passage->before_len = kept + n;
}

/* An escape that ends in @octet, or that octet. Returns how many are before it. */
static u32 explain_escape(struct nf_passage *passage, u8 octet)
{
	u32 n = passage->before_len, i = n;

	while (i && passage->before[i - 1] != '%')
		i--;
	i = i ? i - 1 : n;
	memcpy(passage->bytes, passage->before + i, n - i);
	passage->bytes[n - i] = octet;
	passage->error.length = n - i + 1;
	passage->error.span = n - i + 1;
	return n - i;
}

/*
 * Octets that are ill-formed, of which the last that was read is the first of @data.
 * Returns how many are before it.
 */
static u32 explain_octets(struct nf_passage *passage, const u8 *data, u32 len)
{
	const struct nf_text *text = &passage->scope.text;
	struct utf8guard_error *error = &passage->error;
	u8 octets[sizeof(text->before) + UTF8GUARD_MAX_SPAN], class = error->class;
	u32 before = text->before_len, skip = 0;

	len = min_t(u32, len, UTF8GUARD_MAX_SPAN);
	memcpy(octets, text->before, before);
	memcpy(octets + before, data, len);
	while (skip < before && utf8guard_is_tail(octets[skip]))
		skip++;
	/* What is behind a text that is not whole is no part of it, and may be good. */
	if (!utf8guard_validate(octets + skip, before + len - skip, error))
		return 0;
	error->class = class;
	memcpy(passage->bytes, octets + skip + error->offset, error->span);
	return before - min_t(u32, before, skip + error->offset);
}

/* Say what was refused at @data, of @len octets left. */
static void explain(struct nf_passage *passage, const u8 *data, u32 at, u32 len)
{
	struct utf8guard_error *error = &passage->error;
	u32 before;

	refuse(passage, NF_STREAM_ILL_FORMED);
	keep_before(passage, data, at);
	passage->fault = passage->at + at - passage->first;
	if (passage->scope.text.decode) {
		before = explain_escape(passage, data[at]);
	} else if (UTF8GUARD_CLASS_BIT(error->class) & UTF8GUARD_ILL_FORMED) {
		before = explain_octets(passage, data + at, len - at);
	} else {
		utf8guard_encode(passage->bytes, error->code_point);
		before = error->length - 1;
	}
	error->offset = nf_sequence_position(&passage->reading->seq, passage->at + at) - before;
}

/* From this octet on it is not followed; the first such counts. */
static void lose(struct nf_passage *passage, u32 seq, u8 cause)
{
	if (passage->cause != UTF8GUARD_CAUSE_NONE)
		return;
	passage->cause = cause;
	passage->unfollowed = seq;
}

static bool is_tail(const u8 *data, u32 len)
{
	u32 i = 0;

	while (i < len && utf8guard_is_tail(data[i]))
		i++;
	return i == len;
}

static u32 common(const u8 *a, const u8 *b, u32 len)
{
	u32 i = 0;

	if (!memcmp(a, b, len))
		return len;
	while (a[i] == b[i])
		i++;
	return i;
}

/* How many octets are those of the copy in which @at is. */
static u32 same(const struct nf_copy *copy, u32 at, const u8 *data, u32 len)
{
	return common(copy->octets + (at - copy->seq), data,
		      min_t(u32, len, nf_copy_end(copy) - at));
}

/*
 * Octets of which there is a copy must be the same; of others, copies are made. Returns how
 * many there are before what is not so.
 */
static u32 copy(struct nf_passage *passage, const u8 *data, u32 len)
{
	const struct nf_copies *known = &passage->reading->copies;
	u32 done = 0, n, at;

	while (done < len) {
		at = passage->at + done;
		passage->near = nf_copies_find(known, passage->near, at);
		n = passage->near ? min_t(u32, len - done, passage->near->seq - at) : len - done;
		if (passage->near && nf_copy_has(passage->near, at))
			n = same(passage->near, at, data + done, len - done);
		else if (passage->stretch == NF_STRETCH_SAME ||
			 !nf_copies_put(&passage->copies, known->count, at, data + done, &n,
					passage->header->now))
			n = 0;
		if (!n)
			break;
		done += n;
	}
	return done;
}

/* At @at, octets are not what their copy is, or there is no memory to copy them. */
static void end_copying(struct nf_passage *passage, u32 at)
{
	if (passage->stretch == NF_STRETCH_SAME ||
	    (passage->near && nf_copy_has(passage->near, at))) {
		refuse(passage, NF_STREAM_DIFFERS);
	} else if (passage->stretch == NF_STRETCH_EARLY) {
		refuse(passage, NF_STREAM_AHEAD);
	} else {
		/* In order, none is needed. */
		passage->is_short = true;
		passage->to = at;
	}
}

/*
 * How many of the first octets of a stretch are of no account: those that are stepped over,
 * or of a text, ASCII, with which each octet leads on to the same place.
 */
static u32 of_no_account(const struct nf_passage *passage, const u8 *data, u32 len)
{
	const struct nf_scope *initial = &passage->reading->initial;
	u32 i = 0;

	if (!nf_scope_stands_alone(initial) || initial->plain.is_gated)
		return nf_scope_any(&passage->scope, len);
	if (nf_is_ascii(data, len))
		return len;
	while (data[i] < 0x80)
		i++;
	return i;
}

/* Where others may come in the place of these octets, they must be the same. */
static void add_up(struct nf_passage *passage, const u8 *data, u32 len)
{
	u32 n = 0;

	if (passage->is_any || passage->is_copying)
		return;
	if (!passage->is_summed) {
		n = of_no_account(passage, data, len);
		if (n == len)
			return;
		passage->is_summed = true;
		nf_sum_begin(&passage->sum, passage->at + n);
	}
	nf_sum_feed(&passage->sum, data + n, len - n);
}

static u32 sum_of(const struct nf_passage *passage)
{
	return passage->is_summed ? nf_sum_end(&passage->sum) : 0;
}

/* The parser goes on. */
static void read(struct nf_passage *passage, const u8 *data, u32 len)
{
	struct nf_scope *scope = &passage->scope;
	u32 at;

	if (passage->is_ascii)
		passage->is_ascii = nf_is_ascii(data, len);
	if (passage->is_tail)
		passage->is_tail = is_tail(data, len);
	add_up(passage, data, len);
	at = nf_scope_feed(scope, data, len, &passage->error);
	if (scope->status == NF_SCOPE_REFUSED)
		explain(passage, data, at, len);
	else if (passage->stretch == NF_STRETCH_EARLY)
		return;
	else if (scope->status == NF_SCOPE_UNFOLLOWED)
		lose(passage, passage->at + at, scope->cause);
	passage->is_binary |= nf_scope_is_binary(scope);
}

/* Octets of one stretch. Returns how many: fewer where there is no memory to copy them. */
static u32 run(struct nf_passage *passage, const u8 *data, u32 len)
{
	u32 copied = passage->is_copying ? copy(passage, data, len) : len;

	if (passage->stretch != NF_STRETCH_DELIVERED && passage->stretch != NF_STRETCH_SAME)
		read(passage, data, copied);
	if (copied < len && passage->verdict == NF_STREAM_ACCEPT)
		end_copying(passage, passage->at + copied);
	return copied;
}

/* The parser at the next cut behind where a stretch begins, or that of the beginning. */
static const struct nf_scope *behind(const struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;
	int next = nf_reading_find(reading, passage->at) + 1;

	return next < reading->count ? &reading->cuts[next].scope : &reading->initial;
}

/* Are the octets of the stretch compared in another way, or need not be the same? */
static bool is_any(const struct nf_passage *passage)
{
	u32 len = passage->to - passage->from;

	if (passage->stretch != NF_STRETCH_NEW && passage->stretch != NF_STRETCH_OLD &&
	    passage->stretch != NF_STRETCH_RECUT)
		return true;
	return nf_scope_any(&passage->scope, len) == len;
}

/* The stretch goes up to @to, or to the end. */
static void set_stretch(struct nf_passage *passage, enum nf_stretch stretch, u32 to)
{
	passage->stretch = stretch;
	passage->from = passage->at;
	passage->to = nf_seq_min(to, passage->end);
	if (stretch == NF_STRETCH_ALONE && !passage->is_known)
		nf_scope_set_alone(&passage->scope, &passage->reading->initial, behind(passage));
	/* Which copy the receiver takes, and so how it goes on, is not known from here on. */
	if (stretch == NF_STRETCH_ALONE && !nf_scope_stands_alone(&passage->reading->initial)) {
		passage->is_lost = true;
		lose(passage, passage->at, UTF8GUARD_CAUSE_CUT_ANEW);
	}
	passage->is_ascii = nf_scope_is_steady(&passage->scope);
	passage->is_tail = stretch == NF_STRETCH_OLD;
	passage->is_copying = stretch == NF_STRETCH_SAME || stretch == NF_STRETCH_EARLY;
	passage->is_summed = false;
	passage->is_any = is_any(passage);
}

/* Nothing up to the next cut, which @passage does not reach, can still arrive. */
static bool may_recut(const struct nf_passage *passage)
{
	const struct nf_sequence *seq = &passage->reading->seq;

	return passage->at == seq->una && passage->is_known &&
	       nf_sequence_cut(passage->header, passage->at) == passage->end &&
	       nf_sequence_is_quiet(seq, passage->header->now);
}

/*
 * May there be copies of the piece that begin here? The receiver could hold these for
 * any time, so only where all of it is known, and never cut anew, inside it.
 */
static bool may_begin(const struct nf_passage *passage)
{
	const struct nf_cut *cut = &passage->reading->cuts[passage->cut];
	struct nf_scope scope;

	return passage->at == cut->seq ||
	       nf_reading_at(passage->reading, passage->cut, cut[1].seq, &scope);
}

/* Up to the next of our own cuts, is it known there what the parser was? */
static bool is_comparable(const struct nf_passage *passage, u32 ours)
{
	const struct nf_reading *reading = passage->reading;
	struct nf_scope scope;

	return passage->is_known && may_begin(passage) &&
	       (!nf_seq_before(ours, reading->cuts[passage->cut + 1].seq) ||
		nf_reading_at(reading, passage->cut, ours, &scope));
}

/*
 * May octets be judged against nothing? Where the parser cannot do that, the fail policy
 * lets them through, or they are as under strict policy.
 */
static bool may_be_alone(const struct nf_passage *passage)
{
	return passage->policy->lenient &&
	       (passage->policy->open || nf_scope_stands_alone(&passage->reading->initial));
}

/* Octets that were read before. */
static void set_old(struct nf_passage *passage)
{
	const struct nf_cut *cuts = &passage->reading->cuts[passage->cut];
	u32 ours = nf_sequence_cut(passage->header, passage->at);
	u32 cut = cuts[1].seq;

	if (cuts->is_kept)
		set_stretch(passage, NF_STRETCH_SAME, cut);
	else if (is_comparable(passage, ours))
		set_stretch(passage, NF_STRETCH_OLD, nf_seq_min(ours, cut));
	else if (may_be_alone(passage))
		set_stretch(passage, NF_STRETCH_ALONE, cut);
	else if (may_recut(passage))
		set_stretch(passage, NF_STRETCH_RECUT, ours);
	else
		refuse(passage, NF_STREAM_UNVERIFIABLE);
}

/*
 * Room for one cut more. Two are kept for a segment with the octet that the receiver
 * asks for; lenient policy forgets old ones.
 */
static bool has_room(struct nf_passage *passage)
{
	struct nf_reading *reading = passage->reading;
	u32 used = reading->count + passage->staged;

	if (used < NF_CUTS - 2 ||
	    (used < NF_CUTS && !nf_seq_before(reading->seq.una, passage->first)))
		return true;
	if (!may_be_alone(passage) || !passage->cut)
		return false;
	memmove(&reading->cuts[0], &reading->cuts[1], (used - 1) * sizeof(reading->cuts[0]));
	reading->count--;
	passage->cut--;
	return true;
}

static void stage(struct nf_passage *passage, u32 seq)
{
	struct nf_reading *reading = passage->reading;
	struct nf_cut *cut;

	if (!has_room(passage)) {
		refuse(passage, NF_STREAM_FULL);
		return;
	}
	cut = &reading->cuts[reading->count + passage->staged];
	memset(cut, 0, sizeof(*cut));
	cut->seq = seq;
	memcpy(&cut->scope, &passage->scope, sizeof(cut->scope));
	passage->staged = nf_reading_stage(reading, passage->staged + 1);
}

/* The cut at @seq, where a stretch begins, if it is our own; else one that is known. */
static struct nf_cut *last_cut(const struct nf_passage *passage, u32 seq)
{
	struct nf_reading *reading = passage->reading;
	struct nf_cut *staged = &reading->cuts[reading->count + passage->staged - 1];

	if (passage->staged && staged->seq == seq)
		return staged;
	return &reading->cuts[passage->cut];
}

/* Does the stream end there? */
static bool is_end(const struct nf_passage *passage, u32 at)
{
	const struct nf_sequence *seq = &passage->reading->seq;

	return (passage->header->fin && at == passage->end) ||
	       (seq->fin_known && seq->fin == at);
}

/* The text ends here: may it? */
static void end_scope(struct nf_passage *passage)
{
	struct utf8guard_error *error = &passage->error;
	struct nf_scope *scope = &passage->scope;
	u32 before = 0;

	/* Its octets were counted, or are not here: an end adds nothing to that. */
	if (scope->status == NF_SCOPE_UNFOLLOWED)
		return;
	nf_scope_end(scope, error);
	if (scope->status == NF_SCOPE_UNFOLLOWED)
		lose(passage, passage->at, scope->cause);
	if (scope->status != NF_SCOPE_REFUSED)
		return;
	refuse(passage, NF_STREAM_ILL_FORMED);
	passage->fault = passage->at - passage->first;
	if (scope->text.decode)
		error->span = 0;
	else
		before = explain_octets(passage, passage->before, 0);
	error->offset = nf_sequence_position(&passage->reading->seq, passage->at) - before;
}

/*
 * As text, octets are judged without those before them, too: they may never be read from
 * there, if the receiver gets what is missing by another way, or the flow is forgotten.
 * Up to eight octets before them are enough to know where a character begins.
 */
static void begin_alone(struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;
	u8 before[8];
	u32 n;

	nf_scope_set_alone(&passage->scope, &reading->initial, &nf_reading_last(reading)->scope);
	/* A byte order mark is one at the beginning of the stream alone. */
	passage->scope.text.refuse &= ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	n = nf_copies_before(&reading->copies, passage->at, before, sizeof(before));
	nf_scope_feed(&passage->scope, before, n, &passage->error);
}

/* And with those after them, where these were let through. */
static void end_alone(struct nf_passage *passage)
{
	u8 after[8];
	u32 n = nf_copies_after(&passage->reading->copies, passage->at, after, sizeof(after));

	read(passage, after, n);
	if (passage->verdict == NF_STREAM_ACCEPT && is_end(passage, passage->at + n))
		end_scope(passage);
}

/*
 * Others that must be read first are missing. The receiver delivers nothing of it until
 * they come; they are judged together with the copy then.
 */
static void set_early(struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;

	if (!reading->copies.memory || passage->cut + 1 < reading->count ||
	    passage->at != passage->first || passage->header->urg) {
		refuse(passage, NF_STREAM_AHEAD);
		return;
	}
	passage->copies.memory = reading->copies.memory;
	passage->is_early = true;
	begin_alone(passage);
	set_stretch(passage, NF_STRETCH_EARLY, passage->end);
}

/* With few cuts left, octets in order are copied, too: of those, only the ends are cuts. */
static bool is_crowded(const struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;

	return reading->copies.memory && !passage->is_short && !passage->header->urg &&
	       reading->count + passage->staged >= NF_CUTS / 2;
}

/*
 * Octets after all that were read. Where they reach copies that were not, they are these,
 * or refused.
 */
static void set_front(struct nf_passage *passage)
{
	struct nf_copy *next = nf_copies_find(&passage->reading->copies, passage->near,
					      passage->at);
	bool is_copied = next && nf_copy_has(next, passage->at);
	u32 to = nf_sequence_cut(passage->header, passage->at);
	bool is_copying = is_copied || is_crowded(passage);

	passage->near = next;
	if (is_copied)
		to = nf_copies_run_end(next);
	else if (is_copying)
		to = passage->end;
	if (next && !is_copied)
		to = nf_seq_min(to, next->seq);
	passage->copies.memory = passage->reading->copies.memory;
	set_stretch(passage, NF_STRETCH_NEW, to);
	passage->is_copying = is_copying;
}

/* Octets of a hole, or behind all that were read. */
static void set_new(struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;
	struct nf_cut *before = last_cut(passage, passage->at);
	u32 to = nf_sequence_cut(passage->header, passage->at);

	if (!passage->is_known) {
		set_early(passage);
		return;
	}
	/* Ahead of others that may be any, it is a piece of its own. */
	if (before->seq != passage->at) {
		before->is_kept = false;
		before->sum = 0;
		stage(passage, passage->at);
	}
	if (passage->cut + 1 == reading->count) {
		set_front(passage);
		return;
	}
	to = nf_seq_min(to, reading->cuts[passage->cut + 1].seq);
	set_stretch(passage, NF_STRETCH_NEW, to);
}

/* Find the parser at an octet. False where that is before all that is known. */
static bool enter(struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;
	int cut = nf_reading_find(reading, passage->at);

	if (cut < 0)
		return false;
	passage->cut = cut;
	if (!passage->is_known)
		passage->is_known = nf_reading_at(reading, cut, passage->at, &passage->scope);
	return true;
}

/* Octets whose cuts lenient policy has given up, if it is still the policy. */
static void set_forgotten(struct nf_passage *passage)
{
	if (may_be_alone(passage))
		set_stretch(passage, NF_STRETCH_ALONE, passage->reading->cuts[0].seq);
	else
		refuse(passage, NF_STREAM_UNVERIFIABLE);
}

/* Octets that the receiver has: up to what it asks for, or to a piece that reaches there. */
static void set_delivered(struct nf_passage *passage)
{
	const struct nf_sequence *seq = &passage->reading->seq;
	u32 to = seq->una, first = passage->reading->cuts[0].seq;

	if (nf_seq_before(passage->at, first))
		to = nf_seq_min(to, first);
	set_stretch(passage, NF_STRETCH_DELIVERED, to);
}

/* Is all of a piece here that the receiver may have only the beginning of? */
static bool is_whole(struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;

	return enter(passage) && passage->cut + 1 < reading->count &&
	       !reading->cuts[passage->cut].is_hole && !reading->cuts[passage->cut].is_kept &&
	       is_comparable(passage, nf_sequence_cut(passage->header, passage->at));
}

static void next_stretch(struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;

	if (nf_seq_before(passage->at, reading->seq.una) && !is_whole(passage))
		set_delivered(passage);
	else if (!enter(passage))
		set_forgotten(passage);
	else if (passage->cut + 1 == reading->count || reading->cuts[passage->cut].is_hole)
		set_new(passage);
	else
		set_old(passage);
}

/*
 * The parser must be what it was, but where it was picked up in the middle. After that it
 * may know less than now, if it had no whole character yet.
 */
static void compare(struct nf_passage *passage)
{
	const struct nf_cut *behind = &passage->reading->cuts[passage->cut + 1];

	if (passage->to == behind->seq && !behind->is_start &&
	    !nf_scope_agrees(&passage->scope, &behind->scope, passage->is_tail))
		refuse(passage, NF_STREAM_DIFFERS);
}

/* Are they other octets than the first time? */
static bool is_other(const struct nf_passage *passage)
{
	const struct nf_cut *cut = &passage->reading->cuts[passage->cut];

	if (cut->is_ascii && !passage->is_ascii)
		return true;
	if (passage->is_any || !cut->sum || may_be_alone(passage))
		return false;
	return passage->from == cut->seq && passage->to == cut[1].seq &&
	       sum_of(passage) != cut->sum;
}

static void end_old(struct nf_passage *passage)
{
	if (is_other(passage))
		refuse(passage, NF_STREAM_DIFFERS);
	compare(passage);
}

static void end_new(struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;
	struct nf_cut *from = last_cut(passage, passage->from);

	from->is_ascii = passage->is_ascii;
	from->is_kept = passage->is_copying && !passage->is_ascii;
	from->sum = passage->is_ascii ? 0 : sum_of(passage);
	if (passage->cut + 1 < reading->count &&
	    passage->to == reading->cuts[passage->cut + 1].seq)
		compare(passage);
	else
		stage(passage, passage->to);
}

static void end_stretch(struct nf_passage *passage)
{
	nf_text_settle(&passage->scope.text);
	switch (passage->stretch) {
	case NF_STRETCH_NEW:
		end_new(passage);
		break;
	case NF_STRETCH_OLD:
		end_old(passage);
		break;
	case NF_STRETCH_RECUT:
		passage->is_recut = true;
		passage->recut = passage->from;
		passage->recut_sum = sum_of(passage);
		stage(passage, passage->to);
		break;
	case NF_STRETCH_EARLY:
		end_alone(passage);
		passage->is_known = false;
		break;
	case NF_STRETCH_ALONE:
	case NF_STRETCH_DELIVERED:
	case NF_STRETCH_SAME:
		passage->is_known = false;
		break;
	}
}

/* What was picked up began before that. */
static void reach_back(struct nf_passage *passage)
{
	passage->is_reaching_back = nf_reading_reach_back(passage->reading, passage->first);
	if (!passage->is_reaching_back)
		refuse(passage, NF_STREAM_FULL);
}

/**
 * nf_passage_begin() - begin to read a segment
 * @passage: filled in
 * @reading: what came before it; must stay until nf_passage_end()
 * @header: of the segment; must stay as well
 * @policy: must stay as well
 *
 * Then feed its payload, unless @passage->verdict is not NF_STREAM_ACCEPT.
 *
 * Context: any; the caller serialises.
 */
void nf_passage_begin(struct nf_passage *passage, struct nf_reading *reading,
		      const struct nf_segment_header *header,
		      const struct nf_stream_policy *policy)
{
	bool urgent = header->urg && !policy->urgent_inline;
	const struct nf_sequence *seq = &reading->seq;

	memset(passage, 0, sizeof(*passage));
	passage->reading = reading;
	passage->header = header;
	passage->policy = policy;
	passage->first = nf_segment_first(header);
	passage->at = passage->first;
	passage->to = passage->first;
	passage->end = nf_segment_behind(header);
	passage->is_idle = nf_sequence_is_idle(seq, header, urgent);
	if (passage->is_idle)
		return;
	/* A SYN that was not answered may be followed by another. */
	passage->old = *seq;
	passage->is_beginning = !seq->started || (header->syn && !seq->acked &&
						  seq->una == seq->next && reading->count == 1 &&
						  !reading->copies.first && !reading->is_given_up);
	if (passage->is_beginning)
		nf_reading_start(reading, passage->first, header->syn, header->now);
	/* Urgent data may be behind this segment, or have been before it. */
	if (urgent)
		refuse(passage, NF_STREAM_URGENT);
	if (!nf_sequence_has_room(seq, header))
		refuse(passage, NF_STREAM_OUT_OF_WINDOW);
	if (reading->is_given_up && nf_seq_before(seq->una, passage->end))
		refuse(passage, NF_STREAM_FULL);
	if (passage->verdict == NF_STREAM_ACCEPT && header->len &&
	    nf_sequence_is_before_pick_up(seq, passage->first))
		reach_back(passage);
}

/**
 * nf_passage_feed() - read the next octets of the payload
 * @passage: begun
 * @data: the octets
 * @len: how many; what is beyond the payload is ignored
 *
 * Context: any; the caller serialises.
 * Return: whether more can change the verdict.
 */
bool nf_passage_feed(struct nf_passage *passage, const void *data, u32 len)
{
	const u8 *p = data;

	if (passage->is_idle)
		return false;
	len = min_t(u32, len, passage->end - passage->at);
	while (len && passage->verdict == NF_STREAM_ACCEPT) {
		u32 n;

		if (passage->at == passage->to) {
			next_stretch(passage);
			continue;
		}
		n = run(passage, p, min_t(u32, len, passage->to - passage->at));
		if (passage->verdict != NF_STREAM_ACCEPT)
			break;
		keep_before(passage, p, n);
		passage->at += n;
		p += n;
		len -= n;
		if (passage->at == passage->to && passage->at != passage->from)
			end_stretch(passage);
	}
	return passage->verdict == NF_STREAM_ACCEPT && passage->at != passage->end;
}

/* Have all octets been read up to where @passage is? Then copies may go on there. */
static bool is_at_front(const struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;

	return passage->is_known && passage->staged &&
	       reading->cuts[reading->count + passage->staged - 1].seq == passage->at &&
	       nf_seq_before(nf_reading_last(reading)->seq, passage->at);
}

/*
 * These copies were found bad before. From the same place they still are; from another,
 * the sender changes its octets each time, which honest ones do not, and would have us read
 * all of them for each.
 */
static bool is_misfit(struct nf_passage *passage)
{
	struct nf_misfit *misfit = &passage->reading->misfit;

	if (misfit->is_known && misfit->at == passage->at &&
	    !memcmp(&misfit->scope, &passage->scope, sizeof(misfit->scope)) &&
	    (misfit->cause == UTF8GUARD_CAUSE_NONE || !passage->policy->open)) {
		if (misfit->cause != UTF8GUARD_CAUSE_NONE) {
			lose(passage, misfit->unfollowed, misfit->cause);
			return true;
		}
		refuse(passage, NF_STREAM_ILL_FORMED);
		passage->error = misfit->error;
		memcpy(passage->bytes, misfit->bytes, sizeof(passage->bytes));
		return true;
	}
	if (misfit->tries == NF_FOLD_TRIES)
		refuse(passage, NF_STREAM_DIFFERS);
	return passage->verdict != NF_STREAM_ACCEPT;
}

/* Take note of what could not go on from @scope at @at. */
static void note_misfit(struct nf_passage *passage, const struct nf_scope *scope, u32 at)
{
	struct nf_misfit *misfit = &passage->reading->misfit;

	misfit->is_known = true;
	misfit->cause = passage->cause;
	misfit->unfollowed = passage->unfollowed;
	misfit->at = at;
	memcpy(&misfit->scope, scope, sizeof(*scope));
	misfit->error = passage->error;
	memcpy(misfit->bytes, passage->bytes, sizeof(misfit->bytes));
}

/*
 * The segment was read, and its last octet is followed by copies of what was let through
 * early. The receiver delivers that together with it, so it must be good as well.
 */
static void fold(struct nf_passage *passage)
{
	struct nf_copy *next = nf_copies_find(&passage->reading->copies, passage->near,
					      passage->at);
	struct nf_scope before;
	u32 at = passage->at, n;

	if (!next || !nf_copy_has(next, at) || is_misfit(passage))
		return;
	if (!has_room(passage)) {
		refuse(passage, NF_STREAM_FULL);
		return;
	}
	passage->is_folded = true;
	memcpy(&before, &passage->scope, sizeof(before));
	set_stretch(passage, NF_STRETCH_NEW, at);
	passage->to = nf_copies_run_end(next);
	for (; passage->at != passage->to; next = next->next) {
		const u8 *octets = next->octets + (passage->at - next->seq);

		n = nf_copy_end(next) - passage->at;
		read(passage, octets, n);
		if (passage->verdict != NF_STREAM_ACCEPT)
			break;
		keep_before(passage, octets, n);
		passage->at += n;
	}
	passage->is_copying = true;
	if (passage->verdict == NF_STREAM_ACCEPT)
		end_stretch(passage);
	if (passage->verdict == NF_STREAM_ILL_FORMED ||
	    (passage->cause != UTF8GUARD_CAUSE_NONE && !passage->policy->open))
		note_misfit(passage, &before, at);
}

/*
 * The stream ends where @passage is: may the text end there? If that is not known yet, it
 * is asked again of the segment by which it will be.
 */
static void end_text(struct nf_passage *passage)
{
	if (nf_seq_before(passage->at, passage->reading->seq.una) || passage->is_early ||
	    !enter(passage))
		return;
	if (passage->is_known) {
		end_scope(passage);
	} else if (passage->cut + 1 < passage->reading->count) {
		refuse(passage, NF_STREAM_AHEAD);
	} else if (nf_scope_stands_alone(&passage->reading->initial)) {
		begin_alone(passage);
		end_scope(passage);
	}
}

/* Behind the last octet. Where the stream was picked up, a FIN may have been before that. */
static u32 behind_last(const struct nf_passage *passage)
{
	const struct nf_reading *reading = passage->reading;
	const struct nf_cut *last = nf_reading_last(reading);
	u32 seq = last->is_start && reading->count > 1 ? last[-1].seq : last->seq;

	if ((passage->staged || passage->is_early) && nf_seq_before(seq, passage->end))
		seq = passage->end;
	if (reading->copies.last && nf_seq_before(seq, nf_copy_end(reading->copies.last)))
		seq = nf_copy_end(reading->copies.last);
	return seq;
}

/* All of it was read, and is good: may the stream go on, or end, there? */
static void settle(struct nf_passage *passage, struct nf_sequence *seq)
{
	if (!nf_sequence_ends_well(seq, passage->header, behind_last(passage)))
		refuse(passage, NF_STREAM_DIFFERS);
	if (passage->cause != UTF8GUARD_CAUSE_NONE && !passage->policy->open)
		refuse(passage, NF_STREAM_UNFOLLOWED);
	if (passage->verdict == NF_STREAM_ACCEPT && is_at_front(passage))
		fold(passage);
	if (passage->verdict == NF_STREAM_ACCEPT && is_end(passage, passage->at))
		end_text(passage);
	if (passage->cause != UTF8GUARD_CAUSE_NONE)
		refuse(passage, NF_STREAM_UNFOLLOWED);
	if (passage->verdict == NF_STREAM_UNFOLLOWED)
		passage->error.offset = nf_sequence_position(&passage->reading->seq,
							     passage->unfollowed);
}

/**
 * nf_passage_end() - all that could be read was fed
 * @passage: begun; its reading is changed only if the segment is to be let through
 *
 * That is on NF_STREAM_ACCEPT, and by @policy->open on NF_STREAM_UNFOLLOWED.
 *
 * Context: any; the caller serialises.
 * Return: the verdict.
 */
enum nf_stream_verdict nf_passage_end(struct nf_passage *passage)
{
	struct nf_reading *reading = passage->reading;
	struct nf_sequence seq = reading->seq;

	if (passage->is_idle)
		return NF_STREAM_ACCEPT;
	if (passage->at != passage->end)
		refuse(passage, NF_STREAM_UNREADABLE);
	if (passage->verdict == NF_STREAM_ACCEPT)
		settle(passage, &seq);
	if (passage->verdict == NF_STREAM_ACCEPT ||
	    (passage->verdict == NF_STREAM_UNFOLLOWED && passage->policy->open)) {
		nf_sequence_sent(&seq, passage->header);
		reading->seq = seq;
		if (passage->is_recut)
			reading->cuts[nf_reading_find(reading, passage->recut)].sum =
				passage->recut_sum;
		nf_copies_add(&reading->copies, &passage->copies);
		nf_reading_commit(reading, passage->staged, passage->first, passage->end);
		if (passage->is_lost)
			nf_reading_lose(reading);
		return passage->verdict;
	}
	passage->is_early = false;
	nf_copies_drop(&passage->copies);
	reading->misfit.tries += passage->is_folded && reading->misfit.tries < NF_FOLD_TRIES;
	if (passage->is_beginning)
		nf_reading_undo(reading, &passage->old);
	else if (passage->is_reaching_back)
		nf_reading_undo_back(reading, &passage->old);
	return passage->verdict;
}
