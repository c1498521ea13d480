/* SPDX-License-Identifier: GPL-2.0 */
/* TAP for test programs in C: a line for each check, the plan at the end. */
#ifndef _UTF8GUARD_TAP_H
#define _UTF8GUARD_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned int tap_count, tap_failed;

__attribute__((format(printf, 2, 3), unused))
static bool tap_ok(bool good, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("%sok %u - ", good ? "" : "not ", ++tap_count);
	vprintf(format, args);
	printf("\n");
	fflush(stdout);
	va_end(args);
	tap_failed += !good;
	return good;
}

__attribute__((format(printf, 1, 2), unused))
static void tap_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	printf("\n");
	fflush(stdout);
	va_end(args);
}

__attribute__((unused))
static void tap_skip(const char *what, const char *why)
{
	printf("ok %u - %s # SKIP %s\n", ++tap_count, what, why);
}

/* Ends with the plan. A program that checked nothing has failed: 1..0 would mean that it was skipped. */
__attribute__((unused))
static int tap_done(void)
{
	if (!tap_count)
		tap_ok(false, "something is checked");
	printf("1..%u\n", tap_count);
	return tap_failed != 0;
}

/* A number that whoever runs the test may give in the environment. */
__attribute__((unused))
static unsigned long long tap_env(const char *name, unsigned long long otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

/* STEP=N in the environment: one text in N is enough. */
__attribute__((unused))
static unsigned int tap_step(void)
{
	return tap_env("STEP", 1) ?: 1;
}

#endif /* _UTF8GUARD_TAP_H */
