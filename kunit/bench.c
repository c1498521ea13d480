// SPDX-License-Identifier: GPL-2.0
/*
 * Validation in the kernel: this project against fs/unicode and fs/nls. This is no test:
 * uml/run.sh -b loads it, in User-Mode Linux, and its lines in the log are the result, TSV
 * after "bench:".
 *
 * A section of FPU use costs nothing in User-Mode Linux, so the vector engines are measured
 * without it. kernel/service/fpu/engine_x86.c says what such a section costs elsewhere.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/nls.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/unicode.h>
#include <linux/utf8guard.h>
#include <linux/vmalloc.h>
#include <asm/fpu/api.h>

#include "bench.h"
#include "sample.h"

#define ROUNDS		15
#define ROUND_OCTETS	131072	/* of each contestant on each text and size */
#define TEXT_LEN	65536
#define PIECES		16

static const size_t sizes[] = { 8, 16, 32, 64, 128, 255, 512, 1460, TEXT_LEN };

static const struct {
	const char *name;
	u8 mix[3];
} texts[] = {
	{ "ASCII", { 0, 0, 0 } }, { "French", { 10, 0, 0 } },
	{ "Russian", { 216, 0, 0 } }, { "Japanese", { 0, 230, 0 } },
	{ "emoji", { 0, 0, 230 } }, { "mixed", { 64, 64, 32 } },
	{ "Vietnamese", { 40, 30, 0 } },
};

struct contestant {
	const char *name;
	bool (*valid)(const u8 *text, size_t len);
	const struct utf8guard_engine *engine; /* instead of @valid */
	u64 ticks[ROUNDS];
};

static struct contestant contestants[9];
static unsigned int contestant_count;
static struct unicode_map *map;

static bool by_utf8guard(const u8 *text, size_t len)
{
	return !utf8guard_validate(text, len, NULL);
}

static bool by_unicode(const u8 *text, size_t len)
{
	struct qstr name = QSTR_INIT(text, len);

	return !utf8_validate(map, &name);
}

/* What a call takes, and the loop around it. */
static noinline bool by_nothing(const u8 *text, size_t len)
{
	barrier();
	return text || len;
}

static bool by_nls(const u8 *text, size_t len)
{
	while (len) {
		unicode_t code_point;
		int n = utf8_to_utf32(text, len, &code_point);

		if (n < 0)
			return false;
		text += n;
		len -= n;
	}
	return true;
}

static bool by_engine(const struct utf8guard_engine *engine, const u8 *text,
		      size_t len)
{
	size_t good;

	if (!engine->fpu)
		return engine->prefix(text, len) == len;
	kernel_fpu_begin();
	good = engine->prefix(text, len);
	kernel_fpu_end();
	return good == len;
}

static void enter(const char *name, bool (*valid)(const u8 *text, size_t len),
		  const struct utf8guard_engine *engine)
{
	if (contestant_count < ARRAY_SIZE(contestants))
		contestants[contestant_count++] = (struct contestant){
			.name = name, .valid = valid, .engine = engine,
		};
}

static void enter_all(void)
{
	const struct utf8guard_engine *engine;
	unsigned int i;

	enter("utf8guard", by_utf8guard, NULL);
	for (i = 0; (engine = utf8guard_engine_at(i)); i++)
		if (utf8guard_engine_usable(engine))
			enter(engine->name, NULL, engine);
	enter("no validation", by_nothing, NULL);
	enter("nls", by_nls, NULL);
	if (map)
		enter("unicode", by_unicode, NULL);
}

struct piece {
	const u8 *text;
	size_t len;
};

/* Ticks of @calls calls on the pieces in turn, or 0 if one was refused. */
static u64 run_calls(const struct contestant *c, const struct piece *pieces,
		     unsigned int count, unsigned int calls)
{
	u64 begin = __builtin_ia32_rdtsc();
	unsigned int i, bad = 0;

	for (i = 0; i < calls; i++) {
		const struct piece *p = &pieces[i % count];

		bad += !(c->engine ? by_engine(c->engine, p->text, p->len) :
				     c->valid(p->text, p->len));
	}
	return bad ? 0 : __builtin_ia32_rdtsc() - begin;
}

/* The first turn does not count: the caches are full of what others have used. */
static u64 run(const struct contestant *c, const struct piece *pieces,
	       unsigned int count, unsigned int calls)
{
	run_calls(c, pieces, count, count);
	return run_calls(c, pieces, count, calls);
}

/* Makes pieces of whole characters, up to @size octets each. Returns their sum. */
static size_t cut(struct piece *pieces, unsigned int count, const u8 *text, size_t size)
{
	size_t sum = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		size_t from = utf8guard_boundary(text, TEXT_LEN, i * 4000);
		size_t end = utf8guard_boundary(text, TEXT_LEN, from + size);

		pieces[i] = (struct piece){ text + from, end - from };
		sum += end - from;
	}
	return sum;
}

static void measure(const char *name, const u8 *text, size_t size, u64 speed)
{
	unsigned int count = size == TEXT_LEN ? 1 : PIECES, i, round;
	unsigned int calls = max_t(unsigned int, ROUND_OCTETS / size / PIECES * PIECES, 1);
	struct piece pieces[PIECES];
	size_t sum = cut(pieces, count, text, size);
	u64 ours = 0;

	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < contestant_count; i++)
			contestants[i].ticks[round] =
				run(&contestants[i], pieces, count, calls);
	for (i = 0; i < contestant_count; i++) {
		u64 *ticks = contestants[i].ticks, octets = (u64)sum * calls / count;
		u64 cycles, ratio;

		bench_sort(ticks, ROUNDS);
		cycles = div64_u64(ticks[ROUNDS / 2] * 1000000, speed * octets);
		if (!i)
			ours = max_t(u64, ticks[ROUNDS / 2], 1);
		ratio = div64_u64(ticks[ROUNDS / 2] * 100, ours);
		pr_info("bench:\t%s\t%zu\t%s\t%llu.%03llu\t%llu.%02llu\n", name, size,
			contestants[i].name, cycles / 1000, cycles % 1000, ratio / 100,
			ratio % 100);
	}
	cond_resched();
}

static int __init bench_init(void)
{
	u64 seed = 1, speed = bench_ticks_per_kilocycle();
	u8 *text = vmalloc(TEXT_LEN);
	unsigned int i, k;

	if (!text)
		return -ENOMEM;
	map = utf8_load(UNICODE_AGE(12, 1, 0));
	if (IS_ERR(map))
		map = NULL;
	enter_all();
	pr_info("bench:\ttext\toctets\tby\tcycles an octet\ttimes ours\n");
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		sample_text(text, TEXT_LEN, texts[i].mix, &seed);
		for (k = 0; k < TEXT_LEN; k++) /* fs/unicode stops at NUL */
			text[k] += !text[k];
		for (k = 0; k < ARRAY_SIZE(sizes); k++)
			measure(texts[i].name, text, sizes[k], speed);
	}
	if (map)
		utf8_unload(map);
	vfree(text);
	return 0;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Benchmark of the UTF-8 validators of utf8guard and of the kernel");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
