// SPDX-License-Identifier: GPL-2.0
/*
 * All texts of four octets, by every engine that this processor can run: alone
 * where an engine takes such short texts itself, else inside longer ones. With
 * UTF8GUARD_TEST_LONG in the environment, over the borders of lanes too.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../reference.h"
#include "../tap.h"

typedef size_t (*prefix_fn)(const u8 *text, size_t len);

/*
 * Every four octets. Each case is judged in a text of @size octets, all 'a'
 * but for the case; its place differs from case to case over @places, so that
 * it meets every border of blocks and lanes. A case that is the whole text has
 * @size 4.
 */
struct quads {
	prefix_fn prefix;
	size_t size;
	size_t first_place, places;
	unsigned int begin, end; /* of the first two octets */
	u64 judged, wrong;
};

/* What the fourth octet makes of a state and of a character's beginning. */
struct fourth {
	u8 good[256];
};

static void fourth_octet(struct fourth *f, const u8 first[3])
{
	u8 text[5] = { first[0], first[1], first[2] };
	unsigned int octet;

	text[4] = 'a';
	for (octet = 0; octet < 256; octet++) {
		text[3] = octet;
		f->good[octet] = reference_prefix(text, 5);
	}
}

static void *run_quads(void *arg)
{
	struct quads *q = arg;
	u8 *text = malloc(q->size);
	unsigned int pair, third, fourth;
	struct fourth f;

	memset(text, 'a', q->size);
	for (pair = q->begin; pair < q->end; pair++) {
		for (third = 0; third < 256; third++) {
			size_t at = q->first_place +
				    (pair * 7 + third) % q->places;
			u8 *p = text + at;

			p[0] = pair >> 8;
			p[1] = pair;
			p[2] = third;
			fourth_octet(&f, p);
			for (fourth = 0; fourth < 256; fourth++) {
				size_t want = at + f.good[fourth];

				/* all of it and the 'a' behind: all is well */
				if (f.good[fourth] == 5)
					want = q->size;
				p[3] = fourth;
				q->wrong += q->prefix(text, q->size) != want;
			}
			q->judged += 256;
			memset(p, 'a', 4);
		}
	}
	free(text);
	return NULL;
}

static void check_quads(const char *name, prefix_fn prefix, size_t size,
			size_t first_place, size_t places)
{
	long threads = sysconf(_SC_NPROCESSORS_ONLN), i;
	struct quads *all = calloc(threads, sizeof(*all));
	pthread_t *ids = calloc(threads, sizeof(*ids));
	u64 judged = 0, wrong = 0;

	for (i = 0; i < threads; i++) {
		all[i] = (struct quads){
			.prefix = prefix, .size = size,
			.first_place = first_place, .places = places,
			.begin = 65536 * i / threads,
			.end = 65536 * (i + 1) / threads,
		};
		pthread_create(&ids[i], NULL, run_quads, &all[i]);
	}
	for (i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		judged += all[i].judged;
		wrong += all[i].wrong;
	}
	free(all);
	free(ids);
	tap_ok(judged == 1ULL << 32 && !wrong,
	       "%s: all 2^32 of 4 octets in a text of %zu, at %zu..%zu: %llu wrong",
	       name, size, first_place, first_place + places - 1,
	       (unsigned long long)wrong);
}

int main(void)
{
	const struct utf8guard_engine *engine;
	unsigned int i;

	for (i = 0; (engine = utf8guard_engine_at(i)); i++) {
		if (!utf8guard_engine_usable(engine)) {
			tap_skip(engine->name, "this processor has not got it");
			continue;
		}
		if (engine->fpu) {
			/* over the border of the first two vectors */
			check_quads(engine->name, engine->prefix, 64, 27, 6);
		} else {
			check_quads(engine->name, engine->prefix, 5, 0, 1);
			if (getenv("UTF8GUARD_TEST_LONG")) /* over borders of lanes */
				check_quads(engine->name, engine->prefix, 32, 4, 8);
		}
	}
	return tap_done();
}
