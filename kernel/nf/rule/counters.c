// SPDX-License-Identifier: GPL-2.0
/* What was counted: on the path of every packet, so per processor. */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/percpu.h>
#include <linux/u64_stats_sync.h>

#include "counters.h"

/* On one processor. */
struct nf_traffic {
	struct u64_stats_sync sync;
	u64_stats_t octets;
	u64_stats_t count[];
};

/**
 * utf8guard_nf_counters_init() - make counters
 * @counters: all zeroes
 * @count: how many reasons they count, enum nf_reason or enum nf_unruled_reason
 *
 * Context: process context; may sleep.
 * Return: 0 or -ENOMEM.
 */
int utf8guard_nf_counters_init(struct nf_counters *counters, u32 count)
{
	struct nf_traffic __percpu *traffic;
	int cpu;

	traffic = __alloc_percpu_gfp(sizeof(*traffic) + count * sizeof(u64_stats_t),
				     __alignof__(struct nf_traffic), GFP_KERNEL_ACCOUNT);
	if (!traffic)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(traffic, cpu)->sync);
	counters->traffic = traffic;
	counters->count = count;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_counters_init, UTF8GUARD);

/* Nobody counts any more; they may never have been made. */
void utf8guard_nf_counters_free(struct nf_counters *counters)
{
	free_percpu(counters->traffic);
	counters->traffic = NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_counters_free, UTF8GUARD);

/* Documented in outcome.h. The output hook also runs in process context. */
void utf8guard_nf_count(struct nf_counters *counters, u32 octets, u32 reasons)
{
	struct nf_traffic *traffic = get_cpu_ptr(counters->traffic);
	/* With 64 bits, this is nothing. */
	unsigned long flags = u64_stats_update_begin_irqsave(&traffic->sync);

	if (octets)
		reasons |= BIT(NF_REASON_JUDGED);
	u64_stats_add(&traffic->octets, octets);
	for (; reasons; reasons &= reasons - 1)
		u64_stats_inc(&traffic->count[__ffs(reasons)]);
	u64_stats_update_end_irqrestore(&traffic->sync, flags);
	put_cpu_ptr(counters->traffic);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_count, UTF8GUARD);

/* What happened besides, @n times: to none of them, or to packets before. */
void nf_counters_add(struct nf_counters *counters, enum nf_reason reason, u16 n)
{
	struct nf_traffic *traffic = get_cpu_ptr(counters->traffic);
	unsigned long flags = u64_stats_update_begin_irqsave(&traffic->sync);

	u64_stats_add(&traffic->count[reason], n);
	u64_stats_update_end_irqrestore(&traffic->sync, flags);
	put_cpu_ptr(counters->traffic);
}

static void read_one(const struct nf_traffic *traffic, u32 count, struct nf_counters_sum *one)
{
	unsigned int start;
	u32 i;

	do {
		start = u64_stats_fetch_begin(&traffic->sync);
		one->octets = u64_stats_read(&traffic->octets);
		for (i = 0; i < count; i++)
			one->count[i] = u64_stats_read(&traffic->count[i]);
	} while (u64_stats_fetch_retry(&traffic->sync, start));
}

/* The sums over all processors; zeroes where they have never been made. */
void utf8guard_nf_counters_sum(const struct nf_counters *counters, struct nf_counters_sum *sum)
{
	struct nf_counters_sum one;
	int cpu;
	u32 i;

	*sum = (struct nf_counters_sum) {};
	if (!counters->traffic)
		return;
	for_each_possible_cpu(cpu) {
		read_one(per_cpu_ptr(counters->traffic, cpu), counters->count, &one);
		sum->octets += one.octets;
		for (i = 0; i < counters->count; i++)
			sum->count[i] += one.count[i];
	}
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_counters_sum, UTF8GUARD);

/* What is counted meanwhile on another processor may survive. */
void nf_counters_reset(struct nf_counters *counters)
{
	int cpu;
	u32 i;

	if (!counters->traffic)
		return;
	for_each_possible_cpu(cpu) {
		struct nf_traffic *traffic = per_cpu_ptr(counters->traffic, cpu);

		u64_stats_set(&traffic->octets, 0);
		for (i = 0; i < counters->count; i++)
			u64_stats_set(&traffic->count[i], 0);
	}
}
