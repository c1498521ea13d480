// SPDX-License-Identifier: GPL-2.0
/*
 * The engine with AVX-512 VBMI, from its own source, on any processor: as avx512.c does it.
 *
 * promise whoever wrote the text: the AVX-512 VBMI engine judges as a simple reference does, on any
 *   processor, by emulation
 * shown by: of 4 octets at each of %zu places
 * shown by: avx512vbmi, emulated
 */
#if __has_include(<simde/x86/avx512.h>)
#include "../../emulated/immintrin.h"
#define utf8guard_prefix_avx512vbmi emulated_prefix
#define utf8guard_validate_avx512vbmi emulated_validate
/* The engine gives texts of one vector and an octet or two to AVX2's, which need not be there. */
#define utf8guard_prefix_avx2 utf8guard_prefix_general
#include "../../../../kernel/codec/engine_x86_avx512vbmi.c"
#define EMULATED "avx512vbmi, emulated"
#include "../../emulated_engine.h"
#else
#include "../../tap.h"

int main(void)
{
	tap_skip("avx512vbmi, emulated", "no SIMDe: apt-get install libsimde-dev");
	return tap_done();
}
#endif
