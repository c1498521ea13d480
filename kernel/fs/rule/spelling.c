// SPDX-License-Identifier: GPL-2.0
/*
 * Names that a file system may take for the same: by another case, as a short name, or without
 * what it leaves out at the end. Each file system folds characters by tables of its own. But in
 * all of them, an ASCII letter is the same as its other case and as no other ASCII character. What
 * is not ASCII may be the same as anything: by the tables of Unicode, "ß" is "ss".
 *
 * All functions are pure and may be called in any context.
 */
#include <linux/ctype.h>
#include <linux/stringhash.h>

#include "spelling.h"

/* The longest short name, of 8 and 3 characters, and how many of them the tilde is among. */
#define SHORT_MAX 12
#define TILDE_WITHIN 8

/* After the character at @at. In another character set than UTF-8, it may be after some more. */
static size_t after_character(const char *name, size_t len, size_t at)
{
	do {
		at++;
	} while (at < len && (name[at] & 0xc0) == 0x80);
	return at;
}

/* The length without dots at the end, which vfat and exFAT leave out, and spaces, as HPFS does. */
static size_t bare_length(const char *name, size_t len)
{
	while (len && (name[len - 1] == '.' || name[len - 1] == ' '))
		len--;
	return len;
}

bool ugfs_spelling_is_ascii(const char *name, size_t len)
{
	while (len)
		if (!isascii(name[--len]))
			return false;
	return true;
}

/* May a name be short for a longer one? Such a name has a tilde, and a digit or letter after it. */
bool ugfs_spelling_is_short(const char *name, size_t len)
{
	unsigned int characters = 0;
	bool has_tilde = false;
	size_t at;

	len = bare_length(name, len);
	for (at = 0; at < len && characters <= SHORT_MAX; at = after_character(name, len, at))
		if (characters++ < TILDE_WITHIN && name[at] == '~' && isalnum(name[at + 1]))
			has_tilde = true;
	return has_tilde && characters <= SHORT_MAX;
}

/* May two names be the same, where each character has one other case at most? */
bool ugfs_spelling_is_alike(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0, k = 0;

	a_len = bare_length(a, a_len);
	b_len = bare_length(b, b_len);
	while (i < a_len && k < b_len) {
		if (isascii(a[i]) && isascii(b[k]) && tolower(a[i]) != tolower(b[k]))
			return false;
		i = after_character(a, a_len, i);
		k = after_character(b, b_len, k);
	}
	return i == a_len && k == b_len;
}

/* The hash of a name in ASCII, which is the same for all that are alike. */
u32 ugfs_spelling_hash(const void *salt, const char *name, size_t len)
{
	unsigned long hash = init_name_hash(salt);
	size_t at;

	len = bare_length(name, len);
	for (at = 0; at < len; at++)
		hash = partial_name_hash(tolower(name[at]), hash);
	return end_name_hash(hash);
}
