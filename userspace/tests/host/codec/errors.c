// SPDX-License-Identifier: GPL-2.0
/*
 * How an error is described: class, offset, length, span, code point, note.
 *
 * promise whoever wrote the text: of what is ill-formed, the length that is told is that of the
 *   maximal subpart, for all texts of three octets
 * shown by: maximal subparts in every text of three octets
 */
#include "../../reference.h"
#include "../../tap.h"

#define NONE UTF8GUARD_NO_CODE_POINT

static const struct {
	const char *text;
	u8 len, offset, length, span;
	u8 class, note;
	u32 code_point;
} cases[] = {
#define CASE(text, offset, length, span, class, note, code_point)              \
	{ text, sizeof(text) - 1, offset, length, span,                        \
	  UTF8GUARD_CLASS_##class, UTF8GUARD_NOTE_##note, code_point }
	CASE("\xc0\x80", 0, 1, 2, OVERLONG, MODIFIED_NUL, 0),
	CASE("\xe0\x80\x80", 0, 1, 3, OVERLONG, NONE, 0),
	CASE("x\xc0\xae", 1, 1, 2, OVERLONG, DOT, '.'),
	CASE("x\xe0\x80\xae", 1, 1, 3, OVERLONG, DOT, '.'),
	CASE("x\xf0\x80\x80\xae", 1, 1, 4, OVERLONG, DOT, '.'),
	CASE("\xf8\x80\x80\x80\xae", 0, 1, 5, HEADER_BITS, FIVE_OCTET, '.'),
	CASE("\xfc\x80\x80\x80\x80\xae", 0, 1, 6, HEADER_BITS, SIX_OCTET, '.'),
	CASE("\xc0\xaf", 0, 1, 2, OVERLONG, SLASH, '/'),
	CASE("\xe0\x80\xaf", 0, 1, 3, OVERLONG, SLASH, '/'),
	CASE("\xf0\x80\x80\xaf", 0, 1, 4, OVERLONG, SLASH, '/'),
	CASE("\xf8\x80\x80\x80\xaf", 0, 1, 5, HEADER_BITS, FIVE_OCTET, '/'),
	CASE("\xfc\x80\x80\x80\x80\xaf", 0, 1, 6, HEADER_BITS, SIX_OCTET, '/'),
	CASE("\xc1\xbf", 0, 1, 2, OVERLONG, NONE, 0x7f),
	CASE("\xe0\x9f\xbf", 0, 1, 3, OVERLONG, NONE, 0x7ff),
	CASE("\xf0\x8f\xbf\xbf", 0, 1, 4, OVERLONG, NONE, 0xffff),
	CASE("\xc0", 0, 1, 1, OVERLONG, NONE, NONE),
	CASE("\xed\xa0\x80", 0, 1, 3, SURROGATE, NONE, 0xd800),
	CASE("\xed\xbf\xbf", 0, 1, 3, SURROGATE, NONE, 0xdfff),
	CASE("\xed\xa0\xbd\xed\xb8\x80", 0, 1, 3, SURROGATE, CESU_8, 0xd83d),
	CASE("\xed\xa0\xbd\xed\xa0\xbd", 0, 1, 3, SURROGATE, NONE, 0xd83d),
	CASE("\xf4\x90\x80\x80", 0, 1, 4, TOO_LARGE, NONE, 0x110000),
	CASE("\xf5\x80\x80\x80", 0, 1, 4, TOO_LARGE, NONE, 0x140000),
	CASE("\xf7\xbf\xbf\xbf", 0, 1, 4, TOO_LARGE, NONE, 0x1fffff),
	CASE("\xf8\x88\x80\x80\x80", 0, 1, 5, HEADER_BITS, FIVE_OCTET, 0x200000),
	CASE("\xfb\xbf\xbf\xbf\xbf", 0, 1, 5, HEADER_BITS, FIVE_OCTET, 0x3ffffff),
	CASE("\xfc\x84\x80\x80\x80\x80", 0, 1, 6, HEADER_BITS, SIX_OCTET, 0x4000000),
	CASE("\xfd\xbf\xbf\xbf\xbf\xbf", 0, 1, 6, HEADER_BITS, SIX_OCTET, 0x7fffffff),
	CASE("\xfe\x80", 0, 1, 1, HEADER_BITS, NEVER_USED, NONE),
	CASE("\xff", 0, 1, 1, HEADER_BITS, NEVER_USED, NONE),
	CASE("ab\x80", 2, 1, 1, TOO_LONG, NONE, NONE),
	CASE("\xe2\x82\xac\xac", 3, 1, 1, TOO_LONG, NONE, NONE),
	CASE("\xc3" "A", 0, 1, 1, TOO_SHORT, NONE, NONE),
	CASE("\xe2\x82" "A", 0, 2, 2, TOO_SHORT, NONE, NONE),
	CASE("\xf0\x9f\x98" "A", 0, 3, 3, TOO_SHORT, NONE, NONE),
	CASE("\xe0" "A", 0, 1, 1, TOO_SHORT, NONE, NONE),
	CASE("\xc3", 0, 1, 1, TRUNCATED, NONE, NONE),
	CASE("a\xe2\x82", 1, 2, 2, TRUNCATED, NONE, NONE),
	CASE("\xf0\x9f\x98", 0, 3, 3, TRUNCATED, NONE, NONE),
	CASE("\xf4\x8f\xbf", 0, 3, 3, TRUNCATED, NONE, NONE),
	CASE("\xe0\x9f", 0, 1, 2, OVERLONG, NONE, NONE),
	CASE("\xed\xa0", 0, 1, 2, SURROGATE, NONE, NONE),
};

static void check_cases(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct utf8guard_error e = { 0 };
		int ret = utf8guard_validate(cases[i].text, cases[i].len, &e);

		tap_ok(ret && e.offset == cases[i].offset &&
		       e.length == cases[i].length && e.span == cases[i].span &&
		       e.class == cases[i].class && e.note == cases[i].note &&
		       e.code_point == cases[i].code_point,
		       "case %u: %s at %zu, length %u, span %u, code point %x, note %u",
		       i, utf8guard_class_name(e.class), e.offset, e.length, e.span,
		       e.code_point, e.note);
	}
}

/* In every text of three octets, the length of the error must be that which the grammar gives. */
static void check_subparts(void)
{
	u32 number, wrong = 0;

	for (number = 0; number < 1U << 24; number++) {
		u8 text[3] = { number >> 16, number >> 8, number };
		struct utf8guard_error e;
		bool is_truncated;
		size_t n;

		if (!utf8guard_validate(text, 3, &e))
			continue;
		n = reference_subpart(text + e.offset, 3 - e.offset);
		is_truncated = text[e.offset] >= 0xc2 && text[e.offset] < 0xf5 &&
			       e.offset + n == 3;
		wrong += e.length != n || e.span < n ||
			 (e.class == UTF8GUARD_CLASS_TRUNCATED) != is_truncated;
	}
	tap_ok(!wrong, "maximal subparts in every text of three octets: %u wrong", wrong);
}

int main(void)
{
	struct utf8guard_error e;

	tap_ok(!utf8guard_validate(NULL, 0, NULL), "no text is well-formed");
	tap_ok(!utf8guard_validate("", 0, &e), "an empty text is well-formed");
	utf8guard_explain("\xed\xa0\xbd\xed\xb8\x80", 6, 3, &e);
	tap_ok(e.note == UTF8GUARD_NOTE_CESU_8, "the second half of a CESU-8 pair");
	check_cases();
	check_subparts();
	return tap_done();
}
