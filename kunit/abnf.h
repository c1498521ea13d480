/* SPDX-License-Identifier: GPL-2.0 */
/* The grammar of RFC 3629 section 4, for tests to judge the codec by. */
#ifndef _UTF8GUARD_KUNIT_ABNF_H
#define _UTF8GUARD_KUNIT_ABNF_H

#include <linux/utf8guard.h>

/**
 * struct utf8guard_abnf - how the grammar matches a text
 * @matched: the number of octets at the beginning of the text that are whole characters
 * @farthest: the offset of the first octet that no production can match there, whatever
 *	follows it; the length of the text if there is none
 */
struct utf8guard_abnf {
	size_t matched;
	size_t farthest;
};

bool utf8guard_abnf(const void *text, size_t len, struct utf8guard_abnf *how);

#endif /* _UTF8GUARD_KUNIT_ABNF_H */
