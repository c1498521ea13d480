// SPDX-License-Identifier: GPL-2.0
/* What the vector engines need of x86: detection, and sections of FPU use. */
#include <linux/init.h>
#include <linux/sched.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#include "../../codec/dfa.h"
#include "../../codec/engine.h"
#include "../engine.h"

/*
 * Saving and restoring the registers (XSAVEC and XRSTOR) takes 484 cycles on Zen 3, 520 to 534 on
 * Zen 5, 270 to 300 on Sapphire Rapids. Characters of three octets are faster in vectors from 0.7
 * to 1.0 KiB on (Zen 3), 1.0 to 1.3 (Zen 5), 0.5 (Sapphire Rapids), those of two octets from
 * 1.5 KiB on (Zen 3), 0.6 (Sapphire Rapids). General registers skip ASCII at 13 to 15 octets a
 * cycle: vectors are faster from 14 KiB on (Zen 3), 5.4 to 6.5 KiB (Zen 5, Sapphire Rapids); where
 * no registers need to be saved, from 768 to 1024 octets on (Zen), 192 (Sapphire Rapids).
 */
static const struct utf8guard_fpu_costs costs_of_zen = { 1024, 8192, 1024 };
static const struct utf8guard_fpu_costs costs_of_others = { 576, 6144, 192 };

/*
 * Where the registers are saved already only MXCSR is loaded, and a section costs 12 cycles in
 * all (Sapphire Rapids): vectors are faster from 64 octets on, which is the least they take.
 */
#define FPU_MIN_SAVED 64

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
