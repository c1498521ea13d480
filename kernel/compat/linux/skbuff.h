/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_SKBUFF_H
#define _UTF8GUARD_COMPAT_SKBUFF_H

#include_next <linux/skbuff.h>

/*
 * Has @skb a time at which it is to be sent, by CLOCK_MONOTONIC? Since 6.11 it may have one by
 * CLOCK_TAI. That is taken away: fq does not ask by which clock it is.
 */
static inline bool utf8guard_has_delivery_time(struct sk_buff *skb)
{
#ifdef KERNEL_HAS_TSTAMP_TYPE
	if (skb->tstamp_type == SKB_CLOCK_TAI) {
		skb->tstamp_type = SKB_CLOCK_REALTIME;
		skb->tstamp = 0;
	}
	return skb->tstamp_type == SKB_CLOCK_MONOTONIC;
#else
	return skb->mono_delivery_time;
#endif
}

#endif /* _UTF8GUARD_COMPAT_SKBUFF_H */
