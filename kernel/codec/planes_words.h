/* SPDX-License-Identifier: GPL-2.0 */
/* Planes of blocks that were loaded as words, in general registers. */
#ifndef _UTF8GUARD_PLANES_WORDS_H
#define _UTF8GUARD_PLANES_WORDS_H

#include "codec.h"

/*
 * Instead of a shift: the callers mask away the bits that come in at the top. The shift would
 * overwrite its operand; the rotation of BMI2 (RORX) writes to another register.
 */
static __always_inline u64 rotated(u64 word, unsigned int right)
{
	return word >> right | word << (64 - right);
}

/*
 * Swaps the bits of @mask in @b with the bits that are @shift places above them in @a. The
 * transposition is made of such steps.
 */
static __always_inline void swap_bits(u64 *a, u64 *b, unsigned int shift, u64 mask)
{
	u64 differ = (rotated(*a, shift) ^ *b) & mask;

	*b ^= differ;
	*a ^= differ << shift;
}

/*
 * Turns eight words into eight planes, in place: bit b of octet j of word k becomes bit k of
 * octet j of plane b. So the octet 8 k + j of a block is at the bit 8 j + k of each plane.
 */
static __always_inline void to_planes(u64 w[8])
{
	unsigned int i;

#pragma GCC unroll 4
	for (i = 0; i < 4; i++)
		swap_bits(&w[i], &w[i + 4], 4, 0x0f0f0f0f0f0f0f0fULL);
#pragma GCC unroll 4
	for (i = 0; i < 4; i++)
		swap_bits(&w[i + (i & 2)], &w[i + (i & 2) + 2], 2, 0x3333333333333333ULL);
#pragma GCC unroll 4
	for (i = 0; i < 4; i++)
		swap_bits(&w[2 * i], &w[2 * i + 1], 1, 0x5555555555555555ULL);
}

/*
 * The word with its lowest octet shifted left, or right, by one bit, and the rest as it is. x86-64
 * has an instruction for that, which compilers do not choose here.
 */
static __always_inline u64 lowest_left(u64 word)
{
#ifdef __x86_64__
	asm("addb %b0, %b0" : "+r"(word) : : "cc");
	return word;
#else
	return (word & ~0xffULL) | (u8)(word << 1);
#endif
}

static __always_inline u64 lowest_right(u64 word)
{
#ifdef __x86_64__
	asm("shrb %b0" : "+r"(word) : : "cc");
	return word;
#else
	return (word & ~0xffULL) | (u8)word >> 1;
#endif
}

/*
 * A plane as of one octet earlier: in the place of each octet, the bit of the octet before it;
 * @last, of the block before, for the first. That is the bit 8 below, in the order of to_planes(),
 * or for the first octet of a word the bit of the last octet of the word before: 55 above.
 */
static __always_inline u64 earlier(u64 plane, u64 last)
{
	return lowest_left(rotated(plane, 56)) | last;
}

/* In the place of each octet, the bit of the octet after it; the opposite of earlier(). */
static __always_inline u64 later(u64 plane)
{
	return rotated(lowest_right(plane), 8);
}

/* The bit of an octet of the block. */
static __always_inline u64 bit_of(unsigned int octet)
{
	return 1ULL << (octet % 8 * 8 + octet / 8);
}

#include "planes.h"

/* The same as judge_planes() of a block whose words become planes. */
static __always_inline u64 judge_block(u64 w[8], struct carry *carry)
{
	to_planes(w);
	return judge_planes(w, carry);
}

static __always_inline void load_block(u64 w[8], const u8 *p)
{
	unsigned int k;

#pragma GCC unroll 8
	for (k = 0; k < 8; k++)
		w[k] = utf8guard_load64_le(p + 8 * k);
}

/*
 * Loads the last @len octets of a text, at @p, as a block with NUL after them: @least or more, and
 * up to 64. The text must have eight octets, for a word that would go beyond its end is loaded from
 * further back, and shifted. There is no branch on @len.
 */
static __always_inline void load_last_block(u64 w[8], const u8 *p, long len, long least)
{
	long k, at;

#pragma GCC unroll 8
	for (k = 0; k < 64; k += 8) {
		if (k + 8 <= least) {
			w[k / 8] = utf8guard_load64_le(p + k);
			continue;
		}
		at = min(k, len - 8);
		w[k / 8] = utf8guard_load64_le(p + at) >> (8 * (k - at) & 63);
		w[k / 8] &= -(u64)(k < len);
	}
}

/* From the order of a block to that of the text: swaps the bits 8 j + k and 8 k + j. */
static __always_inline u64 in_order(u64 bits)
{
	u64 swap;

	swap = (bits ^ bits >> 7) & 0x00aa00aa00aa00aaULL;
	bits ^= swap ^ swap << 7;
	swap = (bits ^ bits >> 14) & 0x0000cccc0000ccccULL;
	bits ^= swap ^ swap << 14;
	swap = (bits ^ bits >> 28) & 0x00000000f0f0f0f0ULL;
	return bits ^ swap ^ swap << 28;
}

/* The high bit of each octet that is not 0. */
static inline u64 not_zero(u64 word)
{
	return (word | ((word & ~UTF8GUARD_TOP_BITS) + 0x7f7f7f7f7f7f7f7fULL)) & UTF8GUARD_TOP_BITS;
}

#endif /* _UTF8GUARD_PLANES_WORDS_H */
