// SPDX-License-Identifier: GPL-2.0
/*
 * Skip what a form cannot change, eight octets at a time, and validate it:
 * arithmetic on all octets of a word finds the lead octets and proves that the
 * right number of continuation octets follows each; whole ranges of leads are
 * inert, and the others are looked up one by one. Words instead of characters,
 * because text that mixes lengths mispredicts a branch with every change.
 */
#include "normalization.h"

#define ONES 0x0101010101010101ULL
#define HIGH_BITS 0x8080808080808080ULL

/* Eight octets, the first the lowest, whatever the machine. */
static inline u64 in_text_order(u64 word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap64(word);
#else
	return word;
#endif
}

static inline u64 load(const u8 *p)
{
	u64 word;

	memcpy(&word, p, sizeof(word));
	return in_text_order(word);
}

/* The last @len octets of a text, under eight, filled up with NUL. */
static inline u64 load_last(const u8 *p, size_t len)
{
	u64 word = 0;

	while (len--)
		word = word << 8 | p[len];
	return word;
}

/* The high bit of each octet of @low, all below 0x80, that is in a range. */
static inline u64 in_range(u64 low, u8 first, u8 last)
{
	return (low + ONES * (0x80 - (first & 0x7f))) &
	       ~(low + ONES * (0x7f - (last & 0x7f)));
}

/* The high bit of each octet that would be an inert lead, if it were a lead. */
static inline u64 inert_leads(const struct utf8guard_rules *rules, u64 low)
{
	return in_range(low, rules->inert_leads[0][0], rules->inert_leads[0][1]) |
	       in_range(low, rules->inert_leads[1][0], rules->inert_leads[1][1]) |
	       in_range(low, rules->inert_leads[2][0], rules->inert_leads[2][1]) |
	       in_range(low, rules->inert_leads[3][0], rules->inert_leads[3][1]);
}

static const u8 *skip_ascii(const u8 *p, const u8 *end)
{
	while (end - p >= 32 &&
	       !((load(p) | load(p + 8) | load(p + 16) | load(p + 24)) & HIGH_BITS))
		p += 32;
	return p;
}

/* Character by character: up to the first that is not inert, or to @end. */
static const u8 *skip_slowly(const struct utf8guard_rules *rules, const u8 *p,
			     const u8 *end, struct utf8guard_char *found)
{
	while (p != end) {
		*found = utf8guard_char_at(p, end - p);
		if (found->bits & rules->stop)
			return p;
		p += found->length;
	}
	return p;
}

/**
 * utf8guard_skip_inert() - validate, and skip what the form cannot change
 * @rules: of the form
 * @p: the text
 * @end: its end
 * @found: set to class and length of the character stopped at
 *
 * Return: the first character that is not inert, or ill-formed; or @end.
 */
const u8 *utf8guard_skip_inert(const struct utf8guard_rules *rules, const u8 *p,
			       const u8 *end, struct utf8guard_char *found)
{
	const u64 capital = rules->folds ? HIGH_BITS : 0;
	u64 due = 0;	/* continuation octets that the last word's leads want */

	while (p < end) {
		u64 word = end - p >= 8 ? load(p) : load_last(p, end - p);
		u64 tails, leads, leads3, leads4, want, suspects;

		suspects = in_range(word & ~HIGH_BITS, 'A', 'Z') & ~word & capital;
		if (!((word & HIGH_BITS) | due | suspects)) {
			p = rules->folds ? p + 8 : skip_ascii(p + 8, end);
			continue;
		}
		tails = word & ~(word << 1) & HIGH_BITS;
		leads = word & word << 1 & HIGH_BITS;
		leads3 = leads & word << 2;
		leads4 = leads3 & word << 3;
		want = due | leads << 8 | leads3 << 16 | leads4 << 24;
		if (tails != want)
			break;
		suspects |= leads & ~inert_leads(rules, word & ~HIGH_BITS);
		for (; suspects; suspects &= suspects - 1) {
			const u8 *at = p + __builtin_ctzll(suspects) / 8;

			*found = utf8guard_char_at(at, end - at);
			if (found->bits & rules->stop)
				return at;
		}
		due = leads >> 56 | leads3 >> 48 | leads4 >> 40;
		p += 8;
	}
	if (p >= end && !due)
		return end;
	/* Something is ill-formed; what the form changes may come before it. */
	return skip_slowly(rules, due ? utf8guard_previous(p) : p, end, found);
}
