/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engines that judge text. All give the same answer to every text. Which of
 * them is used depends on the processor; it is chosen once.
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
size_t utf8guard_prefix_avx512vbmi(const u8 *text, size_t len);
#endif
#ifdef __aarch64__
size_t utf8guard_prefix_neon(const u8 *text, size_t len);
#endif

/* What an engine needs: the instructions, and a system that saves the registers they use. */
enum utf8guard_cpu_feature {
	UTF8GUARD_CPU_BASELINE,
	UTF8GUARD_CPU_BMI2,
	UTF8GUARD_CPU_AVX2,
	UTF8GUARD_CPU_AVX512,
	UTF8GUARD_CPU_AVX512VBMI,
	UTF8GUARD_CPU_NEON,
};

/* How many octets of ASCII a text begins with, rounded down to a multiple of 64. */
size_t utf8guard_skip_ascii(const u8 *text, size_t len);

#if defined(__KERNEL__) && !defined(__x86_64__) && !defined(__aarch64__)
static inline bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature)
{
	return feature == UTF8GUARD_CPU_BASELINE;
}
#else
bool utf8guard_cpu_has(enum utf8guard_cpu_feature feature);
#endif

/*
 * The engines that were chosen: utf8guard_prefix() judges any text, utf8guard_prefix_nofpu()
 * judges names, in general registers whatever their length. They are static calls in the
 * kernel and pointers in user space. kernel/service/engine.c and userspace/codec/engine.c
 * choose, and define utf8guard_cpu_has(). Where an architecture has no static calls
 * (User-Mode Linux, arm64), the kernel's macros call by pointer.
 */
#if defined(__KERNEL__) || defined(WITH_STATIC_CALLS)
#include <linux/static_call.h>
DECLARE_STATIC_CALL(utf8guard_prefix, utf8guard_prefix_general);
#define utf8guard_prefix(text, len) static_call(utf8guard_prefix)(text, len)
DECLARE_STATIC_CALL(utf8guard_prefix_nofpu, utf8guard_prefix_general);
#define utf8guard_prefix_nofpu(text, len) static_call(utf8guard_prefix_nofpu)(text, len)
#else
extern utf8guard_prefix_fn *utf8guard_prefix;
extern utf8guard_prefix_fn *utf8guard_prefix_nofpu;
#endif

/*
 * What utf8guard_validate() does. In user space that depends on the engine: those with vectors have
 * ways of their own. In the kernel vectors do not judge names, and it is a function of validate.c.
 */
typedef int utf8guard_validate_fn(const u8 *text, size_t len, struct utf8guard_error *err);
#if defined(__KERNEL__) || defined(WITH_STATIC_CALLS)
#define utf8guard_validate_chosen validate
#else
/* User space may take another engine, one that this processor can run: the fuzzers take each. */
void utf8guard_engine_use(const struct utf8guard_engine *engine);
extern utf8guard_validate_fn *utf8guard_validate_chosen;
utf8guard_validate_fn utf8guard_validate_any;
#ifdef __x86_64__
utf8guard_validate_fn utf8guard_validate_avx2 __aligned(64);
utf8guard_validate_fn utf8guard_validate_avx512;
utf8guard_validate_fn utf8guard_validate_avx512vbmi;
#endif
#endif

/* What utf8guard_validate() returns for a text whose well-formed prefix has @good octets. */
static __always_inline int utf8guard_verdict(const u8 *text, size_t len, size_t good,
					     struct utf8guard_error *err)
{
	if (likely(good == len))
		return 0;
	if (err)
		utf8guard_explain(text, len, good, err);
	return -EILSEQ;
}

/* Aligned: to judge a short text takes no longer than to fetch the instructions. */
int utf8guard_validate(const void *text, size_t len, struct utf8guard_error *err) __aligned(64);

#endif /* _UTF8GUARD_ENGINE_H */
