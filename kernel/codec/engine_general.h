/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine in general registers, for names and for whenever the FPU may not
 * be touched. A body to be included: compiled once for any processor, once
 * with BMI and BMI2, whose ANDN, RORX and SHRX save instructions.
 *
 * ASCII is skipped by its top bits. What is shorter than BLOCKS_MIN goes through the state
 * machine of dfa.h. All else is judged in blocks of 64 octets, as 64 small machines at once: the
 * block is turned into eight planes, each of which has one bit of every octet, and the grammar
 * is some seventy operations on those, whatever the text is.
 */
#include "planes_words.h"
#include "shortest.h"

/*
 * Text is judged in chunks of this many octets, ASCII and characters of two octets skipped
 * between them: short enough that a passage of either inside a mixed text is noticed.
 */
#define CHUNK 1536

/* In less than that, ASCII and characters of two octets are not looked for. */
#define PLAIN_MIN 512

/* After other blocks, a shorter one is slower than the state machine. */
#define LAST_BLOCK_MIN 40

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
 * of the time that the state machine takes, on half of all scripts. A word with C0 or C1 in it
 * ends the walk: as leads, these alone lack all of the bits 1E. So does a word with E0 or above,
 * which have the bit 20.
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
 * The state at @p, by the three octets before it. The text is well-formed up to there, where a
 * character may be unfinished, and has four octets or more before @p. Of the three octets, tails
 * before the first that is no tail are set to 0: they end a character. There is no branch, which in
 * most texts would be mispredicted half of the time.
 */
static __always_inline u64 state_at(const u8 *p)
{
	u32 word = utf8guard_load32_le(p - 4) >> 8;
	u32 lead = (~word | word << 1) & 0x808080;
	u64 state = UTF8GUARD_SHIFT(UTF8GUARD_STATE_START);

	word &= -((lead & -lead) >> 7);
	state = utf8guard_step(state, word);
	state = utf8guard_step(state, word >> 8);
	return utf8guard_step(state, word >> 16);
}

/*
 * A text of BLOCKS_MIN to 64 octets that is not all ASCII. Not inlined, so that all registers are
 * free.
 */
static noinline size_t prefix_short(const u8 *p, size_t len)
{
	struct carry carry = {};
	u64 w[8];

	load_last_block(w, p, len, BLOCKS_MIN);
	if (likely(!(judge_block(w, &carry) | carry.due)))
		return len;
	return utf8guard_locate(p, 0, len);
}

/* A text of less than BLOCKS_MIN octets. */
static noinline size_t prefix_shortest(const u8 *p, size_t len)
{
	return likely(is_shortest_good(p, len)) ? len : utf8guard_locate(p, 0, len);
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
		if (len - i < 64 && utf8guard_is_short_ascii(p + i, len - i))
			return len;
		from = i;
		i = skip_twos(p, i, min(len, i + CHUNK));
	} while (i - from >= CHUNK - 8);
	return i;
}

/*
 * The blocks from the beginning of a character at @p on, up to @end or the first that is wrong,
 * which is returned. The last one may be shorter: LAST_BLOCK_MIN octets or more. Not inlined, so
 * that all registers are free.
 */
static noinline const u8 *skip_blocks(const u8 *p, const u8 *end)
{
	struct carry carry = {};
	u64 w[8];

	for (; end - p >= 64; p += 64) {
		load_block(w, p);
		if (unlikely(judge_block(w, &carry)))
			return p;
	}
	if (p == end)
		return p;
	load_last_block(w, p, end - p, LAST_BLOCK_MIN);
	return judge_block(w, &carry) ? p : end;
}

/* The rest of a text of more than 64 octets, after the ASCII it begins with. */
static noinline size_t prefix_blocks(const u8 *p, size_t i, size_t len)
{
	size_t to, good;

	for (;;) {
		if (len - i > PLAIN_MIN)
			i = skip_plain(p, i, len);
		to = min(len, i + CHUNK);
		if ((to - i) % 64 < LAST_BLOCK_MIN)
			to -= (to - i) % 64;
		good = skip_blocks(p + i, p + to) - p;
		if (unlikely(good != to))
			return utf8guard_locate(p, utf8guard_resync(p, good), len);
		if (to == len && likely(!utf8guard_is_unfinished(p + len)))
			return len;
		if (len - to < LAST_BLOCK_MIN)
			break;
		/* A character that the last block cut is looked at again. */
		i = utf8guard_resync(p, to);
	}
	if (likely(is_rest_good(state_at(p + to), p + to, len - to)))
		return len;
	return utf8guard_locate(p, utf8guard_resync(p, to), len);
}

/* A text of more than 64 octets. */
static noinline size_t prefix_long(const u8 *p, size_t len)
{
	size_t i = skip_ascii(p, 0, len);

	if (len - i < 64 && utf8guard_is_short_ascii(p + i, len - i))
		return len;
	return prefix_blocks(p, i, len);
}

/* A short text of ASCII, as most names are, is judged here, without saving a register. */
static __always_inline size_t prefix(const u8 *p, size_t len)
{
	if (len > 64)
		return prefix_long(p, len);
	if (utf8guard_is_short_ascii(p, len))
		return len;
	return len < BLOCKS_MIN ? prefix_shortest(p, len) : prefix_short(p, len);
}
