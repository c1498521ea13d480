// SPDX-License-Identifier: GPL-2.0
/*
 * The transfer function of a segment says, for each state that a stream may be in
 * before the segment, which state it is in after it. So segments can be judged in
 * any order, and their octets need not be kept.
 */
#include "codec.h"

#define STATES UTF8GUARD_STATE_REFUSED /* those that a stream can go on from */

static u32 put(u32 transfer, u8 from, u8 to)
{
	return (transfer & ~(15U << 4 * from)) | (u32)to << 4 * from;
}

/**
 * utf8guard_apply() - the state after a segment, from the one before it
 * @transfer: from utf8guard_transfer() or utf8guard_compose()
 * @state: enum utf8guard_state before the segment
 *
 * Context: any; pure.
 * Return: enum utf8guard_state after it.
 */
u8 utf8guard_apply(u32 transfer, u8 state)
{
	return state < STATES ? transfer >> 4 * state & 15 : UTF8GUARD_STATE_REFUSED;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_apply, "UTF8GUARD");

/**
 * utf8guard_transfer() - what a segment does to every state
 * @text: the segment; may be NULL if @len is 0
 * @len: its length
 *
 * utf8guard_apply() of the result gives the same state as utf8guard_feed() of the segment.
 * A character has three tails at most, so the state after three octets does not depend on the
 * state before them, unless it is refused. From there on the segment is judged once, whatever
 * the number of states. Implements RFC 3629 section 4.
 *
 * Context: any; pure.
 * Return: the state after the segment in four bits for each state before it, with
 * the state of the lowest number in the lowest bits.
 */
u32 utf8guard_transfer(const void *text, size_t len)
{
	size_t head = min_t(size_t, len, 3);
	u8 heads[STATES], common = UTF8GUARD_STATE_REFUSED;
	u32 transfer = 0;
	u8 from;

	for (from = 0; from < STATES; from++) {
		heads[from] = from;
		utf8guard_feed(&heads[from], text, head);
		if (heads[from] != UTF8GUARD_STATE_REFUSED)
			common = heads[from];
	}
	if (len > head)
		utf8guard_feed(&common, (const u8 *)text + head, len - head);
	for (from = 0; from < STATES; from++) {
		bool is_live = heads[from] != UTF8GUARD_STATE_REFUSED;

		transfer = put(transfer, from,
			       len > head && is_live ? common : heads[from]);
	}
	return transfer;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_transfer, "UTF8GUARD");

/**
 * utf8guard_compose() - what two adjoining segments do together
 * @first: the transfer function of the first
 * @second: and of the one after it
 *
 * Composition is associative, and UTF8GUARD_TRANSFER_NONE its neutral element.
 *
 * Context: any; pure.
 * Return: the transfer function of both.
 */
u32 utf8guard_compose(u32 first, u32 second)
{
	u32 both = 0;
	u8 from;

	for (from = 0; from < STATES; from++)
		both = put(both, from,
			   utf8guard_apply(second, utf8guard_apply(first, from)));
	return both;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_compose, "UTF8GUARD");
