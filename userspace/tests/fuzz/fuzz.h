/* SPDX-License-Identifier: GPL-2.0 */
/* What targets share: an input that is taken piece by piece, and checks of the results. */
#ifndef _UTF8GUARD_FUZZ_H
#define _UTF8GUARD_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../reference.h"

/* Called for each input by libFuzzer, or by replay.c. Returns 0. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Called once before the first input, if a target has it. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define fuzz_check(claim)                                                      \
	do {                                                                   \
		if (!(claim)) {                                                \
			dprintf(2, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #claim); \
			abort();                                               \
		}                                                              \
	} while (0)

/**
 * struct fuzz_input - what is left of an input
 * @at: its octets
 * @left: how many; when none are left, only zeroes are taken
 */
struct fuzz_input {
	const u8 *at;
	size_t left;
};

__attribute__((unused))
static u8 fuzz_octet(struct fuzz_input *input)
{
	if (!input->left)
		return 0;
	input->left--;
	return *input->at++;
}

/* Several as a number, the first one lowest. */
__attribute__((unused))
static u32 fuzz_number(struct fuzz_input *input, unsigned int octets)
{
	unsigned int i;
	u32 number = 0;

	for (i = 0; i < octets; i++)
		number |= (u32)fuzz_octet(input) << 8 * i;
	return number;
}

/* The first octets of what is left, at most @most of them: for free(), no octet longer. */
__attribute__((unused))
static u8 *fuzz_take(struct fuzz_input *input, size_t most, size_t *length)
{
	u8 *copy;

	*length = most < input->left ? most : input->left;
	copy = malloc(*length);
	if (*length)
		memcpy(copy, input->at, *length);
	input->at += *length;
	input->left -= *length;
	return copy;
}

/* The same without what is ill-formed: of most inputs, all that could be seen is that they are. */
__attribute__((unused))
static u8 *fuzz_take_good(struct fuzz_input *input, size_t most, size_t *length)
{
	u8 *text = fuzz_take(input, most, length), *rest = malloc(*length), *good;

	*length = reference_repair(text, *length, "", rest);
	good = malloc(*length);
	memcpy(good, rest, *length);
	free(rest);
	free(text);
	return good;
}

/* Discards what the tool prints: there is much of it, and no target looks at it. */
__attribute__((unused))
static void fuzz_silence(void)
{
	stdout = fopen("/dev/null", "w");
	stderr = fopen("/dev/null", "w");
}

/* For a target that has nothing else to do before the first input. */
#define FUZZ_BEGINS_SILENTLY                                                   \
	int LLVMFuzzerInitialize(int *argc, char ***argv)                      \
	{                                                                      \
		(void)argc;                                                    \
		(void)argv;                                                    \
		fuzz_silence();                                                \
		return 0;                                                      \
	}

#endif /* _UTF8GUARD_FUZZ_H */
