// SPDX-License-Identifier: GPL-2.0
/* Find and repair ill-formed sequences; count characters, and find where one begins. */
#include "engine.h"
#include "dfa.h"

/* Octets searched first after an error. The window doubles each time that it has no error. */
#define WINDOW 64

static const u8 replacement[] = { 0xef, 0xbf, 0xbd }; /* U+FFFD */

/**
 * utf8guard_next_error() - the next ill-formed sequence
 * @text: the text; may be NULL if @len is 0
 * @len: its length
 * @from: where to begin: 0, or the offset plus the length of the last error
 *
 * Linear for all errors of a text together, however many.
 * Implements RFC 3629 section 4.
 *
 * Context: any; pure.
 * Return: its offset, to give to utf8guard_explain(); @len if there is none.
 */
size_t utf8guard_next_error(const void *text, size_t len, size_t from)
{
	const u8 *p = text;
	size_t window = WINDOW;

	while (from < len) {
		size_t part = min(len - from, window);
		size_t good = utf8guard_prefix(p + from, part);

		from += good;
		if (good < part) {
			/* an error, unless the window cut a character off */
			size_t end = from + min_t(size_t, len - from, 4);

			if (utf8guard_locate(p, from, end) == from)
				return from;
		}
		window *= 2;
	}
	return len;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_next_error, "UTF8GUARD");

/*
 * Appends all of @text, or nothing of it where there is no room, and adds @len to @used in
 * both cases. Where @len is 0, memcpy() is not called: @out may be NULL.
 */
static void put(u8 *out, size_t room, size_t *used, const u8 *text, size_t len)
{
	if (len && *used <= room && len <= room - *used)
		memcpy(out + *used, text, len);
	*used += len;
}

/**
 * utf8guard_sanitize() - make well-formed text of any octets
 * @repair: what becomes of ill-formed sequences
 * @text: the octets; may be NULL if @len is 0
 * @len: their number
 * @out: where to write to; may not overlap @text, and may be NULL if there is
 *	no room
 * @out_len: octets of room there; on return, octets written or needed
 *
 * Each maximal subpart of an ill-formed sequence is one error, as The Unicode
 * Standard, chapter 3, recommends and the WHATWG's decoder does. The output is
 * up to three times as long as the input.
 *
 * Context: any; pure.
 * Return: 0, or -EMSGSIZE if there is too little room: then @out has nothing of
 * use in it, and nothing is written after its end.
 */
int utf8guard_sanitize(enum utf8guard_repair repair, const void *text,
		       size_t len, void *out, size_t *out_len)
{
	const u8 *p = text;
	size_t room = *out_len, used = 0, i = 0;

	while (i < len) {
		size_t bad = utf8guard_next_error(text, len, i);
		struct utf8guard_error err;

		put(out, room, &used, p + i, bad - i);
		if (bad == len)
			break;
		utf8guard_explain(text, len, bad, &err);
		if (repair == UTF8GUARD_REPLACE)
			put(out, room, &used, replacement, sizeof(replacement));
		i = bad + err.length;
	}
	*out_len = used;
	return used > room ? -EMSGSIZE : 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_sanitize, "UTF8GUARD");

/**
 * utf8guard_count() - the number of characters of a text
 * @text: well-formed text; may be NULL if @len is 0
 * @len: its length
 *
 * Context: any; pure.
 * Return: code points, which is octets that are no continuation (RFC 3629
 * section 3).
 */
size_t utf8guard_count(const void *text, size_t len)
{
	const u8 *p = text;
	size_t i = 0, count = 0;

	for (; len - i >= 8; i += 8) {
		u64 word = utf8guard_load64(p + i);
		u64 leads = (~word >> 7 | word >> 6) & 0x0101010101010101ULL;

		count += leads * 0x0101010101010101ULL >> 56;
	}
	for (; i < len; i++)
		count += !utf8guard_is_tail(p[i]);
	return count;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_count, "UTF8GUARD");

/**
 * utf8guard_boundary() - where the character begins that an octet belongs to
 * @text: well-formed text
 * @len: its length
 * @offset: of any octet of it, up to @len
 *
 * In ill-formed text the result is at most three octets before @offset.
 *
 * Context: any; pure.
 * Return: the offset of the character's first octet; @len for @len.
 */
size_t utf8guard_boundary(const void *text, size_t len, size_t offset)
{
	const u8 *p = text;
	size_t back;

	if (offset >= len)
		return len;
	for (back = 0; back < 3 && back < offset; back++)
		if (!utf8guard_is_tail(p[offset - back]))
			break;
	return offset - back;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_boundary, "UTF8GUARD");
