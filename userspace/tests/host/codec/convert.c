// SPDX-License-Identifier: GPL-2.0
/*
 * Conversion and repair: compared with iconv, and by hand; nothing is written after the end.
 *
 * promise whoever wrote the text: conversion gives what iconv gives, repair what the Unicode
 *   Standard says, and neither writes after the end of a buffer
 * shown by: %s to %s as iconv has it
 * shown by: sanitize to %s
 */
#include <iconv.h>
#include <stdlib.h>
#include "../../../../kernel/codec/codec.h"
#include "../../reference.h"
#include "../../../../kunit/sample.h"
#include "../../tap.h"

#define GUARD 0xa5

static const char *const names[] = {
	"UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE",
};

/*
 * Converts by iconv(); returns how many octets were written, or -1 if it refuses. From
 * UTF-8 to UTF-8, glibc lets F4 90 to F7 BF pass: so UTF-8 is judged by the reference, too.
 */
static long by_iconv(u8 from, u8 to, const u8 *p, size_t len, u8 *out, size_t room)
{
	iconv_t cd = iconv_open(names[to], names[from]);
	char *in = (char *)p, *to_p = (char *)out;
	size_t left = len, out_left = room;
	size_t ret = iconv(cd, &in, &left, &to_p, &out_left);

	iconv_close(cd);
	if (from == UTF8GUARD_UTF8 && reference_prefix(p, len) != len)
		return -1;
	return ret == (size_t)-1 ? -1 : (long)(room - out_left);
}

/* Into every room from none to enough: the size is announced, nothing is written after the end. */
static bool is_bounded(const struct utf8guard_conversion *how, const u8 *p,
		       size_t len, const u8 *want, size_t need)
{
	u8 out[256];
	size_t room, used, i;

	for (room = 0; room <= need + 1; room++) {
		int ret;

		memset(out, GUARD, sizeof(out));
		used = room;
		ret = utf8guard_convert(how, p, len, out, &used, NULL);
		if (used != need || ret != (room < need ? -EMSGSIZE : 0))
			return false;
		if (room >= need && memcmp(out, want, need))
			return false;
		for (i = room; i < sizeof(out); i++)
			if (out[i] != GUARD)
				return false;
	}
	return true;
}

static void check_against_iconv(u8 from, u8 to)
{
	struct utf8guard_conversion how = { from, to, UTF8GUARD_BOM_KEEP };
	struct utf8guard_conversion back = { UTF8GUARD_UTF8, from, UTF8GUARD_BOM_KEEP };
	u64 seed = 1 + from * 8 + to;
	unsigned int n, wrong = 0, refused = 0;

	for (n = 0; n < 20000; n++) {
		u8 utf8[40], text[200], want[400], got[400];
		size_t len = sample_random(&seed) % sizeof(utf8);
		size_t text_len = sizeof(text), got_len = sizeof(got);
		long need;
		int ret;

		sample_text(utf8, len, sample_mixes[n % SAMPLE_MIXES], &seed);
		utf8guard_convert(&back, utf8, len, text, &text_len, NULL);
		if (n % 2 && text_len)
			text[sample_random(&seed) % text_len] ^= 1 << sample_random(&seed) % 8;
		if (n % 5 == 0 && text_len)
			text_len--;
		need = by_iconv(from, to, text, text_len, want, sizeof(want));
		ret = utf8guard_convert(&how, text, text_len, got, &got_len, NULL);
		refused += need < 0;
		if (need < 0)
			wrong += ret != -EILSEQ;
		else
			wrong += ret || got_len != (size_t)need || memcmp(got, want, need) ||
				 (n < 400 && !is_bounded(&how, text, text_len, want, need));
	}
	tap_ok(!wrong, "%s to %s as iconv has it, %u texts, %u of them ill-formed: %u wrong",
	       names[from], names[to], n, refused, wrong);
}

static void converts(const char *what, u8 from, u8 to, u8 bom, const char *text,
		     size_t len, int want_ret, const char *want, size_t want_len,
		     int class, size_t offset)
{
	struct utf8guard_conversion how = { from, to, bom };
	struct utf8guard_error e = { 0 };
	char out[64];
	size_t used = sizeof(out);
	int ret = utf8guard_convert(&how, text, len, out, &used, &e);

	tap_ok(ret == want_ret && e.class == class && e.offset == offset &&
	       used == want_len && (ret || !memcmp(out, want, used)),
	       "%s: %d, %s at %zu", what, ret, utf8guard_class_name(e.class), e.offset);
}

#define CONVERTS(what, from, to, bom, text, want)                              \
	converts(what, UTF8GUARD_##from, UTF8GUARD_##to, UTF8GUARD_BOM_##bom,  \
		 text, sizeof(text) - 1, 0, want, sizeof(want) - 1, 0, 0)
#define REFUSES(what, from, to, bom, text, class, offset)                      \
	converts(what, UTF8GUARD_##from, UTF8GUARD_##to, UTF8GUARD_BOM_##bom,  \
		 text, sizeof(text) - 1, -EILSEQ, NULL, 0,                     \
		 UTF8GUARD_CLASS_##class, offset)

static void check_by_hand(void)
{
	CONVERTS("BOM kept", UTF8, UTF16BE, KEEP, "\xef\xbb\xbf" "a", "\xfe\xff\0a");
	CONVERTS("BOM stripped", UTF8, UTF16BE, STRIP, "\xef\xbb\xbf" "a", "\0a");
	CONVERTS("one BOM stripped", UTF16LE, UTF8, STRIP, "\xff\xfe\xff\xfe", "\xef\xbb\xbf");
	CONVERTS("no BOM to strip", UTF8, UTF8, STRIP, "a\xef\xbb\xbf", "a\xef\xbb\xbf");
	CONVERTS("BOM required and there", UTF8, UTF8, REQUIRE,
		 "\xef\xbb\xbf"
		 "a",
		 "\xef\xbb\xbf"
		 "a");
	REFUSES("BOM required and not there", UTF8, UTF8, REQUIRE, "a", BOM, 0);
	REFUSES("BOM required of nothing", UTF8, UTF8, REQUIRE, "", BOM, 0);
	CONVERTS("UTF-16 by its mark, little-endian", UTF16, UTF8, KEEP,
		 "\xff\xfe"
		 "a\0",
		 "\xef\xbb\xbf"
		 "a");
	CONVERTS("big-endian, mark stripped", UTF16, UTF8, STRIP, "\xfe\xff\0a", "a");
	CONVERTS("one mark stripped", UTF16, UTF8, STRIP, "\xff\xfe\xff\xfe", "\xef\xbb\xbf");
	CONVERTS("no mark: big-endian", UTF16, UTF8, KEEP, "\0a\xff\xfd", "a\xef\xbf\xbd");
	CONVERTS("nothing, of either order", UTF16, UTF8, KEEP, "", "");
	REFUSES("a mark is required", UTF16, UTF8, REQUIRE, "\0a", BOM, 0);
	REFUSES("half a mark", UTF16, UTF8, KEEP, "\xff", TRUNCATED, 0);
	REFUSES("odd after the mark", UTF16, UTF8, KEEP, "\xff\xfe" "a", TRUNCATED, 2);
	REFUSES("a low surrogate after it", UTF16, UTF8, KEEP, "\xff\xfe\0\xdc", SURROGATE, 2);
	CONVERTS("UTF-32 by its mark, little-endian", UTF32, UTF8, KEEP,
		 "\xff\xfe\0\0" "a\0\0\0", "\xef\xbb\xbf" "a");
	CONVERTS("big-endian", UTF32, UTF16LE, STRIP, "\0\0\xfe\xff\0\1\xf6\0", "\x3d\xd8\0\xde");
	CONVERTS("no mark: big-endian", UTF32, UTF8, KEEP, "\0\0\0a", "a");
	REFUSES("a mark of UTF-16 is none of UTF-32", UTF32, UTF8, KEEP,
		"\xff\xfe"
		"a\0",
		TOO_LARGE, 0);
	converts("UTF-16 is not written", 0, UTF8GUARD_UTF16, 0, "a", 1, -EINVAL, NULL, 0, 0, 0);
	REFUSES("odd UTF-16", UTF16LE, UTF8, KEEP, "a\0b", TRUNCATED, 2);
	REFUSES("low surrogate alone", UTF16BE, UTF8, KEEP, "\0a\xdc\0", SURROGATE, 2);
	REFUSES("high surrogate alone", UTF16BE, UTF8, KEEP, "\xd8\0\0a", SURROGATE, 0);
	REFUSES("high surrogate at the end", UTF16BE, UTF8, KEEP, "\xd8\0", TRUNCATED, 0);
	REFUSES("UTF-32 too large", UTF32BE, UTF8, KEEP, "\0\x11\0\0", TOO_LARGE, 0);
	REFUSES("UTF-32 surrogate", UTF32LE, UTF8, KEEP, "\0\xd8\0\0", SURROGATE, 0);
	REFUSES("UTF-32 cut off", UTF32LE, UTF8, KEEP, "a\0\0\0b", TRUNCATED, 4);
	CONVERTS("CESU-8 pair", CESU8, UTF8, KEEP, "\xed\xa0\xbd\xed\xb8\x80!",
		 "\xf0\x9f\x98\x80!");
	REFUSES("CESU-8 pair, not asked for", UTF8, UTF8, KEEP, "\xed\xa0\xbd\xed\xb8\x80",
		SURROGATE, 0);
	REFUSES("CESU-8 half", CESU8, UTF8, KEEP, "\xed\xa0\xbd!", SURROGATE, 0);
	REFUSES("four octets in CESU-8", CESU8, UTF8, KEEP, "\xf0\x9f\x98\x80", HEADER_BITS, 0);
	REFUSES("C0 80 in CESU-8", CESU8, UTF8, KEEP, "\xc0\x80", OVERLONG, 0);
	CONVERTS("modified NUL", MODIFIED_UTF8, UTF8, KEEP, "a\xc0\x80", "a\0");
	REFUSES("plain NUL in modified UTF-8", MODIFIED_UTF8, UTF8, KEEP, "a\0", NUL, 1);
	converts("no such export", UTF8GUARD_UTF8, UTF8GUARD_CESU8, 0, "a", 1, -EINVAL, NULL, 0, 0,
		 0);
	converts("no such encoding", 9, 0, 0, "a", 1, -EINVAL, NULL, 0, 0, 0);
	converts("nothing", 0, 1, 0, NULL, 0, 0, "", 0, 0, 0);
}

static void sanitizes(const char *text, const char *replaced, const char *skipped)
{
	u8 out[128];
	size_t need, room, used, i, bad = 0;

	for (i = 0; i < 2; i++) {
		const char *want = i ? skipped : replaced;

		need = strlen(want);
		for (room = 0; room <= need; room++) {
			int ret;

			memset(out, GUARD, sizeof(out));
			used = room;
			ret = utf8guard_sanitize(i, text, strlen(text), out, &used);
			bad += used != need || ret != (room < need ? -EMSGSIZE : 0) ||
			       out[room] != GUARD ||
			       (room == need && memcmp(out, want, need));
		}
	}
	tap_ok(!bad, "sanitize to %s", skipped);
}

#define R "\xef\xbf\xbd"

static void check_repair(void)
{
	u64 seed = 5, wrong = 0;
	unsigned int n;

	sanitizes("", "", "");
	sanitizes("ok", "ok", "ok");
	/* The Unicode Standard, chapter 3, tables 3-8 to 3-11 */
	sanitizes("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82" "A", R R R R R R R R "A", "A");
	sanitizes("\xed\xa0\x80\xed\xbf\xbf\xed\xaf" "A", R R R R R R R R "A", "A");
	sanitizes("\xf4\x91\x92\x93\xff" "A\x80\xbf" "B", R R R R R "A" R R "B", "AB");
	sanitizes("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf" "A", R R R R "A", "A");
	sanitizes("a\xe2\x82", "a" R, "a");
	for (n = 0; n < 20000; n++) {
		u8 text[400], out[1300];
		size_t len = sample_random(&seed) % sizeof(text), used = sizeof(out), i;
		size_t at = 0;

		sample_text(text, len, sample_mixes[n % SAMPLE_MIXES], &seed);
		for (i = sample_random(&seed) % 9; i && len; i--)
			text[sample_random(&seed) % len] = sample_random(&seed);
		utf8guard_sanitize(UTF8GUARD_REPLACE, text, len, out, &used);
		wrong += reference_prefix(out, used) != used;
		/* The errors one by one, as the reference finds them. */
		while ((at += reference_prefix(text + at, len - at)) < len) {
			struct utf8guard_error e;

			wrong += utf8guard_next_error(text, len, at) != at;
			utf8guard_explain(text, len, at, &e);
			at += e.length;
		}
	}
	tap_ok(!wrong, "%u random texts sanitized are well-formed, every error found: %llu wrong",
	       n, (unsigned long long)wrong);
}

static void check_places(void)
{
	u64 seed = 8, wrong = 0;
	unsigned int n;

	for (n = 0; n < 20000; n++) {
		u8 text[100];
		size_t len = sample_random(&seed) % sizeof(text), i, count = 0, begin = 0;

		sample_text(text, len, sample_mixes[n % SAMPLE_MIXES], &seed);
		for (i = 0; i < len; i++) {
			if ((text[i] & 0xc0) != 0x80) {
				count++;
				begin = i;
			}
			wrong += utf8guard_boundary(text, len, i) != begin;
		}
		wrong += utf8guard_count(text, len) != count;
		wrong += utf8guard_boundary(text, len, len) != len;
	}
	tap_ok(!wrong, "count and boundaries: %llu wrong", (unsigned long long)wrong);
	tap_ok(utf8guard_boundary("\x80\x80\x80\x80\x80", 5, 4) == 1,
	       "a boundary in ill-formed text is at most three octets back");
}

int main(void)
{
	u8 from, to;

	for (from = 0; from < 5; from++)
		for (to = 0; to < 5; to++)
			check_against_iconv(from, to);
	check_by_hand();
	check_repair();
	check_places();
	return tap_done();
}
