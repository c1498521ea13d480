/* SPDX-License-Identifier: GPL-2.0 */
/* A text in order, decoded or not: well-formed, and if not, what is wrong? */
#ifndef _UTF8GUARD_NF_TEXT_H
#define _UTF8GUARD_NF_TEXT_H

#include "percent.h"

/* The longest character less its lead. */
#define UGNF_MAX_TAIL 3

/**
 * enum ugnf_decode - what is done to octets before they are judged
 * @UGNF_DECODE_RAW: nothing
 * @UGNF_DECODE_PERCENT: percent escapes are decoded
 * @UGNF_DECODE_TARGET: the same, but what is encoded twice is refused in the path alone
 */
enum ugnf_decode {
	UGNF_DECODE_RAW,
	UGNF_DECODE_PERCENT,
	UGNF_DECODE_TARGET,
};

/**
 * struct ugnf_text - a text being judged; all zero but @refuse and @decode at
 *	its beginning
 * @refuse: mask of text classes, and of those of percent encoding where that is
 *	decoded; loses that of a byte order mark after the first character
 * @code_point: of the last character, as far as it was seen
 * @char_length: its octets
 * @char_left: those of them that are still to come
 * @decode: enum ugnf_decode
 * @state: enum utf8guard_state
 * @class: of the error, once there is one: UTF8GUARD_CLASS_NONE before
 * @before_len: how many of @before there are
 * @before: the last octets that came out
 * @is_query: of a target, the path has ended
 * @percent: see there
 *
 * No padding, so that two of them can be compared as memory.
 */
struct ugnf_text {
	u32 refuse;
	u32 code_point;
	u16 char_length;
	u16 char_left;
	u8 decode;
	u8 state;
	u8 class;
	u8 before_len;
	u8 before[3];
	u8 is_query;
	struct ugnf_percent percent;
};

u32 ugnf_text_feed(struct ugnf_text *text, const u8 *data, u32 len, struct utf8guard_error *error);
void ugnf_text_begin_query(struct ugnf_text *text);
void ugnf_text_settle(struct ugnf_text *text);
bool ugnf_text_explain(const struct ugnf_text *text, const u8 *octets, u32 len,
		       struct utf8guard_error *error, u8 *bytes);
bool ugnf_text_end(struct ugnf_text *text, struct utf8guard_error *error);

#endif /* _UTF8GUARD_NF_TEXT_H */
