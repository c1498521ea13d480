// SPDX-License-Identifier: GPL-2.0
/*
 * The ABNF of RFC 3629 section 4: one function for each production, with its name and in its
 * order. Tests judge the codec by it, so it shares no code and no idea with the codec. It is
 * written to be compared with the RFC, not to be fast:
 *
 *	UTF8-octets = *( UTF8-char )
 *	UTF8-char   = UTF8-1 / UTF8-2 / UTF8-3 / UTF8-4
 *	UTF8-1      = %x00-7F
 *	UTF8-2      = %xC2-DF UTF8-tail
 *	UTF8-3      = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) /
 *	              %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
 *	UTF8-4      = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) /
 *	              %xF4 %x80-8F 2( UTF8-tail )
 *	UTF8-tail   = %x80-BF
 */
/* For EXPORT_SYMBOL in kernel and user space; none of the codec's functions are called. */
#include "../kernel/codec/codec.h"
#include "abnf.h"

struct text {
	const u8 *octets;
	size_t len;
	size_t at;		/* the next octet to match */
	size_t farthest;	/* after the last octet that anything matched */
};

/* A terminal: %xLL-HH. */
static bool range(struct text *t, u8 lowest, u8 highest)
{
	if (t->at == t->len)
		return false;
	if (t->octets[t->at] < lowest || t->octets[t->at] > highest)
		return false;
	t->at++;
	if (t->farthest < t->at)
		t->farthest = t->at;
	return true;
}

/* A slash: the next alternative begins where the one that did not match began. */
static bool or_from(struct text *t, size_t from)
{
	t->at = from;
	return true;
}

static bool utf8_tail(struct text *t)
{
	return range(t, 0x80, 0xbf);
}

static bool utf8_4(struct text *t)
{
	size_t from = t->at;

	return (range(t, 0xf0, 0xf0) && range(t, 0x90, 0xbf) &&
		utf8_tail(t) && utf8_tail(t)) ||
	       (or_from(t, from) && range(t, 0xf1, 0xf3) &&
		utf8_tail(t) && utf8_tail(t) && utf8_tail(t)) ||
	       (or_from(t, from) && range(t, 0xf4, 0xf4) && range(t, 0x80, 0x8f) &&
		utf8_tail(t) && utf8_tail(t));
}

static bool utf8_3(struct text *t)
{
	size_t from = t->at;

	return (range(t, 0xe0, 0xe0) && range(t, 0xa0, 0xbf) && utf8_tail(t)) ||
	       (or_from(t, from) && range(t, 0xe1, 0xec) &&
		utf8_tail(t) && utf8_tail(t)) ||
	       (or_from(t, from) && range(t, 0xed, 0xed) && range(t, 0x80, 0x9f) &&
		utf8_tail(t)) ||
	       (or_from(t, from) && range(t, 0xee, 0xef) &&
		utf8_tail(t) && utf8_tail(t));
}

static bool utf8_2(struct text *t)
{
	return range(t, 0xc2, 0xdf) && utf8_tail(t);
}

static bool utf8_1(struct text *t)
{
	return range(t, 0x00, 0x7f);
}

static bool utf8_char(struct text *t)
{
	size_t from = t->at;

	return utf8_1(t) ||
	       (or_from(t, from) && utf8_2(t)) ||
	       (or_from(t, from) && utf8_3(t)) ||
	       (or_from(t, from) && utf8_4(t));
}

static void utf8_octets(struct text *t)
{
	size_t from;

	do {
		from = t->at;
	} while (utf8_char(t));
	t->at = from;
}

/**
 * utf8guard_abnf() - does RFC 3629's production UTF8-octets match a text?
 * @text: the text
 * @len: its length
 * @how: how far it matches
 *
 * Any prefix of an alternative can be completed, for no octet range is empty;
 * therefore the farthest octet that any alternative reached is the longest
 * beginning that a well-formed text could have.
 *
 * Return: whether it matches the whole text.
 */
bool utf8guard_abnf(const void *text, size_t len, struct utf8guard_abnf *how)
{
	struct text t = { .octets = text, .len = len };

	utf8_octets(&t);
	how->matched = t.at;
	how->farthest = t.farthest;
	return t.at == t.len;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_abnf, "UTF8GUARD");
