/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Private to the normaliser: the walk through the tables, characters and their
 * decompositions, and a starter with its marks.
 */
#ifndef _UTF8GUARD_NORMALIZATION_H
#define _UTF8GUARD_NORMALIZATION_H

#include <linux/utf8guard_normalize.h>
#include "../codec.h"
#include "ucd_table.h"

/* Hangul, The Unicode Standard section 3.12: syllables are arithmetic. */
#define UTF8GUARD_HANGUL 0xac00
#define UTF8GUARD_HANGUL_COUNT 11172
#define UTF8GUARD_JAMO_L 0x1100
#define UTF8GUARD_JAMO_L_COUNT 19
#define UTF8GUARD_JAMO_V 0x1161
#define UTF8GUARD_JAMO_V_COUNT 21
#define UTF8GUARD_JAMO_T 0x11a7
#define UTF8GUARD_JAMO_T_COUNT 28

/* No starter has been seen: nothing that marks could compose with. */
#define UTF8GUARD_NO_STARTER UTF8GUARD_NO_CODE_POINT

#define UTF8GUARD_ONES 0x0101010101010101ULL

/**
 * struct utf8guard_range - a range of octets above 7F, for arithmetic on all octets of a word
 * @from: in each octet, what to add to an octet without its high bit: the sum has its high bit set
 *	if that octet is the first of the range or more
 * @after: the same, where the sum has its high bit set if that octet is more than the last
 */
struct utf8guard_range {
	u64 from;
	u64 after;
};

#define UTF8GUARD_RANGE(first, last)                                                   \
	{ UTF8GUARD_ONES * (0x80 - ((first) & 0x7f)), UTF8GUARD_ONES * (0x7f - ((last) & 0x7f)) }

/**
 * struct utf8guard_calm - characters that are inert, by their lead and the octets after it
 * @lead: the lead, in each octet
 * @mask: in each octet, the bits of the second octet that decide, its high bit among them
 * @second: the values that these bits must have
 * @third_mask: the same of the third octet; 0 where that does not matter
 * @third: the values that these bits must have
 */
struct utf8guard_calm {
	u64 lead;
	u64 mask;
	u64 second;
	u64 third_mask;
	u64 third;
};

/**
 * struct utf8guard_rules - what a form does with a character, by its class
 * @stop: bits of the characters that the form may change, or that may compose or be
 *	reordered with a neighbour; a character with none of them is inert, and a boundary
 * @no: bits of characters that never occur in the form
 * @decomposes: bits of characters that the form decomposes
 * @inert_leads: ranges of lead octets all of whose characters are inert
 * @calm: inert characters of common scripts that have other leads, of three or four octets; after
 *	the last entry comes one whose lead is 0
 * @calm_two: the same of characters of two octets
 * @active_leads: for each lead octet from C0 on, where its rows in utf8guard_active_row begin
 * @inert_ranges: for each lead octet from C0 on, the range of leads around it all of whose
 *	characters are inert. Added to a lead without its high bit, the low octet sets that bit
 *	if the lead is the first of the range or more, and the high octet if it is after the last
 * @composes: the form composes
 * @compatibility: the form uses compatibility decompositions
 * @folds: the form uses NFKC_Casefold
 */
struct utf8guard_rules {
	u16 stop;
	u16 no;
	u16 decomposes;
	struct utf8guard_range inert_leads[4];
	struct utf8guard_calm calm[6];
	struct utf8guard_calm calm_two[9];
	const u16 *active_leads;
	const u16 *inert_ranges;
	bool composes;
	bool compatibility;
	bool folds;
};

extern const struct utf8guard_rules utf8guard_rules[UTF8GUARD_FORMS];

/* A character in UTF-8: its class and how many octets it takes. */
struct utf8guard_char {
	u16 bits;
	u16 length;
};

/*
 * A decomposition: UTF-8, and the rank of its last code point. UTF8GUARD_COPY octets may be
 * read at @octets, whatever @length is.
 */
#define UTF8GUARD_COPY 16

struct utf8guard_parts {
	const u8 *octets;
	u8 length;
	u8 last_rank;
	u8 hangul[UTF8GUARD_COPY];
};

/* @tail is the last octet, without its high bit. */
static __always_inline u16 utf8guard_class_in_row(unsigned int row, unsigned int tail)
{
	unsigned int leaf = utf8guard_class_row[row * 4 + tail / 16];

	return utf8guard_class_bits[utf8guard_class_leaf[leaf + tail % 16]];
}

static inline u16 utf8guard_class_ascii(u8 octet)
{
	return (u8)(octet - 'A') < 26 ? UTF8GUARD_QC_NFKC_CF : 0;
}

/*
 * The character at @p, where @left octets of the text remain, at least one. Its class has
 * UTF8GUARD_QC_ILL_FORMED if there is none. Which second octets may follow E0, ED, F0 and F4
 * is in the tables.
 */
static __always_inline struct utf8guard_char utf8guard_char_at(const u8 *p, size_t left)
{
	struct utf8guard_char c = { UTF8GUARD_QC_ILL_FORMED, 0 };
	unsigned int second, third, fourth, row;

	if (p[0] < 0x80) {
		c.bits = utf8guard_class_ascii(p[0]);
		c.length = 1;
		return c;
	}
	if (p[0] < 0xc2 || left < 2)
		return c;
	second = p[1] ^ 0x80;
	if (p[0] < 0xe0) {
		if (second > 0x3f)
			return c;
		c.bits = utf8guard_class_in_row(utf8guard_class_two[p[0] - 0xc0], second);
		c.length = 2;
		return c;
	}
	if (left < 3)
		return c;
	third = p[2] ^ 0x80;
	if ((second | third) > 0x3f)
		return c;
	if (p[0] < 0xf0) {
		row = utf8guard_class_three[(p[0] - 0xe0) * 64 + second];
		c.bits = utf8guard_class_in_row(row, third);
		c.length = 3;
		return c;
	}
	if (left < 4 || p[0] > 0xf4)
		return c;
	fourth = p[3] ^ 0x80;
	if (fourth > 0x3f)
		return c;
	row = utf8guard_class_four[(p[0] - 0xf0) * 64 + second];
	c.bits = utf8guard_class_in_row(utf8guard_class_mid[row * 64 + third], fourth);
	c.length = 4;
	return c;
}

/* The code point of a well-formed sequence of @length octets. */
static inline u32 utf8guard_decode(const u8 *p, unsigned int length)
{
	switch (length) {
	case 1:
		return p[0];
	case 2:
		return (p[0] & 0x1f) << 6 | (p[1] & 0x3f);
	case 3:
		return (p[0] & 0xf) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f);
	default:
		return (p[0] & 7) << 18 | (p[1] & 0x3f) << 12 |
		       (p[2] & 0x3f) << 6 | (p[3] & 0x3f);
	}
}

/* Is the character at @p, of class and length @c, a Hangul syllable? */
static inline bool utf8guard_is_hangul(const u8 *p, struct utf8guard_char c)
{
	return c.length == 3 && p[0] - 0xeaU < 4 &&
	       utf8guard_decode(p, 3) - UTF8GUARD_HANGUL < UTF8GUARD_HANGUL_COUNT;
}

static inline unsigned int utf8guard_encoded_length(u32 code_point)
{
	return 1 + (code_point > 0x7f) + (code_point > 0x7ff) + (code_point > 0xffff);
}

static inline unsigned int utf8guard_encode(u32 code_point, u8 *p)
{
	if (code_point < 0x80) {
		p[0] = code_point;
		return 1;
	}
	if (code_point < 0x800) {
		p[0] = 0xc0 | code_point >> 6;
		p[1] = 0x80 | (code_point & 0x3f);
		return 2;
	}
	if (code_point < 0x10000) {
		p[0] = 0xe0 | code_point >> 12;
		p[1] = 0x80 | (code_point >> 6 & 0x3f);
		p[2] = 0x80 | (code_point & 0x3f);
		return 3;
	}
	p[0] = 0xf0 | code_point >> 18;
	p[1] = 0x80 | (code_point >> 12 & 0x3f);
	p[2] = 0x80 | (code_point >> 6 & 0x3f);
	p[3] = 0x80 | (code_point & 0x3f);
	return 4;
}

/* All jamo take three octets. */
static inline void utf8guard_encode_jamo(u32 jamo, u8 *p)
{
	p[0] = 0xe0 | jamo >> 12;
	p[1] = 0x80 | (jamo >> 6 & 0x3f);
	p[2] = 0x80 | (jamo & 0x3f);
}

/*
 * Is a character not inert? @second: its second octet, without the high bit; @third: its third
 * octet, or any if it has less. @active: of the form. There is no branch on the length: the rows of
 * characters of two octets have the same answer for each third octet. Those of four octets have one
 * for the 64 characters with that third octet, and say yes if any of these is not inert.
 */
static __always_inline bool utf8guard_is_active(const u16 *active, u8 lead, size_t second,
						u8 third)
{
	size_t row = utf8guard_active_row[active[lead - 0xc0] + second];

	return utf8guard_active_bits[row] >> (third & 0x3f) & 1;
}

/*
 * Are the first two characters at @p, where eight octets are, ASCII or inert? What they are is not
 * known to be well-formed.
 */
static __always_inline bool utf8guard_begins_inert(const u16 *active, const u8 *p)
{
	if (p[0] < 0xc0)
		return true;
	if (utf8guard_is_active(active, p[0], p[1] & 0x3f, p[2]))
		return false;
	p += p[0] < 0xe0 ? 2 : 3;
	return p[0] < 0xc0 || !utf8guard_is_active(active, p[0], p[1] & 0x3f, p[2]);
}

/* Where the character before @p begins; the caller knows that there is a well-formed one. */
static inline const u8 *utf8guard_previous(const u8 *p)
{
	do {
		p--;
	} while (utf8guard_is_tail(*p));
	return p;
}

const u8 *utf8guard_skip_short(const struct utf8guard_rules *rules, const u8 *p,
			       const u8 *end);
const u8 *utf8guard_skip_blocks(const struct utf8guard_rules *rules, const u8 *p,
				const u8 *end, bool may_change);
/* What is shorter takes utf8guard_skip_calm() longer than other ways. */
#define UTF8GUARD_CALM_MIN 24

typedef const u8 *utf8guard_skip_calm_fn(enum utf8guard_form form, const u8 *p, const u8 *end);
utf8guard_skip_calm_fn utf8guard_skip_calm;

/* In user space, vectors take its place where the processor has them, for shorter text, too. */
#if defined(__KERNEL__) || defined(WITH_STATIC_CALLS)
#define utf8guard_skip_calm_chosen utf8guard_skip_calm
#define utf8guard_calm_least UTF8GUARD_CALM_MIN
#else
extern utf8guard_skip_calm_fn *utf8guard_skip_calm_chosen;
extern size_t utf8guard_calm_least;
#ifdef __x86_64__
#define UTF8GUARD_CALM_AVX2_MIN 16
utf8guard_skip_calm_fn utf8guard_skip_calm_avx2;
#endif
#endif

/* Longer text of Latin script is mostly ASCII. */
#define UTF8GUARD_CALM_LATIN 256

bool utf8guard_is_calm_latin(const struct utf8guard_rules *rules, const u8 *p);

/*
 * Is utf8guard_skip_calm() the fastest way for a text that begins so, and not with ASCII? It is for
 * scripts with few other characters, such as spaces, and for those that share leads with marks.
 */
static __always_inline bool utf8guard_is_calm_script(const u8 *p, size_t len)
{
	/* Leads C4 to CF, D7 to DB, E0, E3, EA to ED, EF, F0 */
	const u64 leads = 0x0001bc090f80fff0ULL;

	/* Of E0, Thai and Lao, but not the scripts of India. */
	return leads >> (p[0] - 0xc0) & 1 && len >= utf8guard_calm_least &&
	       (p[0] != 0xe0 || p[1] >= 0xb8);
}

/* The same for forms that decompose: Cyrillic, Hebrew, jamo, full width and pictographs. */
static __always_inline bool utf8guard_is_calm_decomposed(const u8 *p, size_t len)
{
	return len >= utf8guard_calm_least &&
	       (p[0] == 0xd7 || p[0] >= 0xef || (p[0] & 0xfe) == 0xd0 ||
		(p[0] == 0xe1 && (p[1] & 0xfc) == 0x84));
}

const u8 *utf8guard_skip_inert(const struct utf8guard_rules *rules, const u8 *p,
			       const u8 *end, struct utf8guard_char *found);
/* Aligned: long text of Russian takes 12 percent more where its loops lie badly. */
const u8 *utf8guard_skip_yes(const struct utf8guard_rules *rules, const u8 *p, const u8 *end,
			     u8 *rank, struct utf8guard_char *found) __aligned(64);
const u8 *utf8guard_starter_before(const u8 *text, const u8 *p, const u8 *end,
				   struct utf8guard_char *starter);
void utf8guard_decompose(const struct utf8guard_rules *rules, const u8 *p,
			 struct utf8guard_char c, struct utf8guard_parts *parts);
u32 utf8guard_composite(u32 first, u32 second);

/*
 * Does the character at @p, of which the quick check says Maybe, compose with the one before it?
 * @c: its class and length. @text: how far to look back. Return: the character before, with
 * @composite set to the composite, or 0 if there is none; NULL where these two do not decide it.
 */
static inline const u8 *utf8guard_composes_with(const struct utf8guard_rules *rules,
						const u8 *text, const u8 *p,
						struct utf8guard_char c, const u8 *end,
						u32 *composite)
{
	struct utf8guard_char before;
	const u8 *begin;

	if (p == text || !(c.bits & UTF8GUARD_QC_MAYBE) || c.bits & (rules->no | rules->decomposes))
		return NULL;
	begin = utf8guard_previous(p);
	before = utf8guard_char_at(begin, end - begin);
	if (before.bits & UTF8GUARD_RANK ||
	    (before.bits & rules->decomposes && !utf8guard_is_hangul(begin, before)))
		return NULL;
	*composite = utf8guard_composite(utf8guard_decode(begin, before.length),
					 utf8guard_decode(p, c.length));
	return begin;
}

/**
 * struct utf8guard_reader - a text, read as its decomposition
 * @rules: of the form
 * @at: the next character
 * @end: of the text
 * @begin: of the character that the last code point came from
 * @part: what is left of the decomposition of that character
 * @part_end: its end
 * @parts: its decomposition
 *
 * Ill-formed input ends the text.
 */
struct utf8guard_reader {
	const struct utf8guard_rules *rules;
	const u8 *at;
	const u8 *end;
	const u8 *begin;
	const u8 *part;
	const u8 *part_end;
	struct utf8guard_parts parts;
};

void utf8guard_read_from(struct utf8guard_reader *r,
			 const struct utf8guard_rules *rules, const u8 *at,
			 const u8 *end);
bool utf8guard_read(struct utf8guard_reader *r, u32 *code_point, u16 *bits);

void utf8guard_read_marks_from(struct utf8guard_reader *r,
			       const struct utf8guard_rules *rules,
			       const u8 *head, const u8 *end);
bool utf8guard_read_mark(struct utf8guard_reader *r, u32 *code_point, u8 *rank);

/**
 * struct utf8guard_run - a starter and the marks after it, in canonical order
 * @starter: the code point, or UTF8GUARD_NO_STARTER
 * @count: marks held
 * @room: marks that fit
 * @mark: code points, with the rank above bit 24
 */
struct utf8guard_run {
	u32 starter;
	u16 count;
	u16 room;
	u32 *mark;
};

#define UTF8GUARD_MARK_RANK_SHIFT 24
#define UTF8GUARD_MARK_CODE_POINT 0x1fffff

/* Marks of a run that are sorted on the stack; a longer run is read from the text again. */
#define UTF8GUARD_RUN_MARKS 32

bool utf8guard_run_add(struct utf8guard_run *run, u32 code_point, u8 rank);
void utf8guard_run_compose(struct utf8guard_run *run);
bool utf8guard_run_join(struct utf8guard_run *run, u32 starter);

/**
 * struct utf8guard_long_run - a starter, composed, and marks left in the text
 * @starter: the code point, or UTF8GUARD_NO_STARTER
 * @present: bit set of the ranks of the marks
 * @taken: ranks, one for each mark that the starter has composed with; always
 *	the first marks of their rank
 * @taken_count: how many, at most 3: no canonical decomposition has more marks
 */
struct utf8guard_long_run {
	u32 starter;
	u64 present;
	u8 taken[3];
	u8 taken_count;
};

const u8 *utf8guard_long_run(const struct utf8guard_rules *rules, u32 starter,
			     const u8 *head, const u8 *end,
			     struct utf8guard_long_run *run, size_t *octets);

/* Has the next mark of @rank composed with the starter? To be asked of all marks, in text order. */
static inline bool utf8guard_take(struct utf8guard_long_run *run, u8 rank)
{
	unsigned int i;

	for (i = 0; i < run->taken_count; i++)
		if (run->taken[i] == rank) {
			run->taken[i] = 0;
			return true;
		}
	return false;
}

#endif /* _UTF8GUARD_NORMALIZATION_H */
