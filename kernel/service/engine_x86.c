// SPDX-License-Identifier: GPL-2.0
/* What the vector engines need of x86: detection, and sections of FPU use. */
#include <linux/init.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

#include "../codec/engine.h"
#include "../codec/machine.h"
#include "service.h"

/*
 * Octets that have to be left, behind the ASCII that the text begins with, for
 * the FPU to pay. Saving the registers of the task and restoring them costs
 * 520 to 534 cycles (Zen 5, XSAVEC and XRSTOR); against four lanes in general
 * registers, at 1.4 octets a cycle, a vector engine breaks even at 1.0 KiB with
 * AVX-512 and at 1.1 to 1.3 KiB with AVX2; if there is nothing to restore, at
 * 270 to 490 octets. ASCII breaks even at 5 KiB at the least: it is skipped in
 * general registers.
 */
#define FPU_MIN 1024

/* Preemption is off in a section: let go of the FPU each page. */
#define FPU_SECTION 4096

static utf8guard_prefix_fn *general __ro_after_init;
static utf8guard_prefix_fn *vectors __ro_after_init;

/* Octets of the part of a long text that one section judges: whole characters. */
static size_t section(const u8 *text, size_t len)
{
	return len <= FPU_SECTION ? len : utf8guard_resync(text, FPU_SECTION);
}

static size_t prefix_by_size(const u8 *text, size_t len)
{
	size_t i = 0;

	for (;;) {
		size_t part, good;

		if (len - i >= FPU_MIN)
			i += utf8guard_skip_ascii(text + i, len - i);
		if (len - i < FPU_MIN || !irq_fpu_usable())
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

/* What judges text when a vector engine is chosen. */
utf8guard_prefix_fn *__init utf8guard_fpu_init(const struct utf8guard_engine *engine)
{
	general = utf8guard_engine_find(NULL, false)->prefix;
	vectors = engine->prefix;
	return prefix_by_size;
}

/* The kernel clears AVX and what builds on it where XSAVE is missing or off. */
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
