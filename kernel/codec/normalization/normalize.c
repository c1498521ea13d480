// SPDX-License-Identifier: GPL-2.0
/* Write a text in a normalization form, into a buffer with an end. */
#include "output.h"

/* So long a text that was not changed makes it likely that more can be skipped in whole blocks. */
#define CALM_RUN 64

/*
 * Of the eight octets at @p, does the first that is not ASCII begin a mark, CC or CD? There is no
 * branch on where that is.
 */
static __always_inline bool has_mark(const u8 *p)
{
	u64 top = utf8guard_load64_le(p) & UTF8GUARD_TOP_BITS;

	return (p[__builtin_ctzll(top | 1ULL << 63) / 8] & 0xfe) == 0xcc;
}

/*
 * Skips what a form cannot change in whole blocks, in the way that is fastest for the script, or
 * nothing of scripts that have much that it changes. Where it ends, no mark comes before.
 */
static __always_inline const u8 *skip_inert(enum utf8guard_form form, bool composes, const u8 *p,
					    const u8 *end)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];

	/* Text that begins with ASCII is mostly of Latin script, and may be decomposed. */
	if (*p < 0xc0) {
		if (end - p > UTF8GUARD_CALM_LATIN ? utf8guard_is_calm_latin(rules, p) :
		    !composes && end - p >= (long)utf8guard_calm_least && has_mark(p))
			return utf8guard_skip_calm_chosen(form, p, end);
		return p;
	}
	if (composes ? utf8guard_is_calm_script(p, end - p) :
		       utf8guard_is_calm_decomposed(p, end - p))
		return utf8guard_begins_inert(rules->active_leads, p) ?
			       utf8guard_skip_calm_chosen(form, p, end) : p;
	if (composes || *p >= 0xf0 || *p == 0xd7 || (*p >= 0xe4 && *p <= 0xe9))
		return utf8guard_skip_blocks(rules, p, end, true);
	return p;
}

/*
 * The same after a character that the form has changed, where it has not changed CALM_RUN octets
 * before it. Not inlined, for that is so in long texts only.
 */
static noinline const u8 *skip_again(enum utf8guard_form form, const u8 *p, const u8 *end)
{
	return p == end ? p : skip_inert(form, utf8guard_rules[form].composes, p, end);
}

/*
 * Does a character begin at @p whose lead is D0 or D1? None of these is a mark, so the order of
 * marks before it does not matter to what comes after it.
 */
static inline bool begins_cyrillic(const u8 *p, const u8 *end)
{
	return p != end && (*p & 0xfe) == 0xd0;
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
				      struct utf8guard_output *out)
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
	utf8guard_put_code_point(out, first);
	return p;
}

/* As utf8guard_put_in_order(), of a character of class and length @c. */
static inline const u8 *put_in_order(const struct utf8guard_rules *rules, const u8 *done,
				     const u8 *p, struct utf8guard_char c, const u8 *end,
				     struct utf8guard_output *out)
{
	if (c.bits & rules->stop & ~UTF8GUARD_RANK)
		return NULL;
	return utf8guard_put_in_order(rules, done, p, end, out);
}

/* Writes a composing form. Return: where the text is ill-formed, or its end. */
static const u8 *put_composed(enum utf8guard_form form, const u8 *text, const u8 *end,
			      struct utf8guard_output *out)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	const u8 *p = text, *done = text, *begin, *after;
	struct utf8guard_char c, starter;
	u32 composite;
	bool calm;
	u8 last = 0;

	if (p != end && !rules->folds)
		p = skip_inert(form, true, p, end);
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
		calm = p - done >= CALM_RUN && !rules->folds;
		if (begin) {
			utf8guard_put(out, done, begin - done);
			if (composite - UTF8GUARD_HANGUL < UTF8GUARD_HANGUL_COUNT) {
				after = utf8guard_put_syllables(rules, begin, end, out);
				if (after != begin) {
					p = after;
					done = p;
					continue;
				}
			}
			after = put_composite(rules, p, c, composite, end, out);
			if (!after)
				after = utf8guard_put_sequence(rules, begin, end, out);
		} else {
			after = put_in_order(rules, done, p, c, end, out);
			if (!after) {
				/* What this becomes may compose with the starter before it. */
				begin = utf8guard_starter_before(done, p, end, &starter);
				utf8guard_put(out, done, begin - done);
				after = utf8guard_put_sequence(rules, begin, end, out);
			}
		}
		p = after;
		done = p;
		if (calm)
			p = skip_again(form, p, end);
	}
	utf8guard_put(out, done, end - done);
	return end;
}

/*
 * Writes the text again, from the starter before the mark at @p. @done, @begin and @begin_len are
 * as in put_decomposed(). @before stays a mark if no starter follows @done.
 */
static inline const u8 *put_again(const struct utf8guard_rules *rules, const u8 *done, const u8 *p,
				  const u8 *end, const u8 *begin, size_t begin_len,
				  struct utf8guard_output *out)
{
	struct utf8guard_char before = { .bits = UTF8GUARD_RANK };
	const u8 *starter = utf8guard_starter_before(done, p, end, &before);

	if (before.bits & UTF8GUARD_RANK) {
		starter = begin;
		out->len = begin_len;
	} else {
		utf8guard_put(out, done, starter - done);
	}
	return utf8guard_put_sequence(rules, starter, end, out);
}

/*
 * Writes a decomposing form. Return: where the text is ill-formed, or its end.
 *
 * A decomposition that begins with a starter is written at once, and so are marks in canonical
 * order. At a mark out of order, or one that is decomposed, the text is read again from the starter
 * before it. If that starter was written already, as a decomposition, the output goes back to where
 * it was then: @begin is that starter in the text, @begin_len the length of the output before it,
 * and @done where the text after it begins.
 */
static const u8 *put_decomposed(enum utf8guard_form form, const u8 *text, const u8 *end,
				struct utf8guard_output *out)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	const u8 *p = text, *done = text, *begin = text, *after;
	struct utf8guard_parts parts;
	struct utf8guard_last syllable;
	struct utf8guard_char c;
	size_t begin_len = 0;
	bool calm;
	u8 last = 0;

	if (p != end)
		p = skip_inert(form, false, p, end);
	while ((p = utf8guard_skip_yes(rules, p, end, &last, &c)) != end) {
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return p;
		if (c.bits & rules->decomposes &&
		    !(c.bits & (UTF8GUARD_RANK | UTF8GUARD_QC_MARK))) {
			calm = p - done >= CALM_RUN;
			utf8guard_put(out, done, p - done);
			if (*p >= 0xea && *p <= 0xed) {
				done = utf8guard_put_jamo(p, end, out, &syllable);
				if (done != p) {
					p = done;
					begin = syllable.at;
					begin_len = syllable.len;
					last = 0;
					continue;
				}
			}
			begin = p;
			begin_len = out->len;
			utf8guard_decompose(rules, p, c, &parts);
			utf8guard_put_parts(out, &parts);
			last = parts.last_rank;
			p += c.length;
			done = p;
			if (last ? begins_cyrillic(p, end) : calm) {
				p = skip_again(form, p, end);
				last = 0;
			}
			continue;
		}
		after = put_in_order(rules, done, p, c, end, out);
		if (!after)
			after = put_again(rules, done, p, end, begin, begin_len, out);
		p = after;
		done = p;
		begin = p;
		begin_len = out->len;
		last = 0;
	}
	utf8guard_put(out, done, end - done);
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
 * Context: any; up to 2,048 octets of stack.
 * Return: 0, -EMSGSIZE where the result is longer than @cap, or -EILSEQ.
 */
int utf8guard_normalize(enum utf8guard_form form, const void *src, size_t len,
			void *dst, size_t cap, size_t *out_len,
			struct utf8guard_error *err)
{
	struct utf8guard_output out = { .at = dst, .cap = cap };
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
