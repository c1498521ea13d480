// SPDX-License-Identifier: GPL-2.0
/* How much a rule has looked at: on the path of every packet, so per processor. */
#include <linux/percpu.h>

#include "nf.h"

int nf_traffic_init(struct nf_rule *rule)
{
	int cpu;

	rule->traffic = alloc_percpu_gfp(struct nf_traffic, GFP_KERNEL_ACCOUNT);
	if (!rule->traffic)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(rule->traffic, cpu)->sync);
	return 0;
}

/**
 * nf_traffic_count() - count one packet
 * @rule: the one that decided
 * @octets: of payload
 * @verdict: what came of it
 *
 * Context: process context or softirq.
 */
void nf_traffic_count(struct nf_rule *rule, u32 octets, enum nf_verdict verdict)
{
	struct nf_traffic *traffic = get_cpu_ptr(rule->traffic);
	/* The output hook also runs in process context. With 64 bits, this is nothing. */
	unsigned long flags = u64_stats_update_begin_irqsave(&traffic->sync);

	u64_stats_inc(&traffic->packets);
	u64_stats_add(&traffic->octets, octets);
	if (verdict == NF_CUT)
		u64_stats_inc(&traffic->cut);
	if (verdict == NF_UNREADABLE)
		u64_stats_inc(&traffic->unreadable);
	if (verdict == NF_BINARY)
		u64_stats_inc(&traffic->binary);
	if (verdict == NF_UNFOLLOWED)
		u64_stats_inc(&traffic->unfollowed);
	u64_stats_update_end_irqrestore(&traffic->sync, flags);
	put_cpu_ptr(rule->traffic);
}

/* The sums over all processors. */
void nf_traffic_sum(const struct nf_rule *rule, struct nf_traffic_sum *sum)
{
	int cpu;

	*sum = (struct nf_traffic_sum) {};
	for_each_possible_cpu(cpu) {
		const struct nf_traffic *traffic = per_cpu_ptr(rule->traffic, cpu);
		struct nf_traffic_sum one;
		unsigned int start;

		do {
			start = u64_stats_fetch_begin(&traffic->sync);
			one.packets = u64_stats_read(&traffic->packets);
			one.octets = u64_stats_read(&traffic->octets);
			one.cut = u64_stats_read(&traffic->cut);
			one.unreadable = u64_stats_read(&traffic->unreadable);
			one.binary = u64_stats_read(&traffic->binary);
			one.unfollowed = u64_stats_read(&traffic->unfollowed);
		} while (u64_stats_fetch_retry(&traffic->sync, start));
		sum->packets += one.packets;
		sum->octets += one.octets;
		sum->cut += one.cut;
		sum->unreadable += one.unreadable;
		sum->binary += one.binary;
		sum->unfollowed += one.unfollowed;
	}
}

/* What is counted meanwhile on another processor may survive. */
void nf_traffic_reset(struct nf_rule *rule)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct nf_traffic *traffic = per_cpu_ptr(rule->traffic, cpu);

		u64_stats_set(&traffic->packets, 0);
		u64_stats_set(&traffic->octets, 0);
		u64_stats_set(&traffic->cut, 0);
		u64_stats_set(&traffic->unreadable, 0);
		u64_stats_set(&traffic->binary, 0);
		u64_stats_set(&traffic->unfollowed, 0);
	}
}
