// SPDX-License-Identifier: GPL-2.0
/*
 * NormalizationTest.txt, all of it, as its heading demands: every column in
 * every form, and every code point that Part 1 does not list is its own form.
 * The quick check and the definite check have to agree with what is written.
 * What is beside the ranges of Hangul is in no file: neither composed nor decomposed.
 *
 * promise whoever wrote the text: the normaliser makes the forms that NormalizationTest.txt has,
 *   all of it, and leaves every other code point as it is
 * shown by: all columns in all forms
 * shown by: code points that are not listed stay themselves
 */
#include "../../../../kunit/becomes.h"
#include "../../normalization_data.h"
#include "../../tap.h"

#define DEBIAN "/usr/share/unicode/NormalizationTest.txt.bz2"
#define DEBIAN_ASSIGNED "/usr/share/unicode/UnicodeData.txt"
#define COLUMNS 5

static const enum utf8guard_form forms[] = {
	UTF8GUARD_FORM_NFC, UTF8GUARD_FORM_NFD, UTF8GUARD_FORM_NFKC, UTF8GUARD_FORM_NFKD,
};

static u8 listed[CODE_POINTS];

/* Source, NFC, NFD, NFKC, NFKD: what each column is to become, in each form. */
static unsigned int check_line(u8 column[COLUMNS][LONGEST], const size_t *len)
{
	unsigned int form, i, wrong = 0;

	for (form = 0; form < 4; form++)
		for (i = 0; i < COLUMNS; i++) {
			unsigned int want = form >= 2 || i >= 3 ? 3 + form % 2 : 1 + form;

			wrong += !becomes(forms[form], column[i], len[i],
					  column[want], len[want]);
		}
	return wrong;
}

/* Is the file, whose first line names it, of the version of the tables? */
static bool of_our_version(FILE *file)
{
	char line[256] = "";

	if (!fgets(line, sizeof(line), file))
		return false;
	return strstr(line, utf8guard_unicode_version());
}

static void check_file(FILE *file)
{
	unsigned int lines = 0, wrong = 0, part = 0, i;
	static u8 column[COLUMNS][LONGEST];
	size_t len[COLUMNS];
	char line[4096];

	while (fgets(line, sizeof(line), file)) {
		char *at = line;

		if (!strncmp(line, "@Part", 5))
			part = line[5] - '0';
		if (*line == '#' || *line == '@' || *line == '\n')
			continue;
		for (i = 0; i < COLUMNS; i++)
			at = data_column(at, column[i], &len[i]);
		if (part == 1)
			listed[strtoul(line, NULL, 16)] = 1;
		lines++;
		i = check_line(column, len);
		if (i && !wrong)
			tap_note("wrong: %s", line);
		wrong += i;
	}
	tap_ok(lines > 18000 && !wrong, "%u lines, all columns in all forms: %u wrong",
	       lines, wrong);
}

static bool stays_itself(u32 c)
{
	unsigned int form;
	u8 text[4];
	size_t len = data_encode(c, text);

	for (form = 0; form < 4; form++)
		if (!becomes(forms[form], text, len, text, len))
			return false;
	return true;
}

static void check_the_rest(void)
{
	unsigned int count = 0, wrong = 0;
	u32 c;

	for (c = 0; c < CODE_POINTS; c++) {
		if (listed[c] || (c >= 0xd800 && c < 0xe000))
			continue;
		wrong += !stays_itself(c);
		count++;
	}
	tap_ok(count > 1000000 && !wrong,
	       "%u code points that are not listed stay themselves: %u wrong",
	       count, wrong);
}

/* DerivedNormalizationProps.txt gives NFKC_Casefold of each code point. */
static void check_casefold(FILE *file)
{
	unsigned int count = 0, wrong = 0;
	char line[4096];

	while (fgets(line, sizeof(line), file)) {
		char *property = strchr(line, ';');
		unsigned long first, last;
		u8 want[LONGEST], text[4];
		size_t want_len;
		char *dots;

		if (*line == '#' || !property || strncmp(property, "; NFKC_CF; ", 11))
			continue;
		first = strtoul(line, &dots, 16);
		last = *dots == '.' ? strtoul(dots + 2, NULL, 16) : first;
		data_column(property + 11, want, &want_len);
		for (; first <= last; first++, count++)
			wrong += !becomes(UTF8GUARD_FORM_NFKC_CASEFOLD, text,
					  data_encode(first, text), want, want_len);
	}
	tap_ok(count > 10000 && !wrong, "NFKC_Casefold of %u code points: %u wrong",
	       count, wrong);
}

static void check_our_version(void)
{
	const char *path = data_path("NormalizationTest.txt");
	FILE *file = path ? fopen(path, "r") : NULL;

	if (!file || !of_our_version(file)) {
		tap_skip("NormalizationTest.txt", "not there: set UCD to a directory that has it");
	} else {
		tap_note("%s, tables of %s", path, utf8guard_unicode_version());
		check_file(file);
		check_the_rest();
	}
	if (file)
		fclose(file);
}

/* What an older version has assigned and does not list stays itself in ours. */
static void check_assigned(FILE *file)
{
	unsigned int count = 0, wrong = 0;
	char line[4096];
	u32 first = 0;

	while (fgets(line, sizeof(line), file)) {
		u32 c = strtoul(line, NULL, 16);

		if (!strstr(line, ", Last>"))
			first = c;
		for (; first <= c; first++) {
			if (listed[first] || (first >= 0xd800 && first < 0xe000))
				continue;
			wrong += !stays_itself(first);
			count++;
		}
	}
	tap_ok(count > 100000 && !wrong,
	       "%u code points assigned then, and not listed, stay themselves: %u wrong",
	       count, wrong);
}

/* Stability: what an older version has assigned stays as it is. */
static void check_older_version(void)
{
	FILE *file = access(DEBIAN, R_OK) ? NULL : popen("bzcat " DEBIAN, "r");

	if (!file) {
		tap_skip("an older version", "unicode-data is not installed");
		return;
	}
	tap_note(DEBIAN);
	memset(listed, 0, sizeof(listed));
	check_file(file);
	pclose(file);
	file = fopen(DEBIAN_ASSIGNED, "r");
	if (!file) {
		tap_skip("what it has assigned", DEBIAN_ASSIGNED " is not there");
		return;
	}
	check_assigned(file);
	fclose(file);
}

static void check_casefold_if_there(void)
{
	const char *path = data_path("DerivedNormalizationProps.txt");
	FILE *file = path ? fopen(path, "r") : NULL;

	if (!file) {
		tap_skip("NFKC_Casefold", "DerivedNormalizationProps.txt is not there");
		return;
	}
	check_casefold(file);
	fclose(file);
}

/*
 * Texts whose composed and decomposed forms these are. In each, a code point is the one before or
 * after those for which the arithmetic of syllables holds.
 */
static const char *const beside_hangul[][2] = {
	{ "\ud7a3\ud7a4", "\u1112\u1175\u11c2\ud7a4" },
	{ "\ud7a4\u11a8", "\ud7a4\u11a8" },
	{ "\uabff\u11a8", "\uabff\u11a8" },
	{ "\uac00\uabff\u11a8", "\u1100\u1161\uabff\u11a8" },
	{ "\u10ff\u1161", "\u10ff\u1161" },
	{ "\u1113\u1161", "\u1113\u1161" },
	{ "\u1100\u1160", "\u1100\u1160" },
	{ "\u1112\u1176", "\u1112\u1176" },
	{ "\uac00\u11a7", "\u1100\u1161\u11a7" },
	{ "\uac00\u11c3", "\u1100\u1161\u11c3" },
	{ "\uac01\u11a8", "\u1100\u1161\u11a8\u11a8" },
	{ "\uac1b\u11c2", "\u1100\u1161\u11c2\u11c2" },
};

static bool has_forms(const char *text, const char *composed, const char *decomposed)
{
	unsigned int form;

	for (form = 0; form < 4; form++) {
		const char *want = form % 2 ? decomposed : composed;

		if (!becomes(forms[form], (const u8 *)text, strlen(text), (const u8 *)want,
			     strlen(want)))
			return false;
	}
	return true;
}

static void check_beside_hangul(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < sizeof(beside_hangul) / sizeof(beside_hangul[0]); i++) {
		const char *composed = beside_hangul[i][0], *decomposed = beside_hangul[i][1];

		if (has_forms(composed, composed, decomposed) &&
		    has_forms(decomposed, composed, decomposed))
			continue;
		tap_note("%s", composed);
		wrong++;
	}
	tap_ok(!wrong, "what is beside the ranges of Hangul does not compose: %u wrong", wrong);
}

/* U+3133 is U+11AA for compatibility, which composes with a syllable before it, however that came. */
static void check_compatibility_jamo(void)
{
	static const char *const before[] = { "\uac00", "\u1100\u1161", "\uffa1\uffc2" };
	unsigned int i, wrong = 0;
	char text[16], twice[32];

	for (i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		snprintf(text, sizeof(text), "%s\u3133", before[i]);
		snprintf(twice, sizeof(twice), "\u1100\u1161%s", text);
		wrong += !becomes(UTF8GUARD_FORM_NFKC, (const u8 *)text, strlen(text),
				  (const u8 *)"\uac03", 3);
		wrong += !becomes(UTF8GUARD_FORM_NFKC, (const u8 *)twice, strlen(twice),
				  (const u8 *)"\uac00\uac03", 6);
	}
	tap_ok(!wrong, "a final consonant of compatibility composes: %u wrong", wrong);
}

int main(void)
{
	check_our_version();
	check_older_version();
	check_casefold_if_there();
	check_beside_hangul();
	check_compatibility_jamo();
	return tap_done();
}
