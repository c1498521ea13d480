/* SPDX-License-Identifier: GPL-2.0 */
/* Judges a text whose octets come in order, and says what is wrong with it. */
#ifndef _UTF8GUARD_NF_TEXT_H
#define _UTF8GUARD_NF_TEXT_H

#include "percent.h"

/* The continuation octets of the longest character. */
#define UGNF_MAX_TAIL 3

/**
 * enum ugnf_decode - how octets are decoded before they are judged
 * @UGNF_DECODE_RAW: not at all
 * @UGNF_DECODE_PERCENT: percent escapes are decoded
 * @UGNF_DECODE_TARGET: percent escapes of the target of a request are decoded; double encoding
 *	is allowed in its query
 */
enum ugnf_decode {
	UGNF_DECODE_RAW,
	UGNF_DECODE_PERCENT,
	UGNF_DECODE_TARGET,
};

/**
 * struct ugnf_text - a text that is being judged; at its beginning, all is zero but @refuse
 *	and @decode
 * @refuse: mask of the text classes that are refused, and of the classes of percent encoding;
 *	the bit of the byte order mark is cleared after the first character
 * @code_point: the last character, as far as its octets have come
 * @char_length: the number of octets of the last character
 * @char_left: the number of its octets that are still to come
 * @decode: enum ugnf_decode
 * @state: enum utf8guard_state, after the last octet
 * @class: the class of the error that was found; UTF8GUARD_CLASS_NONE without one
 * @before_len: the number of octets in @before
 * @before: the last octets of the decoded text, to explain an error that begins in them
 * @is_query: of the target of a request: its path has ended
 * @percent: the state of percent decoding
 *
 * There is no padding, so that memcmp() can compare two texts.
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
