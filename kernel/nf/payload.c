// SPDX-License-Identifier: GPL-2.0
/*
 * Judging the payload of one packet, wherever its octets are: linear, in pages
 * or in a list of fragments.
 *
 * A TCP segment is judged alone here. Its edges may cut a character, so up to
 * three continuation octets at its beginning and an unfinished character at its
 * end are neither valid nor invalid: that is NF_CUT. A datagram is whole, and
 * gets no such benefit.
 */
#include <linux/minmax.h>
#include <linux/skbuff.h>

#include "nf.h"

/* The longest character less its lead. */
#define MAX_TAIL 3

/* Enough before and behind an octet to explain it: a CESU-8 pair has 6. */
#define WINDOW (MAX_TAIL + 2 * UTF8GUARD_MAX_SPAN)

/* All offsets are from the beginning of the payload. */
struct reader {
	const struct nf_packet *packet;
	u32 start;	/* of the text judged: the datagram, or behind a cut character */
	u32 end;	/* of that text */
	u32 pos;	/* octets judged; where the text is refused, the octet at fault */
	u8 state;
};

static bool is_tail(u8 octet)
{
	return (octet & 0xc0) == 0x80;
}

/* How many octets at the beginning may belong to a character that began before. */
static u32 leading_tail(const struct nf_packet *packet)
{
	u8 octets[MAX_TAIL];
	u32 n = min_t(u32, packet->len, MAX_TAIL), i;

	if (!packet->fragment || skb_copy_bits(packet->skb, packet->payload, octets, n))
		return 0;
	for (i = 0; i < n && is_tail(octets[i]); i++)
		;
	return i;
}

static void next_text(struct reader *reader)
{
	const struct nf_packet *packet = reader->packet;

	reader->start = reader->pos;
	reader->end = packet->len;
	if (packet->segment)
		reader->end = min(packet->len, reader->pos + packet->segment);
}

/* Is the text so far good? Only a stream may stop in the middle of a character. */
static bool good_end(const struct reader *reader)
{
	return reader->state == UTF8GUARD_STATE_START || reader->packet->fragment;
}

/* False where the text is refused. */
static bool feed(struct reader *reader, const u8 *data, u32 len)
{
	while (len) {
		u32 n = min(len, reader->end - reader->pos);

		reader->pos += utf8guard_feed(&reader->state, data, n);
		if (reader->state == UTF8GUARD_STATE_REFUSED)
			return false;
		data += n;
		len -= n;
		if (reader->pos == reader->end) {
			if (!good_end(reader))
				return false;
			if (len)
				next_text(reader);
		}
	}
	return true;
}

/*
 * Say what was refused at @reader->pos. Whatever is before it is well-formed, so
 * from the nearest beginning of a character the first error is the one.
 */
static void explain(const struct reader *reader, struct utf8guard_refusal *refusal)
{
	const struct nf_packet *packet = reader->packet;
	u32 from = reader->pos - min_t(u32, reader->pos - reader->start, MAX_TAIL);
	u32 n = min_t(u32, reader->end - from, WINDOW);
	u8 octets[WINDOW];
	u32 skip = 0;

	if (skb_copy_bits(packet->skb, packet->payload + from, octets, n))
		n = 0;
	while (skip < n && from + skip < reader->pos && is_tail(octets[skip]))
		skip++;
	/* Cannot be well-formed: the same octets have just been refused. */
	if (!utf8guard_validate(octets + skip, n - skip, &refusal->error))
		return;
	memcpy(refusal->bytes, octets + skip + refusal->error.offset, refusal->error.span);
	refusal->error.offset += from + skip;
}

static enum nf_verdict read_all(struct reader *reader)
{
	const struct nf_packet *packet = reader->packet;
	u32 first = packet->payload + reader->pos, consumed = 0, n;
	u32 last = packet->payload + packet->len;
	struct skb_seq_state seq;
	const u8 *data;

	skb_prepare_seq_read(packet->skb, first, last, &seq);
	while ((n = skb_seq_read(consumed, &data, &seq)) != 0) {
		/* A fragment may be longer than what is left of the payload. */
		n = min(n, last - first - consumed);
		if (!feed(reader, data, n)) {
			skb_abort_seq_read(&seq);
			return NF_ILL_FORMED;
		}
		consumed += n;
		if (consumed == last - first) {
			skb_abort_seq_read(&seq);
			return NF_WELL_FORMED;
		}
	}
	return consumed == last - first ? NF_WELL_FORMED : NF_UNREADABLE;
}

/**
 * nf_payload_judge() - is the payload of this packet well-formed UTF-8?
 * @packet: as parsed
 * @refusal: on NF_ILL_FORMED, its error and bytes are filled in
 *
 * Implements RFC 3629 section 4 on each datagram, and on the part of a stream
 * that is in one segment. Reads every octet once and copies none.
 *
 * Context: a netfilter hook; does not sleep.
 */
enum nf_verdict nf_payload_judge(const struct nf_packet *packet,
				 struct utf8guard_refusal *refusal)
{
	struct reader reader = {
		.packet = packet,
		.state = UTF8GUARD_STATE_START,
		.pos = leading_tail(packet),
	};
	bool cut = reader.pos;
	enum nf_verdict verdict;

	next_text(&reader);
	verdict = read_all(&reader);
	if (verdict == NF_ILL_FORMED)
		explain(&reader, refusal);
	if (verdict == NF_WELL_FORMED && (cut || reader.state != UTF8GUARD_STATE_START))
		return NF_CUT;
	return verdict;
}
