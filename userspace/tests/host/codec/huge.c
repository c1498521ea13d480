// SPDX-License-Identifier: GPL-2.0
/*
 * Texts of more than 2^32 octets: no length, offset or size is cut to 32 bits.
 * They are NUL, which is a character like any other and takes no memory.
 *
 * promise whoever wrote the text: in a text of more than 2^32 octets a mistake is found at its
 *   place, and no size is cut to 32 bits
 * shown by: %s: the offset
 * shown by: validate: the offset
 * shown by: normalize: the size needed
 */
#include <errno.h>
#include <sys/mman.h>
#include <linux/utf8guard_normalize.h>
#include "../../tap.h"

#define LEN ((1ULL << 32) + 100)
/* The mistake is C0 AE, at the end but for 40 octets. */
#define BAD (LEN - 40)

static void check_engines(const u8 *text)
{
	const struct utf8guard_engine *engine;
	unsigned int i;

	for (i = 0; (engine = utf8guard_engine_at(i)); i++)
		if (utf8guard_engine_usable(engine))
			tap_ok(engine->prefix(text, LEN) == BAD, "%s: the offset", engine->name);
}

static void check_validation(const u8 *text)
{
	struct utf8guard_error err = { 0 };
	u8 state = UTF8GUARD_STATE_START;

	tap_ok(utf8guard_validate(text, LEN, &err) == -EILSEQ && err.offset == BAD,
	       "validate: the offset");
	tap_ok(utf8guard_next_error(text, LEN, 0) == BAD, "next error: the offset");
	tap_ok(utf8guard_feed(&state, text, LEN) == BAD && state == UTF8GUARD_STATE_REFUSED,
	       "feed: the offset");
	tap_ok(utf8guard_count(text, BAD) == BAD, "count");
	tap_ok(utf8guard_boundary(text, LEN, BAD + 1) == BAD, "boundary");
}

static void check_writers(const u8 *text)
{
	struct utf8guard_error err = { 0 };
	size_t size = 0, offset = 0;

	tap_ok(utf8guard_sanitize(UTF8GUARD_REPLACE, text, LEN, NULL, &size) == -EMSGSIZE &&
	       size == LEN + 4, "sanitize: the size needed");
	tap_ok(utf8guard_normalize(UTF8GUARD_FORM_NFC, text, BAD, NULL, 0, &size, NULL) ==
	       -EMSGSIZE && size == BAD, "normalize: the size needed");
	tap_ok(utf8guard_normalize(UTF8GUARD_FORM_NFC, text, LEN, NULL, 0, &size, &err) ==
	       -EILSEQ && err.offset == BAD, "normalize: the offset");
	tap_ok(utf8guard_quick_check(UTF8GUARD_FORM_NFD, text, BAD, &offset, NULL) ==
	       UTF8GUARD_YES && offset == BAD, "quick check: the offset");
	tap_ok(utf8guard_is_normalized(UTF8GUARD_FORM_NFC, text, LEN, &offset, NULL) ==
	       -EILSEQ && offset == BAD, "is normalized: the offset");
}

int main(void)
{
	u8 *text = mmap(NULL, LEN, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (text == MAP_FAILED) {
		tap_skip("more than 2^32 octets", "no such address space");
		return tap_done();
	}
	text[BAD] = 0xc0;
	text[BAD + 1] = 0xae;
	check_engines(text);
	check_validation(text);
	check_writers(text);
	return tap_done();
}
