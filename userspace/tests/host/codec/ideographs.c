// SPDX-License-Identifier: GPL-2.0
/*
 * Ideographs, which are judged without a look at any table: the tables say of them what is taken
 * for granted, and nothing else is taken for one. And the shortcut of utf8guard_is_normalized(),
 * which begins with them: it gives the answer that normalizing the text gives.
 *
 * promise whoever wrote the text: nothing ill-formed passes by the short way for ideographs
 * shown by: each character of three octets at each place, and surrogates
 * shown by: nothing ill-formed is in a form, whatever three octets are among others
 */
#include <stdlib.h>
#include <string.h>
#include <linux/utf8guard.h>
#include "../../../../kernel/codec/normalization.h"
#include "../../tap.h"

#define FIRST 0x4000
#define LAST 0x9fff
#define LONGEST 40

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

/* How many octets the ideographs at the beginning of a text have, by a decoder of RFC 3629. */
static size_t count(const u8 *p, size_t len)
{
	size_t i;
	u32 code_point;

	for (i = 0; i + 3 <= len && !utf8guard_validate(p + i, 3, NULL) && p[i] >= 0xe0; i += 3) {
		code_point = utf8guard_decode(p + i, 3);
		if (code_point < FIRST || code_point > LAST)
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
	is = utf8guard_skip_ideographs(text, len) == count(text, len);
	free(text);
	return is;
}

/* Is a text said to be in a form if and only if normalizing leaves it as it is? */
static bool is_told(unsigned int form, const u8 *text, size_t len)
{
	u8 made[256];
	size_t made_len = 0;
	bool same = !utf8guard_normalize(form, text, len, made, sizeof(made), &made_len, NULL) &&
		    made_len == len && !memcmp(made, text, len);

	return utf8guard_is_normalized(form, text, len, NULL, NULL) == same;
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

int main(void)
{
	static u8 text[LONGEST];
	unsigned int wrong = 0, code_point, len, at, octet;

	for (code_point = FIRST; code_point <= LAST; code_point++)
		wrong += !is_inert(code_point);
	tap_ok(!wrong, "U+4000 to U+9FFF are of no class, and in all forms");

	for (code_point = 0x800, wrong = 0; code_point < 0x10000; code_point++)
		for (at = 0; at < 15; at += 3) {
			for (len = 0; len < 15; len += 3)
				utf8guard_encode(0x4e00 + len, text + len);
			utf8guard_encode(code_point, text + at);
			wrong += !is_counted(text, 15);
		}
	tap_ok(!wrong, "each character of three octets at each place, and surrogates");

	for (len = wrong = 0; len <= LONGEST; len++)
		for (at = 0; at < len; at++)
			for (octet = 0; octet < 256; octet++) {
				unsigned int i;

				for (i = 0; i + 3 <= LONGEST; i += 3)
					utf8guard_encode(0x4fff + i * 677, text + i);
				text[at] = octet;
				wrong += !is_counted(text, len);
			}
	tap_ok(!wrong, "each octet at each place of texts of each length");

	for (code_point = 0x80, wrong = 0; code_point < 0x110000; code_point++)
		if ((code_point < 0xd800 || code_point > 0xdfff) &&
		    (code_point < 0x30000 || code_point % 61 == 0))
			wrong += check_forms(code_point);
	tap_ok(!wrong, "texts with each character are in a form if the form leaves them");

	wrong = check_octets("\xe4\xb8\xad", "") + check_octets("\xce\xb1", "") +
		check_octets("\xe4\xb8\xad", "\xce\xb1\xce\xb1") +
		check_octets("\xce\xb1", "\xce\xb1\xce\xb1");
	tap_ok(!wrong, "nothing ill-formed is in a form, whatever three octets are among others");
	return tap_done();
}
