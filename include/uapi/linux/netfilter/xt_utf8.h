/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* The match "utf8" of iptables and ip6tables, revision 0. */
#ifndef _UAPI_LINUX_NETFILTER_XT_UTF8_H
#define _UAPI_LINUX_NETFILTER_XT_UTF8_H

#include <linux/types.h>
#include <linux/utf8guard.h>

/*
 * Each payload is of exactly one of these. Those that break RFC 3629 have the
 * number of their enum utf8guard_class, and so has what nothing is wrong with.
 */
#define XT_UTF8_VALID		(1U << UTF8GUARD_CLASS_NONE)
#define XT_UTF8_ILL_FORMED	((1U << (UTF8GUARD_CLASS_TRUNCATED + 1)) - \
				 (1U << UTF8GUARD_CLASS_OVERLONG))
#define XT_UTF8_SPLIT		(1U << 30) /* valid but for characters that its edges divide */
#define XT_UTF8_UNREADABLE	(1U << 31) /* not all of it could be read */

#define XT_UTF8_CLASSES		(XT_UTF8_VALID | XT_UTF8_ILL_FORMED | \
				 XT_UTF8_SPLIT | XT_UTF8_UNREADABLE)

/* Flags: match what is of none of the classes. */
#define XT_UTF8_INVERT		(1U << 0)

/**
 * struct xt_utf8_info - what to match
 * @classes: bits from XT_UTF8_CLASSES; neither none nor, inverted, all of them
 * @flags: XT_UTF8_INVERT or 0
 */
struct xt_utf8_info {
	__u32 classes;
	__u32 flags;
};

#endif /* _UAPI_LINUX_NETFILTER_XT_UTF8_H */
