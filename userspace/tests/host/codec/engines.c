// SPDX-License-Identifier: GPL-2.0
/*
 * Every engine that this processor can run gives the reference's answers, and the codec uses it as
 * userspace/codec/engine.c chose it.
 *
 * promise whoever wrote the text: each engine that this processor has judges as a simple
 *   reference does, with mistakes at each place of a text
 * shown by: borders of the grammar at each place of
 * shown by: mistakes planted at each place of a window
 */
#include "../../engine_checks.h"
#include "../../../../kernel/codec/engine.h"
#include "../../../../kernel/codec/normalization/normalization.h"

/* What belongs to engines that do not judge text in the way of all. */
static const struct own_way {
	const char *engine;
	utf8guard_validate_fn *validate;
	utf8guard_skip_calm_fn *skip_calm;
	size_t calm_least;
} own_ways[] = {
#ifdef __x86_64__
	{ "avx2", utf8guard_validate_avx2, utf8guard_skip_calm_avx2, UTF8GUARD_CALM_AVX2_MIN },
	{ "avx512", utf8guard_validate_avx512, utf8guard_skip_calm_avx2, UTF8GUARD_CALM_AVX2_MIN },
	{ "avx512vbmi", utf8guard_validate_avx512vbmi, utf8guard_skip_calm_avx2,
	  UTF8GUARD_CALM_AVX2_MIN },
#endif
	{ NULL, utf8guard_validate_any, utf8guard_skip_calm, UTF8GUARD_CALM_MIN },
};

static void check_use(const struct utf8guard_engine *engine)
{
	const struct own_way *way = own_ways;

	while (way->engine && strcmp(way->engine, engine->name))
		way++;
	utf8guard_engine_use(engine);
	tap_ok(!strcmp(utf8guard_engine_name(), engine->name), "%s: is in use", engine->name);
	tap_ok(utf8guard_prefix == engine->prefix && utf8guard_prefix_nofpu == engine->prefix,
	       "%s: judges text and names", engine->name);
	tap_ok(utf8guard_validate_chosen == way->validate, "%s: validates in its way",
	       engine->name);
	tap_ok(utf8guard_skip_calm_chosen == way->skip_calm &&
	       utf8guard_calm_least == way->calm_least,
	       "%s: skips what a form cannot change in its way", engine->name);
}

int main(void)
{
	const struct utf8guard_engine *engine = utf8guard_engine_find("general", false);
	const struct utf8guard_engine *best;
	unsigned int i;

	tap_ok(engine && utf8guard_engine_usable(engine), "any processor has an engine");
	best = utf8guard_engine_find(getenv("UTF8GUARD_ENGINE"), true);
	tap_ok(!strcmp(utf8guard_engine_name(), best->name), "the best one is in use");
	for (i = 0; (engine = utf8guard_engine_at(i)); i++) {
		if (!utf8guard_engine_usable(engine)) {
			tap_skip(engine->name, "this processor has not got it");
			continue;
		}
		check_engine(engine->name, engine->prefix);
		check_use(engine);
	}
	return tap_done();
}
