// SPDX-License-Identifier: GPL-2.0
/*
 * names DIR NAME: what it takes to create, close and unlink DIR/NAME, in ticks
 * of the time stamp counter. Where a tick is an instruction (run.sh -c), that is
 * a count and no measurement: the smallest of many rounds has no interrupt in it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>

enum { ROUNDS = 60, WARM = 10, TIMES = 20 };

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void once(const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	if (fd < 0 || close(fd) || unlink(name))
		fail(name);
}

static uint64_t one_round(const char *name)
{
	uint64_t start = __rdtsc();

	for (int i = 0; i < TIMES; i++)
		once(name);
	return __rdtsc() - start;
}

int main(int argc, char **argv)
{
	uint64_t least = UINT64_MAX;

	if (argc != 3) {
		fputs("usage: names DIR NAME\n", stderr);
		return 2;
	}
	if (chdir(argv[1]))
		fail(argv[1]);
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t ticks = one_round(argv[2]);

		if (i >= WARM && ticks < least)
			least = ticks;
	}
	printf("%.0f\n", (double)least / TIMES);
	return 0;
}
