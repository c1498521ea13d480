// SPDX-License-Identifier: GPL-2.0
/*
 * Time is linear: not by the clock, but by counting what the normaliser does, the
 * linker having put counters before its functions. Ten times the marks, of every
 * combining class that there is, take ten times the steps; so do ten times the
 * Hangul, the longest decompositions, and what composes. What most text in a script needs
 * takes a shorter way, without a look at the decomposition of each character.
 *
 * promise whoever wrote the text: normalization takes linear time
 * shown by: take ten times what
 */
#include "../../../../kernel/codec/normalization/normalization.h"
#include "../../normalization_data.h"
#include "../../tap.h"

bool __real_utf8guard_read_mark(struct utf8guard_reader *r, u32 *c, u8 *rank);
bool __wrap_utf8guard_read_mark(struct utf8guard_reader *r, u32 *c, u8 *rank);
bool __real_utf8guard_run_add(struct utf8guard_run *run, u32 c, u8 rank);
bool __wrap_utf8guard_run_add(struct utf8guard_run *run, u32 c, u8 rank);
u32 __real_utf8guard_composite(u32 first, u32 second);
u32 __wrap_utf8guard_composite(u32 first, u32 second);
bool __real_utf8guard_run_join(struct utf8guard_run *run, u32 starter);
bool __wrap_utf8guard_run_join(struct utf8guard_run *run, u32 starter);
void __real_utf8guard_decompose(const struct utf8guard_rules *rules, const u8 *p,
				struct utf8guard_char c, struct utf8guard_parts *parts);
void __wrap_utf8guard_decompose(const struct utf8guard_rules *rules, const u8 *p,
				struct utf8guard_char c, struct utf8guard_parts *parts);
const u8 *__real_utf8guard_skip_inert(const struct utf8guard_rules *rules, const u8 *p,
				      const u8 *end, struct utf8guard_char *found);
const u8 *__wrap_utf8guard_skip_inert(const struct utf8guard_rules *rules, const u8 *p,
				      const u8 *end, struct utf8guard_char *found);

static size_t steps, long_way;

bool __wrap_utf8guard_run_join(struct utf8guard_run *run, u32 starter)
{
	long_way++;
	steps++;
	return __real_utf8guard_run_join(run, starter);
}

void __wrap_utf8guard_decompose(const struct utf8guard_rules *rules, const u8 *p,
				struct utf8guard_char c, struct utf8guard_parts *parts)
{
	long_way++;
	steps++;
	__real_utf8guard_decompose(rules, p, c, parts);
}

/* A step for each octet that is looked at. */
const u8 *__wrap_utf8guard_skip_inert(const struct utf8guard_rules *rules, const u8 *p,
				      const u8 *end, struct utf8guard_char *found)
{
	const u8 *at = __real_utf8guard_skip_inert(rules, p, end, found);

	steps += 1 + (at - p);
	return at;
}

bool __wrap_utf8guard_read_mark(struct utf8guard_reader *r, u32 *c, u8 *rank)
{
	steps++;
	return __real_utf8guard_read_mark(r, c, rank);
}

bool __wrap_utf8guard_run_add(struct utf8guard_run *run, u32 c, u8 rank)
{
	long_way++;
	steps++;
	return __real_utf8guard_run_add(run, c, rank);
}

u32 __wrap_utf8guard_composite(u32 first, u32 second)
{
	long_way++;
	steps++;
	return __real_utf8guard_composite(first, second);
}

/* A base and @n marks: in turn, all that NFD does not decompose. */
static size_t run_of_marks(u8 *text, size_t n, u32 base)
{
	size_t len = data_encode(base, text), mark_len;
	u32 c = 0x300;

	while (n) {
		u8 pair[8] = "a";

		/* Only a mark changes places with U+0345, which has the highest class. */
		c = c < 0x1e94a ? c + 1 : 0x300;
		if (c >= 0xd800 && c < 0xe000)
			continue;
		mark_len = data_encode(c, text + len);
		memcpy(pair + 1, "\xcd\x85", 2);
		memcpy(pair + 3, text + len, mark_len);
		if (utf8guard_is_normalized(UTF8GUARD_FORM_NFD, pair, 3 + mark_len, NULL, NULL) ||
		    !utf8guard_is_normalized(UTF8GUARD_FORM_NFD, pair + 3, mark_len, NULL, NULL))
			continue;
		len += mark_len;
		n--;
	}
	return len;
}

static size_t steps_to_normalize(enum utf8guard_form form, const u8 *text, size_t len)
{
	size_t out_len;
	u8 *out = malloc(11 * len);

	steps = 0;
	utf8guard_normalize(form, text, len, out, 11 * len, &out_len, NULL);
	free(out);
	return steps;
}

static size_t steps_to_compare(const u8 *text, size_t len)
{
	u8 *other = malloc(len);
	int order;

	memcpy(other, text, len);
	steps = 0;
	other[len - 1] ^= 1;
	utf8guard_compare(UTF8GUARD_FORM_NFC, text, len, other, len, &order, NULL);
	free(other);
	return steps;
}

/* What takes most work for its length, over and over. */
static const char *const worst[][2] = {
	{ "Hangul syllables", "\u1112\u1161\u11ab" }, { "Hangul, composed", "\ud55c" },
	{ "Hangul, L alone", "\u1112" }, { "Hangul, LV and T", "\uac00\u11a8" },
	{ "U+FDFA", "\ufdfa" }, { "U+0390", "\u0390" }, { "U+1D160", "\U0001d160" },
	{ "U+1F82", "\u1f82" }, { "what composes twice", "a\u0323\u0302" },
	{ "marks out of order", "a\u0302\u0323\u0327" },
	{ "starters that compose", "\u0b47\u0b3e" }, { "U+0F77", "\u0f77" },
	{ "marks and inert", "\u0301x\u0323yz" },
};

static size_t repeat(u8 *text, const char *what, size_t n)
{
	size_t len = strlen(what), i;

	for (i = 0; i < n; i++)
		memcpy(text + i * len, what, len);
	return n * len;
}

/* To normalize to every form, and to check it, takes at most 40 steps for each repetition. */
static void check_worst(const char *name, const char *what, u8 *text)
{
	size_t some, many, n = 1000, wrong = 0;
	unsigned int form;

	for (form = 0; form < UTF8GUARD_FORMS; form++) {
		some = steps_to_normalize(form, text, repeat(text, what, n));
		many = steps_to_normalize(form, text, repeat(text, what, 10 * n));
		wrong += many > 10 * some + 100 || many > 40 * 10 * n;
		steps = 0;
		utf8guard_is_normalized(form, text, repeat(text, what, n), NULL, NULL);
		some = steps;
		steps = 0;
		utf8guard_is_normalized(form, text, repeat(text, what, 10 * n), NULL, NULL);
		wrong += steps > 10 * some + 100 || steps > 40 * 10 * n;
	}
	tap_ok(!wrong, "%s: %zu take ten times what %zu take", name, 10 * n, n);
}

/* How often the long way is taken in 1,000 repetitions: never, or to find out about the first. */
static const struct {
	enum utf8guard_form form;
	const char *what;
	size_t most;
} short_way[] = {
	{ UTF8GUARD_FORM_NFD, "\ud55c\uae00", 0 },
	{ UTF8GUARD_FORM_NFKD, "\uac00 \ud7a3", 0 },
	{ UTF8GUARD_FORM_NFC, "\u1112\u1161\u11ab", 1 },
	{ UTF8GUARD_FORM_NFKC, "\u1100\u1175", 1 },
	{ UTF8GUARD_FORM_NFC, "\u0628\u0651\u064e", 0 },
	{ UTF8GUARD_FORM_NFD, "\u0628\u0651\u064e", 0 },
};

static void check_short_way(u8 *text)
{
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(short_way) / sizeof(short_way[0]); i++) {
		long_way = 0;
		steps_to_normalize(short_way[i].form, text, repeat(text, short_way[i].what, 1000));
		if (long_way > short_way[i].most)
			tap_note("%s: %zu", short_way[i].what, long_way);
		wrong += long_way > short_way[i].most;
	}
	tap_ok(!wrong, "Hangul and marks out of order take the short way");
}

int main(void)
{
	const size_t n = 10000;
	u8 *some = malloc(4 * n + 4), *many = malloc(40 * n + 4);
	size_t some_len = run_of_marks(some, n, 'a');
	size_t many_len = run_of_marks(many, 10 * n, 'a');
	unsigned int form;
	size_t a, b;

	for (form = 0; form < UTF8GUARD_FORMS; form++) {
		a = steps_to_normalize(form, some, some_len);
		b = steps_to_normalize(form, many, many_len);
		tap_ok(a >= n && b <= 11 * a && b <= 8 * 10 * n,
		       "%s: %zu marks take %zu steps, %zu take %zu",
		       utf8guard_form_name(form), n, a, 10 * n, b);
	}
	a = steps_to_compare(some, some_len);
	b = steps_to_compare(many, many_len);
	tap_ok(a >= n && b <= 12 * a && b <= 2 * 57 * 10 * n,
	       "compare: %zu marks take %zu steps, %zu take %zu", n, a, 10 * n, b);
	for (form = 0; form < sizeof(worst) / sizeof(worst[0]); form++)
		check_worst(worst[form][0], worst[form][1], many);
	check_short_way(many);
	free(some);
	free(many);
	return tap_done();
}
