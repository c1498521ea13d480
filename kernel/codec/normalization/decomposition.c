// SPDX-License-Identifier: GPL-2.0
/* The decomposition of one character, and a text read as its decomposition. */
#include "normalization.h"

static const u8 *decomposition_of(u32 code_point)
{
	const unsigned int low = UTF8GUARD_DECOMPOSITION_LOW;
	const unsigned int mid = UTF8GUARD_DECOMPOSITION_MID;
	unsigned int i;

	i = utf8guard_decomposition_top[code_point >> (low + mid)];
	i = utf8guard_decomposition_mid[i + (code_point >> low & ((1 << mid) - 1))];
	i = utf8guard_decomposition_leaf[i + (code_point & ((1 << low) - 1))];
	return utf8guard_decomposition_pool + i;
}

/* NULL where NFKC_Casefold maps the code point to its compatibility decomposition. */
static const u8 *casefold_of(u32 code_point)
{
	const unsigned int low = UTF8GUARD_CASEFOLD_LOW;
	const unsigned int mid = UTF8GUARD_CASEFOLD_MID;
	unsigned int i;

	i = utf8guard_casefold_top[code_point >> (low + mid)];
	i = utf8guard_casefold_mid[i + (code_point >> low & ((1 << mid) - 1))];
	i = utf8guard_casefold_leaf[i + (code_point & ((1 << low) - 1))];
	return i ? utf8guard_casefold_pool + i : NULL;
}

/* An entry of a pool: its length, the rank of its last code point, and the octets. */
static void take_entry(const u8 *entry, bool compatibility,
		       struct utf8guard_parts *parts)
{
	/* Where both differ, the compatibility decomposition comes second. */
	if (compatibility && entry[0] & UTF8GUARD_POOL_TWIN)
		entry += 2 + (entry[0] & UTF8GUARD_POOL_LENGTH);
	parts->length = entry[0] & UTF8GUARD_POOL_LENGTH;
	parts->last_rank = entry[1];
	parts->octets = entry + 2;
}

static void decompose_hangul(u32 syllable, struct utf8guard_parts *parts)
{
	const u32 per_l = UTF8GUARD_JAMO_V_COUNT * UTF8GUARD_JAMO_T_COUNT;
	u32 i = syllable - UTF8GUARD_HANGUL;
	u32 t = i % UTF8GUARD_JAMO_T_COUNT;

	utf8guard_encode_jamo(UTF8GUARD_JAMO_L + i / per_l, parts->hangul);
	utf8guard_encode_jamo(UTF8GUARD_JAMO_V + i % per_l / UTF8GUARD_JAMO_T_COUNT,
			      parts->hangul + 3);
	utf8guard_encode_jamo(UTF8GUARD_JAMO_T + t, parts->hangul + 6);
	parts->octets = parts->hangul;
	parts->length = t ? 9 : 6;
	parts->last_rank = 0;
}

/**
 * utf8guard_decompose() - the full decomposition of a character
 * @rules: of the form
 * @p: the character
 * @c: its class and length; the form decomposes this character
 * @parts: filled in; its octets are a pool's, or @parts->hangul
 *
 * Each decomposition is in canonical order (D109), and either begins with
 * a starter or has none. NFKC_Casefold maps some characters to nothing.
 *
 * Context: any; pure.
 */
void utf8guard_decompose(const struct utf8guard_rules *rules, const u8 *p,
			 struct utf8guard_char c, struct utf8guard_parts *parts)
{
	u32 code_point = utf8guard_decode(p, c.length);
	const u8 *entry = NULL;

	if (code_point - UTF8GUARD_HANGUL < UTF8GUARD_HANGUL_COUNT) {
		decompose_hangul(code_point, parts);
		return;
	}
	if (rules->folds && c.bits & UTF8GUARD_QC_NFKC_CF)
		entry = casefold_of(code_point);
	if (!entry)
		entry = decomposition_of(code_point);
	take_entry(entry, rules->compatibility, parts);
}

/**
 * utf8guard_read_from() - begin to read a text as its decomposition
 * @r: the reader
 * @rules: of the form
 * @at: the text
 * @end: its end
 */
void utf8guard_read_from(struct utf8guard_reader *r,
			 const struct utf8guard_rules *rules, const u8 *at,
			 const u8 *end)
{
	r->rules = rules;
	r->at = at;
	r->end = end;
	r->begin = at;
	r->part = NULL;
	r->part_end = NULL;
}

/**
 * utf8guard_read() - the next code point of the decomposition of a text
 * @r: the reader
 * @code_point: set
 * @bits: set to its class
 *
 * For a composing form, a Hangul syllable is not decomposed: its parts would only be
 * composed again.
 *
 * Context: any; pure.
 * Return: true; false at the end of the text, or where it is ill-formed.
 */
bool utf8guard_read(struct utf8guard_reader *r, u32 *code_point, u16 *bits)
{
	struct utf8guard_char c;

	while (r->part == r->part_end) {
		if (r->at == r->end)
			return false;
		c = utf8guard_char_at(r->at, r->end - r->at);
		if (c.bits & UTF8GUARD_QC_ILL_FORMED)
			return false;
		r->begin = r->at;
		r->at += c.length;
		if (!(c.bits & r->rules->decomposes) ||
		    (r->rules->composes && utf8guard_is_hangul(r->begin, c))) {
			*code_point = utf8guard_decode(r->begin, c.length);
			*bits = c.bits;
			return true;
		}
		utf8guard_decompose(r->rules, r->begin, c, &r->parts);
		r->part = r->parts.octets;
		r->part_end = r->part + r->parts.length;
	}
	c = utf8guard_char_at(r->part, r->part_end - r->part);
	*code_point = utf8guard_decode(r->part, c.length);
	*bits = c.bits;
	r->part += c.length;
	return true;
}

/**
 * utf8guard_read_marks_from() - begin to read a run of marks
 * @r: the reader
 * @rules: of the form
 * @head: the character whose decomposition ends with the starter of the run
 *	and its first marks, or the first mark at the beginning of a text
 * @end: of the text
 */
void utf8guard_read_marks_from(struct utf8guard_reader *r,
			       const struct utf8guard_rules *rules,
			       const u8 *head, const u8 *end)
{
	struct utf8guard_reader after;
	u32 code_point;
	u16 bits;

	/*
	 * A reader in the middle of a Hangul syllable must not be copied, for it points into
	 * itself. The copy that stays is never one: the parts of Hangul are all starters, so it
	 * was made after the last of them.
	 */
	utf8guard_read_from(r, rules, head, end);
	after = *r;
	while (utf8guard_read(&after, &code_point, &bits) && after.begin == head)
		if (!(bits & UTF8GUARD_RANK))
			*r = after;
}

/**
 * utf8guard_read_mark() - the next mark of a run
 * @r: the reader, from utf8guard_read_marks_from()
 * @code_point: set
 * @rank: of its combining class
 *
 * Return: whether there is one; if not, @r->begin is where the run ends.
 */
bool utf8guard_read_mark(struct utf8guard_reader *r, u32 *code_point, u8 *rank)
{
	u16 bits;

	if (!utf8guard_read(r, code_point, &bits)) {
		r->begin = r->at;
		return false;
	}
	*rank = bits & UTF8GUARD_RANK;
	return *rank;
}
