/* SPDX-License-Identifier: GPL-2.0 */
/* Refusals of a rule, by class. */
#ifndef _UTF8GUARD_SERVICE_COUNTS_H
#define _UTF8GUARD_SERVICE_COUNTS_H

#include <linux/atomic.h>
#include <linux/utf8guard.h>

struct sk_buff;

/**
 * struct utf8guard_counts - refusals of a rule, by class
 * @refused: refused
 * @audited: reported or counted, and let through
 * @touched: when something was counted or reported last, in jiffies; 0 is never
 *
 * These are atomics, not counters for each processor: refusals are rare, while there may be
 * 10,000 rules, and atomics take some 300 octets of a rule whatever the number of processors.
 */
struct utf8guard_counts {
	atomic64_t refused[UTF8GUARD_CLASS_MAX + 1];
	atomic64_t audited[UTF8GUARD_CLASS_MAX + 1];
	unsigned long touched;
};

void utf8guard_counts_touch(struct utf8guard_counts *counts);
bool utf8guard_counts_touched(const struct utf8guard_counts *counts, unsigned long since);
void utf8guard_counts_add(struct utf8guard_counts *counts, u8 class, u8 outcome);
void utf8guard_counts_reset(struct utf8guard_counts *counts);

/**
 * struct utf8guard_count_attrs - attribute types of a family for the counters of a class
 * @count: of the nest, in a rule
 * @class: of the class, in the nest
 * @refused: of that counter, in the nest
 * @audited: of that counter, in the nest
 * @pad: of the padding, in the nest
 */
struct utf8guard_count_attrs {
	int count, class, refused, audited, pad;
};

int utf8guard_counts_put(struct sk_buff *skb, const struct utf8guard_counts *counts,
			 const struct utf8guard_count_attrs *attrs);

#endif /* _UTF8GUARD_SERVICE_COUNTS_H */
