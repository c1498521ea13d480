// SPDX-License-Identifier: GPL-2.0
/*
 * What other decoders have made of ill-formed sequences: by their standards, or
 * as tried with Perl 5.36 (utf8::decode) and glibc 2.36 (iconv).
 */
#include <stdio.h>
#include <string.h>

#include "decoders.h"

/*
 * How many U+FFFD stand for what pretends to be one character, where errors are
 * replaced: one for the maximal subpart, one for each continuation octet after it.
 */
unsigned int decoders_replace(const struct utf8guard_error *error)
{
	return 1U + error->span - error->length;
}

static bool pretends(const struct utf8guard_error *error)
{
	return error->code_point != UTF8GUARD_NO_CODE_POINT;
}

static const char added_up[] =
	"decoders that only add up the bits take it for that (RFC 3629 section 10)";

static const char *of_overlong(const struct utf8guard_error *error)
{
	if (!pretends(error))
		return "";
	switch (error->note) {
	case UTF8GUARD_NOTE_MODIFIED_NUL:
		return "Java's modified UTF-8 writes NUL like this";
	case UTF8GUARD_NOTE_DOT:
	case UTF8GUARD_NOTE_SLASH:
		return "decoders that only add up the bits take it for that; "
		       "a virus attacked web servers so in 2001 (RFC 3629 section 10)";
	default:
		return added_up;
	}
}

static const char *of_header_bits(const struct utf8guard_error *error)
{
	if (error->note == UTF8GUARD_NOTE_NEVER_USED)
		return "FE FF and FF FE are the byte order mark of UTF-16: is this UTF-16?";
	if (pretends(error) && error->code_point < 0x200000)
		return added_up;
	return pretends(error) ?
	       "a character to FSS-UTF, of 1993, and to RFC 2044 and 2279, until 2003; Perl's lax utf8 and glibc's iconv, "
	       "from UTF-8 to UTF-8, still let it pass" : "";
}

/* The code point of the pair that a half at @p belongs to. */
static u32 of_pair(const u8 *p)
{
	if ((p[1] & 0xf0) == 0xb0)
		p -= 3;
	return 0x10000 + ((u32)(p[1] & 0xf) << 16 | (p[2] & 0x3fU) << 10 |
			  (p[4] & 0xfU) << 6 | (p[5] & 0x3fU));
}

static void say_surrogate(char *to, const u8 *p, const struct utf8guard_error *error)
{
	if (error->note == UTF8GUARD_NOTE_CESU_8)
		snprintf(to, OTHERS_MAX, "half of U+%04X to CESU-8 and to Java's modified UTF-8",
			 of_pair(p));
	else if (pretends(error))
		strcpy(to, "half a pair to WTF-8, and to Perl's lax utf8; a code of UCS-2 that "
			   "means nothing alone: pairs are made one character first "
			   "(RFC 2044 section 2)");
}

/* An octet out of place: most such text is in an encoding of one octet each. */
static void say_alone(char *to, u8 octet, const struct utf8guard_error *error)
{
	if (error->span == 1 && octet >= 0xa1 && octet != 0xad)
		snprintf(to, OTHERS_MAX, "'%c%c' to ISO 8859-1: is the text in that?",
			 0xc0 | octet >> 6, 0x80 | (octet & 0x3f));
	else if (error->span == 1 && octet < 0xa0)
		strcpy(to, "Windows-1252 has punctuation at 80..9F: is the text in that?");
}

/* How many continuation octets a lead announces. */
static unsigned int announced(u8 lead)
{
	return lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf8 ? 3 : 0;
}

/*
 * C1 1C, E0 40 2E: decoders that take six bits of each octet after the lead, whatever its
 * two high bits are, read ASCII. Return: false if they would not.
 */
static bool say_disguise(char *to, const u8 *text, size_t length,
			 const struct utf8guard_error *error)
{
	const u8 *p = text + error->offset;
	unsigned int i, more = announced(*p);
	u32 code_point = *p & (0x3fU >> more);
	char hex[16], *end = hex;

	if (!more || error->span > more || length - error->offset <= more)
		return false;
	for (i = 0; i <= more; i++)
		end += sprintf(end, i ? " %02X" : "%02X", p[i]);
	for (i = 1; i <= more; i++)
		code_point = code_point << 6 | (p[i] & 0x3f);
	if (code_point <= ' ' || code_point >= 0x7f)
		return false;
	snprintf(to, OTHERS_MAX, "%s is '%c' to those that do not look at the two high bits "
		 "of what follows a lead", hex, (char)code_point);
	return true;
}

/**
 * decoders_say() - what is known of an ill-formed sequence elsewhere
 * @to: room for OTHERS_MAX; "" if nothing is
 * @text: all of the text
 * @length: of that
 * @error: what is wrong in it
 */
void decoders_say(char *to, const u8 *text, size_t length, const struct utf8guard_error *error)
{
	const u8 *p = text + error->offset;

	*to = '\0';
	if (say_disguise(to, text, length, error))
		return;
	switch (error->class) {
	case UTF8GUARD_CLASS_OVERLONG:
		strcpy(to, of_overlong(error));
		break;
	case UTF8GUARD_CLASS_SURROGATE:
		say_surrogate(to, p, error);
		break;
	case UTF8GUARD_CLASS_TOO_LARGE:
		if (pretends(error))
			strcpy(to, "Perl's lax utf8 and glibc's iconv, from UTF-8 to UTF-8, "
				   "let it pass");
		break;
	case UTF8GUARD_CLASS_HEADER_BITS:
		strcpy(to, of_header_bits(error));
		break;
	case UTF8GUARD_CLASS_TRUNCATED:
		strcpy(to, "a stream waits for the rest");
		break;
	default:
		say_alone(to, *p, error);
	}
}
