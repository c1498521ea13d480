// SPDX-License-Identifier: GPL-2.0
/*
 * All 2^32 texts of four octets, by every engine that this processor can run.
 *
 * By default each of them is judged once by each engine: alone where the engine
 * takes such short texts itself, and inside a longer one, at a place that differs
 * from case to case, so that many thousands meet each border of blocks. That takes
 * two to three minutes on two processors. With UTF8GUARD_TEST_LONG
 * in the environment, each of them is judged at each place, and over the
 * borders of blocks as well: half an hour. Where the processor is emulated,
 * STEP=61, say, takes one in so many of the 2^16 pairs of first octets,
 * each with all that can follow. A number without a divisor in common with 256 meets all
 * 256 first octets.
 *
 * promise whoever wrote the text: every engine judges all 2^32 texts of four octets by the grammar
 *   of RFC 3629
 * shown by: of 2^32 of 4 octets
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../reference.h"
#include "../../tap.h"

#define MOST_PLACES 8

/**
 * struct quads - where the four octets are, in a text that is else all 'a'
 * @name: of the engine
 * @prefix: the engine
 * @size: of the text
 * @count: of the places
 * @places: where in it, taken in turn
 */
struct quads {
	const char *name;
	utf8guard_prefix_fn *prefix;
	size_t size;
	unsigned int count;
	u8 places[MOST_PLACES];
};

/* What a thread does of it: the cases whose first two octets are in a range. */
struct part {
	const struct quads *quads;
	unsigned int begin, end;
	u64 judged, wrong;
};

/* The reference's step from each state by each octet. */
static u8 steps[UTF8GUARD_STATE_REFUSED + 1][256];

/* Of the pairs of first octets, one in so many is judged. */
static unsigned int step;

static void fill_steps(void)
{
	unsigned int state, octet;

	for (state = 0; state <= UTF8GUARD_STATE_REFUSED; state++)
		for (octet = 0; octet < 256; octet++)
			steps[state][octet] = reference_step(state, octet);
}

/* Judges the three octets at @p together with each octet as the fourth. */
static u64 wrong_behind(const struct quads *q, u8 *text, u8 *p)
{
	u8 state = UTF8GUARD_STATE_START;
	size_t good = p - text;
	unsigned int i;
	u64 wrong = 0;

	for (i = 0; i < 3; i++) {
		state = steps[state][p[i]];
		if (state == UTF8GUARD_STATE_START)
			good = p + i + 1 - text;
	}
	for (i = 0; i < 256; i++) {
		/* What the fourth does not complete, the 'a' or the end refuses. */
		bool all = steps[state][i] == UTF8GUARD_STATE_START;

		p[3] = i;
		wrong += q->prefix(text, q->size) != (all ? q->size : good);
	}
	return wrong;
}

static void *run_part(void *arg)
{
	struct part *part = arg;
	const struct quads *q = part->quads;
	u8 *text = malloc(q->size);
	unsigned int pair, third;

	memset(text, 'a', q->size);
	for (pair = part->begin; pair < part->end; pair++) {
		if (pair % step)
			continue;
		for (third = 0; third < 256; third++) {
			u8 *p = text + q->places[(pair + third) % q->count];

			p[0] = pair >> 8;
			p[1] = pair;
			p[2] = third;
			part->wrong += wrong_behind(q, text, p);
			part->judged += 256;
			memset(p, 'a', 4);
		}
	}
	free(text);
	return NULL;
}

static void check(const struct quads *quads)
{
	long threads = sysconf(_SC_NPROCESSORS_ONLN), i;
	struct part *parts = calloc(threads, sizeof(*parts));
	pthread_t *ids = calloc(threads, sizeof(*ids));
	u64 judged = 0, wrong = 0;

	for (i = 0; i < threads; i++) {
		parts[i] = (struct part){
			.quads = quads,
			.begin = 65536 * i / threads,
			.end = 65536 * (i + 1) / threads,
		};
		pthread_create(&ids[i], NULL, run_part, &parts[i]);
	}
	for (i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		judged += parts[i].judged;
		wrong += parts[i].wrong;
	}
	free(parts);
	free(ids);
	tap_ok(judged == (u64)(65535 / step + 1) << 16 && !wrong,
	       "%s: %llu of 2^32 of 4 octets in a text of %zu, at %u places from %u: %llu wrong",
	       quads->name, (unsigned long long)judged, quads->size, quads->count, quads->places[0],
	       (unsigned long long)wrong);
}

static void check_each_place(const struct quads *quads)
{
	struct quads one = *quads;
	unsigned int i;

	one.count = 1;
	for (i = 0; i < quads->count; i++) {
		one.places[0] = quads->places[i];
		check(&one);
	}
}

/* Two vectors of @width octets: their beginnings, their border, the end. */
static struct quads over_vectors(const struct utf8guard_engine *engine, u8 width)
{
	return (struct quads){
		.name = engine->name,
		.prefix = engine->prefix,
		.size = 2 * width,
		.count = 6,
		.places = { 0, width - 3, width - 2, width - 1, width, 2 * width - 4 },
	};
}

/* The octets of its vectors. */
static u8 width_of(const struct utf8guard_engine *engine)
{
	if (!strcmp(engine->name, "neon"))
		return 16;
	return strcmp(engine->name, "avx2") ? 64 : 32;
}

static void check_engine(const struct utf8guard_engine *engine)
{
	const struct quads alone = { engine->name, engine->prefix, 4, 1, { 0 } };
	/* The border of two blocks, inside them, and the end of the text; what is left after a block. */
	const struct quads blocks = {
		engine->name, engine->prefix, 110, 7, { 0, 6, 7, 61, 62, 63, 106 }
	};
	const struct quads rest = { engine->name, engine->prefix, 96, 4, { 61, 62, 63, 92 } };
	bool is_long = getenv("UTF8GUARD_TEST_LONG");
	struct quads vectors;

	if (!engine->fpu) {
		check(&alone);
		if (is_long) {
			check_each_place(&blocks);
			check_each_place(&rest);
		} else {
			/* Two engines in general registers have one source: each takes one half. */
			check(strcmp(engine->name, "general") ? &blocks : &rest);
		}
		return;
	}
	vectors = over_vectors(engine, width_of(engine));
	if (!strncmp(engine->name, "avx512", 6))
		check(&alone);
	if (is_long)
		check_each_place(&vectors);
	else
		check(&vectors);
}

int main(void)
{
	const struct utf8guard_engine *engine;
	unsigned int i;

	step = tap_step();
	fill_steps();
	for (i = 0; (engine = utf8guard_engine_at(i)); i++) {
		if (utf8guard_engine_usable(engine))
			check_engine(engine);
		else
			tap_skip(engine->name, "this processor has not got it");
	}
	return tap_done();
}
