// SPDX-License-Identifier: GPL-2.0
/* What the vector engines need of x86: detection, and sections of FPU use. */
#include <linux/init.h>
#include <linux/sched.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#include "../../codec/dfa.h"
#include "../../codec/engine.h"
#include "../engine.h"
#include "costs.h"

static __always_inline bool is_fpu_saved(void)
{
#ifdef TIF_NEED_FPU_LOAD
	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		return true;
#endif
	return current->flags & PF_KTHREAD;
}

static __always_inline bool fpu_usable(void)
{
	return irq_fpu_usable();
}

static __always_inline void fpu_begin(void)
{
	kernel_fpu_begin();
}

static __always_inline void fpu_end(void)
{
	kernel_fpu_end();
}

static struct utf8guard_fpu_costs costs_of_processor(void)
{
	return boot_cpu_has(X86_FEATURE_ZEN) ? costs_of_zen : costs_of_others;
}

#include "engine_fpu.h"

/* The kernel clears the bits of AVX, AVX2 and AVX-512 where XSAVE is missing or off. */
bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature)
{
	switch (feature) {
	case UTF8GUARD_CPU_BASELINE:
		return true;
	case UTF8GUARD_CPU_BMI2:
		return boot_cpu_has(X86_FEATURE_BMI1) &&
		       boot_cpu_has(X86_FEATURE_BMI2);
	case UTF8GUARD_CPU_AVX2:
		return boot_cpu_has(X86_FEATURE_AVX) &&
		       boot_cpu_has(X86_FEATURE_AVX2);
	case UTF8GUARD_CPU_AVX512:
		return boot_cpu_has(X86_FEATURE_AVX512F) &&
		       boot_cpu_has(X86_FEATURE_AVX512BW);
	case UTF8GUARD_CPU_AVX512VBMI:
		return utf8guard_cpu_has(UTF8GUARD_CPU_AVX512) &&
		       boot_cpu_has(X86_FEATURE_AVX512VBMI);
	default:
		return false;
	}
}
