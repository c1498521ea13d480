/* SPDX-License-Identifier: GPL-2.0 */
/* Is this text at all? Told by the first octets of a stream or a datagram. */
#ifndef _UTF8GUARD_NF_GATE_H
#define _UTF8GUARD_NF_GATE_H

#include <linux/utf8guard.h>

/* How many octets it looks at: a NUL among them is no text's. */
#define UGNF_GATE_OCTETS 32

/**
 * struct ugnf_gate - what is known of the beginning; all zero at first
 * @at: octets seen, as long as it may be text
 * @gone: signatures that it cannot begin with any more, a bit each
 * @is_binary: it is not text
 */
struct ugnf_gate {
	u8 at;
	u8 gone;
	u8 is_binary;
};

u32 ugnf_gate_feed(struct ugnf_gate *gate, const u8 *data, u32 len);

#endif /* _UTF8GUARD_NF_GATE_H */
