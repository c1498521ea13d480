/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks that every engine has to pass: it agrees with the reference on every text. A body for
 * test programs, which supply the engine. STEP=N in the environment takes one of N texts.
 */
#ifndef _UTF8GUARD_ENGINE_CHECKS_H
#define _UTF8GUARD_ENGINE_CHECKS_H

#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "reference.h"
#include "../../kunit/sample.h"
#include "tap.h"

typedef size_t (*prefix_fn)(const u8 *text, size_t len);

/* Prints a disagreement: both answers, and the octets on both sides of the right one. */
static bool agree(prefix_fn prefix, const u8 *p, size_t len)
{
	size_t want = reference_prefix(p, len), got = prefix(p, len), i;

	if (got == want)
		return true;
	printf("# %zu octets: %zu, not %zu:", len, got, want);
	for (i = want > 8 ? want - 8 : 0; i < len && i < want + 8; i++)
		printf(" %02x", p[i]);
	printf("\n");
	return false;
}

/* Four octets from the borders of the grammar's ranges, at each place of a text. */
static void check_borders(const char *name, prefix_fn prefix, size_t size)
{
	u8 *text = malloc(size);
	u64 wrong = 0, judged = 0;
	u64 seed = 1;
	size_t at;
	unsigned int i, k, step = tap_step();

	memset(text, 'a', size);
	for (at = 0; at + 4 <= size; at++) {
		for (i = 0; i < 20000; i += step) {
			for (k = 0; k < 4; k++)
				text[at + k] = sample_border[sample_random(&seed) %
							     SAMPLE_BORDERS];
			wrong += !agree(prefix, text, size);
			judged++;
		}
		memset(text + at, 'a', 4);
	}
	free(text);
	tap_ok(!wrong, "%s: borders of the grammar at each place of %zu octets: %llu of %llu wrong",
	       name, size, (unsigned long long)wrong, (unsigned long long)judged);
}

/*
 * Each mistake at each of the last 256 places of a text of each kind. At the last ones, the end of
 * the text cuts the mistake off.
 */
static void check_planted(const char *name, prefix_fn prefix)
{
	static u8 base[2048 + 64], text[2048 + 64];
	u64 seed = 42, wrong = 0, judged = 0;
	unsigned int mix, m;
	size_t at, len, align, step = tap_step();

	for (mix = 0; mix < SAMPLE_MIXES; mix++) {
		for (align = 0; align < 64; align += 13) {
			for (len = 700; len < 2048; len = len * 2 + 11) {
				u8 *p = text + align;

				sample_text(base, len, sample_mixes[mix], &seed);
				for (at = len - 256; at < len; at += step) {
					for (m = 0; m < SAMPLE_MISTAKES; m++) {
						size_t n = sample_mistakes[m].len;

						if (n > len - at)
							n = len - at;
						memcpy(p, base, len);
						memcpy(p + at, sample_mistakes[m].octets, n);
						wrong += !agree(prefix, p, len);
						judged++;
						if (wrong > 10)
							goto out;
					}
				}
			}
		}
	}
out:
	tap_ok(!wrong, "%s: mistakes planted at each place of a window: %llu of %llu wrong",
	       name, (unsigned long long)wrong, (unsigned long long)judged);
}

/* Texts of all kinds and lengths, most of them with an octet or a few changed. */
static void check_random(const char *name, prefix_fn prefix, unsigned int count)
{
	static u8 text[6000 + 64];
	u64 seed = 7, wrong = 0;
	unsigned int n;

	for (n = 0; n < count && wrong < 10; n++) {
		size_t limit = n % 16 ? 400 : 6000;
		size_t len = sample_random(&seed) % limit;
		u8 *p = text + sample_random(&seed) % 64;
		unsigned int changes = sample_random(&seed) % 4;

		sample_text(p, len, sample_mixes[sample_random(&seed) % SAMPLE_MIXES],
			    &seed);
		while (changes-- && len)
			p[sample_random(&seed) % len] =
				sample_border[sample_random(&seed) % SAMPLE_BORDERS];
		wrong += !agree(prefix, p, len);
	}
	tap_ok(!wrong, "%s: %u random texts: %llu wrong", name, count,
	       (unsigned long long)wrong);
}

/* Nothing outside the text is read: it begins after an unreadable page, or ends before one. */
static void check_borders_of_pages(const char *name, prefix_fn prefix)
{
	size_t page = sysconf(_SC_PAGESIZE), len;
	u8 *area = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u8 *begin = area + page, *end = begin + page;
	u64 seed = 3, wrong = 0;
	unsigned int n;

	if (area == MAP_FAILED || mprotect(begin, page, PROT_READ | PROT_WRITE)) {
		tap_ok(false, "%s: a guarded page", name);
		return;
	}
	for (len = 0; len <= 1200; len++) {
		for (n = 0; n < 40; n++) {
			const u8 *mix = sample_mixes[n % SAMPLE_MIXES];

			sample_text(end - len, len, mix, &seed);
			if (len && n >= 20)
				end[-1 - (long)(sample_random(&seed) % len)] ^= 0x80;
			wrong += !agree(prefix, end - len, len);
			memmove(begin, end - len, len);
			wrong += !agree(prefix, begin, len);
		}
	}
	munmap(area, 3 * page);
	tap_ok(!wrong, "%s: texts of 0..1200 octets between unreadable pages", name);
}

static void check_engine(const char *name, prefix_fn prefix)
{
	tap_ok(prefix(NULL, 0) == 0, "%s: no text at all", name);
	check_borders(name, prefix, 40);
	check_borders(name, prefix, 150);
	check_borders(name, prefix, 330);
	check_planted(name, prefix);
	check_random(name, prefix, 400000 / tap_step());
	check_borders_of_pages(name, prefix);
}

#endif /* _UTF8GUARD_ENGINE_CHECKS_H */
