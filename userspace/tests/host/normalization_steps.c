// SPDX-License-Identifier: GPL-2.0
/*
 * Time is linear: not by the clock, but by counting what the normaliser does
 * for marks, the linker having put counters before those functions. Ten times
 * the marks, of every combining class that there is, take ten times the steps.
 */
#include "../normalization_data.h"
#include "../tap.h"

struct utf8guard_reader;
struct utf8guard_run;

bool __real_utf8guard_read_mark(struct utf8guard_reader *r, u32 *c, u8 *rank);
bool __wrap_utf8guard_read_mark(struct utf8guard_reader *r, u32 *c, u8 *rank);
bool __real_utf8guard_run_add(struct utf8guard_run *run, u32 c, u8 rank);
bool __wrap_utf8guard_run_add(struct utf8guard_run *run, u32 c, u8 rank);
u32 __real_utf8guard_composite(u32 first, u32 second);
u32 __wrap_utf8guard_composite(u32 first, u32 second);

static size_t steps;

bool __wrap_utf8guard_read_mark(struct utf8guard_reader *r, u32 *c, u8 *rank)
{
	steps++;
	return __real_utf8guard_read_mark(r, c, rank);
}

bool __wrap_utf8guard_run_add(struct utf8guard_run *run, u32 c, u8 rank)
{
	steps++;
	return __real_utf8guard_run_add(run, c, rank);
}

u32 __wrap_utf8guard_composite(u32 first, u32 second)
{
	steps++;
	return __real_utf8guard_composite(first, second);
}

/* A base and @n marks: all that are not changed by NFD, in turn. */
static size_t run_of_marks(u8 *text, size_t n, u32 base)
{
	size_t len = data_encode(base, text), mark_len;
	u32 c = 0x300;

	while (n) {
		u8 pair[8] = "a";

		/* A mark changes places with one of the highest class, iota below. */
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
	u8 *out = malloc(2 * len);

	steps = 0;
	utf8guard_normalize(form, text, len, out, 2 * len, &out_len, NULL);
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
	free(some);
	free(many);
	return tap_done();
}
