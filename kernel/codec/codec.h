/* SPDX-License-Identifier: GPL-2.0 */
/* Private to the codec: what makes one source serve kernel and user space. */
#ifndef _UTF8GUARD_CODEC_H
#define _UTF8GUARD_CODEC_H

#ifdef __KERNEL__
#include <linux/compiler.h>
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
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(type, a, b) min((type)(a), (type)(b))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#define noinline __attribute__((__noinline__))
#define OPTIMIZER_HIDE_VAR(var) __asm__("" : "+r"(var))
#ifndef __aligned
#define __aligned(octets) __attribute__((__aligned__(octets)))
#endif
#endif

#include <linux/utf8guard.h>

/* The top bit of each octet of a word. It is set in each octet that is not ASCII. */
#define UTF8GUARD_TOP_BITS 0x8080808080808080ULL

/* RFC 3629 section 4: UTF8-tail = %x80-BF */
static inline bool utf8guard_is_tail(u8 octet)
{
	return (octet & 0xc0) == 0x80;
}

/* Half of a surrogate pair in three octets, as CESU-8 has it (Unicode Technical Report 26). */
static inline bool utf8guard_is_high_surrogate(const u8 *p, size_t len)
{
	return len >= 3 && p[0] == 0xed && (p[1] & 0xf0) == 0xa0 && utf8guard_is_tail(p[2]);
}

static inline bool utf8guard_is_low_surrogate(const u8 *p, size_t len)
{
	return len >= 3 && p[0] == 0xed && (p[1] & 0xf0) == 0xb0 && utf8guard_is_tail(p[2]);
}

/* Eight octets as a word, in the processor's order, from any alignment. */
static __always_inline u64 utf8guard_load64(const u8 *p)
{
	u64 word;

	__builtin_memcpy(&word, p, sizeof(word));
	return word;
}

static __always_inline u32 utf8guard_load32(const u8 *p)
{
	u32 word;

	__builtin_memcpy(&word, p, sizeof(word));
	return word;
}

/* Is a text of 0 to 64 octets ASCII? The words that are loaded overlap, so there is no loop. */
static __always_inline bool utf8guard_is_short_ascii(const u8 *p, size_t len)
{
	const u8 *end = p + len;
	u64 word;

	if (len < 4) {
		if (!len)
			return true;
		return (p[0] | p[len / 2] | end[-1]) < 0x80;
	}
	if (len < 8)
		return !((utf8guard_load32(p) | utf8guard_load32(end - 4)) &
			 0x80808080);
	word = utf8guard_load64(p) | utf8guard_load64(end - 8);
	if (len > 16)
		word |= utf8guard_load64(p + 8) | utf8guard_load64(end - 16);
	if (len > 32)
		word |= utf8guard_load64(p + 16) | utf8guard_load64(p + 24) |
			utf8guard_load64(end - 24) | utf8guard_load64(end - 32);
	return !(word & UTF8GUARD_TOP_BITS);
}

/* Are all eight octets 20..7E? Of these, only a space can be of a text class: edge-space. */
static inline bool utf8guard_is_plain(u64 word)
{
	u64 below = word - 0x2020202020202020ULL;
	u64 del = word + 0x0101010101010101ULL;

	return !((word | below | del) & UTF8GUARD_TOP_BITS);
}

/* Eight octets as a word, the first octet lowest, whatever order the machine has. */
static __always_inline u64 utf8guard_load64_le(const u8 *p)
{
	u64 word = utf8guard_load64(p);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

static __always_inline u32 utf8guard_load32_le(const u8 *p)
{
	u32 word = utf8guard_load32(p);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap32(word);
#endif
	return word;
}

#endif /* _UTF8GUARD_CODEC_H */
