// SPDX-License-Identifier: GPL-2.0
/*
 * Conversion and repair: into just enough room, there and back, and compared with iconv().
 *
 * promise whoever wrote the text: conversion takes the size that was announced, agrees with
 *   iconv, and back again gives the same text
 * shown by: convert
 */
#include <errno.h>
#include <iconv.h>

#include "fuzz.h"

static const char *const names[] = {
	[UTF8GUARD_UTF8] = "UTF-8", [UTF8GUARD_UTF16LE] = "UTF-16LE",
	[UTF8GUARD_UTF16BE] = "UTF-16BE", [UTF8GUARD_UTF32LE] = "UTF-32LE",
	[UTF8GUARD_UTF32BE] = "UTF-32BE",
};

#define FROM (UTF8GUARD_UTF32 + 1)
#define TO (UTF8GUARD_UTF32BE + 1)
static iconv_t peers[TO][TO];

/* For free(); NULL where the text is ill-formed. */
static u8 *converted(const struct utf8guard_conversion *how, const u8 *text, size_t len,
		     size_t *out_len)
{
	struct utf8guard_error err;
	size_t need = 0, less;
	int result = utf8guard_convert(how, text, len, NULL, &need, &err);
	u8 *out;

	if (result == -EILSEQ) {
		fuzz_check(err.offset + err.length <= len);
		return NULL;
	}
	fuzz_check(result == (need ? -EMSGSIZE : 0));
	out = malloc(need);
	if (need) {
		less = need - 1;
		fuzz_check(utf8guard_convert(how, text, len, out, &less, NULL) == -EMSGSIZE);
		fuzz_check(less == need);
	}
	*out_len = need;
	fuzz_check(!utf8guard_convert(how, text, len, out, out_len, NULL) && *out_len == need);
	return out;
}

static void check_back(const struct utf8guard_conversion *how, const u8 *text, size_t len,
		       const u8 *out, size_t out_len)
{
	const struct utf8guard_conversion back = { .from = how->to, .to = how->from };
	size_t again_len;
	u8 *again;

	/* A byte order mark that was removed does not come back; some encodings are only read. */
	if (how->bom == UTF8GUARD_BOM_STRIP || how->from >= TO)
		return;
	again = converted(&back, out, out_len, &again_len);
	fuzz_check(again && again_len == len && !memcmp(again, text, len));
	free(again);
}

static void check_peer(const struct utf8guard_conversion *how, const u8 *text, size_t len,
		       const u8 *out, size_t out_len)
{
	static char room[65536];
	char *in = (char *)text, *to = room;
	size_t left = len, free_octets = sizeof(room);
	bool good;

	/* From UTF-8 to UTF-8, glibc lets through what RFC 2044 allowed. */
	if (how->from >= TO || how->from == how->to || how->bom != UTF8GUARD_BOM_KEEP || len > 4096)
		return;
	iconv(peers[how->from][how->to], NULL, NULL, NULL, NULL);
	good = !iconv(peers[how->from][how->to], &in, &left, &to, &free_octets) && !left;
	fuzz_check(good == !!out);
	if (good)
		fuzz_check(sizeof(room) - free_octets == out_len && !memcmp(room, out, out_len));
}

static void check_repair(enum utf8guard_repair repair, const u8 *text, size_t len)
{
	size_t need = 0, got, again;
	int result = utf8guard_sanitize(repair, text, len, NULL, &need);
	u8 *out = malloc(need), *twice = malloc(need), *want = malloc(3 * len);
	const char *instead = repair == UTF8GUARD_REPLACE ? "\xef\xbf\xbd" : "";

	fuzz_check(result == (need ? -EMSGSIZE : 0) && need <= 3 * len);
	got = need;
	again = need;
	fuzz_check(!utf8guard_sanitize(repair, text, len, out, &got) && got == need);
	fuzz_check(!utf8guard_validate(out, got, NULL));
	fuzz_check(!utf8guard_sanitize(repair, out, got, twice, &again) && again == got);
	fuzz_check(!memcmp(out, twice, got));
	fuzz_check(reference_repair(text, len, instead, want) == got && !memcmp(out, want, got));
	free(out);
	free(twice);
	free(want);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	unsigned int from, to;

	(void)argc;
	(void)argv;
	for (from = 0; from < TO; from++)
		for (to = 0; to < TO; to++)
			peers[from][to] = iconv_open(names[to], names[from]);
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	struct utf8guard_conversion how;
	size_t len, out_len = 0;
	u8 *text, *out;

	how.from = fuzz_octet(&input) % FROM;
	how.to = fuzz_octet(&input) % TO;
	how.bom = fuzz_octet(&input) % (UTF8GUARD_BOM_REQUIRE + 1);
	text = fuzz_take(&input, size, &len);
	out = converted(&how, text, len, &out_len);
	if (out)
		check_back(&how, text, len, out, out_len);
	check_peer(&how, text, len, out, out_len);
	check_repair(UTF8GUARD_REPLACE, text, len);
	check_repair(UTF8GUARD_SKIP, text, len);
	free(out);
	free(text);
	return 0;
}
