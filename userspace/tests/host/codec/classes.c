// SPDX-License-Identifier: GPL-2.0
/*
 * Text classes: known code points, whole ranges, and positions in the text.
 *
 * promise whoever wrote the text: a character of a text class is found wherever it stands in a
 *   text, also where no other class is refused
 * shown by: each code point inside a text
 * shown by: each code point, and one class
 */
#include "../../../../kernel/codec/decode.h"
#include "../../tap.h"

#define BIT(class) UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_##class)

static const struct {
	u32 code_point, classes;
} known[] = {
	{ 0, BIT(NUL) }, { 1, BIT(CONTROL) }, { '\t', BIT(CONTROL) | BIT(EDGE_SPACE) },
	{ '\n', BIT(NEWLINE) | BIT(EDGE_SPACE) }, { '\r', BIT(NEWLINE) | BIT(EDGE_SPACE) },
	{ ' ', BIT(EDGE_SPACE) }, { '!', 0 }, { '~', 0 }, { 0x7f, BIT(CONTROL) },
	{ 0x80, BIT(CONTROL) }, { 0x85, BIT(NEWLINE) | BIT(EDGE_SPACE) },
	{ 0xa0, BIT(EDGE_SPACE) }, { 0xad, BIT(DEFAULT_IGNORABLE) }, { 0xe9, 0 },
	{ 0x378, BIT(UNASSIGNED) }, { 0x61c, BIT(BIDI) | BIT(DEFAULT_IGNORABLE) },
	{ 0x200b, BIT(DEFAULT_IGNORABLE) },
	{ 0x200e, BIT(BIDI) | BIT(DEFAULT_IGNORABLE) },
	{ 0x2028, BIT(NEWLINE) | BIT(EDGE_SPACE) },
	{ 0x2029, BIT(NEWLINE) | BIT(EDGE_SPACE) },
	{ 0x202e, BIT(BIDI) | BIT(DEFAULT_IGNORABLE) },
	{ 0x2065, BIT(UNASSIGNED) | BIT(DEFAULT_IGNORABLE) },
	{ 0x2066, BIT(BIDI) | BIT(DEFAULT_IGNORABLE) }, { 0x3000, BIT(EDGE_SPACE) },
	{ 0x4e00, 0 }, { 0xac00, 0 }, { 0xd7a3, 0 }, { 0xe000, BIT(PRIVATE_USE) },
	{ 0xfdd0, BIT(NONCHARACTER) }, { 0xfeff, BIT(DEFAULT_IGNORABLE) },
	{ 0xffff, BIT(NONCHARACTER) }, { 0x1f600, 0 },
	{ 0xe0001, BIT(DEFAULT_IGNORABLE) },
	{ 0xf0000, BIT(PRIVATE_USE) }, { 0x10fffd, BIT(PRIVATE_USE) },
	{ 0x10ffff, BIT(NONCHARACTER) },
};

static void check_known(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		u32 got = utf8guard_code_point_classes(known[i].code_point);

		tap_ok(got == known[i].classes, "U+%04X: %x", known[i].code_point, got);
	}
}

static void check_ranges(void)
{
	u32 c, wrong = 0, assigned = 0;

	for (c = 0; c <= 0x10ffff; c++) {
		u32 classes = utf8guard_code_point_classes(c);
		bool is_non = (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
		bool is_private = !is_non && ((c >= 0xe000 && c <= 0xf8ff) || c >= 0xf0000);

		wrong += !!(classes & BIT(NONCHARACTER)) != is_non;
		wrong += !!(classes & BIT(PRIVATE_USE)) != is_private;
		assigned += !is_non && !is_private && (c < 0xd800 || c > 0xdfff) &&
			    !(classes & BIT(UNASSIGNED));
	}
	tap_ok(!wrong, "noncharacters and private use: %u wrong", wrong);
	tap_note("%u characters are assigned, controls included", assigned);
}

static void refuses(const char *text, u32 classes, int class, size_t offset,
		    const char *what)
{
	struct utf8guard_error e = { 0 };
	int ret = utf8guard_classify(text, strlen(text), classes, &e);

	if (class)
		tap_ok(ret == -EILSEQ && e.class == class && e.offset == offset,
		       "%s: %s at %zu", what, utf8guard_class_name(e.class), e.offset);
	else
		tap_ok(!ret, "%s", what);
}

/* Each code point, inside a text that is long enough for all fast paths. */
static void check_places(void)
{
	u32 c, wrong = 0;
	char text[64];

	for (c = 0; c <= 0x10ffff; c++) {
		u32 want = utf8guard_code_point_classes(c) & ~BIT(EDGE_SPACE);
		struct utf8guard_error e = { 0 };
		size_t at = 1 + c % 20;
		int ret;
		u8 n;

		if (c == 0xd800)
			c = 0xe000;
		memset(text, 'a', sizeof(text));
		n = utf8guard_encode((u8 *)text + at, c);
		ret = utf8guard_classify(text, sizeof(text), UTF8GUARD_TEXT_CLASSES, &e);
		want = utf8guard_code_point_classes(c) & ~BIT(EDGE_SPACE);
		if (want)
			wrong += !ret || e.offset != at || e.length != n ||
				 e.code_point != c || !(want & UTF8GUARD_CLASS_BIT(e.class));
		else
			wrong += !!ret;
	}
	tap_ok(!wrong, "each code point inside a text: %u wrong", wrong);
}

/* Each code point, with each class refused alone: then more leads may be skipped. */
static void check_alone(void)
{
	u32 c, class, wrong = 0;

	for (c = 0; c <= 0x10ffff; c++) {
		u32 classes;
		u8 text[8] = "a";
		u8 n;

		if (c == 0xd800)
			c = 0xe000;
		classes = utf8guard_code_point_classes(c) & ~BIT(EDGE_SPACE);
		n = utf8guard_encode(text + 1, c);
		text[1 + n] = 'a';
		for (class = UTF8GUARD_CLASS_NUL; class < UTF8GUARD_CLASS_EDGE_SPACE; class++)
			wrong += !utf8guard_classify(text, n + 2, UTF8GUARD_CLASS_BIT(class),
						     NULL) !=
				 !(classes & UTF8GUARD_CLASS_BIT(class));
	}
	tap_ok(!wrong, "each code point, and one class: %u wrong", wrong);
}

int main(void)
{
	u32 all = UTF8GUARD_TEXT_CLASSES;

	check_known();
	check_ranges();
	check_places();
	check_alone();
	tap_ok(!utf8guard_classify(NULL, 0, all, NULL), "no text has no class");
	refuses("plain text, without anything", all, 0, 0, "plain text");
	refuses(" a", all, UTF8GUARD_CLASS_EDGE_SPACE, 0, "a leading space");
	refuses("aaaaaaaaaaaaaaaa ", all, UTF8GUARD_CLASS_EDGE_SPACE, 16, "a trailing space");
	refuses("aaaaaaaaaaaa a", all, 0, 0, "a space inside");
	refuses("a\xe3\x80\x80", all, UTF8GUARD_CLASS_EDGE_SPACE, 1, "a trailing U+3000");
	refuses("\xef\xbb\xbf" "a", all, UTF8GUARD_CLASS_BOM, 0, "a byte order mark");
	refuses("\xef\xbb\xbf" "a", BIT(BOM), UTF8GUARD_CLASS_BOM, 0, "a mark, and no other class");
	refuses("a\xef\xbb\xbf", BIT(BOM), 0, 0, "U+FEFF elsewhere");
	refuses("abc\n\xff", all, UTF8GUARD_CLASS_NEWLINE, 3, "a newline before FF");
	refuses("abc\xff\n", all, UTF8GUARD_CLASS_HEADER_BITS, 3, "FF before a newline");
	refuses("abc\xff\n", 0, UTF8GUARD_CLASS_HEADER_BITS, 3, "ill-formed, no class asked");
	refuses("abcdefgh\x7f" "abcdefghijk", BIT(CONTROL), UTF8GUARD_CLASS_CONTROL, 8, "DEL");
	return tap_done();
}
