// SPDX-License-Identifier: GPL-2.0
/*
 * Sums of octets (Carter and Wegman). The key is three secret random numbers: a base, a factor and
 * an addend. A text is cut into digits of seven octets. These are the digits of a number in the
 * base, modulo the prime 2^61 - 1. That is multiplied by the factor, modulo 2^64, and the addend is
 * added; the upper half of the result is the sum.
 *
 * Claim. Two different texts of n octets with the same sequence number have the same sum for about
 * one key out of 2^31, or out of 2^61 / n where that is less. Two such numbers are equal for
 * n / 7 + 2 bases at most, the roots of a polynomial. If they differ, they have the same upper half
 * for one pair of factor and addend out of 2^31 at most. A sender only ever learns whether two sums
 * were equal.
 *
 * Tests: userspace/tests/host/payload/sums.c compares with a slow implementation, and changes one
 * octet.
 */
#ifdef __KERNEL__
#include <linux/math64.h>
#endif

#include "../../codec/codec.h"
#include "sums.h"

#define PRIME ((1ULL << 61) - 1)
#define DIGIT 7

/* So many digits are added at once: their products need not wait for each other. */
#define AT_ONCE 4

/* The key, with powers of the base. The module replaces it by a random one; tests may keep it. */
static u64 powers[AT_ONCE] = {
	0x0b4e5f1a9c3d7281ULL, 0x176c93d4047b2515ULL, 0x16bc43fec25b1f84ULL, 0x197d22169805be28ULL,
};

static u64 factor = 0x9fb21c651e98df25ULL, addend = 0x5851f42d4c957f2dULL;

#ifndef __KERNEL__
static u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (__uint128_t)a * b >> shift;
}
#endif

/* Reduces a number modulo the prime; the result may be a little more than the prime. */
static u64 reduce(u64 number)
{
	return (number & PRIME) + (number >> 61);
}

/* Multiplies two such numbers; the result is such a number, too. */
static u64 multiply(u64 a, u64 b)
{
	return reduce((a * b & PRIME) + mul_u64_u64_shr(a, b, 61));
}

/**
 * ugnf_sum_set_key() - set the secret key
 * @key: random numbers
 *
 * Context: before there are any sums.
 */
void ugnf_sum_set_key(const u64 key[3])
{
	int i;

	powers[0] = key[0] % (PRIME - 2) + 2;
	for (i = 1; i < AT_ONCE; i++)
		powers[i] = multiply(powers[i - 1], powers[0]);
	factor = key[1] | 1;
	addend = key[2];
}

/* The number with one more digit, times the base. */
static u64 add_digit(u64 at, u64 digit)
{
	return multiply(reduce(at + digit), powers[0]);
}

static u64 digit_at(const u8 *octets, u32 n)
{
	return utf8guard_load64_le(octets + n * DIGIT) & ((1ULL << 8 * DIGIT) - 1);
}

/* The same with AT_ONCE more digits. */
static u64 add_digits(u64 at, const u8 *octets)
{
	return reduce(multiply(reduce(at + digit_at(octets, 0)), powers[3]) +
		      multiply(digit_at(octets, 1), powers[2]) +
		      multiply(digit_at(octets, 2), powers[1]) +
		      multiply(digit_at(octets, 3), powers[0]));
}

/* Begins the sum of octets whose first has the number @seq. */
void ugnf_sum_begin(struct ugnf_sum *sum, u32 seq)
{
	sum->at = add_digit(1, seq);
	sum->rest = 0;
	sum->held = 0;
}

/* Adds the next octets. The sum does not depend on how they are divided into calls. */
void ugnf_sum_feed(struct ugnf_sum *sum, const u8 *octets, u32 len)
{
	u32 i = 0;

	while (i < len) {
		if (!sum->held && len - i > AT_ONCE * DIGIT) {
			sum->at = add_digits(sum->at, octets + i);
			i += AT_ONCE * DIGIT;
			continue;
		}
		if (!sum->held && len - i > DIGIT) {
			sum->at = add_digit(sum->at, digit_at(octets + i, 0));
			i += DIGIT;
			continue;
		}
		sum->rest |= (u64)octets[i++] << 8 * sum->held++;
		if (sum->held == DIGIT) {
			sum->at = add_digit(sum->at, sum->rest);
			sum->rest = 0;
			sum->held = 0;
		}
	}
}

/* The sum, which is never 0: that stands for no sum. */
u32 ugnf_sum_end(const struct ugnf_sum *sum)
{
	u64 all = reduce(add_digit(sum->at, sum->rest | 1ULL << 8 * sum->held));
	u32 half;

	/* Two numbers stand for the same residue, depending on the pieces: take the lower one. */
	if (all >= PRIME)
		all -= PRIME;
	half = (all * factor + addend) >> 32;
	return half ?: 1;
}

/* The sum of the piece that ends at @end; 0 if it is ASCII. */
u32 ugnf_sums_find(const struct ugnf_sums *sums, u32 end)
{
	u32 i = sums ? sums->count : 0;

	while (i--)
		if (sums->of[i].end == end)
			return sums->of[i].sum;
	return 0;
}

/* Forgets the sums of pieces before @snd_una: if these are sent again, nobody takes them. */
static void forget(struct ugnf_sums *sums, u32 staged, u32 snd_una)
{
	u32 i, kept = 0;

	for (i = 0; i < sums->count; i++)
		if (ugnf_seq_before(snd_una, sums->of[i].end))
			sums->of[kept++] = sums->of[i];
	memmove(&sums->of[kept], &sums->of[sums->count], staged * sizeof(sums->of[0]));
	sums->count = kept;
}

/**
 * ugnf_sums_put() - stage a sum after the others
 * @sums: the sums of the stream; the caller adds the staged ones to @sums->count if the segment is
 *	let through
 * @staged: how many sums are staged already
 * @snd_una: sums of pieces before this number are not needed any more
 * @end: the number after the piece
 * @sum: its sum
 *
 * Context: any; the caller serialises.
 * Return: false if there is no room.
 */
bool ugnf_sums_put(struct ugnf_sums *sums, u32 staged, u32 snd_una, u32 end, u32 sum)
{
	if (sums->count + staged == UGNF_SUMS)
		forget(sums, staged, snd_una);
	if (sums->count + staged == UGNF_SUMS)
		return false;
	sums->of[sums->count + staged].end = end;
	sums->of[sums->count + staged].sum = sum;
	return true;
}
