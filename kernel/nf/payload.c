// SPDX-License-Identifier: GPL-2.0
/*
 * Judging the payload of one packet, wherever its octets are: linear, in pages
 * or in a list of fragments.
 *
 * A TCP segment is judged alone here. Its edges may divide a character, so up to
 * three continuation octets at its beginning and an unfinished character at its
 * end are neither valid nor invalid: that is UGNF_SPLIT. A datagram is whole, and
 * gets no such benefit.
 */
#include <linux/minmax.h>
#include <linux/skbuff.h>

#include "../codec/decode.h"
#include "../service/engine.h"
#include "../service/refusal.h"
#include "packet/packet.h"
#include "payload.h"
#include "rule/constraint.h"
#include "rule/judgment.h"
#include "rule/rule_types.h"
#include "scope/gate.h"
#include "scope/scope.h"
#include "scope/text.h"

/* Enough before and after an octet to explain it: a CESU-8 pair has 6. */
#define WINDOW (UGNF_MAX_TAIL + 2 * UTF8GUARD_MAX_SPAN)

/* Octets of a payload that may be looked at by itself before it is read. */
#define SHORT 128

/*
 * All offsets are from the beginning of the payload. A text is what is judged of a
 * datagram, or of a segment.
 */
struct reader {
	const struct ugnf_packet *packet;
	const struct ugnf_constraint *constraint;
	u32 start;	/* of the text */
	u32 end;	/* of the text */
	u32 next;	/* end of the datagram */
	u32 pos;	/* octets read; where the text is refused, the octet at fault */
	bool is_split, is_binary;	/* any of the texts */
	u8 cause;	/* enum utf8guard_cause, of the first that was not followed... */
	u32 unfollowed;	/* ...from this octet on */
	struct ugnf_gate gate;
	struct utf8guard_error error;
	union {
		struct ugnf_text text;
		struct ugnf_scope scope;	/* of dns-labels */
	};
};

static bool is_tail(u8 octet)
{
	return (octet & 0xc0) == 0x80;
}

/* How many octets at the beginning may belong to a character that began before. */
static u32 leading_tail(const struct ugnf_packet *packet)
{
	u8 octets[UGNF_MAX_TAIL];
	u32 n = min_t(u32, packet->len, UGNF_MAX_TAIL), i;

	if (!packet->fragment || skb_copy_bits(packet->skb, packet->payload, octets, n))
		return 0;
	for (i = 0; i < n && is_tail(octets[i]); i++)
		;
	return i;
}

static bool is_dns(const struct reader *reader)
{
	return reader->constraint->scope == UTF8GUARD_NF_SCOPE_DNS_LABELS;
}

/* Is each piece judged as it is? */
static bool is_read_raw(const struct reader *reader)
{
	return !is_dns(reader) && reader->constraint->decode == UTF8GUARD_NF_DECODE_RAW;
}

static void begin_text(struct reader *reader)
{
	const struct ugnf_constraint *constraint = reader->constraint;

	reader->gate = (struct ugnf_gate) {};
	if (is_dns(reader)) {
		ugnf_scope_init(&reader->scope, UGNF_SCOPE_DNS_LABELS, false);
		reader->scope.text.refuse = constraint->refuse;
	} else {
		memset(&reader->text, 0, sizeof(reader->text));
		reader->text.refuse = ugnf_constraint_refused(constraint);
		reader->text.decode = ugnf_constraint_decode(constraint);
	}
}

/* A datagram begins at @reader->pos. */
static void next_text(struct reader *reader)
{
	const struct ugnf_packet *packet = reader->packet;
	const struct ugnf_constraint *constraint = reader->constraint;

	reader->next = packet->len;
	if (packet->segment)
		reader->next = min(packet->len, reader->pos + packet->segment);
	reader->start = min(reader->next, reader->pos + constraint->offset);
	reader->end = reader->next;
	if (constraint->length)
		reader->end = min(reader->next, reader->start + constraint->length);
	begin_text(reader);
}

/* May the text go on after its end, in another packet or part? A character may be split there. */
static bool may_be_split(const struct reader *reader)
{
	return reader->packet->fragment || reader->end != reader->next;
}

/* Note the first octet that is not followed, for the report. */
static void note_unfollowed(struct reader *reader, u32 at)
{
	if (reader->cause != UTF8GUARD_CAUSE_NONE ||
	    reader->scope.status != UGNF_SCOPE_UNFOLLOWED)
		return;
	reader->cause = reader->scope.cause;
	reader->unfollowed = at;
}

/* Is the text good as a whole? */
static bool end_text(struct reader *reader)
{
	const struct ugnf_text *text = &reader->text;

	if (reader->gate.is_binary)
		return true;
	if (is_dns(reader)) {
		ugnf_scope_end(&reader->scope, &reader->error);
		note_unfollowed(reader, reader->pos);
		return reader->scope.status != UGNF_SCOPE_REFUSED;
	}
	if (!may_be_split(reader))
		return ugnf_text_end(&reader->text, &reader->error);
	reader->is_split |= text->state != UTF8GUARD_STATE_START || text->percent.step;
	return true;
}

/* Returns how many octets are good: up to what is refused, or all. */
static u32 judge_dns(struct reader *reader, const u8 *data, u32 len)
{
	u32 good = ugnf_scope_feed(&reader->scope, data, len, &reader->error);

	note_unfollowed(reader, reader->pos + good);
	return reader->scope.status == UGNF_SCOPE_REFUSED ? good : len;
}

static u32 judge_text(struct reader *reader, const u8 *data, u32 len)
{
	u32 n = reader->constraint->is_gated ? ugnf_gate_feed(&reader->gate, data, len) : len;
	u32 good = ugnf_text_feed(&reader->text, data, n, &reader->error);

	reader->is_binary |= reader->gate.is_binary;
	return reader->text.class == UTF8GUARD_CLASS_NONE ? len : good;
}

static bool is_refused(const struct reader *reader)
{
	return is_dns(reader) ? reader->scope.status == UGNF_SCOPE_REFUSED :
				reader->text.class != UTF8GUARD_CLASS_NONE;
}

/* How many octets there are up to where the text begins or ends, or the datagram ends. */
static u32 octets_ahead(const struct reader *reader)
{
	if (reader->pos < reader->start)
		return reader->start - reader->pos;
	if (reader->pos < reader->end)
		return reader->end - reader->pos;
	return reader->next - reader->pos;
}

/* Read octets. Returns false where the text is refused. */
static bool feed(struct reader *reader, const u8 *data, u32 len)
{
	while (len) {
		u32 n = min(len, octets_ahead(reader)), good = n;

		if (reader->pos >= reader->start && reader->pos < reader->end)
			good = is_dns(reader) ? judge_dns(reader, data, n) :
						judge_text(reader, data, n);
		reader->pos += good;
		if (is_refused(reader))
			return false;
		data += n;
		len -= n;
		if (reader->pos == reader->end && !end_text(reader))
			return false;
		if (reader->pos == reader->next && len)
			next_text(reader);
	}
	return true;
}

/*
 * Copy octets around @reader->pos: @n of them, or as many as can be read. Those up to
 * @reader->pos have been read already; those after it may be unreadable.
 */
static u32 look(const struct reader *reader, u32 from, u8 *octets, u32 n)
{
	const struct ugnf_packet *packet = reader->packet;
	u32 first = packet->payload + from;

	if (!skb_copy_bits(packet->skb, first, octets, n))
		return n;
	n = min(n, reader->pos + 1 - from);
	return skb_copy_bits(packet->skb, first, octets, n) ? 0 : n;
}

/* Say that the octet at @reader->pos was refused, or the escape that ends in it. */
static void explain_escape(const struct reader *reader, struct utf8guard_refusal *refusal)
{
	u32 before = min_t(u32, reader->pos - reader->start, UTF8GUARD_MAX_SPAN - 1);
	u32 n = min(before + 1, reader->end - (reader->pos - before)), i;
	u8 octets[UTF8GUARD_MAX_SPAN];

	n = look(reader, reader->pos - before, octets, n);
	for (i = n; i-- > 0 && octets[i] != '%';)
		;
	i = i < n ? i : min(before, n);
	refusal->error.offset = reader->pos - before + i;
	refusal->error.length = n - i;
	refusal->error.span = n - i;
	memcpy(refusal->bytes, octets + i, n - i);
}

/* Say that a character was refused for its class; it ends at @reader->pos. */
static void explain_class(const struct reader *reader, struct utf8guard_refusal *refusal)
{
	refusal->error.offset = reader->pos + 1 - refusal->error.length;
	utf8guard_encode(refusal->bytes, refusal->error.code_point);
}

/*
 * Say what was refused at @reader->pos. Whatever is before it is well-formed, so
 * from the nearest beginning of a character the first error is the one.
 */
static void explain_ill_formed(const struct reader *reader, struct utf8guard_refusal *refusal)
{
	u32 from = reader->pos - min_t(u32, reader->pos - reader->start, UGNF_MAX_TAIL);
	u8 octets[WINDOW];
	u32 n = look(reader, from, octets, min_t(u32, reader->end - from, WINDOW));
	u32 skip = 0;

	while (skip < n && from + skip < reader->pos && is_tail(octets[skip]))
		skip++;
	/* Cannot be well-formed: the same octets have just been refused. */
	if (!utf8guard_validate(octets + skip, n - skip, &refusal->error))
		return;
	memcpy(refusal->bytes, octets + skip + refusal->error.offset, refusal->error.span);
	refusal->error.offset += from + skip;
	/* What is after a label is no part of it. */
	if (is_dns(reader))
		refusal->error.class = reader->error.class;
}

static void explain(const struct reader *reader, struct utf8guard_refusal *refusal)
{
	refusal->error = reader->error;
	if (reader->constraint->decode == UTF8GUARD_NF_DECODE_PERCENT)
		explain_escape(reader, refusal);
	else if (UTF8GUARD_CLASS_BIT(reader->error.class) & UTF8GUARD_ILL_FORMED)
		explain_ill_formed(reader, refusal);
	else
		explain_class(reader, refusal);
}

static enum ugnf_finding read_all(struct reader *reader)
{
	const struct ugnf_packet *packet = reader->packet;
	u32 first = packet->payload + reader->pos, consumed = 0, n;
	u32 last = packet->payload + packet->len;
	struct skb_seq_state seq __uninitialized;
	const u8 *data;

	skb_prepare_seq_read(packet->skb, first, last, &seq);
	while ((n = skb_seq_read(consumed, &data, &seq)) != 0) {
		/* A fragment may be longer than what is left of the payload. */
		n = min(n, last - first - consumed);
		if (!consumed && n < last - first && is_read_raw(reader))
			utf8guard_expect(data, n, last - first);
		if (!feed(reader, data, n)) {
			skb_abort_seq_read(&seq);
			return UGNF_ILL_FORMED;
		}
		consumed += n;
		if (consumed == last - first) {
			skb_abort_seq_read(&seq);
			return UGNF_WELL_FORMED;
		}
	}
	return consumed == last - first ? UGNF_WELL_FORMED : UGNF_UNREADABLE;
}

/* What is to be said of a payload that was read and not refused. */
static enum ugnf_finding verdict_of(const struct reader *reader)
{
	if (reader->cause != UTF8GUARD_CAUSE_NONE)
		return UGNF_UNFOLLOWED;
	if (reader->is_binary)
		return UGNF_BINARY;
	return reader->is_split ? UGNF_SPLIT : UGNF_WELL_FORMED;
}

/*
 * Most payloads are good as a whole. The reader would find that, too, but takes longer
 * to get ready than a short one takes to judge; a long one is not to be read twice.
 */
static bool is_plainly_good(const struct ugnf_packet *packet,
			    const struct ugnf_constraint *constraint)
{
	struct ugnf_gate gate = {};
	u8 buffer[SHORT] __uninitialized;
	const u8 *data;

	if (packet->len > SHORT || packet->segment)
		return false;
	if (constraint->refuse || constraint->length || constraint->offset ||
	    constraint->scope != UTF8GUARD_NF_SCOPE_PAYLOAD ||
	    constraint->decode != UTF8GUARD_NF_DECODE_RAW)
		return false;
	data = skb_header_pointer(packet->skb, packet->payload, packet->len, buffer);
	if (!data ||
	    (constraint->is_gated && ugnf_gate_feed(&gate, data, packet->len) != packet->len))
		return false;
	return utf8guard_validate(data, packet->len, NULL) == 0;
}

/* Not inline: kernels clear what is on the stack, and most payloads do not get here. */
static noinline enum ugnf_finding read_payload(const struct ugnf_packet *packet,
					       const struct ugnf_constraint *constraint,
					       struct utf8guard_refusal *refusal)
{
	struct reader reader = {
		.packet = packet,
		.constraint = constraint,
		.pos = leading_tail(packet),
	};
	enum ugnf_finding verdict;

	reader.is_split = reader.pos;
	next_text(&reader);
	verdict = read_all(&reader);
	if (verdict == UGNF_ILL_FORMED)
		explain(&reader, refusal);
	if (verdict != UGNF_WELL_FORMED)
		return verdict;
	refusal->cause = reader.cause;
	refusal->error.offset = reader.unfollowed;
	return verdict_of(&reader);
}

/**
 * ugnf_payload_judge() - is the payload of this packet well-formed UTF-8?
 * @packet: as parsed
 * @constraint: what of it is judged, and what is refused beside
 * @refusal: on UGNF_ILL_FORMED, its error and bytes are filled in; on UGNF_UNFOLLOWED, its
 *	cause and the offset of its error
 *
 * Implements RFC 3629 section 4 on each datagram, and on the part of a stream
 * that is in one segment. Reads every octet once, or twice of a short payload.
 *
 * Context: a netfilter hook; does not sleep.
 */
enum ugnf_finding ugnf_payload_judge(const struct ugnf_packet *packet,
				     const struct ugnf_constraint *constraint,
				     struct utf8guard_refusal *refusal)
{
	if (is_plainly_good(packet, constraint))
		return UGNF_WELL_FORMED;
	return read_payload(packet, constraint, refusal);
}
