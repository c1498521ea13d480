// SPDX-License-Identifier: GPL-2.0
/*
 * Percent decoding before validation: one pass, the same for any cut, with any of its classes
 * allowed. STEP=N in the environment takes one text in N.
 *
 * promise remote peer: percent escapes are judged in any cut as by passes over the whole text,
 *   whichever of their classes are allowed
 * shown by: texts, every cut
 * shown by: texts at random
 */
#include <stdlib.h>
#include <string.h>

#include "../../../../kernel/codec/decode.h"
#include "../../../../kernel/nf/scope/text.h"
#include "../../../../kunit/sample.h"
#include "../../reference.h"
#include "../../tap.h"

#define LONGEST 64
#define BIT_OF(class) UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_PERCENT_##class)

/* The classes of percent encoding that are refused. */
static u32 refuse = UTF8GUARD_PERCENT_CLASSES;

/* One text in so many is decoded. */
static unsigned int step;

/* The verdict on a text: its length or the octet at fault, and the class of the error. */
struct verdict {
	u32 at;
	u8 class;
};

static int digit(u8 c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (p - digits) % 16 : -1;
}

/* Octets of an escape that @p begins with; 0 if it is none, -1 if it is cut off. */
static int escape(const u8 *p, u32 len)
{
	u32 want = len > 1 && (p[1] == 'u' || p[1] == 'U') ? 6 : 3, i;

	for (i = want == 6 ? 2 : 1; i < want; i++) {
		if (i >= len)
			return -1;
		if (digit(p[i]) < 0)
			return 0;
	}
	return want;
}

/* The first octet that shows that @p is no escape. */
static u32 where_not(const u8 *p)
{
	u32 i = p[1] == 'u' || p[1] == 'U' ? 2 : 1;

	while (digit(p[i]) >= 0)
		i++;
	return i;
}

static u32 number(const u8 *p, u32 digits)
{
	u32 value = 0;

	while (digits--)
		value = value << 4 | digit(*p++);
	return value;
}

/* At octet @i, where the second half of a surrogate pair must be, it is not: what is there? */
static struct verdict no_half(const u8 *p, u32 i, u32 len)
{
	int size = i < len && p[i] == '%' ? escape(p + i, len - i) : 1;
	u8 class = UTF8GUARD_CLASS_SURROGATE;

	if (size <= 0 && refuse & BIT_OF(MALFORMED))
		class = UTF8GUARD_CLASS_PERCENT_MALFORMED;
	if (size > 1 && refuse & BIT_OF(NUL) &&
	    !number(p + i + (size == 6 ? 2 : 1), size == 6 ? 4 : 2))
		class = UTF8GUARD_CLASS_PERCENT_NUL;
	if (i == len || size < 0)
		return (struct verdict){ len, class };
	return (struct verdict){ i + (size ? (u32)size - 1 : where_not(p + i)), class };
}

/* Decode into @out; @from says at which octet of the input each was complete. */
static struct verdict naive_decode(const u8 *p, u32 len, u8 *out, u32 *from, u32 *count)
{
	u32 i = 0, n = 0, last, value;
	int size;

	for (*count = 0; i < len; i = last + 1, *count = n) {
		size = 1;
		if (p[i] == '%')
			size = escape(p + i, len - i);
		last = size > 0 ? i + size - 1 : size ? len : i + where_not(p + i);
		if (size <= 0 && refuse & BIT_OF(MALFORMED))
			return (struct verdict){ last, UTF8GUARD_CLASS_PERCENT_MALFORMED };
		if (size <= 0) {
			/* The octet that shows that this is no escape is read again. */
			for (; i < last; from[n++] = last)
				out[n] = p[i++];
			last--;
			continue;
		}
		if (size == 1) {
			from[n] = i;
			out[n++] = p[i];
			continue;
		}
		value = number(p + i + (size == 6 ? 2 : 1), size == 6 ? 4 : 2);
		if (size == 6 && refuse & BIT_OF(UNICODE))
			return (struct verdict){ last, UTF8GUARD_CLASS_PERCENT_UNICODE };
		if (!value && refuse & BIT_OF(NUL))
			return (struct verdict){ last, UTF8GUARD_CLASS_PERCENT_NUL };
		if (size == 6 && value >= 0xdc00 && value <= 0xdfff)
			return (struct verdict){ last, UTF8GUARD_CLASS_SURROGATE };
		if (size == 6 && value >= 0xd800 && value <= 0xdbff) {
			u32 low = 0;

			i += 6;
			if (i < len && p[i] == '%' && escape(p + i, len - i) == 6)
				low = number(p + i + 2, 4);
			if (low < 0xdc00 || low > 0xdfff)
				return no_half(p, i, len);
			last += 6;
			value = 0x10000 + (value - 0xd800) * 0x400 + low - 0xdc00;
		}
		size = size == 6 ? utf8guard_encode(out + n, value) : 1;
		if (size == 1)
			out[n] = value;
		while (size--)
			from[n++] = last;
	}
	return (struct verdict){ len, UTF8GUARD_CLASS_NONE };
}

/* The verdict by several passes over the whole text. */
static struct verdict naive(const u8 *p, u32 len)
{
	struct utf8guard_error error;
	u32 from[LONGEST], n, i;
	u8 out[LONGEST], state = UTF8GUARD_STATE_START;
	struct verdict v = naive_decode(p, len, out, from, &n);

	for (i = 0; i < n && refuse & BIT_OF(DOUBLE); i++)
		if (out[i] == '%' && escape(out + i, n - i) > 0) {
			u32 at = from[i + escape(out + i, n - i) - 1];

			if (at < v.at)
				v = (struct verdict){ at, UTF8GUARD_CLASS_PERCENT_DOUBLE };
			break;
		}
	for (i = 0; i < n && from[i] <= v.at; i++) {
		state = reference_step(state, out[i]);
		if (state == UTF8GUARD_STATE_REFUSED) {
			utf8guard_validate(out, i + 1, &error);
			return (struct verdict){ from[i], error.class };
		}
	}
	if (v.at == len && v.class == UTF8GUARD_CLASS_NONE && state != UTF8GUARD_STATE_START)
		v.class = UTF8GUARD_CLASS_TRUNCATED;
	return v;
}

static struct verdict judge(const u8 *p, u32 len, u32 cut)
{
	struct ugnf_text text = { .decode = UGNF_DECODE_PERCENT, .refuse = refuse };
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };
	u32 at = ugnf_text_feed(&text, p, cut, &error);

	if (at == cut)
		at += ugnf_text_feed(&text, p + cut, len - cut, &error);
	if (at == len)
		ugnf_text_end(&text, &error);
	return (struct verdict){ at, error.class };
}

static u32 check_one(const u8 *p, u32 len)
{
	struct verdict want = naive(p, len), have;
	u32 cut;

	for (cut = 0; cut <= len; cut++) {
		have = judge(p, len, cut);
		if (have.at != want.at || have.class != want.class) {
			tap_note("%.*s cut at %u: %s at %u, ought to be %s at %u", (int)len, p, cut,
				 utf8guard_class_name(have.class), have.at,
				 utf8guard_class_name(want.class), want.at);
			return 1;
		}
	}
	return 0;
}

static void check_all(const char *what, const u8 *kinds, u32 n, u32 most)
{
	u64 number, texts = 1, count = 0;
	u32 len, i, wrong = 0;
	u8 text[LONGEST];

	for (len = 0; len <= most; len++, texts *= n)
		for (number = 0; number < texts && wrong < 5; number += step, count++) {
			u64 rest = number;

			for (i = 0; i < len; i++, rest /= n)
				text[i] = kinds[rest % n];
			wrong += check_one(text, len);
		}
	tap_ok(!wrong, "%s, %llu texts, every cut: %u wrong", what, (unsigned long long)count,
	       wrong);
}

static void expect(const char *url, u8 class)
{
	u32 len = strlen(url), cut;
	bool good = true;

	for (cut = 0; cut <= len; cut++)
		good &= judge((const u8 *)url, len, cut).class == class;
	tap_ok(good, "%s: %s", url, utf8guard_class_name(class));
}

static void check_attacks(void)
{
	expect("/..%c0%af..%C0%AFetc/passwd", UTF8GUARD_CLASS_OVERLONG);
	expect("/scripts/..%c1%1c../winnt/system32/cmd.exe", UTF8GUARD_CLASS_OVERLONG);
	expect("/%c0%ae%c0%ae/", UTF8GUARD_CLASS_OVERLONG);
	expect("/%e0%80%af", UTF8GUARD_CLASS_OVERLONG);
	expect("/%f0%80%80%af", UTF8GUARD_CLASS_OVERLONG);
	expect("/%fc%80%80%80%80%af", UTF8GUARD_CLASS_HEADER_BITS);
	expect("/%25c0%25af", UTF8GUARD_CLASS_PERCENT_DOUBLE);
	expect("/%25%63%30", UTF8GUARD_CLASS_PERCENT_DOUBLE);
	expect("/%25u002e", UTF8GUARD_CLASS_PERCENT_DOUBLE);
	expect("/%u002e%u002e/", UTF8GUARD_CLASS_PERCENT_UNICODE);
	expect("/%UFF0e", UTF8GUARD_CLASS_PERCENT_UNICODE);
	expect("/a.php%00.jpg", UTF8GUARD_CLASS_PERCENT_NUL);
	expect("/%zz", UTF8GUARD_CLASS_PERCENT_MALFORMED);
	expect("/100%", UTF8GUARD_CLASS_PERCENT_MALFORMED);
	expect("/%c3%a", UTF8GUARD_CLASS_PERCENT_MALFORMED);
	expect("/%c3", UTF8GUARD_CLASS_TRUNCATED);
	expect("/%c3x", UTF8GUARD_CLASS_TOO_SHORT);
	expect("/%ed%a0%80", UTF8GUARD_CLASS_SURROGATE);
	expect("/%f4%90%80%80", UTF8GUARD_CLASS_TOO_LARGE);
	expect("/%bf", UTF8GUARD_CLASS_TOO_LONG);
	expect("/\xc3%a9", UTF8GUARD_CLASS_NONE);
	expect("/wiki/%E6%97%A5%E6%9C%AC?q=gr%C3%BC%C3%9Fe&r=\xc3\xbc", UTF8GUARD_CLASS_NONE);
	expect("name=J%C3%BCrgen+M%C3%BCller&note=100%25+sure&emoji=%F0%9F%98%80",
	       UTF8GUARD_CLASS_NONE);
	expect("/50%25%20off%25%25", UTF8GUARD_CLASS_NONE);
}

/* With each set of these classes refused, and the others allowed. */
static void check_allowed(void)
{
	static const char *const parts[] = {
		"%", "u", "0", "25", "4", "C3", "a9", "x", "%u", "%ud83d", "%uDE00", "%25", "%00",
		"%u0025", "%u00e9", "%u0000", "%uFFFd", "\xc3", "%c0", "%AF",
	};
	static const u8 few[] = "%250u", more[] = "%4dU";
	u32 round, wrong = 0;
	u64 seed = 5;

	for (refuse = 0; refuse < UTF8GUARD_PERCENT_CLASSES; refuse += BIT_OF(MALFORMED)) {
		tap_note("refused: %x", refuse);
		check_all("whichever are allowed", few, sizeof(few) - 1, 7);
		check_all("other octets", more, sizeof(more) - 1, 7);
		for (round = 0; round < 100000 && wrong < 5; round += step) {
			u32 count = sample_random(&seed) % 7, len = 0;
			u8 text[LONGEST];

			while (count--) {
				const char *part = parts[sample_random(&seed) % ARRAY_SIZE(parts)];

				memcpy(text + len, part, strlen(part));
				len += strlen(part);
			}
			wrong += check_one(text, len);
		}
		tap_ok(!wrong, "%u texts at random: %u wrong", round / step, wrong);
	}
	refuse = UTF8GUARD_PERCENT_CLASSES & ~BIT_OF(MALFORMED) & ~BIT_OF(UNICODE) & ~BIT_OF(NUL);
	expect("/?q=100%", UTF8GUARD_CLASS_NONE);
	expect("/?q=50%&r=%zz", UTF8GUARD_CLASS_NONE);
	expect("/%u00e9%ud83d%ude00", UTF8GUARD_CLASS_NONE);
	expect("/%ud7ff%ud800%udc00%udbff%udfff%ue000", UTF8GUARD_CLASS_NONE);
	expect("/%udc00", UTF8GUARD_CLASS_SURROGATE);
	expect("/%udfff", UTF8GUARD_CLASS_SURROGATE);
	expect("/%ud800", UTF8GUARD_CLASS_SURROGATE);
	expect("/%udbff", UTF8GUARD_CLASS_SURROGATE);
	expect("/%ud800%ue000", UTF8GUARD_CLASS_SURROGATE);
	expect("/%ud800%udbff", UTF8GUARD_CLASS_SURROGATE);
	expect("/%ud83d", UTF8GUARD_CLASS_SURROGATE);
	expect("/%ude00", UTF8GUARD_CLASS_SURROGATE);
	expect("/%ud83d%ud83d", UTF8GUARD_CLASS_SURROGATE);
	/* Which character a pair stands for, by its class. */
	refuse |= UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_PRIVATE_USE) |
		  UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NONCHARACTER);
	expect("/%ud83d%ude00", UTF8GUARD_CLASS_NONE);
	expect("/%ud83f%udffe", UTF8GUARD_CLASS_NONCHARACTER);
	expect("/%udb80%udc00", UTF8GUARD_CLASS_PRIVATE_USE);
	refuse &= UTF8GUARD_PERCENT_CLASSES;
	expect("/%ud83d/%ude00", UTF8GUARD_CLASS_SURROGATE);
	expect("/%%35c", UTF8GUARD_CLASS_PERCENT_DOUBLE);
	expect("/%u0025c0", UTF8GUARD_CLASS_PERCENT_DOUBLE);
	expect("/%c0%", UTF8GUARD_CLASS_OVERLONG);
	expect("/%c3%", UTF8GUARD_CLASS_TOO_SHORT);
	expect("/%c3%u00e9", UTF8GUARD_CLASS_TOO_SHORT);
	expect("/%00", UTF8GUARD_CLASS_NONE);
	refuse = UTF8GUARD_PERCENT_CLASSES & ~BIT_OF(DOUBLE);
	expect("/%25c0%25af%25u002e", UTF8GUARD_CLASS_NONE);
	expect("/%252%", UTF8GUARD_CLASS_PERCENT_MALFORMED);
}

/* The octets that were kept begin inside a character. */
static void check_explain(void)
{
	const struct ugnf_text text = { .before = { 0xa9, 'a' }, .before_len = 2 };
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };
	u8 bytes[UTF8GUARD_MAX_SPAN] = {};
	bool bad = ugnf_text_explain(&text, (const u8 *)"\xff", 1, &error, bytes);

	tap_ok(bad && error.offset == 2 && error.span == 1 && bytes[0] == 0xff,
	       "what is wrong is the octet after those that were kept");
}

int main(void)
{
	static const u8 all[] = "%25c0aeu\xc3\xa9x", few[] = "%250cu";

	step = tap_step();
	check_all("against passes over the whole", all, sizeof(all) - 1, 5);
	check_all("longer ones of fewer octets", few, sizeof(few) - 1, 7);
	check_attacks();
	check_allowed();
	check_explain();
	return tap_done();
}
