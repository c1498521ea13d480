/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts, and what a validator must say of them: the one table that the suites
 * in the kernel, the tests in user space and those against a running kernel
 * share. One vector a line or two, in one form, so that a script can read it
 * as well: the octets are always written \xHH.
 */
#ifndef _UTF8GUARD_KUNIT_VECTORS_H
#define _UTF8GUARD_KUNIT_VECTORS_H

#include <linux/utf8guard.h>

/*
 * Whoever includes this may need only one of the tables. The kernel's W=1 minds
 * that in a header too, user space's -Wall does not.
 */
#ifndef __maybe_unused
#define __maybe_unused
#endif

/**
 * struct utf8guard_vector - a text and the error in it
 * @name: where it comes from
 * @octets: the text
 * @len: its length
 * @err: what is wrong with it; class UTF8GUARD_CLASS_NONE if nothing is
 */
struct utf8guard_vector {
	const char *name;
	const char *octets;
	size_t len;
	struct utf8guard_error err;
};

#define WELL_FORMED(name, octets)                                              \
	{ name, octets, sizeof(octets) - 1, { 0 } }

/* In the order of struct utf8guard_error but for what is zero most often. */
#define ILL_FORMED(name, octets, offset, class, note, length, span, code_point) \
	{ name, octets, sizeof(octets) - 1,                                    \
	  { offset, code_point, UTF8GUARD_CLASS_##class,                       \
	    UTF8GUARD_NOTE_##note, length, span } }

#define NOTHING UTF8GUARD_NO_CODE_POINT

static const struct utf8guard_vector utf8guard_vectors[] __maybe_unused = {
	WELL_FORMED("RFC 3629 section 7: not identical to alpha",
		    "\x41\xE2\x89\xA2\xCE\x91\x2E"),
	WELL_FORMED("RFC 3629 section 7: hangugeo",
		    "\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4"),
	WELL_FORMED("RFC 3629 section 7: nihongo",
		    "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"),
	WELL_FORMED("RFC 3629 section 7: stump of tree after a BOM",
		    "\xEF\xBB\xBF\xF0\xA3\x8E\xB4"),
	/* The first and the last of RFC 2044's are two of these as well. */
	WELL_FORMED("RFC 2044 section 3: A not identical to alpha",
		    "\x41\xE2\x89\xA2\xCE\x91\x2E"),
	WELL_FORMED("RFC 2044 section 3: Hi Mom",
		    "\x48\x69\x20\x4D\x6F\x6D\x20\xE2\x98\xBA\x21"),
	WELL_FORMED("RFC 2044 section 3: nihongo",
		    "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"),

	WELL_FORMED("empty", ""),
	WELL_FORMED("U+0000", "\x00"),
	WELL_FORMED("NUL inside", "\x61\x00\x62"),
	WELL_FORMED("U+007F", "\x7F"),
	WELL_FORMED("U+0080", "\xC2\x80"),
	WELL_FORMED("U+07FF", "\xDF\xBF"),
	WELL_FORMED("U+0800", "\xE0\xA0\x80"),
	WELL_FORMED("U+D7FF", "\xED\x9F\xBF"),
	WELL_FORMED("U+E000", "\xEE\x80\x80"),
	WELL_FORMED("U+FFFF", "\xEF\xBF\xBF"),
	WELL_FORMED("U+10000", "\xF0\x90\x80\x80"),
	WELL_FORMED("U+10FFFF", "\xF4\x8F\xBF\xBF"),

	ILL_FORMED("RFC 3629 section 10: NUL",
		   "\xC0\x80", 0, OVERLONG, MODIFIED_NUL, 1, 2, 0),
	ILL_FORMED("RFC 3629 section 10: parent directory",
		   "\x2F\xC0\xAE\x2E\x2F", 1, OVERLONG, DOT, 1, 2, 0x2e),
	ILL_FORMED("RFC 3629 section 10: surrogate pair",
		   "\xED\xA1\x8C\xED\xBE\xB4", 0, SURROGATE, CESU_8, 1, 3, 0xd84c),
	ILL_FORMED("RFC 2044: 5 octets, lowest",
		   "\xF8\x88\x80\x80\x80", 0, HEADER_BITS, FIVE_OCTET, 1, 5, 0x200000),
	ILL_FORMED("RFC 2044: 5 octets, highest",
		   "\xFB\xBF\xBF\xBF\xBF", 0, HEADER_BITS, FIVE_OCTET, 1, 5, 0x3ffffff),
	ILL_FORMED("RFC 2044: 6 octets, lowest",
		   "\xFC\x84\x80\x80\x80\x80", 0, HEADER_BITS, SIX_OCTET, 1, 6, 0x4000000),
	ILL_FORMED("RFC 2044: 6 octets, highest",
		   "\xFD\xBF\xBF\xBF\xBF\xBF", 0, HEADER_BITS, SIX_OCTET, 1, 6, 0x7fffffff),
	ILL_FORMED("RFC 2044: 4 octets, highest",
		   "\xF7\xBF\xBF\xBF", 0, TOO_LARGE, NONE, 1, 4, 0x1fffff),
	ILL_FORMED("RFC 2044: Hi Mom, the face in 5 octets",
		   "\x48\x69\x20\x4D\x6F\x6D\x20\xF8\x80\x82\x98\xBA\x21",
		   7, HEADER_BITS, FIVE_OCTET, 1, 5, 0x263a),
	ILL_FORMED("RFC 2044: nihongo, the last in 6 octets",
		   "\xE6\x97\xA5\xE6\x9C\xAC\xFC\x80\x80\x88\xAA\x9E",
		   6, HEADER_BITS, SIX_OCTET, 1, 6, 0x8a9e),

	ILL_FORMED("solidus in 2 octets",
		   "\xC0\xAF", 0, OVERLONG, SLASH, 1, 2, 0x2f),
	ILL_FORMED("solidus in 3 octets",
		   "\xE0\x80\xAF", 0, OVERLONG, SLASH, 1, 3, 0x2f),
	ILL_FORMED("solidus in 4 octets",
		   "\xF0\x80\x80\xAF", 0, OVERLONG, SLASH, 1, 4, 0x2f),
	ILL_FORMED("solidus in 5 octets",
		   "\xF8\x80\x80\x80\xAF", 0, HEADER_BITS, FIVE_OCTET, 1, 5, 0x2f),
	ILL_FORMED("solidus in 6 octets",
		   "\xFC\x80\x80\x80\x80\xAF", 0, HEADER_BITS, SIX_OCTET, 1, 6, 0x2f),
	ILL_FORMED("U+007F in 2 octets",
		   "\xC1\xBF", 0, OVERLONG, NONE, 1, 2, 0x7f),
	ILL_FORMED("U+07FF in 3 octets",
		   "\xE0\x9F\xBF", 0, OVERLONG, NONE, 1, 3, 0x7ff),
	ILL_FORMED("U+FFFF in 4 octets",
		   "\xF0\x8F\xBF\xBF", 0, OVERLONG, NONE, 1, 4, 0xffff),
	ILL_FORMED("C0 at the end",
		   "\x61\xC0", 1, OVERLONG, NONE, 1, 1, NOTHING),
	ILL_FORMED("C0 before a letter",
		   "\xC0\x61", 0, OVERLONG, NONE, 1, 1, NOTHING),
	ILL_FORMED("E0 80 at the end",
		   "\xE0\x80", 0, OVERLONG, NONE, 1, 2, NOTHING),
	ILL_FORMED("F0 80 80 before a letter",
		   "\xF0\x80\x80\x61", 0, OVERLONG, NONE, 1, 3, NOTHING),

	ILL_FORMED("U+D800", "\xED\xA0\x80", 0, SURROGATE, NONE, 1, 3, 0xd800),
	ILL_FORMED("U+DBFF", "\xED\xAF\xBF", 0, SURROGATE, NONE, 1, 3, 0xdbff),
	ILL_FORMED("U+DC00", "\xED\xB0\x80", 0, SURROGATE, NONE, 1, 3, 0xdc00),
	ILL_FORMED("U+DFFF", "\xED\xBF\xBF", 0, SURROGATE, NONE, 1, 3, 0xdfff),
	ILL_FORMED("highest surrogate pair",
		   "\xED\xAF\xBF\xED\xBF\xBF", 0, SURROGATE, CESU_8, 1, 3, 0xdbff),
	ILL_FORMED("surrogates in the wrong order",
		   "\xED\xB0\x80\xED\xA0\x80", 0, SURROGATE, NONE, 1, 3, 0xdc00),
	ILL_FORMED("two high surrogates",
		   "\xED\xA0\x80\xED\xA0\x80", 0, SURROGATE, NONE, 1, 3, 0xd800),
	ILL_FORMED("surrogate pair, cut",
		   "\xED\xA0\x80\xED\xB0", 0, SURROGATE, NONE, 1, 3, 0xd800),
	ILL_FORMED("surrogate, cut",
		   "\xED\xA0", 0, SURROGATE, NONE, 1, 2, NOTHING),

	ILL_FORMED("0x110000", "\xF4\x90\x80\x80", 0, TOO_LARGE, NONE, 1, 4, 0x110000),
	ILL_FORMED("0x13FFFF", "\xF4\xBF\xBF\xBF", 0, TOO_LARGE, NONE, 1, 4, 0x13ffff),
	ILL_FORMED("0x140000", "\xF5\x80\x80\x80", 0, TOO_LARGE, NONE, 1, 4, 0x140000),
	ILL_FORMED("F4 90 at the end", "\xF4\x90", 0, TOO_LARGE, NONE, 1, 2, NOTHING),
	ILL_FORMED("F5 alone", "\xF5", 0, TOO_LARGE, NONE, 1, 1, NOTHING),

	ILL_FORMED("F8 alone", "\xF8", 0, HEADER_BITS, FIVE_OCTET, 1, 1, NOTHING),
	ILL_FORMED("FD, cut", "\xFD\xBF\xBF", 0, HEADER_BITS, SIX_OCTET, 1, 3, NOTHING),
	ILL_FORMED("FE", "\xFE\x80", 0, HEADER_BITS, NEVER_USED, 1, 1, NOTHING),
	ILL_FORMED("BOM of UTF-16LE",
		   "\xFF\xFE\x41\x00", 0, HEADER_BITS, NEVER_USED, 1, 1, NOTHING),

	ILL_FORMED("Latin-1 name",
		   "\x63\x61\x66\xE9\x2E\x74\x78\x74", 3, TOO_SHORT, NONE, 1, 1, NOTHING),
	ILL_FORMED("1 of 2", "\xC3\x61", 0, TOO_SHORT, NONE, 1, 1, NOTHING),
	ILL_FORMED("1 of 3", "\xE2\x61\xA1", 0, TOO_SHORT, NONE, 1, 1, NOTHING),
	ILL_FORMED("2 of 3", "\xE2\x82\x61", 0, TOO_SHORT, NONE, 2, 2, NOTHING),
	ILL_FORMED("1 of 4", "\xF0\x61", 0, TOO_SHORT, NONE, 1, 1, NOTHING),
	ILL_FORMED("2 of 4", "\xF0\x9F\x61", 0, TOO_SHORT, NONE, 2, 2, NOTHING),
	ILL_FORMED("3 of 4", "\xF4\x8F\xBF\x61", 0, TOO_SHORT, NONE, 3, 3, NOTHING),
	ILL_FORMED("E0 before a letter", "\xE0\x61", 0, TOO_SHORT, NONE, 1, 1, NOTHING),
	ILL_FORMED("ED before a letter", "\xED\x61", 0, TOO_SHORT, NONE, 1, 1, NOTHING),
	ILL_FORMED("F4 before a letter", "\xF4\x61", 0, TOO_SHORT, NONE, 1, 1, NOTHING),
	ILL_FORMED("lead before a lead", "\xE1\xC3\xA9", 0, TOO_SHORT, NONE, 1, 1, NOTHING),

	ILL_FORMED("80 alone", "\x80", 0, TOO_LONG, NONE, 1, 1, NOTHING),
	ILL_FORMED("BF alone", "\xBF", 0, TOO_LONG, NONE, 1, 1, NOTHING),
	ILL_FORMED("3 of 2", "\xC3\xA9\xA9", 2, TOO_LONG, NONE, 1, 1, NOTHING),
	ILL_FORMED("4 of 3", "\xE2\x82\xAC\x82", 3, TOO_LONG, NONE, 1, 1, NOTHING),
	ILL_FORMED("5 of 4", "\xF0\x9F\x98\x80\x80", 4, TOO_LONG, NONE, 1, 1, NOTHING),

	ILL_FORMED("Latin-1 word", "\x63\x61\x66\xE9", 3, TRUNCATED, NONE, 1, 1, NOTHING),
	ILL_FORMED("C2 at the end", "\xC2", 0, TRUNCATED, NONE, 1, 1, NOTHING),
	ILL_FORMED("E0 at the end", "\xE0", 0, TRUNCATED, NONE, 1, 1, NOTHING),
	ILL_FORMED("E0 A0 at the end", "\xE0\xA0", 0, TRUNCATED, NONE, 2, 2, NOTHING),
	ILL_FORMED("ED 9F at the end", "\xED\x9F", 0, TRUNCATED, NONE, 2, 2, NOTHING),
	ILL_FORMED("F0 90 at the end", "\xF0\x90", 0, TRUNCATED, NONE, 2, 2, NOTHING),
	ILL_FORMED("F4 8F BF at the end",
		   "\xF4\x8F\xBF", 0, TRUNCATED, NONE, 3, 3, NOTHING),
	ILL_FORMED("character and a half",
		   "\xE2\x82\xAC\xE2\x82", 3, TRUNCATED, NONE, 2, 2, NOTHING),
	ILL_FORMED("the first of several", "\x41\xC1\x81\xFF\x80",
		   1, OVERLONG, NONE, 1, 2, 0x41),
};

/**
 * struct utf8guard_walk - all that is wrong with a text
 * @name: where it comes from
 * @octets: the text
 * @len: its length
 * @parts: the maximal subparts of its ill-formed sequences in their order; a
 *	length of 0 ends them
 */
struct utf8guard_walk {
	const char *name;
	const char *octets;
	size_t len;
	struct {
		u8 offset;
		u8 length;
		u8 class;
	} parts[12];
};

#define WALK(name, octets, ...) { name, octets, sizeof(octets) - 1, { __VA_ARGS__ } }
#define PART(offset, length, class) { offset, length, UTF8GUARD_CLASS_##class }

/* The Unicode Standard, chapter 3, "U+FFFD Substitution of Maximal Subparts". */
static const struct utf8guard_walk utf8guard_walks[] __maybe_unused = {
	WALK("table 3-8: non-shortest forms",
	     "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41",
	     PART(0, 1, OVERLONG), PART(1, 1, TOO_LONG),
	     PART(2, 1, OVERLONG), PART(3, 1, TOO_LONG), PART(4, 1, TOO_LONG),
	     PART(5, 1, OVERLONG), PART(6, 1, TOO_LONG), PART(7, 1, TOO_LONG)),
	WALK("table 3-9: surrogates",
	     "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41",
	     PART(0, 1, SURROGATE), PART(1, 1, TOO_LONG), PART(2, 1, TOO_LONG),
	     PART(3, 1, SURROGATE), PART(4, 1, TOO_LONG), PART(5, 1, TOO_LONG),
	     PART(6, 1, SURROGATE), PART(7, 1, TOO_LONG)),
	WALK("table 3-10: other ill-formed sequences",
	     "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
	     PART(0, 1, TOO_LARGE), PART(1, 1, TOO_LONG), PART(2, 1, TOO_LONG),
	     PART(3, 1, TOO_LONG), PART(4, 1, HEADER_BITS),
	     PART(6, 1, TOO_LONG), PART(7, 1, TOO_LONG)),
	WALK("table 3-11: truncated sequences",
	     "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
	     PART(0, 2, TOO_SHORT), PART(2, 1, TOO_SHORT),
	     PART(3, 3, TOO_SHORT), PART(6, 2, TOO_SHORT)),
	WALK("Unicode 6.0, table 3-8: maximal subparts",
	     "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
	     PART(1, 3, TOO_SHORT), PART(4, 2, TOO_SHORT), PART(6, 1, TOO_SHORT),
	     PART(8, 1, TOO_LONG), PART(10, 1, TOO_LONG), PART(11, 1, TOO_LONG)),
	WALK("ends inside a character",
	     "\xE1\x80\xF1\xBF\xBF",
	     PART(0, 2, TOO_SHORT), PART(2, 3, TRUNCATED)),
	WALK("only well-formed", "\x61\xC3\xA9\xF0\x9F\x98\x80", PART(0, 0, NONE)),
};

#endif /* _UTF8GUARD_KUNIT_VECTORS_H */
