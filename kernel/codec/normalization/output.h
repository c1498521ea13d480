/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to what writes a normalization form: the buffer that it is written to, and what writes
 * more than one character there.
 */
#ifndef _UTF8GUARD_OUTPUT_H
#define _UTF8GUARD_OUTPUT_H

#include "normalization.h"

/* Where the result goes. @len is the length of the whole result so far, with what did not fit. */
struct utf8guard_output {
	u8 *at;
	size_t cap;
	size_t len;
};

static __always_inline void utf8guard_put_code_point(struct utf8guard_output *out, u32 code_point)
{
	unsigned int length = utf8guard_encoded_length(code_point);

	if (out->len <= out->cap && out->cap - out->len >= length)
		utf8guard_encode(code_point, out->at + out->len);
	out->len += length;
}

/* Most of what is copied is short, and a call of memcpy() takes as long: overlapping words. */
static inline void utf8guard_copy(u8 *to, const u8 *from, size_t len)
{
	if (len > 16) {
		memcpy(to, from, len);
	} else if (len >= 8) {
		u64 last = utf8guard_load64(from + len - 8);

		__builtin_memcpy(to, from, 8);
		__builtin_memcpy(to + len - 8, &last, 8);
	} else if (len >= 4) {
		u32 last = utf8guard_load32(from + len - 4);

		__builtin_memcpy(to, from, 4);
		__builtin_memcpy(to + len - 4, &last, 4);
	} else if (len) {
		to[0] = from[0];
		to[len / 2] = from[len / 2];
		to[len - 1] = from[len - 1];
	}
}

static inline void utf8guard_put(struct utf8guard_output *out, const u8 *p, size_t len)
{
	size_t at = out->len;

	out->len += len;
	if (out->len > out->cap)
		return;
	utf8guard_copy(out->at + at, p, len);
}

/* Copies a fixed size where that fits, which needs no loop; the next octets overwrite the rest. */
static inline void utf8guard_put_parts(struct utf8guard_output *out,
				       const struct utf8guard_parts *parts)
{
	if (parts->length > UTF8GUARD_COPY || out->len > out->cap ||
	    out->cap - out->len < UTF8GUARD_COPY) {
		utf8guard_put(out, parts->octets, parts->length);
		return;
	}
	memcpy(out->at + out->len, parts->octets, UTF8GUARD_COPY);
	out->len += parts->length;
}

/* The last character that was written: where it is in the text, and the output before it. */
struct utf8guard_last {
	const u8 *at;
	size_t len;
};

const u8 *utf8guard_put_jamo(const u8 *p, const u8 *end, struct utf8guard_output *out,
			     struct utf8guard_last *last);
const u8 *utf8guard_put_syllables(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
				  struct utf8guard_output *out);
const u8 *utf8guard_put_sequence(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
				 struct utf8guard_output *out);
const u8 *utf8guard_put_in_order(const struct utf8guard_rules *rules, const u8 *done, const u8 *p,
				 const u8 *end, struct utf8guard_output *out);

#endif /* _UTF8GUARD_OUTPUT_H */
