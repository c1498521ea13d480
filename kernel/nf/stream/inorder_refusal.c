// SPDX-License-Identifier: GPL-2.0
/*
 * What a segment of a stream that is read in order is refused for: which octets are at
 * fault, where they are, and what is wrong with them.
 */
#include "../../codec/codec.h"
#include "../../codec/decode.h"
#include "inorder_segment.h"

/* An escape that ends in @octet, or that octet. Returns how many are before it. */
static u32 explain_escape(struct ugnf_inorder_segment *segment, u8 octet)
{
	u32 n = segment->before_len, i = n;

	while (i && segment->before[i - 1] != '%')
		i--;
	i = i ? i - 1 : n;
	memcpy(segment->bytes, segment->before + i, n - i);
	segment->bytes[n - i] = octet;
	segment->error.length = n - i + 1;
	segment->error.span = n - i + 1;
	return n - i;
}

/*
 * Octets that are ill-formed, of which the last that was read is the first of @data.
 * Returns how many are before it.
 */
static u32 explain_octets(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	const struct ugnf_text *text = &segment->scope.text;
	struct utf8guard_error *error = &segment->error;
	u8 class = error->class;

	/* What is after a text that is not whole is no part of it, and may be good. */
	if (!ugnf_text_explain(text, data, len, error, segment->bytes))
		return 0;
	error->class = class;
	return text->before_len - min_t(u32, text->before_len, error->offset);
}

/* Say what was refused at @data, of @len octets left. */
void ugnf_inorder_explain(struct ugnf_inorder_segment *segment, const u8 *data, u32 at, u32 len)
{
	struct utf8guard_error *error = &segment->error;
	u32 before;

	ugnf_inorder_refuse(segment, UGNF_STREAM_ILL_FORMED);
	ugnf_keep_before(segment->before, &segment->before_len, sizeof(segment->before),
			 data, at);
	segment->fault = segment->at + at - segment->first;
	if (segment->scope.text.decode) {
		before = explain_escape(segment, data[at]);
	} else if (UTF8GUARD_CLASS_BIT(error->class) & UTF8GUARD_ILL_FORMED) {
		before = explain_octets(segment, data + at, len - at);
	} else {
		utf8guard_encode(segment->bytes, error->code_point);
		before = error->length - 1;
	}
	error->offset = ugnf_sequence_position(&segment->stream->seq, segment->at + at) - before;
}

/* The text ends here: may it? */
void ugnf_inorder_end_scope(struct ugnf_inorder_segment *segment)
{
	struct utf8guard_error *error = &segment->error;
	struct ugnf_scope *scope = &segment->scope;
	u32 before = 0;

	/* Its octets were counted, or are not here: an end adds nothing to that. */
	if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		return;
	ugnf_scope_end(scope, error);
	if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		ugnf_inorder_unfollow(segment, segment->at, scope->cause);
	if (scope->status != UGNF_SCOPE_REFUSED)
		return;
	ugnf_inorder_refuse(segment, UGNF_STREAM_ILL_FORMED);
	segment->fault = segment->at - segment->first;
	if (scope->text.decode)
		error->span = 0;
	else
		before = explain_octets(segment, segment->before, 0);
	error->offset = ugnf_sequence_position(&segment->stream->seq, segment->at) - before;
}
