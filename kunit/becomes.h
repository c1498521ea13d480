/* SPDX-License-Identifier: GPL-2.0 */
/* Judges the normaliser by what a text must become, in the kernel and on the host. */
#ifndef _UTF8GUARD_KUNIT_BECOMES_H
#define _UTF8GUARD_KUNIT_BECOMES_H

#include <linux/utf8guard_normalize.h>
#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

/* The longest text of NormalizationTest.txt, and what it becomes, are shorter. */
#define LONGEST 256

/* Is @want what a text becomes, and do both checks say so? */
static inline bool becomes(enum utf8guard_form form, const u8 *text, size_t len,
			   const u8 *want, size_t want_len)
{
	bool same = len == want_len && !memcmp(text, want, len);
	size_t out_len = 0;
	u8 out[LONGEST];
	int answer;

	if (utf8guard_normalize(form, text, len, out, sizeof(out), &out_len, NULL) ||
	    out_len != want_len || memcmp(out, want, want_len))
		return false;
	if (utf8guard_is_normalized(form, text, len, NULL, NULL) != same)
		return false;
	answer = utf8guard_quick_check(form, text, len, NULL, NULL);
	return answer == UTF8GUARD_PERHAPS || answer == same;
}

#endif /* _UTF8GUARD_KUNIT_BECOMES_H */
