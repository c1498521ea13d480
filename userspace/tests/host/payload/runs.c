// SPDX-License-Identifier: GPL-2.0
/*
 * What parsers judge in runs is what they judge octet by octet: the same verdict at the
 * same octet, for the same reason, and the same state after it, in any pieces. A piece
 * of one octet is too short for any run.
 *
 *   ROUNDS=n	how many texts of each kind, 20000 if not given
 *   SEED=n	of the random numbers
 *
 * promise remote peer: what a parser skips in runs it judges as octet by octet, in any pieces
 * shown by: runs end at the octets that end them
 * shown by: not followed: %u wrong
 */
#include <stdlib.h>
#include <string.h>

#include "../../../../kernel/codec/codec.h"
#include "../../../../kernel/nf/scope/run.h"
#include "../../../../kunit/inorder_texts.h"
#include "../../../../kunit/words.h"
#include "../../tap.h"

#define LONGEST 600

static const char *const scripts[] = { "ASCII", "Russian", "Japanese", "mixed" };

/* Octets that spoil() puts into a text. */
static const char signs[] = " \r\n\0:;%%%0a.\x1f\x7f?GP\xc0\xe2\x80\xae\xff";

static const char *const words[] = {
	"%2541", "%25", "%00", "%u00e9", "%ud83d%ude00", "%%41", "\r\n\r\n", "\r\nDATA\r\n",
	"\r\nMAIL FROM:", "\r\nSTARTTLS\r\n", "\r\nBDAT 9\r\n", "\r\n.\r\n", "?a=%252f",
	"\xe2\x80\xae", "\xef\xbf\xbe",
};

static void spoil(u8 *text, u32 len, u64 *seed)
{
	u32 count = sample_random(seed) % 4, at, n;

	while (count--) {
		const char *word = words[sample_random(seed) % ARRAY_SIZE(words)];

		at = sample_random(seed) % len;
		n = strlen(word);
		if (sample_random(seed) % 2)
			text[at] = signs[sample_random(seed) % (sizeof(signs) - 1)];
		else if (n <= len - at)
			memcpy(text + at, word, n);
	}
}

/* A parser of a kind, with what a rule may change of its classes and decoding, at random. */
static void make_scope(struct ugnf_scope *scope, u32 kind, u64 *seed)
{
	u32 any = sample_random(seed);

	inorder_scope(scope, (enum inorder_kind)kind);
	if (any & 1)
		scope->text.refuse |= any & UTF8GUARD_TEXT_CLASSES &
				      ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE) &
				      /* Refused in datagrams alone, which are fed whole. */
				      ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	if (scope->text.decode && any & 2)
		scope->text.refuse &= ~(any & UTF8GUARD_PERCENT_CLASSES);
	if (scope->text.decode && any & 4)
		scope->text.decode = UGNF_DECODE_PERCENT;
}

static u32 make_text(u8 *text, u32 kind, u64 *seed)
{
	struct inorder_text t = { .octets = text, .seed = seed };
	u32 at;

	t.len = 1 + sample_random(seed) % LONGEST;
	t.len = inorder_make_text(&t, (enum inorder_kind)kind);
	at = t.len ? sample_random(seed) % t.len : 0;
	/* Somewhere in it, a text in a script. */
	if (t.len - at > 8 && sample_random(seed) % 2) {
		words_fill(scripts[sample_random(seed) % ARRAY_SIZE(scripts)], text + at,
			   (t.len - at) / 2, seed);
	}
	if (t.len && sample_random(seed) % 2)
		spoil(text, t.len, seed);
	return t.len;
}

struct outcome {
	struct ugnf_scope scope;
	u32 at;
	u8 class;
};

/* In pieces of up to @most octets, at random; without a seed, all of @most octets. */
static struct outcome feed(const struct ugnf_scope *initial, const u8 *text, u32 len, u32 most,
			   u64 *seed)
{
	struct outcome o = { .scope = *initial, .class = UTF8GUARD_CLASS_NONE };
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };
	u32 n, taken;

	while (o.at < len) {
		n = seed ? 1 + sample_random(seed) % most : most;
		n = min(n, len - o.at);
		taken = ugnf_scope_feed(&o.scope, text + o.at, n, &error);
		o.at += taken;
		if (taken < n)
			break;
	}
	if (o.scope.status == UGNF_SCOPE_REFUSED)
		o.class = error.class;
	else
		ugnf_text_settle(&o.scope.text);
	return o;
}

static bool is_same(const struct outcome *a, const struct outcome *b)
{
	if (a->at != b->at || a->class != b->class || a->scope.status != b->scope.status)
		return false;
	/* Nobody uses the state after a refusal. */
	return a->scope.status == UGNF_SCOPE_REFUSED ||
	       !memcmp(&a->scope, &b->scope, sizeof(a->scope));
}

static void check_kind(u32 kind, u32 rounds, u64 seed)
{
	u32 round, wrong = 0, statuses[3] = { 0 };
	static u8 text[LONGEST];

	for (round = 0; round < rounds && wrong < 3; round++) {
		struct outcome slow, whole, pieces;
		struct ugnf_scope initial;
		u32 len;

		make_scope(&initial, kind, &seed);
		len = make_text(text, kind, &seed);
		slow = feed(&initial, text, len, 1, NULL);
		whole = feed(&initial, text, len, LONGEST, NULL);
		pieces = feed(&initial, text, len, 1 + sample_random(&seed) % 90, &seed);
		statuses[slow.scope.status]++;
		if (is_same(&slow, &whole) && is_same(&slow, &pieces))
			continue;
		wrong++;
		for (u32 i = 0; i < sizeof(initial); i++)
			if (((u8 *)&slow.scope)[i] != ((u8 *)&whole.scope)[i] ||
			    ((u8 *)&slow.scope)[i] != ((u8 *)&pieces.scope)[i])
				tap_note("octet %u of the state: %u, whole %u, pieces %u", i,
					 ((u8 *)&slow.scope)[i], ((u8 *)&whole.scope)[i],
					 ((u8 *)&pieces.scope)[i]);
		tap_note(
			"round %u: octets: %u at %u, %s; whole: %u at %u, %s; pieces: %u at %u, %s",
			round, slow.scope.status, slow.at, utf8guard_class_name(slow.class),
			whole.scope.status, whole.at, utf8guard_class_name(whole.class),
			pieces.scope.status, pieces.at, utf8guard_class_name(pieces.class));
	}
	tap_ok(!wrong, "kind %u: %u texts, %u good, %u refused, %u not followed: %u wrong", kind,
	       round, statuses[UGNF_SCOPE_FOLLOWED], statuses[UGNF_SCOPE_REFUSED],
	       statuses[UGNF_SCOPE_UNFOLLOWED], wrong);
	/* A text of no protocol can always be followed. */
	tap_ok(statuses[UGNF_SCOPE_FOLLOWED] && statuses[UGNF_SCOPE_REFUSED] &&
	       (inorder_kinds[kind].scope == UGNF_SCOPE_PLAIN || statuses[UGNF_SCOPE_UNFOLLOWED]),
	       "kind %u: some texts came to each of these ends", kind);
}

/* Each octet at each place of three words, among octets that are near those that end runs. */
static void check_runs(void)
{
	static const u8 around[] = { ' ',  '!',	 0x20 | 0x80, 0x7e, 0x80, 0xff,
				     '\t', 0x0b, 0x0c,	      0x0e, 0x01 };
	u32 octet, place, fill, wrong = 0;
	u8 text[24];

	for (fill = 0; fill < sizeof(around); fill++)
		for (octet = 0; octet < 256; octet++)
			for (place = 0; place < sizeof(text); place++) {
				u32 target = 0, value = 0, line = 0;

				memset(text, around[fill], sizeof(text));
				text[place] = octet;
				while (target < sizeof(text) && text[target] > ' ' &&
				       text[target] != 0x7f && text[target] != '?')
					target++;
				while (value < sizeof(text) && text[value] && text[value] != '\r' &&
				       text[value] != '\n')
					value++;
				while (line < sizeof(text) && text[line] != '\n')
					line++;
				wrong += ugnf_run_target(text, sizeof(text), '?') != target ||
					 ugnf_run_value(text, sizeof(text)) != value ||
					 ugnf_run_line(text, sizeof(text)) != line;
			}
	tap_ok(!wrong, "runs end at the octets that end them: %u wrong", wrong);
}

int main(void)
{
	u32 rounds = tap_env("ROUNDS", 20000), kind;

	check_runs();
	for (kind = 0; kind < INORDER_KINDS; kind++)
		check_kind(kind, rounds, tap_env("SEED", 1) * 7919 + kind);
	return tap_done();
}
