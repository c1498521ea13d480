// SPDX-License-Identifier: GPL-2.0
/*
 * The judgment on a TCP segment whose stream is followed: its payload goes to
 * stream.c, or to reading.c where the rule takes a parser; what comes of it, the rule
 * counts, and may let through all the same.
 */
#include <linux/skbuff.h>

#include "nf.h"

typedef bool feed_fn(void *judged, const void *data, u32 len);

static bool feed_segment(void *judged, const void *data, u32 len)
{
	return nf_segment_feed(judged, data, len);
}

static bool feed_passage(void *judged, const void *data, u32 len)
{
	return nf_passage_feed(judged, data, len);
}

/* All of the payload, or as much of it as can be read. */
static void read_payload(const struct nf_packet *packet, feed_fn *feed, void *judged)
{
	u32 consumed = 0, n, len = packet->len;
	struct skb_seq_state seq __uninitialized;
	const u8 *data;

	skb_prepare_seq_read(packet->skb, packet->payload, packet->payload + len, &seq);
	while (consumed < len && (n = skb_seq_read(consumed, &data, &seq)) != 0) {
		/* A fragment may be longer than what is left of the payload. */
		n = min(n, len - consumed);
		consumed += n;
		if (!feed(judged, data, n))
			break;
	}
	skb_abort_seq_read(&seq);
}

/* Is it before the beginning, which the receiver has not said yet? */
static bool is_before_all(const struct nf_side *side, const struct nf_segment_header *header)
{
	const struct nf_sequence *seq = nf_side_sequence(side);

	return seq->started && !seq->acked && !seq->picked_up &&
	       nf_seq_before(nf_segment_first(header), seq->una);
}

static void say(struct utf8guard_refusal *refusal, const struct utf8guard_error *error,
		const u8 *bytes)
{
	refusal->error = *error;
	memcpy(refusal->bytes, bytes, sizeof(refusal->bytes));
}

/*
 * Not inline, for what each of both takes of the stack is not taken twice. Kernels that
 * clear what is on the stack would clear 1 KiB here, for nothing.
 */
static noinline enum nf_stream_verdict judge_octets(struct nf_stream *stream,
						    const struct nf_packet *packet,
						    const struct nf_rule *rule,
						    struct utf8guard_refusal *refusal)
{
	struct nf_segment segment __uninitialized;
	enum nf_stream_verdict verdict;

	nf_segment_begin(&segment, stream, &packet->tcp, &rule->policy);
	if (packet->len && segment.verdict == NF_STREAM_ACCEPT)
		read_payload(packet, feed_segment, &segment);
	verdict = nf_segment_end(&segment, stream);
	if (verdict == NF_STREAM_ILL_FORMED)
		say(refusal, &segment.error, segment.bytes);
	return verdict;
}

static noinline enum nf_stream_verdict judge_in_order(struct nf_reading *reading,
						      const struct nf_packet *packet,
						      const struct nf_rule *rule,
						      struct utf8guard_refusal *refusal,
						      bool *is_binary)
{
	struct nf_passage passage __uninitialized;
	enum nf_stream_verdict verdict;

	nf_passage_begin(&passage, reading, &packet->tcp, &rule->policy);
	if (packet->len && passage.verdict == NF_STREAM_ACCEPT)
		read_payload(packet, feed_passage, &passage);
	verdict = nf_passage_end(&passage);
	*is_binary = passage.is_binary;
	if (verdict == NF_STREAM_ILL_FORMED)
		say(refusal, &passage.error, passage.bytes);
	return verdict;
}

static enum nf_stream_verdict judge(const struct nf_rule *rule, struct nf_side *side,
				    const struct nf_packet *packet,
				    struct utf8guard_refusal *refusal, bool *is_binary)
{
	if (is_before_all(side, &packet->tcp))
		return NF_STREAM_OUT_OF_WINDOW;
	if (side->stream)
		return judge_octets(side->stream, packet, rule, refusal);
	return judge_in_order(side->reading, packet, rule, refusal, is_binary);
}

/* Of what rules for streams count besides. */
void nf_rule_count(struct nf_rule *rule, enum nf_oddity odd, u16 n)
{
	if (n)
		atomic64_add(n, &rule->odd[odd]);
}

static void count_verdict(struct nf_rule *rule, enum nf_stream_verdict verdict)
{
	static const u8 odd[] = {
		[NF_STREAM_DIFFERS] = NF_ODD_DIFFERS,
		[NF_STREAM_UNVERIFIABLE] = NF_ODD_DIFFERS,
		[NF_STREAM_FULL] = NF_ODD_FULL,
		[NF_STREAM_OUT_OF_WINDOW] = NF_ODD_WINDOW,
		[NF_STREAM_URGENT] = NF_ODD_URGENT,
		[NF_STREAM_AHEAD] = NF_ODD_AHEAD,
	};

	if (verdict >= NF_STREAM_DIFFERS && verdict < NF_STREAM_UNREADABLE)
		nf_rule_count(rule, odd[verdict], 1);
}

/* Of segments that are in order when they come again, there is none. */
static u8 reason_of(enum nf_stream_verdict verdict)
{
	switch (verdict) {
	case NF_STREAM_DIFFERS:
	case NF_STREAM_UNVERIFIABLE:
		return UTF8GUARD_REASON_DIFFERS;
	case NF_STREAM_URGENT:
		return UTF8GUARD_REASON_URGENT;
	case NF_STREAM_UNREADABLE:
		return UTF8GUARD_REASON_UNREADABLE;
	case NF_STREAM_UNFOLLOWED:
		return UTF8GUARD_REASON_UNFOLLOWED;
	default:
		return UTF8GUARD_REASON_NONE;
	}
}

static u16 count_resyncs(struct nf_rule *rule, struct nf_side *side)
{
	u16 resyncs = nf_side_sequence(side)->resyncs, more = resyncs - side->resyncs;

	nf_rule_count(rule, NF_ODD_RESYNC, more);
	nf_rule_count(rule, NF_ODD_PICKED_UP, more);
	side->resyncs = resyncs;
	side->is_changed = false;
	return more;
}

/* The packet as rules see it: is it refused, lost or let through? */
static enum nf_verdict outcome(const struct nf_rule *rule, enum nf_stream_verdict verdict,
			       bool is_binary, struct utf8guard_refusal *refusal)
{
	if (verdict == NF_STREAM_ACCEPT)
		return is_binary ? NF_BINARY : NF_WELL_FORMED;
	refusal->reason = reason_of(verdict);
	switch (verdict) {
	case NF_STREAM_ILL_FORMED:
		return NF_ILL_FORMED;
	case NF_STREAM_UNREADABLE:
		return NF_UNREADABLE;
	case NF_STREAM_UNFOLLOWED:
		return NF_UNFOLLOWED;
	default:
		return nf_reaction_withholds(&rule->reaction) ? NF_LOST : NF_WELL_FORMED;
	}
}

/* Has the stream to be picked up behind a segment that was not accepted? */
static bool is_passed(const struct nf_rule *rule, enum nf_stream_verdict verdict)
{
	/* Where it is let through, its engine has gone on. */
	if (verdict == NF_STREAM_ACCEPT || verdict == NF_STREAM_UNFOLLOWED)
		return false;
	if (!nf_reaction_withholds(&rule->reaction))
		return true;
	return verdict == NF_STREAM_UNREADABLE && !rule->reaction.fail_closed;
}

/**
 * nf_segment_judge() - judge a segment of a stream that is followed
 * @rule: the rule that decides
 * @side: the direction that it is of, followed as the rule asks for it
 * @packet: the segment
 * @refusal: on NF_ILL_FORMED, its error and bytes are filled in; on all other verdicts
 *	against the segment its reason, if it has one; and where it is let through, that
 *	the stream was picked up
 *
 * What is ahead, and will not be sent again because it is let through, is where the
 * stream is picked up.
 *
 * Context: a netfilter hook, the flow is locked; does not sleep; takes 1.2 KiB of
 * stack.
 * Return: the verdict.
 */
enum nf_verdict nf_segment_judge(struct nf_rule *rule, struct nf_side *side,
				 const struct nf_packet *packet,
				 struct utf8guard_refusal *refusal)
{
	const struct nf_segment_header *header = &packet->tcp;
	bool is_binary = false, is_picked_up;
	enum nf_stream_verdict verdict = judge(rule, side, packet, refusal, &is_binary);
	enum nf_verdict found;

	count_verdict(rule, verdict);
	/* With payload, the packet is counted by who asked. */
	if (verdict == NF_STREAM_UNFOLLOWED && !packet->len)
		nf_traffic_count(rule, 0, NF_UNFOLLOWED);
	if (verdict == NF_STREAM_AHEAD && !nf_reaction_withholds(&rule->reaction)) {
		nf_side_start(side, nf_segment_first(header), false, header->now);
		verdict = judge(rule, side, packet, refusal, &is_binary);
		count_verdict(rule, verdict);
	}
	if (is_passed(rule, verdict))
		nf_side_pass(side, header);
	is_picked_up = count_resyncs(rule, side);
	side->hook = rule->selectors.fields.hook;
	found = outcome(rule, verdict, is_binary, refusal);
	if (is_picked_up && (found == NF_WELL_FORMED || found == NF_BINARY))
		refusal->reason = UTF8GUARD_REASON_PICKED_UP;
	return found;
}
