/* SPDX-License-Identifier: GPL-2.0 */
/* What the benchmarks in the kernel share: the clock, and order. */
#ifndef _UTF8GUARD_KUNIT_BENCH_H
#define _UTF8GUARD_KUNIT_BENCH_H

#include <linux/minmax.h>
#include <linux/sort.h>
#include <linux/types.h>

/*
 * A thousand cycles of the core, in ticks of the time stamp counter, by a chain of multiplications
 * of three cycles each. Additions of constants would not do: some cores carry them out while they
 * rename registers, and then each takes less than one cycle.
 */
static inline u64 bench_ticks_per_kilocycle(void)
{
	u64 best = U64_MAX;
	unsigned int round, i;

	for (round = 0; round < 50; round++) {
		u64 begin = __builtin_ia32_rdtsc();
		unsigned long x = round;

		for (i = 0; i < 1000; i++)
			asm volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
				     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
				     "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
				     "imul %0, %0" : "+r"(x));
		best = min_t(u64, best, __builtin_ia32_rdtsc() - begin);
	}
	return best / 30;
}

static inline int bench_compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* For a median. */
static inline void bench_sort(u64 *ticks, unsigned int count)
{
	sort(ticks, count, sizeof(*ticks), bench_compare, NULL);
}

#endif /* _UTF8GUARD_KUNIT_BENCH_H */
