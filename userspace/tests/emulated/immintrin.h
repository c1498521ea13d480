/* SPDX-License-Identifier: GPL-2.0 */
/*
 * AVX-512 for processors that have not got it: the intrinsics that the engine
 * uses, by SIMDe, and those that its packaged version lacks.
 */
#ifndef _UTF8GUARD_EMULATED_IMMINTRIN_H
#define _UTF8GUARD_EMULATED_IMMINTRIN_H

#include <string.h>

#define SIMDE_NO_NATIVE
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

#undef _mm512_alignr_epi8
#define _mm512_alignr_epi8(a, b, n) emulated_alignr_epi8(a, b, n)
#undef _mm512_alignr_epi32
#define _mm512_alignr_epi32(a, b, n) emulated_alignr_epi32(a, b, n)
#undef _mm512_test_epi32_mask
#define _mm512_test_epi32_mask(a, b) emulated_test_epi32_mask(a, b)

#undef _mm512_maskz_loadu_epi8
#define _mm512_maskz_loadu_epi8(mask, p) emulated_maskz_loadu_epi8(mask, p)

/* Reads the octets of the mask alone. */
static inline __m512i emulated_maskz_loadu_epi8(unsigned long long mask, const void *p)
{
	unsigned char to[64] = { 0 };
	unsigned int i;
	__m512i v;

	for (i = 0; i < 64; i++)
		if (mask >> i & 1)
			to[i] = ((const unsigned char *)p)[i];
	memcpy(&v, to, 64);
	return v;
}

/* In each quarter: the 16 octets from the nth on, of b and then a. */
static inline __m512i emulated_alignr_epi8(__m512i a, __m512i b, unsigned int n)
{
	unsigned char from[2][64], to[64];
	unsigned int i;

	memcpy(from[0], &b, 64);
	memcpy(from[1], &a, 64);
	for (i = 0; i < 64; i++) {
		unsigned int at = i % 16 + n;

		to[i] = at < 32 ? from[at / 16][i / 16 * 16 + at % 16] : 0;
	}
	memcpy(&a, to, 64);
	return a;
}

/* The 16 words from the nth on, of b and then a. */
static inline __m512i emulated_alignr_epi32(__m512i a, __m512i b, unsigned int n)
{
	unsigned int words[32];

	memcpy(words, &b, 64);
	memcpy(words + 16, &a, 64);
	memcpy(&a, words + n % 16, 64);
	return a;
}

static inline unsigned int emulated_test_epi32_mask(__m512i a, __m512i b)
{
	unsigned int x[16], y[16], i, mask = 0;

	memcpy(x, &a, 64);
	memcpy(y, &b, 64);
	for (i = 0; i < 16; i++)
		mask |= (unsigned int)!!(x[i] & y[i]) << i;
	return mask;
}

#endif /* _UTF8GUARD_EMULATED_IMMINTRIN_H */
