// SPDX-License-Identifier: GPL-2.0
/*
 * No octet outside of a text is read, and none outside of a buffer is written,
 * by anything in the codec. This program and a codec of its own are built with
 * the address and undefined-behaviour sanitizers, and each text is judged three
 * times: in memory of exactly its size, up to the end of a page after which
 * there is none, and from the beginning of a page before which there is none.
 * The answers have to be the same each time, and the engines' the reference's.
 *
 * promise whoever wrote the text: nothing outside of a text is read, and nothing outside of a
 *   buffer written
 * shown by: at both ends of pages
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/utf8guard_normalize.h>
#include "../../reference.h"
#include "../../../../kunit/sample.h"
#include "../../tap.h"

#define AREA (1 << 17)
#define LONGEST 6000
/* The longest decomposition: U+FDFA, of 3 octets, has 33 in NFKD. */
#define ROOM (11 * LONGEST + 64)

/* A range of memory with nothing before and after it. */
struct area {
	u8 *begin;
	u8 *end;
};

static struct area in, out;

static bool fence(struct area *area)
{
	u8 *p = mmap(NULL, 3 * AREA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	area->begin = p + AREA;
	area->end = p + 2 * AREA;
	return p != MAP_FAILED && !mprotect(p + AREA, AREA, PROT_READ | PROT_WRITE);
}

/* How many expectations were wrong; the first one is printed. */
static unsigned int wrong;

static void expect(bool good, const char *what, size_t len)
{
	if (!good && !wrong++)
		tap_note("first: %s, %zu octets", what, len);
}

/* FNV-1a of all answers, to compare those for a text in three places. */
static u64 digest;

static void note(const void *data, size_t len)
{
	const u8 *p = data;

	while (len--)
		digest = (digest ^ *p++) * 0x100000001b3ULL;
}

static void note_number(u64 number)
{
	note(&number, sizeof(number));
}

static void try_engines(const u8 *p, size_t len)
{
	size_t want = reference_prefix(p, len);
	const struct utf8guard_engine *engine;
	struct utf8guard_error err;
	unsigned int i;

	for (i = 0; (engine = utf8guard_engine_at(i)); i++)
		if (utf8guard_engine_usable(engine))
			expect(engine->prefix(p, len) == want, engine->name, len);
	expect(!utf8guard_validate(p, len, &err) == (want == len), "validate", len);
	if (want != len)
		expect(err.offset == want && err.offset + err.span <= len, "explain", len);
}

static void try_stream(const u8 *p, size_t len)
{
	u32 transfer = utf8guard_transfer(p, len);
	u8 from;

	for (from = 0; from <= UTF8GUARD_STATE_REFUSED; from++) {
		u8 state = from;
		size_t used = utf8guard_feed(&state, p, len);

		expect(used <= len, "feed", len);
		expect(utf8guard_apply(transfer, from) == state, "transfer", len);
	}
}

static void try_classes(const u8 *p, size_t len)
{
	struct utf8guard_error err = { 0 };
	size_t i, step = 1 + len / 16;

	if (reference_prefix(p, len) != len)
		return;
	note_number(utf8guard_classify(p, len, UTF8GUARD_TEXT_CLASSES, &err));
	note_number(err.offset);
	note_number(utf8guard_count(p, len));
	for (i = 0; i < len; i += step)
		note_number(utf8guard_boundary(p, len, i));
}

typedef int writer(const u8 *p, size_t len, unsigned int how, u8 *to, size_t *size);

static int sanitizer(const u8 *p, size_t len, unsigned int how, u8 *to, size_t *size)
{
	return utf8guard_sanitize(how, p, len, to, size);
}

static int converter(const u8 *p, size_t len, unsigned int how, u8 *to, size_t *size)
{
	const struct utf8guard_conversion conversion = { how / 5, how % 5, how % 2 };

	return utf8guard_convert(&conversion, p, len, to, size, NULL);
}

static int normalizer(const u8 *p, size_t len, unsigned int how, u8 *to, size_t *size)
{
	return utf8guard_normalize(how, p, len, to, *size, size, NULL);
}

/*
 * Lets a function write into a buffer of the size that it announces, and into
 * one that is too small by an octet, each at both ends of the area.
 */
static void try_writer(const char *what, writer *write, const u8 *p, size_t len,
		       unsigned int how)
{
	size_t need = 0, size, room;
	int ret = write(p, len, how, NULL, &need);

	note_number(ret);
	note_number(need);
	expect(ret == -EILSEQ || ret == (need ? -EMSGSIZE : 0), what, len);
	if (ret == -EILSEQ || !need)
		return;
	for (room = need - 1; room <= need; room++) {
		int want = room < need ? -EMSGSIZE : 0;

		size = room;
		expect(write(p, len, how, out.end - room, &size) == want && size == need,
		       what, len);
		size = room;
		expect(write(p, len, how, out.begin, &size) == want && size == need,
		       what, len);
	}
	expect(!memcmp(out.begin, out.end - need, need), what, len);
	note(out.begin, need);
}

static void try_writers(const u8 *p, size_t len)
{
	unsigned int how;

	for (how = 0; how < 2; how++)
		try_writer("sanitize", sanitizer, p, len, how);
	for (how = 0; how < 9 * 5; how++)
		try_writer("convert", converter, p, len, how);
	for (how = 0; how < UTF8GUARD_FORMS; how++)
		try_writer("normalize", normalizer, p, len, how);
}

/* By a stream, in pieces of a few octets, into about as little room as it can do with. */
static void try_normalizing_stream(const u8 *p, size_t len, enum utf8guard_form form)
{
	struct utf8guard_stream s;
	size_t used, written;
	int ret = 0;

	utf8guard_stream_begin(&s, form);
	while (len && (!ret || ret == -EMSGSIZE)) {
		size_t piece = len < 7 ? len : 7, room = 4 + len % 5;

		ret = utf8guard_stream_feed(&s, p, piece, &used, out.end - room, room,
					    &written, NULL);
		note(out.end - room, written);
		p += used;
		len -= used;
	}
	while (!ret || ret == -EMSGSIZE) {
		ret = utf8guard_stream_end(&s, out.end - 4, 4, &written, NULL);
		note(out.end - 4, written);
		if (!ret)
			break;
	}
	note_number(ret);
}

static void try_checks(const u8 *p, size_t len)
{
	unsigned int form;
	size_t offset = 0;
	int order = 0;

	for (form = 0; form < UTF8GUARD_FORMS; form++) {
		note_number(utf8guard_quick_check(form, p, len, &offset, NULL));
		note_number(offset);
		note_number(utf8guard_is_normalized(form, p, len, &offset, NULL));
		note_number(offset);
		note_number(utf8guard_compare(form, p, len, p, len ? len - 1 : 0, &order,
					      NULL));
		note_number(order);
		try_normalizing_stream(p, len, form);
	}
	note_number(utf8guard_skip_common(p, len, false));
	note_number(utf8guard_skip_common(p, len, true));
}

static u64 try_all(const u8 *p, size_t len)
{
	digest = 0xcbf29ce484222325ULL;
	try_engines(p, len);
	try_stream(p, len);
	try_classes(p, len);
	try_writers(p, len);
	try_checks(p, len);
	return digest;
}

static void try_text(const u8 *text, size_t len)
{
	u8 *exact = malloc(len);
	u64 first;

	memcpy(exact, text, len);
	first = try_all(exact, len);
	free(exact);
	memcpy(in.end - len, text, len);
	expect(try_all(in.end - len, len) == first, "the same at the end of a page", len);
	memcpy(in.begin, text, len);
	expect(try_all(in.begin, len) == first, "the same at the beginning of a page", len);
}

/* Marks, jamo and composites, in fours, so that normalization has work. */
static void sample_marks(u8 *text, size_t len, u64 *seed)
{
	static const char fours[][5] = {
		"e\xcc\x81q", "\xcc\xa3\xcc\x81", "\xe1\x84\x80q", "\xe1\x84\x80\x61",
		"\xc3\xa9\xcc\xa3", "\xea\xb0\x80.", "\xf0\x9d\x85\x9e", "\xef\xb7\xba\n",
	};
	size_t i;

	memset(text, 'x', len);
	for (i = 0; i + 4 <= len; i += 4)
		memcpy(text + i, fours[sample_random(seed) % 8], 4);
}

/* Texts of every length up to 559, more than two strides of any engine, and longer ones. */
static void try_texts(void)
{
	static u8 text[LONGEST];
	u64 seed = 11;
	size_t len;
	unsigned int n;

	for (n = 0; n < 4000; n++) {
		len = n < 560 ? n : n % 64 ? sample_random(&seed) % 80 :
					     sample_random(&seed) % LONGEST;
		if (n % 3)
			sample_text(text, len, sample_mixes[n % SAMPLE_MIXES], &seed);
		else
			sample_marks(text, len, &seed);
		if (n % 2 && len)
			text[len - 1 - sample_random(&seed) % (len < 70 ? len : 70)] =
				sample_border[sample_random(&seed) % SAMPLE_BORDERS];
		try_text(text, len);
	}
	tap_ok(!wrong, "%u texts of 0 to %u octets at both ends of pages: %u wrong", n,
	       LONGEST, wrong);
}

static void try_nothing(void)
{
	wrong = 0;
	try_all(NULL, 0);
	tap_ok(!wrong, "no text at all, at no address");
}

/* Without the sanitizer, this program proves little. */
static void try_sanitizer(void)
{
#if defined(__SANITIZE_ADDRESS__)
	tap_ok(true, "built with the address sanitizer");
#else
	tap_ok(false, "built with the address sanitizer");
#endif
}

int main(void)
{
	if (!fence(&in) || !fence(&out)) {
		tap_ok(false, "memory between unreadable pages");
		return tap_done();
	}
	try_sanitizer();
	try_nothing();
	try_texts();
	return tap_done();
}
