// SPDX-License-Identifier: GPL-2.0
/*
 * Validation, ours against what Debian packages: one process, all contestants
 * in turn, median of several rounds. TSV on standard output.
 *
 *   validate [DIRECTORY]   texts *-Lipsum.utf8.txt there, else made up
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../../kernel/codec/engine.h"
#include "../../kunit/sample.h"
#include "peers.h"

#define ROUNDS 9
#define ROUND_NS 400000 /* of each contestant on each text and size */
#define TEXT_LEN 65536

static const size_t sizes[] = { 8, 16, 32, 64, 128, 255, 512, 1460, 65536 };

struct contestant {
	const char *name;
	utf8guard_prefix_fn *prefix; /* ours */
	valid_fn *valid; /* theirs */
	double times[ROUNDS];
};

static struct contestant contestants[16];
static unsigned int contestant_count;

static void enter(const char *name, utf8guard_prefix_fn *prefix, valid_fn *valid)
{
	contestants[contestant_count++] = (struct contestant){ name, prefix, valid, { 0 } };
}

/* As programs call it. */
static size_t by_call(const u8 *text, size_t len)
{
	return utf8guard_validate(text, len, NULL) ? len + 1 : len;
}

/* The choice by size alone: to be as fast as the better engine. */
static size_t by_size(const u8 *text, size_t len)
{
	return utf8guard_prefix(text, len);
}

static void enter_all(void)
{
	const struct utf8guard_engine *engine;
	unsigned int i, count;

	enter("utf8guard", by_call, NULL);
	enter("dispatch", by_size, NULL);
	for (i = 0; (engine = utf8guard_engine_at(i)); i++)
		if (utf8guard_engine_usable(engine))
			enter(engine->name, engine->prefix, NULL);
	count = peers_find();
	for (i = 0; i < count; i++)
		enter(peers[i].name, NULL, peers[i].valid);
}

/* Of this thread's own time: the machine may have other work. */
static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/*
 * Cycles a nanosecond, of the core and not of the time stamp counter: a chain of
 * additions that cannot take less, or more, than one cycle each.
 */
static double cycles_per_ns(void)
{
	double best = 0;
	unsigned int round;

	for (round = 0; round < 20; round++) {
		double begin = now_ns(), speed;
		unsigned long i, x = round;

		for (i = 0; i < 100000; i++)
			__asm__ volatile("add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
					 "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
					 "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
					 "add $1, %0" : "+r"(x));
		speed = 1e6 / (now_ns() - begin);
		best = speed > best ? speed : best;
	}
	return best;
}

/* Nanoseconds a call, of independent calls on pieces of the text in turn. */
static double run(const struct contestant *c, u8 *const *pieces,
		  unsigned int count, size_t len)
{
	unsigned long calls = 0, bad = 0;
	/* Seldom to ask for the time, which takes as long as some KiB of ASCII. */
	unsigned long batch = 1 + (1 << 20) / (len + 16);
	double begin = now_ns(), spent;
	unsigned long i;

	do {
		for (i = 0; i < batch; i++) {
			const u8 *piece = pieces[i & (count - 1)];

			bad += c->prefix ? c->prefix(piece, len) != len :
					   !c->valid(piece, len);
		}
		calls += batch;
		spent = now_ns() - begin;
	} while (spent < ROUND_NS);
	if (bad) {
		fprintf(stderr, "%s: refused well-formed text\n", c->name);
		exit(1);
	}
	return spent / calls;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A piece of a text from @from on: whole characters, filled up with ASCII. */
static void cut(u8 *piece, const u8 *text, size_t from, size_t len)
{
	size_t end;

	from = utf8guard_boundary(text, TEXT_LEN, from);
	end = utf8guard_boundary(text, TEXT_LEN, from + len < TEXT_LEN ? from + len :
							 TEXT_LEN);
	memset(piece, 'a', len);
	memcpy(piece, text + from, end - from);
}

#define PIECES 32

static void measure(const char *name, const u8 *text, size_t len, double speed)
{
	unsigned int count = len > 4096 ? 1 : PIECES, i, round;
	u8 *pieces[PIECES];
	double ours;

	for (i = 0; i < count; i++) {
		pieces[i] = malloc(len);
		cut(pieces[i], text, i * ((TEXT_LEN - len) / PIECES), len);
	}
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < contestant_count; i++)
			contestants[i].times[round] =
				run(&contestants[i], pieces, count, len);
	for (i = 0; i < contestant_count; i++) {
		double *times = contestants[i].times;

		qsort(times, ROUNDS, sizeof(*times), compare);
		if (!i)
			ours = times[ROUNDS / 2];
		printf("%s\t%zu\t%s\t%.1f\t%.1f\t%.2f\t%.2f\n", name, len,
		       contestants[i].name, times[ROUNDS / 2],
		       times[ROUNDS / 2] * speed, len / (times[ROUNDS / 2] * speed),
		       times[ROUNDS / 2] / ours);
	}
	fflush(stdout);
	for (i = 0; i < count; i++)
		free(pieces[i]);
}

static void measure_text(const char *name, const u8 *text, double speed)
{
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		measure(name, text, sizes[i], speed);
}

/* The first TEXT_LEN octets of a file, cut at a character, filled with ASCII. */
static bool read_text(u8 *text, const char *path)
{
	FILE *file = fopen(path, "r");
	size_t len;

	if (!file)
		return false;
	memset(text, 'a', TEXT_LEN);
	len = fread(text, 1, TEXT_LEN, file);
	fclose(file);
	while (len && utf8guard_validate(text, TEXT_LEN, NULL))
		text[--len] = 'a';
	return len > TEXT_LEN / 2;
}

static void measure_directory(const char *directory, u8 *text, double speed)
{
	char pattern[4096];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/*.txt", directory);
	if (glob(pattern, 0, NULL, &found)) {
		fprintf(stderr, "%s: no texts\n", pattern);
		exit(2);
	}
	for (i = 0; i < found.gl_pathc; i++)
		if (read_text(text, found.gl_pathv[i]))
			measure_text(strrchr(found.gl_pathv[i], '/') + 1, text, speed);
	globfree(&found);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		u8 mix[3];
	} texts[] = {
		{ "ASCII", { 0, 0, 0 } }, { "French", { 10, 0, 0 } },
		{ "Russian", { 216, 0, 0 } }, { "Japanese", { 0, 230, 0 } },
		{ "emoji", { 0, 0, 230 } }, { "mixed", { 64, 64, 32 } },
		{ "Vietnamese", { 40, 30, 0 } },
	};
	static u8 text[TEXT_LEN];
	double speed = cycles_per_ns();
	u64 seed = 1;
	size_t i, k;

	enter_all();
	printf("# engine %s, %.2f cycles a nanosecond\n", utf8guard_engine_name(), speed);
	printf("text\toctets\tby\tns a call\tcycles a call\toctets a cycle\ttimes ours\n");
	if (argc > 1) {
		measure_directory(argv[1], text, speed);
		return 0;
	}
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		sample_text(text, TEXT_LEN, texts[i].mix, &seed);
		for (k = 0; k < TEXT_LEN; k++) /* no NUL: glib refuses it */
			text[k] += !text[k];
		measure_text(texts[i].name, text, speed);
	}
	return 0;
}
