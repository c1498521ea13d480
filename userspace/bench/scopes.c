// SPDX-License-Identifier: GPL-2.0
/*
 * scopes: the time to read 64 KiB in order, of several protocols: in segments of 1448 octets, and
 * octet by octet, in turn and in one process. Prints the median of many rounds, in nanoseconds an
 * octet. The last column is how many times as fast segments are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../kernel/codec/codec.h"
#include "../../kernel/nf/scope/scope.h"
#include "../../kunit/words.h"

enum { SIZE = 65536, ROUNDS = 101, SEGMENT = 1448 };

static u8 text[SIZE];

static void repeat(const char *unit)
{
	size_t at = 0, len = strlen(unit);

	for (; at + len <= SIZE; at += len)
		memcpy(text + at, unit, len);
	memset(text + at, 'a', SIZE - at);
}

static void make_headers(void)
{
	static const char head[] = "GET / HTTP/1.1\r\n";
	size_t at = sizeof(head) - 1;

	repeat("Host: www.example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) "
	       "Gecko/20100101 Firefox/140.0\r\nAccept: text/html,application/xhtml+xml\r\n"
	       "Accept-Language: en-US,en;q=0.5\r\nReferer: https://www.example.org/gr\xc3\xbc\xc3\x9f"
	       "e\r\nCookie: session=0123456789abcdef0123456789abcdef\r\nDNT: 1\r\n");
	memmove(text + at, text, SIZE - at);
	memcpy(text, head, at);
}

static void make_escapes(void)
{
	repeat("%d1%8A%E3%81%84%F0%9F%90%A7%41");
	memset(text + SIZE - 4, 'a', 4);
}

static void make_lines(void)
{
	repeat("MAIL FROM:<anna@example.org> SMTPUTF8\r\nRCPT TO:<bert@example.org>\r\nDATA\r\n"
	       "Subject: Gr\xc3\xbc\xc3\x9f" "e\r\n\r\nThe quick brown fox jumps over the lazy dog, "
	       "and so on\r\nto the end of the paragraph, which is of the usual length.\r\n.\r\n");
}

static void make_russian(void)
{
	u64 seed = 5;

	words_fill("Russian", text, SIZE, &seed);
}

static void make_target(void)
{
	static const char method[] = "GET ";
	size_t at = sizeof(method) - 1;

	repeat("/gr%C3%BC%C3%9Fe/index.html?q=example+of+a+query&page=");
	memmove(text + at, text, SIZE - at);
	memcpy(text, method, at);
}

static const struct kind {
	const char *name;
	enum ugnf_scope_kind scope;
	bool decode;
	u32 refuse;
	void (*make)(void);
} kinds[] = {
	{ "http-headers", UGNF_SCOPE_HTTP_HEADERS, false, 0, make_headers },
	{ "http-target, percent", UGNF_SCOPE_HTTP_TARGET, true, 0, make_target },
	{ "percent, escapes", UGNF_SCOPE_PLAIN, true, 0, make_escapes },
	{ "smtp-line", UGNF_SCOPE_SMTP_LINE, false, 0, make_lines },
	{ "smtp-headers", UGNF_SCOPE_SMTP_HEADERS, false, 0, make_lines },
	{ "bidi,control, Russian", UGNF_SCOPE_PLAIN, false,
	  1U << UTF8GUARD_CLASS_BIDI | 1U << UTF8GUARD_CLASS_CONTROL, make_russian },
	{ "all classes, Russian", UGNF_SCOPE_PLAIN, false,
	  UTF8GUARD_TEXT_CLASSES & ~(1U << UTF8GUARD_CLASS_EDGE_SPACE | 1U << UTF8GUARD_CLASS_BOM),
	  make_russian },
	{ "plain, Russian", UGNF_SCOPE_PLAIN, false, 0, make_russian },
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double read_all(const struct kind *kind, u32 piece)
{
	static const struct ugnf_plain all;
	struct utf8guard_error error;
	struct ugnf_scope scope;
	double begin = now();
	u32 at, n;

	if (kind->scope == UGNF_SCOPE_PLAIN)
		ugnf_plain_init(&scope, &all, kind->decode);
	else
		ugnf_scope_init(&scope, kind->scope, kind->decode);
	scope.text.refuse |= kind->refuse;
	for (at = 0; at < SIZE; at += n) {
		n = min(piece, (u32)SIZE - at);
		if (ugnf_scope_feed(&scope, text + at, n, &error) != n) {
			printf("%s: stopped in %u: %u\n", kind->name, at, scope.status);
			exit(1);
		}
	}
	return (now() - begin) / SIZE;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	static double whole[ROUNDS], octets[ROUNDS];
	size_t i, round;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		kinds[i].make();
		for (round = 0; round < ROUNDS; round++) {
			whole[round] = read_all(&kinds[i], SEGMENT);
			octets[round] = read_all(&kinds[i], 1);
		}
		qsort(whole, ROUNDS, sizeof(*whole), compare);
		qsort(octets, ROUNDS, sizeof(*octets), compare);
		printf("%-24s %8.3f %8.3f %6.1f\n", kinds[i].name, whole[ROUNDS / 2],
		       octets[ROUNDS / 2], octets[ROUNDS / 2] / whole[ROUNDS / 2]);
	}
	return 0;
}
