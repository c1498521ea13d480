/* SPDX-License-Identifier: GPL-2.0 */
/* The shortest texts, for which blocks do not pay: through the state machine of dfa.h. */
#ifndef _UTF8GUARD_SHORTEST_H
#define _UTF8GUARD_SHORTEST_H

#include "dfa.h"

/*
 * From this length on, a block is faster than the state machine: in a text of its own, where
 * lengths differ and are mispredicted.
 */
#define BLOCKS_MIN 33

/*
 * The state after the eight octets at @p. The compiler is told that each step changes both, or else
 * it reads all octets first, and saves registers to have room for them.
 */
static __always_inline u64 after_octets(u64 state, const u8 *p)
{
	unsigned int k;

#pragma GCC unroll 8
	for (k = 0; k < 8; k++) {
		state = utf8guard_step(state, p[k]);
		asm("" : "+r"(p), "+r"(state));
	}
	return state;
}

/* The same after those of @word. */
static __always_inline u64 after_word(u64 state, u64 word)
{
	unsigned int k;

#pragma GCC unroll 8
	for (k = 0; k < 8; k++) {
		state = utf8guard_step(state, word);
		word >>= 8;
		asm("" : "+r"(word), "+r"(state));
	}
	return state;
}

static __always_inline bool is_start(u64 state)
{
	return (state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_START);
}

/*
 * Do the octets at @p lead from @state to the end of a character? Before their end, the text has
 * eight octets or more. The last steps are over a whole word, in which NUL follows the text, for a
 * loop over single octets would end elsewhere in each name and be mispredicted.
 */
static __always_inline bool is_rest_good(u64 state, const u8 *p, size_t len)
{
	for (; len > 8; p += 8, len -= 8)
		state = after_octets(state, p);
	if (len)
		state = after_word(state, utf8guard_load64_le(p + len - 8) >> 8 * (8 - len));
	return is_start(state);
}

/* The 1 to 7 octets at @p as a word, NUL after them. The parts overlap, and agree where they do. */
static __always_inline u64 load_word(const u8 *p, size_t len)
{
	if (len < 4)
		return p[0] | (u32)p[len / 2] << 8 * (len / 2) | (u32)p[len - 1] << 8 * (len - 1);
	return utf8guard_load32_le(p) | (u64)utf8guard_load32_le(p + len - 4) << 8 * (len - 4);
}

/* Is a text of less than BLOCKS_MIN octets well-formed? */
static __always_inline bool is_shortest_good(const u8 *p, size_t len)
{
	const u64 start = UTF8GUARD_SHIFT(UTF8GUARD_STATE_START);

	return len < 8 ? is_start(after_word(start, load_word(p, len))) :
			 is_rest_good(start, p, len);
}

#endif /* _UTF8GUARD_SHORTEST_H */
