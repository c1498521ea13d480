// SPDX-License-Identifier: GPL-2.0
/* Counters. Every packet changes some, so each processor has its own. */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/percpu.h>
#include <linux/u64_stats_sync.h>

#include "counters.h"

/* The counters of one processor. */
struct ugnf_cpu_counters {
	struct u64_stats_sync sync;
	u64_stats_t octets;
	u64_stats_t count[];
};

/**
 * utf8guard_nf_counters_init() - make counters
 * @counters: all zeroes
 * @count: the number of reasons, of enum ugnf_reason or enum ugnf_unruled_reason
 *
 * Context: process context; may sleep.
 * Return: 0 or -ENOMEM.
 */
int utf8guard_nf_counters_init(struct ugnf_counters *counters, u32 count)
{
	struct ugnf_cpu_counters __percpu *percpu;
	int cpu;

	percpu = __alloc_percpu_gfp(sizeof(*percpu) + count * sizeof(u64_stats_t),
				    __alignof__(struct ugnf_cpu_counters), GFP_KERNEL_ACCOUNT);
	if (!percpu)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(percpu, cpu)->sync);
	counters->percpu = percpu;
	counters->count = count;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_counters_init, "UTF8GUARD");

/**
 * utf8guard_nf_counters_free() - free counters
 * @counters: nobody changes or reads them any more; all zeroes if they were never made
 *
 * Context: process context.
 */
void utf8guard_nf_counters_free(struct ugnf_counters *counters)
{
	free_percpu(counters->percpu);
	counters->percpu = NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_counters_free, "UTF8GUARD");

/* Documented in outcome.h. The output hook also runs in process context. */
void utf8guard_nf_count(struct ugnf_counters *counters, u32 octets, u32 reasons)
{
	struct ugnf_cpu_counters *percpu = get_cpu_ptr(counters->percpu);
	/* On 64 bits, this does nothing. */
	unsigned long flags = u64_stats_update_begin_irqsave(&percpu->sync);

	if (octets)
		reasons |= BIT(UGNF_REASON_JUDGED);
	u64_stats_add(&percpu->octets, octets);
	for (; reasons; reasons &= reasons - 1)
		u64_stats_inc(&percpu->count[__ffs(reasons)]);
	u64_stats_update_end_irqrestore(&percpu->sync, flags);
	put_cpu_ptr(counters->percpu);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_count, "UTF8GUARD");

/* Counts a reason @n times, for no packet, or for packets that were counted before. */
void ugnf_counters_add(struct ugnf_counters *counters, enum ugnf_reason reason, u16 n)
{
	struct ugnf_cpu_counters *percpu = get_cpu_ptr(counters->percpu);
	unsigned long flags = u64_stats_update_begin_irqsave(&percpu->sync);

	u64_stats_add(&percpu->count[reason], n);
	u64_stats_update_end_irqrestore(&percpu->sync, flags);
	put_cpu_ptr(counters->percpu);
}

static void read_one(const struct ugnf_cpu_counters *percpu, u32 count,
		     struct ugnf_counters_sum *one)
{
	unsigned int start;
	u32 i;

	do {
		start = u64_stats_fetch_begin(&percpu->sync);
		one->octets = u64_stats_read(&percpu->octets);
		for (i = 0; i < count; i++)
			one->count[i] = u64_stats_read(&percpu->count[i]);
	} while (u64_stats_fetch_retry(&percpu->sync, start));
}

/**
 * utf8guard_nf_counters_sum() - add up the counters of all processors
 * @counters: the counters; all zeroes if they were never made
 * @sum: set to the sums; all zeroes if the counters were never made
 *
 * What is counted meanwhile may be missing.
 *
 * Context: process context.
 */
void utf8guard_nf_counters_sum(const struct ugnf_counters *counters, struct ugnf_counters_sum *sum)
{
	struct ugnf_counters_sum one;
	int cpu;
	u32 i;

	*sum = (struct ugnf_counters_sum) {};
	if (!counters->percpu)
		return;
	for_each_possible_cpu(cpu) {
		read_one(per_cpu_ptr(counters->percpu, cpu), counters->count, &one);
		sum->octets += one.octets;
		for (i = 0; i < counters->count; i++)
			sum->count[i] += one.count[i];
	}
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_counters_sum, "UTF8GUARD");

/* Sets all to 0. What another processor counts at the same time may survive. */
void ugnf_counters_reset(struct ugnf_counters *counters)
{
	int cpu;
	u32 i;

	if (!counters->percpu)
		return;
	for_each_possible_cpu(cpu) {
		struct ugnf_cpu_counters *percpu = per_cpu_ptr(counters->percpu, cpu);

		u64_stats_set(&percpu->octets, 0);
		for (i = 0; i < counters->count; i++)
			u64_stats_set(&percpu->count[i], 0);
	}
}
