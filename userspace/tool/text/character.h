/* SPDX-License-Identifier: GPL-2.0 */
/* What the Unicode Character Database says of a code point. */
#ifndef UTF8GUARD_TOOL_CHARACTER_H
#define UTF8GUARD_TOOL_CHARACTER_H

#include <linux/utf8guard.h>

/* The longest name that a character has, and its NUL (UNINAME_MAX of libunistring). */
#define CHARACTER_NAME_MAX 256
/* "U+XXXXXX" eighteen times, the longest decomposition, and its NUL. */
#define CHARACTER_FORM_MAX (18 * 10 + 1)

/**
 * struct character - a scalar value and its properties
 * @name: "" if it has none, as controls have
 * @block: a range of code points with a name; NULL outside of all
 * @category: the General_Category, in words; NULL where libunistring is too old to know it
 * @classes: mask of the text classes that it is of
 * @profile: the first profile that refuses it, by a class or by its form, or NULL
 * @only_at_edge: it refuses it at the beginning and the end of a text alone
 * @invisible: shows nothing of its own
 * @nfd: the code points of its canonical decomposition; "" if that is itself
 * @nfkd: and of its compatibility decomposition; "" if that is the same as @nfd
 * @history: what RFC 3629 tells of its history, or NULL
 */
struct character {
	char name[CHARACTER_NAME_MAX];
	const char *block, *category;
	u32 classes;
	const char *profile;
	bool only_at_edge, invisible;
	char nfd[CHARACTER_FORM_MAX], nfkd[CHARACTER_FORM_MAX];
	const char *history;
};

void character_describe(struct character *character, const u8 *text, size_t length);
const char *character_category(const struct character *character);

#endif /* UTF8GUARD_TOOL_CHARACTER_H */
