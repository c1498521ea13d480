// SPDX-License-Identifier: GPL-2.0
/* What a form cannot change, skipped in blocks whose planes come from vectors, AVX2. */
#include <immintrin.h>
#include "../../kernel/codec/normalization/normalization.h"

/* A plane has the octets in the order of the text. */
static __always_inline u64 earlier(u64 plane, u64 last)
{
	return plane << 1 | last;
}

static __always_inline u64 later(u64 plane)
{
	return plane >> 1;
}

static __always_inline u64 bit_of(unsigned int octet)
{
	return 1ULL << octet;
}

static __always_inline u64 in_order(u64 bits)
{
	return bits;
}

#include "../../kernel/codec/planes.h"

#define QUARTER 16L

#define CALM_LEAST UTF8GUARD_CALM_AVX2_MIN

/* From octet n on, it moves a quarter down by n octets, and puts NUL after them. */
static const u8 places[5 * QUARTER] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	[QUARTER ... 5 * QUARTER - 1] = 0x80,
};

static __always_inline __m128i load(const u8 *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

/* The octets from @at on of a text of @len octets, and NUL. What would end after it is moved. */
static __always_inline __m128i load_quarter(const u8 *p, long len, long at)
{
	/* min() would be a branch, and lengths differ from name to name. */
	long over = at + QUARTER - len, moved = over & ~(over >> 63);

	return _mm_shuffle_epi8(load(p + at - moved), load(places + moved));
}

static __always_inline void load_planes(u64 w[8], const u8 *p, long len)
{
	__m256i low = _mm256_set_m128i(load_quarter(p, len, QUARTER), load(p));
	__m256i high = _mm256_set_m128i(load_quarter(p, len, 3 * QUARTER),
					load_quarter(p, len, 2 * QUARTER));
	int bit;

#pragma GCC unroll 8
	for (bit = 7; bit >= 0; bit--) {
		w[bit] = (u32)_mm256_movemask_epi8(low) |
			 (u64)(u32)_mm256_movemask_epi8(high) << 32;
		low = _mm256_add_epi8(low, low);
		high = _mm256_add_epi8(high, high);
	}
}

#include "../../kernel/codec/normalization/calm.h"

/* As utf8guard_skip_calm(). */
const u8 *utf8guard_skip_calm_avx2(enum utf8guard_form form, const u8 *p, const u8 *end)
{
	return skip_calm(form, p, end);
}
