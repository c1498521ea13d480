/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers for the models of ../../../kunit, taken from the input of a fuzzer; to be
 * included before the models. When the input is used up, a generator goes on, because models
 * may wait for events that need certain numbers. Only properties that hold whatever the numbers
 * are can be checked this way.
 */
#ifndef _UTF8GUARD_FUZZ_CHANCE_H
#define _UTF8GUARD_FUZZ_CHANCE_H

#include "fuzz.h"

#define SAMPLE_RANDOM

static struct fuzz_input chance;

u32 sample_random(u64 *seed);
u32 sample_random(u64 *seed)
{
	if (chance.left)
		return fuzz_octet(&chance) * 0x01010101U;
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return (*seed * 0x2545f4914f6cdd1dULL) >> 32;
}

#endif /* _UTF8GUARD_FUZZ_CHANCE_H */
