// SPDX-License-Identifier: GPL-2.0
/* What a form cannot change, skipped in blocks, in general registers. */
#include "../planes_words.h"
#include "normalization.h"

#define CALM_LEAST UTF8GUARD_CALM_MIN

static __always_inline void load_planes(u64 w[8], const u8 *p, long len)
{
	load_last_block(w, p, len, CALM_LEAST);
	to_planes(w);
}

#include "calm.h"

/**
 * utf8guard_skip_calm() - validate and skip what the form cannot change, in whole blocks
 * @form: NFC, NFD, NFKC or NFKD
 * @p: the text
 * @end: its end
 *
 * Takes the same time for each script, unless characters have to be looked up. Marks in canonical
 * order that the quick check says Yes to are skipped, too.
 *
 * Context: any; pure.
 * Return: @end, or the beginning of a character of which utf8guard_skip_yes() may know more. No
 * character before it is a mark, unless it is @end.
 */
const u8 *utf8guard_skip_calm(enum utf8guard_form form, const u8 *p, const u8 *end)
{
	return skip_calm(form, p, end);
}

/**
 * utf8guard_is_calm_latin() - is long text that begins with ASCII better skipped in whole blocks?
 * @rules: of the form
 * @p: the text, longer than UTF8GUARD_CALM_LATIN
 *
 * For NFC, it is if characters of U+1000 to U+1FFF are common, as in Vietnamese, and there is no
 * mark. For forms that decompose, it is if there are marks. What begins with CC or CD is taken
 * for a mark.
 *
 * Context: any; pure.
 * Return: whether it is.
 */
bool utf8guard_is_calm_latin(const struct utf8guard_rules *rules, const u8 *p)
{
	u64 found = 0, marks = 0;
	size_t i;

	for (i = 0; i < UTF8GUARD_CALM_LATIN / 2; i += 8) {
		u64 word = utf8guard_load64(p + i);

		found |= ~not_zero(word ^ UTF8GUARD_ONES * 0xe1);
		marks |= ~not_zero((word & UTF8GUARD_ONES * 0xfe) ^ UTF8GUARD_ONES * 0xcc);
	}
	found &= UTF8GUARD_TOP_BITS;
	marks &= UTF8GUARD_TOP_BITS;
	return rules->composes ? !rules->compatibility && found && !marks : marks;
}
