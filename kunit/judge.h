/* SPDX-License-Identifier: GPL-2.0 */
/* Judges a validator by the grammar of RFC 3629, for all exhaustive tests. */
#ifndef _UTF8GUARD_KUNIT_JUDGE_H
#define _UTF8GUARD_KUNIT_JUDGE_H

#include <linux/utf8guard.h>

/**
 * struct utf8guard_judge - a validator on trial
 * @validate: with the contract of utf8guard_validate()
 * @feed: with the contract of utf8guard_feed(); or NULL
 * @texts: the number of texts on which it was tried
 * @wrong: the number of texts on which it was wrong
 * @first: the first of these, and what was wrong, in words
 */
struct utf8guard_judge {
	int (*validate)(const void *text, size_t len, struct utf8guard_error *err);
	size_t (*feed)(u8 *state, const void *text, size_t len);
	unsigned long texts;
	unsigned long wrong;
	char first[120];
};

void utf8guard_judge(struct utf8guard_judge *judge, const u8 *text, size_t len);
void utf8guard_judge_after(struct utf8guard_judge *judge, u8 first, size_t len);

#endif /* _UTF8GUARD_KUNIT_JUDGE_H */
