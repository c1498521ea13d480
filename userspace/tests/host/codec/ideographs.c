// SPDX-License-Identifier: GPL-2.0
/*
 * Ideographs, kana, Cyrillic and ASCII, which are judged without a look at any table: the tables say
 * of them what is taken for granted, and nothing else is taken for one. And the shortcuts of
 * utf8guard_is_normalized(): they give the answer that normalizing the text gives.
 *
 * promise whoever wrote the text: nothing ill-formed passes by the short way for common characters
 * shown by: each character of three octets at each place, and surrogates
 * shown by: nothing ill-formed is in a form, whatever three octets are among others
 */
#include <stdlib.h>
#include <string.h>
#include <linux/utf8guard.h>
#include "../../../../kernel/codec/normalization/normalization.h"
#include "../../tap.h"

#define FIRST 0x4000
#define LAST 0x9fff
/* More than two blocks of 64 octets. */
#define LONGEST 140

static bool is_inert(u32 code_point)
{
	u8 octets[4];
	unsigned int length = utf8guard_encode(code_point, octets), form;

	if (utf8guard_char_at(octets, length).bits || utf8guard_code_point_classes(code_point))
		return false;
	for (form = 0; form < UTF8GUARD_FORMS; form++)
		if (utf8guard_is_normalized(form, octets, length, NULL, NULL) != 1)
			return false;
	return true;
}

/* Is it in NFC and NFKC, but not in every form? Of no class, except a space at an edge. */
static bool is_common(u32 code_point)
{
	return (code_point >= 0x20 && code_point <= 0x7e) ||
	       (code_point >= 0x400 && code_point <= 0x47f) ||
	       (code_point >= 0x3041 && code_point <= 0x3096) ||
	       (code_point >= 0x30a0 && code_point <= 0x30fe);
}

static bool is_inert_composed(u32 code_point)
{
	const u16 stop = utf8guard_rules[UTF8GUARD_FORM_NFC].stop |
			 utf8guard_rules[UTF8GUARD_FORM_NFKC].stop;
	u8 octets[4];
	unsigned int length = utf8guard_encode(code_point, octets);

	return !(utf8guard_char_at(octets, length).bits & stop) &&
	       (code_point == ' ' || !utf8guard_code_point_classes(code_point));
}

/* How many octets such characters take at the beginning of a text, by a decoder of RFC 3629. */
static size_t count(const u8 *p, size_t len, bool every_form)
{
	unsigned int length;
	u32 code_point;
	size_t i;

	for (i = 0; i < len; i += length) {
		length = p[i] < 0x80 ? 1 : p[i] < 0xe0 ? 2 : 3;
		if (i + length > len || utf8guard_validate(p + i, length, NULL))
			break;
		code_point = utf8guard_decode(p + i, length);
		if (code_point == ' ' && (!i || i == len - 1))
			break;
		if ((code_point < FIRST || code_point > LAST) &&
		    (every_form || !is_common(code_point)))
			break;
	}
	return i;
}

static bool is_counted(const u8 *p, size_t len)
{
	/* A copy of exactly that length, so that a sanitizer sees what is read after it. */
	u8 *text = malloc(len + !len);
	bool is;

	memcpy(text, p, len);
	is = utf8guard_skip_common(text, len, true) == count(text, len, true) &&
	     utf8guard_skip_common(text, len, false) == count(text, len, false);
	free(text);
	return is;
}

/*
 * Is a text said to be in a form if and only if normalizing leaves it as it is? Is it only said to be
 * ill-formed if it is?
 */
static bool is_told(unsigned int form, const u8 *text, size_t len)
{
	u8 made[12 * LONGEST];
	size_t made_len = 0;
	bool same = !utf8guard_normalize(form, text, len, made, sizeof(made), &made_len, NULL) &&
		    made_len == len && !memcmp(made, text, len);
	int told = utf8guard_is_normalized(form, text, len, NULL, NULL);

	return (told == 1) == same && (told >= 0 || utf8guard_validate(text, len, NULL));
}

/* A character alone, and between characters and marks of several scripts. */
static unsigned int check_forms(u32 code_point)
{
	static const char *const before[] = { "", "\u4e00", "\u30ab", "\u03b1 \u05d0", "\uac00" };
	static const char *const after[] = { "", "\u3099", "\u11a8\u0301\u0316" };
	unsigned int form, i, j, wrong = 0;
	u8 text[64];
	size_t len;

	for (form = 0; form < UTF8GUARD_FORMS; form++)
		for (i = 0; i < ARRAY_SIZE(before); i++)
			for (j = 0; j < ARRAY_SIZE(after); j++) {
				len = strlen(before[i]);
				memcpy(text, before[i], len);
				len += utf8guard_encode(code_point, text + len);
				memcpy(text + len, after[j], strlen(after[j]));
				len += strlen(after[j]);
				wrong += !is_told(form, text, len);
			}
	return wrong;
}

/*
 * Any three octets from C0 00 00 on, between what the shortcut skips: returns how many ill-formed
 * texts are said to be in a form.
 */
static unsigned long check_octets(const char *before, const char *after)
{
	const size_t at = strlen(before), len = at + 3 + strlen(after);
	unsigned long wrong = 0, octets;
	unsigned int form;
	u8 text[16];

	memcpy(text, before, at);
	memcpy(text + at + 3, after, strlen(after));
	for (octets = 0xc00000; octets <= 0xffffff; octets++) {
		text[at] = octets >> 16;
		text[at + 1] = octets >> 8;
		text[at + 2] = octets;
		if (!utf8guard_validate(text, len, NULL))
			continue;
		for (form = 0; form < UTF8GUARD_FORMS; form++)
			wrong += utf8guard_is_normalized(form, text, len, NULL, NULL) == 1;
	}
	return wrong;
}

/*
 * A string at @at of texts of @len octets in some scripts. Returns in how many forms of these the
 * answer is wrong. What goes beyond the length is cut.
 */
static unsigned int check_long(const char *among, size_t at, size_t len)
{
	static const char *const scripts[] = { "a", "\u03b1", "\u0434", "\u30ab", "\u4e2d", "\ud55c" };
	unsigned int form, script, wrong = 0;
	u8 *text = malloc(len + 8);
	size_t filled;

	for (script = 0; script < ARRAY_SIZE(scripts); script++) {
		const size_t step = strlen(scripts[script]);

		filled = at % step;
		memset(text, '-', filled);
		for (; filled + step <= len; filled += step)
			memcpy(text + filled, scripts[script], step);
		memset(text + filled, '-', len - filled);
		memcpy(text + at, among, strlen(among));
		for (form = 0; form < UTF8GUARD_FORMS; form++)
			wrong += !is_told(form, text, len);
	}
	free(text);
	return wrong;
}

static void check_classes(void)
{
	unsigned int wrong = 0, code_point;

	for (code_point = FIRST; code_point <= LAST; code_point++)
		wrong += !is_inert(code_point);
	tap_ok(!wrong, "U+4000 to U+9FFF are of no class, and in all forms");

	for (code_point = wrong = 0; code_point < FIRST; code_point++)
		wrong += is_common(code_point) && !is_inert_composed(code_point);
	tap_ok(!wrong, "kana, Cyrillic and ASCII are of no class, and in NFC and NFKC");
}

static void check_counts(void)
{
	unsigned int wrong = 0, code_point, len, at, i;
	u8 text[LONGEST];

	for (code_point = 0x800; code_point < 0x10000; code_point++)
		for (at = 0; at < 15; at += 3) {
			for (len = 0; len < 15; len += 3)
				utf8guard_encode(0x4e00 + len, text + len);
			utf8guard_encode(code_point, text + at);
			wrong += !is_counted(text, 15);
		}
	tap_ok(!wrong, "each character of three octets at each place, and surrogates");

	for (code_point = wrong = 0; code_point < 0x800; code_point++)
		for (at = 0; at < 6; at++) {
			for (i = len = 0; i < 7; i++)
				len += utf8guard_encode(i == at ? code_point : 0x431 + 7 * i,
							text + len);
			wrong += !is_counted(text, len);
		}
	tap_ok(!wrong, "each character of one or two octets among Cyrillic");
}

static void check_among(void)
{
	/* What is not inert in some form or in none, of each length; what is ill-formed is last. */
	static const char *const among[] = {
		"\u03b1", "\u00e9", "\u0301", "\u0323", "\u05d0", "\u05b8", "\u0439", "\u30ac", "\u3099",
		"\u0e49", "\uac00", "\u11a8", "\u1ebf", "\uff21", "\U0001f600", "\U0001d15e",
		"\U000110ba", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\xe3\x81", "\x80",
	};
	unsigned int wrong = 0, len, at, i;

	for (len = 8; len <= LONGEST; len++)
		for (at = 0; at < len; at++)
			for (i = 0; i < ARRAY_SIZE(among); i++)
				wrong += check_long(among[i], at, len);
	tap_ok(!wrong, "a character and a mark at each place of texts of each length, in each form");
}

/* An octet in a text of characters of one length, the first of which and the distance are given. */
static bool is_counted_among(u32 first, u32 distance, u8 octet, size_t at, size_t len)
{
	u8 text[LONGEST];
	size_t filled;
	u32 i;

	for (i = filled = 0; filled + 3 <= LONGEST; i++)
		filled += utf8guard_encode(first + i * distance, text + filled);
	text[at] = octet;
	return is_counted(text, len);
}

static void check_each_octet(void)
{
	unsigned int wrong = 0, len, at, octet;

	for (len = 0; len <= 40; len++)
		for (at = 0; at < len; at++)
			for (octet = 0; octet < 256; octet++) {
				wrong += !is_counted_among(0x4fff, 3 * 677, octet, at, len);
				wrong += !is_counted_among(0x3041, 6, octet, at, len);
				wrong += !is_counted_among(0x431, 2, octet, at, len);
			}
	tap_ok(!wrong, "each octet at each place of texts of each length");
}

static void check_each_character(void)
{
	unsigned int wrong = 0, code_point;

	for (code_point = 0x80; code_point < 0x110000; code_point++)
		if ((code_point < 0xd800 || code_point > 0xdfff) &&
		    (code_point < 0x30000 || code_point % 61 == 0))
			wrong += check_forms(code_point);
	tap_ok(!wrong, "texts with each character are in a form if the form leaves them");
}

static void check_ill_formed(void)
{
	unsigned long wrong = check_octets("\xe4\xb8\xad", "") + check_octets("\xce\xb1", "") +
			      check_octets("\xe4\xb8\xad", "\xce\xb1\xce\xb1") +
			      check_octets("\xce\xb1", "\xce\xb1\xce\xb1");

	tap_ok(!wrong, "nothing ill-formed is in a form, whatever three octets are among others");
}

int main(void)
{
	check_classes();
	check_counts();
	check_among();
	check_each_octet();
	check_each_character();
	check_ill_formed();
	return tap_done();
}
