// SPDX-License-Identifier: GPL-2.0
/* Write a text in a normalization form, into a buffer with an end. */
#include "normalization.h"

/* Where the result goes. @len is the length of the whole result so far, with what did not fit. */
struct output {
	u8 *at;
	size_t cap;
	size_t len;
};

static __always_inline void put_code_point(struct output *out, u32 code_point)
{
	unsigned int length = utf8guard_encoded_length(code_point);

	if (out->len <= out->cap && out->cap - out->len >= length)
		utf8guard_encode(code_point, out->at + out->len);
	out->len += length;
}

/* Most of what is copied is short, and a call of memcpy() takes as long: overlapping words. */
static inline void copy(u8 *to, const u8 *from, size_t len)
{
	if (len > 16) {
		memcpy(to, from, len);
	} else if (len >= 8) {
		u64 last = utf8guard_load64(from + len - 8);

		__builtin_memcpy(to, from, 8);
		__builtin_memcpy(to + len - 8, &last, 8);
	} else if (len >= 4) {
		u32 last = utf8guard_load32(from + len - 4);

		__builtin_memcpy(to, from, 4);
		__builtin_memcpy(to + len - 4, &last, 4);
	} else if (len) {
		to[0] = from[0];
		to[len / 2] = from[len / 2];
		to[len - 1] = from[len - 1];
	}
}

static void put(struct output *out, const u8 *p, size_t len)
{
	size_t at = out->len;

	out->len += len;
	if (out->len > out->cap)
		return;
	copy(out->at + at, p, len);
}

/* Copies a fixed size where that fits, which needs no loop; the next octets overwrite the rest. */
static void put_parts(struct output *out, const struct utf8guard_parts *parts)
{
	if (parts->length > UTF8GUARD_COPY || out->len > out->cap ||
	    out->cap - out->len < UTF8GUARD_COPY) {
		put(out, parts->octets, parts->length);
		return;
	}
	memcpy(out->at + out->len, parts->octets, UTF8GUARD_COPY);
	out->len += parts->length;
}

static void put_run(struct output *out, const struct utf8guard_run *run)
{
	unsigned int i;

	if (run->starter != UTF8GUARD_NO_STARTER)
		put_code_point(out, run->starter);
	for (i = 0; i < run->count; i++)
		put_code_point(out, run->mark[i] & UTF8GUARD_MARK_CODE_POINT);
}

/*
 * Writes a run of more marks than fit on the stack, by a counting sort over its text.
 * utf8guard_long_run() counts the octets of each rank. Then the run is read once more, and each
 * mark is written where the marks of its rank go.
 */
static noinline const u8 *put_long_run(const struct utf8guard_rules *rules,
				       u32 starter, const u8 *head,
				       const u8 *end, struct output *out)
{
	size_t place[UTF8GUARD_RANKS], next;
	struct utf8guard_long_run run;
	struct utf8guard_reader r;
	struct output mark = *out;
	u32 code_point;
	u8 rank;

	end = utf8guard_long_run(rules, starter, head, end, &run, place);
	if (run.starter != UTF8GUARD_NO_STARTER)
		put_code_point(out, run.starter);
	for (rank = 1; rank < UTF8GUARD_RANKS; rank++) {
		next = out->len + place[rank];
		place[rank] = out->len;
		out->len = next;
	}
	utf8guard_read_marks_from(&r, rules, head, end);
	while (utf8guard_read_mark(&r, &code_point, &rank)) {
		if (utf8guard_take(&run, rank))
			continue;
		mark.len = place[rank];
		put_code_point(&mark, code_point);
		place[rank] = mark.len;
	}
	return end;
}

/*
 * Takes a code point in. A starter that does not join the run completes it: then the run is
 * written, and the starter begins another. Return: false where a mark found no room in the run.
 */
static __always_inline bool take(const struct utf8guard_rules *rules,
				 struct utf8guard_run *run, u32 code_point, u16 bits,
				 struct output *out)
{
	if (bits & UTF8GUARD_RANK)
		return utf8guard_run_add(run, code_point, bits & UTF8GUARD_RANK);
	if (rules->composes) {
		if (bits & UTF8GUARD_QC_MAYBE && utf8guard_run_join(run, code_point))
			return true;
		if (run->count)
			utf8guard_run_compose(run);
	}
	put_run(out, run);
	run->starter = code_point;
	run->count = 0;
	return true;
}

/*
 * Takes in the character at @p, of class and length @c. @head: set to @p if the starter of the run
 * comes from this character. Return: false where a mark found no room in the run.
 */
static __always_inline bool take_character(const struct utf8guard_rules *rules,
					   struct utf8guard_run *run, const u8 *p,
					   struct utf8guard_char c, const u8 **head,
					   struct output *out)
{
	struct utf8guard_parts parts;
	const u8 *part, *end;

	if (!(c.bits & rules->decomposes) ||
	    (rules->composes && utf8guard_is_hangul(p, c))) {
		if (!(c.bits & UTF8GUARD_RANK))
			*head = p;
		return take(rules, run, utf8guard_decode(p, c.length), c.bits, out);
	}
	utf8guard_decompose(rules, p, c, &parts);
	end = parts.octets + parts.length;
	for (part = parts.octets; part != end; part += c.length) {
		c = utf8guard_char_at(part, end - part);
		if (!(c.bits & UTF8GUARD_RANK))
			*head = p;
		if (!take(rules, run, utf8guard_decode(part, c.length), c.bits, out))
			return false;
	}
	return true;
}

/* Is the character at @p well-formed, and not inert? */
static __always_inline bool is_active(const struct utf8guard_rules *rules, const u8 *p,
				      const u8 *end)
{
	struct utf8guard_char c;

	if (p == end)
		return false;
	c = utf8guard_char_at(p, end - p);
	return c.bits & rules->stop && !(c.bits & UTF8GUARD_QC_ILL_FORMED);
}

/*
 * Writes the characters from @p on in canonical order and, if the form composes, composed. At @p is
 * a starter, or the text begins there. Ends before an inert character, where the text is
 * ill-formed, or at the end of the text. It does not end before an inert character that is followed
 * by one that is not inert: decomposed text is full of such pairs. Return: where it ended.
 */
static const u8 *put_sequence(const struct utf8guard_rules *rules, const u8 *p,
			      const u8 *end, struct output *out)
{
	u32 mark[UTF8GUARD_RUN_MARKS];
	struct utf8guard_run run = {
		.starter = UTF8GUARD_NO_STARTER,
		.room = ARRAY_SIZE(mark),
		.mark = mark,
	};
	const u8 *head = p, *begin = p;
	struct utf8guard_char c;

	for (; p != end; p += c.length) {
		c = utf8guard_char_at(p, end - p);
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			break;
		if (!(c.bits & rules->stop) && p != begin &&
		    !is_active(rules, p + c.length, end))
			break;
		if (!take_character(rules, &run, p, c, &head, out))
			return put_long_run(rules, run.starter, head, end, out);
	}
	if (rules->composes)
		utf8guard_run_compose(&run);
	put_run(out, &run);
	return p;
}

/*
 * Writes a starter and the characters after it, if each of these in turn composes with what the
 * starter has become, and if then an inert character or the end follows. So it is in most
 * decomposed text. @p: the first character after the starter, of class and length @c, with which it
 * has become @first. Return: the character after those that were composed; NULL where nothing was
 * written, because one of them does not compose at once.
 */
static inline const u8 *put_composite(const struct utf8guard_rules *rules, const u8 *p,
				      struct utf8guard_char c, u32 first, const u8 *end,
				      struct output *out)
{
	u16 last;

	for (;;) {
		last = c.bits & UTF8GUARD_RANK;
		p += c.length;
		if (p == end)
			break;
		c = utf8guard_char_at(p, end - p);
		if (c.bits & UTF8GUARD_QC_ILL_FORMED || !(c.bits & rules->stop))
			break;
		if (!(c.bits & UTF8GUARD_QC_MAYBE) || c.bits & (rules->no | rules->decomposes) ||
		    (c.bits & UTF8GUARD_RANK) < last)
			return NULL;
		first = utf8guard_composite(first, utf8guard_decode(p, c.length));
		if (!first)
			return NULL;
	}
	put_code_point(out, first);
	return p;
}

/*
 * The distance from @first to the code point at @p, if that is one of U+1100 to U+11FF, the jamo,
 * which take three octets. If it is another one, or less than @first: a number above all counts.
 */
static inline u32 jamo_at(const u8 *p, const u8 *end, u32 first)
{
	u32 word;

	if (end - p < 3)
		return UTF8GUARD_NO_CODE_POINT;
	word = (u32)p[0] << 16 | p[1] << 8 | p[2];
	if ((word & 0xfffcc0) != 0xe18480)
		return UTF8GUARD_NO_CODE_POINT;
	return UTF8GUARD_JAMO_L + (word >> 2 & 0xc0) + (word & 0x3f) - first;
}

/*
 * Writes Hangul syllables from their jamo, as long as one comes directly after the other. A
 * syllable is only written if nothing after it can change it: another syllable, an inert character
 * or the end must follow. Return: after the last syllable that was written; @p if there was none.
 */
static const u8 *put_hangul(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
			    struct output *out)
{
	const u8 *begin = p;
	struct utf8guard_char c;

	for (;;) {
		u32 l = jamo_at(p, end, UTF8GUARD_JAMO_L);
		u32 v = jamo_at(p + 3, end, UTF8GUARD_JAMO_V), t;

		if (l >= UTF8GUARD_JAMO_L_COUNT || v >= UTF8GUARD_JAMO_V_COUNT)
			break;
		t = jamo_at(p + 6, end, UTF8GUARD_JAMO_T);
		t = t < UTF8GUARD_JAMO_T_COUNT ? t : 0;
		put_code_point(out, UTF8GUARD_HANGUL + t +
			       (l * UTF8GUARD_JAMO_V_COUNT + v) * UTF8GUARD_JAMO_T_COUNT);
		begin = p;
		p += t ? 9 : 6;
	}
	if (p == begin || p == end)
		return p;
	c = utf8guard_char_at(p, end - p);
	if (!(c.bits & rules->stop))
		return p;
	/* This may compose with the last syllable, or be a mark of it: takes back three octets. */
	out->len -= 3;
	return begin;
}

/* What is skipped in whole blocks must be so long to make it likely that more can be. */
#define CALM_RUN 64

/*
 * Skips what a form cannot change in whole blocks, in the way that is fastest for the script, or
 * nothing of scripts that have much that it changes. Where it ends, no mark comes before.
 */
static __always_inline const u8 *skip_inert(enum utf8guard_form form, bool composes, const u8 *p,
					    const u8 *end)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];

	/* Text that begins with ASCII is mostly of Latin script, and may be decomposed. */
	if (*p < 0xc0)
		return end - p > UTF8GUARD_CALM_LATIN && utf8guard_is_calm_latin(rules, p) ?
			       utf8guard_skip_calm(form, p, end) : p;
	if (composes ? utf8guard_is_calm_script(p, end - p) :
		       *p == 0xd7 && end - p >= UTF8GUARD_CALM_MIN)
		return utf8guard_begins_inert(rules->active_leads, p) ?
			       utf8guard_skip_calm(form, p, end) : p;
	if (composes || *p >= 0xf0 || *p == 0xd7 || (*p >= 0xe4 && *p <= 0xe9))
		return utf8guard_skip_blocks(rules, p, end, true);
	return p;
}

/*
 * The same after a character that the form has changed, if @calm says that much before it was
 * skipped so. Not inlined, for that is so in long texts only.
 */
static noinline const u8 *skip_again(enum utf8guard_form form, const u8 *p, const u8 *end,
				     bool *calm)
{
	const u8 *begin = p;

	if (p != end)
		p = skip_inert(form, utf8guard_rules[form].composes, p, end);
	*calm = p - begin >= CALM_RUN;
	return p;
}

/* Writes a composing form. Return: where the text is ill-formed, or its end. */
static const u8 *put_composed(enum utf8guard_form form, const u8 *text, const u8 *end,
			      struct output *out)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	bool calm = false;
	const u8 *p = text, *done = text, *begin, *after;
	struct utf8guard_char c, starter;
	u32 composite;
	u8 last = 0;

	if (p != end && !rules->folds) {
		p = skip_inert(form, true, p, end);
		calm = p - text >= CALM_RUN;
	}
	while ((p = utf8guard_skip_yes(rules, p, end, &last, &c)) != end) {
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return p;
		begin = utf8guard_composes_with(rules, done, p, c, end, &composite);
		if (begin && !composite) {
			last = c.bits & UTF8GUARD_RANK;
			p += c.length;
			continue;
		}
		last = 0;
		if (begin) {
			put(out, done, begin - done);
			if (composite - UTF8GUARD_HANGUL < UTF8GUARD_HANGUL_COUNT) {
				after = put_hangul(rules, begin, end, out);
				if (after != begin) {
					p = after;
					done = p;
					continue;
				}
			}
			after = put_composite(rules, p, c, composite, end, out);
			if (!after)
				after = put_sequence(rules, begin, end, out);
		} else {
			/* What this character becomes may compose with the starter before it. */
			begin = utf8guard_starter_before(done, p, end, &starter);
			put(out, done, begin - done);
			after = put_sequence(rules, begin, end, out);
		}
		p = after;
		done = p;
		if (calm)
			p = skip_again(form, p, end, &calm);
	}
	put(out, done, end - done);
	return end;
}

/*
 * Writes a decomposing form. Return: where the text is ill-formed, or its end.
 *
 * A decomposition that begins with a starter is written at once, and so are marks in canonical
 * order. At a mark out of order, or one that is decomposed, the text is read again from the starter
 * before it. If that starter was written already, as a decomposition, the output goes back to where
 * it was then: @begin is that starter in the text, @begin_len the length of the output before it,
 * and @done where the text after it begins. @before stays a mark if no starter follows @done.
 */
static const u8 *put_decomposed(enum utf8guard_form form, const u8 *text, const u8 *end,
				struct output *out)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	bool calm = false;
	const u8 *p = text, *done = text, *begin = text, *starter;
	struct utf8guard_parts parts;
	struct utf8guard_char c, before;
	size_t begin_len = 0;
	u8 last = 0;

	if (p != end) {
		p = skip_inert(form, false, p, end);
		calm = p - text >= CALM_RUN;
	}
	while ((p = utf8guard_skip_yes(rules, p, end, &last, &c)) != end) {
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return p;
		if (c.bits & rules->decomposes &&
		    !(c.bits & (UTF8GUARD_RANK | UTF8GUARD_QC_MARK))) {
			put(out, done, p - done);
			begin = p;
			begin_len = out->len;
			utf8guard_decompose(rules, p, c, &parts);
			put_parts(out, &parts);
			last = parts.last_rank;
			p += c.length;
			done = p;
			/* After a mark, the order of the next ones depends on it. */
			if (calm && !last)
				p = skip_again(form, p, end, &calm);
			continue;
		}
		before.bits = UTF8GUARD_RANK;
		starter = utf8guard_starter_before(done, p, end, &before);
		if (before.bits & UTF8GUARD_RANK) {
			starter = begin;
			out->len = begin_len;
		} else {
			put(out, done, starter - done);
		}
		p = put_sequence(rules, starter, end, out);
		done = p;
		begin = p;
		begin_len = out->len;
		last = 0;
	}
	put(out, done, end - done);
	return end;
}

/**
 * utf8guard_normalize() - write a text in a normalization form
 * @form: one of enum utf8guard_form; not checked
 * @src: the text; may be NULL if @len is 0
 * @len: its length
 * @dst: for the result, not overlapping @src; may be NULL if @cap is 0
 * @cap: its size; nothing is written past it
 * @out_len: set to the length of the whole result, also where it does not fit; 0 on
 *	-EILSEQ
 * @err: on -EILSEQ, what is wrong with the text; or NULL
 *
 * Implements UAX #15 and The Unicode Standard, section 3.11, of the version
 * that utf8guard_unicode_version() names. The result is at most 11 times as
 * long as the text. Linear time: up to 32 marks in a row are sorted on the stack. A longer
 * run is sorted by a counting sort that reads it up to four times, and in the composing
 * forms up to three times more. On error the contents of @dst are undefined.
 *
 * Context: any; under 1.5 KiB of stack.
 * Return: 0, -EMSGSIZE where the result is longer than @cap, or -EILSEQ.
 */
int utf8guard_normalize(enum utf8guard_form form, const void *src, size_t len,
			void *dst, size_t cap, size_t *out_len,
			struct utf8guard_error *err)
{
	struct output out = { .at = dst, .cap = cap };
	const u8 *text = src, *end = text + len, *stopped;

	if (utf8guard_rules[form].composes)
		stopped = put_composed(form, text, end, &out);
	else
		stopped = put_decomposed(form, text, end, &out);
	if (stopped != end) {
		*out_len = 0;
		if (err)
			utf8guard_explain(text, len, stopped - text, err);
		return -EILSEQ;
	}
	*out_len = out.len;
	return out.len > cap ? -EMSGSIZE : 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_normalize, "UTF8GUARD");
