/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the benchmarks on the host share: texts, the clock, rounds and quartiles.
 *
 * All contestants take turns in each round, so what disturbs the machine disturbs them alike. Each
 * round begins with a chain of multiplications, which takes a known number of cycles. Before it and
 * after it come additions that do not wait for each other: the core's other thread slows these down,
 * and not the chain. A round is disturbed if the chain took more than BENCH_SLOWER times as long as
 * in the best round, or the additions more than BENCH_SHARED times as long as where the core was ours
 * alone. The quartiles leave disturbed rounds out, if BENCH_QUIET rounds or more are left.
 * Short texts are taken by lot.
 */
#ifndef _UTF8GUARD_BENCH_H
#define _UTF8GUARD_BENCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <linux/utf8guard.h>

#define BENCH_ROUNDS 7
#define BENCH_QUIET 3
#define BENCH_SLOWER 1.03
#define BENCH_SHARED 1.08
#define BENCH_TRIES 8
#define BENCH_WARM_UP 300000 /* nanoseconds */

/* --- Texts: what texts.py wrote --- */

#define BENCH_TEXTS 40
#define BENCH_NAMES 2048

/**
 * struct bench_text - a file of names
 * @name: that of the file, without its ending
 * @octets: the whole file; after each name is a line feed
 * @len: the number of @octets
 * @at: where each name begins, and where the next one would
 * @names: the number of names, at most BENCH_NAMES; what comes after these is not used as names
 */
struct bench_text {
	char name[64];
	u8 *octets;
	size_t len;
	size_t at[BENCH_NAMES + 1];
	unsigned int names;
};

static inline void bench_find_names(struct bench_text *text)
{
	size_t begin = 0, i;

	for (i = 0; i < text->len && text->names < BENCH_NAMES; i++)
		if (text->octets[i] == '\n') {
			text->at[text->names++] = begin;
			begin = i + 1;
		}
	text->at[text->names] = begin;
}

/* The octets of a name. */
static inline size_t bench_name_len(const struct bench_text *text, unsigned int i)
{
	return text->at[i + 1] - text->at[i] - 1;
}

static inline void bench_read_text(struct bench_text *text, const char *directory,
				   const char *file)
{
	char path[4096];
	FILE *stream;
	long size;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	snprintf(text->name, sizeof(text->name), "%.*s", (int)strlen(file) - 4, file);
	stream = fopen(path, "r");
	size = stream && !fseek(stream, 0, SEEK_END) ? ftell(stream) : -1;
	if (size < 1) {
		perror(path);
		exit(1);
	}
	rewind(stream);
	text->octets = malloc(size);
	text->len = fread(text->octets, 1, size, stream);
	fclose(stream);
	bench_find_names(text);
}

static inline int bench_is_text(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 4 && !strcmp(entry->d_name + len - 4, ".txt");
}

/* All of a directory, in order; return: how many. */
static inline unsigned int bench_read_texts(struct bench_text *texts, const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, bench_is_text, alphasort), i;

	if (count <= 0 || count > BENCH_TEXTS) {
		fprintf(stderr, "%s: no texts, or too many; texts.py makes them\n", directory);
		exit(1);
	}
	for (i = 0; i < count; i++) {
		bench_read_text(&texts[i], directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return count;
}

/* --- The clock --- */

static inline double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* How often other work took the processor from this thread. */
static inline long bench_preempted(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

/**
 * bench_time - nanoseconds that a function takes
 * @run: the function; it must do the same each time
 * @what: its argument
 *
 * If other work took the processor during the call, the call is made again, BENCH_TRIES times at
 * most. The processor time of the thread does not help: it includes what a hypervisor takes.
 */
static inline double bench_time(void (*run)(const void *what), const void *what)
{
	double begin, spent;
	unsigned int tries = 0;
	long before;

	do {
		before = bench_preempted();
		begin = bench_now();
		run(what);
		spent = bench_now() - begin;
	} while (bench_preempted() != before && ++tries < BENCH_TRIES);
	return spent;
}

static inline void bench_chain(const void *unused)
{
	unsigned long i, x = 3;

	(void)unused;
	for (i = 0; i < 1000; i++)
		__asm__ volatile(".rept 10; imul %0, %0; .endr" : "+r"(x));
}

/*
 * Nanoseconds of a cycle of the core, and not of the time stamp counter. A multiplication takes
 * three cycles. Additions of constants would not do, because some cores carry them out while they
 * rename registers, and then each takes less than one cycle.
 */
static inline double bench_cycle(void)
{
	double best = 0;
	int n;

	for (n = 0; n < 3; n++) {
		double spent = bench_time(bench_chain, NULL) / 30000;

		best = !n || spent < best ? spent : best;
	}
	return best;
}

static inline void bench_additions(const void *unused)
{
	unsigned long i, a = 1, b = 2, c = 3, d = 4, e = 5;

	(void)unused;
	for (i = 0; i < 1000; i++)
		__asm__ volatile(".rept 8; add %4, %0; add %4, %1; add %4, %2; add %4, %3; .endr"
				 : "+r"(a), "+r"(b), "+r"(c), "+r"(d) : "r"(e));
}

/*
 * The least nanoseconds that the additions took, here or in an earlier process (BENCH_ALONE in the
 * environment): the core's other thread was idle then.
 */
static double bench_alone;

/* The nanoseconds that the additions take now. */
static inline double bench_share(void)
{
	const char *known = getenv("BENCH_ALONE");
	double share = bench_time(bench_additions, NULL);

	if (!bench_alone && known)
		bench_alone = atof(known);
	if (!bench_alone || share < bench_alone)
		bench_alone = share;
	return share;
}

/**
 * bench_warm_up - call a function for BENCH_WARM_UP, before its time is measured
 * @run: the function
 * @what: its argument
 *
 * A processor slows down or turns off the upper parts of its vector registers if they are not used,
 * and whoever comes after a slow contestant would pay for that. After 50 microseconds it was still
 * seen, after 300 it was not.
 */
static inline void bench_warm_up(void (*run)(const void *what), const void *what)
{
	double begin = bench_now();

	do
		run(what);
	while (bench_now() - begin < BENCH_WARM_UP);
}

/* --- Lots --- */

/*
 * Drawn once for each text, and gone through from where the last turn ended: too long to be
 * learned. Branch predictors learn a thousand names that come in turn, and a call on one of these
 * then takes half of the time.
 */
static u16 bench_lots[1 << 16];
static u16 bench_at_lot;

static inline void bench_draw_lots(unsigned int count)
{
	unsigned int i;

	srand(1);
	for (i = 0; i < sizeof(bench_lots) / sizeof(*bench_lots); i++)
		bench_lots[i] = rand() % count;
}

static inline unsigned int bench_next_lot(void)
{
	return bench_lots[bench_at_lot++];
}

/* --- Rounds --- */

/**
 * struct bench_rounds - when the machine was quiet
 * @cycle: nanoseconds of a cycle at the beginning of each round
 * @share: nanoseconds of the additions before each round, and after the last
 * @best: the least of @cycle so far
 * @quiet: the number of rounds that were not disturbed
 */
struct bench_rounds {
	double cycle[BENCH_ROUNDS];
	double share[BENCH_ROUNDS + 1];
	double best;
	unsigned int quiet;
};

static inline void bench_round_begin(struct bench_rounds *rounds, unsigned int round)
{
	rounds->cycle[round] = bench_cycle();
	rounds->share[round] = bench_share();
	if (!rounds->best || rounds->cycle[round] < rounds->best)
		rounds->best = rounds->cycle[round];
}

static inline bool bench_is_quiet(const struct bench_rounds *rounds, unsigned int round)
{
	return rounds->cycle[round] <= rounds->best * BENCH_SLOWER &&
	       rounds->share[round] <= bench_alone * BENCH_SHARED &&
	       rounds->share[round + 1] <= bench_alone * BENCH_SHARED;
}

static inline void bench_rounds_end(struct bench_rounds *rounds)
{
	unsigned int i;

	rounds->share[BENCH_ROUNDS] = bench_share();
	rounds->quiet = 0;
	for (i = 0; i < BENCH_ROUNDS; i++)
		rounds->quiet += bench_is_quiet(rounds, i);
}

static inline int bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The quartiles of what a contestant took in each round, in cycles; @ns is overwritten. */
static inline void bench_quartiles(const struct bench_rounds *rounds, double *ns,
				   double quartile[3])
{
	unsigned int i, count = 0;

	for (i = 0; i < BENCH_ROUNDS; i++)
		if (rounds->quiet < BENCH_QUIET || bench_is_quiet(rounds, i))
			ns[count++] = ns[i] / rounds->cycle[i];
	qsort(ns, count, sizeof(*ns), bench_compare);
	for (i = 0; i < 3; i++)
		quartile[i] = ns[(count - 1) * (i + 1) / 4];
}

#endif /* _UTF8GUARD_BENCH_H */
