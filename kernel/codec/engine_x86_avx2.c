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

size_t utf8guard_prefix_avx2(const u8 *text, size_t len)
{
	if (len < LEAST)
		return utf8guard_prefix_general(text, len);
	return prefix_vectors(text, len);
}
