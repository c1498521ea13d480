// SPDX-License-Identifier: GPL-2.0
/*
 * The AVX-512 engine, from its own source, on any processor: the intrinsics are
 * SIMDe's. That proves its logic, and neither its speed nor the instructions: QEMU 7.2
 * (system or user) and valgrind 3.19 do not have them. On a processor that has them,
 * engines.c, quads.c, the KUnit suite and the suite on stock kernels find the engine
 * usable and run it as it is. quads.c then tries all 2^32 texts of four octets. Here
 * it is the 33^4 whose octets begin or end a range of the grammar, each at six places:
 * at the beginning, around the border of vectors, and at the end of the text.
 *
 * promise whoever wrote the text: the AVX-512 engine judges as a simple reference does, on any
 *   processor, by emulation
 * shown by: avx512, emulated: %u of 4 octets at each of %zu places
 * shown by: avx512, emulated
 */
#if __has_include(<simde/x86/avx512.h>)
#include "../../emulated/immintrin.h"
#define utf8guard_prefix_avx512 emulated_prefix_avx512
#define utf8guard_validate_avx512 emulated_validate_avx512
/* The engine gives texts of less than two vectors to AVX2's, which need not be there. */
#define utf8guard_prefix_avx2 utf8guard_prefix_general
#include "../../../../kernel/codec/engine_x86_avx512.c"
#include "../../engine_checks.h"

static bool judge_quad(u8 *text, u8 *place, u32 quad)
{
	unsigned int i;

	for (i = 0; i < 4; i++, quad /= SAMPLE_BORDERS)
		place[i] = sample_border[quad % SAMPLE_BORDERS];
	return agree(emulated_prefix_avx512, text, 2 * WIDTH);
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
	tap_ok(!wrong, "avx512, emulated: %u of 4 octets at each of %zu places", count,
	       sizeof(places));
}

int main(void)
{
	check_engine("avx512, emulated", emulated_prefix_avx512);
	check_quads();
	return tap_done();
}
#else
#include "../../tap.h"

int main(void)
{
	tap_skip("avx512, emulated", "no SIMDe: apt-get install libsimde-dev");
	return tap_done();
}
#endif
