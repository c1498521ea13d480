/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of a rule, or of packets that no rule judges. */
#ifndef _UTF8GUARD_NF_COUNTERS_H
#define _UTF8GUARD_NF_COUNTERS_H

#include <linux/types.h>

#include "outcome.h"

struct ugnf_cpu_counters;

/**
 * struct ugnf_counters - a counter for each reason; all zeroes before they are made
 * @percpu: the counters
 * @count: the number of reasons
 */
struct ugnf_counters {
	struct ugnf_cpu_counters __percpu *percpu;
	u32 count;
};

/* The sums of counters. */
struct ugnf_counters_sum {
	u64 octets, count[UGNF_REASON_COUNT];
};

int utf8guard_nf_counters_init(struct ugnf_counters *counters, u32 count);
void utf8guard_nf_counters_free(struct ugnf_counters *counters);
void utf8guard_nf_counters_sum(const struct ugnf_counters *counters, struct ugnf_counters_sum *sum);
void ugnf_counters_add(struct ugnf_counters *counters, enum ugnf_reason reason, u16 n);
void ugnf_counters_reset(struct ugnf_counters *counters);

#endif /* _UTF8GUARD_NF_COUNTERS_H */
