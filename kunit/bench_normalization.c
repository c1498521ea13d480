// SPDX-License-Identifier: GPL-2.0
/*
 * The normaliser in the kernel against fs/unicode, which only knows NFD, folded and without
 * default ignorables, on names of about 20 octets and on texts of 64 KiB. (utf8_normalize(),
 * which does not fold, is no longer in Linux 7.3.) This is no test: uml/run.sh -b loads it, in
 * User-Mode Linux, and its lines in the log are the result, TSV after "bench:".
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/unicode.h>
#include <linux/utf8guard_normalize.h>
#include <linux/vmalloc.h>

#include "bench.h"
#include "words.h"

#define ROUNDS		11
#define TEXT_LEN	65536
#define NAMES		1024
#define ROOM		(4 * TEXT_LEN)

/* The text that is measured: @count names, one after another, or the whole as one. */
struct text {
	u8 *octets;
	size_t len;
	unsigned int count;
	size_t offset[NAMES + 1];
};

static struct text text;
static u8 *result;
static struct unicode_map *map;

static bool by_nfc_check(const u8 *p, size_t len)
{
	return utf8guard_is_normalized(UTF8GUARD_FORM_NFC, p, len, NULL, NULL) >= 0;
}

static bool by_nfc(const u8 *p, size_t len)
{
	size_t out_len;

	return !utf8guard_normalize(UTF8GUARD_FORM_NFC, p, len, result, ROOM, &out_len, NULL);
}

static bool by_nfd(const u8 *p, size_t len)
{
	size_t out_len;

	return !utf8guard_normalize(UTF8GUARD_FORM_NFD, p, len, result, ROOM, &out_len, NULL);
}

static bool by_unicode(const u8 *p, size_t len)
{
	struct qstr name = QSTR_INIT(p, len);

	return utf8_casefold(map, &name, result, ROOM) > 0;
}

static struct contestant {
	const char *name;
	bool (*run)(const u8 *p, size_t len);
	u64 ticks[ROUNDS];
} contestants[] = {
	{ "NFC check", by_nfc_check }, { "NFC", by_nfc }, { "NFD", by_nfd },
	{ "unicode NFDICF", by_unicode },
};

/* The index of our NFD, with which fs/unicode is compared. */
#define NFD 2

static u64 run(const struct contestant *c)
{
	u64 begin = __builtin_ia32_rdtsc();
	unsigned int i, bad = 0;

	for (i = 0; i < text.count; i++)
		bad += !c->run(text.octets + text.offset[i],
			       text.offset[i + 1] - text.offset[i]);
	return bad ? 0 : __builtin_ia32_rdtsc() - begin;
}

static void measure(const char *name, const char *size, u64 speed)
{
	unsigned int i, round;
	u64 ours;

	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < ARRAY_SIZE(contestants); i++)
			contestants[i].ticks[round] = run(&contestants[i]);
		cond_resched();
	}
	for (i = 0; i < ARRAY_SIZE(contestants); i++)
		bench_sort(contestants[i].ticks, ROUNDS);
	ours = max_t(u64, contestants[NFD].ticks[ROUNDS / 2], 1);
	for (i = 0; i < ARRAY_SIZE(contestants); i++) {
		u64 ticks = contestants[i].ticks[ROUNDS / 2];
		u64 cycles = div64_u64(ticks * 1000000, speed * text.len);
		u64 ratio = div64_u64(ticks * 100, ours);

		pr_info("bench:\t%s\t%s\t%s\t%llu.%03llu\t%llu.%02llu\n", name, size,
			contestants[i].name, cycles / 1000, cycles % 1000, ratio / 100,
			ratio % 100);
	}
}

static void make_names(const struct words *words)
{
	u64 seed = 0x5eed;
	unsigned int i;

	text.len = 0;
	text.count = NAMES;
	for (i = 0; i < NAMES; i++) {
		text.offset[i] = text.len;
		text.len += words_put_name(words, text.octets + text.len, &seed);
	}
	text.offset[NAMES] = text.len;
}

static void make_long(const struct words *words)
{
	u64 seed = 0x5eed;

	text.len = 0;
	while (text.len < TEXT_LEN)
		text.len += words_put_name(words, text.octets + text.len, &seed);
	text.count = 1;
	text.offset[0] = 0;
	text.offset[1] = text.len;
}

static int __init bench_init(void)
{
	u64 speed = bench_ticks_per_kilocycle();
	unsigned int i;

	text.octets = vmalloc(NAMES * (WORDS_ROOM + 32));
	result = vmalloc(ROOM);
	map = utf8_load(UNICODE_AGE(12, 1, 0));
	if (!text.octets || !result || IS_ERR(map)) {
		vfree(text.octets);
		vfree(result);
		return -ENOMEM;
	}
	pr_info("bench:\ttext\toctets\tby\tcycles an octet\ttimes our NFD\n");
	for (i = 0; i < WORDS_TEXTS; i++) {
		make_names(&words_texts[i]);
		measure(words_texts[i].name, "names", speed);
		make_long(&words_texts[i]);
		measure(words_texts[i].name, "64 KiB", speed);
	}
	utf8_unload(map);
	vfree(text.octets);
	vfree(result);
	return 0;
}
module_init(bench_init);

static void __exit bench_exit(void)
{
}
module_exit(bench_exit);

MODULE_DESCRIPTION("Benchmark of the normalizers of utf8guard and of the kernel");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
