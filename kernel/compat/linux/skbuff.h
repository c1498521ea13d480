/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_SKBUFF_H
#define _UTF8GUARD_COMPAT_SKBUFF_H

#include_next <linux/skbuff.h>
#include <linux/timekeeping.h>

/*
 * Now, by the clock of the time at which @skb is to be sent; false where it has no such time. Since
 * 6.11 there are two such clocks.
 */
static inline bool utf8guard_delivery_clock(const struct sk_buff *skb, ktime_t *now)
{
#ifdef KERNEL_HAS_TSTAMP_TYPE
	*now = skb->tstamp_type == SKB_CLOCK_TAI ? ktime_get_clocktai() : ktime_get();
	return skb->tstamp_type != SKB_CLOCK_REALTIME;
#else
	*now = ktime_get();
	return skb->mono_delivery_time;
#endif
}

#endif /* _UTF8GUARD_COMPAT_SKBUFF_H */
