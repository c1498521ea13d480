// SPDX-License-Identifier: GPL-2.0
/*
 * The parser reads the octets of a range. On the way this notes whether all of them are ASCII, and
 * makes their sum, which tells whether the same octets are sent again.
 */
#include "../../codec/codec.h"
#include "inorder_segment.h"

static bool is_tail(const u8 *data, u32 len)
{
	u32 i = 0;

	while (i < len && utf8guard_is_tail(data[i]))
		i++;
	return i == len;
}

/*
 * How many of the first octets of a range need no sum: those without influence on the parser, and
 * in a text, ASCII, because each octet of it leads the parser to the same state.
 */
static u32 of_no_account(const struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	const struct ugnf_scope *initial = &segment->stream->initial;
	u32 i = 0;

	if (!ugnf_scope_stands_alone(initial) || initial->plain.is_gated)
		return ugnf_scope_any(&segment->scope, len);
	if (ugnf_is_ascii(data, len))
		return len;
	while (data[i] < 0x80)
		i++;
	return i;
}

/* Makes the sum of octets that may be sent again, and must be the same then. */
static void add_up(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	u32 n = 0;

	if (segment->is_any || segment->is_copying)
		return;
	if (!segment->is_summed) {
		n = of_no_account(segment, data, len);
		if (n == len)
			return;
		segment->is_summed = true;
		ugnf_sum_begin(&segment->sum, segment->at + n);
	}
	ugnf_sum_feed(&segment->sum, data + n, len - n);
}

/* The parser reads octets. */
void ugnf_inorder_read(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	struct ugnf_scope *scope = &segment->scope;
	u32 at;

	if (segment->is_ascii)
		segment->is_ascii = ugnf_is_ascii(data, len);
	if (segment->is_tail)
		segment->is_tail = is_tail(data, len);
	add_up(segment, data, len);
	at = ugnf_scope_feed(scope, data, len, &segment->error);
	if (scope->status == UGNF_SCOPE_REFUSED)
		ugnf_inorder_explain(segment, data, at, len);
	else if (segment->range == UGNF_RANGE_EARLY)
		return;
	else if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		ugnf_inorder_unfollow(segment, segment->at + at, scope->cause);
	segment->is_binary |= ugnf_scope_is_binary(scope);
}
