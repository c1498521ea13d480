// SPDX-License-Identifier: GPL-2.0
/* Is a text UTF-8? The text may be whole, or a stream that comes in pieces. */
#include "engine.h"
#include "shortest.h"

/* Not inlined: registers would be saved before short texts. */
static noinline int validate_long(const u8 *text, size_t len, struct utf8guard_error *err)
{
	return utf8guard_verdict(text, len, utf8guard_prefix(text, len), err);
}

#ifdef utf8guard_validate_chosen
/* Of its own, so that no register is saved before texts that are good. */
static noinline int refuse_shortest(const u8 *text, size_t len, struct utf8guard_error *err)
{
	return utf8guard_verdict(text, len, utf8guard_locate(text, 0, len), err);
}

/*
 * In the kernel no engine is asked for texts of less than BLOCKS_MIN octets. None has a better way
 * there, and the choice takes as long as the judgment.
 */
static noinline int validate_shortest(const u8 *text, size_t len, struct utf8guard_error *err)
{
	return likely(is_shortest_good(text, len)) ? 0 : refuse_shortest(text, len, err);
}

/* In the kernel, most texts are ASCII names. Engines ask for ASCII themselves. */
static __always_inline int validate(const u8 *text, size_t len, struct utf8guard_error *err)
{
	if (len >= BLOCKS_MIN)
		return validate_long(text, len, err);
	return likely(utf8guard_is_short_ascii(text, len)) ? 0 : validate_shortest(text, len, err);
}
#else
int utf8guard_validate_any(const u8 *text, size_t len, struct utf8guard_error *err)
{
	if (len <= 64 && likely(utf8guard_is_short_ascii(text, len)))
		return 0;
	return validate_long(text, len, err);
}

/* In 8 to 16 octets, to look for ASCII takes no longer than the call of an engine. */
static __always_inline int validate(const u8 *text, size_t len, struct utf8guard_error *err)
{
	if (len - 8 <= 8 && likely(utf8guard_is_short_ascii(text, len)))
		return 0;
	return utf8guard_validate_chosen(text, len, err);
}
#endif

/**
 * utf8guard_validate() - is a text well-formed UTF-8?
 * @text: the text; may be NULL if @len is 0
 * @len: its length
 * @err: on error, what and where the first ill-formed sequence is; or NULL
 *
 * Implements RFC 3629 section 4, and nothing else: no octet is skipped, no
 * older form accepted. A text that ends inside a character is ill-formed.
 *
 * Context: any; pure.
 * Return: 0, or -EILSEQ.
 */
int utf8guard_validate(const void *text, size_t len, struct utf8guard_error *err)
{
	return validate(text, len, err);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_validate, "UTF8GUARD");

/*
 * Judges octet by octet from @i on, up to the end or an error; with @until_start, up to the
 * beginning of a character at most. Returns the offset at which it stops.
 */
static size_t feed_octets(u64 *state, const u8 *p, size_t i, size_t len,
			  bool until_start)
{
	for (; i < len; i++) {
		if (until_start &&
		    (*state & 63) == UTF8GUARD_SHIFT(UTF8GUARD_STATE_START))
			break;
		*state = utf8guard_step(*state, p[i]);
		if (utf8guard_refused(*state))
			break;
	}
	return i;
}

/**
 * utf8guard_feed() - judge the next piece of a stream
 * @state: enum utf8guard_state, UTF8GUARD_STATE_START before the first piece
 * @text: the piece; may be NULL if @len is 0
 * @len: its length
 *
 * The verdict does not depend on how a text is divided into pieces. A stream
 * that ends in another state than UTF8GUARD_STATE_START is truncated.
 * Implements RFC 3629 section 4.
 *
 * Context: any; pure.
 * Return: @len, or, where @state has become UTF8GUARD_STATE_REFUSED, the
 * offset in the piece of the octet that no well-formed text could have there.
 */
size_t utf8guard_feed(u8 *state, const void *text, size_t len)
{
	const u8 *p = text;
	u64 s = UTF8GUARD_SHIFT(*state);
	size_t i = feed_octets(&s, p, 0, len, true);

	if (i < len && !utf8guard_refused(s)) {
		/* An engine stops at an error, or at a character that the end cuts off. */
		i += utf8guard_prefix(p + i, len - i);
		i = feed_octets(&s, p, i, len, false);
	}
	*state = utf8guard_state_of(s);
	return i;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_feed, "UTF8GUARD");
