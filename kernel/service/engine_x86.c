// SPDX-License-Identifier: GPL-2.0
/* What the vector engines need of x86: detection, and sections of FPU use. */
#include <linux/init.h>
#include <linux/sched.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#include "../codec/dfa.h"
#include "../codec/engine.h"
#include "engine.h"

/*
 * Octets that must remain for the use of the FPU to be worth its price.
 *
 * Saving the registers of the task and restoring them (XSAVEC and XRSTOR) costs
 * 484 cycles on Zen 3, 520 to 534 on Zen 5. In general registers characters of
 * three octets take as much longer than in vectors from 0.7 KiB on (Zen 3, AVX2;
 * 1.0 octets a cycle against 4.6), 1.0 KiB (Zen 5, AVX-512) or 1.1 to 1.3 KiB (Zen
 * 5, AVX2); those of two octets, at 1.8, from 1.5 KiB on (Zen 3).
 */
#define FPU_MIN 1024

/*
 * The same where the registers of the task need not be saved, or are saved already. Then only
 * MXCSR is loaded, in 2 to 13 cycles. AVX2 is faster from 64 octets on (Zen 3), or from 64 to
 * 120 on (Zen 5); for ASCII from 768 on (Zen 5).
 */
#define FPU_MIN_SAVED 256

/*
 * The same of ASCII, which general registers skip at 13 to 15 octets a cycle: vectors are
 * faster from 14 KiB on (Zen 3), or from 5.4 to 6.3 KiB on (Zen 5).
 */
#define FPU_MIN_ASCII 8192

/* Octets of a section. Preemption is off in it, so the FPU is given back after each page. */
#define FPU_SECTION 4096

static utf8guard_prefix_fn *general __ro_after_init;
static utf8guard_prefix_fn *vectors __ro_after_init;

/* How many octets of a long text one section judges: whole characters only. */
static size_t section(const u8 *text, size_t len)
{
	return len <= FPU_SECTION ? len : utf8guard_resync(text, FPU_SECTION);
}

/*
 * Will kernel_fpu_begin() have no registers to save? Asked before it is called: where the answer
 * changes in between, that costs some cycles, and nothing else.
 */
static bool is_fpu_saved(void)
{
#ifdef TIF_NEED_FPU_LOAD
	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		return true;
#endif
	return current->flags & PF_KTHREAD;
}

/* How many octets at @text the general engine skips as ASCII before vectors are considered. */
static size_t skip_before_vectors(const u8 *text, size_t len)
{
	return len < FPU_MIN_ASCII ? utf8guard_skip_ascii(text, len) : 0;
}

/* Is a text for the general engine: too short for vectors, or the FPU may not be used here? */
static bool is_for_general(size_t len, bool saved)
{
	return len < (saved ? FPU_MIN_SAVED : FPU_MIN) || !irq_fpu_usable();
}

static size_t prefix_long(const u8 *text, size_t len)
{
	size_t i = 0;

	for (;;) {
		bool saved = is_fpu_saved();
		size_t part, good;

		if (!saved && len - i >= FPU_MIN)
			i += skip_before_vectors(text + i, len - i);
		if (is_for_general(len - i, saved))
			return i + general(text + i, len - i);
		part = section(text + i, len - i);
		kernel_fpu_begin();
		good = vectors(text + i, part);
		kernel_fpu_end();
		i += good;
		if (good < part)
			return i;
	}
}

/* Short texts, such as names, go to the general engine at once. */
static size_t prefix_by_size(const u8 *text, size_t len)
{
	return len < FPU_MIN_SAVED ? general(text, len) : prefix_long(text, len);
}

/* The function that judges text where a vector engine is chosen. Called once, at module init. */
utf8guard_prefix_fn *__init utf8guard_fpu_init(const struct utf8guard_engine *engine)
{
	general = utf8guard_engine_find(NULL, false)->prefix;
	vectors = engine->prefix;
	return prefix_by_size;
}

/* The kernel clears the bits of AVX, AVX2 and AVX-512 where XSAVE is missing or off. */
bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature)
{
	switch (feature) {
	case UTF8GUARD_CPU_BASELINE:
		return true;
	case UTF8GUARD_CPU_BMI2:
		return boot_cpu_has(X86_FEATURE_BMI2);
	case UTF8GUARD_CPU_AVX2:
		return boot_cpu_has(X86_FEATURE_AVX) &&
		       boot_cpu_has(X86_FEATURE_AVX2);
	case UTF8GUARD_CPU_AVX512:
		return boot_cpu_has(X86_FEATURE_AVX512F) &&
		       boot_cpu_has(X86_FEATURE_AVX512BW);
	}
	return false;
}
