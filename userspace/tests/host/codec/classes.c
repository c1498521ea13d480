// SPDX-License-Identifier: GPL-2.0
/*
 * Text classes: known code points, whole ranges, what Unicode's own files say of each code point,
 * and positions in the text.
 *
 * promise whoever wrote the text: a character of a text class is found wherever it stands in a
 *   text, also where no other class is refused
 * shown by: each code point inside a text
 * shown by: each code point, and one class
 */
#include <libgen.h>

#include "../../../../kernel/codec/decode.h"
#include "../../normalization_data.h"
#include "../../tap.h"

#define BIT(class) UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_##class)
#define DEBIAN "/usr/share/unicode"
/* In Unicode 18.0: the sum of DerivedAge.txt, without noncharacters, private use and surrogates. */
#define ASSIGNED 172873

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
	tap_ok(assigned == ASSIGNED, "%u characters are assigned, controls included", assigned);
}

static FILE *open_data(const char *directory, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return fopen(path, "r");
}

static u32 class_by_category(u32 c, const char *category)
{
	if (!c)
		return BIT(NUL);
	if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029)
		return BIT(NEWLINE);
	if (!strncmp(category, "Cc;", 3))
		return BIT(CONTROL);
	return strncmp(category, "Co;", 3) ? 0 : BIT(PRIVATE_USE);
}

/* UnicodeData.txt: the code point, its name, its category; a range is two lines. */
static void read_categories(FILE *file, u32 *wanted)
{
	char line[4096];
	u32 c, first = 0;

	for (c = 0; c < CODE_POINTS; c++)
		wanted[c] = BIT(UNASSIGNED);
	while (fgets(line, sizeof(line), file)) {
		const char *name = strchr(line, ';'), *category = name ? strchr(name + 1, ';') : NULL;

		if (!category)
			continue;
		c = strtoul(line, NULL, 16);
		if (!strstr(name, ", Last>"))
			first = c;
		for (; first <= c; first++)
			wanted[first] = class_by_category(c, category + 1);
	}
}

static const struct property {
	const char *file, *name;
	u32 class;
} properties[] = {
	{ "PropList.txt", "; Bidi_Control ", BIT(BIDI) },
	{ "PropList.txt", "; White_Space ", BIT(EDGE_SPACE) },
	{ "PropList.txt", "; Noncharacter_Code_Point ", BIT(NONCHARACTER) },
	{ "DerivedCoreProperties.txt", "; Default_Ignorable_Code_Point ", BIT(DEFAULT_IGNORABLE) },
};

/* A file of properties: a code point, or the first and the last one; the property. */
static void read_property(FILE *file, const struct property *property, u32 *wanted)
{
	char line[4096], *dots;

	while (fgets(line, sizeof(line), file)) {
		const char *field = strchr(line, ';');
		u32 first, last;

		if (*line == '#' || !field || strncmp(field, property->name, strlen(property->name)))
			continue;
		first = strtoul(line, &dots, 16);
		last = *dots == '.' ? strtoul(dots + 2, NULL, 16) : first;
		for (; first <= last; first++)
			wanted[first] |= property->class;
	}
}

static bool read_database(const char *directory, u32 *wanted)
{
	FILE *file = open_data(directory, "UnicodeData.txt");
	unsigned int i;
	u32 c;

	if (!file)
		return false;
	read_categories(file, wanted);
	fclose(file);
	for (i = 0; i < sizeof(properties) / sizeof(*properties); i++) {
		file = open_data(directory, properties[i].file);
		if (!file)
			return false;
		read_property(file, &properties[i], wanted);
		fclose(file);
	}
	for (c = 0; c < CODE_POINTS; c++)
		if (wanted[c] & BIT(NONCHARACTER))
			wanted[c] &= ~BIT(UNASSIGNED);
	return true;
}

/* The version of a text such as 15.0.0 or 15.0.0.txt, as a number that can be compared. */
static unsigned int version(const char *text)
{
	unsigned int major = 0, minor = 0;

	sscanf(text, "%u.%u", &major, &minor);
	return major << 8 | minor;
}

/* The first line of PropList.txt names it. Return: 0 if that file is not there. */
static unsigned int version_of(const char *directory)
{
	static const char title[] = "# PropList-";
	FILE *file = open_data(directory, "PropList.txt");
	char line[256] = "";

	if (!file)
		return 0;
	if (!fgets(line, sizeof(line), file) || strncmp(line, title, strlen(title)))
		*line = '\0';
	fclose(file);
	return *line ? version(line + strlen(title)) : 0;
}

/*
 * What an @older version has assigned has kept its classes until 18.0, each code point of it. What
 * was assigned since has none. A change that Unicode makes is to be listed here.
 */
static void check_database(const char *directory, bool older)
{
	static u32 wanted[CODE_POINTS];
	u32 c, wrong = 0;

	if (!read_database(directory, wanted)) {
		tap_skip(directory, "a part of its files is not there");
		return;
	}
	for (c = 0; c < CODE_POINTS; c++) {
		u32 got = utf8guard_code_point_classes(c);

		if (got == wanted[c] || (older && !got && wanted[c] == BIT(UNASSIGNED)))
			continue;
		if (!wrong++)
			tap_note("U+%04X: %x, not %x", c, got, wanted[c]);
	}
	tap_ok(!wrong, "each code point has the classes of %s: %u wrong", directory, wrong);
}

static void check_databases(void)
{
	const char *path = data_path("PropList.txt");
	char *directory = path ? dirname(strdup(path)) : NULL;
	unsigned int ours = version(utf8guard_unicode_version());
	unsigned int debian = version_of(DEBIAN);

	if (directory && version_of(directory) == ours)
		check_database(directory, false);
	else
		tap_skip("PropList.txt", "not there: set UCD to a directory that has it");
	if (debian && debian < ours)
		check_database(DEBIAN, true);
	else
		tap_skip("an older version", "no older unicode-data is installed");
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
	check_databases();
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
