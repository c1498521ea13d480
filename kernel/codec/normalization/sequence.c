// SPDX-License-Identifier: GPL-2.0
/* Write a starter and the marks after it, whose order or composition the form changes. */
#include "output.h"

static void put_run(struct utf8guard_output *out, const struct utf8guard_run *run)
{
	unsigned int i;

	if (run->starter != UTF8GUARD_NO_STARTER)
		utf8guard_put_code_point(out, run->starter);
	for (i = 0; i < run->count; i++)
		utf8guard_put_code_point(out, run->mark[i] & UTF8GUARD_MARK_CODE_POINT);
}

/*
 * Writes a run of more marks than fit on the stack, by a counting sort over its text.
 * utf8guard_long_run() counts the octets of each rank. Then the run is read once more, and each
 * mark is written where the marks of its rank go.
 */
static noinline const u8 *put_long_run(const struct utf8guard_rules *rules,
				       u32 starter, const u8 *head,
				       const u8 *end, struct utf8guard_output *out)
{
	size_t place[UTF8GUARD_RANKS], next;
	struct utf8guard_long_run run;
	struct utf8guard_reader r;
	struct utf8guard_output mark = *out;
	u32 code_point;
	u8 rank;

	end = utf8guard_long_run(rules, starter, head, end, &run, place);
	if (run.starter != UTF8GUARD_NO_STARTER)
		utf8guard_put_code_point(out, run.starter);
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
		utf8guard_put_code_point(&mark, code_point);
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
				 struct utf8guard_output *out)
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
					   struct utf8guard_output *out)
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

/**
 * utf8guard_put_sequence() - write characters in canonical order, composed if the form composes
 * @rules: of the form
 * @p: a starter, or the beginning of the text
 * @end: of the text
 * @out: where to
 *
 * Ends before an inert character, where the text is ill-formed, or at the end of the text. It does
 * not end before an inert character that is followed by one that is not inert: decomposed text is
 * full of such pairs.
 *
 * Return: where it ended.
 */
const u8 *utf8guard_put_sequence(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
				 struct utf8guard_output *out)
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

/* A run of marks of which the form changes nothing but the order: the rank and length of each. */
#define PLAIN_MARKS 16

struct plain_marks {
	unsigned int count;
	u8 rank[PLAIN_MARKS];
	u8 length[PLAIN_MARKS];
};

/* The first mark of the run that the mark at @p is in. NULL: too far away, or not after @done. */
static const u8 *first_mark(const u8 *done, const u8 *p, const u8 *end)
{
	const u8 *begin = p;
	unsigned int i;

	for (i = 0; i < PLAIN_MARKS && begin != done; i++) {
		p = begin;
		begin = utf8guard_previous(p);
		if (!(utf8guard_char_at(begin, end - begin).bits & UTF8GUARD_RANK))
			return p;
	}
	return NULL;
}

/* Return: after the run that begins at @p; NULL where the form changes more than the order. */
static const u8 *read_plain_marks(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
				  struct plain_marks *marks)
{
	struct utf8guard_char c;

	for (marks->count = 0; p != end; p += c.length) {
		c = utf8guard_char_at(p, end - p);
		if (c.bits & rules->stop & ~UTF8GUARD_RANK)
			return NULL;
		if (!(c.bits & UTF8GUARD_RANK))
			break;
		if (marks->count == PLAIN_MARKS)
			return NULL;
		marks->rank[marks->count] = c.bits & UTF8GUARD_RANK;
		marks->length[marks->count++] = c.length;
	}
	return p;
}

/* Writes the marks from @p on to @to in the order of their ranks, by a counting sort. */
static void sort_marks(u8 *to, const u8 *p, const struct plain_marks *marks)
{
	u8 place[UTF8GUARD_RANKS] = {}, octets;
	unsigned int i, rank;
	u64 present = 0;

	for (i = 0; i < marks->count; i++) {
		place[marks->rank[i]] += marks->length[i];
		present |= 1ULL << marks->rank[i];
	}
	for (i = 0; present; present &= present - 1, i += octets) {
		rank = __builtin_ctzll(present);
		octets = place[rank];
		place[rank] = i;
	}
	for (i = 0; i < marks->count; p += marks->length[i++]) {
		utf8guard_copy(to + place[marks->rank[i]], p, marks->length[i]);
		place[marks->rank[i]] += marks->length[i];
	}
}

/**
 * utf8guard_put_in_order() - write the run of marks around a mark that is out of order
 * @rules: of the form
 * @done: what of the text was not written yet begins here; it is written up to the run
 * @p: the mark, to which the quick check would say Yes in another order
 * @end: of the text
 * @out: where to
 *
 * Of the characters from @done to @p the quick check says Yes, or Maybe of some that do not
 * compose. Where it says Yes to all marks of the run, in order they are in the form (UAX #15
 * section 9).
 *
 * Return: after the run; NULL where nothing was written, because the form may change more than the
 * order, or the run is long.
 */
const u8 *utf8guard_put_in_order(const struct utf8guard_rules *rules, const u8 *done, const u8 *p,
				 const u8 *end, struct utf8guard_output *out)
{
	const u8 *begin = first_mark(done, p, end), *after;
	struct plain_marks marks;

	if (!begin)
		return NULL;
	after = read_plain_marks(rules, begin, end, &marks);
	if (!after)
		return NULL;
	utf8guard_put(out, done, begin - done);
	out->len += after - begin;
	if (out->len <= out->cap)
		sort_marks(out->at + out->len - (after - begin), begin, &marks);
	return after;
}
