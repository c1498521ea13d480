// SPDX-License-Identifier: GPL-2.0
/* Is a text in a normalization form? UAX #15 section 9. */
#include "normalization.h"

/* Say where; and for ill-formed text, what. */
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
 * One pass, which validates the text as far as it is read: all of it, unless
 * the answer is UTF8GUARD_NO. NFD and NFKD never answer UTF8GUARD_PERHAPS.
 *
 * Context: any; pure.
 * Return: enum utf8guard_answer, or -EILSEQ.
 */
int utf8guard_quick_check(enum utf8guard_form form, const void *text,
			  size_t len, size_t *offset,
			  struct utf8guard_error *err)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	const u8 *p = text, *end = p + len, *after = NULL, *perhaps = NULL;
	struct utf8guard_char c;
	u8 last = 0, rank;

	while ((p = utf8guard_skip_inert(rules, p, end, &c)) != end) {
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return answer(-EILSEQ, text, len, p, offset, err);
		rank = c.bits & UTF8GUARD_RANK;
		if (p != after)
			last = 0;
		if (c.bits & rules->no || (rank && rank < last))
			return answer(UTF8GUARD_NO, text, len, p, offset, err);
		if (c.bits & rules->stop & UTF8GUARD_QC_MAYBE && !perhaps)
			perhaps = p;
		last = rank;
		p += c.length;
		after = p;
	}
	if (perhaps)
		return answer(UTF8GUARD_PERHAPS, text, len, perhaps, offset, err);
	return answer(UTF8GUARD_YES, text, len, end, offset, err);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_quick_check, "UTF8GUARD");

/*
 * A starter of the text, taken apart to see whether it comes out of
 * composition the same: what of its decomposition is still to compose, and
 * what has become of it.
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
 * Does a sequence of characters, from a starter up to a boundary, come out of
 * composition the same? Marks that stand in canonical order, none of which
 * the form replaces, do so if and only if their starter does: what it is
 * composed of then has to be what it was composed of before. The marks of its
 * decomposition merge with those that follow, both in order already, so that
 * nothing needs to be kept. Return: the boundary, or NULL.
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

/**
 * utf8guard_is_normalized() - is a text in a normalization form?
 * @form: the form
 * @text: the text; may be NULL if @len is 0
 * @len: its length
 * @offset: where not, set to the beginning of the sequence that the form
 *	changes, else to @len; or NULL
 * @err: on -EILSEQ, what is wrong with the text; or NULL
 *
 * The definite answer of UAX #15 section 9, without writing the form: linear
 * time, under 512 octets of stack. The text is validated as far as it is read:
 * all of it, unless the answer is 0.
 *
 * Context: any, with preemption off too; pure.
 * Return: 1, 0, or -EILSEQ.
 */
int utf8guard_is_normalized(enum utf8guard_form form, const void *text,
			    size_t len, size_t *offset,
			    struct utf8guard_error *err)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	const u8 *p = text, *end = p + len, *after = p, *begin;
	struct utf8guard_char c;

	if (!rules->composes)
		return utf8guard_quick_check(form, text, len, offset, err);
	while ((p = utf8guard_skip_inert(rules, p, end, &c)) != end) {
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return answer(-EILSEQ, text, len, p, offset, err);
		begin = p != after ? utf8guard_previous(p) : p;
		if (c.bits & rules->no)
			return answer(0, text, len, p, offset, err);
		after = check_sequence(rules, begin, end);
		if (!after)
			return answer(0, text, len, begin, offset, err);
		p = after;
	}
	return answer(1, text, len, end, offset, err);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_is_normalized, "UTF8GUARD");
