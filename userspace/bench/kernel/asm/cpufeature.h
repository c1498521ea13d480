/* SPDX-License-Identifier: GPL-2.0 */
/* The instructions of the processor, for bench/dispatch. */
#ifndef _BENCH_CPUFEATURE_H
#define _BENCH_CPUFEATURE_H

#define boot_cpu_has(feature) HAS_##feature
#define HAS_X86_FEATURE_BMI1 (!!__builtin_cpu_supports("bmi"))
#define HAS_X86_FEATURE_BMI2 (!!__builtin_cpu_supports("bmi2"))
#define HAS_X86_FEATURE_AVX (!!__builtin_cpu_supports("avx"))
#define HAS_X86_FEATURE_AVX2 (!!__builtin_cpu_supports("avx2"))
#define HAS_X86_FEATURE_AVX512F (!!__builtin_cpu_supports("avx512f"))
#define HAS_X86_FEATURE_AVX512BW (!!__builtin_cpu_supports("avx512bw"))
#define HAS_X86_FEATURE_AVX512VBMI (!!__builtin_cpu_supports("avx512vbmi"))
#define HAS_X86_FEATURE_ZEN (!!__builtin_cpu_is("amd"))

#endif /* _BENCH_CPUFEATURE_H */
