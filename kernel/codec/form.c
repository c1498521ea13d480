// SPDX-License-Identifier: GPL-2.0
/* The normalization forms of UAX #15: what each does with a character, by its class. */
#include "normalization.h"

#define INERT_BUT_FOR (UTF8GUARD_RANK | UTF8GUARD_QC_ILL_FORMED)

const struct utf8guard_rules utf8guard_rules[UTF8GUARD_FORMS] = {
	[UTF8GUARD_FORM_NFC] = {
		.inert_leads = UTF8GUARD_INERT_LEADS_NFC,
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_MAYBE | UTF8GUARD_QC_NFC,
		.no = UTF8GUARD_QC_NFC,
		.decomposes = UTF8GUARD_QC_NFD,
		.composes = true,
	},
	[UTF8GUARD_FORM_NFD] = {
		.inert_leads = UTF8GUARD_INERT_LEADS_NFD,
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_NFD,
		.no = UTF8GUARD_QC_NFD,
		.decomposes = UTF8GUARD_QC_NFD,
	},
	[UTF8GUARD_FORM_NFKC] = {
		.inert_leads = UTF8GUARD_INERT_LEADS_NFKC,
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_MAYBE | UTF8GUARD_QC_NFKC,
		.no = UTF8GUARD_QC_NFKC,
		.decomposes = UTF8GUARD_QC_NFKD,
		.composes = true,
		.compatibility = true,
	},
	[UTF8GUARD_FORM_NFKD] = {
		.inert_leads = UTF8GUARD_INERT_LEADS_NFKD,
		.stop = INERT_BUT_FOR | UTF8GUARD_QC_NFKD,
		.no = UTF8GUARD_QC_NFKD,
		.decomposes = UTF8GUARD_QC_NFKD,
		.compatibility = true,
	},
	[UTF8GUARD_FORM_NFKC_CASEFOLD] = {
		.inert_leads = UTF8GUARD_INERT_LEADS_NFKC_CF,
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
 * Return: the version of the Unicode Character Database, such as "18.0.0".
 */
const char *utf8guard_unicode_version(void)
{
	return UTF8GUARD_UNICODE_VERSION;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_unicode_version, "UTF8GUARD");
