// SPDX-License-Identifier: GPL-2.0
/* The normalization forms of UAX #15: what each does with a character, by its class. */
#include "normalization.h"

#define INERT_BUT_FOR (UTF8GUARD_RANK | UTF8GUARD_QC_ILL_FORMED)

/*
 * Inert characters of common scripts whose lead octets also begin characters that are not
 * inert. The test normalization_conformance proves that these are.
 */
#define CALM_THIRD(lead, mask, second, third_mask, third)                              \
	{ UTF8GUARD_ONES * (lead), UTF8GUARD_ONES * (mask), UTF8GUARD_ONES * (second), \
	  UTF8GUARD_ONES * (third_mask), UTF8GUARD_ONES * (third) }
#define CALM(lead, mask, second) CALM_THIRD(lead, mask, second, 0, 0)
#define GREEK_390 CALM(0xce, 0xf0, 0x90) /* U+0390 to U+039F */
#define GREEK_3A0 CALM(0xce, 0xe0, 0xa0) /* U+03A0 to U+03BF */
#define GREEK_3C0 CALM(0xcf, 0xf0, 0x80) /* U+03C0 to U+03CF */
#define HEBREW_5D0 CALM(0xd7, 0xf0, 0x90) /* U+05D0 to U+05DF */
#define HEBREW_5E0 CALM(0xd7, 0xe0, 0xa0) /* U+05E0 to U+05FF */
#define ARABIC_620 CALM(0xd8, 0xe0, 0xa0) /* U+0620 to U+063F */
#define ARABIC_640 CALM(0xd9, 0xf8, 0x80) /* U+0640 to U+0647 */
#define ARABIC_648 CALM(0xd9, 0xfe, 0x88) /* U+0648, U+0649 */
#define ARABIC_64A CALM(0xd9, 0xff, 0x8a) /* U+064A */
#define LATIN_1E80 CALM(0xe1, 0xff, 0xba) /* U+1E80 to U+1EBF: Vietnamese */
#define LATIN_1EA0 CALM_THIRD(0xe1, 0xff, 0xba, 0xa0, 0xa0) /* U+1EA0 to U+1EBF */
#define LATIN_1EC0 CALM(0xe1, 0xff, 0xbb) /* U+1EC0 to U+1EFF: Vietnamese */
#define HANGUL_AC00 CALM(0xea, 0xf0, 0xb0) /* U+AC00 to U+AFFF */
#define HANGUL_D000 CALM(0xed, 0xe0, 0x80) /* U+D000 to U+D7FF */
#define PICTOGRAPHS CALM(0xf0, 0xff, 0x9f) /* U+1F000 to U+1FFFF */

#define ACTIVE(form)                                                                   \
	.active_leads = utf8guard_active_lead + 64 * UTF8GUARD_FORM_##form,             \
	.inert_ranges = utf8guard_inert_range + 64 * UTF8GUARD_FORM_##form

const struct utf8guard_rules utf8guard_rules[UTF8GUARD_FORMS] = {
	[UTF8GUARD_FORM_NFC] = {
		ACTIVE(NFC),
		.inert_leads = UTF8GUARD_INERT_LEADS_NFC(UTF8GUARD_RANGE),
		.calm = { LATIN_1E80, LATIN_1EC0, HANGUL_AC00, HANGUL_D000, PICTOGRAPHS },
		.calm_two = { GREEK_3A0, GREEK_390, HEBREW_5D0, HEBREW_5E0, ARABIC_620, ARABIC_640,
			      ARABIC_648, ARABIC_64A },
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_MAYBE | UTF8GUARD_QC_NFC,
		.no = UTF8GUARD_QC_NFC,
		.decomposes = UTF8GUARD_QC_NFD,
		.composes = true,
	},
	[UTF8GUARD_FORM_NFD] = {
		ACTIVE(NFD),
		.inert_leads = UTF8GUARD_INERT_LEADS_NFD(UTF8GUARD_RANGE),
		.calm = { PICTOGRAPHS },
		.calm_two = { HEBREW_5D0, HEBREW_5E0 },
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_NFD,
		.no = UTF8GUARD_QC_NFD,
		.decomposes = UTF8GUARD_QC_NFD,
	},
	[UTF8GUARD_FORM_NFKC] = {
		ACTIVE(NFKC),
		.inert_leads = UTF8GUARD_INERT_LEADS_NFKC(UTF8GUARD_RANGE),
		.calm = { LATIN_1EC0, LATIN_1EA0, HANGUL_AC00, HANGUL_D000 },
		.calm_two = { GREEK_3C0, GREEK_3A0, GREEK_390, HEBREW_5D0, HEBREW_5E0 },
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_MAYBE | UTF8GUARD_QC_NFKC,
		.no = UTF8GUARD_QC_NFKC,
		.decomposes = UTF8GUARD_QC_NFKD,
		.composes = true,
		.compatibility = true,
	},
	[UTF8GUARD_FORM_NFKD] = {
		ACTIVE(NFKD),
		.inert_leads = UTF8GUARD_INERT_LEADS_NFKD(UTF8GUARD_RANGE),
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_NFKD,
		.no = UTF8GUARD_QC_NFKD,
		.decomposes = UTF8GUARD_QC_NFKD,
		.compatibility = true,
	},
	[UTF8GUARD_FORM_NFKC_CASEFOLD] = {
		ACTIVE(NFKC_CASEFOLD),
		.inert_leads = UTF8GUARD_INERT_LEADS_NFKC_CF(UTF8GUARD_RANGE),
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_MAYBE | UTF8GUARD_QC_NFKC_CF,
		.no = UTF8GUARD_QC_NFKC_CF,
		.decomposes = UTF8GUARD_QC_NFD | UTF8GUARD_QC_NFKC_CF,
		.composes = true,
		.compatibility = true,
		.folds = true,
	},
};

/**
 * utf8guard_form_name() - the name of a form, as users write it
 * @form: enum utf8guard_form
 *
 * Context: any; pure.
 * Return: the name, or NULL where there is no such form.
 */
const char *utf8guard_form_name(unsigned int form)
{
	static const char *const names[UTF8GUARD_FORMS] = {
		[UTF8GUARD_FORM_NFC] = "nfc",
		[UTF8GUARD_FORM_NFD] = "nfd",
		[UTF8GUARD_FORM_NFKC] = "nfkc",
		[UTF8GUARD_FORM_NFKD] = "nfkd",
		[UTF8GUARD_FORM_NFKC_CASEFOLD] = "nfkc-casefold",
	};

	return form < ARRAY_SIZE(names) ? names[form] : NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_form_name, "UTF8GUARD");

/**
 * utf8guard_unicode_version() - what the tables were generated from
 *
 * Context: any; pure.
 * Return: the version of the Unicode Character Database, such as "18.0.0".
 */
const char *utf8guard_unicode_version(void)
{
	return UTF8GUARD_UNICODE_VERSION;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_unicode_version, "UTF8GUARD");
