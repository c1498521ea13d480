// SPDX-License-Identifier: GPL-2.0
/*
 * The AVX-512 engine, from its own source, on any processor: the intrinsics are
 * SIMDe's. That proves its logic, and neither its speed nor the instructions: QEMU 7.2
 * (system or user) and valgrind 3.19 do not have them. On a processor that has them,
 * engines.c, quads.c, the KUnit suite and the suite on stock kernels find the engine
 * usable and run it as it is.
 *
 * promise whoever wrote the text: the AVX-512 engine judges as a simple reference does, on any
 *   processor, by emulation
 * shown by: of 4 octets at each of %zu places
 * shown by: avx512, emulated
 */
#if __has_include(<simde/x86/avx512.h>)
#include "../../emulated/immintrin.h"
#define utf8guard_prefix_avx512 emulated_prefix
#define utf8guard_validate_avx512 emulated_validate
/* The engine gives texts of one vector and an octet or two to AVX2's, which need not be there. */
#define utf8guard_prefix_avx2 utf8guard_prefix_general
#include "../../../../kernel/codec/engine_x86_avx512.c"
#define EMULATED "avx512, emulated"
#include "../../emulated_engine.h"
#else
#include "../../tap.h"

int main(void)
{
	tap_skip("avx512, emulated", "no SIMDe: apt-get install libsimde-dev");
	return tap_done();
}
#endif
