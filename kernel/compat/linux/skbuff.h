/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_SKBUFF_H
#define _UTF8GUARD_COMPAT_SKBUFF_H

#include_next <linux/skbuff.h>

/* Has @skb a time at which it is to be sent, by CLOCK_MONOTONIC? */
static inline bool utf8guard_has_delivery_time(const struct sk_buff *skb)
{
#ifdef KERNEL_HAS_TSTAMP_TYPE
	return skb->tstamp_type == SKB_CLOCK_MONOTONIC;
#else
	return skb->mono_delivery_time;
#endif
}

/*
 * Takes away the time by CLOCK_TAI at which @skb is to be sent, which it may have since 6.11. Some
 * fq take it for one by CLOCK_MONOTONIC, which would be in decades.
 */
static inline void utf8guard_clear_tai_time(struct sk_buff *skb)
{
#ifdef KERNEL_HAS_TSTAMP_TYPE
	if (skb->tstamp_type == SKB_CLOCK_TAI) {
		skb->tstamp_type = SKB_CLOCK_REALTIME;
		skb->tstamp = 0;
	}
#endif
}

#endif /* _UTF8GUARD_COMPAT_SKBUFF_H */
