// SPDX-License-Identifier: GPL-2.0
/*
 * The normaliser against ICU, utf8proc and libunistring (those that were there
 * at build time), in one process: core cycles an octet, medians of rounds in
 * which all take turns, on names of 20 to 60 octets and on 64 KiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>
#include "../../kunit/words.h"
#if __has_include(<unicode/normalizer2.h>)
#define HAVE_ICU
#endif
#if __has_include(<utf8proc.h>)
#include <utf8proc.h>
#define HAVE_UTF8PROC
#endif
#if __has_include(<uninorm.h>)
#include <uninorm.h>
#define HAVE_UNISTRING
#endif

#define ROUNDS 21
#define NAMES 2048
#define LONG_TEXT 65536
#define ROOM (12 * LONG_TEXT)

struct text {
	const struct words *words;
	u8 *octets;
	size_t offset[NAMES + 1];
};

static struct text texts[WORDS_TEXTS];

static u8 result[ROOM];
static void make(struct text *t, const struct words *words)
{
	u64 seed = 0x5eed;
	unsigned int i;
	size_t len = 0;

	t->words = words;
	t->octets = malloc(NAMES * (WORDS_ROOM + 32));
	for (i = 0; i < NAMES; i++) {
		t->offset[i] = len;
		len += words_put_name(words, t->octets + len, &seed);
	}
	t->offset[NAMES] = len;
}

enum { OURS, OURS_CHECK, ICU, ICU_CHECK, UTF8PROC, UNISTRING, PEERS };
static const char *const peers[PEERS] = {
	"utf8guard", "  check", "ICU", "  check", "utf8proc", "unistring",
};

#ifdef HAVE_ICU
size_t bench_icu_normalize(int form, const void *text, size_t len, void *dst, size_t cap);
int bench_icu_check(int form, const void *text, size_t len);
#endif

static size_t run(int peer, enum utf8guard_form form, const u8 *p, size_t len)
{
	size_t out_len = 0;

	switch (peer) {
	case OURS:
		utf8guard_normalize(form, p, len, result, ROOM, &out_len, NULL);
		return out_len;
	case OURS_CHECK:
		return utf8guard_is_normalized(form, p, len, NULL, NULL);
#ifdef HAVE_ICU
	case ICU:
		return bench_icu_normalize(form, p, len, result, ROOM);
	case ICU_CHECK:
		return bench_icu_check(form, p, len);
#endif
#ifdef HAVE_UTF8PROC
	case UTF8PROC: {
		static const utf8proc_option_t option[] = {
			UTF8PROC_COMPOSE, UTF8PROC_DECOMPOSE,
			UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
			UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT,
		};
		utf8proc_uint8_t *out = NULL;
		utf8proc_ssize_t n = utf8proc_map(p, len, &out, option[form]);

		free(out);
		return n;
	}
#endif
#ifdef HAVE_UNISTRING
	case UNISTRING: {
		uninorm_t const forms[] = {
			UNINORM_NFC, UNINORM_NFD, UNINORM_NFKC, UNINORM_NFKD,
		};

		out_len = ROOM;
		if (u8_normalize(forms[form], p, len, result, &out_len) != result)
			abort();
		return out_len;
	}
#endif
	}
	return 0;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *value)
{
	qsort(value, ROUNDS, sizeof(*value), order);
	return value[getenv("BEST") ? 0 : ROUNDS / 2];
}

/* Ticks of the time stamp counter in a core cycle, by a chain of additions. */
static double ticks_a_cycle(void)
{
	double best = 1e9;
	int i, n;

	for (i = 0; i < 2000; i++) {
		u64 x = 0, begin = __rdtsc();

		for (n = 0; n < 200; n++)
			__asm__ volatile(".rept 100; add $1, %0; .endr" : "+r"(x));
		begin = __rdtsc() - begin;
		if (begin / 20000.0 < best)
			best = begin / 20000.0;
	}
	return best;
}

static volatile size_t sink;

static double names_once(int peer, enum utf8guard_form form, const struct text *t)
{
	u64 begin = __rdtsc();
	unsigned int n;

	for (n = 0; n < NAMES; n++)
		sink += run(peer, form, t->octets + t->offset[n],
			    t->offset[n + 1] - t->offset[n]);
	return (double)(__rdtsc() - begin) / t->offset[NAMES];
}

static double long_once(int peer, enum utf8guard_form form, const struct text *t)
{
	size_t len = t->offset[NAMES] < LONG_TEXT ? t->offset[NAMES] : LONG_TEXT;
	u64 begin;

	while ((t->octets[len] & 0xc0) == 0x80)
		len--;
	begin = __rdtsc();
	sink += run(peer, form, t->octets, len);
	return (double)(__rdtsc() - begin) / len;
}

static void compare(enum utf8guard_form form, const struct text *t, double ticks)
{
	static double names[PEERS][ROUNDS], longs[PEERS][ROUNDS];
	int peer, round;

	for (round = 0; round < ROUNDS; round++)
		for (peer = 0; peer < PEERS; peer++) {
			names[peer][round] = names_once(peer, form, t) / ticks;
			longs[peer][round] = long_once(peer, form, t) / ticks;
		}
	printf("%-5s %-14s", utf8guard_form_name(form), t->words->name);
	for (peer = 0; peer < PEERS; peer++)
		printf(" %6.2f/%6.2f", median(names[peer]), median(longs[peer]));
	printf("\n");
}

int main(int argc, char **argv)
{
	static const enum utf8guard_form forms[] = {
		UTF8GUARD_FORM_NFC, UTF8GUARD_FORM_NFD, UTF8GUARD_FORM_NFKC,
	};
	double ticks = ticks_a_cycle();
	unsigned int i, f, peer;

	printf("core cycles an octet, names/64 KiB; %.3f ticks a cycle\n%-20s", ticks, "");
	for (peer = 0; peer < PEERS; peer++)
		printf(" %13s", peers[peer]);
	printf("\n");
	for (f = 0; f < 3; f++)
		for (i = 0; i < WORDS_TEXTS; i++) {
			if (!texts[i].octets)
				make(&texts[i], &words_texts[i]);
			if (argc > 1 && strcmp(argv[1], utf8guard_form_name(forms[f])))
				continue;
			compare(forms[f], &texts[i], ticks);
		}
	return 0;
}
