/* SPDX-License-Identifier: GPL-2.0 */
/* What the benchmarks share: how long a cycle is, and order. */
#ifndef _UTF8GUARD_BENCH_CLOCK_H
#define _UTF8GUARD_BENCH_CLOCK_H

#include <stdlib.h>
#include <x86intrin.h>

/*
 * Ticks of the time stamp counter in a cycle of the core: the least of many runs of a chain of
 * additions, each of which waits for the one before. What is added is in a register: where it
 * is a number in the instruction, later processors (Golden Cove) take several in a cycle.
 */
static inline double clock_ticks_a_cycle(void)
{
	double best = 1e9;
	int i, n;

	for (i = 0; i < 2000; i++) {
		unsigned long x = 0, one = 1;
		double begin = __rdtsc(), spent;

		for (n = 0; n < 200; n++)
			__asm__ volatile(".rept 100; add %1, %0; .endr" : "+r"(x) : "r"(one));
		spent = (__rdtsc() - begin) / 20000;
		best = spent < best ? spent : best;
	}
	return best;
}

static inline int clock_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* For a median. */
static inline void clock_sort(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), clock_order);
}

#endif /* _UTF8GUARD_BENCH_CLOCK_H */
