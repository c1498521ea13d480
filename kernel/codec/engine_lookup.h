/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine in vector registers: the lookup algorithm of Keiser and Lemire,
 * "Validating UTF-8 In Less Than One Instruction Per Byte" (2021). A body to be
 * included by one file for each width of vectors, which defines vec, WIDTH and
 * the operations vec_*().
 *
 * Each octet is looked at with the octet before it. Three tables are indexed by the two
 * halves of the octet before and by the high half of the octet itself. Each has a bit for
 * each kind of error that this half may be part of. A bit that is set in all three is an
 * error. The exception is BOTH_TAILS, which is set where two tails follow each other: it
 * must be set exactly where the octet two or three places before is the lead of a sequence
 * of at least three or four octets.
 *
 * The octets before are loaded again from memory, one, two and three places
 * back, rather than shuffled together from two registers: shuffles are what the
 * algorithm is short of. Loads come next, as most of them cross a line of the
 * cache: each is made once.
 */
#ifndef _UTF8GUARD_ENGINE_LOOKUP_H
#define _UTF8GUARD_ENGINE_LOOKUP_H

#include "dfa.h"

/* Octets that one turn of the loop judges. */
#define STRIDE (4 * WIDTH)

/* The least that is taken: a vector, and another whose octets have three before them. */
#define LEAST (WIDTH + 3)

/* Kinds of errors, a bit each. BEYOND and OVERLONG_4 share one: their leads differ. */
#define TOO_SHORT 0x01 /* lead, then no tail */
#define TOO_LONG 0x02 /* ASCII, then a tail */
#define OVERLONG_3 0x04 /* E0, 80..9F */
#define TOO_LARGE 0x08 /* F4, 90..BF, and F5..FF, 90..BF */
#define SURROGATE 0x10 /* ED, A0..BF */
#define OVERLONG_2 0x20 /* C0..C1, tail */
#define BEYOND 0x40 /* F5..FF, 80..8F */
#define OVERLONG_4 0x40 /* F0, 80..8F */
#define BOTH_TAILS 0x80

/* Errors that do not depend on the low half of the octet before. */
#define ANY (TOO_SHORT | TOO_LONG | BOTH_TAILS)

/* The errors that an octet may be part of whenever it is a tail. */
#define A_TAIL (TOO_LONG | OVERLONG_2 | BOTH_TAILS)

static const struct constants {
	/* Errors by the halves of the octet before, and by the high half of the octet itself. */
	u8 before_high[16], before_low[16], this_high[16];
	/* An octet each, for all places of a vector. */
	u8 low_half[16], top_bit[16], below_3[16], below_4[16];
} constants = {
	.before_high = {
		TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
		TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
		BOTH_TAILS, BOTH_TAILS, BOTH_TAILS, BOTH_TAILS,
		TOO_SHORT | OVERLONG_2,
		TOO_SHORT,
		TOO_SHORT | OVERLONG_3 | SURROGATE,
		TOO_SHORT | TOO_LARGE | BEYOND | OVERLONG_4,
	},
	.before_low = {
		ANY | OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
		ANY | OVERLONG_2,
		ANY,
		ANY,
		ANY | TOO_LARGE,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND | SURROGATE,
		ANY | TOO_LARGE | BEYOND,
		ANY | TOO_LARGE | BEYOND,
	},
	.this_high = {
		TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
		TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
		A_TAIL | OVERLONG_3 | BEYOND | OVERLONG_4,
		A_TAIL | OVERLONG_3 | TOO_LARGE,
		A_TAIL | SURROGATE | TOO_LARGE,
		A_TAIL | SURROGATE | TOO_LARGE,
		TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
	},
	.low_half = { [0 ... 15] = 0x0f },
	.top_bit = { [0 ... 15] = 0x80 },
	/* What leaves the top bit in leads of three octets and more, and of four. */
	.below_3 = { [0 ... 15] = 0xe0 - 0x80 },
	.below_4 = { [0 ... 15] = 0xf0 - 0x80 },
};

/* The greatest octets that may end a text: above them are leads of what the end cuts off. */
static const u8 greatest_at_end[WIDTH] = {
	[0 ... WIDTH - 4] = 0xff, 0xef, 0xdf, 0xbf,
};

struct tables {
	vec before_high, before_low, this_high;
	vec low_half, top_bit, below_3, below_4;
};

/*
 * The compiler must not know the constants: it would bring them from general registers, by the
 * one port that also shuffles.
 */
static __always_inline struct tables load_tables(void)
{
	const struct constants *c = &constants;

	OPTIMIZER_HIDE_VAR(c);
	return (struct tables){
		.before_high = vec_table(c->before_high),
		.before_low = vec_table(c->before_low),
		.this_high = vec_table(c->this_high),
		.low_half = vec_table(c->low_half),
		.top_bit = vec_table(c->top_bit),
		.below_3 = vec_table(c->below_3),
		.below_4 = vec_table(c->below_4),
	};
}

/* Not zero in each octet of @now that is an error after the three octets before it. */
static __always_inline vec judge(const struct tables *t, vec now, vec before,
				 vec before2, vec before3)
{
	vec pair = vec_and3(vec_lookup(t->before_high, vec_high(before, t->low_half)),
			    vec_lookup(t->before_low, vec_low(before, t->low_half)),
			    vec_lookup(t->this_high, vec_high(now, t->low_half)));
	/* The top bit: set where E0 or above is two places before, or F0 or above three. */
	vec tails = vec_and_either(vec_minus(before2, t->below_3), vec_minus(before3, t->below_4),
				   t->top_bit);

	return vec_xor(pair, tails);
}

/* The same for the vector at @p, before which there are three octets of the text or more. */
static __always_inline vec judge_at(const struct tables *t, const u8 *p)
{
	return judge(t, vec_load(p), vec_kept(vec_load(p - 1)), vec_load(p - 2),
		     vec_load(p - 3));
}

/* The same for a vector that begins with a character: the octets before it count as NUL. */
static __always_inline vec judge_vector(const struct tables *t, vec now)
{
	vec zero = vec_parts_before(now);

	return judge(t, now, vec_moved(now, zero, 1), vec_moved(now, zero, 2),
		     vec_moved(now, zero, 3));
}

/* The same for the vector at @p, where the text begins. */
static __always_inline vec judge_first(const struct tables *t, const u8 *p)
{
	return judge_vector(t, vec_load(p));
}

static __always_inline bool is_ascii_stride(const u8 *p)
{
	return vec_is_ascii(vec_or(vec_or(vec_load(p), vec_load(p + WIDTH)),
				   vec_or(vec_load(p + 2 * WIDTH),
					  vec_load(p + 3 * WIDTH))));
}

/* Is the end of the text, less than a stride from @i on, ASCII? Looks at vectors that overlap. */
static __always_inline bool is_ascii_end(const u8 *p, size_t i, size_t len)
{
	vec all = vec_load(p + len - WIDTH);

	if (len - i > WIDTH)
		all = vec_or(all, vec_load(p + i));
	if (len - i > 2 * WIDTH)
		all = vec_or(all, vec_load(p + i + WIDTH));
	if (len - i > 3 * WIDTH)
		all = vec_or(all, vec_load(p + i + 2 * WIDTH));
	return vec_is_ascii(all);
}

static __always_inline bool is_two(size_t len)
{
	return len - LEAST <= 2 * WIDTH - LEAST;
}

/* Is a text of LEAST to two times WIDTH octets well-formed? */
static __always_inline bool is_two_good(const u8 *p, size_t len)
{
	const u8 *at = p + len - WIDTH;
	vec first = vec_load(p), last = vec_load(at);
	struct tables t;
	vec errors;

	if (vec_is_ascii(vec_or(first, last)))
		return true;
	t = load_tables();
	errors = vec_or(judge_vector(&t, first), vec_minus(last, vec_load(greatest_at_end)));
	vec_first(&errors, &at);
	return vec_is_zero(vec_or(errors, judge_at(&t, at)));
}

static __always_inline bool is_bad_stride(const struct tables *t, const u8 *p)
{
	vec errors = judge_at(t, p);

	vec_first(&errors, &p);
	errors = vec_or(errors, judge_at(t, p + WIDTH));
	vec_first(&errors, &p);
	errors = vec_or(errors, judge_at(t, p + 2 * WIDTH));
	vec_first(&errors, &p);
	return !vec_is_zero(vec_or(errors, judge_at(t, p + 3 * WIDTH)));
}

/*
 * Not zero if something is wrong in less than a stride from @i to the end: in whole vectors, and
 * one that overlaps.
 */
static __always_inline vec judge_end(const struct tables *t, const u8 *p, size_t i, size_t len)
{
	const u8 *last = p + len - WIDTH;
	const u8 *next = p + i;
	vec errors = vec_or(judge_at(t, last),
			    vec_minus(vec_load(last), vec_load(greatest_at_end)));

	for (; next < last; next += WIDTH) {
		vec_first(&errors, &next);
		errors = vec_or(errors, judge_at(t, next));
	}
	return errors;
}

/*
 * The well-formed prefix of a text of LEAST octets or more, which begins with @i octets of ASCII
 * and is not all ASCII.
 */
static __always_inline size_t after_ascii(const u8 *text, size_t i, size_t len)
{
	/* Where LEAST octets are left, if there are less. */
	const size_t ascii = min(i, len - LEAST);
	const u8 *p = text + ascii;
	const struct tables t = load_tables();
	vec errors = judge_first(&t, p);

	len -= ascii;
	i = WIDTH;
	if (len - i >= STRIDE && !vec_is_zero(errors))
		return ascii + utf8guard_locate(p, 0, len);
	while (len - i >= STRIDE) {
		if (is_ascii_stride(p + i)) {
			if (utf8guard_is_unfinished(p + i))
				return ascii + utf8guard_resync(p, i);
			do
				i += STRIDE;
			while (len - i >= STRIDE && is_ascii_stride(p + i));
		} else {
			if (is_bad_stride(&t, p + i))
				return ascii + utf8guard_locate(p, utf8guard_resync(p, i), len);
			i += STRIDE;
		}
	}
	if (likely(vec_is_zero(vec_or(errors, judge_end(&t, p, i, len)))))
		return ascii + len;
	/* In a short text, the first vector was not looked at yet. */
	return ascii + utf8guard_locate(p, i == WIDTH ? 0 : utf8guard_resync(p, i), len);
}

/*
 * The octets of ASCII that a text of LEAST octets or more begins with: @len, or whole strides. They
 * are skipped first: judging even two vectors takes longer than the general engine takes to see
 * that 64 octets are ASCII.
 */
static __always_inline size_t skip_ascii(const u8 *p, size_t len)
{
	size_t i = 0;

	while (len - i >= STRIDE && is_ascii_stride(p + i))
		i += STRIDE;
	return len - i < STRIDE && (len == i || is_ascii_end(p, i, len)) ? len : i;
}

/* Not inlined: it saves registers, which ASCII needs none of. */
static noinline size_t prefix_strides(const u8 *text, size_t i, size_t len)
{
	return after_ascii(text, i, len);
}

/* The well-formed prefix of any text of LEAST octets or more. */
static __always_inline size_t prefix_vectors(const u8 *p, size_t len)
{
	size_t i = skip_ascii(p, len);

	return i == len ? len : prefix_strides(p, i, len);
}

/* In user space, engines for x86 have ways of their own to do what utf8guard_validate() does. */
#if defined(__x86_64__) && !defined(utf8guard_validate_chosen)
/* As utf8guard_validate(). Not inlined, either. */
static noinline int validate_strides(const u8 *text, size_t i, size_t len,
				     struct utf8guard_error *err)
{
	return utf8guard_verdict(text, len, after_ascii(text, i, len), err);
}

/* The same of any text of LEAST octets or more. Amid other code, its loop took 14 percent more. */
static noinline int validate_vectors(const u8 *p, size_t len, struct utf8guard_error *err)
{
	size_t i = skip_ascii(p, len);

	return i == len ? 0 : validate_strides(p, i, len, err);
}
#endif

#endif /* _UTF8GUARD_ENGINE_LOOKUP_H */
