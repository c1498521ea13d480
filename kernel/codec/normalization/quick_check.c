// SPDX-License-Identifier: GPL-2.0
/* Is a text in a normalization form? UAX #15 section 9. */
#include "normalization.h"

/*
 * Is it ASCII? Only texts of 8 to 64 octets are looked at, as most names are. Three words show it
 * of most that are not, so the branch is the same for nearly all names of a language.
 */
static __always_inline bool is_ascii(const u8 *p, size_t len)
{
	return len >= 8 && len <= 64 &&
	       !((utf8guard_load64(p) | utf8guard_load64(p + len / 2 - 4) |
		  utf8guard_load64(p + len - 8)) & UTF8GUARD_TOP_BITS) &&
	       utf8guard_is_short_ascii(p, len);
}

/* Text that begins with ASCII, and is not all of it. */
static __always_inline bool is_calm_latin(const struct utf8guard_rules *rules, const u8 *p,
					  size_t len)
{
	if (len <= UTF8GUARD_CALM_LATIN)
		return len >= utf8guard_calm_least;
	return utf8guard_is_calm_latin(rules, p);
}

/*
 * Skips the beginning of a text that is inert, or all of it, in the way that is fastest for the
 * script with that lead. Where it ends, no mark comes before.
 */
static __always_inline const u8 *skip_begin(enum utf8guard_form form,
					    const struct utf8guard_rules *rules, const u8 *p,
					    const u8 *end)
{
	if (p == end || rules->folds)
		return p;
	if (*p < 0xc0) {
		if (is_ascii(p, end - p))
			return end;
		if (is_calm_latin(rules, p, end - p))
			return utf8guard_skip_calm_chosen(form, p, end);
	} else if (utf8guard_is_calm_script(p, end - p)) {
		return utf8guard_skip_calm_chosen(form, p, end);
	} else if ((*p & 0xfc) == 0xd8 || *p == 0xe3) {
		/* Arabic, whose letters may have marks; kana */
		return utf8guard_skip_short(rules, p, end);
	} else if (!rules->composes && utf8guard_is_calm_decomposed(p, end - p)) {
		return utf8guard_skip_calm_chosen(form, p, end);
	}
	return utf8guard_skip_blocks(rules, p, end, !rules->composes);
}

/* Sets @offset, and @err where @value says that the text is ill-formed; returns @value. */
static int answer(int value, const u8 *text, size_t len, const u8 *at,
		  size_t *offset, struct utf8guard_error *err)
{
	if (value < 0 && err)
		utf8guard_explain(text, len, at - text, err);
	if (offset)
		*offset = at - text;
	return value;
}

/**
 * utf8guard_quick_check() - the quick check of UAX #15 section 9
 * @form: the form
 * @text: the text; may be NULL if @len is 0
 * @len: its length
 * @offset: set to the first character for which the answer is not
 *	UTF8GUARD_YES, else to @len; or NULL
 * @err: on -EILSEQ, what is wrong with the text; or NULL
 *
 * One pass, which validates the text as far as it is read. Where the answer is
 * UTF8GUARD_NO, the rest of the text is not read, and may be ill-formed. NFD and NFKD never
 * answer UTF8GUARD_PERHAPS.
 *
 * Context: any; pure.
 * Return: enum utf8guard_answer, or -EILSEQ.
 */
int utf8guard_quick_check(enum utf8guard_form form, const void *text,
			  size_t len, size_t *offset,
			  struct utf8guard_error *err)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	const u8 *p = text, *end = p + len, *perhaps = NULL;
	struct utf8guard_char c;
	u8 last = 0, rank;

	p = skip_begin(form, rules, p, end);
	while ((p = utf8guard_skip_yes(rules, p, end, &last, &c)) != end) {
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return answer(-EILSEQ, text, len, p, offset, err);
		rank = c.bits & UTF8GUARD_RANK;
		if (c.bits & rules->no || (rank && rank < last))
			return answer(UTF8GUARD_NO, text, len, p, offset, err);
		if (!perhaps)
			perhaps = p;
		last = rank;
		p += c.length;
	}
	if (perhaps)
		return answer(UTF8GUARD_PERHAPS, text, len, perhaps, offset, err);
	return answer(UTF8GUARD_YES, text, len, end, offset, err);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_quick_check, "UTF8GUARD");

/*
 * A starter of the text, which is decomposed and composed again, to see whether the result is
 * the same. @starter is what it has become so far; @rest is the part of its decomposition
 * that was not composed yet, and @mark the first mark of that. @kept: a mark before did not
 * compose, so that no starter can.
 */
struct candidate {
	const struct utf8guard_rules *rules;
	u32 original;
	u32 starter;
	struct utf8guard_reader rest;
	u32 mark;
	u8 mark_rank;
	u8 blocked;
	bool has_rest;
	bool kept;
};

static void next_of_rest(struct candidate *c)
{
	u16 bits = 0;

	c->has_rest = utf8guard_read(&c->rest, &c->mark, &bits);
	c->mark_rank = bits & UTF8GUARD_RANK;
}

static void take_apart(struct candidate *c, const u8 *p, unsigned int length)
{
	u16 bits;

	c->original = utf8guard_decode(p, length);
	c->blocked = 0;
	c->kept = false;
	utf8guard_read_from(&c->rest, c->rules, p, p + length);
	utf8guard_read(&c->rest, &c->starter, &bits);
	next_of_rest(c);
}

static void take_mark(struct candidate *c, u32 mark, u8 rank)
{
	u32 composite = 0;

	if (!rank || rank != c->blocked)
		composite = utf8guard_composite(c->starter, mark);
	if (composite) {
		c->starter = composite;
		return;
	}
	c->blocked = rank;
	c->kept = true;
}

/* Compose with what is left of the decomposition, up to @rank. */
static void take_rest(struct candidate *c, u8 rank)
{
	while (c->has_rest && c->mark_rank <= rank) {
		take_mark(c, c->mark, c->mark_rank);
		next_of_rest(c);
	}
}

/* Would the starter at @p, @length octets long, compose with the candidate? */
static bool joins(const struct candidate *c, const u8 *p, unsigned int length)
{
	struct utf8guard_reader r;
	u32 first;
	u16 bits;

	if (c->kept)
		return false;
	utf8guard_read_from(&r, c->rules, p, p + length);
	return utf8guard_read(&r, &first, &bits) &&
	       utf8guard_composite(c->starter, first);
}

/*
 * Is a sequence of characters, from a starter up to a boundary, the same after it was
 * decomposed and composed? Where its marks are in canonical order and the form replaces none
 * of them, it is the same if and only if its starter is: that must be composed of the same
 * marks again. The marks of the decomposition of the starter and those after it are both in
 * order, so they are merged as they are read, and none is stored.
 * Return: the boundary; NULL if the sequence is not the same.
 */
static noinline const u8 *check_sequence(const struct utf8guard_rules *rules,
					 const u8 *p, const u8 *end)
{
	struct candidate candidate = {
		.rules = rules,
		.original = UTF8GUARD_NO_STARTER,
		.starter = UTF8GUARD_NO_STARTER,
	};
	struct utf8guard_char c;
	bool first = true;
	u8 rank, last = 0;

	for (; p != end; p += c.length, first = false, last = rank) {
		c = utf8guard_char_at(p, end - p);
		if (c.bits & UTF8GUARD_QC_ILL_FORMED ||
		    (!first && !(c.bits & rules->stop)))
			break;
		rank = c.bits & UTF8GUARD_RANK;
		if (c.bits & rules->no || (rank && rank < last))
			return NULL;
		take_rest(&candidate, rank ? rank : UTF8GUARD_RANK);
		if (rank) {
			take_mark(&candidate, utf8guard_decode(p, c.length), rank);
			continue;
		}
		if (candidate.starter != candidate.original ||
		    joins(&candidate, p, c.length))
			return NULL;
		take_apart(&candidate, p, c.length);
	}
	take_rest(&candidate, UTF8GUARD_RANK);
	return candidate.starter == candidate.original ? p : NULL;
}

/* As utf8guard_is_normalized(). The text before @p is in the form, and does not end with a mark. */
static noinline int check_from(enum utf8guard_form form, const u8 *text, size_t len, const u8 *p,
			       size_t *offset, struct utf8guard_error *err)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	const u8 *end = text + len, *done = text, *begin;
	struct utf8guard_char c;
	u8 last = 0;

	while ((p = utf8guard_skip_yes(rules, p, end, &last, &c)) != end) {
		u32 composite;

		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return answer(-EILSEQ, text, len, p, offset, err);
		if (c.bits & rules->no)
			return answer(0, text, len, p, offset, err);
		begin = utf8guard_composes_with(rules, done, p, c, end, &composite);
		if (begin) {
			if (composite)
				return answer(0, text, len, begin, offset, err);
			last = c.bits & UTF8GUARD_RANK;
			p += c.length;
			continue;
		}
		begin = utf8guard_starter_before(done, p, end, &c);
		p = check_sequence(rules, begin, end);
		if (!p)
			return answer(0, text, len, begin, offset, err);
		done = p;
		last = 0;
	}
	return answer(1, text, len, end, offset, err);
}

/**
 * utf8guard_is_normalized() - is a text in a normalization form?
 * @form: the form
 * @text: the text; may be NULL if @len is 0
 * @len: its length
 * @offset: on 0, set to the first character that shows it, or to the starter that this one
 *	changes; the form is the same as the text up to the last starter before that. On 1, set
 *	to @len; or NULL
 * @err: on -EILSEQ, what is wrong with the text; or NULL
 *
 * The definite answer (UAX #15 section 9), without writing the form. Linear time, up to 704
 * octets of stack. The text is validated as far as it is read; where the answer is 0, the
 * rest of it is not read.
 *
 * Context: any, with preemption off too; pure.
 * Return: 1, 0, or -EILSEQ.
 */
int utf8guard_is_normalized(enum utf8guard_form form, const void *text,
			    size_t len, size_t *offset,
			    struct utf8guard_error *err)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	const u8 *end = (const u8 *)text + len, *p;

	if (!rules->composes)
		return utf8guard_quick_check(form, text, len, offset, err);
	p = skip_begin(form, rules, text, end);
	if (p != end)
		return check_from(form, text, len, p, offset, err);
	if (offset)
		*offset = len;
	return 1;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_is_normalized, "UTF8GUARD");
