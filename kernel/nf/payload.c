// SPDX-License-Identifier: GPL-2.0
/*
 * Judges the payload of one packet, wherever its octets are: in the linear part, in pages or in
 * a list of fragments.
 *
 * A TCP segment is judged alone here. Its edges may divide a character. So up to three
 * continuation octets at its beginning, and an unfinished character at its end, are neither
 * valid nor invalid: that is UGNF_SPLIT. The same holds for the edges of a piece of an SCTP
 * message, but for those of the message. A datagram is whole, so its edges divide nothing.
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

/* So many octets before and after an octet explain it: a surrogate pair of CESU-8 has 6. */
#define WINDOW (UGNF_MAX_TAIL + 2 * UTF8GUARD_MAX_SPAN)

#define CONTROL UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_CONTROL)

/* The longest payload that is looked at as a whole before it is read. */
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

	if (!packet->begins_before || skb_copy_bits(packet->skb, packet->payload, octets, n))
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

/* The controls with which a signature begins: that of TLS, and that of gzip. */
static bool begins_with_controls(const u8 *octets)
{
	return (octets[0] == 0x16 && octets[1] == 0x03) || (octets[0] == 0x1f && octets[1] == 0x8b);
}

/* Does the text begin with a signature that has controls? These have 4 octets at most. */
static bool begins_binary(const struct reader *reader)
{
	const struct ugnf_packet *packet = reader->packet;
	struct ugnf_gate gate = {};
	u8 octets[4] = {};
	u32 n = min_t(u32, reader->end - reader->start, sizeof(octets));

	if (skb_copy_bits(packet->skb, packet->payload + reader->start, octets, n))
		return false;
	ugnf_gate_feed(&gate, octets, n);
	return gate.is_binary && begins_with_controls(octets);
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
		if (constraint->is_gated && constraint->refuse & CONTROL && begins_binary(reader))
			reader->text.refuse &= ~CONTROL;
	}
}

/* The next datagram begins at @reader->pos. */
static void next_text(struct reader *reader)
{
	const struct ugnf_packet *packet = reader->packet;
	const struct ugnf_constraint *constraint = reader->constraint;

	reader->next = packet->len;
	if (packet->gso_size)
		reader->next = min(packet->len, reader->pos + packet->gso_size);
	reader->start = min(reader->next, reader->pos + constraint->offset);
	reader->end = reader->next;
	if (constraint->length)
		reader->end = min(reader->next, reader->start + constraint->length);
	begin_text(reader);
}

/* Does the text go on in another packet? Then a character may be divided at its end. */
static bool may_be_split(const struct reader *reader)
{
	return reader->packet->ends_later || reader->end != reader->next;
}

/* Notes the first octet that is not followed, for the report. */
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

/* The number of octets up to the next beginning or end of a text, or end of a datagram. */
static u32 octets_ahead(const struct reader *reader)
{
	if (reader->pos < reader->start)
		return reader->start - reader->pos;
	if (reader->pos < reader->end)
		return reader->end - reader->pos;
	return reader->next - reader->pos;
}

/* Reads octets. Returns false where the text is refused. */
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
 * Copies @n octets around @reader->pos, or as many as can be read. Those up to @reader->pos have
 * been read before; those after it may be unreadable.
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

/* Explains that the octet at @reader->pos was refused, or the escape that ends with it. */
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

/* Explains that the character that ends at @reader->pos was refused for its class. */
static void explain_class(const struct reader *reader, struct utf8guard_refusal *refusal)
{
	refusal->error.offset = reader->pos + 1 - refusal->error.length;
	utf8guard_encode(refusal->bytes, refusal->error.code_point);
}

/*
 * Explains what was refused at @reader->pos. All octets before it are well-formed. So go back to
 * the nearest beginning of a character: the first error from there on is the one.
 */
static void explain_ill_formed(const struct reader *reader, struct utf8guard_refusal *refusal)
{
	u32 from = reader->pos - min_t(u32, reader->pos - reader->start, UGNF_MAX_TAIL);
	u8 octets[WINDOW];
	u32 n = look(reader, from, octets, min_t(u32, reader->end - from, WINDOW));
	u32 skip = 0;

	while (skip < n && from + skip < reader->pos && is_tail(octets[skip]))
		skip++;
	/* This finds an error, for the same octets have just been refused. */
	if (!utf8guard_validate(octets + skip, n - skip, &refusal->error))
		return;
	memcpy(refusal->bytes, octets + skip + refusal->error.offset, refusal->error.span);
	refusal->error.offset += from + skip;
	/* Octets after a label are no part of it. */
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

/* The finding for a payload that was read to its end and not refused. */
static enum ugnf_finding verdict_of(const struct reader *reader)
{
	if (reader->cause != UTF8GUARD_CAUSE_NONE)
		return UGNF_UNFOLLOWED;
	if (reader->is_binary)
		return UGNF_BINARY;
	return reader->is_split ? UGNF_SPLIT : UGNF_WELL_FORMED;
}

/*
 * Is a short payload good as a whole? Most are. The reader would find that, too, but to prepare
 * it takes longer than to judge a short payload. A long one is not read twice.
 */
static bool is_plainly_good(const struct ugnf_packet *packet,
			    const struct ugnf_constraint *constraint)
{
	struct ugnf_gate gate = {};
	u8 buffer[SHORT] __uninitialized;
	const u8 *data;

	if (packet->len > SHORT || packet->gso_size)
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

/* Not inline: kernels clear the stack of a function, and most payloads do not get here. */
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
 * @packet: the packet, parsed
 * @constraint: which part of the payload is judged, and what is refused besides ill-formed text
 * @refusal: its error and bytes are filled in for UGNF_ILL_FORMED, its cause and the offset of
 *	its error for UGNF_UNFOLLOWED
 *
 * Each datagram, and the part of a stream in one segment, must be as RFC 3629 section 4 says.
 * Reads every octet once, or twice if the payload is short.
 *
 * Context: a netfilter hook; does not sleep.
 * Return: the finding.
 */
enum ugnf_finding ugnf_payload_judge(const struct ugnf_packet *packet,
				     const struct ugnf_constraint *constraint,
				     struct utf8guard_refusal *refusal)
{
	if (is_plainly_good(packet, constraint))
		return UGNF_WELL_FORMED;
	return read_payload(packet, constraint, refusal);
}
