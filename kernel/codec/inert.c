// SPDX-License-Identifier: GPL-2.0
/*
 * Skips what a form cannot change, eight octets at a time, and validates it. Arithmetic on
 * all octets of a word finds the lead octets and proves that the right number of
 * continuation octets follows each. Ranges of leads all of whose characters are inert are
 * skipped; characters with other leads are looked up one by one. A loop over characters
 * would mispredict a branch wherever their length changes.
 */
#include "normalization.h"

#define ONES 0x0101010101010101ULL
#define HIGH_BITS UTF8GUARD_TOP_BITS

static inline u64 load_half(const u8 *p)
{
	return utf8guard_load32_le(p);
}

/* The last 1 to 7 octets of a text, filled up with NUL; the loads overlap. */
static inline u64 load_last(const u8 *p, size_t len)
{
	if (len >= 4)
		return load_half(p) | load_half(p + len - 4) << (8 * (len - 4));
	return p[0] | (u64)p[len / 2] << (8 * (len / 2)) |
	       (u64)p[len - 1] << (8 * (len - 1));
}

/*
 * For in_ranges(): octet + FROM(first) has its high bit set if the octet, without its own,
 * is @first or more; octet + AFTER(last), if it is more than @last.
 */
#define FROM(first) (ONES * (0x80 - ((first) & 0x7f)))
#define AFTER(last) (ONES * (0x7f - ((last) & 0x7f)))

/* The high bit of each octet that is an inert lead, if it is a lead; @low has no high bits. */
static inline u64 in_ranges(u64 low, const u64 from[4], const u64 after[4])
{
	return ((low + from[0]) & ~(low + after[0])) |
	       ((low + from[1]) & ~(low + after[1])) |
	       ((low + from[2]) & ~(low + after[2])) |
	       ((low + from[3]) & ~(low + after[3]));
}

/* The high bit of each capital letter of ASCII. */
static inline u64 capitals(u64 word)
{
	u64 low = word & ~HIGH_BITS;

	return (low + FROM('A')) & ~(low + AFTER('Z')) & ~word & HIGH_BITS;
}

static const u8 *skip_ascii(const u8 *p, const u8 *end)
{
	while (end - p >= 32 &&
	       !((utf8guard_load64(p) | utf8guard_load64(p + 8) |
		  utf8guard_load64(p + 16) | utf8guard_load64(p + 24)) & HIGH_BITS))
		p += 32;
	return p;
}

/*
 * Characters of three octets, as long as they come one after another: their
 * lookups need not wait for each other, nor for a branch on the length.
 */
static inline const u8 *skip_threes(u16 stop, const u8 *p, const u8 *end)
{
	while (end - p >= 4) {
		u32 word = utf8guard_load32_le(p);
		unsigned int row;

		if ((word & 0xc0c0f0) != 0x8080e0)
			break;
		row = utf8guard_class_three[(word & 0xf) * 64 + (word >> 8 & 0x3f)];
		if (utf8guard_class_in_row(row, word >> 16 & 0x3f) & stop)
			break;
		p += 3;
	}
	return p;
}

/*
 * Skips character by character, up to the first that is not inert, or to the end. Unless
 * @ascii, it also stops at an octet of ASCII, but not at one before a lead of three octets or
 * more.
 */
static inline const u8 *skip_characters(u16 stop, const u8 *p, const u8 *end,
					bool ascii, struct utf8guard_char *found)
{
	struct utf8guard_char c = { 0, 0 };

	for (;;) {
		p = skip_threes(stop, p, end);
		/* A space between words of such characters is one of them. */
		if (!ascii && end - p >= 4 && p[0] < 0x80 && p[1] >= 0xe0) {
			p++;
			continue;
		}
		if (p == end || (!ascii && *p < 0x80))
			break;
		c = utf8guard_char_at(p, end - p);
		if (c.bits & stop)
			break;
		p += c.length;
	}
	*found = c;
	return p;
}

/**
 * utf8guard_skip_inert() - validate a text, and skip what the form cannot change
 * @rules: of the form
 * @p: the text
 * @end: its end
 * @found: set to the class and the length of the character at which it stops; of no
 *	meaning where @end is returned
 *
 * Context: any; pure.
 * Return: the first character that is ill-formed or not inert; or @end.
 */
const u8 *utf8guard_skip_inert(const struct utf8guard_rules *rules, const u8 *p,
			       const u8 *end, struct utf8guard_char *found)
{
	const bool folds = rules->folds;
	const u16 stop = rules->stop;
	u64 from[4], after[4];
	u64 due = 0;	/* where continuation octets must be that leads of the last word need */
	int i;

	for (i = 0; i < 4; i++) {
		from[i] = FROM(rules->inert_leads[i][0]);
		after[i] = AFTER(rules->inert_leads[i][1]);
	}
	while (p < end) {
		u64 word = end - p >= 8 ? utf8guard_load64_le(p) : load_last(p, end - p);
		u64 tails, leads, leads3, leads4, want, suspects;

		suspects = folds ? capitals(word) : 0;
		if (!((word & HIGH_BITS) | due | suspects)) {
			p = folds ? p + 8 : skip_ascii(p + 8, end);
			continue;
		}
		tails = word & ~(word << 1) & HIGH_BITS;
		leads = word & word << 1 & HIGH_BITS;
		leads3 = leads & word << 2;
		leads4 = leads3 & word << 3;
		want = due | leads << 8 | leads3 << 16 | leads4 << 24;
		if (tails != want)
			break;
		suspects |= leads & ~in_ranges(word & ~HIGH_BITS, from, after);
		if (suspects) {
			p += __builtin_ctzll(suspects) / 8;
			p = skip_characters(stop, p, end, folds, found);
			if (found->bits & stop)
				return p;
			due = 0;
			continue;
		}
		due = leads >> 56 | leads3 >> 48 | leads4 >> 40;
		p += 8;
	}
	if (p >= end && !due)
		return end;
	/* Something is ill-formed; what the form changes may come before it. */
	if (due)
		p = utf8guard_previous(p);
	return skip_characters(stop, p, end, true, found);
}
