// SPDX-License-Identifier: GPL-2.0
/*
 * Print how fast this machine's time stamp counter runs, in kHz.
 *
 * The emulated machine has the same counter. A kernel that measures it against
 * emulated timers errs while the host is busy (811 MHz for 2445 was seen), and its
 * clock is wrong by as much, and with it every wait in a test.
 *
 * A sample is the counter and the clock, read together. Of many samples, the one with
 * the least time between its two readings of the counter was disturbed least.
 */
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define SAMPLES 1000

struct sample {
	unsigned long long ticks; /* of the counter */
	double seconds;
};

static struct sample take(void)
{
	unsigned long long before, after, least = ~0ULL;
	struct sample best = { 0, 0 };
	struct timespec now;
	int i;

	for (i = 0; i < SAMPLES; i++) {
		before = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC, &now);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best.ticks = before + least / 2;
		best.seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
	}
	return best;
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = 50 * 1000 * 1000 };
	struct sample first, last;

	first = take();
	nanosleep(&pause, NULL);
	last = take();
	if (last.ticks <= first.ticks)
		return 1;
	printf("%.0f\n", (double)(last.ticks - first.ticks) /
	       (last.seconds - first.seconds) / 1000);
	return 0;
}
