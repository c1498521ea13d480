/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* The match "utf8" of iptables and ip6tables, revision 0. */
#ifndef _UAPI_LINUX_NETFILTER_XT_UTF8_H
#define _UAPI_LINUX_NETFILTER_XT_UTF8_H

#include <linux/types.h>
#include <linux/utf8guard.h>

/*
 * Each payload is of exactly one class. The bit of a class that breaks RFC 3629, and
 * that of XT_UTF8_VALID, is the number of its enum utf8guard_class.
 */
#define XT_UTF8_VALID		(1U << UTF8GUARD_CLASS_NONE)
#define XT_UTF8_ILL_FORMED	((1U << (UTF8GUARD_CLASS_TRUNCATED + 1)) - \
				 (1U << UTF8GUARD_CLASS_OVERLONG))
#define XT_UTF8_SPLIT		(1U << 30) /* valid but for characters that its edges divide */
#define XT_UTF8_UNREADABLE	(1U << 31) /* not all of it could be read */

#define XT_UTF8_CLASSES		(XT_UTF8_VALID | XT_UTF8_ILL_FORMED | \
				 XT_UTF8_SPLIT | XT_UTF8_UNREADABLE)

/* A flag: match a payload that is of none of the classes. */
#define XT_UTF8_INVERT		(1U << 0)

/**
 * struct xt_utf8_info - what to match
 * @classes: bits from XT_UTF8_CLASSES, at least one; not all of them where
 *	XT_UTF8_INVERT is set, for that would match nothing
 * @flags: XT_UTF8_INVERT or 0
 */
struct xt_utf8_info {
	__u32 classes;
	__u32 flags;
};

#endif /* _UAPI_LINUX_NETFILTER_XT_UTF8_H */
