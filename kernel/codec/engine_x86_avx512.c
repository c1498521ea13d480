// SPDX-License-Identifier: GPL-2.0
/* The engine in vectors of 64 octets, AVX-512 F and BW. */
#include <immintrin.h>
#include "engine.h"

#define vec __m512i

static __always_inline vec vec_lookup(vec table, vec index)
{
	return _mm512_shuffle_epi8(table, index);
}

static __always_inline vec vec_low(vec v, vec low_half)
{
	return _mm512_and_si512(v, low_half);
}

static __always_inline vec vec_high(vec v, vec low_half)
{
	return vec_low(_mm512_srli_epi16(v, 4), low_half);
}

#include "engine_x86_avx512.h"

size_t utf8guard_prefix_avx512(const u8 *text, size_t len)
{
	return prefix_any(text, len);
}

#ifndef utf8guard_validate_chosen
int utf8guard_validate_avx512(const u8 *text, size_t len, struct utf8guard_error *err)
{
	return validate_any(text, len, err);
}
#endif
