// SPDX-License-Identifier: GPL-2.0
/* Spans: finds their pieces, joins them where no boundary is lost, and trims them. */
#include "../../codec/codec.h"
#include "span.h"

static u8 state_after(const struct ugnf_span *span, u32 k)
{
	if (k + 1 == ugnf_span_pieces(span))
		return ugnf_span_out(span);
	return span->states >> 4 * k & 15;
}

/**
 * ugnf_span_contains() - is there a known boundary at an octet of a span?
 * @span: a span that is not ASCII
 * @seq: sequence number of an octet in it
 * @piece: set to the number of the piece that has the octet
 *
 * Return: whether the octet is the first of its piece.
 */
bool ugnf_span_contains(const struct ugnf_span *span, u32 seq, u32 *piece)
{
	u32 offset = seq - span->start;

	*piece = offset / span->step;
	return offset == *piece * span->step;
}

/**
 * ugnf_span_states_at() - the states that a stream may have before an octet
 * @span: the span that has the octet
 * @seq: sequence number of the octet
 *
 * Return: a set of states.
 */
u8 ugnf_span_states_at(const struct ugnf_span *span, u32 seq)
{
	u32 piece;

	if (!span->step)
		return 1U << UTF8GUARD_STATE_START;
	if (!ugnf_span_contains(span, seq, &piece))
		return UGNF_ANY_STATE;
	return ugnf_transfer_live(ugnf_span_piece(span, piece));
}

/**
 * ugnf_span_piece() - the transfer function of a piece of a span
 * @span: a span that is not ASCII
 * @k: the number of the piece, from 0
 *
 * Return: the function, refused from every state that the stream cannot have before the piece.
 */
u32 ugnf_span_piece(const struct ugnf_span *span, u32 k)
{
	u8 live = k ? 1U << (span->states >> 4 * (k - 1) & 15) :
		      ugnf_transfer_live(span->transfer);

	if (!k && ugnf_span_pieces(span) == 1)
		return span->transfer;
	return ugnf_transfer_constant(live, state_after(span, k));
}

static bool join_pieces(struct ugnf_span *left, const struct ugnf_span *right)
{
	u32 n = ugnf_span_pieces(left), more = ugnf_span_pieces(right), k;
	u8 out = ugnf_span_out(left);

	if (!n || left->end - left->start != n * left->step ||
	    n + more > UGNF_SPAN_PIECES || out == UTF8GUARD_STATE_REFUSED)
		return false;
	if (right->step != left->step && (more > 1 || right->step > left->step))
		return false;
	if (!(ugnf_transfer_live(right->transfer) >> out & 1))
		return false;
	left->states |= (u64)out << 4 * (n - 1);
	for (k = 0; k + 1 < more; k++)
		left->states |= (right->states >> 4 * k & 15) << 4 * (n + k);
	left->transfer = utf8guard_compose(left->transfer, right->transfer);
	left->end = right->end;
	return true;
}

/**
 * ugnf_span_join() - make one span of two, if no known boundary is lost
 * @left: the first span, which grows
 * @right: the span after it
 *
 * Joins ASCII with ASCII, and pieces of one length with more of the same length, as a sender at
 * full speed makes them. A piece of three octets or more ends in one state; a shorter one may
 * not, and then the spans stay apart.
 *
 * Return: whether they were joined.
 */
bool ugnf_span_join(struct ugnf_span *left, const struct ugnf_span *right)
{
	if (!left->step && !right->step) {
		left->end = right->end;
		return true;
	}
	return left->step && right->step && join_pieces(left, right);
}

/**
 * ugnf_span_trim() - forget the beginning of a span
 * @span: the span, all of whose octets before @seq have arrived
 * @seq: sequence number of an octet in it after the first; the piece with it stays whole
 */
void ugnf_span_trim(struct ugnf_span *span, u32 seq)
{
	u8 out = ugnf_span_out(span);
	u32 piece;

	if (!span->step) {
		span->start = seq;
		return;
	}
	ugnf_span_contains(span, seq, &piece);
	if (!piece)
		return;
	span->transfer = ugnf_transfer_constant(1U << (span->states >> 4 * (piece - 1) & 15), out);
	span->states >>= 4 * piece;
	span->start += piece * span->step;
}
