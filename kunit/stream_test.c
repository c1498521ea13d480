// SPDX-License-Identifier: GPL-2.0
/*
 * Both engines for streams, in the kernel: ooo_stream and inorder_stream. The host tests
 * tcp_ooo and tcp_inorder play the same streams, and more of them. The engines are no
 * interface of a module, so they are compiled into this one, too.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "inorder_senders.h"

#define STREAMS 3000

static struct model model;

static void play_streams(struct kunit *test,
			 bool (*play_one)(struct model *m, u64 *seed, struct tally *tally))
{
	struct tally tally = { };
	u64 i;

	for (i = 1; i <= STREAMS; i++) {
		u64 seed = i * 0x9e3779b97f4a7c15ULL | 1;

		if (!play_one(&model, &seed, &tally) || !model_gives_back(&model)) {
			KUNIT_FAIL(test, "stream %llu", i);
			return;
		}
		cond_resched();
	}
	KUNIT_EXPECT_GT(test, tally.verdicts[UGNF_STREAM_ACCEPT], STREAMS);
}

static void test_attack(struct kunit *test)
{
	play_streams(test, play_attack);
}

static void test_detour(struct kunit *test)
{
	play_streams(test, play_detour);
}

static void test_honest(struct kunit *test)
{
	play_streams(test, play_honest);
}

static void test_answers(struct kunit *test)
{
	play_streams(test, play_answers);
}

static void test_crowd(struct kunit *test)
{
	play_streams(test, play_crowd);
}

static void test_resegmented(struct kunit *test)
{
	play_streams(test, play_resegmented);
}

static void test_pruned(struct kunit *test)
{
	play_streams(test, play_pruned);
}

static void test_pruned_closed(struct kunit *test)
{
	play_streams(test, play_pruned_closed);
}

static void test_lenient(struct kunit *test)
{
	play_streams(test, play_lenient);
}

static void test_middle(struct kunit *test)
{
	play_streams(test, play_middle);
}

static void test_reading(struct kunit *test)
{
	play_streams(test, play_inorder);
}

static void test_reading_detour(struct kunit *test)
{
	play_streams(test, play_inorder_detour);
}

static void test_reading_honest(struct kunit *test)
{
	play_streams(test, play_inorder_honest);
}

static void test_reading_reordered(struct kunit *test)
{
	play_streams(test, play_inorder_reordered);
}

static void test_reading_answers(struct kunit *test)
{
	play_streams(test, play_inorder_answers);
}

static void test_reading_crowd(struct kunit *test)
{
	play_streams(test, play_inorder_crowd);
}

static void test_reading_resegmented(struct kunit *test)
{
	play_streams(test, play_inorder_resegmented);
}

static void test_reading_lenient(struct kunit *test)
{
	play_streams(test, play_inorder_lenient);
}

static void test_reading_middle(struct kunit *test)
{
	play_streams(test, play_inorder_middle);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(test_attack),
	KUNIT_CASE(test_detour),
	KUNIT_CASE(test_honest),
	KUNIT_CASE(test_answers),
	KUNIT_CASE(test_crowd),
	KUNIT_CASE(test_resegmented),
	KUNIT_CASE(test_pruned),
	KUNIT_CASE(test_pruned_closed),
	KUNIT_CASE(test_lenient),
	KUNIT_CASE(test_middle),
	KUNIT_CASE(test_reading),
	KUNIT_CASE(test_reading_detour),
	KUNIT_CASE(test_reading_honest),
	KUNIT_CASE(test_reading_reordered),
	KUNIT_CASE(test_reading_answers),
	KUNIT_CASE(test_reading_crowd),
	KUNIT_CASE(test_reading_resegmented),
	KUNIT_CASE(test_reading_lenient),
	KUNIT_CASE(test_reading_middle),
	{ }
};

static struct kunit_suite suite = {
	.name = "utf8guard_stream",
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit suite of the stream tracker of utf8guard");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
