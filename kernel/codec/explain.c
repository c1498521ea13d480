// SPDX-License-Identifier: GPL-2.0
/*
 * What an ill-formed sequence is, for people: class, length, the code point
 * that it pretends to be. The cold half of the validator.
 */
#include "codec.h"

/* Octets of the sequence that @lead announces, RFC 2279's 5 and 6 included. */
static unsigned int announced(u8 lead)
{
	if (lead < 0xc0)
		return 1;
	if (lead < 0xe0)
		return 2;
	if (lead < 0xf0)
		return 3;
	if (lead < 0xf8)
		return 4;
	if (lead < 0xfc)
		return 5;
	return lead < 0xfe ? 6 : 1;
}

/*
 * RFC 3629 section 4: may @second follow @lead? (The exceptions of UTF8-3 and
 * UTF8-4, and the leads that nothing may follow.)
 */
static bool may_follow(u8 lead, u8 second)
{
	switch (lead) {
	case 0xe0:
		return second >= 0xa0 && second <= 0xbf;
	case 0xed:
		return second >= 0x80 && second <= 0x9f;
	case 0xf0:
		return second >= 0x90 && second <= 0xbf;
	case 0xf4:
		return second >= 0x80 && second <= 0x8f;
	default:
		return lead >= 0xc2 && lead <= 0xf4 && utf8guard_is_tail(second);
	}
}

/*
 * What is wrong where @second may not follow @lead. Where no octet may follow @lead, it makes
 * no difference what @second is.
 */
static u8 class_of_pair(u8 lead, u8 second)
{
	if (lead >= 0xf8)
		return UTF8GUARD_CLASS_HEADER_BITS;
	if (lead < 0xc2)
		return UTF8GUARD_CLASS_OVERLONG;
	if (lead > 0xf4)
		return UTF8GUARD_CLASS_TOO_LARGE;
	if (!utf8guard_is_tail(second))
		return UTF8GUARD_CLASS_TOO_SHORT;
	if (lead == 0xed)
		return UTF8GUARD_CLASS_SURROGATE;
	return lead == 0xf4 ? UTF8GUARD_CLASS_TOO_LARGE : UTF8GUARD_CLASS_OVERLONG;
}

/* Is it half of a surrogate pair: a high one before a low one, or a low one after a high one? */
static bool is_cesu_8(const u8 *text, size_t len, size_t offset)
{
	const u8 *p = text + offset;
	size_t left = len - offset;

	if (utf8guard_is_high_surrogate(p, left))
		return utf8guard_is_low_surrogate(p + 3, left - 3);
	return utf8guard_is_low_surrogate(p, left) && offset >= 3 &&
	       utf8guard_is_high_surrogate(p - 3, left + 3);
}

/*
 * An error has one note. '.' and '/', which path checks look for, are noted in any disguise
 * of 2 to 4 octets. A lead of 5 or 6 octets is noted as such instead; the code point of the
 * error tells what it stands for.
 */
static u8 note_of(const u8 *text, size_t len, const struct utf8guard_error *err)
{
	const u8 *p = text + err->offset;

	if (p[0] >= 0xfe)
		return UTF8GUARD_NOTE_NEVER_USED;
	if (p[0] >= 0xfc)
		return UTF8GUARD_NOTE_SIX_OCTET;
	if (p[0] >= 0xf8)
		return UTF8GUARD_NOTE_FIVE_OCTET;
	if (err->code_point == '.')
		return UTF8GUARD_NOTE_DOT;
	if (err->code_point == '/')
		return UTF8GUARD_NOTE_SLASH;
	if (p[0] == 0xc0 && err->code_point == 0)
		return UTF8GUARD_NOTE_MODIFIED_NUL;
	return is_cesu_8(text, len, err->offset) ? UTF8GUARD_NOTE_CESU_8 :
						   UTF8GUARD_NOTE_NONE;
}

/* The lead and the continuation octets after it, and what they add up to. */
static void pretence(const u8 *p, size_t len, struct utf8guard_error *err)
{
	unsigned int want = announced(p[0]);
	u32 code_point = p[0] & (0x7f >> want);
	unsigned int n = 1;

	while (n < want && n < len && utf8guard_is_tail(p[n]))
		code_point = code_point << 6 | (p[n++] & 0x3f);
	err->span = n;
	err->code_point = n == want && n > 1 ? code_point : UTF8GUARD_NO_CODE_POINT;
}

/**
 * utf8guard_explain() - say what an ill-formed sequence is
 * @text: the text
 * @len: its length
 * @offset: where in it an ill-formed sequence begins, below @len
 * @err: filled in, all members
 *
 * Implements the classes of ill-formed sequences of RFC 3629 sections 3, 4 and
 * 10 and the maximal subparts of The Unicode Standard, chapter 3. The caller
 * has found out that no well-formed sequence begins at @offset.
 *
 * Context: any; pure.
 */
void utf8guard_explain(const void *text, size_t len, size_t offset,
		       struct utf8guard_error *err)
{
	const u8 *p = (const u8 *)text + offset;
	size_t left = len - offset;
	unsigned int want = announced(p[0]);
	unsigned int n = 1;

	err->offset = offset;
	pretence(p, left, err);
	if (utf8guard_is_tail(p[0])) {
		err->class = UTF8GUARD_CLASS_TOO_LONG;
	} else if (p[0] < 0xc2 || p[0] > 0xf4) {
		err->class = class_of_pair(p[0], 0);
	} else if (left == 1) {
		err->class = UTF8GUARD_CLASS_TRUNCATED;
	} else if (!may_follow(p[0], p[1])) {
		err->class = class_of_pair(p[0], p[1]);
	} else {
		for (n = 2; n < want && n < left && utf8guard_is_tail(p[n]); n++)
			;
		err->class = n == left ? UTF8GUARD_CLASS_TRUNCATED :
					 UTF8GUARD_CLASS_TOO_SHORT;
	}
	err->length = n;
	err->note = note_of(text, len, err);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_explain, "UTF8GUARD");

/**
 * utf8guard_class_name() - the name of a class of errors, as users write it
 * @class: enum utf8guard_class
 *
 * Context: any; pure.
 * Return: the name, or NULL where there is no such class.
 */
const char *utf8guard_class_name(unsigned int class)
{
	static const char *const names[] = {
		[UTF8GUARD_CLASS_NONE] = "none",
		[UTF8GUARD_CLASS_OVERLONG] = "overlong",
		[UTF8GUARD_CLASS_SURROGATE] = "surrogate",
		[UTF8GUARD_CLASS_TOO_LARGE] = "too-large",
		[UTF8GUARD_CLASS_HEADER_BITS] = "header-bits",
		[UTF8GUARD_CLASS_TOO_SHORT] = "too-short",
		[UTF8GUARD_CLASS_TOO_LONG] = "too-long",
		[UTF8GUARD_CLASS_TRUNCATED] = "truncated",
		[UTF8GUARD_CLASS_NUL] = "nul",
		[UTF8GUARD_CLASS_CONTROL] = "control",
		[UTF8GUARD_CLASS_NEWLINE] = "newline",
		[UTF8GUARD_CLASS_BOM] = "bom",
		[UTF8GUARD_CLASS_BIDI] = "bidi",
		[UTF8GUARD_CLASS_NONCHARACTER] = "noncharacter",
		[UTF8GUARD_CLASS_PRIVATE_USE] = "private-use",
		[UTF8GUARD_CLASS_UNASSIGNED] = "unassigned",
		[UTF8GUARD_CLASS_DEFAULT_IGNORABLE] = "default-ignorable",
		[UTF8GUARD_CLASS_EDGE_SPACE] = "edge-space",
		[UTF8GUARD_CLASS_NOT_NORMALIZED] = "not-normalized",
		[UTF8GUARD_CLASS_PERCENT_MALFORMED] = "percent-malformed",
		[UTF8GUARD_CLASS_PERCENT_DOUBLE] = "percent-double",
		[UTF8GUARD_CLASS_PERCENT_UNICODE] = "percent-unicode",
		[UTF8GUARD_CLASS_PERCENT_NUL] = "percent-nul",
	};

	return class < ARRAY_SIZE(names) ? names[class] : NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_class_name, "UTF8GUARD");

/**
 * utf8guard_note_text() - what an ill-formed sequence is known as
 * @note: enum utf8guard_note
 *
 * Context: any; pure.
 * Return: a few words, or NULL for UTF8GUARD_NOTE_NONE and unknown numbers.
 */
const char *utf8guard_note_text(unsigned int note)
{
	static const char *const texts[] = {
		[UTF8GUARD_NOTE_MODIFIED_NUL] = "NUL of modified UTF-8",
		[UTF8GUARD_NOTE_DOT] = "full stop in disguise",
		[UTF8GUARD_NOTE_SLASH] = "solidus in disguise",
		[UTF8GUARD_NOTE_CESU_8] = "surrogate pair of CESU-8",
		[UTF8GUARD_NOTE_FIVE_OCTET] = "5-octet form of RFC 2044",
		[UTF8GUARD_NOTE_SIX_OCTET] = "6-octet form of RFC 2044",
		[UTF8GUARD_NOTE_NEVER_USED] = "octet that UTF-8 never uses",
	};

	return note < ARRAY_SIZE(texts) ? texts[note] : NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_note_text, "UTF8GUARD");
