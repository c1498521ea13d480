// SPDX-License-Identifier: GPL-2.0
/*
 * Skips what a form cannot change, eight octets at a time, and validates it. Arithmetic on
 * all octets of a word finds the lead octets and proves that the right number of
 * continuation octets follows each. Ranges of leads all of whose characters are inert are
 * skipped; characters with other leads are looked up one by one. A loop over characters
 * would mispredict a branch wherever their length changes.
 */
#include "normalization.h"
#include "../planes_words.h"

#define ONES UTF8GUARD_ONES
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

/* The high bit of each octet that would be in the range with its high bit, which @low lacks. */
static inline u64 leads_in(u64 low, const struct utf8guard_rules *rules, unsigned int range)
{
	return (low + rules->inert_leads[range].from) & ~(low + rules->inert_leads[range].after);
}

/* The high bit of each capital letter of ASCII. */
static inline u64 capitals(u64 word)
{
	u64 low = word & ~HIGH_BITS;

	return (low + ONES * (0x80 - 'A')) & ~(low + ONES * (0x7f - 'Z')) & ~word & HIGH_BITS;
}

static const u8 *skip_ascii(const u8 *p, const u8 *end)
{
	while (end - p >= 32 &&
	       !((utf8guard_load64(p) | utf8guard_load64(p + 8) |
		  utf8guard_load64(p + 16) | utf8guard_load64(p + 24)) & HIGH_BITS))
		p += 32;
	return p;
}

/**
 * struct pass - what is passed over
 * @stop: bits of the characters at which to stop, besides marks out of order
 * @above: a mark whose rank less 1 is below this is out of order: the rank of the last character
 *	less 1, or 0 after a starter
 * @marks: marks in order are passed over
 * @active: for each lead octet from C0 on, where its rows in utf8guard_active_row begin
 */
struct pass {
	u16 stop;
	u8 above;
	bool marks;
	const u16 *active;
};

/*
 * Stop at a character of this class? There is no branch on whether it is a mark: for a
 * starter, which is never out of order, rank - 1 wraps around to the largest number.
 */
static __always_inline bool is_stop(struct pass *pass, u16 bits)
{
	unsigned int rank = bits & UTF8GUARD_RANK;

	if (!pass->marks)
		return bits & pass->stop;
	if (bits & pass->stop || rank - 1 < pass->above)
		return true;
	pass->above = rank - !!rank;
	return false;
}

/*
 * Characters of three octets, or of two, as long as they come one after another: their
 * lookups need not wait for each other, nor for a branch on the length.
 */
static __always_inline const u8 *skip_threes(struct pass *pass, const u8 *p, const u8 *end)
{
	while (end - p >= 4) {
		u32 word = utf8guard_load32_le(p);
		unsigned int row;

		if ((word & 0xc0c0f0) != 0x8080e0)
			break;
		/* In the scripts with this lead, most are letters, and marks that are inert. */
		if ((word & 0xff) == 0xe0 &&
		    !utf8guard_is_active(pass->active, 0xe0, word >> 8 & 0x3f, word >> 16)) {
			pass->above = 0;
			p += 3;
			continue;
		}
		row = utf8guard_class_three[(word & 0xf) * 64 + (word >> 8 & 0x3f)];
		if (is_stop(pass, utf8guard_class_in_row(row, word >> 16 & 0x3f)))
			break;
		p += 3;
	}
	return p;
}

static __always_inline const u8 *skip_twos(struct pass *pass, const u8 *p, const u8 *end)
{
	while (end - p >= 4) {
		u32 word = utf8guard_load32_le(p);

		/* C0 and C1 lack the bits 1E. */
		if ((word & 0xc0e0) != 0x80c0 || !(word & 0x1e))
			break;
		if (is_stop(pass, utf8guard_class_in_row(utf8guard_class_two[word & 0x1f],
							 word >> 8 & 0x3f)))
			break;
		p += 2;
	}
	return p;
}

/*
 * The same of four octets with the lead F0, but for marks. Not inlined: only pictographs are so
 * common that it matters, and it would cost the other scripts registers.
 */
static noinline const u8 *skip_fours(u16 stop, const u8 *p, const u8 *end)
{
	while (end - p >= 4) {
		u32 word = utf8guard_load32_le(p);
		unsigned int row;

		if ((word & 0xc0c0c0ff) != 0x808080f0)
			break;
		row = utf8guard_class_four[word >> 8 & 0x3f];
		row = utf8guard_class_mid[row * 64 + (word >> 16 & 0x3f)];
		if (utf8guard_class_in_row(row, word >> 24 & 0x3f) & (stop | UTF8GUARD_RANK))
			break;
		p += 4;
	}
	return p;
}

/*
 * Skips character by character, up to the first at which to stop, or to the end. Unless @ascii, it
 * also stops at an octet of ASCII; but not at one below 40, such as a space, before a lead.
 */
static __always_inline const u8 *skip_characters(struct pass *pass, const u8 *p, const u8 *end,
						 bool ascii, struct utf8guard_char *found)
{
	struct utf8guard_char c = { 0, 0 };
	const u8 *after;

	for (;;) {
		p = skip_threes(pass, p, end);
		p = skip_twos(pass, p, end);
		/* A space between words of such characters is one of them. */
		if (!ascii && end - p >= 4 && p[0] < 0x40 && p[1] >= 0xc2) {
			pass->above = 0;
			p++;
			continue;
		}
		if (p == end || (!ascii && *p < 0x80))
			break;
		after = *p == 0xf0 ? skip_fours(pass->stop, p, end) : p;
		if (after != p) {
			pass->above = 0;
			p = after;
			continue;
		}
		c = utf8guard_char_at(p, end - p);
		if (is_stop(pass, c.bits)) {
			*found = c;
			return p;
		}
		p += c.length;
	}
	*found = (struct utf8guard_char){ 0, 0 };
	return p;
}

/* A mask for each kind of octets: the high bits of those. @want: where tails must be. */
struct kinds {
	u64 tails, leads, leads3, leads4, want;
};

/* @due: the high bits where leads before the word want tails; set to that for the next word. */
static __always_inline struct kinds kinds_of(u64 word, u64 *due)
{
	struct kinds k;

	k.tails = word & ~(word << 1) & HIGH_BITS;
	k.leads = word & word << 1 & HIGH_BITS;
	k.leads3 = k.leads & word << 2;
	k.leads4 = k.leads3 & word << 3;
	k.want = *due | k.leads << 8 | k.leads3 << 16 | k.leads4 << 24;
	*due = k.leads >> 56 | k.leads3 >> 48 | k.leads4 >> 40;
	return k;
}

/*
 * The high bits of those @leads of @word whose characters have to be looked up: the lead is in no
 * range of inert leads, and no struct utf8guard_calm says that the character is inert. In the place
 * of each octet of the word, @next has the octet after it, and @third the one after that; 0 where
 * that is not known.
 */
static __always_inline u64 suspects_of(const struct utf8guard_rules *rules, u64 word, u64 next,
				       u64 third, u64 leads)
{
	const struct utf8guard_calm *calm;
	u64 low = word & ~HIGH_BITS, suspects;

	/* The first range is that of Latin script, which needs no other. */
	suspects = leads & ~leads_in(low, rules, 0);
	if (!suspects)
		return 0;
	suspects &= ~(leads_in(low, rules, 1) | leads_in(low, rules, 2) | leads_in(low, rules, 3));
	if (!suspects)
		return 0;
	calm = suspects & word << 2 ? rules->calm : rules->calm_two;
	for (; calm->lead && suspects; calm++)
		suspects &= not_zero((word ^ calm->lead) | ((next & calm->mask) ^ calm->second) |
				     ((third & calm->third_mask) ^ calm->third));
	return suspects;
}

/* Is an octet a lead that has to be looked up? */
static __always_inline bool is_suspect(const struct utf8guard_rules *rules, u8 octet)
{
	u64 low = octet & 0x7f;

	return octet >= 0xc0 && !((leads_in(low, rules, 0) | leads_in(low, rules, 1) |
				   leads_in(low, rules, 2) | leads_in(low, rules, 3)) & 0x80);
}

/*
 * Skips sixteen octets at a time, while they are well-formed and no character in them has to
 * be looked up. @suspect: set to the first character that has to be looked up; NULL where
 * skipping ends for another reason. @due: a high bit for each octet from @p on that must be a
 * continuation octet because of leads before @p.
 */
static __always_inline const u8 *skip_words(const struct utf8guard_rules *rules, const u8 *p,
					    const u8 *end, u64 *due, const u8 **suspect)
{
	bool hope = true;

	*suspect = NULL;
	while (end - p >= 18) {
		u64 first = utf8guard_load64_le(p), second = utf8guard_load64_le(p + 8);
		bool ascii = !(((first | second) & HIGH_BITS) | *due);
		u64 then = *due, suspects;
		struct kinds a, b;

		/*
		 * ASCII right after other text is not tried as ASCII, but goes through the
		 * arithmetic: in text of Latin script, that branch would often be mispredicted.
		 */
		if (ascii && hope) {
			p = skip_ascii(p + 16, end);
			continue;
		}
		hope = ascii;
		a = kinds_of(first, &then);
		b = kinds_of(second, &then);
		if ((a.tails ^ a.want) | (b.tails ^ b.want))
			break;
		suspects = suspects_of(rules, first, utf8guard_load64_le(p + 1),
				       utf8guard_load64_le(p + 2), a.leads);
		if (suspects) {
			*suspect = p + __builtin_ctzll(suspects) / 8;
			break;
		}
		suspects = suspects_of(rules, second, utf8guard_load64_le(p + 9),
				       utf8guard_load64_le(p + 10), b.leads);
		if (suspects) {
			*suspect = p + 8 + __builtin_ctzll(suspects) / 8;
			break;
		}
		*due = then;
		p += 16;
	}
	return p;
}

/* The same for eight octets, or fewer at the end. Return: 8, or 0 where it does not skip them. */
static __always_inline unsigned int skip_word(const struct utf8guard_rules *rules, const u8 *p,
					      const u8 *end, u64 *due, const u8 **suspect)
{
	u64 word = end - p >= 8 ? utf8guard_load64_le(p) : load_last(p, end - p);
	u64 suspects = rules->folds ? capitals(word) : 0, then = *due;
	struct kinds k;

	*suspect = NULL;
	if (!((word & HIGH_BITS) | *due | suspects))
		return 8;
	k = kinds_of(word, &then);
	if (k.tails != k.want)
		return 0;
	suspects |= suspects_of(rules, word, word >> 8, word >> 16, k.leads);
	if (suspects) {
		*suspect = p + __builtin_ctzll(suspects) / 8;
		return 0;
	}
	*due = then;
	return 8;
}

/*
 * The first character at which to stop, or @end. @found: its class and length.
 */
static __always_inline const u8 *skip(const struct utf8guard_rules *rules, struct pass *pass,
				      const u8 *p, const u8 *end, struct utf8guard_char *found)
{
	const bool folds = rules->folds;
	u64 due = 0;	/* where continuation octets must be that leads of the last word need */

	/* What comes after a character that was changed often has to be looked up, too. */
	if (p < end && is_suspect(rules, *p)) {
		p = skip_characters(pass, p, end, folds, found);
		if (found->length || found->bits)
			return p;
	}
	while (p < end) {
		const u8 *begin = p, *suspect = NULL;
		unsigned int n;

		if (!folds)
			p = skip_words(rules, p, end, &due, &suspect);
		if (!suspect && p < end) {
			n = skip_word(rules, p, end, &due, &suspect);
			p += n;
			if (!n && !suspect)
				break;
		}
		if (suspect) {
			if (suspect != begin)
				pass->above = 0;
			p = skip_characters(pass, suspect, end, folds, found);
			if (found->length || found->bits)
				return p;
			due = 0;
			continue;
		}
		pass->above = 0;
	}
	if (p >= end && !due)
		return end;
	/* Something is ill-formed; what the form changes may come before it. */
	if (due)
		p = utf8guard_previous(p);
	return skip_characters(pass, p, end, true, found);
}

/* Is @word a character of three octets at which not to stop? */
static __always_inline bool is_calm_three(u32 word, u16 stop)
{
	unsigned int row = utf8guard_class_three[(word & 0xf) << 6 | (word >> 8 & 0x3f)];

	return (word & 0xc0c0f0) == 0x8080e0 &&
	       !(utf8guard_class_in_row(row, word >> 16 & 0x3f) & stop);
}

/* The same of two octets. C0 and C1 have a row of what is ill-formed. */
static __always_inline bool is_calm_two(u32 word, u16 stop)
{
	unsigned int row = utf8guard_class_two[word & 0x1f];

	return (word & 0xc0e0) == 0x80c0 &&
	       !(utf8guard_class_in_row(row, word >> 8 & 0x3f) & stop);
}

/* An octet of ASCII below 40, such as a space, before a lead. */
static __always_inline bool is_space(u32 word)
{
	return (word & 0xc0c0) == 0xc000 && (word & 0xff) < 0x40;
}

/**
 * utf8guard_skip_short() - validate and skip what the form cannot change in a short text
 * @rules: of the form
 * @p: the text; not empty
 * @end: its end
 *
 * Looks up one character after the other: of use where they have three octets, or where the next
 * one may be a mark, so that what utf8guard_skip_blocks() finds out in advance would be of no use.
 *
 * Context: any; pure.
 * Return: @end, or the beginning of a character of which utf8guard_skip_inert() may know more. No
 * character before it is a mark.
 */
const u8 *utf8guard_skip_short(const struct utf8guard_rules *rules, const u8 *p, const u8 *end)
{
	const u16 stop = rules->stop;
	u32 word;

	while (end - p >= 4) {
		word = utf8guard_load32_le(p);
		if (is_calm_three(word, stop))
			p += 3;
		else if (is_calm_two(word, stop))
			p += 2;
		else if (is_space(word))
			p++;
		else
			return p;
	}
	if (end - p == 3 && is_calm_three(p[0] | p[1] << 8 | p[2] << 16, stop))
		return end;
	if (end - p == 2 && is_calm_two(p[0] | p[1] << 8, stop))
		return end;
	return p;
}

/* Octets that are looked at together, one for each bit of a mask. */
#define BLOCK 64

/* Longer text in characters of two octets takes less time in utf8guard_skip_yes(). */
#define LONG 256

/**
 * struct block - up to BLOCK octets of a text, a bit of each octet in each of these
 * @tails: is it a continuation octet?
 * @leads: does it begin a character of two octets or more?
 * @leads3: of three or more?
 * @leads4: of four?
 * @looked_up: is it a lead that is not in the range of inert leads?
 *
 * Octet j of word k is at the bit 8 j + k, once all words were taken in.
 */
struct block {
	u64 tails, leads, leads3, leads4, looked_up;
};

static __always_inline void take_word(struct block *block, u64 word, u64 from, u64 after)
{
	u64 leads = word & word << 1, leads3 = leads & word << 2, low = word & ~HIGH_BITS;
	u64 is_inert = (low + from) & ~(low + after);

	block->tails = block->tails >> 1 | (word & ~(word << 1) & HIGH_BITS);
	block->leads = block->leads >> 1 | (leads & HIGH_BITS);
	block->leads3 = block->leads3 >> 1 | (leads3 & HIGH_BITS);
	block->leads4 = block->leads4 >> 1 | (leads3 & word << 3 & HIGH_BITS);
	block->looked_up = block->looked_up >> 1 | (leads & ~is_inert & HIGH_BITS);
}

static __always_inline struct block take_block(const struct utf8guard_rules *rules, const u8 *p,
					       size_t len)
{
	/* The range that the first lead is in; of a text that begins with ASCII, that of Latin. */
	u16 range = rules->inert_ranges[(p[0] < 0xc0 ? 0xc3 : p[0]) - 0xc0];
	u64 from = ONES * (range & 0xff), after = ONES * (range >> 8);
	unsigned int shift = 8 - (len + 7) / 8;
	struct block block = {};
	size_t i;

	for (i = 0; i + 8 <= len; i += 8)
		take_word(&block, utf8guard_load64_le(p + i), from, after);
	if (i < len && i)
		take_word(&block, utf8guard_load64_le(p + len - 8) >> 8 * (8 - (len - i)), from,
			  after);
	else if (i < len)
		take_word(&block, load_last(p, len), from, after);
	block.tails >>= shift;
	block.leads >>= shift;
	block.leads3 >>= shift;
	block.leads4 >>= shift;
	block.looked_up >>= shift;
	return block;
}

/*
 * Looks up the characters whose leads are the bits of @leads. Return: the bits from the first on
 * that is not inert; 0 if all are. Nothing is read from @end on.
 */
static __always_inline u64 first_active(const u16 *active, const u8 *p, size_t len, const u8 *end,
					u64 leads)
{
	/* At the end of the text, the last character may have two octets. */
	u64 last = p + len == end && len >= 2 ? leads & 1ULL << (len - 2) : 0;

	for (leads ^= last; leads; leads &= leads - 1) {
		const u8 *at = p + __builtin_ctzll(leads);

		if (utf8guard_is_active(active, at[0], at[1] - 0x80, at[2]))
			return leads;
	}
	return last && utf8guard_is_active(active, end[-2], end[-1] - 0x80, 0) ? last : 0;
}

/**
 * utf8guard_skip_blocks() - validate and skip what the form cannot change, in whole blocks
 * @rules: of the form
 * @p: the text
 * @end: its end
 * @may_change: the text may well not be in the form: skip nothing where that shows at once
 *
 * Each character that is not ASCII is looked up, without a branch on its length, nor on its script:
 * faster than utf8guard_skip_yes() where nothing is found, and of use only there. Some scripts have
 * marks in most names, or begin with what is not inert. For these, nothing is skipped.
 *
 * Context: any; pure.
 * Return: @end, or the beginning of a character of which utf8guard_skip_yes() may know more. No
 * character before it is a mark.
 */
const u8 *utf8guard_skip_blocks(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
				bool may_change)
{
	const u16 *active = rules->active_leads;

	/* Of the scripts with this lead, most have marks. */
	if (end - p < 8 || *p == 0xe0 || (*p < 0xe0 && end - p > LONG) ||
	    (may_change && !utf8guard_begins_inert(active, p)))
		return p;
	while (p < end) {
		size_t len = min_t(size_t, end - p, BLOCK), words = (len + 7) / 8;
		struct block block = take_block(rules, p, len);
		u64 due = block.leads | earlier(block.leads3 | earlier(block.leads4, 0), 0);
		u64 leads = in_order(block.looked_up);

		if ((block.tails ^ earlier(due, 0)) & ONES * (0xff >> (8 - words)))
			return p;
		if (due >> (55 + words) & 1) {
			/* The last character goes on after the block. */
			if (p + len == end)
				return p;
			len = utf8guard_previous(p + len) - p;
			leads &= (1ULL << len) - 1;
		}
		leads = first_active(active, p, len, end, leads);
		if (leads)
			return p + __builtin_ctzll(leads);
		p += len;
		if (!block.leads && len == BLOCK)
			p = skip_ascii(p, end);
	}
	return end;
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
	struct pass pass = { .stop = rules->stop, .active = rules->active_leads };

	return skip(rules, &pass, p, end, found);
}

/**
 * utf8guard_skip_yes() - validate a text, and skip what is in the form
 * @rules: of the form
 * @p: the text, at the beginning of a character
 * @end: its end
 * @rank: of the combining class of the character before @p, 0 for a starter or none; set to
 *	that of the character before the one returned
 * @found: as for utf8guard_skip_inert()
 *
 * The quick check of UAX #15 section 9 says Yes to all that is skipped: inert characters, and
 * marks in canonical order that neither compose nor are replaced.
 *
 * Context: any; pure.
 * Return: the first character that is ill-formed, out of order, or of which the quick check
 * says No or Maybe; or @end.
 */
const u8 *utf8guard_skip_yes(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
			     u8 *rank, struct utf8guard_char *found)
{
	struct pass pass = {
		.stop = rules->stop & ~UTF8GUARD_RANK,
		.above = *rank - !!*rank,
		.marks = true,
		.active = rules->active_leads,
	};

	p = skip(rules, &pass, p, end, found);
	/* A rank of 1 is told as 0: all marks may follow after either. */
	*rank = pass.above + !!pass.above;
	return p;
}

/**
 * utf8guard_starter_before() - the starter that the character at @p follows, with marks between
 * @text: how far to look; well-formed up to @p
 * @p: after it
 * @end: of the text
 * @starter: set to the class and length of what is returned, where that is before @p
 *
 * Return: the last starter before @p, or @text if there is none.
 */
const u8 *utf8guard_starter_before(const u8 *text, const u8 *p, const u8 *end,
				   struct utf8guard_char *starter)
{
	while (p != text) {
		p = utf8guard_previous(p);
		*starter = utf8guard_char_at(p, end - p);
		if (!(starter->bits & UTF8GUARD_RANK))
			break;
	}
	return p;
}
