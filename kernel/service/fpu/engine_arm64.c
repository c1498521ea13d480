// SPDX-License-Identifier: GPL-2.0
/* What the vector engine needs of arm64: detection, and sections of NEON use. */
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <asm/neon.h>
#include <asm/simd.h>

#include "../../codec/dfa.h"
#include "../../codec/engine.h"
#include "../engine.h"
#include "costs.h"

/*
 * Where a softirq has interrupted a section of a process, kernel_neon_begin() saves the registers
 * of that section here. One for each processor is enough: no other softirq can begin on it before
 * this one has ended, and a section in a process needs none, because it is not preempted. On the
 * stack it would take 528 octets.
 */
static DEFINE_PER_CPU(struct user_fpsimd_state, interrupted);

/* Set in threads of the kernel, and by kernel_neon_begin() until a task leaves the kernel. */
static __always_inline bool is_fpu_saved(void)
{
	return test_thread_flag(TIF_FOREIGN_FPSTATE);
}

static __always_inline bool fpu_usable(void)
{
	return may_use_simd();
}

static __always_inline void fpu_begin(void)
{
	preempt_disable();
	kernel_neon_begin(this_cpu_ptr(&interrupted));
}

static __always_inline void fpu_end(void)
{
	kernel_neon_end(this_cpu_ptr(&interrupted));
	preempt_enable();
}

static struct utf8guard_fpu_costs costs_of_processor(void)
{
	return costs_of_neon;
}

#include "engine_fpu.h"

bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature)
{
	return feature == UTF8GUARD_CPU_BASELINE ||
	       (feature == UTF8GUARD_CPU_NEON && cpu_has_neon());
}
