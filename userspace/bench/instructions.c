// SPDX-License-Identifier: GPL-2.0
/*
 * What each engine does, for instructions.pl, which counts the instructions of an emulator
 * between two calls of mark():
 *
 *	instructions LENGTH...		writes texts
 *	instructions <TEXTS		judges them; the output says which, and by which engine
 *
 * Logging an instruction takes a thousand times as long as emulating it, so texts are not made
 * where all is logged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../kernel/codec/engine.h"
#include "../../kernel/codec/dfa.h"
#include "../../kunit/words.h"

#define MOST 65536
/* Of a short text there are so many, for these differ more, but not more octets than ROOM. */
#define TEXTS 32
#define ROOM 2048

static const char *const scripts[] = {
	"ASCII", "French", "Russian", "Hindi", "Japanese", "mixed",
};

/**
 * struct texts - texts of one length, one after another
 * @script: what they are made of
 * @len: of each, in octets
 * @count: of them
 * @octets: the texts
 */
struct texts {
	char script[16];
	u32 len;
	u32 count;
	u8 octets[MOST];
};

static struct texts texts;

/* --- Judges --- */

/* Not static: the log of the emulator names it. */
void mark(void);

noinline void mark(void)
{
	asm volatile("");
}

/* The state machine and nothing else. */
static noinline size_t prefix_dfa(const u8 *text, size_t len)
{
	u64 state = UTF8GUARD_SHIFT(UTF8GUARD_STATE_START);
	size_t i;

	for (i = 0; i < len; i++)
		state = utf8guard_step(state, text[i]);
	return (state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_START) ? len : 0;
}

/* Takes what a call takes, and nothing more. */
static noinline size_t prefix_nothing(const u8 *text, size_t len)
{
	asm volatile("" : : "r"(text));
	return len;
}

static void judge(const char *engine, utf8guard_prefix_fn *prefix)
{
	unsigned int good = 0, i;

	mark();
	for (i = 0; i < texts.count; i++)
		good += prefix(texts.octets + i * texts.len, texts.len) == texts.len;
	mark();
	printf("%s\t%u\t%u\t%s\n", texts.script, texts.len, texts.count, engine);
	if (good != texts.count) {
		fprintf(stderr, "%s of %u octets: refused by %s\n", texts.script, texts.len,
			engine);
		exit(1);
	}
}

static void judge_by_all(void)
{
	const struct utf8guard_engine *engine;
	unsigned int i;

	judge("nothing", prefix_nothing);
	judge("dfa", prefix_dfa);
	for (i = 0; (engine = utf8guard_engine_at(i)); i++)
		if (utf8guard_engine_usable(engine))
			judge(engine->name, engine->prefix);
}

/* --- Makes texts --- */

/* Of whole characters: each begins somewhere in the source, after the one before. */
static void cut(const u8 *source, size_t size)
{
	size_t from = 0, n;
	unsigned int i;

	for (i = 0; i < texts.count; i++) {
		u8 *text = texts.octets + i * texts.len;

		n = utf8guard_boundary(source + from, size - from, texts.len);
		memcpy(text, source + from, n);
		memset(text + n, '.', texts.len - n);
		from += utf8guard_boundary(source + from, size - from, n + 4);
	}
}

static void write_texts(const char *script, size_t len)
{
	static u8 source[MOST + TEXTS * 8];
	u64 seed = 5;

	words_fill(script, source, sizeof(source), &seed);
	strcpy(texts.script, script);
	texts.len = len;
	texts.count = len >= ROOM ? 1 : len * TEXTS > ROOM ? ROOM / len : TEXTS;
	cut(source, sizeof(source));
	fwrite(&texts, offsetof(struct texts, octets) + len * texts.count, 1, stdout);
}

int main(int argc, char **argv)
{
	size_t head = offsetof(struct texts, octets), len;
	unsigned int i;
	int n;

	if (argc == 1) {
		while (fread(&texts, head, 1, stdin) == 1 &&
		       fread(texts.octets, texts.len, texts.count, stdin) == texts.count)
			judge_by_all();
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(scripts); i++)
		for (n = 1; n < argc; n++) {
			len = strtoul(argv[n], NULL, 10);
			if (len < 8 || len > MOST) {
				fprintf(stderr, "%s: expected 8 to %d\n", argv[n], MOST);
				return 2;
			}
			write_texts(scripts[i], len);
		}
	return 0;
}
