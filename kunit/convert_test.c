// SPDX-License-Identifier: GPL-2.0
/*
 * Conversion and repair in the kernel, by example, into memory of every size up to the right
 * one. Host tests compare the same sources with iconv.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/utf8guard.h>

#define REPAIR 0xff /* instead of an encoding: utf8guard_sanitize() */

struct example {
	const char *name;
	u8 from;
	u8 to; /* or enum utf8guard_repair */
	u8 bom;
	u8 len;
	u8 want_len;
	u8 class; /* why it is refused */
	u8 offset;
	const char *text;
	const char *want;
};

#define CONVERTS(name, from, to, bom, text, want)                              \
	{ name, UTF8GUARD_##from, UTF8GUARD_##to, UTF8GUARD_BOM_##bom,         \
	  sizeof(text) - 1, sizeof(want) - 1, 0, 0, text, want }
#define REFUSES(name, from, to, bom, text, class, offset)                      \
	{ name, UTF8GUARD_##from, UTF8GUARD_##to, UTF8GUARD_BOM_##bom,         \
	  sizeof(text) - 1, 0, UTF8GUARD_CLASS_##class, offset, text, "" }
#define REPAIRS(name, how, text, want)                                         \
	{ name, REPAIR, UTF8GUARD_##how, 0, sizeof(text) - 1, sizeof(want) - 1, \
	  0, 0, text, want }

static const struct example examples[] = {
	CONVERTS("nothing", UTF8, UTF16LE, KEEP, "", ""),
	CONVERTS("to UTF-16LE", UTF8, UTF16LE, KEEP, "a\xf0\x9f\x98\x80", "a\0\x3d\xd8\0\xde"),
	CONVERTS("to UTF-32BE", UTF8, UTF32BE, KEEP, "\xe2\x82\xac", "\0\0\x20\xac"),
	CONVERTS("from UTF-16BE", UTF16BE, UTF8, KEEP, "\x20\xac\xd8\x3d\xde\0",
		 "\xe2\x82\xac\xf0\x9f\x98\x80"),
	CONVERTS("by its mark", UTF16, UTF8, STRIP, "\xff\xfe\x61\0", "a"),
	CONVERTS("a mark kept", UTF32, UTF8, KEEP, "\0\0\xfe\xff", "\xef\xbb\xbf"),
	CONVERTS("CESU-8", CESU8, UTF8, KEEP, "\xed\xa0\xbd\xed\xb8\x80", "\xf0\x9f\x98\x80"),
	CONVERTS("modified UTF-8", MODIFIED_UTF8, UTF8, KEEP, "\xc0\x80", "\0"),
	REFUSES("an odd octet", UTF16LE, UTF8, KEEP, "a\0b", TRUNCATED, 2),
	REFUSES("half a pair", UTF16LE, UTF8, KEEP, "a\0\x3d\xd8\x62\0", SURROGATE, 2),
	REFUSES("the other half", UTF16BE, UTF8, KEEP, "\xde\0", SURROGATE, 0),
	REFUSES("above U+10FFFF", UTF32BE, UTF8, KEEP, "\0\x11\0\0", TOO_LARGE, 0),
	REFUSES("an overlong full stop", UTF8, UTF16LE, KEEP, "ab\xc0\xae", OVERLONG, 2),
	REFUSES("no mark", UTF8, UTF8, REQUIRE, "a", BOM, 0),
	REPAIRS("replace", REPLACE, "a\xf0\x9f\x98\x62\xc0\xaf",
		"a\xef\xbf\xbd\x62\xef\xbf\xbd\xef\xbf\xbd"),
	REPAIRS("skip", SKIP, "a\xf0\x9f\x98\x62\xc0\xaf", "ab"),
	REPAIRS("nothing to repair", SKIP, "\xe2\x82\xac", "\xe2\x82\xac"),
};

static void example_desc(const struct example *example, char *desc)
{
	strscpy(desc, example->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(example, examples, example_desc);

static int run(const struct example *e, void *out, size_t *size, struct utf8guard_error *err)
{
	const struct utf8guard_conversion how = { e->from, e->to, e->bom };

	if (e->from == REPAIR)
		return utf8guard_sanitize(e->to, e->text, e->len, out, size);
	return utf8guard_convert(&how, e->text, e->len, out, size, err);
}

static int expected(const struct example *e, size_t room)
{
	if (e->class)
		return -EILSEQ;
	return room < e->want_len ? -EMSGSIZE : 0;
}

static void test_every_size(struct kunit *test)
{
	const struct example *e = test->param_value;
	size_t room, size;

	for (room = 0; room <= e->want_len + 1; room++) {
		u8 *out = kunit_kmalloc(test, room + 8, GFP_KERNEL);
		struct utf8guard_error err = { 0 };

		KUNIT_ASSERT_NOT_NULL(test, out);
		memset(out, 0xa5, room + 8);
		size = room;
		KUNIT_EXPECT_EQ(test, run(e, room ? out : NULL, &size, &err), expected(e, room));
		KUNIT_EXPECT_NULL(test, memchr_inv(out + room, 0xa5, 8));
		KUNIT_EXPECT_EQ(test, err.class, e->class);
		KUNIT_EXPECT_EQ(test, err.offset, e->offset);
		if (!e->class)
			KUNIT_EXPECT_EQ(test, size, e->want_len);
		if (!expected(e, room))
			KUNIT_EXPECT_EQ(test, memcmp(out, e->want, e->want_len), 0);
		kunit_kfree(test, out);
	}
}

static void test_no_such_conversion(struct kunit *test)
{
	static const struct utf8guard_conversion none[] = {
		{ UTF8GUARD_UTF8, UTF8GUARD_CESU8, 0 }, { UTF8GUARD_UTF8, UTF8GUARD_UTF16, 0 },
		{ UTF8GUARD_UTF32 + 1, UTF8GUARD_UTF8, 0 },
		{ UTF8GUARD_UTF8, UTF8GUARD_UTF8, UTF8GUARD_BOM_REQUIRE + 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		size_t size = 0;

		KUNIT_EXPECT_EQ(test, utf8guard_convert(&none[i], "a", 1, NULL, &size, NULL),
				-EINVAL);
	}
}

static struct kunit_case convert_cases[] = {
	KUNIT_CASE_PARAM(test_every_size, example_gen_params),
	KUNIT_CASE(test_no_such_conversion),
	{}
};

static struct kunit_suite convert_suite = {
	.name = "utf8guard_convert",
	.test_cases = convert_cases,
};

kunit_test_suite(convert_suite);

MODULE_DESCRIPTION("KUnit suite for conversion and repair");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
