// SPDX-License-Identifier: GPL-2.0
/*
 * The AVX-512 engine, from its own source, on any processor: the intrinsics are
 * SIMDe's. That proves its logic; nothing is said about its speed.
 */
#if __has_include(<simde/x86/avx512.h>)
#include "../emulated/immintrin.h"
#define utf8guard_prefix_avx512 emulated_prefix_avx512
#include "../../../kernel/codec/engine_x86_avx512.c"
#include "../engine_checks.h"

int main(void)
{
	check_engine("avx512, emulated", emulated_prefix_avx512);
	return tap_done();
}
#else
#include "../tap.h"

int main(void)
{
	tap_skip("avx512, emulated", "no SIMDe: apt-get install libsimde-dev");
	return tap_done();
}
#endif
