/* SPDX-License-Identifier: GPL-2.0 */
/* A text in order, decoded or not: well-formed, and if not, what is wrong? */
#ifndef _UTF8GUARD_NF_TEXT_H
#define _UTF8GUARD_NF_TEXT_H

#include "percent.h"

/**
 * struct nf_text - a text being judged; all zero but @decode at its beginning
 * @decode: from percent encoding
 * @state: enum utf8guard_state
 * @class: of the error, once there is one: UTF8GUARD_CLASS_NONE before
 * @before_len: how many of @before there are
 * @before: the last octets that came out
 * @percent: see there
 *
 * Only octets, so that two of them can be compared as memory.
 */
struct nf_text {
	u8 decode;
	u8 state;
	u8 class;
	u8 before_len;
	u8 before[3];
	struct nf_percent percent;
};

u32 nf_text_feed(struct nf_text *text, const u8 *data, u32 len, struct utf8guard_error *error);
bool nf_text_end(struct nf_text *text, struct utf8guard_error *error);

#endif /* _UTF8GUARD_NF_TEXT_H */
