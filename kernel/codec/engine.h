/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engines that judge text. All give the same answer to every text; which
 * of them does it is a matter of the processor, and chosen once.
 */
#ifndef _UTF8GUARD_ENGINE_H
#define _UTF8GUARD_ENGINE_H

#include "codec.h"

/*
 * The engines; utf8guard_prefix_fn says what each takes and returns. Those with vectors may be
 * called only where the FPU may be used.
 */
size_t utf8guard_prefix_general(const u8 *text, size_t len);
#ifdef __x86_64__
size_t utf8guard_prefix_bmi2(const u8 *text, size_t len);
size_t utf8guard_prefix_avx2(const u8 *text, size_t len);
size_t utf8guard_prefix_avx512(const u8 *text, size_t len);
#endif

/* What an engine needs: the instructions, and a system that saves the registers they use. */
enum utf8guard_cpu_feature {
	UTF8GUARD_CPU_BASELINE,
	UTF8GUARD_CPU_BMI2,
	UTF8GUARD_CPU_AVX2,
	UTF8GUARD_CPU_AVX512,
};

/* How many octets of ASCII a text begins with, rounded down to a multiple of 64. */
size_t utf8guard_skip_ascii(const u8 *text, size_t len);

#if defined(__KERNEL__) && !defined(__x86_64__)
static inline bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature)
{
	return feature == UTF8GUARD_CPU_BASELINE;
}
#else
bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature);
#endif

/*
 * The codec calls what was chosen by static calls in the kernel, by pointers in user space:
 * utf8guard_prefix() for any text, utf8guard_prefix_nofpu() for names, which it judges in
 * general registers whatever their length. kernel/service/engine.c and
 * userspace/codec/engine.c choose, and have utf8guard_cpu_has(). Where the kernel has no
 * static calls of its own (User-Mode Linux, arm64), its macros call by pointer.
 */
#if !defined(__KERNEL__) && !defined(WITH_STATIC_CALLS)
extern utf8guard_prefix_fn *utf8guard_prefix;
extern utf8guard_prefix_fn *utf8guard_prefix_nofpu;
#else
#include <linux/static_call.h>
DECLARE_STATIC_CALL(utf8guard_prefix, utf8guard_prefix_general);
DECLARE_STATIC_CALL(utf8guard_prefix_nofpu, utf8guard_prefix_general);
#define utf8guard_prefix(text, len) static_call(utf8guard_prefix)(text, len)
#define utf8guard_prefix_nofpu(text, len) static_call(utf8guard_prefix_nofpu)(text, len)
#endif

#endif /* _UTF8GUARD_ENGINE_H */
