// SPDX-License-Identifier: GPL-2.0
/* RFC 3629 section 4, as a state machine: one step an octet. */
#include "codec.h"

static u8 lead(u8 octet)
{
	if (octet < 0x80)
		return UTF8GUARD_STATE_START;
	if (octet < 0xc2)
		return UTF8GUARD_STATE_REFUSED;
	if (octet < 0xe0)
		return UTF8GUARD_STATE_TAIL1;
	if (octet < 0xf0)
		return octet == 0xe0 ? UTF8GUARD_STATE_E0 :
		       octet == 0xed ? UTF8GUARD_STATE_ED :
				       UTF8GUARD_STATE_TAIL2;
	if (octet > 0xf4)
		return UTF8GUARD_STATE_REFUSED;
	return octet == 0xf0 ? UTF8GUARD_STATE_F0 :
	       octet == 0xf4 ? UTF8GUARD_STATE_F4 :
			       UTF8GUARD_STATE_TAIL3;
}

static u8 tail(u8 octet, u8 lowest, u8 highest, u8 next)
{
	return octet >= lowest && octet <= highest ? next : UTF8GUARD_STATE_REFUSED;
}

static u8 step(u8 state, u8 octet)
{
	switch (state) {
	case UTF8GUARD_STATE_START:
		return lead(octet);
	case UTF8GUARD_STATE_TAIL1:
		return tail(octet, 0x80, 0xbf, UTF8GUARD_STATE_START);
	case UTF8GUARD_STATE_TAIL2:
		return tail(octet, 0x80, 0xbf, UTF8GUARD_STATE_TAIL1);
	case UTF8GUARD_STATE_TAIL3:
		return tail(octet, 0x80, 0xbf, UTF8GUARD_STATE_TAIL2);
	case UTF8GUARD_STATE_E0:
		return tail(octet, 0xa0, 0xbf, UTF8GUARD_STATE_TAIL1);
	case UTF8GUARD_STATE_ED:
		return tail(octet, 0x80, 0x9f, UTF8GUARD_STATE_TAIL1);
	case UTF8GUARD_STATE_F0:
		return tail(octet, 0x90, 0xbf, UTF8GUARD_STATE_TAIL2);
	case UTF8GUARD_STATE_F4:
		return tail(octet, 0x80, 0x8f, UTF8GUARD_STATE_TAIL2);
	default:
		return UTF8GUARD_STATE_REFUSED;
	}
}

/**
 * utf8guard_feed() - judge the next piece of a stream
 * @state: enum utf8guard_state, UTF8GUARD_STATE_START before the first piece
 * @text: the piece; may be NULL if @len is 0
 * @len: its length
 *
 * Feed the pieces of a text in any cut: the verdict is that of the whole. A
 * stream that ends in another state than UTF8GUARD_STATE_START is truncated.
 * Implements RFC 3629 section 4.
 *
 * Context: any; pure.
 * Return: @len, or, where @state has become UTF8GUARD_STATE_REFUSED, the
 * offset in the piece of the octet that no well-formed text could have there.
 */
size_t utf8guard_feed(u8 *state, const void *text, size_t len)
{
	const u8 *p = text;
	u8 s = *state;
	size_t i;

	for (i = 0; i < len; i++) {
		s = step(s, p[i]);
		if (s == UTF8GUARD_STATE_REFUSED)
			break;
	}
	*state = s;
	return i;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_feed, UTF8GUARD);

/* Where the character begins that the octet at @offset was refused in. */
static size_t back_to_lead(const u8 *p, size_t offset, u8 state)
{
	size_t back = offset;

	if (state == UTF8GUARD_STATE_START)
		return offset;
	do {
		back--;
	} while (utf8guard_is_tail(p[back]));
	return back;
}

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
	const u8 *p = text;
	u8 state = UTF8GUARD_STATE_START;
	size_t i;

	for (i = 0; i < len; i++) {
		u8 next = step(state, p[i]);

		if (next == UTF8GUARD_STATE_REFUSED)
			break;
		state = next;
	}
	if (i == len && state == UTF8GUARD_STATE_START)
		return 0;
	if (err)
		utf8guard_explain(text, len, back_to_lead(p, i, state), err);
	return -EILSEQ;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_validate, UTF8GUARD);
