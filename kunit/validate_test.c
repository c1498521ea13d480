// SPDX-License-Identifier: GPL-2.0
/* The validator of the codec against RFC 3629, by example and exhaustively. */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/utf8guard.h>

#include "judge.h"
#include "vectors.h"

#define SURROGATES	0xd800
#define SURROGATES_END	0xdfff
#define LAST_SCALAR	0x10ffff

static void vector_desc(const struct utf8guard_vector *vector, char *desc)
{
	strscpy(desc, vector->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(vector, utf8guard_vectors, vector_desc);

static void walk_desc(const struct utf8guard_walk *walk, char *desc)
{
	strscpy(desc, walk->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(walk, utf8guard_walks, walk_desc);

static void expect_error(struct kunit *test, const struct utf8guard_error *err,
			 const struct utf8guard_error *ought)
{
	KUNIT_EXPECT_STREQ(test, utf8guard_class_name(err->class),
			   utf8guard_class_name(ought->class));
	KUNIT_EXPECT_EQ(test, err->offset, ought->offset);
	KUNIT_EXPECT_EQ(test, err->length, ought->length);
	KUNIT_EXPECT_EQ(test, err->span, ought->span);
	KUNIT_EXPECT_EQ(test, err->note, ought->note);
	KUNIT_EXPECT_EQ(test, err->code_point, ought->code_point);
}

/* In memory of exactly its length, so that KASAN sees a read after it. */
static u8 *exact(struct kunit *test, const void *octets, size_t len)
{
	u8 *text = kunit_kmalloc(test, len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, text);
	memcpy(text, octets, len);
	return text;
}

static void test_vector(struct kunit *test)
{
	const struct utf8guard_vector *vector = test->param_value;
	bool well_formed = vector->err.class == UTF8GUARD_CLASS_NONE;
	const u8 *text = exact(test, vector->octets, vector->len);
	int expected = well_formed ? 0 : -EILSEQ;
	struct utf8guard_error err = { 0 };

	KUNIT_EXPECT_EQ(test, utf8guard_validate(text, vector->len, NULL), expected);
	KUNIT_EXPECT_EQ(test, utf8guard_validate(text, vector->len, &err), expected);
	if (well_formed)
		return;
	expect_error(test, &err, &vector->err);

	memset(&err, 0xff, sizeof(err));
	utf8guard_explain(text, vector->len, vector->err.offset, &err);
	expect_error(test, &err, &vector->err);
}

/* The vectors are right about the grammar, and feeding agrees in every cut. */
static void test_vector_by_grammar(struct kunit *test)
{
	const struct utf8guard_vector *vector = test->param_value;
	struct utf8guard_judge judge = {
		.validate = utf8guard_validate,
		.feed = utf8guard_feed,
	};

	utf8guard_judge(&judge, exact(test, vector->octets, vector->len), vector->len);
	KUNIT_EXPECT_EQ_MSG(test, judge.wrong, 0, "%s", judge.first);
}

/*
 * An error is the same wherever it stands: after any well-formed text of the
 * table, repeated so that it meets every alignment and every block of a
 * validator that takes many octets at once, and before any well-formed text,
 * whose first octet then cuts short what the end would have truncated.
 */
static void test_vector_in_context(struct kunit *test)
{
	const struct utf8guard_vector *vector = test->param_value;
	const struct utf8guard_vector *before, *after;
	const struct utf8guard_vector *end = utf8guard_vectors + ARRAY_SIZE(utf8guard_vectors);
	u8 *text = kunit_kmalloc(test, 1024, GFP_KERNEL);
	struct utf8guard_error err, ought;
	unsigned long wrong = 0;
	unsigned int i;
	size_t len, at;
	int expected;

	KUNIT_ASSERT_NOT_NULL(test, text);
	for (before = utf8guard_vectors; before < end; before++) {
		if (before->err.class)
			continue;
		at = 0;
		for (i = 0; i < 40 && at < 160; i++) {
			for (after = utf8guard_vectors; after < end; after++) {
				if (after->err.class)
					continue;
				memcpy(text + at, vector->octets, vector->len);
				len = at + vector->len;
				memcpy(text + len, after->octets, after->len);
				len += after->len;

				ought = vector->err;
				ought.offset += at;
				if (ought.class == UTF8GUARD_CLASS_TRUNCATED && after->len)
					ought.class = UTF8GUARD_CLASS_TOO_SHORT;
				expected = ought.class ? -EILSEQ : 0;
				err = ought;
				if (utf8guard_validate(text, len, &err) == expected &&
				    err.offset == ought.offset &&
				    err.class == ought.class &&
				    err.length == ought.length &&
				    err.span == ought.span && err.note == ought.note &&
				    err.code_point == ought.code_point)
					continue;
				if (!wrong++)
					kunit_err(test,
						  "first after %zu octets of '%s', before '%s'\n",
						  at, before->name, after->name);
			}
			memcpy(text + at, before->octets, before->len);
			at += before->len;
		}
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

/* Finds each maximal subpart of a text, as a decoder does that goes on after it. */
static void test_walk(struct kunit *test)
{
	const struct utf8guard_walk *walk = test->param_value;
	const u8 *text = exact(test, walk->octets, walk->len);
	struct utf8guard_error err;
	size_t at = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(walk->parts) && walk->parts[i].length; i++) {
		KUNIT_ASSERT_EQ(test, utf8guard_validate(text + at, walk->len - at, &err),
				-EILSEQ);
		KUNIT_EXPECT_EQ(test, at + err.offset, walk->parts[i].offset);
		KUNIT_EXPECT_EQ(test, err.length, walk->parts[i].length);
		KUNIT_EXPECT_STREQ(test, utf8guard_class_name(err.class),
				   utf8guard_class_name(walk->parts[i].class));
		at += err.offset + err.length;
		KUNIT_ASSERT_LE(test, at, walk->len);
	}
	KUNIT_EXPECT_EQ(test, utf8guard_validate(text + at, walk->len - at, &err), 0);
}

/* RFC 2279's table, which RFC 3629 cut down: @value in 1 to 6 octets. */
static void encode(u32 value, unsigned int octets, u8 *text)
{
	static const u8 header[] = { 0, 0x00, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc };
	unsigned int i;

	for (i = octets - 1; i > 0; i--) {
		text[i] = 0x80 | (value & 0x3f);
		value >>= 6;
	}
	text[0] = header[octets] | value;
}

/* The fewest octets that RFC 2279's table has for @value. */
static unsigned int fewest(u32 value)
{
	return value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 :
	       value < 0x200000 ? 4 : value < 0x4000000 ? 5 : 6;
}

static u8 class_of(u32 value, unsigned int octets)
{
	if (octets > 4)
		return UTF8GUARD_CLASS_HEADER_BITS;
	if (octets > fewest(value))
		return UTF8GUARD_CLASS_OVERLONG;
	if (value >= SURROGATES && value <= SURROGATES_END)
		return UTF8GUARD_CLASS_SURROGATE;
	return value > LAST_SCALAR ? UTF8GUARD_CLASS_TOO_LARGE : UTF8GUARD_CLASS_NONE;
}

static u8 note_of(u32 value, unsigned int octets)
{
	if (octets > 4)
		return octets == 5 ? UTF8GUARD_NOTE_FIVE_OCTET :
				     UTF8GUARD_NOTE_SIX_OCTET;
	if (class_of(value, octets) != UTF8GUARD_CLASS_OVERLONG)
		return UTF8GUARD_NOTE_NONE;
	if (value == 0 && octets == 2)
		return UTF8GUARD_NOTE_MODIFIED_NUL;
	return value == '.' ? UTF8GUARD_NOTE_DOT :
	       value == '/' ? UTF8GUARD_NOTE_SLASH : UTF8GUARD_NOTE_NONE;
}

static bool is_judged_right(u32 value, unsigned int octets)
{
	u8 class = class_of(value, octets);
	struct utf8guard_error err = { 0 };
	u8 text[6];
	int ret;

	encode(value, octets, text);
	ret = utf8guard_validate(text, octets, &err);
	if (class == UTF8GUARD_CLASS_NONE)
		return ret == 0;
	return ret == -EILSEQ && err.class == class && err.offset == 0 &&
	       err.length == 1 && err.span == octets && err.code_point == value &&
	       err.note == note_of(value, octets);
}

/* The values from @first to @last, each in @octets octets, 0 for the fewest. */
static void expect_values(struct kunit *test, u32 first, u32 last, unsigned int octets)
{
	u32 first_wrong = 0;
	u32 wrong = 0;
	u32 value;

	for (value = first; value <= last; value++) {
		if (!is_judged_right(value, octets ?: fewest(value)) && !wrong++)
			first_wrong = value;
		if (!(value & 0xffff))
			cond_resched();
	}
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "the first is 0x%x in %u octets",
			    first_wrong, octets ?: fewest(first_wrong));
}

static void test_every_scalar_value(struct kunit *test)
{
	expect_values(test, 0, SURROGATES - 1, 0);
	expect_values(test, SURROGATES_END + 1, LAST_SCALAR, 0);
}

static void test_every_surrogate(struct kunit *test)
{
	expect_values(test, SURROGATES, SURROGATES_END, 0);
}

static void test_every_value_too_large(struct kunit *test)
{
	expect_values(test, LAST_SCALAR + 1, 0x1fffff, 0);
}

static void test_every_overlong_form(struct kunit *test)
{
	expect_values(test, 0, 0x7f, 2);
	expect_values(test, 0, 0x7ff, 3);
	expect_values(test, 0, 0xffff, 4);
}

/* Of the 5- and 6-octet forms, both sides of every power of 2. */
static void test_older_forms(struct kunit *test)
{
	unsigned int octets, bit;

	for (octets = 5; octets <= 6; octets++) {
		for (bit = 0; bit < (octets == 5 ? 26 : 31); bit++) {
			KUNIT_EXPECT_TRUE_MSG(test, is_judged_right(1U << bit, octets),
					      "0x%x in %u octets", 1U << bit, octets);
			KUNIT_EXPECT_TRUE_MSG(test, is_judged_right((2U << bit) - 1, octets),
					      "0x%x in %u octets", (2U << bit) - 1, octets);
		}
	}
}

/* Every text of @len octets, whole and fed in every cut, against the grammar. */
static void expect_all(struct kunit *test, size_t len)
{
	struct utf8guard_judge judge = {
		.validate = utf8guard_validate,
		.feed = utf8guard_feed,
	};
	unsigned int first;

	for (first = 0; first < 256; first++) {
		utf8guard_judge_after(&judge, first, len);
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, judge.texts, 1UL << (8 * len));
	KUNIT_EXPECT_EQ_MSG(test, judge.wrong, 0, "%s", judge.first);
}

static void test_every_octet(struct kunit *test)
{
	expect_all(test, 1);
}

static void test_every_2_octets(struct kunit *test)
{
	expect_all(test, 2);
}

static void test_every_3_octets(struct kunit *test)
{
	expect_all(test, 3);
}

static void test_nothing(struct kunit *test)
{
	u8 state = UTF8GUARD_STATE_TAIL1;

	KUNIT_EXPECT_EQ(test, utf8guard_validate(NULL, 0, NULL), 0);
	KUNIT_EXPECT_EQ(test, utf8guard_feed(&state, NULL, 0), 0);
	KUNIT_EXPECT_EQ(test, state, UTF8GUARD_STATE_TAIL1);
}

/* A stream that was refused stays refused, whatever follows. */
static void test_refused_for_good(struct kunit *test)
{
	u8 state = UTF8GUARD_STATE_START;

	KUNIT_EXPECT_EQ(test, utf8guard_feed(&state, "a\xff", 2), 1);
	KUNIT_EXPECT_EQ(test, state, UTF8GUARD_STATE_REFUSED);
	KUNIT_EXPECT_EQ(test, utf8guard_feed(&state, "abc", 3), 0);
	KUNIT_EXPECT_EQ(test, state, UTF8GUARD_STATE_REFUSED);
}

static struct kunit_case validate_cases[] = {
	KUNIT_CASE_PARAM(test_vector, vector_gen_params),
	KUNIT_CASE_PARAM(test_vector_by_grammar, vector_gen_params),
	KUNIT_CASE_PARAM(test_vector_in_context, vector_gen_params),
	KUNIT_CASE_PARAM(test_walk, walk_gen_params),
	KUNIT_CASE(test_every_scalar_value),
	KUNIT_CASE(test_every_surrogate),
	KUNIT_CASE(test_every_value_too_large),
	KUNIT_CASE(test_every_overlong_form),
	KUNIT_CASE(test_older_forms),
	KUNIT_CASE(test_every_octet),
	KUNIT_CASE(test_every_2_octets),
	KUNIT_CASE_SLOW(test_every_3_octets),
	KUNIT_CASE(test_nothing),
	KUNIT_CASE(test_refused_for_good),
	{}
};

static struct kunit_suite validate_suite = {
	.name = "utf8guard_validate",
	.test_cases = validate_cases,
};

kunit_test_suite(validate_suite);

MODULE_DESCRIPTION("KUnit suite for the UTF-8 validator");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
