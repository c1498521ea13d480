/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The checks of an AVX-512 engine that is emulated. A body for test programs, which name it
 * EMULATED and have its prefix function as emulated_prefix().
 *
 * Where the processor has the instructions, quads.c tries all 2^32 texts of four octets. Here it is
 * the 33^4 whose octets begin or end a range of the grammar, each at six places: at the beginning,
 * around the border of vectors, and at the end of the text.
 */
#ifndef _UTF8GUARD_EMULATED_ENGINE_H
#define _UTF8GUARD_EMULATED_ENGINE_H

#include "engine_checks.h"

static bool judge_quad(u8 *text, u8 *place, u32 quad)
{
	unsigned int i;

	for (i = 0; i < 4; i++, quad /= SAMPLE_BORDERS)
		place[i] = sample_border[quad % SAMPLE_BORDERS];
	return agree(emulated_prefix, text, 2 * WIDTH);
}

static void check_quads(void)
{
	static const u8 places[] = {
		0, WIDTH - 3, WIDTH - 2, WIDTH - 1, WIDTH, 2 * WIDTH - 4
	};
	u32 count = SAMPLE_BORDERS * SAMPLE_BORDERS * SAMPLE_BORDERS * SAMPLE_BORDERS;
	u8 text[2 * WIDTH];
	u32 quad, wrong = 0;
	unsigned int i;

	for (i = 0; i < sizeof(places) && wrong < 10; i++) {
		memset(text, 'a', sizeof(text));
		for (quad = 0; quad < count && wrong < 10; quad++)
			wrong += !judge_quad(text, text + places[i], quad);
	}
	tap_ok(!wrong, EMULATED ": %u of 4 octets at each of %zu places", count, sizeof(places));
}

int main(void)
{
	check_engine(EMULATED, emulated_prefix);
	check_quads();
	return tap_done();
}
#endif /* _UTF8GUARD_EMULATED_ENGINE_H */
