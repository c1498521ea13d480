/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine in general registers, for names and for whenever the FPU may not
 * be touched. A body to be included: compiled once for any processor, once
 * with BMI2, whose SHRX makes a step of the state machine one instruction.
 */
#include "dfa.h"

/*
 * Text is judged in chunks of this many octets, ASCII skipped between them:
 * long enough to make good for the start of the lanes (about 20 cycles), short
 * enough that an ASCII passage inside a mixed text is noticed. Measured on
 * Zen 3: 512 costs 4 % on Russian, 2048 gains nothing.
 */
#define CHUNK 1024

/* Below this, one lane is faster than starting several. */
#define LANES_MIN 32

/* From this length on, skip_twos() is tried first: it is faster than either. */
#define WORDS_MIN 24

/* Is a text of 0 to 64 octets ASCII? Overlapping words: no loop, no tail. */
static __always_inline bool is_short_ascii(const u8 *p, size_t len)
{
	const u8 *end = p + len;
	u64 word;

	if (len < 4) {
		if (!len)
			return true;
		return (p[0] | p[len / 2] | end[-1]) < 0x80;
	}
	if (len < 8)
		return !((utf8guard_load32(p) | utf8guard_load32(end - 4)) &
			 0x80808080);
	word = utf8guard_load64(p) | utf8guard_load64(end - 8);
	if (len > 16)
		word |= utf8guard_load64(p + 8) | utf8guard_load64(end - 16);
	if (len > 32)
		word |= utf8guard_load64(p + 16) | utf8guard_load64(p + 24) |
			utf8guard_load64(end - 24) | utf8guard_load64(end - 32);
	return !(word & UTF8GUARD_TOP_BITS);
}

/* The top bits of the 64 octets at @p: 0 if all are ASCII. */
static __always_inline u64 top_bits64(const u8 *p)
{
	u64 a = utf8guard_load64(p) | utf8guard_load64(p + 8);
	u64 b = utf8guard_load64(p + 16) | utf8guard_load64(p + 24);
	u64 c = utf8guard_load64(p + 32) | utf8guard_load64(p + 40);
	u64 d = utf8guard_load64(p + 48) | utf8guard_load64(p + 56);

	return ((a | b) | (c | d)) & UTF8GUARD_TOP_BITS;
}

/*
 * The offset after the ASCII from @i on, in steps of 64 octets. The first 64 are looked at
 * alone, to find out whether there is any; after them 128 octets, 16 loads, are looked at
 * for each branch.
 */
static __always_inline size_t skip_ascii(const u8 *p, size_t i, size_t len)
{
	while (len - i >= 64 && !top_bits64(p + i)) {
		i += 64;
		while (len - i >= 128 && !(top_bits64(p + i) | top_bits64(p + i + 64)))
			i += 128;
	}
	return i;
}

/*
 * The offset after the characters of one and two octets from @i on, in whole words; a
 * character that the last word cuts is not included. Arithmetic on all octets of a word
 * proves that a tail follows each lead and that there is no other tail. It takes two thirds
 * of the time that the state machine takes, on half of all scripts. The word with C0 or C1
 * in it ends the walk, for these lack the bits 1E; so does one with E0 or above, which have
 * the bit 20.
 */
static __always_inline size_t skip_twos(const u8 *p, size_t i, size_t len)
{
	u64 due = 0; /* a lead ended the last word: its tail comes first in this one */

	for (; len - i >= 8; i += 8) {
		u64 word = utf8guard_load64_le(p + i);
		u64 top = word & UTF8GUARD_TOP_BITS;
		u64 leads = top & word << 1, tails = top ^ leads;
		u64 high = (word & 0x1e1e1e1e1e1e1e1eULL) + 0x7e7e7e7e7e7e7e7eULL;

		if ((tails ^ (leads << 8 | due)) | (leads & (word << 2 | ~high)))
			break;
		due = leads >> 56;
	}
	return i - !!due;
}

/*
 * The state at @p, by the three octets before it: a lane may begin in the middle of a
 * character. Octets before the first lead among the three are set to 0, for the lane before
 * judges them. There is no branch, which in a text of two-octet characters would be
 * mispredicted half of the time.
 */
static __always_inline u64 state_at(const u8 *p)
{
	u32 word = utf8guard_load32_le(p - 3) & 0xffffff;
	u32 lead = (~word | word << 1) & 0x808080;
	u64 state = UTF8GUARD_SHIFT(UTF8GUARD_STATE_START);

	word &= -((lead & -lead) >> 7);
	state = utf8guard_step(state, word);
	state = utf8guard_step(state, word >> 8);
	return utf8guard_step(state, word >> 16);
}

static __always_inline u64 one_lane(u64 state, const u8 *p, size_t len)
{
	for (; len >= 8; p += 8, len -= 8) {
		state = utf8guard_step(state, p[0]);
		state = utf8guard_step(state, p[1]);
		state = utf8guard_step(state, p[2]);
		state = utf8guard_step(state, p[3]);
		state = utf8guard_step(state, p[4]);
		state = utf8guard_step(state, p[5]);
		state = utf8guard_step(state, p[6]);
		state = utf8guard_step(state, p[7]);
	}
	for (; len; len--)
		state = utf8guard_step(state, *p++);
	return state;
}

/*
 * Judges a text in three lanes at once: a step waits for the step before it, and one lane
 * leaves most of the processor idle. A fourth lane gains nothing, for three are limited by
 * the two loads of a step, the address of the second being the result of the first: on
 * Zen 3 to 1.16 steps a cycle. (Loading four octets at once and taking them apart is as
 * fast.) All lanes have the same length, a multiple of 4, and overlap where the text is
 * shorter, so that there is no remainder.
 *
 * Each lane begins in the right state if the lane before it is not refused. So either some
 * lane is refused, or the text is well-formed up to the character that the state of the last
 * lane leaves unfinished.
 *
 * Not inlined, so that all registers are free: a lane's state in memory costs a fifth.
 */
static noinline u64 three_lanes(u64 state, const u8 *p, size_t len)
{
	size_t each = (len + 11) / 12 * 4;
	const u8 *q = p + min(each, len - each);
	const u8 *r = p + len - each;
	u64 b = state_at(q), c = state_at(r);
	size_t i, j;

	for (i = 0; i < each; i += 4) {
#pragma GCC unroll 4
		for (j = i; j < i + 4; j++) {
			state = utf8guard_step(state, p[j]);
			b = utf8guard_step(b, q[j]);
			c = utf8guard_step(c, r[j]);
		}
	}
	if (utf8guard_refused(state) || utf8guard_refused(b))
		return UTF8GUARD_SHIFT(UTF8GUARD_STATE_REFUSED);
	return c;
}

/* The rest of a text, from @i on, where the state is @state: less than two chunks. */
static __always_inline size_t prefix_rest(const u8 *p, size_t i, size_t len, u64 state)
{
	if (len - i >= LANES_MIN)
		state = three_lanes(state, p + i, len - i);
	else
		state = one_lane(state, p + i, len - i);
	if (likely((state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_START)))
		return len;
	return utf8guard_locate(p, utf8guard_resync(p, i), len);
}

/* A text of up to 64 octets that is not all ASCII. */
static noinline size_t prefix_short(const u8 *p, size_t len)
{
	return prefix_rest(p, skip_twos(p, 0, len), len,
			   UTF8GUARD_SHIFT(UTF8GUARD_STATE_START));
}

/* One of less than WORDS_MIN. */
static noinline size_t prefix_shortest(const u8 *p, size_t len)
{
	u64 state = one_lane(UTF8GUARD_SHIFT(UTF8GUARD_STATE_START), p, len);

	if (likely((state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_START)))
		return len;
	return utf8guard_locate(p, 0, len);
}

/*
 * The offset after the ASCII and the two-octet characters from @i on, which need no state
 * machine. After each chunk of the latter, ASCII is tried again, for that is faster still.
 */
static __always_inline size_t skip_plain(const u8 *p, size_t i, size_t len)
{
	size_t from;

	do {
		i = skip_ascii(p, i, len);
		if (len - i < 64 && is_short_ascii(p + i, len - i))
			return len;
		from = i;
		i = skip_twos(p, i, min(len, i + CHUNK));
	} while (i - from >= CHUNK - 8);
	return i;
}

/* The rest of a text of more than 64 octets, after the ASCII it begins with. */
static noinline size_t prefix_chunks(const u8 *p, size_t i, size_t len)
{
	u64 state = UTF8GUARD_SHIFT(UTF8GUARD_STATE_START);

	for (;;) {
		if ((state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_START))
			i = skip_plain(p, i, len);
		if (len - i < 2 * CHUNK)
			return prefix_rest(p, i, len, state);
		state = three_lanes(state, p + i, CHUNK);
		if (utf8guard_refused(state))
			return utf8guard_locate(p, utf8guard_resync(p, i), len);
		i += CHUNK;
	}
}

/* A text of more than 64 octets. */
static noinline size_t prefix_long(const u8 *p, size_t len)
{
	size_t i = skip_ascii(p, 0, len);

	if (len - i < 64 && is_short_ascii(p + i, len - i))
		return len;
	return prefix_chunks(p, i, len);
}

/* A short text of ASCII, as most names are, is judged here, without saving a register. */
static __always_inline size_t prefix(const u8 *p, size_t len)
{
	if (len > 64)
		return prefix_long(p, len);
	if (is_short_ascii(p, len))
		return len;
	return len < WORDS_MIN ? prefix_shortest(p, len) : prefix_short(p, len);
}
