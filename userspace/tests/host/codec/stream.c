// SPDX-License-Identifier: GPL-2.0
/*
 * Streams: however they are cut, the verdict is that on the whole, and segments compose.
 *
 * promise whoever wrote the text: however a text is cut into pieces, it is judged as the whole is
 * shown by: all 2^24 of three octets
 * shown by: random texts in random pieces
 */
#include "../../reference.h"
#include "../../../../kunit/sample.h"
#include "../../tap.h"

#define STATES UTF8GUARD_STATE_REFUSED

/* One octet for each kind of transition in the grammar, so that there are few strings of them. */
static const u8 kinds[] = {
	0x41, 0x80, 0x90, 0xa0, 0xc1, 0xc2, 0xe0, 0xe1, 0xed, 0xf0, 0xf1, 0xf4, 0xf5,
};

#define KINDS sizeof(kinds)

static u8 reference_feed(u8 state, const u8 *p, size_t len, size_t *refused)
{
	size_t i;

	for (i = 0; i < len; i++) {
		state = reference_step(state, p[i]);
		if (state == UTF8GUARD_STATE_REFUSED)
			break;
	}
	*refused = i;
	return state;
}

static bool is_same(const u8 *p, size_t len)
{
	u32 transfer = utf8guard_transfer(p, len);
	u8 from;

	for (from = 0; from <= UTF8GUARD_STATE_REFUSED; from++) {
		size_t at, want_at;
		u8 want = reference_feed(from, p, len, &want_at), state = from;

		at = utf8guard_feed(&state, p, len);
		if (utf8guard_apply(transfer, from) != want)
			return false;
		if (from < STATES && (state != want || at != want_at))
			return false;
	}
	return true;
}

/* Calls @check with every string of up to @max of the kinds of octets. */
static u64 each_string(unsigned int max, u64 *count,
		       bool (*check)(const u8 *p, size_t len))
{
	u64 number, strings = 1, wrong = 0;
	unsigned int len, i;
	u8 text[8];

	for (len = 0; len <= max; len++, strings *= KINDS) {
		for (number = 0; number < strings; number++) {
			u64 rest = number;

			for (i = 0; i < len; i++, rest /= KINDS)
				text[i] = kinds[rest % KINDS];
			wrong += !check(text, len);
			++*count;
		}
	}
	return wrong;
}

static bool composes(const u8 *p, size_t len)
{
	u32 whole = utf8guard_transfer(p, len);
	size_t cut, cut2;

	for (cut = 0; cut <= len; cut++) {
		u32 a = utf8guard_transfer(p, cut);

		for (cut2 = cut; cut2 <= len; cut2++) {
			u32 b = utf8guard_transfer(p + cut, cut2 - cut);
			u32 c = utf8guard_transfer(p + cut2, len - cut2);

			if (utf8guard_compose(utf8guard_compose(a, b), c) != whole ||
			    utf8guard_compose(a, utf8guard_compose(b, c)) != whole)
				return false;
		}
	}
	return utf8guard_compose(whole, UTF8GUARD_TRANSFER_NONE) == whole &&
	       utf8guard_compose(UTF8GUARD_TRANSFER_NONE, whole) == whole;
}

static void check_short(void)
{
	u64 count = 0, wrong = each_string(5, &count, is_same);

	tap_ok(!wrong, "feed and transfer from every state, %llu strings: %llu wrong",
	       (unsigned long long)count, (unsigned long long)wrong);
	count = 0;
	wrong = each_string(4, &count, composes);
	tap_ok(!wrong, "composition of %llu strings in every three pieces: %llu wrong",
	       (unsigned long long)count, (unsigned long long)wrong);
}

/* All strings of three octets, not of kinds only. */
static void check_three(void)
{
	u32 number, wrong = 0;

	for (number = 0; number < 1U << 24; number++) {
		u8 text[3] = { number >> 16, number >> 8, number };

		wrong += !is_same(text, 3);
	}
	tap_ok(!wrong, "feed and transfer from every state, all 2^24 of three octets: %u wrong",
	       wrong);
}

#define PIECES 12

static void cut_up(size_t cuts[PIECES + 1], size_t len, u64 *seed)
{
	unsigned int i;

	cuts[0] = 0;
	for (i = 1; i < PIECES; i++) {
		cuts[i] = cuts[i - 1] + sample_random(seed) % (2 * len / PIECES + 1);
		if (cuts[i] > len)
			cuts[i] = len;
	}
	cuts[PIECES] = len;
}

/* Random texts, cut at random, the pieces judged in random order. */
static void check_cuts(void)
{
	static u8 text[3000];
	u64 seed = 99;
	unsigned int round, i, wrong = 0;

	for (round = 0; round < 60000; round++) {
		size_t len = sample_random(&seed) % (round % 8 ? 200 : 3000);
		size_t cuts[PIECES + 1], at = 0, want_at;
		u32 transfer[PIECES], whole = UTF8GUARD_TRANSFER_NONE;
		u8 want, state = UTF8GUARD_STATE_START;

		sample_text(text, len, sample_mixes[round % SAMPLE_MIXES], &seed);
		if (round % 2 && len)
			text[sample_random(&seed) % len] =
				sample_border[sample_random(&seed) % SAMPLE_BORDERS];
		want = reference_feed(state, text, len, &want_at);
		cut_up(cuts, len, &seed);
		for (i = PIECES; i-- > 0;)
			transfer[i] = utf8guard_transfer(text + cuts[i],
							 cuts[i + 1] - cuts[i]);
		for (i = 0; i < PIECES; i++)
			whole = utf8guard_compose(whole, transfer[i]);
		for (i = 0; i < PIECES && state != UTF8GUARD_STATE_REFUSED; i++)
			at = cuts[i] + utf8guard_feed(&state, text + cuts[i],
						      cuts[i + 1] - cuts[i]);
		wrong += state != want || at != want_at ||
			 utf8guard_apply(whole, UTF8GUARD_STATE_START) != want;
	}
	tap_ok(!wrong, "%u random texts in random pieces: %u wrong", round, wrong);
}

int main(void)
{
	u8 state = UTF8GUARD_STATE_TAIL2;

	tap_ok(utf8guard_feed(&state, NULL, 0) == 0 && state == UTF8GUARD_STATE_TAIL2,
	       "a piece of nothing changes nothing");
	tap_ok(utf8guard_transfer(NULL, 0) == UTF8GUARD_TRANSFER_NONE,
	       "the transfer function of nothing");
	check_short();
	check_three();
	check_cuts();
	return tap_done();
}
