// SPDX-License-Identifier: GPL-2.0
/* Counters by class, for the rules of all modules. */
#include <linux/jiffies.h>
#include <linux/utf8guard.h>
#include <net/netlink.h>

#include "counts.h"

/**
 * utf8guard_counts_touch() - note that the rule refused or audited something just now
 * @counts: of the rule
 *
 * Context: any; no locks.
 */
void utf8guard_counts_touch(struct utf8guard_counts *counts)
{
	unsigned long now = jiffies ?: 1;

	/* Processors that refuse at the same time need not fight for the cache line. */
	if (READ_ONCE(counts->touched) != now)
		WRITE_ONCE(counts->touched, now);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_counts_touch, "UTF8GUARD");

/* Has the rule refused or audited something at @since, in jiffies, or later? */
bool utf8guard_counts_touched(const struct utf8guard_counts *counts, unsigned long since)
{
	unsigned long touched = READ_ONCE(counts->touched);

	return touched && time_after_eq(touched, since);
}

/**
 * utf8guard_counts_add() - count one refusal
 * @counts: of the rule that decided
 * @class: enum utf8guard_class
 * @outcome: enum utf8guard_outcome
 *
 * Context: any; no locks.
 */
void utf8guard_counts_add(struct utf8guard_counts *counts, u8 class, u8 outcome)
{
	if (outcome == UTF8GUARD_OUTCOME_REFUSED)
		atomic64_inc(&counts->refused[class]);
	else
		atomic64_inc(&counts->audited[class]);
	utf8guard_counts_touch(counts);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_counts_add, "UTF8GUARD");

/**
 * utf8guard_counts_reset() - set them all to zero
 * @counts: of a rule
 *
 * Context: any; what is counted meanwhile may be lost or kept.
 */
void utf8guard_counts_reset(struct utf8guard_counts *counts)
{
	unsigned int class;

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++) {
		atomic64_set(&counts->refused[class], 0);
		atomic64_set(&counts->audited[class], 0);
	}
}
EXPORT_SYMBOL_NS_GPL(utf8guard_counts_reset, "UTF8GUARD");

static int put_class(struct sk_buff *skb, const struct utf8guard_counts *counts,
		     const struct utf8guard_count_attrs *attrs, u32 class)
{
	u64 refused = atomic64_read(&counts->refused[class]);
	u64 audited = atomic64_read(&counts->audited[class]);
	struct nlattr *nest;

	if (!refused && !audited)
		return 0;
	nest = nla_nest_start(skb, attrs->count);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, attrs->class, class) ||
	    nla_put_u64_64bit(skb, attrs->refused, refused, attrs->pad) ||
	    nla_put_u64_64bit(skb, attrs->audited, audited, attrs->pad)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * utf8guard_counts_put() - add the counters of a rule to a netlink message
 * @skb: the message
 * @counts: of a rule
 * @attrs: the family's types of attributes for them
 *
 * Adds one nest for each class of which something was counted, so a new rule has none.
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE where the message is full.
 */
int utf8guard_counts_put(struct sk_buff *skb, const struct utf8guard_counts *counts,
			 const struct utf8guard_count_attrs *attrs)
{
	unsigned int class;

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++)
		if (put_class(skb, counts, attrs, class))
			return -EMSGSIZE;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_counts_put, "UTF8GUARD");
