/* SPDX-License-Identifier: GPL-2.0 */
/* The text gate: is this text at all? The first octets of a stream or a datagram tell. */
#ifndef _UTF8GUARD_NF_GATE_H
#define _UTF8GUARD_NF_GATE_H

#include <linux/utf8guard.h>

/* The gate looks at so many octets. A NUL among them means that this is no text. */
#define UGNF_GATE_OCTETS 32

/**
 * struct ugnf_gate - what is known of the first octets; all zero at the beginning
 * @at: the number of octets seen, up to UGNF_GATE_OCTETS; 0 if @is_binary
 * @gone: a bit for each signature with which these octets do not begin
 * @is_binary: this is not text
 */
struct ugnf_gate {
	u8 at;
	u8 gone;
	u8 is_binary;
};

u32 ugnf_gate_feed(struct ugnf_gate *gate, const u8 *data, u32 len);

#endif /* _UTF8GUARD_NF_GATE_H */
