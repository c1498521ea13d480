// SPDX-License-Identifier: GPL-2.0
/*
 * The choice of an engine, in user space: by the processor, or by the
 * environment variable UTF8GUARD_ENGINE, for tests and benchmarks.
 */
#include <stdio.h>
#include <stdlib.h>
#ifdef __aarch64__
#include <sys/auxv.h>
#endif
#include "../../kernel/codec/engine.h"
#include "../../kernel/codec/normalization/normalization.h"

static const struct utf8guard_engine *chosen;

utf8guard_prefix_fn *utf8guard_prefix = utf8guard_prefix_general;
utf8guard_prefix_fn *utf8guard_prefix_nofpu = utf8guard_prefix_general;
utf8guard_validate_fn *utf8guard_validate_chosen = utf8guard_validate_any;
utf8guard_skip_calm_fn *utf8guard_skip_calm_chosen = utf8guard_skip_calm;
size_t utf8guard_calm_least = UTF8GUARD_CALM_MIN;

bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature)
{
	switch (feature) {
	case UTF8GUARD_CPU_BASELINE:
		return true;
#ifdef __x86_64__
	case UTF8GUARD_CPU_BMI2:
		return __builtin_cpu_supports("bmi") &&
		       __builtin_cpu_supports("bmi2");
	case UTF8GUARD_CPU_AVX2:
		return __builtin_cpu_supports("avx2");
	case UTF8GUARD_CPU_AVX512:
		return __builtin_cpu_supports("avx512f") &&
		       __builtin_cpu_supports("avx512bw");
	case UTF8GUARD_CPU_AVX512VBMI:
		return utf8guard_cpu_has(UTF8GUARD_CPU_AVX512) &&
		       __builtin_cpu_supports("avx512vbmi");
#endif
#ifdef __aarch64__
	case UTF8GUARD_CPU_NEON:
		return getauxval(AT_HWCAP) & HWCAP_ASIMD;
#endif
	default:
		return false;
	}
}

const char *utf8guard_engine_name(void)
{
	return chosen->name;
}

void utf8guard_engine_use(const struct utf8guard_engine *engine)
{
	chosen = engine;
	utf8guard_prefix = engine->prefix;
	/* In user space, the engine for names may use the FPU, too: it costs nothing. */
	utf8guard_prefix_nofpu = engine->prefix;
	utf8guard_validate_chosen = utf8guard_validate_any;
	utf8guard_skip_calm_chosen = utf8guard_skip_calm;
	utf8guard_calm_least = UTF8GUARD_CALM_MIN;
#ifdef __x86_64__
	if (engine->needs == UTF8GUARD_CPU_AVX2)
		utf8guard_validate_chosen = utf8guard_validate_avx2;
	if (engine->needs == UTF8GUARD_CPU_AVX512)
		utf8guard_validate_chosen = utf8guard_validate_avx512;
	if (engine->needs == UTF8GUARD_CPU_AVX512VBMI)
		utf8guard_validate_chosen = utf8guard_validate_avx512vbmi;
	if (engine->fpu && utf8guard_cpu_has(UTF8GUARD_CPU_AVX2) &&
	    utf8guard_cpu_has(UTF8GUARD_CPU_BMI2)) {
		utf8guard_skip_calm_chosen = utf8guard_skip_calm_avx2;
		utf8guard_calm_least = UTF8GUARD_CALM_AVX2_MIN;
	}
#endif
}

__attribute__((constructor)) static void choose(void)
{
	const char *name = getenv("UTF8GUARD_ENGINE");
	const struct utf8guard_engine *engine = utf8guard_engine_find(name, true);

	if (!engine) {
		/* Not its name, which may hold anything: a terminal would act on that. */
		fputs("UTF8GUARD_ENGINE: no such engine on this processor\n", stderr);
		exit(2);
	}
	utf8guard_engine_use(engine);
}
