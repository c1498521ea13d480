// SPDX-License-Identifier: GPL-2.0
/* Write Hangul as its jamo, or these as syllables, by arithmetic (The Unicode Standard, 3.12). */
#include "output.h"

/*
 * The distance from @first to the code point at @p, if that is one of U+1100 to U+11FF, the jamo,
 * which take three octets. If it is another one, or less than @first: a number above all counts.
 */
static inline u32 jamo_at(const u8 *p, const u8 *end, u32 first)
{
	u32 word;

	if (end - p < 3)
		return UTF8GUARD_NO_CODE_POINT;
	word = (u32)p[0] << 16 | p[1] << 8 | p[2];
	if ((word & 0xfffcc0) != 0xe18480)
		return UTF8GUARD_NO_CODE_POINT;
	return UTF8GUARD_JAMO_L + (word >> 2 & 0xc0) + (word & 0x3f) - first;
}

/**
 * utf8guard_put_syllables() - write Hangul syllables from their jamo
 * @rules: of the form, which composes
 * @p: the text
 * @end: its end
 * @out: where to
 *
 * Goes on as long as one comes directly after the other. A syllable is only written if nothing
 * after it can change it: another syllable, an inert character or the end must follow.
 *
 * Return: after the last syllable that was written; @p if there was none.
 */
const u8 *utf8guard_put_syllables(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
				  struct utf8guard_output *out)
{
	const u8 *begin = p;
	struct utf8guard_char c;

	for (;;) {
		u32 l = jamo_at(p, end, UTF8GUARD_JAMO_L);
		u32 v = jamo_at(p + 3, end, UTF8GUARD_JAMO_V), t;

		if (l >= UTF8GUARD_JAMO_L_COUNT || v >= UTF8GUARD_JAMO_V_COUNT)
			break;
		t = jamo_at(p + 6, end, UTF8GUARD_JAMO_T);
		t = t < UTF8GUARD_JAMO_T_COUNT ? t : 0;
		utf8guard_put_code_point(out, UTF8GUARD_HANGUL + t +
					 (l * UTF8GUARD_JAMO_V_COUNT + v) * UTF8GUARD_JAMO_T_COUNT);
		begin = p;
		p += t ? 9 : 6;
	}
	if (p == begin || p == end)
		return p;
	c = utf8guard_char_at(p, end - p);
	if (!(c.bits & rules->stop))
		return p;
	/* This may compose with the last syllable, or be a mark of it: takes back three octets. */
	out->len -= 3;
	return begin;
}

/**
 * utf8guard_put_jamo() - write the jamo of Hangul syllables, and single octets between them
 * @p: the text, not ASCII
 * @end: its end
 * @out: where to
 * @last: set to the last character that was written, where there was one
 *
 * These octets are ASCII. Takes no look-up. Stops where the jamo of another syllable may not fit.
 *
 * Return: after the last character that was written; @p if there was none.
 */
const u8 *utf8guard_put_jamo(const u8 *p, const u8 *end, struct utf8guard_output *out,
			     struct utf8guard_last *last)
{
	while (end - p >= 3 && out->len <= out->cap && out->cap - out->len >= 9) {
		u32 word = end - p > 3 ? utf8guard_load32_le(p) :
					 p[0] | (u32)p[1] << 8 | (u32)p[2] << 16;
		u32 syllable, l, v, t;
		u8 *to = out->at + out->len;

		if ((word & 0xf080) == 0xe000) {
			to[0] = word;
			last->at = p++;
			last->len = out->len++;
			continue;
		}
		syllable = (word & 0xf) << 12 | (word >> 2 & 0xfc0) | (word >> 16 & 0x3f);
		syllable -= UTF8GUARD_HANGUL;
		if ((word & 0xc0c0f0) != 0x8080e0 || syllable >= UTF8GUARD_HANGUL_COUNT)
			break;
		t = syllable % UTF8GUARD_JAMO_T_COUNT;
		v = syllable / UTF8GUARD_JAMO_T_COUNT % UTF8GUARD_JAMO_V_COUNT;
		l = syllable / (UTF8GUARD_JAMO_T_COUNT * UTF8GUARD_JAMO_V_COUNT);
		utf8guard_encode_jamo(UTF8GUARD_JAMO_L + l, to);
		utf8guard_encode_jamo(UTF8GUARD_JAMO_V + v, to + 3);
		utf8guard_encode_jamo(UTF8GUARD_JAMO_T + t, to + 6);
		last->at = p;
		last->len = out->len;
		out->len += t ? 9 : 6;
		p += 3;
	}
	return p;
}
