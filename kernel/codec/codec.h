/* SPDX-License-Identifier: GPL-2.0 */
/* Private to the codec: what makes one source serve kernel and user space. */
#ifndef _UTF8GUARD_CODEC_H
#define _UTF8GUARD_CODEC_H

#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <string.h>

#define EXPORT_SYMBOL_NS_GPL(symbol, ns)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define noinline __attribute__((__noinline__))
#endif

#include <linux/utf8guard.h>

/* RFC 3629 section 4: UTF8-tail = %x80-BF */
static inline bool utf8guard_is_tail(u8 octet)
{
	return (octet & 0xc0) == 0x80;
}

#endif /* _UTF8GUARD_CODEC_H */
