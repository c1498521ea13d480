// SPDX-License-Identifier: GPL-2.0
/* The engine in vectors of 64 octets, AVX-512 F, BW and VBMI. */
#include <immintrin.h>
#include "engine.h"

#define vec __m512i

/*
 * A look-up is by six bits of the index. A table of 16 is there four times, so what is in the upper
 * two of these makes no difference: nothing is masked off.
 */
static __always_inline vec vec_lookup(vec table, vec index)
{
	return _mm512_permutexvar_epi8(index, table);
}

static __always_inline vec vec_low(vec v, vec low_half)
{
	(void)low_half;
	return v;
}

static __always_inline vec vec_high(vec v, vec low_half)
{
	(void)low_half;
	return _mm512_srli_epi16(v, 4);
}

#include "engine_x86_avx512.h"

size_t utf8guard_prefix_avx512vbmi(const u8 *text, size_t len)
{
	return prefix_any(text, len);
}

#ifndef utf8guard_validate_chosen
int utf8guard_validate_avx512vbmi(const u8 *text, size_t len, struct utf8guard_error *err)
{
	return validate_any(text, len, err);
}
#endif
