// SPDX-License-Identifier: GPL-2.0
/*
 * Characters that most names in some scripts consist of, by their octets alone: names of them need
 * neither validation, nor a table of classes, nor one of the normaliser.
 */
#include "codec.h"
#include <linux/utf8guard_normalize.h>

/* A bit of the lower half of each lead of four characters of three octets, in 8 + 4 octets. */
#define LOWER_HALVES 0x0001000001000101ULL

/*
 * Four characters of three octets, whose leads have @least to 9 in their lower half: 12 octets as
 * two words.
 */
static __always_inline bool are_threes(u64 first, u32 second, unsigned int least)
{
	u64 leads = (first & 0x000f00000f00000fULL) | (second & 0x0f00);

	return (first & 0xc0f0c0c0f0c0c0f0ULL) == 0x80e08080e08080e0ULL &&
	       (second & 0xc0c0f0c0) == 0x8080e080 &&
	       !(((leads + LOWER_HALVES * 6) | ~(leads + LOWER_HALVES * (16 - least))) &
		 (LOWER_HALVES << 4));
}

/*
 * Of a character of E3 to E9, is it kana of U+3041 to U+3096 or U+30A0 to U+30FE, or an ideograph
 * of U+4000 or more? The second and the third octet are tails.
 */
static __always_inline bool is_kana_or_ideograph(u8 lead, u8 second, u8 third)
{
	/* A row for each second octet: so no branch asks whether it has one. */
	static const u64 kana[64] = {
		[1] = ~1ULL, [2] = 0xffffffff007fffffULL, [3] = ~(1ULL << 63),
	};

	return lead != 0xe3 || kana[second & 0x3f] >> (third & 0x3f) & 1;
}

static __always_inline const u8 *skip_threes(const u8 *p, const u8 *end, bool every_form)
{
	const unsigned int least = every_form ? 4 : 3;

	while (!every_form && end - p >= 12 &&
	       are_threes(utf8guard_load64_le(p), utf8guard_load32_le(p + 8), 3)) {
		if (!is_kana_or_ideograph(p[0], p[1], p[2]) ||
		    !is_kana_or_ideograph(p[3], p[4], p[5]) ||
		    !is_kana_or_ideograph(p[6], p[7], p[8]) ||
		    !is_kana_or_ideograph(p[9], p[10], p[11]))
			break;
		p += 12;
	}
	while (end - p >= 3 && p[0] >= 0xe0 + least && p[0] <= 0xe9 && utf8guard_is_tail(p[1]) &&
	       utf8guard_is_tail(p[2]) && is_kana_or_ideograph(p[0], p[1], p[2]))
		p += 3;
	return p;
}

/* Cyrillic of U+0400 to U+047F. */
static __always_inline const u8 *skip_cyrillic(const u8 *p, const u8 *end)
{
	while (end - p >= 8 &&
	       (utf8guard_load64_le(p) & 0xc0fec0fec0fec0feULL) == 0x80d080d080d080d0ULL)
		p += 8;
	if (end - p >= 4 && (utf8guard_load32_le(p) & 0xc0fec0fe) == 0x80d080d0)
		p += 4;
	while (end - p >= 2 && (p[0] & 0xfe) == 0xd0 && utf8guard_is_tail(p[1]))
		p += 2;
	return p;
}

/*
 * As utf8guard_skip_common(), from @p on. Not inlined, so that no register is saved for ideographs
 * alone.
 */
static noinline const u8 *skip_others(const u8 *text, const u8 *p, const u8 *end, bool every_form)
{
	if (every_form)
		return skip_threes(p, end, true);
	while (p != end) {
		const u8 *before = p;

		if (*p >= 0xe3)
			p = skip_threes(p, end, false);
		else if (*p >= 0xd0)
			p = skip_cyrillic(p, end);
		else if (*p == ' ' ? p != text && p != end - 1 : *p - 0x21U <= 0x7e - 0x21)
			p++;
		if (p == before)
			break;
	}
	return p;
}

/**
 * utf8guard_skip_common() - how much of a text is of the most common characters?
 * @text: the text; may be NULL if @len is 0
 * @len: its length
 * @every_form: count only what is in every form
 *
 * All are well-formed and of no text class. In every form, whatever is beside them, are ideographs
 * of U+4000 to U+9FFF. In NFC and NFKC are also kana but for their marks, Cyrillic of U+0400 to
 * U+047F, and 20 to 7E of ASCII, except a space at the beginning or the end.
 *
 * Context: any; pure.
 * Return: a number of octets, of whole characters.
 */
size_t utf8guard_skip_common(const void *text, size_t len, bool every_form)
{
	const u8 *p = text, *end = p + len;

	if (len && *p >= 0xe4)
		while (end - p >= 12 &&
		       are_threes(utf8guard_load64_le(p), utf8guard_load32_le(p + 8), 4))
			p += 12;
	if (p != end)
		p = skip_others(text, p, end, every_form);
	return p - (const u8 *)text;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_skip_common, "UTF8GUARD");
