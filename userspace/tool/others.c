// SPDX-License-Identifier: GPL-2.0
/*
 * What other decoders have made of ill-formed sequences: by their standards, or
 * as tried with Perl 5.36 (utf8::decode) and glibc 2.36 (iconv).
 */
#include <stdio.h>
#include <string.h>

#include "others.h"

/*
 * How many U+FFFD stand for what pretends to be one character, where errors are
 * replaced: one for the maximal subpart, one for each continuation behind it.
 */
unsigned int others_replace(const struct utf8guard_error *error)
{
	return 1U + error->span - error->length;
}

static bool pretends(const struct utf8guard_error *error)
{
	return error->code_point != UTF8GUARD_NO_CODE_POINT;
}

static const char added_up[] =
	"those that only add up the bits take it for that (RFC 3629 section 10)";

static const char *of_overlong(const struct utf8guard_error *error)
{
	if (!pretends(error))
		return "";
	switch (error->note) {
	case UTF8GUARD_NOTE_MODIFIED_NUL:
		return "Java's modified UTF-8 writes NUL so";
	case UTF8GUARD_NOTE_DOT:
	case UTF8GUARD_NOTE_SLASH:
		return "those that only add up the bits take it for that: "
		       "so a virus got into web servers in 2001 (RFC 3629 section 10)";
	default:
		return added_up;
	}
}

static const char *of_header_bits(const struct utf8guard_error *error)
{
	if (error->note == UTF8GUARD_NOTE_NEVER_USED)
		return "FE FF and FF FE are the byte order mark of UTF-16: is it that?";
	if (pretends(error) && error->code_point < 0x200000)
		return added_up;
	return pretends(error) ?
	       "a character to RFC 2279, of 1998 to 2003; Perl's lax utf8 and glibc's iconv, "
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
		strcpy(to, "half a pair to WTF-8, and to Perl's lax utf8");
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

/* In @to, what is known of the sequence that @error is about; or "". */
void others_say(char *to, const u8 *text, const struct utf8guard_error *error)
{
	const u8 *p = text + error->offset;

	*to = '\0';
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
