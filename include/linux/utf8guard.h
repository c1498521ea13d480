/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The codec of utf8guard: strict UTF-8 (RFC 3629) for any kernel module, and,
 * from the same sources, for the user-space tool.
 *
 * Functions here are pure: no locks, no allocation, no sleeping, callable from
 * any context. Lengths and offsets are in octets, offsets from 0.
 */
#ifndef _LINUX_UTF8GUARD_H
#define _LINUX_UTF8GUARD_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#include <uapi/linux/utf8guard.h>

/* Version of the project: modules and tool. */
#define UTF8GUARD_VERSION "0.1.0"

/* The bit of a class in a mask of classes. */
#define UTF8GUARD_CLASS_BIT(class) (1U << (class))

/* All the ways to break RFC 3629: the classes from overlong to truncated. */
#define UTF8GUARD_ILL_FORMED                                                   \
	(UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_TRUNCATED + 1) -                  \
	 UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_OVERLONG))

/* No code point: what a stray continuation octet pretends to be. */
#define UTF8GUARD_NO_CODE_POINT 0xffffffffU

/* The longest sequence that RFC 2044 knew. */
#define UTF8GUARD_MAX_SPAN 6

/**
 * struct utf8guard_error - what is wrong with a text, and where
 * @offset: of the first octet at fault, from the beginning of the text
 * @code_point: what the octets pretend to be, up to 0x7fffffff, or
 *	UTF8GUARD_NO_CODE_POINT
 * @class: enum utf8guard_class
 * @note: enum utf8guard_note
 * @length: octets of the maximal subpart of the ill-formed sequence (The
 *	Unicode Standard, chapter 3, "U+FFFD Substitution of Maximal
 *	Subparts"): where a decoder goes on after it; at least 1
 * @span: octets that the lead octet and the continuation octets behind it
 *	pretend to be one character of: C0 AE has length 1 and span 2; never
 *	less than @length
 */
struct utf8guard_error {
	size_t offset;
	u32 code_point;
	u8 class;
	u8 note;
	u8 length;
	u8 span;
};

/**
 * enum utf8guard_state - where in a sequence a stream stands
 * @UTF8GUARD_STATE_START: between characters; what a stream begins in, and the
 *	only state in which it may end
 * @UTF8GUARD_STATE_TAIL1: one more continuation octet, 80..BF
 * @UTF8GUARD_STATE_TAIL2: two more continuation octets
 * @UTF8GUARD_STATE_TAIL3: three more continuation octets
 * @UTF8GUARD_STATE_E0: behind E0: A0..BF, then one more
 * @UTF8GUARD_STATE_ED: behind ED: 80..9F, then one more
 * @UTF8GUARD_STATE_F0: behind F0: 90..BF, then two more
 * @UTF8GUARD_STATE_F4: behind F4: 80..8F, then two more
 * @UTF8GUARD_STATE_REFUSED: the stream is ill-formed and stays so
 */
enum utf8guard_state {
	UTF8GUARD_STATE_START,
	UTF8GUARD_STATE_TAIL1,
	UTF8GUARD_STATE_TAIL2,
	UTF8GUARD_STATE_TAIL3,
	UTF8GUARD_STATE_E0,
	UTF8GUARD_STATE_ED,
	UTF8GUARD_STATE_F0,
	UTF8GUARD_STATE_F4,
	UTF8GUARD_STATE_REFUSED,
};

int utf8guard_validate(const void *text, size_t len, struct utf8guard_error *err);
void utf8guard_explain(const void *text, size_t len, size_t offset,
		       struct utf8guard_error *err);
size_t utf8guard_feed(u8 *state, const void *text, size_t len);

/* The transfer function of nothing: every state stays what it is. */
#define UTF8GUARD_TRANSFER_NONE 0x76543210U

u32 utf8guard_transfer(const void *text, size_t len);
u32 utf8guard_compose(u32 first, u32 second);
u8 utf8guard_apply(u32 transfer, u8 state);

typedef size_t utf8guard_prefix_fn(const u8 *text, size_t len);

/**
 * struct utf8guard_engine - one way to judge text; all give the same answers
 * @name: as users write it
 * @prefix: octets of the well-formed characters that a text begins with: its
 *	length, or the offset of its first ill-formed sequence
 * @needs: of the processor; see utf8guard_engine_usable()
 * @fpu: the kernel may call @prefix only between kernel_fpu_begin() and
 *	kernel_fpu_end()
 */
struct utf8guard_engine {
	const char *name;
	utf8guard_prefix_fn *prefix;
	u8 needs;
	bool fpu;
};

const struct utf8guard_engine *utf8guard_engine_at(unsigned int index);
const struct utf8guard_engine *utf8guard_engine_find(const char *name, bool fpu);
bool utf8guard_engine_usable(const struct utf8guard_engine *engine);
const char *utf8guard_engine_name(void);

const char *utf8guard_class_name(unsigned int class);
const char *utf8guard_note_text(unsigned int note);

#endif /* _LINUX_UTF8GUARD_H */
