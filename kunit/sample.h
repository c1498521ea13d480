/* SPDX-License-Identifier: GPL-2.0 */
/* Texts for tests: reproducible random numbers, and characters and mistakes made of them. */
#ifndef _UTF8GUARD_KUNIT_SAMPLE_H
#define _UTF8GUARD_KUNIT_SAMPLE_H

#include <linux/utf8guard.h>

/* A fuzzer has its own, sample_random(), which takes them from its input. */
#ifndef SAMPLE_RANDOM
/* xorshift64*; the seed is never 0 */
static inline u32 sample_random(u64 *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return (*seed * 0x2545f4914f6cdd1dULL) >> 32;
}
#else
u32 sample_random(u64 *seed);
#endif

/* One well-formed character of @len octets, 1 to 4, at @p. */
static inline void sample_char(u8 *p, unsigned int len, u64 *seed)
{
	static const struct { u32 first, last; } range[] = {
		{ 0, 0x7f }, { 0x80, 0x7ff }, { 0x800, 0xffff }, { 0x10000, 0x10ffff },
	};
	static const u8 mark[] = { 0, 0xc0, 0xe0, 0xf0 };
	u32 first = range[len - 1].first, count = range[len - 1].last - first + 1;
	u32 code_point;
	unsigned int i;

	do {
		code_point = first + sample_random(seed) % count;
	} while (code_point >= 0xd800 && code_point <= 0xdfff);
	for (i = len - 1; i > 0; i--, code_point >>= 6)
		p[i] = 0x80 | (code_point & 0x3f);
	p[0] = mark[len - 1] | code_point;
}

/*
 * Well-formed text of exactly @len octets. @mix has the likelihood of each
 * length of characters, out of 256; what is left is ASCII.
 */
static inline void sample_text(u8 *p, size_t len, const u8 mix[3], u64 *seed)
{
	size_t i = 0;

	while (i < len) {
		u8 dice = sample_random(seed);
		unsigned int n = dice < mix[0] ? 2 :
				 dice < mix[0] + mix[1] ? 3 :
				 dice < mix[0] + mix[1] + mix[2] ? 4 : 1;

		if (n > len - i)
			n = len - i;
		sample_char(p + i, n, seed);
		i += n;
	}
}

#define SAMPLE_MIXES 8
static const u8 sample_mixes[SAMPLE_MIXES][3] = {
	{ 0, 0, 0 }, { 255, 0, 0 }, { 0, 255, 0 }, { 0, 0, 255 },
	{ 80, 80, 40 }, { 8, 2, 1 }, { 2, 200, 2 }, { 200, 20, 2 },
};

/* Octets at the borders of the grammar's ranges: where mistakes are made. */
static const u8 sample_border[] = {
	0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xaf, 0xb0, 0xbf,
	0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
	0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
};

#define SAMPLE_BORDERS (sizeof(sample_border))

/* Whatever breaks RFC 3629, in every way there is. */
#define SAMPLE_MISTAKES 30
static const struct {
	u8 octets[6];
	u8 len;
} sample_mistakes[SAMPLE_MISTAKES] = {
	{ { 0x80 }, 1 }, { { 0xbf }, 1 }, { { 0xc0, 0x80 }, 2 },
	{ { 0xc0, 0xaf }, 2 }, { { 0xc1, 0xbf }, 2 }, { { 0xc2 }, 1 },
	{ { 0xdf }, 1 }, { { 0xe0, 0x80, 0xaf }, 3 }, { { 0xe0, 0x9f, 0xbf }, 3 },
	{ { 0xe0, 0xa0 }, 2 }, { { 0xe1 }, 1 }, { { 0xef, 0xbf }, 2 },
	{ { 0xed, 0xa0, 0x80 }, 3 }, { { 0xed, 0xbf, 0xbf }, 3 },
	{ { 0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80 }, 6 },
	{ { 0xf0, 0x80, 0x80, 0xaf }, 4 }, { { 0xf0, 0x8f, 0xbf, 0xbf }, 4 },
	{ { 0xf0, 0x90, 0x80 }, 3 }, { { 0xf1, 0x80 }, 2 }, { { 0xf3 }, 1 },
	{ { 0xf4, 0x90, 0x80, 0x80 }, 4 }, { { 0xf4, 0xbf, 0xbf, 0xbf }, 4 },
	{ { 0xf5, 0x80, 0x80, 0x80 }, 4 }, { { 0xf7, 0xbf, 0xbf, 0xbf }, 4 },
	{ { 0xf8, 0x88, 0x80, 0x80, 0x80 }, 5 },
	{ { 0xfc, 0x84, 0x80, 0x80, 0x80, 0x80 }, 6 }, { { 0xfe }, 1 }, { { 0xff }, 1 },
	{ { 0xf4, 0x8f, 0xbf, 0xbf, 0xbf }, 5 }, { { 0xe2, 0x82, 0xac, 0x80 }, 4 },
};

#endif /* _UTF8GUARD_KUNIT_SAMPLE_H */
