// SPDX-License-Identifier: GPL-2.0
/* The engine in vectors of 32 octets, AVX2. */
#include <immintrin.h>
#include "engine.h"

#define WIDTH 32

#define vec __m256i

static __always_inline vec vec_load(const u8 *p)
{
	return _mm256_loadu_si256((const __m256i *)p);
}

/*
 * @v in a register. The compiler would load it again for each use, and most of these loads cross
 * a line of the cache.
 */
static __always_inline vec vec_kept(vec v)
{
	__asm__("" : "+x"(v));
	return v;
}

/*
 * @v is calculated before anything is loaded from *@p. The compiler would load all vectors first,
 * and then keep most of them in memory, as it has 16 registers.
 */
static __always_inline void vec_first(vec *v, const u8 **p)
{
	__asm__("" : "+x"(*v), "+r"(*p));
}

/* A table of 16, for each half of the vector. */
static __always_inline vec vec_table(const u8 *table)
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

static __always_inline vec vec_lookup(vec table, vec index)
{
	return _mm256_shuffle_epi8(table, index);
}

static __always_inline vec vec_low(vec v, vec low_half)
{
	return _mm256_and_si256(v, low_half);
}

static __always_inline vec vec_high(vec v, vec low_half)
{
	return vec_low(_mm256_srli_epi16(v, 4), low_half);
}

static __always_inline vec vec_or(vec a, vec b)
{
	return _mm256_or_si256(a, b);
}

static __always_inline vec vec_xor(vec a, vec b)
{
	return _mm256_xor_si256(a, b);
}

static __always_inline vec vec_and3(vec a, vec b, vec c)
{
	return _mm256_and_si256(_mm256_and_si256(a, b), c);
}

/* a - b in each octet; 0 where that would be negative */
static __always_inline vec vec_minus(vec a, vec b)
{
	return _mm256_subs_epu8(a, b);
}

/* (a | b) & c */
static __always_inline vec vec_and_either(vec a, vec b, vec c)
{
	return _mm256_and_si256(vec_or(a, b), c);
}

static __always_inline bool vec_is_zero(vec v)
{
	return _mm256_testz_si256(v, v);
}

static __always_inline bool vec_is_ascii(vec v)
{
	return !_mm256_movemask_epi8(v);
}

/* For each half of @v, the 16 octets before it: zeroes before the first. */
static __always_inline vec vec_parts_before(vec v)
{
	return _mm256_permute2x128_si256(v, v, 0x08);
}

/* @v moved @n octets up, those of @before coming in below; a macro, for @n is an immediate. */
#define vec_moved(v, before, n) _mm256_alignr_epi8(v, before, 16 - (n))

#include "engine_lookup.h"

/* Places of octets, and then none: from the octet n on, it moves a vector of 16 down by n. */
static const u8 places[32] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	[16 ... 31] = 0x80,
};

/* Is @now well-formed, a text of up to WIDTH octets, the last of them before @end, and then NUL? */
static __always_inline bool is_vector_good(vec now, size_t len, const u8 *end)
{
	const struct tables t = load_tables();

	return vec_is_zero(judge_vector(&t, now)) && (len < WIDTH || !utf8guard_is_unfinished(end));
}

/* Is a text of 16 to WIDTH octets well-formed? Nothing beyond the text is read. */
static __always_inline bool is_short_good(const u8 *p, size_t len)
{
	__m128i low = _mm_loadu_si128((const __m128i *)p);
	__m128i high = _mm_loadu_si128((const __m128i *)(p + len - 16));
	__m128i moved = _mm_loadu_si128((const __m128i *)(places + WIDTH - len));

	if (likely(!_mm_movemask_epi8(_mm_or_si128(low, high))))
		return true;
	moved = _mm_shuffle_epi8(high, moved);
	return is_vector_good(_mm256_inserti128_si256(_mm256_castsi128_si256(low), moved, 1),
			      len, p + len);
}

/* The same for 8 to 15 octets. */
static __always_inline bool is_shortest_good(const u8 *p, size_t len)
{
	u64 low = utf8guard_load64(p), high = utf8guard_load64(p + len - 8);

	if (likely(!((low | high) & UTF8GUARD_TOP_BITS)))
		return true;
	high = high >> 1 >> (8 * (16 - len) - 1);
	return is_vector_good(_mm256_zextsi128_si256(_mm_set_epi64x(high, low)), len, p + len);
}

static __always_inline bool is_one(size_t len)
{
	return len - 8 <= WIDTH - 8;
}

/*
 * The same for 8 to WIDTH octets. Whether these are ASCII is asked before they are one vector. Most
 * names have 16 octets or more.
 */
static __always_inline bool is_one_good(const u8 *p, size_t len)
{
	return unlikely(len < 16) ? is_shortest_good(p, len) : is_short_good(p, len);
}

/*
 * What judge_at() does, where there are 16 octets before @p or more. It loads less and shuffles
 * more, which takes less time where the text is short and not in the first cache yet.
 */
static __always_inline vec judge_far(const struct tables *t, const u8 *p)
{
	vec now = vec_load(p), before = vec_load(p - 16);

	return judge(t, now, vec_moved(now, before, 1), vec_moved(now, before, 2),
		     vec_moved(now, before, 3));
}

static __always_inline bool is_four(size_t len)
{
	return len - 2 * WIDTH - 1 < 2 * WIDTH;
}

/*
 * Is a text of more than two times WIDTH octets well-formed, and up to four times? The third
 * vector is where the last is, if no more are needed: to judge it twice takes less time than a
 * branch that is guessed wrongly.
 */
static __always_inline bool is_four_good(const u8 *p, size_t len)
{
	const u8 *last = p + len - WIDTH, *third = min(p + 2 * WIDTH, last);
	vec first = vec_load(p), end = vec_load(last);
	struct tables t;
	vec errors;

	if (vec_is_ascii(vec_or(vec_or(first, vec_load(p + WIDTH)), vec_or(vec_load(third), end))))
		return true;
	t = load_tables();
	errors = vec_or(judge_vector(&t, first), vec_minus(end, vec_load(greatest_at_end)));
	vec_first(&errors, &p);
	errors = vec_or(errors, judge_far(&t, p + WIDTH));
	vec_first(&errors, &third);
	errors = vec_or(errors, judge_far(&t, third));
	vec_first(&errors, &last);
	return vec_is_zero(vec_or(errors, judge_far(&t, last)));
}

static size_t prefix_short(const u8 *p, size_t len)
{
	if (likely(is_one(len) ? is_one_good(p, len) :
		   is_two(len) ? is_two_good(p, len) : is_four_good(p, len)))
		return len;
	return utf8guard_locate(p, 0, len);
}

size_t utf8guard_prefix_avx2(const u8 *text, size_t len)
{
	if (is_one(len) || is_two(len) || is_four(len))
		return prefix_short(text, len);
	return len < LEAST ? utf8guard_prefix_general(text, len) : prefix_vectors(text, len);
}

#ifndef utf8guard_validate_chosen
int utf8guard_validate_avx2(const u8 *text, size_t len, struct utf8guard_error *err)
{
	bool good;

	if (is_one(len))
		good = is_one_good(text, len);
	else if (len > 4 * WIDTH)
		return validate_vectors(text, len, err);
	else if (is_two(len))
		good = is_two_good(text, len);
	else if (is_four(len))
		good = is_four_good(text, len);
	else
		good = utf8guard_is_short_ascii(text, len) ||
		       utf8guard_prefix_general(text, len) == len;
	return likely(good) ? 0 : utf8guard_validate_any(text, len, err);
}
#endif
