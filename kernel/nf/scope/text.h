/* SPDX-License-Identifier: GPL-2.0 */
/* A text in order, decoded or not: well-formed, and if not, what is wrong? */
#ifndef _UTF8GUARD_NF_TEXT_H
#define _UTF8GUARD_NF_TEXT_H

#include "percent.h"

/* The longest character less its lead. */
#define NF_MAX_TAIL 3

/**
 * enum nf_decode - what is done to octets before they are judged
 * @NF_DECODE_RAW: nothing
 * @NF_DECODE_PERCENT: percent escapes are decoded
 * @NF_DECODE_TARGET: the same, but what is encoded twice is refused in the path alone
 */
enum nf_decode {
	NF_DECODE_RAW,
	NF_DECODE_PERCENT,
	NF_DECODE_TARGET,
};

/**
 * struct nf_text - a text being judged; all zero but @refuse and @decode at
 *	its beginning
 * @refuse: mask of text classes, and of those of percent encoding where that is
 *	decoded; loses that of a byte order mark after the first character
 * @code_point: of the last character, as far as it was seen
 * @char_length: its octets
 * @char_left: those of them that are still to come
 * @decode: enum nf_decode
 * @state: enum utf8guard_state
 * @class: of the error, once there is one: UTF8GUARD_CLASS_NONE before
 * @before_len: how many of @before there are
 * @before: the last octets that came out
 * @is_query: of a target, the path has ended
 * @percent: see there
 *
 * No padding, so that two of them can be compared as memory.
 */
struct nf_text {
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
	struct nf_percent percent;
};

u32 nf_text_feed(struct nf_text *text, const u8 *data, u32 len, struct utf8guard_error *error);
void nf_text_begin_query(struct nf_text *text);
void nf_text_settle(struct nf_text *text);
bool nf_text_end(struct nf_text *text, struct utf8guard_error *error);

#endif /* _UTF8GUARD_NF_TEXT_H */
