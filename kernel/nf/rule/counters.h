/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of a rule, or of packets that no rule judges. */
#ifndef _UTF8GUARD_NF_TRAFFIC_H
#define _UTF8GUARD_NF_TRAFFIC_H

#include <linux/types.h>

#include "outcome.h"

struct nf_traffic;

/**
 * struct nf_counters - a counter for each reason; all zeroes before they are made
 * @traffic: the counters
 * @count: how many reasons there are
 */
struct nf_counters {
	struct nf_traffic __percpu *traffic;
	u32 count;
};

/* What they have counted. */
struct nf_counters_sum {
	u64 octets, count[NF_REASON_COUNT];
};

int utf8guard_nf_counters_init(struct nf_counters *counters, u32 count);
void utf8guard_nf_counters_free(struct nf_counters *counters);
void utf8guard_nf_counters_sum(const struct nf_counters *counters, struct nf_counters_sum *sum);
void nf_counters_add(struct nf_counters *counters, enum nf_reason reason, u16 n);
void nf_counters_reset(struct nf_counters *counters);

#endif /* _UTF8GUARD_NF_TRAFFIC_H */
