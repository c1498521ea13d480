/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spans: what is remembered of octets that were let through and not acknowledged yet. That is
 * where they are, and their effect on the state of the validator, but not the octets themselves.
 */
#ifndef _UTF8GUARD_NF_SPAN_H
#define _UTF8GUARD_NF_SPAN_H

#include "sequence.h"

/* Spans of one direction of a connection, and pieces of a span. */
#define UGNF_SPANS 32
#define UGNF_SPAN_PIECES 16

/* The transfer function of ASCII: from START to START, and refused from every other state. */
#define UGNF_ASCII 0x88888880U

/* The set of all states, a bit each. */
#define UGNF_ANY_STATE 0xff

/**
 * struct ugnf_span - octets of a stream that adjoin each other
 * @start: sequence number of the first octet
 * @end: sequence number after the last octet
 * @step: length of a piece, of which only the last may be shorter; 0 where all is ASCII, which
 *	may have boundaries anywhere
 * @transfer: the transfer function of the whole; refused from states that the stream cannot
 *	have before it
 * @states: enum utf8guard_state after each piece but the last, four bits each
 */
struct ugnf_span {
	u32 start, end, step, transfer;
	u64 states;
};

/* The states from which a transfer function is not refused, a bit each. */
static inline u8 ugnf_transfer_live(u32 transfer)
{
	u8 live = 0, from;

	for (from = 0; from < UTF8GUARD_STATE_REFUSED; from++)
		if (utf8guard_apply(transfer, from) != UTF8GUARD_STATE_REFUSED)
			live |= 1U << from;
	return live;
}

/* The states to which a transfer function leads from any of @live. */
static inline u8 ugnf_transfer_image(u32 transfer, u8 live)
{
	u8 image = 0, from;

	for (from = 0; from < UTF8GUARD_STATE_REFUSED; from++)
		if (live >> from & 1)
			image |= 1U << utf8guard_apply(transfer, from);
	return image & ((1U << UTF8GUARD_STATE_REFUSED) - 1);
}

/* The states to which a transfer function leads from any state. */
static inline u8 ugnf_transfer_reach(u32 transfer)
{
	return ugnf_transfer_image(transfer, ugnf_transfer_live(transfer));
}

/* The same function, refused from all but @live. */
static inline u32 ugnf_transfer_restrict(u32 transfer, u8 live)
{
	u8 from;

	for (from = 0; from < UTF8GUARD_STATE_REFUSED; from++)
		if (!(live >> from & 1))
			transfer = (transfer & ~(15U << 4 * from)) |
				   (u32)UTF8GUARD_STATE_REFUSED << 4 * from;
	return transfer;
}

/* The function that leads from all of @live to @to. */
static inline u32 ugnf_transfer_constant(u8 live, u8 to)
{
	return ugnf_transfer_restrict(to * 0x11111111U, live);
}

/* The only state of a set, or UTF8GUARD_STATE_REFUSED where there are none or several. */
static inline u8 ugnf_only_state(u8 set)
{
	if (!set || (set & (set - 1)))
		return UTF8GUARD_STATE_REFUSED;
	return __builtin_ctz(set);
}

static inline u32 ugnf_span_pieces(const struct ugnf_span *span)
{
	return span->step ? (span->end - span->start + span->step - 1) / span->step : 1;
}

/* Where piece @k ends. */
static inline u32 ugnf_span_boundary(const struct ugnf_span *span, u32 k)
{
	return ugnf_seq_min(span->start + (k + 1) * span->step, span->end);
}

/* The state after a span, if that is the same for all states before it. */
static inline u8 ugnf_span_out(const struct ugnf_span *span)
{
	return ugnf_only_state(ugnf_transfer_reach(span->transfer));
}

bool ugnf_span_contains(const struct ugnf_span *span, u32 seq, u32 *piece);
u8 ugnf_span_states_at(const struct ugnf_span *span, u32 seq);
u32 ugnf_span_piece(const struct ugnf_span *span, u32 k);
bool ugnf_span_join(struct ugnf_span *left, const struct ugnf_span *right);
void ugnf_span_trim(struct ugnf_span *span, u32 seq);

#endif /* _UTF8GUARD_NF_SPAN_H */
