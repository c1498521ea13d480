/* SPDX-License-Identifier: GPL-2.0 */
/* Plays random streams and counts them. Each has a number with which it can be played again. */
#ifndef _UTF8GUARD_TESTS_PLAY_H
#define _UTF8GUARD_TESTS_PLAY_H

#include "../../kunit/stream_senders.h"
#include "tap.h"

/* How many of each kind; the exhaustive tests do more where it is many. */
static u64 streams_wanted(void)
{
	return tap_env("STREAMS", 40000);
}

static struct model model;

typedef bool play_fn(struct model *m, u64 *seed, struct tally *tally);

static void check_random(const char *what, play_fn *one, u64 streams, u64 first)
{
	struct tally tally = { 0 };
	u64 i, wrong = 0, bad = 0;

	memset(&model.trials, 0, sizeof(model.trials));
	for (i = 0; i < streams; i++) {
		u64 seed = (first + i) * 0x9e3779b97f4a7c15ULL | 1;

		if (!one(&model, &seed, &tally) || !model_gives_back(&model))
			bad = wrong++ ? bad : first + i;
	}
	tap_ok(!wrong, "%s, %llu streams: %llu wrong", what, (unsigned long long)streams,
	       (unsigned long long)wrong);
	if (wrong)
		tap_note("the first: SEED=%llu STREAMS=1", (unsigned long long)bad);
	tap_note(
		"%llu segments let through, %llu ill-formed, %llu differ, %llu unverifiable, %llu without room, %llu resegmented, %llu ahead, %llu unfollowed",
		(unsigned long long)tally.verdicts[UGNF_STREAM_ACCEPT],
		(unsigned long long)tally.verdicts[UGNF_STREAM_ILL_FORMED],
		(unsigned long long)tally.verdicts[UGNF_STREAM_DIFFERS],
		(unsigned long long)tally.verdicts[UGNF_STREAM_UNVERIFIABLE],
		(unsigned long long)tally.verdicts[UGNF_STREAM_FULL],
		(unsigned long long)tally.resegmented,
		(unsigned long long)tally.verdicts[UGNF_STREAM_AHEAD],
		(unsigned long long)tally.verdicts[UGNF_STREAM_UNFOLLOWED]);
	tap_note(
		"besides, %llu resets, %llu urgent, %llu unread, of which %llu passed, %llu early, %llu thrown away, %llu given up",
		(unsigned long long)model.trials.resets, (unsigned long long)model.trials.urgent,
		(unsigned long long)model.trials.unread, (unsigned long long)model.trials.passed,
		(unsigned long long)model.trials.early, (unsigned long long)model.trials.reneged,
		(unsigned long long)model.trials.given_up);
}

#endif /* _UTF8GUARD_TESTS_PLAY_H */
