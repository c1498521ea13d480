// SPDX-License-Identifier: GPL-2.0
/*
 * A checksum of rules. It is made of the words that the rules in the kernel would be made with.
 * So it is the same however the file was written, whenever it was loaded, and on every host.
 * Handles, counters, what a rule waits for, and the UUID of a file system, for which its path
 * stands, are not part of it. It shows accidental differences between hosts. It is no
 * protection: with 64 bits of FNV-1a, anybody can make a policy with a given checksum.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"
#include "output/output.h"

#define FNV_BEGIN 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

static u64 add(u64 sum, const char *line)
{
	for (; *line; line++)
		sum = (sum ^ (unsigned char)*line) * FNV_PRIME;
	return (sum ^ '\n') * FNV_PRIME;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A rule whose namespace is gone does not count: it is about to be deleted. */
static bool counts(const json_t *rule)
{
	return !member_present(rule, "gone");
}

/**
 * checksum_of() - the checksum of rules
 * @of: whose they are
 * @list: from rules_list()
 * @text: filled in
 *
 * The order of rules for names says nothing, that of rules for packets does.
 *
 * Return: @text.
 */
const char *checksum_of(const struct rules *of, const json_t *list, char text[CHECKSUM_SIZE])
{
	char **lines = no_null(calloc(json_array_size(list) + 1, sizeof(*lines)));
	size_t i, count = 0;
	u64 sum = FNV_BEGIN;
	const json_t *rule;

	json_array_foreach(list, i, rule) {
		if (counts(rule))
			lines[count++] = rule_text_by_path(of, rule);
	}
	if (of == &rules_fs)
		qsort(lines, count, sizeof(*lines), by_text);
	for (i = 0; i < count; i++) {
		sum = add(sum, lines[i]);
		free(lines[i]);
	}
	free(lines);
	snprintf(text, CHECKSUM_SIZE, "%016llx", (unsigned long long)sum);
	return text;
}
