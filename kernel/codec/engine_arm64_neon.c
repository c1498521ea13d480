// SPDX-License-Identifier: GPL-2.0
/* The engine in vectors of 16 octets, ASIMD of arm64, which is called NEON. */
#include "engine.h"
#ifdef __KERNEL__
#include <asm/neon-intrinsics.h> /* last: its <stdint.h> replaces limits of the kernel */
#else
#include <arm_neon.h>
#endif

#define WIDTH 16

#define vec uint8x16_t

static __always_inline vec vec_load(const u8 *p)
{
	return vld1q_u8(p);
}

/* @v in a register; here it is in any case. */
static __always_inline vec vec_kept(vec v)
{
	return v;
}

/* There are registers enough for any order. */
static __always_inline void vec_first(vec *v, const u8 **p)
{
	(void)v;
	(void)p;
}

static __always_inline vec vec_table(const u8 *table)
{
	return vld1q_u8(table);
}

static __always_inline vec vec_lookup(vec table, vec index)
{
	return vqtbl1q_u8(table, index);
}

static __always_inline vec vec_low(vec v, vec low_half)
{
	return vandq_u8(v, low_half);
}

static __always_inline vec vec_high(vec v, vec low_half)
{
	(void)low_half;
	return vshrq_n_u8(v, 4);
}

static __always_inline vec vec_or(vec a, vec b)
{
	return vorrq_u8(a, b);
}

static __always_inline vec vec_xor(vec a, vec b)
{
	return veorq_u8(a, b);
}

static __always_inline vec vec_and3(vec a, vec b, vec c)
{
	return vandq_u8(vandq_u8(a, b), c);
}

/* a - b in each octet; 0 where that would be negative */
static __always_inline vec vec_minus(vec a, vec b)
{
	return vqsubq_u8(a, b);
}

/* (a | b) & c */
static __always_inline vec vec_and_either(vec a, vec b, vec c)
{
	return vandq_u8(vorrq_u8(a, b), c);
}

static __always_inline bool vec_is_zero(vec v)
{
	return !vmaxvq_u32(vreinterpretq_u32_u8(v));
}

static __always_inline bool vec_is_ascii(vec v)
{
	return vmaxvq_u8(v) < 0x80;
}

/* A vector has one part, and before it there are zeroes. */
static __always_inline vec vec_parts_before(vec v)
{
	return vec_xor(v, v);
}

/* @v moved @n octets up, those of @before coming in below; a macro, for @n is an immediate. */
#define vec_moved(v, before, n) vextq_u8(before, v, 16 - (n))

#include "engine_lookup.h"

size_t utf8guard_prefix_neon(const u8 *text, size_t len)
{
	if (len < LEAST)
		return utf8guard_prefix_general(text, len);
	return prefix_vectors(text, len);
}
