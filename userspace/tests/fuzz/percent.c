// SPDX-License-Identifier: GPL-2.0
/*
 * Percent escapes, and text classes of the decoded octets, compared with a simple decoder.
 *
 * promise remote peer: no malformed escape, and none that decodes to what is refused, passes a
 *   rule that decodes
 * shown by: percent
 */
#include "../../../kernel/nf/scope/text.h"
#include "../reference.h"
#include "fuzz.h"

static int hex(u8 c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* %XX alone, once; -1 where there is a percent sign that begins no such escape. */
static long decode(const u8 *text, size_t len, u8 *out)
{
	size_t at = 0, n = 0;

	while (at < len) {
		if (text[at] != '%') {
			out[n++] = text[at++];
			continue;
		}
		if (len - at < 3 || hex(text[at + 1]) < 0 || hex(text[at + 2]) < 0)
			return -1;
		out[n++] = hex(text[at + 1]) << 4 | hex(text[at + 2]);
		at += 3;
	}
	return n;
}

static u8 judge(u8 how, u32 refuse, const u8 *text, size_t len, size_t cut)
{
	struct ugnf_text state = { .refuse = refuse, .decode = how };
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };

	if (ugnf_text_feed(&state, text, cut, &error) == cut && !state.class)
		ugnf_text_feed(&state, text + cut, len - cut, &error);
	if (!state.class)
		ugnf_text_end(&state, &error);
	return state.class;
}

/* What a rule allows of the four classes of percent encoding; none if @bits are 0. */
static u32 allowed(u8 bits)
{
	u32 all = UTF8GUARD_PERCENT_CLASSES;

	return (u32)bits << __builtin_ctz(all) & all;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	u8 first = fuzz_octet(&input), how = first % (UGNF_DECODE_TARGET + 1);
	u32 allow = allowed(first / (UGNF_DECODE_TARGET + 1));
	u8 where = fuzz_octet(&input), found, lax;
	u32 refuse = fuzz_number(&input, 3) &
		     UTF8GUARD_TEXT_CLASSES &
		     ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NOT_NORMALIZED);
	size_t len;
	u8 *text, *out;
	long n;

	refuse &= ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE);
	text = fuzz_take(&input, size, &len);
	out = malloc(len);
	if (how != UGNF_DECODE_RAW)
		refuse |= UTF8GUARD_PERCENT_CLASSES;
	found = judge(how, refuse, text, len, len);
	fuzz_check(found == judge(how, refuse, text, len, where % (len + 1)));
	/* The cut makes no difference either where classes are allowed, and what is good stays good. */
	lax = judge(how, refuse & ~allow, text, len, len);
	fuzz_check(lax == judge(how, refuse & ~allow, text, len, where % (len + 1)));
	fuzz_check(found != UTF8GUARD_CLASS_NONE || lax == UTF8GUARD_CLASS_NONE);
	n = how == UGNF_DECODE_RAW ? (long)len : decode(text, len, out);
	if (how == UGNF_DECODE_RAW && len)
		memcpy(out, text, len);
	/*
	 * A percent sign that begins no escape is refused, and what decodes to something refused.
	 * Nothing else is, as long as the decoded text has neither a percent sign nor NUL, which
	 * percent decoding refuses, too.
	 */
	if (n < 0)
		fuzz_check(found != UTF8GUARD_CLASS_NONE);
	else if (utf8guard_classify(out, n, refuse, NULL))
		fuzz_check(found != UTF8GUARD_CLASS_NONE);
	else if (how == UGNF_DECODE_RAW)
		fuzz_check(found == UTF8GUARD_CLASS_NONE);
	else if (!memchr(out, '%', n) && !memchr(out, '\0', n))
		fuzz_check(found == UTF8GUARD_CLASS_NONE);
	free(out);
	free(text);
	return 0;
}
