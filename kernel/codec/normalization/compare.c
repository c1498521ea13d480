// SPDX-License-Identifier: GPL-2.0
/* Compare two texts under a normalization form, without writing their forms (UAX #15). */
#include "normalization.h"

/*
 * Reads a text in its normalization form, code point by code point. A run, which is a starter
 * and its marks, is put in canonical order, composed and handed out. A run with more marks
 * than @mark holds is read from the text again, once for each combining class.
 */
struct cursor {
	struct utf8guard_reader reader;
	struct utf8guard_run run;
	u32 mark[UTF8GUARD_RUN_MARKS];
	u32 starter;			/* of the next run, if has_starter */
	const u8 *head;			/* character that run.starter is from */
	const u8 *next_head;		/* character that @starter is from */
	u16 next;			/* mark of the run to hand out */
	bool has_starter;		/* one has been read already */
	bool starter_due;		/* the starter is not handed out yet */
	u8 rank;			/* the rank handed out of a long run, or 0 */
	struct utf8guard_long_run long_run;
	struct utf8guard_reader marks;
};

static void begin(struct cursor *c, const struct utf8guard_rules *rules,
		  const u8 *text, const u8 *end)
{
	utf8guard_read_from(&c->reader, rules, text, end);
	c->run.starter = UTF8GUARD_NO_STARTER;
	c->run.count = 0;
	c->run.room = ARRAY_SIZE(c->mark);
	c->run.mark = c->mark;
	c->head = text;
	c->next = 0;
	c->has_starter = false;
	c->starter_due = false;
	c->rank = 0;
}

/* Not inlined: its stack is needed here only, not while code points are handed out. */
static noinline void begin_long_run(struct cursor *c)
{
	const struct utf8guard_rules *rules = c->reader.rules;
	const u8 *end = c->reader.end;
	size_t octets[UTF8GUARD_RANKS];
	const u8 *rest;

	rest = utf8guard_long_run(rules, c->run.starter, c->head, end,
				  &c->long_run, octets);
	c->run.starter = c->long_run.starter;
	c->run.count = 0;
	c->rank = 1;
	utf8guard_read_marks_from(&c->marks, rules, c->head, end);
	utf8guard_read_from(&c->reader, rules, rest, end);
}

/* Reads the next run and composes it. Return: false at the end of the text. */
static bool fill(struct cursor *c)
{
	const bool composes = c->reader.rules->composes;
	u32 code_point;
	u16 bits;

	c->next = 0;
	c->run.count = 0;
	c->run.starter = c->has_starter ? c->starter : UTF8GUARD_NO_STARTER;
	c->head = c->has_starter ? c->next_head : c->reader.at;
	c->has_starter = false;
	while (utf8guard_read(&c->reader, &code_point, &bits)) {
		if (bits & UTF8GUARD_RANK) {
			if (utf8guard_run_add(&c->run, code_point, bits & UTF8GUARD_RANK))
				continue;
			begin_long_run(c);
			c->starter_due = c->run.starter != UTF8GUARD_NO_STARTER;
			return true;
		}
		if (c->run.starter == UTF8GUARD_NO_STARTER && !c->run.count) {
			c->run.starter = code_point;
			c->head = c->reader.begin;
			continue;
		}
		if (composes && utf8guard_run_join(&c->run, code_point)) {
			c->head = c->reader.begin;
			continue;
		}
		c->starter = code_point;
		c->next_head = c->reader.begin;
		c->has_starter = true;
		break;
	}
	if (composes)
		utf8guard_run_compose(&c->run);
	c->starter_due = c->run.starter != UTF8GUARD_NO_STARTER;
	return c->starter_due || c->run.count;
}

/* The next mark of a long run: one rank after another, with a pass over the text for each. */
static bool next_of_long_run(struct cursor *c, u32 *code_point)
{
	u8 rank;

	for (; c->rank < UTF8GUARD_RANKS; c->rank++) {
		if (!(c->long_run.present >> c->rank & 1))
			continue;
		while (utf8guard_read_mark(&c->marks, code_point, &rank))
			if (rank == c->rank && !utf8guard_take(&c->long_run, rank))
				return true;
		utf8guard_read_marks_from(&c->marks, c->reader.rules, c->head,
					  c->reader.end);
	}
	c->rank = 0;
	return false;
}

/* The next code point of the form, or UTF8GUARD_NO_CODE_POINT. */
static u32 next_code_point(struct cursor *c)
{
	u32 code_point;

	for (;;) {
		if (c->starter_due) {
			c->starter_due = false;
			return c->run.starter;
		}
		if (c->rank && next_of_long_run(c, &code_point))
			return code_point;
		if (c->next < c->run.count)
			return c->mark[c->next++] & UTF8GUARD_MARK_CODE_POINT;
		if (!fill(c))
			return UTF8GUARD_NO_CODE_POINT;
	}
}

/* The length of the beginning that both texts share, back to the last boundary of the form. */
static size_t common(const struct utf8guard_rules *rules, const u8 *a,
		     size_t a_len, const u8 *b, size_t b_len)
{
	size_t i, shorter = min(a_len, b_len);
	struct utf8guard_char c;

	for (i = 0; i < shorter && a[i] == b[i]; i++)
		;
	if (i == a_len && i == b_len)
		return i;
	/* Only whole characters, and not the last: it may compose with what differs after it. */
	if ((i < a_len && utf8guard_is_tail(a[i])) ||
	    (i < b_len && utf8guard_is_tail(b[i])))
		i = utf8guard_previous(a + i) - a;
	while (i) {
		i = utf8guard_previous(a + i) - a;
		c = utf8guard_char_at(a + i, a_len - i);
		if (!(c.bits & rules->stop))
			break;
	}
	return i;
}

/**
 * utf8guard_compare() - compare two texts under a normalization form
 * @form: the form
 * @a: a text; may be NULL if @a_len is 0
 * @a_len: its length
 * @b: another; may be NULL if @b_len is 0
 * @b_len: its length
 * @order: set to less than 0, 0 or more than 0 where the form of @a comes before,
 *	equals or comes after the form of @b, in the order of code points
 * @err: on -EILSEQ, what is wrong with @a, or else with @b; or NULL
 *
 * Neither form is written. Time is linear in both lengths. The beginning that the
 * texts share is skipped. A run of more than 32 marks after one character is read
 * once for each combining class that occurs in it; there are 55 classes.
 *
 * Context: any; up to 2,304 octets of stack.
 * Return: 0, or -EILSEQ.
 */
int utf8guard_compare(enum utf8guard_form form, const void *a, size_t a_len,
		      const void *b, size_t b_len, int *order,
		      struct utf8guard_error *err)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	struct cursor one, other;
	u32 x, y;
	size_t i;

	if (utf8guard_validate(a, a_len, err) || utf8guard_validate(b, b_len, err))
		return -EILSEQ;
	i = common(rules, a, a_len, b, b_len);
	begin(&one, rules, (const u8 *)a + i, (const u8 *)a + a_len);
	begin(&other, rules, (const u8 *)b + i, (const u8 *)b + b_len);
	do {
		x = next_code_point(&one);
		y = next_code_point(&other);
	} while (x == y && x != UTF8GUARD_NO_CODE_POINT);
	/* The end comes before everything: make it the lowest. */
	*order = (x + 1 > y + 1) - (x + 1 < y + 1);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_compare, "UTF8GUARD");
