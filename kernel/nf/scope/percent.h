/* SPDX-License-Identifier: GPL-2.0 */
/* Decodes percent encoding (RFC 3986 section 2.1) once, in pieces of any length. */
#ifndef _UTF8GUARD_NF_PERCENT_H
#define _UTF8GUARD_NF_PERCENT_H

#include <linux/utf8guard.h>

/* So many octets can come out for one: those of "%u1234" less the last, and the one after them. */
#define UGNF_PERCENT_MOST 6

/**
 * struct ugnf_percent - the state of percent decoding; all zero at the beginning of a text
 * @unit: the value of those digits of the escape that have come
 * @high: the high surrogate that the escape before this one stood for; 0 for none
 * @step: the number of octets of the escape that have come, "%" and "u" included; 0 outside
 * @is_u: the escape is "%uXXXX"
 * @echo: like @step, but for an escape in the decoded octets: double encoding
 * @echo_is_u: like @is_u, for the same
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
