// SPDX-License-Identifier: GPL-2.0
/*
 * The normaliser, by example and against NormalizationTest.txt, which is too
 * long to be compiled in: scripts/uml/run.sh puts it where the parameter says.
 */
#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/hex.h>
#include <linux/kernel_read_file.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/utf8guard_normalize.h>
#include <linux/vmalloc.h>

#include "becomes.h"
#include "vectors.h"

#define CODE_POINTS 0x110000
#define COLUMNS 5
#define MARKS 100000

static char *file = "/ucd/NormalizationTest.txt";
module_param(file, charp, 0444);
MODULE_PARM_DESC(file, "NormalizationTest.txt of the Unicode Character Database");

struct example {
	const char *name;
	enum utf8guard_form form;
	const char *text;
	const char *becomes;
};

#define EXAMPLE(name, form, text, becomes) { name, UTF8GUARD_FORM_##form, text, becomes }

static const struct example examples[] = {
	EXAMPLE("nothing", NFC, "", ""),
	EXAMPLE("ASCII, of a word's length and more", NFKC, "plain ASCII", "plain ASCII"),
	EXAMPLE("e with acute", NFC, "e\u0301", "\u00e9"),
	EXAMPLE("e with acute, apart", NFD, "\u00e9", "e\u0301"),
	EXAMPLE("two marks, sorted", NFD, "a\u0301\u0323", "a\u0323\u0301"),
	EXAMPLE("two marks, composed in order", NFC, "a\u0302\u0323", "\u1ead"),
	EXAMPLE("decomposed twice", NFD, "\u1ead", "a\u0323\u0302"),
	EXAMPLE("the rest of a decomposition composes anew", NFC, "\u1e0b\u0323", "\u1e0d\u0307"),
	EXAMPLE("blocked by a mark of the same rank", NFC, "a\u0315\u0300\u05ae\u0300b",
		"\u00e0\u05ae\u0300\u0315b"),
	EXAMPLE("blocked by a starter", NFC, "e\u200c\u0301", "e\u200c\u0301"),
	EXAMPLE("blocked by an enclosing mark", NFC, "e\u20dd\u0301", "e\u20dd\u0301"),
	EXAMPLE("two starters compose", NFC, "\u0b47\u0b3e", "\u0b4b"),
	EXAMPLE("but not over a mark", NFC, "\u0b47\u0300\u0b3e", "\u0b47\u0300\u0b3e"),
	EXAMPLE("excluded from composition", NFC, "\u0958", "\u0915\u093c"),
	EXAMPLE("a singleton", NFC, "\u212b", "\u00c5"),
	EXAMPLE("a singleton of Han", NFC, "\uf900", "\u8c48"),
	EXAMPLE("above the BMP", NFC, "\U000110a5\U000110ba", "\U000110ab"),
	EXAMPLE("marks without a starter", NFC, "\u0301\u0323", "\u0323\u0301"),
	EXAMPLE("an astral excluded one", NFC, "\U0001d15e", "\U0001d157\U0001d165"),
	EXAMPLE("Hangul: LV", NFC, "\u1100\u1161", "\uac00"),
	EXAMPLE("Hangul: LVT", NFC, "\u1112\u1161\u11ab", "\ud55c"),
	EXAMPLE("Hangul: LV, and T", NFC, "\uac00\u11a8", "\uac01"),
	EXAMPLE("Hangul: LVT takes no other T", NFC, "\uac01\u11a8", "\uac01\u11a8"),
	EXAMPLE("Hangul: the T before the first is none", NFC, "\uac00\u11a7", "\uac00\u11a7"),
	EXAMPLE("Hangul: a mark blocks", NFC, "\u1100\u0300\u1161", "\u1100\u0300\u1161"),
	EXAMPLE("Hangul: V alone", NFC, "\u1161\u11a8", "\u1161\u11a8"),
	EXAMPLE("Hangul: apart", NFD, "\ud55c\uac00", "\u1112\u1161\u11ab\u1100\u1161"),
	EXAMPLE("Hangul: halfwidth", NFKC, "\uffa1\uffc2", "\uac00"),
	EXAMPLE("ligature", NFKC, "\ufb01le", "file"),
	EXAMPLE("ligature, canonical forms keep it", NFC, "\ufb01le", "\ufb01le"),
	EXAMPLE("one half", NFKD, "\u00bd", "1\u20442"),
	EXAMPLE("halfwidth kana", NFKC, "\uff8a\uff9f", "\u30d1"),
	EXAMPLE("a long decomposition", NFKD, "\ufdfb",
		"\u062c\u0644 \u062c\u0644\u0627\u0644\u0647"),
	EXAMPLE("casefold", NFKC_CASEFOLD, "STRA\u00dfE\u00ad", "strasse"),
	EXAMPLE("casefold, composed", NFKC_CASEFOLD, "E\u0301", "\u00e9"),
	EXAMPLE("unassigned", NFC, "\u0378\u0301", "\u0378\u0301"),
};

static void example_desc(const struct example *example, char *desc)
{
	strscpy(desc, example->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(example, examples, example_desc);

static void test_example(struct kunit *test)
{
	const struct example *e = test->param_value;
	size_t len = strlen(e->text), want_len = strlen(e->becomes);

	KUNIT_EXPECT_TRUE(test, becomes(e->form, e->text, len, e->becomes, want_len));
	KUNIT_EXPECT_TRUE(test, becomes(e->form, e->becomes, want_len, e->becomes, want_len));
}

/* Into memory of exactly each size: KASAN sees a write after it, and so do guard octets. */
static void test_every_size(struct kunit *test)
{
	const struct example *e = test->param_value;
	size_t len = strlen(e->text), want_len = strlen(e->becomes), size, out_len;

	for (size = 0; size <= want_len + 1; size++) {
		u8 *out = kunit_kmalloc(test, size + 8, GFP_KERNEL);
		int ret;

		KUNIT_ASSERT_NOT_NULL(test, out);
		memset(out, 0xfe, size + 8);
		ret = utf8guard_normalize(e->form, e->text, len, size ? out : NULL, size,
					  &out_len, NULL);
		KUNIT_EXPECT_EQ(test, ret, size < want_len ? -EMSGSIZE : 0);
		KUNIT_EXPECT_EQ(test, out_len, want_len);
		KUNIT_EXPECT_NULL(test, memchr_inv(out + size, 0xfe, 8));
		if (!ret)
			KUNIT_EXPECT_EQ(test, memcmp(out, e->becomes, want_len), 0);
		kunit_kfree(test, out);
	}
}

/* Feed a piece, with room for only @cap octets at a time. */
static int feed(struct utf8guard_stream *s, const u8 *piece, size_t len, size_t cap,
		u8 **out)
{
	size_t used, n;
	int ret;

	do {
		ret = utf8guard_stream_feed(s, piece, len, &used, *out, cap, &n, NULL);
		*out += n;
		piece += used;
		len -= used;
	} while (ret == -EMSGSIZE);
	return ret;
}

static int end_of(struct utf8guard_stream *s, size_t cap, u8 **out)
{
	size_t n;
	int ret;

	do {
		ret = utf8guard_stream_end(s, *out, cap, &n, NULL);
		*out += n;
	} while (ret == -EMSGSIZE);
	return ret;
}

static void test_stream(struct kunit *test)
{
	const struct example *e = test->param_value;
	size_t len = strlen(e->text), want_len = strlen(e->becomes), cut, cap;
	struct utf8guard_stream *s = kunit_kmalloc(test, sizeof(*s), GFP_KERNEL);
	u8 out[LONGEST];

	KUNIT_ASSERT_NOT_NULL(test, s);
	for (cap = 4; cap <= 64; cap *= 2) {
		for (cut = 0; cut <= len; cut++) {
			u8 *at = out;

			utf8guard_stream_begin(s, e->form);
			KUNIT_EXPECT_EQ(test, feed(s, e->text, cut, cap, &at), 0);
			KUNIT_EXPECT_EQ(test, feed(s, e->text + cut, len - cut, cap, &at), 0);
			KUNIT_EXPECT_EQ(test, end_of(s, cap, &at), 0);
			KUNIT_EXPECT_EQ(test, at - out, want_len);
			KUNIT_EXPECT_EQ(test, memcmp(out, e->becomes, want_len), 0);
		}
	}
}

/* utf8guard_compare() finds a text equal to what it becomes, under that form. */
static void test_compare(struct kunit *test)
{
	const struct example *e = test->param_value;
	size_t len = strlen(e->text), want_len = strlen(e->becomes);
	char more[LONGEST];
	int order;

	KUNIT_EXPECT_EQ(test, utf8guard_compare(e->form, e->text, len, e->becomes, want_len,
						&order, NULL), 0);
	KUNIT_EXPECT_EQ(test, order, 0);
	snprintf(more, sizeof(more), "%sx", e->becomes);
	KUNIT_EXPECT_EQ(test, utf8guard_compare(e->form, e->text, len, more, want_len + 1,
						&order, NULL), 0);
	KUNIT_EXPECT_LT(test, order, 0);
	KUNIT_EXPECT_EQ(test, utf8guard_compare(e->form, more, want_len + 1, e->text, len,
						&order, NULL), 0);
	KUNIT_EXPECT_GT(test, order, 0);
}

/* Every form reports every kind of ill-formed text as the validator does. */
static void test_ill_formed(struct kunit *test)
{
	struct utf8guard_error err;
	enum utf8guard_form form;
	size_t i, out_len;
	u8 out[LONGEST];
	int ret;

	for (i = 0; i < ARRAY_SIZE(utf8guard_vectors); i++) {
		const struct utf8guard_vector *v = &utf8guard_vectors[i];

		ret = v->err.class == UTF8GUARD_CLASS_NONE ? 0 : -EILSEQ;
		for (form = 0; form < UTF8GUARD_FORMS; form++) {
			memset(&err, 0, sizeof(err));
			KUNIT_EXPECT_EQ_MSG(test, ret,
					    utf8guard_normalize(form, v->octets, v->len, out,
								sizeof(out), &out_len, &err),
					    "%s", v->name);
			KUNIT_EXPECT_EQ_MSG(test, err.class, v->err.class, "%s", v->name);
			KUNIT_EXPECT_EQ_MSG(test, err.offset, v->err.offset, "%s", v->name);
			KUNIT_EXPECT_EQ(test, err.code_point, v->err.code_point);
			if (ret)
				KUNIT_EXPECT_EQ(test, out_len, 0);
		}
	}
}

static size_t encode(u32 c, u8 *p)
{
	static const u8 lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t i, len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (i = len - 1; i > 0; i--, c >>= 6)
		p[i] = 0x80 | (c & 0x3f);
	p[0] = lead[len] | c;
	return len;
}

/* The Unicode Standard section 3.12: every syllable is arithmetic. */
static void test_every_hangul_syllable(struct kunit *test)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < 19 * 21 * 28; i++) {
		u8 syllable[4], jamo[12];
		size_t len = encode(0xac00 + i, syllable), n;

		n = encode(0x1100 + i / 28 / 21, jamo);
		n += encode(0x1161 + i / 28 % 21, jamo + n);
		if (i % 28)
			n += encode(0x11a7 + i % 28, jamo + n);
		wrong += !becomes(UTF8GUARD_FORM_NFD, syllable, len, jamo, n);
		wrong += !becomes(UTF8GUARD_FORM_NFC, jamo, n, syllable, len);
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

/* 100,000 marks, of two combining classes in turn: they come out sorted. */
static void test_long_run(struct kunit *test)
{
	size_t len = 1 + 2 * MARKS, out_len = 0, i, wrong = 0;
	u8 *text = kvmalloc(2 * len, GFP_KERNEL), *out = text + len;

	KUNIT_ASSERT_NOT_NULL(test, text);
	text[0] = 'q';
	for (i = 0; i < MARKS; i++)
		memcpy(text + 1 + 2 * i, i % 2 ? "\u0323" : "\u0301", 2);
	KUNIT_EXPECT_EQ(test, utf8guard_normalize(UTF8GUARD_FORM_NFC, text, len, out, len,
						  &out_len, NULL), 0);
	KUNIT_EXPECT_EQ(test, out_len, len);
	for (i = 0; i < MARKS; i++)
		wrong += memcmp(out + 1 + 2 * i, i < MARKS / 2 ? "\u0323" : "\u0301", 2) != 0;
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, utf8guard_is_normalized(UTF8GUARD_FORM_NFC, text, len, NULL,
						      NULL), 0);
	KUNIT_EXPECT_EQ(test, utf8guard_is_normalized(UTF8GUARD_FORM_NFC, out, len, NULL,
						      NULL), 1);
	kvfree(text);
}

/*
 * The name check calls the normaliser with preemption off. It cannot sleep, because it calls
 * nothing outside of the codec; tests/host/codec/codec_pure.t shows that.
 */
static void test_preemption_off(struct kunit *test)
{
	const struct example *e;
	int answer, quick;
	size_t len;

	for (e = examples; e < examples + ARRAY_SIZE(examples); e++) {
		len = strlen(e->becomes);
		preempt_disable();
		answer = utf8guard_is_normalized(e->form, e->becomes, len, NULL, NULL);
		quick = utf8guard_quick_check(e->form, e->becomes, len, NULL, NULL);
		preempt_enable();
		KUNIT_EXPECT_EQ_MSG(test, answer, 1, "%s", e->name);
		KUNIT_EXPECT_NE_MSG(test, quick, UTF8GUARD_NO, "%s", e->name);
	}
}

/* More marks than a stream can put in order are refused, and never left in another order. */
static void test_stream_limit(struct kunit *test)
{
	struct utf8guard_stream *s = kunit_kmalloc(test, sizeof(*s), GFP_KERNEL);
	unsigned int i;
	u8 out[LONGEST], *at = out;

	KUNIT_ASSERT_NOT_NULL(test, s);
	utf8guard_stream_begin(s, UTF8GUARD_FORM_NFD);
	KUNIT_EXPECT_EQ(test, feed(s, "q", 1, 64, &at), 0);
	for (i = 0; i < UTF8GUARD_STREAM_MARKS; i++)
		KUNIT_ASSERT_EQ(test, feed(s, "\u0301", 2, 64, &at), 0);
	KUNIT_EXPECT_EQ(test, feed(s, "\u0301", 2, 64, &at), -E2BIG);
	KUNIT_EXPECT_EQ(test, feed(s, "q", 1, 64, &at), -E2BIG);
	KUNIT_EXPECT_EQ(test, end_of(s, 64, &at), -E2BIG);
}

/**
 * struct conformance - NormalizationTest.txt
 * @text: the file, or NULL where it is not there
 * @end: its end
 * @listed: code points of part 1
 * @lines: tested so far
 */
static struct conformance {
	char *text;
	char *end;
	unsigned long *listed;
	unsigned int lines;
} conformance;

static int read_file(struct kunit_suite *suite)
{
	struct conformance *c = &conformance;
	void *text = NULL;
	ssize_t len;

	len = kernel_read_file_from_path(file, 0, &text, SZ_16M, NULL, READING_UNKNOWN);
	if (len <= 0)
		return 0;
	c->listed = vzalloc(BITS_TO_LONGS(CODE_POINTS) * sizeof(long));
	if (!c->listed) {
		vfree(text);
		return -ENOMEM;
	}
	c->text = text;
	c->end = c->text + len;
	/* What follows the last line feed is no line. */
	while (c->end != c->text && c->end[-1] != '\n')
		c->end--;
	return 0;
}

static void forget_file(struct kunit_suite *suite)
{
	vfree(conformance.text);
	vfree(conformance.listed);
	memset(&conformance, 0, sizeof(conformance));
}

/*
 * Is the file of our version of Unicode? Only then must code points that it does not list be
 * their own form.
 */
static bool names_version(const struct conformance *c)
{
	const char *version = utf8guard_unicode_version();

	return strnstr(c->text, version, min_t(size_t, c->end - c->text, 100));
}

/* A column of hexadecimal code points, as UTF-8; return: the next column. */
static const char *read_column(const char *p, u8 *octets, size_t *len, u32 *first)
{
	u32 code_point;

	*len = 0;
	while (*p != ';' && *p != '\n') {
		for (code_point = 0; isxdigit(*p); p++)
			code_point = code_point << 4 | hex_to_bin(*p);
		if (!*len)
			*first = code_point;
		*len += encode(code_point, octets + *len);
		p += *p == ' ';
	}
	return p + (*p == ';');
}

/* Source, NFC, NFD, NFKC, NFKD: what each column is to become, in each form. */
static unsigned int test_line(const char *line, u32 *first)
{
	static u8 column[COLUMNS][LONGEST];
	unsigned int form, i, wrong = 0;
	size_t len[COLUMNS];
	u32 unused;

	for (i = 0; i < COLUMNS; i++)
		line = read_column(line, column[i], &len[i], i ? &unused : first);
	for (form = 0; form < 4; form++)
		for (i = 0; i < COLUMNS; i++) {
			unsigned int want = form >= 2 || i >= 3 ? 3 + form % 2 : 1 + form;

			wrong += !becomes(form, column[i], len[i], column[want], len[want]);
		}
	return wrong;
}

static void test_conformance(struct kunit *test)
{
	struct conformance *c = &conformance;
	const char *line, *next;
	unsigned int wrong = 0;
	char part = 0;
	u32 first;

	if (!c->text)
		kunit_skip(test, "%s is not there", file);
	for (line = c->text; line != c->end; line = next) {
		next = (const char *)memchr(line, '\n', c->end - line) + 1;
		if (*line == '@')
			part = line[5];
		if (!isxdigit(*line))
			continue;
		wrong += test_line(line, &first);
		if (part == '1' && first < CODE_POINTS)
			__set_bit(first, c->listed);
		if (!(++c->lines % 256))
			cond_resched();
	}
	kunit_info(test, "%u lines", c->lines);
	KUNIT_EXPECT_GT(test, c->lines, 18000);
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

static void test_the_rest(struct kunit *test)
{
	struct conformance *c = &conformance;
	unsigned int wrong = 0, form;
	u32 code_point;

	if (!c->text || !names_version(c))
		kunit_skip(test, "%s of Unicode %s is not there", file,
			   utf8guard_unicode_version());
	KUNIT_ASSERT_GT(test, c->lines, 18000);
	for (code_point = 0; code_point < CODE_POINTS; code_point++) {
		u8 text[4];
		size_t len;

		if (test_bit(code_point, c->listed) ||
		    (code_point >= 0xd800 && code_point <= 0xdfff))
			continue;
		len = encode(code_point, text);
		for (form = 0; form < 4; form++)
			wrong += !becomes(form, text, len, text, len);
		if (!(code_point % 4096))
			cond_resched();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

static struct kunit_case normalization_cases[] = {
	KUNIT_CASE_PARAM(test_example, example_gen_params),
	KUNIT_CASE_PARAM(test_every_size, example_gen_params),
	KUNIT_CASE_PARAM(test_stream, example_gen_params),
	KUNIT_CASE_PARAM(test_compare, example_gen_params),
	KUNIT_CASE(test_ill_formed),
	KUNIT_CASE(test_every_hangul_syllable),
	KUNIT_CASE(test_long_run),
	KUNIT_CASE(test_preemption_off),
	KUNIT_CASE(test_stream_limit),
	/* In this order: the second needs the file that the first has read. */
	KUNIT_CASE(test_conformance),
	KUNIT_CASE_SLOW(test_the_rest),
	{}
};

static struct kunit_suite normalization_suite = {
	.name = "utf8guard_normalization",
	.suite_init = read_file,
	.suite_exit = forget_file,
	.test_cases = normalization_cases,
};

kunit_test_suite(normalization_suite);

MODULE_DESCRIPTION("KUnit suite for the normalizer");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
