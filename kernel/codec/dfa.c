// SPDX-License-Identifier: GPL-2.0
/* The rows of the state machine: the ABNF of RFC 3629 section 4, an octet each. */
#include "dfa.h"

/* In state @from, this octet leads to state @to. Without GO() it leads to REFUSED, which is 0. */
#define GO(from, to)                                                           \
	((u64)UTF8GUARD_SHIFT(UTF8GUARD_STATE_##to)                            \
	 << UTF8GUARD_SHIFT(UTF8GUARD_STATE_##from))

/* UTF8-tail = %x80-BF: the transitions that every tail octet makes */
#define TAIL (GO(TAIL1, START) | GO(TAIL2, TAIL1) | GO(TAIL3, TAIL2))

const u64 utf8guard_dfa[256] = {
	[0x00 ... 0x7f] = GO(START, START),
	[0x80 ... 0x8f] = TAIL | GO(ED, TAIL1) | GO(F4, TAIL2),
	[0x90 ... 0x9f] = TAIL | GO(ED, TAIL1) | GO(F0, TAIL2),
	[0xa0 ... 0xbf] = TAIL | GO(E0, TAIL1) | GO(F0, TAIL2),
	[0xc2 ... 0xdf] = GO(START, TAIL1),
	[0xe0] = GO(START, E0),
	[0xe1 ... 0xec] = GO(START, TAIL2),
	[0xed] = GO(START, ED),
	[0xee ... 0xef] = GO(START, TAIL2),
	[0xf0] = GO(START, F0),
	[0xf1 ... 0xf3] = GO(START, TAIL3),
	[0xf4] = GO(START, F4),
};

/**
 * utf8guard_locate() - find the first ill-formed sequence
 * @p: the text
 * @from: offset at which a character begins
 * @len: length of the text
 *
 * Skips ASCII at @from and then takes one octet at a time. Engines call it once they know
 * that an ill-formed sequence is near.
 *
 * Context: any; pure.
 * Return: its offset, @from or more; @len if there is none.
 */
size_t utf8guard_locate(const u8 *p, size_t from, size_t len)
{
	u64 state = UTF8GUARD_SHIFT(UTF8GUARD_STATE_START);
	size_t i;

	while (len - from >= 8 && !(utf8guard_load64(p + from) & UTF8GUARD_TOP_BITS))
		from += 8;
	for (i = from; i < len && !utf8guard_refused(state); i++) {
		state = utf8guard_step(state, p[i]);
		if ((state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_START))
			from = i + 1;
	}
	return from;
}
