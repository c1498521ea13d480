// SPDX-License-Identifier: GPL-2.0
/* What the vector engines need of x86: detection, and sections of FPU use. */
#include <linux/init.h>
#include <linux/sched.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#include "../codec/dfa.h"
#include "../codec/engine.h"
#include "engine.h"

/**
 * struct costs - from how many remaining octets on vectors are faster than general registers
 * @min: where the registers of the task must be saved, and restored later (XSAVEC and XRSTOR):
 *	484 cycles on Zen 3, 520 to 534 on Zen 5, 270 to 300 on Sapphire Rapids. Characters
 *	of three octets are faster in vectors from 0.7 to 1.0 KiB on (Zen 3), 1.0 to 1.3 (Zen 5),
 *	0.5 (Sapphire Rapids), those of two octets from 1.5 KiB on (Zen 3), 0.6 (Sapphire Rapids)
 * @ascii: the same of ASCII, which general registers skip at 13 to 15 octets a cycle: 14 KiB
 *	(Zen 3), 5.4 to 6.5 KiB (Zen 5, Sapphire Rapids)
 * @ascii_saved: the same where the registers are saved already, or need not be: 768 to 1024
 *	(Zen), 192 (Sapphire Rapids)
 */
struct costs {
	size_t min;
	size_t ascii;
	size_t ascii_saved;
};

static const struct costs costs_of_zen = { 1024, 8192, 1024 };
static const struct costs costs_of_others = { 576, 6144, 192 };

/*
 * Where the registers are saved already only MXCSR is loaded, and a section costs 12 cycles in
 * all (Sapphire Rapids): vectors are faster from 64 octets on, which is the least they take.
 */
#define FPU_MIN_SAVED 64

/* Octets of a section. Preemption is off in it, so the FPU is given back after each page. */
#define FPU_SECTION 4096

DEFINE_STATIC_CALL(utf8guard_vectors, utf8guard_prefix_general);

/* Of this processor; no text is long enough where no vector engine is chosen. */
static struct costs costs __ro_after_init = { SIZE_MAX, SIZE_MAX, SIZE_MAX };

/* How many octets of a long text one section judges: whole characters only. */
static size_t section(const u8 *text, size_t len)
{
	return len <= FPU_SECTION ? len : utf8guard_resync(text, FPU_SECTION);
}

/*
 * Will kernel_fpu_begin() have no registers to save? Asked before it is called: where the answer
 * changes in between, that costs some cycles, and nothing else.
 */
static __always_inline bool is_fpu_saved(void)
{
#ifdef TIF_NEED_FPU_LOAD
	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		return true;
#endif
	return current->flags & PF_KTHREAD;
}

/* Is a text too short for vectors? */
static __always_inline bool is_short(size_t len)
{
	return len < FPU_MIN_SAVED || (len < costs.min && !is_fpu_saved());
}

/* Does a text begin with ASCII, and is it too short to use vectors for that? */
static __always_inline bool is_skipped_first(const u8 *text, size_t len)
{
	return !(utf8guard_load64(text) & UTF8GUARD_TOP_BITS) &&
	       len < (is_fpu_saved() ? costs.ascii_saved : costs.ascii);
}

/* A text that one section judges. */
static noinline size_t prefix_section(const u8 *text, size_t len)
{
	size_t good;

	if (unlikely(!irq_fpu_usable()))
		return utf8guard_prefix_nofpu(text, len);
	kernel_fpu_begin();
	good = static_call(utf8guard_vectors)(text, len);
	kernel_fpu_end();
	return good;
}

/* A text that may begin with ASCII, or take several sections: FPU_MIN_SAVED octets or more. */
static noinline size_t prefix_long(const u8 *text, size_t len)
{
	size_t i = 0;

	for (;;) {
		size_t part, good;

		if (is_skipped_first(text + i, len - i))
			i += utf8guard_skip_ascii(text + i, len - i);
		if (is_short(len - i))
			return i + utf8guard_prefix_nofpu(text + i, len - i);
		part = section(text + i, len - i);
		good = prefix_section(text + i, part);
		i += good;
		if (good < part || i == len)
			return i;
		if (len - i < FPU_MIN_SAVED)
			return i + utf8guard_prefix_nofpu(text + i, len - i);
	}
}

/*
 * Most texts are short: all ways on are tail calls, so that no register is saved and, where
 * the kernel has static calls, none is jumped through. scripts/lint/dispatch.sh proves it.
 */
static size_t prefix_by_size(const u8 *text, size_t len)
{
	if (likely(is_short(len)))
		return utf8guard_prefix_nofpu(text, len);
	if (len <= FPU_SECTION && !is_skipped_first(text, len))
		return prefix_section(text, len);
	return prefix_long(text, len);
}

/**
 * utf8guard_expect() - a text will be judged in pieces
 * @first: the first piece
 * @len: its length
 * @total: of all pieces
 *
 * Each piece decides by its own length whether saving the registers pays. Where it pays for all
 * pieces together, they are saved here, once.
 *
 * Context: any; the pieces should follow before the task sleeps.
 */
void utf8guard_expect(const void *first, size_t len, size_t total)
{
	size_t ascii;

	if (len < FPU_MIN_SAVED || total < costs.min || is_fpu_saved())
		return;
	ascii = utf8guard_skip_ascii(first, len);
	if (len - ascii < FPU_MIN_SAVED || total - ascii < costs.min || !irq_fpu_usable())
		return;
	kernel_fpu_begin();
	kernel_fpu_end();
}
EXPORT_SYMBOL_NS_GPL(utf8guard_expect, "UTF8GUARD");

/* The function that judges text where a vector engine is chosen. Called once, at module init. */
utf8guard_prefix_fn *__init utf8guard_fpu_init(const struct utf8guard_engine *engine)
{
	costs = boot_cpu_has(X86_FEATURE_ZEN) ? costs_of_zen : costs_of_others;
	static_call_update(utf8guard_vectors, engine->prefix);
	return prefix_by_size;
}

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
	}
	return false;
}
