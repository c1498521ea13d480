// SPDX-License-Identifier: GPL-2.0
/*
 * The normaliser against ICU, utf8proc and libunistring (those that were there at build
 * time), in one process:
 *
 *   normalize TEXTS [ours]      texts as texts.py makes them; ours alone
 *
 * TSV on standard output, a line for each form, text, size and contestant: quartiles of the
 * cycles of an octet. "names" are single names, by lot; 65536 are as many octets of them in a row.
 * All write into a buffer that is there before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/utf8guard_normalize.h>
#include "bench.h"
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

#define LONG_TEXT 65536
#define ROOM (12 * LONG_TEXT)

static u8 result[ROOM];
#ifdef HAVE_UTF8PROC
static utf8proc_int32_t code_points[ROOM];
#endif

enum { OURS, OURS_CHECK, ICU, ICU_CHECK, UTF8PROC, UNISTRING, PEERS };
static const char *const peers[PEERS] = {
	"utf8guard", "utf8guard check", "ICU", "ICU check", "utf8proc", "libunistring",
};

static bool is_there(int peer)
{
	switch (peer) {
	case OURS:
	case OURS_CHECK:
		return true;
#ifdef HAVE_ICU
	case ICU:
	case ICU_CHECK:
		return true;
#endif
#ifdef HAVE_UTF8PROC
	case UTF8PROC:
		return true;
#endif
#ifdef HAVE_UNISTRING
	case UNISTRING:
		return true;
#endif
	}
	printf("# %s: not there when this was built\n", peers[peer]);
	return false;
}

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
		utf8proc_ssize_t n = utf8proc_decompose(p, len, code_points, ROOM - 1, option[form]);

		return utf8proc_reencode(code_points, n, option[form]);
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

static volatile size_t sink;

struct turn {
	int peer;
	enum utf8guard_form form;
	const struct bench_text *text;
	size_t len; /* of the text in one piece; 0 for its names */
};

/* Octets of the last turn: which names it has is by lot. */
static size_t turn_octets;

static void take_turn(const void *what)
{
	const struct turn *turn = what;
	const struct bench_text *text = turn->text;
	unsigned int i;

	turn_octets = turn->len;
	if (turn->len) {
		sink += run(turn->peer, turn->form, text->octets, turn->len);
		return;
	}
	for (i = 0; i < text->names; i++) {
		unsigned int name = bench_next_lot();
		size_t len = bench_name_len(text, name);

		sink += run(turn->peer, turn->form, text->octets + text->at[name], len);
		turn_octets += len;
	}
}

/* Nanoseconds of an octet. */
static double time_of(const struct turn *turn)
{
	double spent;

	bench_warm_up(take_turn, turn);
	spent = bench_time(take_turn, turn);
	return spent / turn_octets;
}

/* Is the whole text in the form? If not, a check ends early, and is not measured. */
static bool is_checked(const struct turn *turn)
{
	const struct bench_text *text = turn->text;
	unsigned int i;

	if (turn->len)
		return run(OURS_CHECK, turn->form, text->octets, turn->len) == 1;
	for (i = 0; i < text->names; i++)
		if (run(OURS_CHECK, turn->form, text->octets + text->at[i],
			bench_name_len(text, i)) != 1)
			return false;
	return true;
}

static void measure(enum utf8guard_form form, const struct bench_text *text, size_t len,
		    const bool *present)
{
	const struct turn check = { OURS_CHECK, form, text, len };
	bool takes_part[PEERS];
	static double ns[PEERS][BENCH_ROUNDS];
	static struct bench_rounds rounds;
	double octets = len ? len : text->at[text->names] - text->names;
	unsigned int peer, round;

	memcpy(takes_part, present, sizeof(takes_part));
	if (!is_checked(&check))
		takes_part[OURS_CHECK] = takes_part[ICU_CHECK] = false;
	bench_draw_lots(text->names);
	for (round = 0; round < BENCH_ROUNDS; round++) {
		bench_round_begin(&rounds, round);
		for (peer = 0; peer < PEERS; peer++) {
			struct turn turn = { peer, form, text, len };

			if (takes_part[peer])
				ns[peer][round] = time_of(&turn);
		}
	}
	bench_rounds_end(&rounds);
	for (peer = 0; peer < PEERS; peer++) {
		double q[3];

		if (!takes_part[peer])
			continue;
		bench_quartiles(&rounds, ns[peer], q);
		printf("%s\t%s\t%s\t%.1f\t%s\t%.3f\t%.3f\t%.3f\t%u\n",
		       utf8guard_form_name(form), text->name, len ? "65536" : "names",
		       len ? octets : octets / text->names, peers[peer], q[0], q[1], q[2],
		       rounds.quiet);
	}
	fflush(stdout);
}

/* Repeats a text up to LONG_TEXT octets. Returns how many of these are whole characters. */
static size_t lengthen(struct bench_text *text)
{
	size_t len = text->len;

	text->octets = realloc(text->octets, LONG_TEXT > len ? LONG_TEXT : len);
	for (; text->len < LONG_TEXT; text->len++)
		text->octets[text->len] = text->octets[text->len - len];
	return utf8guard_boundary(text->octets, text->len, LONG_TEXT);
}

int main(int argc, char **argv)
{
	static const enum utf8guard_form forms[] = {
		UTF8GUARD_FORM_NFC, UTF8GUARD_FORM_NFD, UTF8GUARD_FORM_NFKC, UTF8GUARD_FORM_NFKD,
	};
	static struct bench_text texts[BENCH_TEXTS];
	bool takes_part[PEERS];
	unsigned int count, i, f, peer;

	if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "ours"))) {
		fprintf(stderr, "usage: normalize TEXTS [ours]\n");
		return 2;
	}
	for (peer = 0; peer < PEERS; peer++)
		takes_part[peer] = is_there(peer) && (argc < 3 || peer <= OURS_CHECK);
	count = bench_read_texts(texts, argv[1]);
	printf("# clock %.2f GHz\n", 1 / bench_cycle());
	printf("form\ttext\tsize\toctets\tby\tquartile1\tmedian\tquartile3\tquiet\n");
	for (i = 0; i < count; i++) {
		size_t len = lengthen(&texts[i]);

		for (f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
			measure(forms[f], &texts[i], 0, takes_part);
			measure(forms[f], &texts[i], len, takes_part);
		}
	}
	printf("# alone %.1f\n", bench_alone);
	return 0;
}
