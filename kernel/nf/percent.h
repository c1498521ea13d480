/* SPDX-License-Identifier: GPL-2.0 */
/* Percent decoding, RFC 3986 section 2.1, exactly once, cut anywhere. */
#ifndef _UTF8GUARD_NF_PERCENT_H
#define _UTF8GUARD_NF_PERCENT_H

#include <linux/utf8guard.h>

/* No octet came out, yet. */
#define NF_PERCENT_NONE (-1)

/**
 * struct nf_percent - where in an escape a text stands; all zero at its beginning
 * @step: octets of an escape, "%" and "u" included, that were seen
 * @is_u: it is "%u"
 * @digit: of an escape, the first
 * @echo: the same as @step for what came out: is it an escape itself?
 * @echo_is_u: and as @is_u
 */
struct nf_percent {
	u8 step;
	u8 is_u;
	u8 digit;
	u8 echo;
	u8 echo_is_u;
};

int nf_percent_put(struct nf_percent *percent, u8 octet, u8 *class);
u8 nf_percent_end(const struct nf_percent *percent);

#endif /* _UTF8GUARD_NF_PERCENT_H */
