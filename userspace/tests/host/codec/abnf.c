// SPDX-License-Identifier: GPL-2.0
/*
 * The validator in user space against the grammar of RFC 3629 and against the
 * vectors of the KUnit suites: every text of 1 to 3 octets, whole and fed in
 * every cut.
 *
 * promise whoever wrote the text: a text is valid if and only if the grammar of RFC 3629 has it
 * shown by: every text of %zu octets by the grammar
 */
#include <stdio.h>
#include <string.h>

#include "../../../../kunit/judge.h"
#include "../../../../kunit/vectors.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static unsigned int tests;
static unsigned int failed;

static void ok(bool passed, const char *name, const char *why)
{
	printf("%sok %u - %s\n", passed ? "" : "not ", ++tests, name);
	if (passed)
		return;
	failed++;
	fprintf(stderr, "# %s: %s\n", name, why);
}

static void vector(const struct utf8guard_vector *v)
{
	struct utf8guard_judge judge = {
		.validate = utf8guard_validate,
		.feed = utf8guard_feed,
	};
	const struct utf8guard_error *ought = &v->err;
	struct utf8guard_error err = { 0 };
	bool refused = utf8guard_validate(v->octets, v->len, &err);
	char why[160];

	snprintf(why, sizeof(why),
		 "%d: class %u, offset %zu, length %u, span %u, note %u, code point %#x",
		 refused, err.class, err.offset, err.length, err.span, err.note,
		 err.code_point);
	ok(refused == (ought->class != UTF8GUARD_CLASS_NONE) &&
	   err.class == ought->class && err.offset == ought->offset &&
	   err.length == ought->length && err.span == ought->span &&
	   err.note == ought->note && err.code_point == ought->code_point,
	   v->name, why);

	utf8guard_judge(&judge, (const u8 *)v->octets, v->len);
	ok(!judge.wrong, "the same by the grammar", judge.first);
}

static void walk(const struct utf8guard_walk *w)
{
	struct utf8guard_error err;
	char why[80] = "";
	size_t at = 0;
	size_t i;

	for (i = 0; i < COUNT(w->parts) && w->parts[i].length && !*why; i++) {
		memset(&err, 0, sizeof(err));
		if (!utf8guard_validate(w->octets + at, w->len - at, &err) ||
		    at + err.offset != w->parts[i].offset ||
		    err.length != w->parts[i].length ||
		    err.class != w->parts[i].class)
			snprintf(why, sizeof(why), "class %u, offset %zu, length %u",
				 err.class, at + err.offset, err.length);
		at += err.offset + err.length;
	}
	if (!*why && utf8guard_validate(w->octets + at, w->len - at, NULL))
		snprintf(why, sizeof(why), "refused after offset %zu", at);
	ok(!*why, w->name, why);
}

static void exhaustive(size_t len)
{
	struct utf8guard_judge judge = {
		.validate = utf8guard_validate,
		.feed = utf8guard_feed,
	};
	char name[80], why[200];
	unsigned int first;

	for (first = 0; first < 256; first++)
		utf8guard_judge_after(&judge, first, len);
	snprintf(name, sizeof(name), "every text of %zu octets by the grammar", len);
	snprintf(why, sizeof(why), "%lu of %lu wrong, first %s", judge.wrong,
		 judge.texts, judge.first);
	ok(!judge.wrong && judge.texts == 1UL << (8 * len), name, why);
}

int main(void)
{
	size_t i;

	for (i = 0; i < COUNT(utf8guard_vectors); i++)
		vector(&utf8guard_vectors[i]);
	for (i = 0; i < COUNT(utf8guard_walks); i++)
		walk(&utf8guard_walks[i]);
	for (i = 1; i <= 3; i++)
		exhaustive(i);
	printf("1..%u\n", tests);
	return failed != 0;
}
