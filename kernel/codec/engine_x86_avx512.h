/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engines in vectors of 64 octets. A body to be included by one file for each way to look up
 * an octet in a table of 16, which is vec_lookup() with vec_low() or vec_high().
 */
#define WIDTH 64

static __always_inline vec vec_load(const u8 *p)
{
	return _mm512_loadu_si512(p);
}

/*
 * @v in a register. The compiler would load it again for each use, and most of these loads cross
 * a line of the cache.
 */
static __always_inline vec vec_kept(vec v)
{
#ifdef __AVX512F__ /* not in the emulation */
	__asm__("" : "+v"(v));
#endif
	return v;
}

/* There are registers enough for any order. */
static __always_inline void vec_first(vec *v, const u8 **p)
{
	(void)v;
	(void)p;
}

/* A table of 16, for each quarter of the vector. */
static __always_inline vec vec_table(const u8 *table)
{
	return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)table));
}

static __always_inline vec vec_or(vec a, vec b)
{
	return _mm512_or_si512(a, b);
}

static __always_inline vec vec_xor(vec a, vec b)
{
	return _mm512_xor_si512(a, b);
}

static __always_inline vec vec_and3(vec a, vec b, vec c)
{
	return _mm512_ternarylogic_epi32(a, b, c, 0x80);
}

/* a - b in each octet; 0 where that would be negative */
static __always_inline vec vec_minus(vec a, vec b)
{
	return _mm512_subs_epu8(a, b);
}

/* (a | b) & c */
static __always_inline vec vec_and_either(vec a, vec b, vec c)
{
	return _mm512_ternarylogic_epi32(a, b, c, 0xa8);
}

static __always_inline bool vec_is_zero(vec v)
{
	return !_mm512_test_epi32_mask(v, v);
}

static __always_inline bool vec_is_ascii(vec v)
{
	return !_mm512_movepi8_mask(v);
}

/* For each quarter of @v, the 16 octets before it: zeroes before the first. */
static __always_inline vec vec_parts_before(vec v)
{
	return _mm512_alignr_epi32(v, _mm512_setzero_si512(), 12);
}

/* @v moved @n octets up, those of @before coming in below; a macro, for @n is an immediate. */
#define vec_moved(v, before, n) _mm512_alignr_epi8(v, before, 16 - (n))

#include "engine_lookup.h"

/* Is a text of 1 to WIDTH octets well-formed? The rest of the vector is NUL. */
static __always_inline bool is_one_good(const u8 *p, size_t len)
{
	vec now = _mm512_maskz_loadu_epi8(~0ULL >> (WIDTH - len), p);
	const struct tables t = load_tables();

	return vec_is_ascii(now) ||
	       (vec_is_zero(judge_vector(&t, now)) &&
		(len < WIDTH || !utf8guard_is_unfinished(p + len)));
}

static __always_inline bool is_one(size_t len)
{
	return len - 1 < WIDTH;
}

static size_t prefix_short(const u8 *p, size_t len)
{
	if (likely(is_two(len) ? is_two_good(p, len) : is_one_good(p, len)))
		return len;
	return utf8guard_locate(p, 0, len);
}

static __always_inline size_t prefix_any(const u8 *text, size_t len)
{
	if (is_one(len) || is_two(len))
		return prefix_short(text, len);
	return len < LEAST ? utf8guard_prefix_avx2(text, len) : prefix_vectors(text, len);
}

#ifndef utf8guard_validate_chosen
/* Not in line: what the compiler shares of both ways makes the one of names slower. */
static noinline int validate_two(const u8 *text, size_t len, struct utf8guard_error *err)
{
	return likely(is_two_good(text, len)) ? 0 : utf8guard_validate_any(text, len, err);
}

/* What is longer; what is not well-formed. */
static noinline int validate_rest(const u8 *text, size_t len, struct utf8guard_error *err)
{
	return len >= LEAST ? validate_vectors(text, len, err) :
			     utf8guard_validate_any(text, len, err);
}

static __always_inline int validate_any(const u8 *text, size_t len, struct utf8guard_error *err)
{
	if (likely(is_one(len) && is_one_good(text, len)))
		return 0;
	return is_two(len) ? validate_two(text, len, err) : validate_rest(text, len, err);
}
#endif
