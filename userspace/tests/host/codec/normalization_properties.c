// SPDX-License-Identifier: GPL-2.0
/*
 * What holds for any text, on random ones made of what is awkward: marks,
 * jamo, composites, starters that compose, long runs, ill-formed octets. The
 * functions agree with each other, the forms with UAX #15's identities, and
 * nothing is read or written outside of what was given.
 *
 * promise whoever wrote the text: the forms of any text have the identities of UAX #15, a hundred
 *   thousand marks in a row have a form, and nothing is written outside of a buffer
 * shown by: identities between forms
 * shown by: marks in a row: %zu octets of %zu
 * shown by: buffers of every size
 */
#include <errno.h>
#include <sys/mman.h>
#include "../../../../kernel/codec/normalization/normalization.h"
#include "../../normalization_data.h"
#include "../../tap.h"

#define ROUNDS 60000
#define LONGEST 512
#define ROOM (LONGEST * 12)

static u64 seed = 0x0ddba11;
static u8 *fence;	/* after the last octet that may be touched */

/* A copy of a text that ends where memory begins that may not be touched. */
static u8 *before_fence(const void *octets, size_t len)
{
	if (!fence) {
		size_t size = 1 << 16;

		fence = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		fence += size;
		mprotect(fence, size, PROT_NONE);
	}
	if (octets)
		memcpy(fence - len, octets, len);
	return fence - len;
}

static u32 awkward(void)
{
	static const u32 some[] = {
		'a', 'e', 'A', 0xe9, 0x1ea1, 0x3b1, 0x1f80, 0x1fb3, 0x345, 0x344,
		0x300, 0x301, 0x323, 0x327, 0x31b, 0x338, 0x5b0, 0x64b, 0x94d,
		0x93c, 0x958, 0x9c7, 0x9be, 0xcc6, 0xcc2, 0xcd5, 0xdd9, 0xdcf,
		0xdca, 0xf71, 0xf73, 0xf72, 0xf81, 0x34f, 0x200d, 0xad, 0xfdfa,
		0xfb01, 0xff21, 0xff76, 0xff9e, 0xff9f, 0x304b, 0x3099, 0x304c,
		0x212b, 0x2126, 0xac00, 0xac01, 0x11a7, 0x11a8, 0x1161, 0x1100,
		0x314f, 0x3131, 0x11131, 0x11127, 0x1611e, 0x16121, 0x16129,
		0x1611f, 0x16d67, 0x16d63, 0x16d68, 0x113c5, 0x113c2, 0x1d15e,
		0x1d165, 0x2f800, 0xf900, 0x4e00, 0x1d400, 0xa0, 0xaa, 0xdf,
	};
	u32 c;

	switch (sample_random(&seed) % 8) {
	case 0:
		return 0x300 + sample_random(&seed) % 0x70;
	case 1:
		return 0x1100 + sample_random(&seed) % 0x100;
	case 2:
		do {
			c = sample_random(&seed) % CODE_POINTS;
		} while (c >= 0xd800 && c < 0xe000);
		return c;
	case 3:
		return ' ' + sample_random(&seed) % 95;
	case 4:
		return 0xac00 + sample_random(&seed) % 11172;
	default:
		return some[sample_random(&seed) % (sizeof(some) / sizeof(some[0]))];
	}
}

static size_t random_text(u8 *p, size_t most)
{
	unsigned int n = sample_random(&seed) % (most / 4);
	bool marks = !(sample_random(&seed) % 4);
	size_t len = 0;

	while (n--)
		len += data_encode(marks ? 0x300 + sample_random(&seed) % 0x70 : awkward(),
				   p + len);
	return len;
}

static size_t form_of(enum utf8guard_form form, const u8 *p, size_t len, u8 *out)
{
	size_t out_len = 0;

	if (utf8guard_normalize(form, p, len, out, ROOM, &out_len, NULL))
		return (size_t)-1;
	return out_len;
}

static bool same(const u8 *a, size_t a_len, const u8 *b, size_t b_len)
{
	return a_len == b_len && !memcmp(a, b, a_len);
}

/* NFX(NFY(text)) = NFZ(text), for those of UAX #15 section 4 */
static bool identities(const u8 *text, size_t len)
{
	static const u8 identity[][3] = {
		{ 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 1 }, { 1, 1, 1 }, { 2, 0, 2 },
		{ 2, 1, 2 }, { 2, 2, 2 }, { 2, 3, 2 }, { 3, 0, 3 }, { 3, 1, 3 },
		{ 3, 2, 3 }, { 3, 3, 3 }, { 0, 2, 2 }, { 1, 3, 3 }, { 4, 4, 4 },
		{ 0, 4, 4 },
	};
	static u8 form[UTF8GUARD_FORMS][ROOM], twice[ROOM];
	size_t form_len[UTF8GUARD_FORMS], twice_len;
	unsigned int i;

	for (i = 0; i < UTF8GUARD_FORMS; i++)
		form_len[i] = form_of(i, text, len, form[i]);
	for (i = 0; i < sizeof(identity) / sizeof(identity[0]); i++) {
		const u8 *x = identity[i];

		twice_len = form_of(x[0], form[x[1]], form_len[x[1]], twice);
		if (!same(twice, twice_len, form[x[2]], form_len[x[2]]))
			return false;
	}
	return true;
}

/*
 * Where a text is not in a form: does the form leave it as it is up to the last starter before
 * the character that shows it?
 */
static bool same_before(size_t offset, const u8 *text, size_t len, const u8 *want, size_t want_len)
{
	struct utf8guard_char starter;
	size_t begin = utf8guard_starter_before(text, text + offset, text + len, &starter) - text;

	return offset < len && begin <= want_len && !memcmp(text, want, begin);
}

/* The text is well-formed, so nothing is written to what would say what is wrong with it. */
static bool checks(enum utf8guard_form form, const u8 *text, size_t len,
		   const u8 *want, size_t want_len)
{
	static const struct utf8guard_error nothing = { .offset = ROOM, .class = 0xff };
	struct utf8guard_error first = nothing, second = nothing;
	size_t offset = 0;
	int is = utf8guard_is_normalized(form, before_fence(text, len), len, &offset, &first);
	int quick = utf8guard_quick_check(form, before_fence(text, len), len, NULL, &second);

	return is == same(text, len, want, want_len) &&
	       !memcmp(&first, &nothing, sizeof(nothing)) &&
	       !memcmp(&second, &nothing, sizeof(nothing)) &&
	       (is ? offset == len : same_before(offset, text, len, want, want_len)) &&
	       (quick == UTF8GUARD_PERHAPS || quick == is);
}

/*
 * By a stream, whose pieces and rooms have random sizes. True also if it has refused the text
 * because of its limit of marks in a row, which @limited counts.
 */
static bool streamed(enum utf8guard_form form, const u8 *text, size_t len,
		     const u8 *want, size_t want_len, unsigned int *limited)
{
	struct utf8guard_stream s;
	size_t at = 0, done = 0;
	static u8 out[ROOM];
	int ret;

	utf8guard_stream_begin(&s, form);
	do {
		size_t piece = 1 + sample_random(&seed) % 40, used, out_len;
		size_t cap = 4 + sample_random(&seed) % 60;

		if (piece > len - at)
			piece = len - at;
		if (at < len)
			ret = utf8guard_stream_feed(&s, before_fence(text + at, piece), piece,
						    &used, out + done, cap, &out_len, NULL);
		else
			ret = utf8guard_stream_end(&s, out + done, cap, &out_len, NULL);
		at += at < len ? used : 0;
		done += out_len;
		if (out_len > cap || done > want_len)
			return false;
		if (ret == -E2BIG)
			return ++*limited;
		if (ret && ret != -EMSGSIZE)
			return false;
	} while (at < len || ret || s.count || s.draining ||
		 s.starter != UTF8GUARD_NO_CODE_POINT);
	return same(out, done, want, want_len);
}

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static bool compared(enum utf8guard_form form, const u8 *a, size_t a_len,
		     const u8 *b, size_t b_len)
{
	static u8 x[ROOM], y[ROOM];
	size_t x_len = form_of(form, a, a_len, x), y_len = form_of(form, b, b_len, y);
	int order, want = memcmp(x, y, x_len < y_len ? x_len : y_len);

	if (!want)
		want = (x_len > y_len) - (x_len < y_len);
	return !utf8guard_compare(form, a, a_len, b, b_len, &order, NULL) &&
	       sign(order) == sign(want);
}

/* With buffers of every size up to the right one: no octet after the buffer changes. */
static bool bounded(enum utf8guard_form form, const u8 *text, size_t len,
		    const u8 *want, size_t want_len)
{
	static u8 canary[ROOM + 16];
	size_t cap, out_len, i;

	for (cap = 0; cap <= want_len; cap++) {
		u8 *dst = before_fence(NULL, cap);
		int ret = utf8guard_normalize(form, text, len, dst, cap, &out_len, NULL);

		if (out_len != want_len || ret != (cap < want_len ? -EMSGSIZE : 0))
			return false;
		if (!ret && memcmp(dst, want, want_len))
			return false;
		memset(canary, 0xa5, cap + 16);
		utf8guard_normalize(form, text, len, canary, cap, &out_len, NULL);
		for (i = cap; i < cap + 16; i++)
			if (canary[i] != 0xa5)
				return false;
	}
	return true;
}

/* Every function finds the same thing wrong as utf8guard_validate(). */
static bool refused(enum utf8guard_form form, const u8 *text, size_t len)
{
	struct utf8guard_error want, got;
	static u8 out[ROOM];
	size_t out_len, used;
	struct utf8guard_stream s;
	int order;

	if (!utf8guard_validate(text, len, &want))
		return true;
	if (utf8guard_normalize(form, before_fence(text, len), len, out, ROOM,
				&out_len, &got) != -EILSEQ ||
	    out_len || got.offset != want.offset || got.class != want.class)
		return false;
	if (utf8guard_is_normalized(form, before_fence(text, len), len, NULL, &got) == 1)
		return false;
	if (utf8guard_compare(form, text, len, "", 0, &order, &got) != -EILSEQ)
		return false;
	utf8guard_stream_begin(&s, form);
	if (!utf8guard_stream_feed(&s, text, len, &used, out, ROOM, &out_len, &got) &&
	    !utf8guard_stream_end(&s, out, ROOM, &out_len, &got))
		return false;
	return s.error == -E2BIG ||
	       (s.error == -EILSEQ && got.offset == want.offset && got.class == want.class);
}

static void random_texts(void)
{
	static u8 text[LONGEST], other[LONGEST], want[ROOM];
	unsigned int wrong[6] = { 0 }, limited = 0, i;
	size_t len, other_len, want_len;

	for (i = 0; i < ROUNDS; i++) {
		enum utf8guard_form form = i % UTF8GUARD_FORMS;

		len = random_text(text, i % 16 ? 80 : LONGEST);
		want_len = form_of(form, before_fence(text, len), len, want);
		wrong[0] += !identities(text, len);
		wrong[1] += !checks(form, text, len, want, want_len) ||
			    !checks(form, want, want_len, want, want_len);
		wrong[2] += !streamed(form, text, len, want, want_len, &limited);
		other_len = sample_random(&seed) % 2 ? random_text(other, 80) :
						    form_of(i / 5 % 4, text, len, want) % LONGEST;
		if (other_len <= len)
			memcpy(other, want, other_len);
		wrong[3] += !utf8guard_validate(other, other_len, NULL) &&
			    !compared(form, text, len, other, other_len);
		if (i % 16 == 1) {
			want_len = form_of(form, text, len, want);
			wrong[4] += !bounded(form, text, len, want, want_len);
		}
		if (len)
			text[sample_random(&seed) % len] = sample_random(&seed);
		wrong[5] += !refused(form, text, len);
	}
	tap_ok(!wrong[0], "identities between forms: %u of %u wrong", wrong[0], i);
	tap_ok(!wrong[1], "quick and definite check: %u wrong", wrong[1]);
	tap_ok(!wrong[2] && limited, "streams: %u wrong, %u refused by the limit",
	       wrong[2], limited);
	tap_ok(!wrong[3], "comparison: %u wrong", wrong[3]);
	tap_ok(!wrong[4], "buffers of every size: %u wrong", wrong[4]);
	tap_ok(!wrong[5], "ill-formed text: %u wrong", wrong[5]);
}

/* @n marks, more than a buffer on the stack takes: their form stays itself, and compares equal. */
static void long_run(enum utf8guard_form form, size_t n)
{
	u8 *text = malloc(2 * n + 1), *out = malloc(2 * n + 8), *again = malloc(2 * n + 8);
	size_t len = 1, out_len = 0, again_len = 0, i;
	bool good;
	int order = 1;

	text[0] = 'a';
	for (i = 0; i < n; i++) {
		static const u16 mark[] = {
			0x301, 0x323, 0x327, 0x338, 0x345, 0x31b, 0x5b0, 0x64b,
		};

		len += data_encode(mark[sample_random(&seed) % 8], text + len);
	}
	good = !utf8guard_normalize(form, text, len, out, 2 * n + 8, &out_len, NULL) &&
	       utf8guard_is_normalized(form, out, out_len, NULL, NULL) == 1 &&
	       !utf8guard_normalize(form, out, out_len, again, 2 * n + 8, &again_len, NULL) &&
	       same(out, out_len, again, again_len) &&
	       !utf8guard_compare(form, text, len, out, out_len, &order, NULL) && !order;
	tap_ok(good, "%s of %zu marks in a row: %zu octets of %zu",
	       utf8guard_form_name(form), n, out_len, len);
	free(text);
	free(out);
	free(again);
}

static void stream_limit(void)
{
	u8 text[2 * UTF8GUARD_STREAM_MARKS + 3], out[2 * UTF8GUARD_STREAM_MARKS + 8];
	struct utf8guard_stream s;
	size_t len = 1, used, out_len;
	int i, ret;

	text[0] = 'a';
	for (i = 0; i <= UTF8GUARD_STREAM_MARKS; i++)
		len += data_encode(0x327, text + len);
	utf8guard_stream_begin(&s, UTF8GUARD_FORM_NFC);
	ret = utf8guard_stream_feed(&s, text, len - 2, &used, out, sizeof(out), &out_len, NULL);
	tap_ok(!ret && used == len - 2, "a stream takes %u marks in a row", UTF8GUARD_STREAM_MARKS);
	ret = utf8guard_stream_feed(&s, text + len - 2, 2, &used, out, sizeof(out), &out_len, NULL);
	tap_ok(ret == -E2BIG, "and refuses one more");
	ret = utf8guard_stream_end(&s, out, sizeof(out), &out_len, NULL);
	tap_ok(ret == -E2BIG, "and then everything");
}

/* What @offset is where a text is not in a form: the first character that shows it, or its starter. */
static void offsets(void)
{
	static const struct {
		enum utf8guard_form form;
		const char *text;
		size_t offset;
	} rows[] = {
		{ UTF8GUARD_FORM_NFC, "xe\xcc\x81", 1 },		/* U+0301 joins the letter */
		{ UTF8GUARD_FORM_NFC, "xa\xcd\x80", 2 },		/* U+0340 is replaced */
		{ UTF8GUARD_FORM_NFC, "xq\xcc\x81\xcc\xa3", 1 },	/* marks out of order */
		{ UTF8GUARD_FORM_NFD, "xa\xcc\x81\xcc\xa3", 4 },	/* the same */
		{ UTF8GUARD_FORM_NFD, "x\xc3\xa9", 1 },
	};
	size_t i, offset;
	int is;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is = utf8guard_is_normalized(rows[i].form, rows[i].text, strlen(rows[i].text),
					     &offset, NULL);
		tap_ok(!is && offset == rows[i].offset, "row %zu: not in the form at %zu", i,
		       offset);
	}
}

/* A room that is larger than all memory, as where the caller knows that all of it fits. */
static void boundless(void)
{
	static const u8 text[] = "abcd\xc3\xa9\xd0\x96\xe4\xb8\x80\xf0\x9f\x98\x80xyz";
	const size_t len = sizeof(text) - 1;
	struct utf8guard_stream s;
	size_t beyond, used, out_len, end_len, wrong = 0;
	u8 out[64];

	for (beyond = 0; beyond < 16; beyond++) {
		utf8guard_stream_begin(&s, UTF8GUARD_FORM_NFC);
		wrong += utf8guard_stream_feed(&s, text, len, &used, out, SIZE_MAX - beyond,
					       &out_len, NULL) ||
			 utf8guard_stream_end(&s, out + out_len, sizeof(out) - out_len,
					      &end_len, NULL) ||
			 !same(out, out_len + end_len, text, len);
	}
	tap_ok(!wrong, "a stream with a boundless room: %zu wrong", wrong);
}

int main(void)
{
	unsigned int form;

	random_texts();
	for (form = 0; form < UTF8GUARD_FORMS; form++)
		long_run(form, 100000);
	for (form = 30; form < 36; form++)
		long_run(UTF8GUARD_FORM_NFC, form);
	stream_limit();
	boundless();
	offsets();
	return tap_done();
}
