/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RFC 3629 section 4 as a shift-based state machine: a state is the number of
 * bits to shift an octet's row by, and what is shifted down is the next state.
 * So a step is one load that depends on nothing but the text, and one shift:
 * no branch, a latency of one cycle, and no register of the FPU.
 */
#ifndef _UTF8GUARD_DFA_H
#define _UTF8GUARD_DFA_H

#include "codec.h"

/* The shift of an enum utf8guard_state: six bits each, REFUSED at 0. */
#define UTF8GUARD_SHIFT(state) (6 * (UTF8GUARD_STATE_REFUSED - (state)))

extern const u64 utf8guard_dfa[256];

/*
 * The state after one more octet. Only the low six bits of a state count. Above them is
 * the rest of the row, which the next step ignores.
 */
static __always_inline u64 utf8guard_step(u64 state, u8 octet)
{
	return utf8guard_dfa[octet] >> (state & 63);
}

static __always_inline bool utf8guard_refused(u64 state)
{
	return (state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_REFUSED);
}

/* The enum utf8guard_state that a shift stands for. */
static __always_inline u8 utf8guard_state_of(u64 state)
{
	return UTF8GUARD_STATE_REFUSED - (state & 63) / 6;
}

/* Do the three octets before @p leave a character unfinished, if all are well-formed? */
static __always_inline bool utf8guard_is_unfinished(const u8 *p)
{
	return p[-1] >= 0xc0 || p[-2] >= 0xe0 || p[-3] >= 0xf0;
}

/*
 * Where to go on judging a text that is well-formed up to @offset, which may be inside a
 * character. Returns the offset of the lead of that character, or else @offset.
 */
static inline size_t utf8guard_resync(const u8 *p, size_t offset)
{
	/* A lead so many octets back is cut by @offset if it is at least this. */
	static const u8 least[] = { 0xc0, 0xe0, 0xf0 };
	size_t back;

	for (back = 1; back <= 3 && back <= offset; back++) {
		u8 octet = p[offset - back];

		if (!utf8guard_is_tail(octet))
			return octet < least[back - 1] ? offset : offset - back;
	}
	return offset;
}

size_t utf8guard_locate(const u8 *p, size_t from, size_t len);

#endif /* _UTF8GUARD_DFA_H */
