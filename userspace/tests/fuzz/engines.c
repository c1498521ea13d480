// SPDX-License-Identifier: GPL-2.0
/*
 * Every engine of validation; a text in two pieces; transfer functions; explanations; counts of
 * characters: all give the answer of RFC 3629.
 *
 * promise whoever wrote the text: each engine gives the answer of the grammar, and so does a
 *   stream, wherever it is cut
 * shown by: engines
 */
#include "../../../kernel/codec/engine.h"
#include "fuzz.h"

/* Where the end cuts a character off, the span reaches beyond the text, and the length does not. */
static void check_error(const u8 *text, size_t len, size_t good)
{
	struct utf8guard_error err, again;

	fuzz_check(!utf8guard_validate(text, len, &err) == (good == len));
	fuzz_check(!utf8guard_validate(text, len, NULL) == (good == len));
	if (good == len)
		return;
	fuzz_check(err.offset == good && err.length >= 1 && err.length <= err.span);
	fuzz_check(err.span <= UTF8GUARD_MAX_SPAN && err.offset + err.length <= len);
	fuzz_check(UTF8GUARD_CLASS_BIT(err.class) & UTF8GUARD_ILL_FORMED);
	fuzz_check(utf8guard_class_name(err.class) && !err.note == !utf8guard_note_text(err.note));
	utf8guard_explain(text, len, good, &again);
	fuzz_check(again.offset == err.offset && again.class == err.class &&
		   again.length == err.length && again.span == err.span &&
		   again.note == err.note && again.code_point == err.code_point);
}

static void check_engines(const u8 *text, size_t len, size_t good)
{
	const struct utf8guard_engine *own = utf8guard_engine_find(utf8guard_engine_name(), true);
	const struct utf8guard_engine *engine;
	unsigned int i;

	for (i = 0; (engine = utf8guard_engine_at(i)); i++) {
		if (!utf8guard_engine_usable(engine))
			continue;
		fuzz_check(engine->prefix(text, len) == good);
		utf8guard_engine_use(engine);
		check_error(text, len, good);
	}
	utf8guard_engine_use(own);
}

/* A decoder that goes on after each maximal subpart finds each error, and comes to the end. */
static void check_errors(const u8 *text, size_t len)
{
	struct utf8guard_error err;
	size_t at = 0;

	while ((at = utf8guard_next_error(text, len, at)) < len) {
		utf8guard_explain(text, len, at, &err);
		fuzz_check(err.offset == at && err.length);
		at += err.length;
	}
	fuzz_check(at == len);
}

static u8 walk(u8 state, const u8 *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		state = reference_step(state, text[i]);
	return state;
}

static void check_pieces(const u8 *text, size_t len, size_t cut)
{
	u8 state = UTF8GUARD_STATE_START, want = walk(state, text, len), i;
	size_t used = utf8guard_feed(&state, text, cut);
	u32 whole = utf8guard_transfer(text, len), first = utf8guard_transfer(text, cut),
	    rest = utf8guard_transfer(text + cut, len - cut);

	fuzz_check(used == cut || state == UTF8GUARD_STATE_REFUSED);
	if (used == cut)
		utf8guard_feed(&state, text + cut, len - cut);
	fuzz_check(state == want);
	fuzz_check(utf8guard_compose(first, rest) == whole);
	for (i = UTF8GUARD_STATE_START; i < UTF8GUARD_STATE_REFUSED; i++)
		fuzz_check(utf8guard_apply(whole, i) == walk(i, text, len));
	fuzz_check(utf8guard_apply(whole, UTF8GUARD_STATE_REFUSED) == UTF8GUARD_STATE_REFUSED);
}

static void check_characters(const u8 *text, size_t len, size_t at)
{
	size_t count = 0, i, begin = utf8guard_boundary(text, len, at);

	for (i = 0; i < len; i++)
		count += (text[i] & 0xc0) != 0x80;
	fuzz_check(utf8guard_count(text, len) == count);
	fuzz_check(begin <= at && at - begin <= 3);
	fuzz_check(begin == len || (text[begin] & 0xc0) != 0x80);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	size_t where = fuzz_octet(&input), len, good;
	u8 *text = fuzz_take(&input, size, &len);

	good = reference_prefix(text, len);
	check_engines(text, len, good);
	check_errors(text, len);
	check_pieces(text, len, where % (len + 1));
	if (good == len)
		check_characters(text, len, where % (len + 1));
	free(text);
	return 0;
}
