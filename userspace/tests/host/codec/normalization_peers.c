// SPDX-License-Identifier: GPL-2.0
/*
 * The normaliser against ICU, libunistring, utf8proc and Python's unicodedata,
 * those that are there, on random strings of code points for which both give the
 * same forms: a peer may have an older version of Unicode, which knows fewer.
 *
 * promise whoever wrote the text: the normaliser makes of random texts what ICU, libunistring,
 *   utf8proc and Python make of them, as far as these are there
 * shown by: %s: %u strings of %u code points
 * shown by: Python: %u strings
 */
#include "../../normalization_data.h"
#include "../../tap.h"

#if __has_include(<unicode/unorm2.h>)
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#define HAVE_ICU
#endif
#if __has_include(<uninorm.h>)
#include <uninorm.h>
#define HAVE_UNISTRING
#endif
#if __has_include(<utf8proc.h>)
#include <utf8proc.h>
#define HAVE_UTF8PROC
#endif

#define ROUNDS 40000
#define LONG_ROUNDS 40
#define LONGEST 60000
#define ROOM (LONGEST * 12)

static u64 seed = 0xbadcafe;

typedef size_t (*normalizer)(unsigned int form, const u8 *p, size_t len, u8 *out);

static size_t ours(unsigned int form, const u8 *p, size_t len, u8 *out)
{
	size_t out_len = 0;

	utf8guard_normalize(form, p, len, out, ROOM, &out_len, NULL);
	return out_len;
}

#ifdef HAVE_ICU
static size_t by_icu(unsigned int form, const u8 *p, size_t len, u8 *out)
{
	static UChar text[ROOM], result[ROOM];
	UErrorCode error = U_ZERO_ERROR;
	const UNormalizer2 *instance[] = {
		unorm2_getNFCInstance(&error), unorm2_getNFDInstance(&error),
		unorm2_getNFKCInstance(&error), unorm2_getNFKDInstance(&error),
		unorm2_getNFKCCasefoldInstance(&error),
	};
	int32_t n;

	u_strFromUTF8(text, ROOM, &n, (const char *)p, len, &error);
	n = unorm2_normalize(instance[form], text, n, result, ROOM, &error);
	u_strToUTF8((char *)out, ROOM, &n, result, n, &error);
	return U_SUCCESS(error) ? (size_t)n : (size_t)-1;
}
#endif

#ifdef HAVE_UNISTRING
static size_t by_unistring(unsigned int form, const u8 *p, size_t len, u8 *out)
{
	const uninorm_t forms[] = {
		UNINORM_NFC, UNINORM_NFD, UNINORM_NFKC, UNINORM_NFKD,
	};
	size_t out_len = ROOM;

	if (!u8_normalize(forms[form], p, len, out, &out_len))
		return (size_t)-1;
	return out_len;
}
#endif

#ifdef HAVE_UTF8PROC
static size_t by_utf8proc(unsigned int form, const u8 *p, size_t len, u8 *out)
{
	const utf8proc_option_t option[] = {
		UTF8PROC_COMPOSE, UTF8PROC_DECOMPOSE,
		UTF8PROC_COMPOSE | UTF8PROC_COMPAT, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT,
	};
	utf8proc_uint8_t *result = NULL;
	utf8proc_ssize_t n;

	n = utf8proc_map(p, len, &result, option[form] | UTF8PROC_STABLE);
	if (n >= 0)
		memcpy(out, result, n);
	free(result);
	return n;
}
#endif

static u8 text[LONGEST], mine[ROOM], theirs[ROOM];

static bool agree(normalizer peer, unsigned int form, size_t len)
{
	size_t n = ours(form, text, len, mine);

	return n == peer(form, text, len, theirs) && !memcmp(mine, theirs, n);
}

/*
 * Do both sides know a code point alike? It is tried after a starter and between two marks, so that
 * the combining class of a mark shows.
 */
static bool known_alike(normalizer peer, unsigned int forms, u32 c)
{
	static const u32 company[] = { 0x315, 0x5b0, 0x345, 0x1d165 };
	unsigned int form, i;

	for (form = 0; form < forms; form++)
		for (i = 0; i < 4; i++) {
			size_t len = data_encode('a', text);

			len += data_encode(company[i], text + len);
			len += data_encode(c, text + len);
			len += data_encode(company[i ^ 1], text + len);
			if (!agree(peer, form, len))
				return false;
		}
	return true;
}

static u32 *pool;
static unsigned int pool_size, plain;

/* No form changes it, and it changes nothing. */
static bool is_dull(size_t len)
{
	return utf8guard_quick_check(UTF8GUARD_FORM_NFKD, text, len,
				     NULL, NULL) == UTF8GUARD_YES &&
	       utf8guard_quick_check(UTF8GUARD_FORM_NFC, text, len,
				     NULL, NULL) == UTF8GUARD_YES;
}

/* The pool has the code points that some form changes, marks, and a few of the rest. */
static void fill_pool(normalizer peer, unsigned int forms, bool (*assigned)(u32))
{
	u32 c;

	pool = realloc(pool, CODE_POINTS * sizeof(*pool));
	pool_size = 0;
	plain = 0;
	for (c = 1; c < CODE_POINTS; c++) {
		size_t len;

		if ((c >= 0xd800 && c < 0xe000) || (c >= 0xac10 && c < 0xd790) ||
		    (assigned && !assigned(c)))
			continue;
		len = data_encode(c, text);
		if (is_dull(len) && c % 61 && !(c >= 0x300 && c < 0x3000 && c % 3))
			continue;
		if (known_alike(peer, forms, c))
			pool[pool_size++] = c;
		else
			plain++;
	}
}

static size_t random_text(size_t count, bool marks)
{
	size_t len = 0;

	while (count--) {
		u32 c = pool[sample_random(&seed) % pool_size];

		if (marks)
			c = 0x300 + sample_random(&seed) % 0x4f;
		len += data_encode(c, text + len);
	}
	return len;
}

static void against(const char *name, normalizer peer, unsigned int forms,
		    bool (*assigned)(u32), unsigned int long_rounds)
{
	unsigned int wrong = 0, i;

	fill_pool(peer, forms, assigned);
	for (i = 0; i < ROUNDS; i++)
		wrong += !agree(peer, i % forms, random_text(1 + i % 24, !(i % 7)));
	for (i = 0; i < long_rounds; i++)
		wrong += !agree(peer, i % forms, random_text(30 + i * i * 8, i % 3));
	tap_ok(pool_size > 5000 && !wrong,
	       "%s: %u strings of %u code points: %u wrong (%u code points known differently)",
	       name, ROUNDS + long_rounds, pool_size, wrong, plain);
}

#ifdef HAVE_ICU
static bool assigned_to_icu(u32 c)
{
	return u_isdefined(c);
}
#endif

static const char python[] =
	"import sys, unicodedata\n"
	"wrong = seen = 0\n"
	"for line in sys.stdin:\n"
	"    form, text, want = line.split()\n"
	"    text = bytes.fromhex(text).decode()\n"
	"    if any(unicodedata.category(c) == 'Cn' for c in text):\n"
	"        continue\n"
	"    seen += 1\n"
	"    wrong += unicodedata.normalize(form, text).encode().hex() != want\n"
	"sys.exit(1 if wrong or seen < 1000 else 0)\n";

static void put_hex(FILE *out, const u8 *p, size_t len)
{
	fputc(' ', out);
	while (len--)
		fprintf(out, "%02x", *p++);
}

static void against_python(void)
{
	static const char *const names[] = { "NFC", "NFD", "NFKC", "NFKD" };
	char command[2048];
	unsigned int i;
	FILE *pipe;

	if (system("python3 -c 'import unicodedata' 2>/dev/null")) {
		tap_skip("Python", "python3 is not there");
		return;
	}
	snprintf(command, sizeof(command), "python3 -c \"%s\"", python);
	fflush(stdout);
	pipe = popen(command, "w");
	for (i = 0; pipe && i < ROUNDS; i++) {
		size_t len = random_text(1 + i % 12, false);

		fputs(names[i % 4], pipe);
		put_hex(pipe, text, len);
		put_hex(pipe, mine, ours(i % 4, text, len, mine));
		fputc('\n', pipe);
	}
	tap_ok(pipe && !pclose(pipe), "Python: %u strings", i);
}

int main(void)
{
#ifdef HAVE_UTF8PROC
	against("utf8proc", by_utf8proc, 4, NULL, 0);
#else
	tap_skip("utf8proc", "built without libutf8proc-dev");
#endif
#ifdef HAVE_UNISTRING
	against("libunistring", by_unistring, 4, NULL, LONG_ROUNDS);
#else
	tap_skip("libunistring", "built without libunistring-dev");
#endif
#ifdef HAVE_ICU
	against("ICU", by_icu, 5, assigned_to_icu, LONG_ROUNDS);
#else
	tap_skip("ICU", "built without libicu-dev");
#endif
	against_python();
	return tap_done();
}
