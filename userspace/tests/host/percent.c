// SPDX-License-Identifier: GPL-2.0
/* Percent decoding before the validator: one pass, the same in any cut. */
#include <string.h>

#include "../../../kernel/nf/text.h"
#include "../reference.h"
#include "../tap.h"

#define LONGEST 16

/* What came of a text: all of it, or the octet at fault, and why. */
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

/* Decode into @out; @from says at which octet of the input each was complete. */
static struct verdict naive_decode(const u8 *p, u32 len, u8 *out, u32 *from, u32 *count)
{
	u32 i = 0, n = 0;
	int size;

	for (*count = 0; i < len; i += size, *count = n) {
		size = 1;
		if (p[i] == '%')
			size = escape(p + i, len - i);
		if (size == 0)
			return (struct verdict){ i + where_not(p + i), UTF8GUARD_CLASS_PERCENT_MALFORMED };
		if (size < 0)
			return (struct verdict){ len, UTF8GUARD_CLASS_PERCENT_MALFORMED };
		if (size == 6)
			return (struct verdict){ i + 5, UTF8GUARD_CLASS_PERCENT_UNICODE };
		out[n] = size == 1 ? p[i] : digit(p[i + 1]) << 4 | digit(p[i + 2]);
		if (size == 3 && !out[n])
			return (struct verdict){ i + 2, UTF8GUARD_CLASS_PERCENT_NUL };
		from[n++] = i + size - 1;
	}
	return (struct verdict){ len, UTF8GUARD_CLASS_NONE };
}

/* All of it at once, by passes over the whole. */
static struct verdict naive(const u8 *p, u32 len)
{
	struct utf8guard_error error;
	u32 from[LONGEST], n, i;
	u8 out[LONGEST], state = UTF8GUARD_STATE_START;
	struct verdict v = naive_decode(p, len, out, from, &n);

	for (i = 0; i < n; i++)
		if (out[i] == '%' && escape(out + i, n - i) > 0) {
			u32 at = from[i + escape(out + i, n - i) - 1];

			if (at < v.at)
				v = (struct verdict){ at, UTF8GUARD_CLASS_PERCENT_DOUBLE };
			break;
		}
	for (i = 0; i < n && from[i] < v.at; i++) {
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
	struct nf_text text = { .decode = 1 };
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };
	u32 at = nf_text_feed(&text, p, cut, &error);

	if (at == cut)
		at += nf_text_feed(&text, p + cut, len - cut, &error);
	if (at == len)
		nf_text_end(&text, &error);
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
		for (number = 0; number < texts && wrong < 5; number++, count++) {
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

int main(void)
{
	static const u8 all[] = "%25c0aeu\xc3\xa9x", few[] = "%250cu";

	check_all("against passes over the whole", all, sizeof(all) - 1, 5);
	check_all("longer ones of fewer octets", few, sizeof(few) - 1, 7);
	check_attacks();
	return tap_done();
}
