// SPDX-License-Identifier: GPL-2.0
/*
 * Whole blocks that are skipped without a look at any table, against the tables: each character at
 * each place in a word, in each form, and characters and marks as they come.
 *
 * promise whoever wrote the text: nothing that a form changes, and nothing ill-formed, passes by the
 *   short way for whole blocks
 * shown by: each character is skipped if and only if its class says so
 * shown by: the short look-up of two and three octets says what the class does
 * shown by: nothing ill-formed is skipped, whatever three octets are among others
 * shown by: what is skipped of any mixture is in the form, and ends before a mark
 */
#include <stdlib.h>
#include <string.h>
#include "../../../../kernel/codec/normalization/normalization.h"
#include "../../tap.h"

/* More than two blocks of 64 octets. */
#define LONGEST 160

static const enum utf8guard_form forms[] = {
	UTF8GUARD_FORM_NFC, UTF8GUARD_FORM_NFD, UTF8GUARD_FORM_NFKC, UTF8GUARD_FORM_NFKD,
};

/* utf8guard_skip_calm(), or what takes its place where the processor has vectors. */
static utf8guard_skip_calm_fn *skip_calm;

/* The same of a copy, so that a sanitizer sees what is read after it. */
static size_t skip(enum utf8guard_form form, const u8 *text, size_t len)
{
	u8 *copy = malloc(len + !len);
	size_t skipped;

	memcpy(copy, text, len);
	skipped = skip_calm(form, copy, copy + len) - copy;
	free(copy);
	return skipped;
}

/* A character at the offset @at of a text that begins with @first, and is ASCII but for these. */
static bool is_as_its_class(const char *first, u32 code_point, size_t at)
{
	u8 text[LONGEST];
	size_t len = at + utf8guard_encode(code_point, memset(text, 'x', LONGEST) + at);
	u16 bits = utf8guard_char_at(text + at, len - at).bits & ~UTF8GUARD_RANK, f;

	memcpy(text, first, strlen(first));
	/* If a block ends with the character or in it, the rest is long enough for another. */
	len += UTF8GUARD_CALM_MIN + 4;
	for (f = 0; f < ARRAY_SIZE(forms); f++) {
		/* Of pictographs, these forms look up 64 at once. */
		if (text[0] >= 0xf0 && utf8guard_rules[forms[f]].compatibility)
			continue;
		if (skip_calm(forms[f], text, text + len) !=
		    text + (bits & utf8guard_rules[forms[f]].stop ? at : len))
			return false;
	}
	return true;
}

/* Any three octets from C0 00 00 on, after @at octets: how often something ill-formed is skipped. */
static unsigned long check_octets(size_t at)
{
	const size_t len = at + 3 + UTF8GUARD_CALM_MIN;
	unsigned long octets, wrong = 0;
	size_t skipped;
	unsigned int f;
	u8 text[LONGEST];

	memset(text, 'x', len);
	for (octets = 0xc00000; octets <= 0xffffff; octets++) {
		text[at] = octets >> 16;
		text[at + 1] = octets >> 8;
		text[at + 2] = octets;
		if (!utf8guard_validate(text, len, NULL))
			continue;
		for (f = 0; f < ARRAY_SIZE(forms); f++) {
			skipped = skip_calm(forms[f], text, text + len) - text;
			wrong += skipped > at && utf8guard_validate(text, skipped, NULL);
		}
	}
	return wrong;
}

/* Is what is skipped of a text well-formed and in the form, and does no mark end it? */
static bool is_in_form(enum utf8guard_form form, const u8 *text, size_t len)
{
	size_t skipped = skip(form, text, len), at;
	const u16 stop = utf8guard_rules[form].stop & ~UTF8GUARD_RANK;
	struct utf8guard_char c = { 0, 0 };
	unsigned int rank = 0, last = 0;

	for (at = 0; at < skipped; at += c.length, last = rank) {
		c = utf8guard_char_at(text + at, len - at);
		rank = c.bits & UTF8GUARD_RANK;
		if (c.bits & stop || (rank && rank < last))
			return false;
	}
	return at == skipped && (skipped == len || !rank);
}

/* A text at random: mostly letters of one script, with marks, spaces, and octets that are wrong. */
static size_t mix(u8 *text)
{
	static const char *const letters[] = {
		"a", "\u00e9", "\u03b1", "\u05d0", "\u0628", "\u0e01", "\u30ab", "\uac00", "\u1ebf",
		"\u4e00", "\U0001f600", "\u0434",
	};
	static const char *const others[] = {
		"\u0301", "\u0316", "\u0323", "\u05b8", "\u05bc", "\u064b", "\u0651", "\u0e38",
		"\u0e48", "\u20d0", "\u0315", "\U0001d165", "\u3099", " ", "\u0344", "\u212b",
		"\uff21", "\u200d", "\ufe0f", "\u2640", "\xc0\x80", "\xed\xa0\x80", "\xe3\x81",
		"\x80",
	};
	const char *script = letters[rand() % ARRAY_SIZE(letters)], *next;
	size_t want = rand() % (LONGEST - 4), len = 0;
	unsigned int most = rand() % 2 ? 13 : ARRAY_SIZE(others), one_in = 2 + rand() % 20;

	while (len < want) {
		next = rand() % one_in ? script : others[rand() % most];
		memcpy(text + len, next, strlen(next));
		len += strlen(next);
	}
	return len;
}

/* utf8guard_is_active() of any lead from C0 to EF and two continuation octets: how often wrong. */
static unsigned long check_active(enum utf8guard_form form)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];
	unsigned long wrong = 0;
	u32 i;

	for (i = 0; i < 0x30 << 12; i++) {
		u8 text[] = { 0xc0 + (i >> 12), 0x80 + (i >> 6 & 0x3f), 0x80 + (i & 0x3f), 'x' };
		bool is_active = utf8guard_char_at(text, sizeof(text)).bits & rules->stop;

		wrong += is_active != utf8guard_is_active(rules->active_leads, text[0],
							  text[1] & 0x3f, text[2]);
	}
	return wrong;
}

static unsigned long check_characters(void)
{
	/* At each place in a word, in the middle of a block; and at its end, whole or cut. */
	static const size_t places[] = { 24, 25, 26, 27, 28, 29, 30, 31, 60, 61, 62, 63 };
	/* What a text begins with chooses the way. */
	static const char *const firsts[] = { "x", "\u05d0", "\U0001f600" };
	unsigned long wrong = 0, i, k;
	u32 code_point;

	for (code_point = 0; code_point < 0x110000; code_point++) {
		if (code_point - 0xd800 < 0x800 || (code_point >= 0x30000 && code_point % 61))
			continue;
		for (i = 0; i < ARRAY_SIZE(places); i++)
			for (k = 0; k < ARRAY_SIZE(firsts); k++)
				wrong += !is_as_its_class(firsts[k], code_point, places[i]);
	}
	return wrong;
}

static unsigned long check_mixtures(void)
{
	unsigned long wrong = 0, i;
	u8 text[LONGEST + 4];

	srand(1);
	for (i = 0; i < 2000000; i++) {
		size_t len = mix(text);

		wrong += !is_in_form(forms[i % ARRAY_SIZE(forms)], text, len);
	}
	return wrong;
}

static void check(utf8guard_skip_calm_fn *way, const char *name)
{
	skip_calm = way;
	tap_ok(!check_characters(), "each character is skipped if and only if its class says so, %s",
	       name);
	tap_ok(!(check_octets(29) + check_octets(62)),
	       "nothing ill-formed is skipped, whatever three octets are among others, %s", name);
	tap_ok(!check_mixtures(),
	       "what is skipped of any mixture is in the form, and ends before a mark, %s", name);
}

int main(void)
{
	unsigned long wrong = 0, i;

	for (i = 0; i < UTF8GUARD_FORMS; i++)
		wrong += check_active(i);
	tap_ok(!wrong, "the short look-up of two and three octets says what the class does");
	check(utf8guard_skip_calm, "in general registers");
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("bmi2"))
		check(utf8guard_skip_calm_avx2, "with AVX2");
	else
		tap_skip("with AVX2", "this processor has not got it");
#endif
	return tap_done();
}
