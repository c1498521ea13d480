/* SPDX-License-Identifier: GPL-2.0 */
/* Percent decoding, RFC 3986 section 2.1, exactly once, cut anywhere. */
#ifndef _UTF8GUARD_NF_PERCENT_H
#define _UTF8GUARD_NF_PERCENT_H

#include <linux/utf8guard.h>

/* The most octets that come out at once: an escape that is none, and what shows that. */
#define UGNF_PERCENT_MOST 6

/**
 * struct ugnf_percent - where in an escape a text stands; all zero at its beginning
 * @unit: the digits of the escape, as a number
 * @high: of a surrogate pair in two escapes, the first; 0 for none
 * @step: octets of the escape, "%" and "u" included, that were seen
 * @is_u: it is "%u"
 * @echo: the same as @step for what came out: is it an escape itself?
 * @echo_is_u: and as @is_u
 */
struct ugnf_percent {
	u16 unit;
	u16 high;
	u8 step;
	u8 is_u;
	u8 echo;
	u8 echo_is_u;
};

u32 ugnf_percent_put(struct ugnf_percent *percent, u32 refuse, u8 octet, u8 *out, u8 *class);
u32 ugnf_percent_run(const u8 *data, u32 len, u8 *out, u32 room, u32 *count);
u32 ugnf_percent_end(struct ugnf_percent *percent, u32 refuse, u8 *out, u8 *class);

#endif /* _UTF8GUARD_NF_PERCENT_H */
