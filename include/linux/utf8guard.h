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

/* The code point of a sequence that does not add up to one, such as a stray continuation octet. */
#define UTF8GUARD_NO_CODE_POINT 0xffffffffU

/* Octets of the longest sequence that RFC 2044 defined; RFC 3629 allows 4. */
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
 *	Subparts"): where a decoder goes on after it; at least 1, but 0 where
 *	utf8guard_convert() finds no byte order mark
 * @span: octets that the lead octet and the continuation octets after it
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
 * @UTF8GUARD_STATE_E0: after E0: A0..BF, then one more
 * @UTF8GUARD_STATE_ED: after ED: 80..9F, then one more
 * @UTF8GUARD_STATE_F0: after F0: 90..BF, then two more
 * @UTF8GUARD_STATE_F4: after F4: 80..8F, then two more
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

/* The transfer function of a segment without octets: every state stays what it is. */
#define UTF8GUARD_TRANSFER_NONE 0x76543210U

u32 utf8guard_transfer(const void *text, size_t len);
u32 utf8guard_compose(u32 first, u32 second);
u8 utf8guard_apply(u32 transfer, u8 state);

/* The classes of well-formed text that utf8guard_classify() judges. */
#define UTF8GUARD_TEXT_CLASSES                                                 \
	(UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE + 1) -                 \
	 UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NUL))

/* The classes of percent encoding; no bit of them is in UTF8GUARD_TEXT_CLASSES. */
#define UTF8GUARD_PERCENT_CLASSES                                              \
	(UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_PERCENT_NUL + 1) -                \
	 UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_PERCENT_MALFORMED))

int utf8guard_classify(const void *text, size_t len, u32 refuse,
		       struct utf8guard_error *err);
u32 utf8guard_code_point_classes(u32 code_point);
size_t utf8guard_skip_clean(const void *text, size_t len, u32 refuse);

/**
 * enum utf8guard_encoding - what text may be converted from and to
 * @UTF8GUARD_UTF8: RFC 3629
 * @UTF8GUARD_UTF16LE: UTF-16, RFC 2781, little-endian; no surrogate unpaired
 * @UTF8GUARD_UTF16BE: the same, big-endian
 * @UTF8GUARD_UTF32LE: UTF-32, little-endian; scalar values only
 * @UTF8GUARD_UTF32BE: the same, big-endian
 * @UTF8GUARD_CESU8: Unicode Technical Report 26: supplementary characters as
 *	two surrogates of three octets each, and in no other way; import only
 * @UTF8GUARD_MODIFIED_UTF8: the same with NUL as C0 80, and in no other way,
 *	as Java and JNI have it; import only
 * @UTF8GUARD_UTF16: UTF-16 in the byte order that a mark at the beginning tells,
 *	big-endian without one (RFC 2781 section 4.3); import only
 * @UTF8GUARD_UTF32: the same of UTF-32; import only
 */
enum utf8guard_encoding {
	UTF8GUARD_UTF8,
	UTF8GUARD_UTF16LE,
	UTF8GUARD_UTF16BE,
	UTF8GUARD_UTF32LE,
	UTF8GUARD_UTF32BE,
	UTF8GUARD_CESU8,
	UTF8GUARD_MODIFIED_UTF8,
	UTF8GUARD_UTF16,
	UTF8GUARD_UTF32,
};

/**
 * enum utf8guard_bom - what to do with U+FEFF at the beginning of the input
 * @UTF8GUARD_BOM_KEEP: it is a character like any other
 * @UTF8GUARD_BOM_STRIP: leave it out, if it is there (RFC 3629 section 6)
 * @UTF8GUARD_BOM_REQUIRE: keep it, and refuse text that has none
 */
enum utf8guard_bom {
	UTF8GUARD_BOM_KEEP,
	UTF8GUARD_BOM_STRIP,
	UTF8GUARD_BOM_REQUIRE,
};

/**
 * struct utf8guard_conversion - what utf8guard_convert() is to do
 * @from: enum utf8guard_encoding of the input
 * @to: enum utf8guard_encoding of the output; an import-only one gives -EINVAL
 * @bom: enum utf8guard_bom
 */
struct utf8guard_conversion {
	u8 from;
	u8 to;
	u8 bom;
};

int utf8guard_convert(const struct utf8guard_conversion *how,
		      const void *text, size_t len, void *out, size_t *out_len,
		      struct utf8guard_error *err);

/**
 * enum utf8guard_repair - what utf8guard_sanitize() does about ill-formed text
 * @UTF8GUARD_REPLACE: write U+FFFD for each maximal subpart
 * @UTF8GUARD_SKIP: leave each maximal subpart out, which may join what was apart
 */
enum utf8guard_repair {
	UTF8GUARD_REPLACE,
	UTF8GUARD_SKIP,
};

int utf8guard_sanitize(enum utf8guard_repair repair, const void *text,
		       size_t len, void *out, size_t *out_len);
size_t utf8guard_next_error(const void *text, size_t len, size_t from);
size_t utf8guard_count(const void *text, size_t len);
size_t utf8guard_boundary(const void *text, size_t len, size_t offset);

/**
 * typedef utf8guard_prefix_fn - how many octets of a text are well-formed characters
 * @text: the text; no octet outside of it is read
 * @len: its length
 *
 * Return: @len, or the offset of the first ill-formed sequence. A sequence that the
 * end of the text cuts off counts as ill-formed.
 */
typedef size_t utf8guard_prefix_fn(const u8 *text, size_t len);

/**
 * struct utf8guard_engine - one way to judge text; all give the same answers
 * @name: as users write it
 * @prefix: the engine itself
 * @needs: enum utf8guard_cpu_feature, which is the codec's own; ask
 *	utf8guard_engine_usable()
 * @fpu: the kernel may call @prefix only between kernel_fpu_begin() and
 *	kernel_fpu_end(), on arm64 kernel_neon_begin() and kernel_neon_end()
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
