// SPDX-License-Identifier: GPL-2.0
/*
 * Sums of octets: wherever a text is cut, its sum is the same, and it is that of a second, slow
 * implementation here. A text with one octet more or another bit, or elsewhere, has another sum.
 * A stream has room for so many sums: those of acknowledged pieces make room for new ones.
 *
 * promise remote peer: octets that he sends in place of those that were judged have another sum,
 *   but for a rare chance
 * shown by: others have another sum
 */
#include <stdlib.h>
#include <string.h>

#include "../../../../kernel/nf/stream/sums.h"
#include "../../tap.h"

#define PRIME ((1ULL << 61) - 1)
enum { TEXTS = 100000, MOST = 300 };

static u64 key[3];

static u64 dice(void)
{
	static u64 state = 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* By definition, and slow. */
static u32 plain_sum(const u8 *text, u32 len, u32 seq)
{
	u64 base = key[0] % (PRIME - 2) + 2, at = (__uint128_t)(1 + (u64)seq) * base % PRIME;
	u64 digit = 0;
	u32 i, held = 0, half;

	for (i = 0; i < len; i++) {
		digit |= (u64)text[i] << 8 * held++;
		if (held < 7)
			continue;
		at = (__uint128_t)(at + digit) * base % PRIME;
		digit = 0;
		held = 0;
	}
	at = (__uint128_t)(at + (digit | 1ULL << 8 * held)) * base % PRIME;
	half = (at * (key[1] | 1) + key[2]) >> 32;
	return half ? half : 1;
}

static u32 cut_sum(const u8 *text, u32 len, u32 seq)
{
	struct ugnf_sum sum;
	u32 at = 0, n;

	ugnf_sum_begin(&sum, seq);
	for (; at < len; at += n) {
		n = 1 + dice() % (len - at);
		ugnf_sum_feed(&sum, text + at, n);
	}
	return ugnf_sum_end(&sum);
}

/* Pieces of ten octets each; the sum of each is its number. */
static bool put(struct ugnf_sums *sums, u32 staged, u32 snd_una, u32 number)
{
	return ugnf_sums_put(sums, staged, snd_una, number * 10, number);
}

static void check_room(void)
{
	static struct ugnf_sums sums;
	bool good = true;
	u32 i;

	for (i = 1; i <= UGNF_SUMS; i++) {
		good &= put(&sums, 0, 0, i);
		sums.count++;
	}
	tap_ok(good && !put(&sums, 0, 0, i), "there is room for %u sums, and no more", UGNF_SUMS);
	/* The last three are staged: they are not in the stream yet, and stay the last three. */
	sums.count -= 3;
	tap_ok(!put(&sums, 3, 9, i), "a piece that was acknowledged in part keeps its sum");
	tap_ok(put(&sums, 3, 20, i) && sums.count == UGNF_SUMS - 5 &&
		       sums.of[sums.count].sum == UGNF_SUMS - 2 && sums.of[sums.count + 3].sum == i,
	       "two that were acknowledged make room");
	sums.count += 4;
	good = !ugnf_sums_find(&sums, 10) && !ugnf_sums_find(&sums, 20);
	for (i = 3; i <= UGNF_SUMS + 1; i++)
		good &= ugnf_sums_find(&sums, i * 10) == i;
	tap_ok(good, "all others are found");
}

int main(void)
{
	unsigned int wrong = 0, same = 0, t;
	u8 text[MOST + 1];

	for (t = 0; t < TEXTS; t++) {
		u32 len = dice() % MOST, seq = dice(), sum, i;

		for (i = 0; t % 1000 == 0 && i < 3; i++)
			key[i] = dice();
		if (t % 1000 == 0)
			ugnf_sum_set_key(key);
		/* All octets FF lead where the reduction matters. */
		for (i = 0; i <= len; i++)
			text[i] = t & 1 ? dice() : 0xff;
		sum = plain_sum(text, len, seq);
		wrong += cut_sum(text, len, seq) != sum || cut_sum(text, len, seq) != sum;
		same += cut_sum(text, len + 1, seq) == sum;
		same += cut_sum(text, len, seq + 1) == sum;
		text[dice() % (len + 1)] ^= 1 << dice() % 8;
		same += cut_sum(text, len + 1, seq) == plain_sum(text, len, seq);
	}
	tap_ok(!wrong, "%u texts have the sum of their octets, however they are cut", TEXTS);
	/* One in 2^32 is the same by chance. */
	tap_ok(same < 2, "others have another sum");
	check_room();
	return tap_done();
}
