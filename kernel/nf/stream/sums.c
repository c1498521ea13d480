// SPDX-License-Identifier: GPL-2.0
/*
 * Sums of octets. They are the digits of a number in base @key, seven octets each, modulo
 * the prime 2^61 - 1 (Carter and Wegman), of which the upper half of a product is kept. Two
 * texts of n octets have the same sum for one key out of 2^31, or of 2^61 / n, whichever is
 * less. Who sends does not learn of a sum more than that two of them were not the same.
 */
#ifdef __KERNEL__
#include <linux/math64.h>
#endif

#include "../../codec/codec.h"
#include "sums.h"

#define PRIME ((1ULL << 61) - 1)
#define DIGIT 7

/* Digits whose products do not wait for each other. */
#define AT_ONCE 4

/* The base and its powers, a factor and what is added; others once the module is loaded. */
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

/* The same modulo the prime, and hardly more than that. */
static u64 reduce(u64 number)
{
	return (number & PRIME) + (number >> 61);
}

/* Both hardly more than the prime, and so is their product. */
static u64 multiply(u64 a, u64 b)
{
	return reduce((a * b & PRIME) + mul_u64_u64_shr(a, b, 61));
}

/**
 * ugnf_sum_set_key() - make sums that nobody can foresee
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

/* What comes before it, and one digit more. */
static u64 add_digit(u64 at, u64 digit)
{
	return multiply(reduce(at + digit), powers[0]);
}

static u64 digit_at(const u8 *octets, u32 n)
{
	return utf8guard_load64_le(octets + n * DIGIT) & ((1ULL << 8 * DIGIT) - 1);
}

/* The same as AT_ONCE digits, one after another. */
static u64 add_digits(u64 at, const u8 *octets)
{
	return reduce(multiply(reduce(at + digit_at(octets, 0)), powers[3]) +
		      multiply(digit_at(octets, 1), powers[2]) +
		      multiply(digit_at(octets, 2), powers[1]) +
		      multiply(digit_at(octets, 3), powers[0]));
}

/* Of octets that begin at @seq. */
void ugnf_sum_begin(struct ugnf_sum *sum, u32 seq)
{
	sum->at = add_digit(1, seq);
	sum->rest = 0;
	sum->held = 0;
}

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

/* Never 0, which is for no sum. */
u32 ugnf_sum_end(const struct ugnf_sum *sum)
{
	u64 all = reduce(add_digit(sum->at, sum->rest | 1ULL << 8 * sum->held));
	u32 half;

	/* Where it was cut decides which of two numbers that are the same it has become. */
	if (all >= PRIME)
		all -= PRIME;
	half = (all * factor + addend) >> 32;
	return half ?: 1;
}

/* The sum of the piece that ends there; 0 if it is ASCII. */
u32 ugnf_sums_find(const struct ugnf_sums *sums, u32 end)
{
	u32 i = sums ? sums->count : 0;

	while (i--)
		if (sums->of[i].end == end)
			return sums->of[i].sum;
	return 0;
}

/* Nothing before @snd_una can be sent again. */
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
 * ugnf_sums_put() - stage a sum after those that there are
 * @sums: of the stream
 * @staged: how many are staged already
 * @snd_una: what comes before it is not needed any more
 * @end: after the piece
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
