/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Skips what a form cannot change, 64 octets at a time, and validates it, by operations on planes
 * that are the same for every text: no look-up, no branch on a length or a script. A few more
 * operations than validation takes tell of most characters of the common scripts that they are
 * inert. Only the others are looked up.
 *
 * A body to be included, after the planes: compiled once in general registers (calm.c), and for
 * user space with vectors (userspace/codec/calm_x86_avx2.c). load_planes() loads up to 64 octets,
 * of which there are CALM_LEAST or more.
 */
#include "../dfa.h"
#include "normalization.h"

/*
 * The planes of a block, and what they are of the octet after each, for leads. The octets after the
 * block count as 0.
 */
struct leads {
	u64 b4, b3, b2, b1, b0;
	u64 s5, s4, s3, s2, s1, s0;
	u64 all, three, four;
};

static __always_inline struct leads leads_of(const u64 w[8])
{
	struct leads l = {
		.b4 = w[4], .b3 = w[3], .b2 = w[2], .b1 = w[1], .b0 = w[0],
		.s5 = later(w[5]), .s4 = later(w[4]), .s3 = later(w[3]),
		.s2 = later(w[2]), .s1 = later(w[1]), .s0 = later(w[0]),
		.all = w[7] & w[6],
	};

	l.three = l.all & w[5];
	l.four = l.three & w[4];
	return l;
}

/* Of leads C0 to DF, those of calm characters in NFC. */
static __always_inline u64 calm_twos_nfc(const struct leads *l)
{
	u64 latin = ~(l->b3 & l->b2);					/* C2 to CB */
	u64 greek = l->b3 & l->b2 & l->b1 &				/* CE 88 to CF BF */
		    (l->b0 | l->s5 | l->s4 | l->s3);

	return ~l->b4 & (latin | greek);
}

/* The same in NFKC. */
static __always_inline u64 calm_twos_nfkc(const struct leads *l)
{
	u64 latin = ~l->b3 & l->b1 & (l->b2 ^ l->b0);			/* C3, C6 */
	u64 greek = l->b3 & l->b2 & l->b1 & ((l->b0 & ~l->s5 & ~l->s4) |	/* CF 80 to CF 8F */
					     (~l->b0 & (l->s5 | l->s4 | l->s3)));

	return ~l->b4 & (latin | greek);
}

/* The same of leads D0 to DF, in NFC or NFKC. */
static __always_inline u64 calm_twos_composed(const struct leads *l, bool compatibility)
{
	u64 hebrew = l->s5 | l->s4 | ~l->b2 | ~l->b1;			/* D7 90 to D7 BF */
	u64 cyrillic = ~l->b3 & ~(l->b1 & ~l->b0) & hebrew &		/* D0, D1, D3 to D5 */
		       (compatibility ? ~(l->b2 & ~l->b1) : ~0ULL);	/* D0, D1, D3 */
	u64 arabic_d9 = ~(l->s5 | l->s4 | (l->s3 & (l->s2 | (l->s1 & l->s0))));
	u64 arabic = l->b3 & ~l->b2 &					/* D8 A0 to D9 8A, DA */
		     ((l->b1 & ~l->b0) | (~l->b1 & ((l->b0 & arabic_d9) | (~l->b0 & l->s5))));

	return l->b4 & (cyrillic | arabic);
}

/* D0 90 to D1 8F without D0 99 and D0 B9, and D7 90 to D7 BF, in the forms that decompose. */
static __always_inline u64 calm_twos_decomposed(const struct leads *l)
{
	u64 high = l->s5 | l->s4;
	u64 short_i = l->s4 & l->s3 & ~(l->s2 | l->s1) & l->s0;
	u64 cyrillic = ~(l->b2 | l->b1) & ((~l->b0 & high & ~short_i) | (l->b0 & ~high));
	u64 hebrew = l->b2 & l->b1 & l->b0 & high;

	return l->b4 & ~l->b3 & (cyrillic | hebrew);
}

/* The leads of which the octet two after them is in @plane. */
static __always_inline u64 third(u64 plane)
{
	return later(later(plane));
}

/* Of leads E0 to EF, those of calm characters in NFC or NFKC, but for Thai. */
static __always_inline u64 calm_threes_composed(const u64 w[8], const struct leads *l,
						bool compatibility)
{
	u64 voiced = ~w[5] & w[4] & w[3] & ~w[2] & (w[1] ^ w[0]);	/* third of 99, 9A */
	u64 ideographs = (~l->b3 & l->b2) | (l->b3 & ~l->b2 & ~l->b1);	/* E4 to E9 */
	u64 hangul = l->b3 & ((~l->b2 & l->b1 & (l->b0 | (l->s5 & l->s4))) | (l->b2 & ~l->b1));
	u64 latin = ~l->b3 & ~l->b2 & ~l->b1 & l->b0 &			/* E1 B8 to E1 BB */
		    l->s5 & l->s4 & l->s3 & ~l->s2;
	u64 kana = ~l->b3 & ~l->b2 & l->b1 & l->b0 &			/* E3 81 to E3 83 */
		   ~(l->s5 | l->s4 | l->s3 | l->s2) & (l->s1 | l->s0);

	if (compatibility) {
		latin &= l->s1 & l->s0;
		/* And of 98 to 9F, BF. */
		voiced = (~w[5] & w[4] & w[3]) | (w[5] & w[4] & w[3] & w[2] & w[1] & w[0]);
		kana &= ~third(voiced);
	} else {
		kana &= l->s0 | ~third(voiced);				/* E3 82 99, E3 82 9A */
	}
	return ideographs | hangul | latin | kana;
}

/* E4 to E9, and E1 84 to E1 87, in the forms that decompose. */
static __always_inline u64 calm_threes_decomposed(const struct leads *l)
{
	u64 ideographs = (~l->b3 & l->b2) | (l->b3 & ~l->b2 & ~l->b1);
	u64 jamo = ~(l->b3 | l->b2 | l->b1) & l->b0 & ~(l->s5 | l->s4 | l->s3) & l->s2;

	return ideographs | jamo;
}

/* E0 B8 80 to E0 B9 BF without marks, and without what NFKC and NFKD change. */
static __always_inline u64 calm_thai(const u64 w[8], const struct leads *l, bool compatibility)
{
	u64 mark_b8 = w[5] & w[4] & w[3];				/* B8 to BF */
	u64 mark_b9 = ~w[5] & ~w[4] & w[3] & ~w[2];			/* 88 to 8B */

	if (compatibility)
		mark_b8 |= w[5] & w[4] & w[1] & w[0];			/* B3 is one of these */
	return ~(l->b3 | l->b2 | l->b1 | l->b0) & l->s5 & l->s4 & l->s3 & ~l->s2 & ~l->s1 &
	       ((~l->s0 & ~third(mark_b8)) | (l->s0 & ~third(mark_b9)));
}

/* F0 9F */
static __always_inline u64 pictographs(const struct leads *l)
{
	return ~(l->b3 | l->b2 | l->b1 | l->b0) & ~l->s5 & l->s4 & l->s3 & l->s2 & l->s1 & l->s0;
}

/* The leads of a block, whose planes these are, that begin no calm character of the form. */
static __always_inline u64 suspects_of(const u64 w[8], bool composes, bool compatibility)
{
	struct leads l = leads_of(w);
	u64 two = l.all ^ l.three, three = l.three ^ l.four, calm;

	if (composes)
		calm = two & (calm_twos_composed(&l, compatibility) |
			      (compatibility ? calm_twos_nfkc(&l) : calm_twos_nfc(&l)));
	else
		calm = two & calm_twos_decomposed(&l);
	calm |= three & ((composes ? calm_threes_composed(w, &l, compatibility) :
				     calm_threes_decomposed(&l)) |
			 calm_thai(w, &l, compatibility));
	if (!compatibility)
		calm |= l.four & pictographs(&l);
	return l.all & ~calm;
}

/* Of leads E0 to EF, those of what comes between pictographs and is calm in all forms. */
static __always_inline u64 calm_joiners(const u64 w[8], const struct leads *l)
{
	u64 low = ~(l->s2 | l->s1 | l->s0);
	u64 joiner = ~(l->s5 | l->s4 | l->s3) & low &			/* E2 80 8C to E2 80 8F */
		     third(~w[5] & ~w[4] & w[3] & w[2]);
	u64 symbol = ~l->s5 & l->s4 & l->s3;				/* E2 98 to E2 9F */
	u64 variation = l->s5 & l->s4 & l->s3 & low &			/* EF B8 80 to EF B8 8F */
			~third(w[5] | w[4]);

	return l->b1 & ((~(l->b3 | l->b2 | l->b0) & (joiner | symbol)) |
			(l->b3 & l->b2 & l->b0 & variation));
}

/*
 * The leads of marks from CC 80 to CC BF that follow ASCII, if ASCII follows: one mark, or two in
 * canonical order. The second of two is one of CC 80 to CC 8F, which are above a letter. The first
 * is one of those, CC 9B (horn) or CC A3 (dot below). Marks that the block cuts are not told.
 */
static __always_inline u64 calm_marks(const u64 w[8], const struct leads *l)
{
	const u64 last = bit_of(62) | bit_of(63);
	u64 mark = l->all & ~(l->b4 | l->b1 | l->b0) & l->b3 & l->b2;
	u64 begins = mark & ~earlier(w[7], 1), ends = mark & ~third(w[7]) & ~last;
	u64 above = ~(l->s5 | l->s4);
	u64 below = (l->s5 ^ l->s4) & ~(l->s4 ^ l->s3) & ~l->s2 & l->s1 & l->s0;
	u64 first = begins & (above | below) & third(ends & above);

	return (begins & ends) | first | earlier(earlier(first, 0), 0);
}

/*
 * As suspects_of(), for text of other kinds: pictographs, forms of full width, and, in forms that
 * decompose, letters of ASCII with marks.
 */
static __always_inline u64 other_suspects_of(const u64 w[8], bool composes, bool compatibility)
{
	const u64 decomposes = composes ? 0 : ~0ULL, canonical = compatibility ? 0 : ~0ULL;
	struct leads l = leads_of(w);
	u64 full_width = l.b3 & l.b2 & l.b1 & l.b0 &			/* EF BC to EF BF */
			 l.s5 & l.s4 & l.s3 & l.s2;
	u64 calm = (l.three & ~l.four & (calm_joiners(w, &l) | (full_width & canonical))) |
		   (l.four & pictographs(&l) & canonical) | (calm_marks(w, &l) & decomposes);

	return l.all & ~calm;
}

/* Marks that were passed over: where they began and ended, and the rank of the last one. */
struct marks {
	const u8 *begin, *end;
	unsigned int rank;
};

/*
 * Looks up the characters at @p whose leads are the bits of @leads, in order. Marks in canonical
 * order are passed over. Return: the first that the form may change; NULL if there is none.
 */
static __always_inline const u8 *first_active(u16 stop, const u8 *p, const u8 *end, u64 leads,
					      struct marks *marks)
{
	for (; leads; leads &= leads - 1) {
		const u8 *at = p + __builtin_ctzll(leads);
		struct utf8guard_char c = utf8guard_char_at(at, end - at);
		unsigned int rank = c.bits & UTF8GUARD_RANK;

		if (c.bits & stop & ~UTF8GUARD_RANK)
			return at;
		if (!rank)
			continue;
		if (at != marks->end)
			marks->begin = at;
		else if (rank < marks->rank)
			return at;
		marks->end = at + c.length;
		marks->rank = rank;
	}
	return NULL;
}

/*
 * What was found in a block, or in a shorter text and NUL after it: what is wrong, suspects, and
 * whether the end cuts a character, which is not wrong.
 */
struct found {
	u64 wrong, suspects, due;
};

static __always_inline struct found find(const u8 *p, size_t len, enum utf8guard_form form,
					 bool other)
{
	const bool composes = form == UTF8GUARD_FORM_NFC || form == UTF8GUARD_FORM_NFKC;
	const bool compatibility = form == UTF8GUARD_FORM_NFKC || form == UTF8GUARD_FORM_NFKD;
	struct carry carry = {};
	struct found found;
	u64 w[8];

	load_planes(w, p, len);
	found.wrong = judge_planes(w, &carry);
	found.suspects = other ? other_suspects_of(w, composes, compatibility) :
				 suspects_of(w, composes, compatibility);
	found.due = carry.due;
	return found;
}

/* How far a text was passed over, the marks at the end of that, and what the form may change. */
struct passed {
	const u8 *p, *active;
	struct marks marks;
};

/* Goes on after the @len octets at @passed->p, unless something in them may be changed. */
static __always_inline bool pass(struct passed *passed, const u8 *end, size_t len,
				 struct found found, u16 stop)
{
	if (likely(!(found.wrong | found.suspects | found.due))) {
		passed->p += len;
		return true;
	}
	if (found.wrong)
		return false;
	if (found.due) {
		/* The last character goes on after the block, and is looked at again. */
		if (passed->p + len == end)
			return false;
		len = utf8guard_previous(passed->p + len) - passed->p;
	}
	if (found.suspects) {
		u64 leads = in_order(found.suspects) & ~0ULL >> (64 - len);

		passed->active = first_active(stop, passed->p, end, leads, &passed->marks);
		if (passed->active)
			return false;
	}
	passed->p += len;
	return true;
}

/*
 * What find() found in the first block, in two registers. That block and what comes after it are
 * functions that are not inlined: the first block is all of most names, and has all registers for
 * its planes.
 */
struct first {
	u64 wrong, suspects;
};

static __always_inline struct first first_of(struct found found)
{
	return (struct first){ found.wrong, found.suspects };
}

/* Skips from @p on, where the first block has been looked at: @found is in it. */
static __always_inline const u8 *skip_from(enum utf8guard_form form, const u8 *p, const u8 *end,
					   struct found found, bool other)
{
	const u16 stop = utf8guard_rules[form].stop;
	struct passed passed = { .p = p };
	size_t len = min_t(size_t, end - p, 64);
	bool goes_on = pass(&passed, end, len, found, stop);

	while (goes_on && end - passed.p >= CALM_LEAST) {
		len = min_t(size_t, end - passed.p, 64);
		found = find(passed.p, len, form, other);
		goes_on = pass(&passed, end, len, found, stop);
	}
	p = passed.active ?: passed.p;
	return p == passed.marks.end ? passed.marks.begin : p;
}

static __always_inline const u8 *skip_on(enum utf8guard_form form, const u8 *p, const u8 *end,
					 struct first first)
{
	u64 due = end - p >= 64 && utf8guard_is_unfinished(p + 64);

	return skip_from(form, p, end, (struct found){ first.wrong, first.suspects, due }, false);
}

static noinline struct first first_nfc(const u8 *p, size_t len)
{
	return first_of(find(p, len, UTF8GUARD_FORM_NFC, false));
}

static noinline const u8 *skip_on_nfc(const u8 *p, const u8 *end, struct first first)
{
	return skip_on(UTF8GUARD_FORM_NFC, p, end, first);
}

static noinline struct first first_nfkc(const u8 *p, size_t len)
{
	return first_of(find(p, len, UTF8GUARD_FORM_NFKC, false));
}

static noinline const u8 *skip_on_nfkc(const u8 *p, const u8 *end, struct first first)
{
	return skip_on(UTF8GUARD_FORM_NFKC, p, end, first);
}

static noinline struct first first_nfd(const u8 *p, size_t len)
{
	return first_of(find(p, len, UTF8GUARD_FORM_NFD, false));
}

static noinline const u8 *skip_on_nfd(const u8 *p, const u8 *end, struct first first)
{
	return skip_on(UTF8GUARD_FORM_NFD, p, end, first);
}

static noinline struct first first_nfkd(const u8 *p, size_t len)
{
	return first_of(find(p, len, UTF8GUARD_FORM_NFKD, false));
}

static noinline const u8 *skip_on_nfkd(const u8 *p, const u8 *end, struct first first)
{
	return skip_on(UTF8GUARD_FORM_NFKD, p, end, first);
}

typedef struct first first_fn(const u8 *p, size_t len);
typedef const u8 *skip_on_fn(const u8 *p, const u8 *end, struct first first);

/* Both functions are constants here, and are called directly. */
static __always_inline const u8 *skip(const u8 *p, const u8 *end, first_fn *first,
				      skip_on_fn *after)
{
	struct first found;

	if (end - p < CALM_LEAST)
		return p;
	found = first(p, min_t(size_t, end - p, 64));
	if (likely(!(found.wrong | found.suspects) && end - p < 64))
		return end;
	return after(p, end, found);
}

/* One for all forms: which of them, is not known when it is compiled. */
static noinline const u8 *skip_other(enum utf8guard_form form, const u8 *p, const u8 *end)
{
	if (end - p < CALM_LEAST)
		return p;
	return skip_from(form, p, end, find(p, min_t(size_t, end - p, 64), form, true), true);
}

/* What utf8guard_skip_calm() does. */
static __always_inline const u8 *skip_calm(enum utf8guard_form form, const u8 *p, const u8 *end)
{
	const struct utf8guard_rules *rules = &utf8guard_rules[form];

	/* Each form has tests of its own, which take less time in front of short texts. */
	switch (form) {
	case UTF8GUARD_FORM_NFC:
		if (*p >= 0xef)
			return skip_other(form, p, end);
		return skip(p, end, first_nfc, skip_on_nfc);
	case UTF8GUARD_FORM_NFKC:
		if (*p >= 0xef)
			return utf8guard_skip_blocks(rules, p, end, false);
		return skip(p, end, first_nfkc, skip_on_nfkc);
	case UTF8GUARD_FORM_NFD:
		if (*p < 0xc0 || *p >= 0xef)
			return skip_other(form, p, end);
		return skip(p, end, first_nfd, skip_on_nfd);
	default:
		if (*p < 0xc0)
			return skip_other(form, p, end);
		if (*p >= 0xef)
			return utf8guard_skip_blocks(rules, p, end, false);
		return skip(p, end, first_nfkd, skip_on_nfkd);
	}
}
