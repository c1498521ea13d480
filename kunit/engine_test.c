// SPDX-License-Identifier: GPL-2.0
/*
 * Every engine that the processor can run, in the kernel, against the grammar of
 * RFC 3629; and what is built upon them: the choice by size, feeding, transfer
 * functions. Texts end where their memory does, so that a read after them is
 * a fault.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/utf8guard.h>
#include <linux/vmalloc.h>
#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

#include "../kernel/service/fpu/costs.h"
#include "abnf.h"
#include "judge.h"
#include "sample.h"

/* So long that there are more than three sections of FPU use. */
#define LONGEST		(4 * PAGE_SIZE)

/* The engine on trial: struct utf8guard_judge has no member for it. Suites run one by one. */
static const struct utf8guard_engine *trial;

/* LONGEST octets of memory, after which there is none. */
struct texts {
	u8 *memory;
	u64 seed;
};

static size_t trial_prefix(const u8 *text, size_t len)
{
	size_t good;

#ifdef CONFIG_X86_64
	if (trial->fpu) {
		kernel_fpu_begin();
		good = trial->prefix(text, len);
		kernel_fpu_end();
		return good;
	}
#endif
	good = trial->prefix(text, len);
	return good;
}

static int trial_validate(const void *text, size_t len, struct utf8guard_error *err)
{
	size_t good = trial_prefix(text, len);

	if (good == len)
		return 0;
	if (err)
		utf8guard_explain(text, len, good, err);
	return -EILSEQ;
}

static const void *engine_gen_params(struct kunit *test, const void *before, char *desc)
{
	const struct utf8guard_engine *engine;
	unsigned int i = 0;

	while ((engine = utf8guard_engine_at(i++)) && before)
		if (engine == before)
			before = NULL;
	if (engine)
		strscpy(desc, engine->name, KUNIT_PARAM_DESC_SIZE);
	return engine;
}

/* The judge of the engine that the test's parameter is, or of the dispatcher. */
static struct utf8guard_judge judge_of(struct kunit *test)
{
	struct utf8guard_judge judge = { .validate = utf8guard_validate };

	trial = test->param_value;
	if (!trial)
		return judge;
	if (!utf8guard_engine_usable(trial))
		kunit_skip(test, "this processor has not got it");
	judge.validate = trial_validate;
	return judge;
}

static void expect_right(struct kunit *test, const struct utf8guard_judge *judge)
{
	KUNIT_EXPECT_GT(test, judge->texts, 0);
	KUNIT_EXPECT_EQ_MSG(test, judge->wrong, 0, "%lu of %lu, first %s",
			    judge->wrong, judge->texts, judge->first);
}

/* Where a text of @len octets begins: it ends where the memory does. */
static u8 *text_before_guard(struct kunit *test, size_t len)
{
	struct texts *texts = test->priv;

	return texts->memory + LONGEST - len;
}

/* A well-formed text of @len octets there, of the given mix of characters. */
static u8 *sample(struct kunit *test, size_t len, unsigned int mix)
{
	struct texts *texts = test->priv;
	u8 *text = text_before_guard(test, len);

	sample_text(text, len, sample_mixes[mix], &texts->seed);
	return text;
}

static u32 dice(struct kunit *test, u32 sides)
{
	struct texts *texts = test->priv;

	return sample_random(&texts->seed) % sides;
}

static void test_no_text(struct kunit *test)
{
	struct utf8guard_judge judge = judge_of(test);

	utf8guard_judge(&judge, NULL, 0);
	expect_right(test, &judge);
}

/* Every text of one and two octets, and of four at the borders of the ranges. */
static void test_short(struct kunit *test)
{
	struct utf8guard_judge judge = judge_of(test);
	unsigned int i, rest;
	u8 *text = text_before_guard(test, 4);

	for (i = 0; i < 256; i++) {
		utf8guard_judge_after(&judge, i, 1);
		utf8guard_judge_after(&judge, i, 2);
	}
	for (i = 0; i < SAMPLE_BORDERS * SAMPLE_BORDERS; i++) {
		text[0] = sample_border[i / SAMPLE_BORDERS];
		text[1] = sample_border[i % SAMPLE_BORDERS];
		for (rest = 0; rest < SAMPLE_BORDERS * SAMPLE_BORDERS; rest++) {
			text[2] = sample_border[rest / SAMPLE_BORDERS];
			text[3] = sample_border[rest % SAMPLE_BORDERS];
			utf8guard_judge(&judge, text, 4);
		}
		cond_resched();
	}
	expect_right(test, &judge);
}

/* Every mistake at @at in a well-formed text, one by one. */
static void judge_mistakes(struct utf8guard_judge *judge, u8 *text, size_t len,
			   size_t at)
{
	u8 right[sizeof(sample_mistakes[0].octets)];
	unsigned int i;

	for (i = 0; i < SAMPLE_MISTAKES; i++) {
		size_t n = min_t(size_t, sample_mistakes[i].len, len - at);

		memcpy(right, text + at, n);
		memcpy(text + at, sample_mistakes[i].octets, n);
		utf8guard_judge(judge, text, len);
		memcpy(text + at, right, n);
	}
}

/*
 * In a window of 256 octets at the end of texts of every kind, which has the
 * borders of all vectors, strides and blocks in it, and the end of the text.
 */
static void test_planted(struct kunit *test)
{
	static const size_t lengths[] = { 256, 389, 1100 };
	struct utf8guard_judge judge = judge_of(test);
	unsigned int mix, i;
	size_t at;

	for (mix = 0; mix < SAMPLE_MIXES; mix++) {
		for (i = 0; i < ARRAY_SIZE(lengths); i++) {
			u8 *text = sample(test, lengths[i], mix);

			for (at = lengths[i] - 256; at < lengths[i]; at++)
				judge_mistakes(&judge, text, lengths[i], at);
			cond_resched();
		}
	}
	expect_right(test, &judge);
}

/* A text of any length up to @limit, with up to 3 octets changed. */
static const u8 *random_text(struct kunit *test, size_t limit, size_t *len)
{
	unsigned int changes = dice(test, 4);
	u8 *text;

	*len = dice(test, limit + 1);
	text = sample(test, *len, dice(test, SAMPLE_MIXES));
	while (changes-- && *len)
		text[dice(test, *len)] = sample_border[dice(test, SAMPLE_BORDERS)];
	return text;
}

static void test_random(struct kunit *test)
{
	struct utf8guard_judge judge = judge_of(test);
	unsigned int i;
	size_t len;

	for (i = 0; i < 20000; i++) {
		const u8 *text = random_text(test, i % 16 ? 400 : LONGEST, &len);

		utf8guard_judge(&judge, text, len);
		cond_resched();
	}
	expect_right(test, &judge);
}

/* utf8guard_validate() decides by size: lengths about its thresholds, and about its sections. */
static void test_sections(struct kunit *test)
{
	static const size_t borders[] = {
#ifdef CONFIG_ARM64
		FPU_MIN_SAVED, costs_of_neon.min, FPU_SECTION,
#else
		FPU_MIN_SAVED, costs_of_others.ascii_saved, costs_of_others.min, costs_of_zen.min,
		FPU_SECTION, costs_of_others.ascii, costs_of_zen.ascii,
#endif
	};
	struct utf8guard_judge judge = judge_of(test);
	unsigned int mix, i;
	size_t at, len;

	for (mix = 0; mix < SAMPLE_MIXES; mix++) {
		for (i = 0; i < ARRAY_SIZE(borders); i++) {
			u8 *text = sample(test, LONGEST, mix);

			for (at = borders[i] - 8; at < borders[i] + 8; at++)
				judge_mistakes(&judge, text, LONGEST, at);
			for (len = borders[i] - 8; len < borders[i] + 8; len++)
				utf8guard_judge(&judge, sample(test, len, mix), len);
			cond_resched();
		}
	}
	expect_right(test, &judge);
}

/* The state after a text, as the grammar has it; all of TAIL1.. are one here. */
static u8 rough_state(const u8 *text, size_t len)
{
	struct utf8guard_abnf how;

	if (utf8guard_abnf(text, len, &how))
		return UTF8GUARD_STATE_START;
	return how.farthest < len ? UTF8GUARD_STATE_REFUSED : UTF8GUARD_STATE_TAIL1;
}

static u8 rough(u8 state)
{
	return state == UTF8GUARD_STATE_START || state == UTF8GUARD_STATE_REFUSED ?
	       state : UTF8GUARD_STATE_TAIL1;
}

/*
 * A text in three pieces of any length: feeding them, and composing their transfer functions
 * from either side, has the result of the whole text, which is what the grammar says.
 */
static bool is_cut_right(struct kunit *test, const u8 *text, size_t len)
{
	size_t first = dice(test, len + 1), second = first + dice(test, len - first + 1);
	u32 a = utf8guard_transfer(text, first);
	u32 b = utf8guard_transfer(text + first, second - first);
	u32 c = utf8guard_transfer(text + second, len - second);
	u32 all = utf8guard_transfer(text, len);
	u8 state = UTF8GUARD_STATE_START;

	if (utf8guard_compose(utf8guard_compose(a, b), c) != all ||
	    utf8guard_compose(a, utf8guard_compose(b, c)) != all)
		return false;
	utf8guard_feed(&state, text, first);
	utf8guard_feed(&state, text + first, second - first);
	utf8guard_feed(&state, text + second, len - second);
	return state == utf8guard_apply(all, UTF8GUARD_STATE_START) &&
	       rough(state) == rough_state(text, len);
}

static void test_cuts(struct kunit *test)
{
	unsigned int i, wrong = 0;
	size_t len;

	for (i = 0; i < 30000; i++) {
		const u8 *text = random_text(test, i % 16 ? 40 : LONGEST, &len);

		if (!is_cut_right(test, text, len) && !wrong++)
			kunit_err(test, "first: text %u, of %zu octets\n", i, len);
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

/* From each state, a transfer function leads to the state to which feeding leads. */
static void test_transfer(struct kunit *test)
{
	unsigned int i, wrong = 0;
	size_t len;
	u8 from;

	for (i = 0; i < 20000; i++) {
		const u8 *text = random_text(test, i % 16 ? 12 : LONGEST, &len);
		u32 transfer = utf8guard_transfer(text, len);

		for (from = 0; from <= UTF8GUARD_STATE_REFUSED; from++) {
			u8 state = from;

			utf8guard_feed(&state, text, len);
			wrong += utf8guard_apply(transfer, from) != state;
		}
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

/* In user-mode Linux and in any VM, what is tested depends on the processor. */
static void test_choice(struct kunit *test)
{
	const struct utf8guard_engine *best = utf8guard_engine_find(NULL, true);
	const struct utf8guard_engine *general = utf8guard_engine_find("general", false);

	KUNIT_ASSERT_NOT_NULL(test, best);
	KUNIT_ASSERT_NOT_NULL(test, general);
	KUNIT_EXPECT_TRUE(test, utf8guard_engine_usable(general));
	KUNIT_EXPECT_FALSE(test, general->fpu);
	KUNIT_EXPECT_NULL(test, utf8guard_engine_find("none of these", true));
	KUNIT_EXPECT_NOT_NULL(test, utf8guard_engine_find(utf8guard_engine_name(), true));
	kunit_info(test, "the best is %s, in use is %s\n", best->name,
		   utf8guard_engine_name());
}

static int engine_init(struct kunit *test)
{
	struct texts *texts = kunit_kzalloc(test, sizeof(*texts), GFP_KERNEL);

	if (!texts)
		return -ENOMEM;
	texts->seed = 1;
	texts->memory = vmalloc(LONGEST);
	test->priv = texts;
	return texts->memory ? 0 : -ENOMEM;
}

static void engine_exit(struct kunit *test)
{
	struct texts *texts = test->priv;

	if (texts)
		vfree(texts->memory);
}

static struct kunit_case engine_cases[] = {
	KUNIT_CASE(test_choice),
	KUNIT_CASE_PARAM(test_no_text, engine_gen_params),
	KUNIT_CASE_PARAM(test_short, engine_gen_params),
	KUNIT_CASE_PARAM(test_planted, engine_gen_params),
	KUNIT_CASE_PARAM(test_random, engine_gen_params),
	KUNIT_CASE(test_sections),
	KUNIT_CASE(test_cuts),
	KUNIT_CASE(test_transfer),
	{}
};

static struct kunit_suite engine_suite = {
	.name = "utf8guard_engine",
	.init = engine_init,
	.exit = engine_exit,
	.test_cases = engine_cases,
};

kunit_test_suite(engine_suite);

MODULE_DESCRIPTION("KUnit suite for the engines that validate UTF-8");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
