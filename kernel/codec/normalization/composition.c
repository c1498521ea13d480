// SPDX-License-Identifier: GPL-2.0
/* The canonical composition algorithm (The Unicode Standard, D117): a starter and its marks. */
#include "normalization.h"

static u32 compose_hangul(u32 first, u32 second)
{
	u32 l = first - UTF8GUARD_JAMO_L, v = second - UTF8GUARD_JAMO_V;
	u32 lv = first - UTF8GUARD_HANGUL, t = second - UTF8GUARD_JAMO_T;

	if (l < UTF8GUARD_JAMO_L_COUNT && v < UTF8GUARD_JAMO_V_COUNT)
		return UTF8GUARD_HANGUL +
		       (l * UTF8GUARD_JAMO_V_COUNT + v) * UTF8GUARD_JAMO_T_COUNT;
	/* UTF8GUARD_JAMO_T stands for no T: the first trailing consonant is the one after it. */
	if (lv < UTF8GUARD_HANGUL_COUNT && !(lv % UTF8GUARD_JAMO_T_COUNT) &&
	    t - 1 < UTF8GUARD_JAMO_T_COUNT - 1)
		return first + t;
	return 0;
}

/**
 * utf8guard_composite() - the primary composite of two code points (D114)
 * @first: a starter, or UTF8GUARD_NO_STARTER
 * @second: a code point
 *
 * Return: the composite, or 0.
 */
u32 utf8guard_composite(u32 first, u32 second)
{
	u32 hash = first * UTF8GUARD_COMPOSITION_FACTOR + second * 0x9e3779b1U;
	u64 slot;

	if (first == UTF8GUARD_NO_STARTER)
		return 0;
	if ((second & ~0xffU) == UTF8GUARD_JAMO_L)
		return compose_hangul(first, second);
	slot = utf8guard_composition_slot[(hash >> 8 & 1023) ^
					  utf8guard_composition_shift[hash >> 24]];
	return slot >> 21 == ((u64)first << 21 | second) ? slot & 0x1fffff : 0;
}

/**
 * utf8guard_run_add() - insert a mark at its place in canonical order (D109)
 * @run: the run
 * @code_point: the mark
 * @rank: of its combining class
 *
 * Return: false where there is no room, and the run is unchanged.
 */
bool utf8guard_run_add(struct utf8guard_run *run, u32 code_point, u8 rank)
{
	u32 mark = (u32)rank << UTF8GUARD_MARK_RANK_SHIFT | code_point;
	unsigned int i = run->count;

	if (i == run->room)
		return false;
	run->count++;
	for (; i && run->mark[i - 1] >> UTF8GUARD_MARK_RANK_SHIFT > rank; i--)
		run->mark[i] = run->mark[i - 1];
	run->mark[i] = mark;
	return true;
}

/**
 * utf8guard_run_compose() - compose the starter with all marks that it can
 * @run: the run, complete
 *
 * A mark is blocked (D115) by one of its own class that was left uncomposed.
 */
void utf8guard_run_compose(struct utf8guard_run *run)
{
	unsigned int i, kept = 0;
	u32 blocked = 0;

	for (i = 0; i < run->count; i++) {
		u32 rank = run->mark[i] >> UTF8GUARD_MARK_RANK_SHIFT;
		u32 composite = 0;

		if (rank != blocked)
			composite = utf8guard_composite(run->starter,
							run->mark[i] & UTF8GUARD_MARK_CODE_POINT);
		if (composite) {
			run->starter = composite;
			continue;
		}
		blocked = rank;
		run->mark[kept++] = run->mark[i];
	}
	run->count = kept;
}

/**
 * utf8guard_run_join() - compose the starter of a run with the next starter
 * @run: the run; its marks are composed first
 * @starter: the starter that follows the run in the text
 *
 * Two starters compose only if no mark is left between them.
 *
 * Context: any; pure.
 * Return: true if they became one, and the run goes on; false if the run is complete.
 */
bool utf8guard_run_join(struct utf8guard_run *run, u32 starter)
{
	u32 composite;

	if (run->count)
		utf8guard_run_compose(run);
	if (run->count)
		return false;
	composite = utf8guard_composite(run->starter, starter);
	if (composite)
		run->starter = composite;
	return composite;
}

/* The mark after the first @skip ones of @rank, or 0. */
static u32 mark_of_rank(const struct utf8guard_rules *rules, const u8 *head,
			const u8 *end, u8 rank, unsigned int skip)
{
	struct utf8guard_reader r;
	u32 code_point;
	u8 other;

	utf8guard_read_marks_from(&r, rules, head, end);
	while (utf8guard_read_mark(&r, &code_point, &other))
		if (other == rank && !skip--)
			return code_point;
	return 0;
}

/* Compose with the marks of one rank, in their order, until one is left uncomposed. */
static void compose_rank(const struct utf8guard_rules *rules, const u8 *head,
			 const u8 *end, u8 rank, u32 mark,
			 struct utf8guard_long_run *run, size_t *octets)
{
	unsigned int taken = 0;
	u32 composite;

	while (mark && run->taken_count < ARRAY_SIZE(run->taken)) {
		composite = utf8guard_composite(run->starter, mark);
		if (!composite)
			return;
		run->starter = composite;
		run->taken[run->taken_count++] = rank;
		octets[rank] -= utf8guard_encoded_length(mark);
		mark = mark_of_rank(rules, head, end, rank, ++taken);
	}
}

/**
 * utf8guard_long_run() - compose a starter with any number of marks
 * @rules: of the form
 * @starter: of the run, or UTF8GUARD_NO_STARTER
 * @head: the character that the marks follow, as utf8guard_read_marks_from()
 * @end: of the text
 * @run: filled in
 * @octets: filled in, UTF8GUARD_RANKS of them: how many octets the marks of each
 *	rank take, without the marks that became part of the starter
 *
 * This works without canonical order: of the marks of one rank that are left, only the first
 * can be unblocked (D115), and a starter composes with three marks at most.
 *
 * Context: any; pure. Takes one pass over the run, and one more for each mark that
 * composes.
 * Return: where the run ends.
 */
const u8 *utf8guard_long_run(const struct utf8guard_rules *rules, u32 starter,
			     const u8 *head, const u8 *end,
			     struct utf8guard_long_run *run, size_t *octets)
{
	u32 first[UTF8GUARD_RANKS];
	struct utf8guard_reader r;
	u32 code_point;
	u8 rank;

	run->starter = starter;
	run->present = 0;
	run->taken_count = 0;
	memset(octets, 0, UTF8GUARD_RANKS * sizeof(*octets));
	utf8guard_read_marks_from(&r, rules, head, end);
	while (utf8guard_read_mark(&r, &code_point, &rank)) {
		if (!octets[rank])
			first[rank] = code_point;
		octets[rank] += utf8guard_encoded_length(code_point);
		run->present |= 1ULL << rank;
	}
	for (rank = 1; rules->composes && rank < UTF8GUARD_RANKS; rank++)
		if (run->present >> rank & 1)
			compose_rank(rules, head, end, rank, first[rank], run, octets);
	return r.begin;
}
