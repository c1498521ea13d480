// SPDX-License-Identifier: GPL-2.0
/*
 * What a policy changes, as diff(1) shows it. The kernel decides which rules stay: these have
 * the same handles in the draft as before, so nothing is guessed from their words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "difference.h"
#include "output/output.h"
#include "output/text.h"

#define NONE ((size_t)-1)

/**
 * struct version - the rules before or after
 * @text: the words of each
 * @handle: that of each
 * @other: the place of the same rule in the other version, or NONE
 * @count: of rules
 */
struct version {
	char **text;
	unsigned long long *handle;
	size_t *other, count;
};

/**
 * struct difference - two versions
 * @stays: for each rule after: the same rule was there before, and does not move
 * @changes: how many
 */
struct difference {
	struct version before, after;
	bool *stays;
	struct changes changes;
};

static void *array(size_t count, size_t size)
{
	return no_null(calloc(count + 1, size));
}

static void read_version(struct version *version, const struct rules *of, const json_t *list)
{
	const json_t *rule;
	size_t i;

	version->count = json_array_size(list);
	version->text = array(version->count, sizeof(*version->text));
	version->handle = array(version->count, sizeof(*version->handle));
	version->other = array(version->count, sizeof(*version->other));
	json_array_foreach(list, i, rule) {
		version->text[i] = rule_text(of, rule);
		version->handle[i] = member_number(rule, "handle");
		version->other[i] = NONE;
	}
}

static void free_version(struct version *version)
{
	size_t i;

	for (i = 0; i < version->count; i++)
		free(version->text[i]);
	free(version->text);
	free(version->handle);
	free(version->other);
}

/* A handle and its place, to be sorted. */
struct handle {
	unsigned long long handle;
	size_t at;
};

static int by_handle(const void *a, const void *b)
{
	const struct handle *one = a, *other = b;

	return one->handle < other->handle ? -1 : one->handle > other->handle;
}

/* Pairs rules of the same handle and words. With other words, one rule has replaced another. */
static void pair(struct version *before, struct version *after)
{
	struct handle *handles = array(before->count, sizeof(*handles));
	const struct handle *found;
	size_t i;

	for (i = 0; i < before->count; i++)
		handles[i] = (struct handle){ before->handle[i], i };
	qsort(handles, before->count, sizeof(*handles), by_handle);
	for (i = 0; i < after->count; i++) {
		const struct handle wanted = { after->handle[i], 0 };

		found = bsearch(&wanted, handles, before->count, sizeof(*handles), by_handle);
		if (!found || strcmp(before->text[found->at], after->text[i]))
			continue;
		after->other[i] = found->at;
		before->other[found->at] = i;
	}
	free(handles);
}

/* The first of @count places in @ends that is not before @place. */
static size_t slot_for(const struct version *after, const size_t *ends, size_t count, size_t place)
{
	size_t from = 0;

	while (from < count) {
		size_t middle = from + (count - from) / 2;

		if (after->other[ends[middle]] < place)
			from = middle + 1;
		else
			count = middle;
	}
	return from;
}

/*
 * As many as can stay while the others move: the longest subsequence of the new rules in which
 * their old places ascend. @ends[n] is the last rule of such a subsequence of n + 1 rules: of all
 * that were found, the one with the lowest old place. @previous leads back through each.
 */
static void choose_stays(struct difference *d)
{
	const struct version *after = &d->after;
	size_t *ends = array(after->count, sizeof(*ends));
	size_t *previous = array(after->count, sizeof(*previous));
	size_t length = 0, i, at;

	for (i = 0; i < after->count; i++) {
		if (after->other[i] == NONE)
			continue;
		at = slot_for(after, ends, length, after->other[i]);
		previous[i] = at ? ends[at - 1] : NONE;
		ends[at] = i;
		length += at == length;
	}
	for (at = length ? ends[length - 1] : NONE; at != NONE; at = previous[at])
		d->stays[at] = true;
	free(ends);
	free(previous);
}

static void tally(struct difference *d)
{
	struct changes *changes = &d->changes;
	size_t i;

	for (i = 0; i < d->after.count; i++) {
		changes->added += d->after.other[i] == NONE;
		changes->kept += d->stays[i];
		changes->moved += d->after.other[i] != NONE && !d->stays[i];
	}
	for (i = 0; i < d->before.count; i++)
		changes->removed += d->before.other[i] == NONE;
}

/* What was removed before @end, from @from on. */
static size_t print_removed(const struct version *before, size_t from, size_t end)
{
	for (; from < end; from++)
		if (before->other[from] == NONE)
			printf("-%s\n", before->text[from]);
	return from;
}

/* Where the rules that were removed end, from @from on: at the next one that is still there. */
static size_t end_of_removed(const struct version *before, size_t from)
{
	while (from < before->count && before->other[from] == NONE)
		from++;
	return from;
}

static void print_lines(const struct difference *d)
{
	const struct version *after = &d->after;
	size_t from = 0, i;

	for (i = 0; i < after->count; i++) {
		if (d->stays[i]) {
			from = print_removed(&d->before, from, after->other[i]) + 1;
			continue;
		}
		from = print_removed(&d->before, from, end_of_removed(&d->before, from));
		printf("%c%s\n", after->other[i] == NONE ? '+' : '~', after->text[i]);
	}
	print_removed(&d->before, from, d->before.count);
}

static void compare(struct difference *d, const struct rules *of, const json_t *before,
		    const json_t *after)
{
	*d = (struct difference){ .stays = NULL };
	read_version(&d->before, of, before);
	read_version(&d->after, of, after);
	d->stays = array(d->after.count, sizeof(*d->stays));
	pair(&d->before, &d->after);
	choose_stays(d);
	tally(d);
}

static void drop(struct difference *d)
{
	free(d->stays);
	free_version(&d->before);
	free_version(&d->after);
}

/* The numbers that difference_print() would print in its last line. */
struct changes difference_count(const struct rules *of, const json_t *before, const json_t *after)
{
	struct difference d;

	compare(&d, of, before, after);
	drop(&d);
	return d.changes;
}

static void print_heading(const struct rules *of, const char *file)
{
	char *shown = text_escape(file, strlen(file));

	printf("--- %s, in force\n+++ %s, %s\n", of->title, of->title, shown);
	free(shown);
}

/**
 * difference_print() - print what would change; nothing where nothing would
 * @of: whose rules
 * @before: the rules in force
 * @after: those of the draft
 * @file: that the draft was made of
 *
 * Return: whether anything would.
 */
bool difference_print(const struct rules *of, const json_t *before, const json_t *after,
		      const char *file)
{
	struct difference d;
	const struct changes *changes = &d.changes;
	bool differs;

	compare(&d, of, before, after);
	differs = changes->added || changes->removed || changes->moved;
	if (differs) {
		print_heading(of, file);
		print_lines(&d);
		printf("# %s: %zu added, %zu removed, %zu moved, %zu kept\n", of->title,
		       changes->added, changes->removed, changes->moved, changes->kept);
	}
	drop(&d);
	return differs;
}
