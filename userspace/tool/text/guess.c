// SPDX-License-Identifier: GPL-2.0
/*
 * Guesses in which other encodings a text could be: those in which it is well-formed and makes
 * sense, if there is a sign of them. The codec decodes UTF-16, UTF-32, CESU-8 and Java's form,
 * this file decodes UTF-1, and iconv(3) the others.
 */
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "guess.h"
#include "output/output.h"
#include "output/text.h"

/* Octets of a text that are looked at. */
#define LOOKED_AT 4096

/*
 * The end of these may divide a character. The longest has 12 octets: four of UTF-8, each taken
 * for a character that UTF-8 then encodes in three, as Windows-1252 has them.
 */
#define DIVIDED 11

/* A text in UTF-8 and its length. */
struct decoded {
	u8 text[8 * LOOKED_AT];
	size_t length;
};

/**
 * struct candidate - an encoding
 * @name: as people call it
 * @decode: false if the text is not well-formed in it
 * @signs: is there a sign of it in the text? NULL: any has it
 * @plausible: the characters that speak for it; NULL: all that are assigned
 * @not_utf8: never told of what is UTF-8
 */
struct candidate {
	const char *name;
	bool (*decode)(const u8 *text, size_t length, struct decoded *to);
	bool (*signs)(const u8 *text, size_t length);
	bool (*plausible)(u32 code_point);
	bool not_utf8;
};

static bool is_utf8(const u8 *text, size_t length)
{
	return utf8guard_next_error(text, length, 0) == length;
}

static bool is_ascii(const u8 *text, size_t length)
{
	while (length)
		if (text[--length] >= 0x80)
			return false;
	return true;
}

/* Decoders. */

static bool by_codec(enum utf8guard_encoding from, const u8 *text, size_t length,
		     struct decoded *to)
{
	const struct utf8guard_conversion how = {
		.from = from, .to = UTF8GUARD_UTF8, .bom = UTF8GUARD_BOM_STRIP,
	};
	struct utf8guard_error error;

	to->length = sizeof(to->text);
	return !utf8guard_convert(&how, text, length, to->text, &to->length, &error);
}

static bool by_iconv(const char *target, const char *source, const u8 *text, size_t length,
		     struct decoded *to)
{
	char *in = (char *)text, *out = (char *)to->text;
	size_t room = sizeof(to->text);
	iconv_t how = iconv_open(target, source);
	bool done;

	if (how == (iconv_t)-1)
		return false;
	done = !iconv(how, &in, &length, &out, &room) && !length &&
	       !iconv(how, NULL, NULL, &out, &room);
	iconv_close(how);
	to->length = sizeof(to->text) - room;
	return done;
}

#define BY_CODEC(name, encoding)						\
	static bool name(const u8 *text, size_t length, struct decoded *to)	\
	{									\
		return by_codec(UTF8GUARD_##encoding, text, length, to);	\
	}
#define BY_ICONV(name, source)							\
	static bool name(const u8 *text, size_t length, struct decoded *to)	\
	{									\
		return by_iconv("UTF-8", source, text, length, to);		\
	}

BY_CODEC(cesu_8, CESU8)
BY_CODEC(modified, MODIFIED_UTF8)
BY_CODEC(utf_16, UTF16)
BY_CODEC(utf_16le, UTF16LE)
BY_CODEC(utf_32, UTF32)
BY_CODEC(utf_32le, UTF32LE)
BY_ICONV(utf_7, "UTF-7")
BY_ICONV(gb18030, "GB18030")
BY_ICONV(windows_1252, "WINDOWS-1252")
BY_ICONV(latin_1, "ISO-8859-1")

/* What somebody took for Windows-1252, or for ISO 8859-1, and encoded once more. */
static bool twice(const u8 *text, size_t length, struct decoded *to)
{
	static const char *const taken_for[] = { "WINDOWS-1252", "ISO-8859-1" };
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (by_iconv(taken_for[i], "UTF-8", text, length, to) &&
		    !is_ascii(to->text, to->length) && is_utf8(to->text, to->length))
			return true;
	return false;
}

static size_t put(u8 *to, u32 code_point)
{
	const u8 wide[4] = { code_point, code_point >> 8, code_point >> 16, code_point >> 24 };
	const struct utf8guard_conversion how = {
		.from = UTF8GUARD_UTF32LE, .to = UTF8GUARD_UTF8,
	};
	struct utf8guard_error error;
	size_t length = 4;

	return utf8guard_convert(&how, wide, 4, to, &length, &error) ? 0 : length;
}

/* The digit to the base of 190 that an octet of UTF-1 is; 190 if it is none. */
static u32 utf_1_digit(u8 octet)
{
	if (octet >= 0x21 && octet <= 0x7e)
		return octet - 0x21U;
	return octet >= 0xa0 ? octet - 0x42U : 190;
}

/* How many octets follow a lead of UTF-1, 5 for more than two; and its part of the code point. */
static unsigned int utf_1_lead(u8 lead, u32 *code_point)
{
	if (lead < 0xa0) {
		*code_point = lead;
		return 0;
	}
	if (lead < 0xf6) {
		*code_point = lead == 0xa0 ? 0 : (lead - 0xa1U) * 190 + 0x100;
		return 1;
	}
	*code_point = lead < 0xfc ? (lead - 0xf6U) * 190 * 190 + 0x4016 : 0;
	return lead < 0xfc ? 2 : 5;
}

/* ISO 10646:1993, annex G; withdrawn for UTF-8. Characters of five octets are not decoded. */
static bool utf_1(const u8 *text, size_t length, struct decoded *to)
{
	const u8 *end = text + length;

	for (to->length = 0; text < end;) {
		u8 lead = *text++;
		u32 code_point, digit;
		unsigned int more = utf_1_lead(lead, &code_point);
		size_t n;

		if (more > 2 || (size_t)(end - text) < more)
			return false;
		if (lead == 0xa0 && *text < 0xa0)
			return false;
		for (; more; more--) {
			digit = lead == 0xa0 ? *text : utf_1_digit(*text);
			if (digit == 190 && lead != 0xa0)
				return false;
			code_point += more == 2 ? digit * 190 : digit;
			text++;
		}
		n = put(to->text + to->length, code_point);
		if (!n)
			return false;
		to->length += n;
	}
	return true;
}

/* Signs. */

/* Is the octet at @place NUL in one unit of four, or more, as in Latin text? */
static bool has_nul_at(const u8 *text, size_t length, size_t unit, size_t place)
{
	size_t i, nuls = 0;

	if (length % unit || !length)
		return false;
	for (i = place; i < length; i += unit)
		nuls += !text[i];
	return 4 * nuls >= length / unit;
}

static bool begins(const u8 *text, size_t length, const char *mark, size_t n)
{
	return length > n && !memcmp(text, mark, n);
}

static bool signs_utf_32(const u8 *text, size_t length)
{
	return begins(text, length, "\0\0\xfe\xff", 4) || begins(text, length, "\xff\xfe\0\0", 4) ||
	       (has_nul_at(text, length, 4, 0) && has_nul_at(text, length, 4, 1));
}

static bool signs_utf_32le(const u8 *text, size_t length)
{
	return has_nul_at(text, length, 4, 3) && has_nul_at(text, length, 4, 2);
}

static bool signs_utf_16(const u8 *text, size_t length)
{
	return begins(text, length, "\xfe\xff", 2) || begins(text, length, "\xff\xfe", 2) ||
	       has_nul_at(text, length, 2, 0);
}

static bool signs_utf_16le(const u8 *text, size_t length)
{
	return has_nul_at(text, length, 2, 1);
}

/* A plus, three octets of base64 or more, the least for a character, and a minus; all ASCII. */
bool guess_is_utf_7(const u8 *text, size_t length)
{
	static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i, run = 0;

	for (i = 0; i < length; i++) {
		if (run > 3 && text[i] == '-')
			return is_ascii(text, length);
		if (run && memchr(base64, text[i], 64))
			run++;
		else
			run = text[i] == '+';
	}
	return false;
}

static bool signs_twice(const u8 *text, size_t length)
{
	return is_utf8(text, length) && !is_ascii(text, length);
}

/* Octets above 7F come in pairs, as in text that is mostly GB 2312. */
static bool signs_gb18030(const u8 *text, size_t length)
{
	size_t i, run = 0;

	for (i = 0; i < length; i++) {
		if (text[i] < 0x80 && run % 2)
			return false;
		run = text[i] < 0x80 ? 0 : run + 1;
	}
	return !(run % 2);
}

/* Marks of plausibility. */

/* Ideographs and what is written among them. */
static bool is_chinese(u32 c)
{
	return (c >= 0x3000 && c <= 0x303f) || (c >= 0x4e00 && c <= 0x9fff) ||
	       (c >= 0xff00 && c <= 0xff60);
}

static bool is_latin(u32 c)
{
	return c < 0x80 || c >= 0xa0;
}

static bool is_not_latin(u32 c)
{
	return c >= 0x250;
}

/* In order of likelihood, where there are signs of several. */
static const struct candidate candidates[] = {
	{ "UTF-32", utf_32, .signs = signs_utf_32 },
	{ "UTF-32LE", utf_32le, .signs = signs_utf_32le },
	{ "UTF-16", utf_16, .signs = signs_utf_16 },
	{ "UTF-16LE", utf_16le, .signs = signs_utf_16le },
	{ "UTF-8 encoded twice", twice, .signs = signs_twice },
	{ "UTF-7", utf_7, .signs = guess_is_utf_7 },
	{ "CESU-8", cesu_8, .not_utf8 = true },
	{ "modified UTF-8", modified, .not_utf8 = true },
	{ "GB18030", gb18030, .signs = signs_gb18030, .plausible = is_chinese, .not_utf8 = true },
	{ "ISO 8859-1", latin_1, .plausible = is_latin, .not_utf8 = true },
	{ "Windows-1252", windows_1252, .not_utf8 = true },
	{ "UTF-1", utf_1, .plausible = is_not_latin, .not_utf8 = true },
};

/* White space is in every text, and Java writes NUL on purpose. */
static bool is_usual(u32 c)
{
	return !c || c == '\t' || c == '\n' || c == '\r';
}

static bool is_plausible(const struct candidate *candidate, const struct decoded *d)
{
	const u32 never = UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NUL) |
			  UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_UNASSIGNED) |
			  UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NONCHARACTER) |
			  UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_PRIVATE_USE) |
			  UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_CONTROL);
	size_t at, n;

	for (at = 0; at < d->length; at += n) {
		u32 c = text_decode(d->text + at, &n);

		if (is_usual(c) && (c || candidate->decode == modified))
			continue;
		if (utf8guard_code_point_classes(c) & never)
			return false;
		if (c >= 0x80 && candidate->plausible && !candidate->plausible(c))
			return false;
	}
	return d->length;
}

static bool says_something(const struct candidate *candidate, const u8 *text, size_t length,
			   struct decoded *d)
{
	return (!candidate->signs || candidate->signs(text, length)) &&
	       candidate->decode(text, length, d) && is_plausible(candidate, d);
}

/* The same of the beginning of a longer text, which may end within a character. */
static bool begins_to_say(const struct candidate *candidate, const u8 *text, struct decoded *d)
{
	size_t divided;

	for (divided = 0; divided <= DIVIDED; divided++)
		if (says_something(candidate, text, LOOKED_AT - divided, d))
			return true;
	return false;
}

/* Byte order marks of other encodings; those of UTF-16 and UTF-32 are signs above. */
static void tell_mark(const u8 *text, size_t length, guess_fn *tell)
{
	static const struct {
		const char *encoding, *mark;
	} marks[] = {
		{ "UTF-1", "\xf7\x64\x4c" },
		{ "GB18030", "\x84\x31\x95\x33" },
		{ "SCSU", "\x0e\xfe\xff" },
		{ "BOCU-1", "\xfb\xee\x28" },
		{ "UTF-EBCDIC", "\xdd\x73\x66\x73" },
	};
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (length >= strlen(marks[i].mark) &&
		    !memcmp(text, marks[i].mark, strlen(marks[i].mark)))
			tell(marks[i].encoding, text, 0);
}

/**
 * guess() - which other encodings a text could be in
 * @text: of any kind
 * @length: in octets; the first 4096 are looked at
 * @tell: called for each guess whose text differs from that of the guess before it; with no
 *	text for an encoding whose byte order mark begins this one
 *
 * A guess is no verdict: what is well-formed in one encoding of single octets is well-formed
 * in most others. A text shorter than four octets fits nearly everywhere, so only a mark counts.
 */
void guess(const u8 *text, size_t length, guess_fn *tell)
{
	struct decoded *d = no_null(calloc(2, sizeof(*d)));
	const bool longer = length > LOOKED_AT;
	const bool utf8 = is_utf8(text, longer ? utf8guard_boundary(text, length, LOOKED_AT) :
						 length);
	unsigned int which = 0;
	size_t i;

	tell_mark(text, length, tell);
	for (i = 0; length >= 4 && i < sizeof(candidates) / sizeof(*candidates); i++) {
		const struct decoded *last = &d[!which];

		if (candidates[i].not_utf8 && utf8)
			continue;
		if (!(longer ? begins_to_say(&candidates[i], text, &d[which]) :
			       says_something(&candidates[i], text, length, &d[which])))
			continue;
		if (d[which].length == last->length &&
		    !memcmp(d[which].text, last->text, last->length))
			continue;
		tell(candidates[i].name, d[which].text, d[which].length);
		which = !which;
	}
	free(d);
}
