/* SPDX-License-Identifier: GPL-2.0 */
/* Well-formed UTF-8 as code points, and code points as UTF-8 (RFC 3629 section 3). */
#ifndef _UTF8GUARD_DECODE_H
#define _UTF8GUARD_DECODE_H

#include "codec.h"

struct utf8guard_char {
	u32 code_point;
	u8 length; /* octets */
};

/* The character at @p, which the caller knows to be well-formed and whole. */
static inline struct utf8guard_char utf8guard_decode(const u8 *p)
{
	u8 lead = p[0];

	if (lead < 0x80)
		return (struct utf8guard_char){ lead, 1 };
	if (lead < 0xe0)
		return (struct utf8guard_char){ (lead & 0x1f) << 6 | (p[1] & 0x3f), 2 };
	if (lead < 0xf0)
		return (struct utf8guard_char){
			(lead & 0xf) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f), 3
		};
	return (struct utf8guard_char){
		(lead & 7) << 18 | (p[1] & 0x3f) << 12 | (p[2] & 0x3f) << 6 |
		(p[3] & 0x3f), 4
	};
}

/* Writes a scalar value as UTF-8 to @out, which has room for 4 octets. Returns the length. */
static inline u8 utf8guard_encode(u8 *out, u32 code_point)
{
	if (code_point < 0x80) {
		out[0] = code_point;
		return 1;
	}
	if (code_point < 0x800) {
		out[0] = 0xc0 | code_point >> 6;
		out[1] = 0x80 | (code_point & 0x3f);
		return 2;
	}
	if (code_point < 0x10000) {
		out[0] = 0xe0 | code_point >> 12;
		out[1] = 0x80 | (code_point >> 6 & 0x3f);
		out[2] = 0x80 | (code_point & 0x3f);
		return 3;
	}
	out[0] = 0xf0 | code_point >> 18;
	out[1] = 0x80 | (code_point >> 12 & 0x3f);
	out[2] = 0x80 | (code_point >> 6 & 0x3f);
	out[3] = 0x80 | (code_point & 0x3f);
	return 4;
}

#endif /* _UTF8GUARD_DECODE_H */
