// SPDX-License-Identifier: GPL-2.0
/* The progress of a long command, shown on a terminal. */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

/* Milliseconds between two lines. */
#define PAUSE 200

static bool on, visible;
static struct timespec shown, begun;

void progress_begin(bool wanted)
{
	on = wanted && isatty(STDERR_FILENO);
	clock_gettime(CLOCK_MONOTONIC, &begun);
}

/* Does anybody watch? */
bool progress_is_on(void)
{
	return on;
}

static bool is_due(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((now.tv_sec - shown.tv_sec) * 1000 +
	    (now.tv_nsec - shown.tv_nsec) / 1000000 < PAUSE)
		return false;
	shown = now;
	return true;
}

/* How much is done a second, on average since progress_begin(). */
unsigned long long progress_rate(unsigned long long done)
{
	struct timespec now;
	unsigned long long milliseconds;

	if (!on)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	milliseconds = (unsigned long long)((now.tv_sec - begun.tv_sec) * 1000 +
					    (now.tv_nsec - begun.tv_nsec) / 1000000);
	return done * 1000 / (milliseconds ? milliseconds : 1);
}

/* Returns at once where nobody watches; prints no more often than each PAUSE. */
void progress_show(const char *format, ...)
{
	va_list arguments;

	if (!on || !is_due())
		return;
	progress_clear();
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fflush(stderr);
	visible = true;
}

/* To be called before anything else is written: standard output may be the same terminal. */
void progress_clear(void)
{
	if (visible)
		fputs("\r\033[K", stderr);
	visible = false;
}
