// SPDX-License-Identifier: GPL-2.0
/*
 * The judgment on a TCP segment whose stream is followed: its payload goes to
 * ooo_stream.c, or to inorder_stream.c where the rule takes a parser; what comes of it, the rule
 * counts, and may let through all the same.
 */
#include <linux/skbuff.h>

#include "../../service/service.h"
#include "../packet/packet.h"
#include "../rule/judgment.h"
#include "../rule/outcome.h"
#include "../rule/action.h"
#include "../rule/rule_types.h"
#include "../rule/counters.h"
#include "../stream/inorder_stream.h"
#include "../stream/sequence.h"
#include "../stream/direction.h"
#include "../stream/ooo_stream.h"
#include "segment.h"

/* Of a segment, besides its verdict: some of it is no text; it came before others. */
struct notes {
	bool is_binary, is_early;
};

static bool feed_segment(void *judged, const void *data, u32 len)
{
	return nf_segment_feed(judged, data, len);
}

static bool feed_passage(void *judged, const void *data, u32 len)
{
	return nf_passage_feed(judged, data, len);
}

/* All of the payload, or as much of it as can be read. Returns how much that was. */
u32 nf_packet_read(const struct nf_packet *packet, nf_feed_fn *feed, void *judged)
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
	return consumed;
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

/* Where from and why; whoever fails open does not report it, and tells it anew. */
static void say_unfollowed(const struct nf_rule *rule, struct nf_side *side,
			   const struct nf_segment_header *header,
			   const struct nf_passage *passage, struct utf8guard_refusal *refusal)
{
	refusal->cause = passage->cause;
	refusal->error.offset = passage->error.offset;
	if (rule->reaction.fail_closed)
		refusal->is_repeat = !nf_side_tell(side, passage->unfollowed,
						   nf_segment_behind(header) + header->fin);
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
		nf_packet_read(packet, feed_segment, &segment);
	verdict = nf_segment_end(&segment, stream);
	if (verdict == NF_STREAM_ILL_FORMED)
		say(refusal, &segment.error, segment.bytes);
	return verdict;
}

static noinline enum nf_stream_verdict judge_in_order(struct nf_side *side,
						      const struct nf_packet *packet,
						      const struct nf_rule *rule,
						      struct utf8guard_refusal *refusal,
						      struct notes *notes)
{
	struct nf_passage passage __uninitialized;
	enum nf_stream_verdict verdict;

	nf_passage_begin(&passage, side->reading, &packet->tcp, &rule->policy);
	if (packet->len && passage.verdict == NF_STREAM_ACCEPT)
		nf_packet_read(packet, feed_passage, &passage);
	verdict = nf_passage_end(&passage);
	notes->is_binary = passage.is_binary;
	notes->is_early = passage.is_early;
	if (verdict == NF_STREAM_ILL_FORMED)
		say(refusal, &passage.error, passage.bytes);
	if (verdict == NF_STREAM_UNFOLLOWED)
		say_unfollowed(rule, side, &packet->tcp, &passage, refusal);
	side->asks |= nf_reading_asks(side->reading);
	return verdict;
}

static enum nf_stream_verdict judge(const struct nf_rule *rule, struct nf_side *side,
				    const struct nf_packet *packet,
				    struct utf8guard_refusal *refusal, struct notes *notes)
{
	if (is_before_all(side, &packet->tcp))
		return NF_STREAM_OUT_OF_WINDOW;
	if (side->stream)
		return judge_octets(side->stream, packet, rule, refusal);
	return judge_in_order(side, packet, rule, refusal, notes);
}

/* What is counted. */
static struct nf_because because(enum nf_stream_verdict verdict, const struct notes *notes)
{
	switch (verdict) {
	case NF_STREAM_ACCEPT:
		return notes->is_binary ? NF_BECAUSE(BINARY) : NF_BECAUSE(JUDGED);
	case NF_STREAM_ILL_FORMED:
		return NF_BECAUSE(ILL_FORMED);
	case NF_STREAM_DIFFERS:
	case NF_STREAM_UNVERIFIABLE:
		return NF_BECAUSE(DIFFERS);
	case NF_STREAM_FULL:
		return NF_BECAUSE(FULL);
	case NF_STREAM_OUT_OF_WINDOW:
		return NF_BECAUSE(WINDOW);
	case NF_STREAM_URGENT:
		return NF_BECAUSE(URGENT);
	case NF_STREAM_AHEAD:
		return NF_BECAUSE(AHEAD);
	case NF_STREAM_UNREADABLE:
		return NF_BECAUSE(UNREADABLE);
	case NF_STREAM_UNFOLLOWED:
		break;
	}
	return NF_BECAUSE(UNFOLLOWED);
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

/* Returns how often the stream was picked up, or could have been. */
static u16 take_resyncs(struct nf_side *side)
{
	u16 resyncs = nf_side_sequence(side)->resyncs, more = resyncs - side->resyncs;

	side->resyncs = resyncs;
	side->is_changed = false;
	return more;
}

/* Once with the segment; of what went before it, the rest. */
static struct nf_because because_picked_up(struct nf_rule *rule, u16 times)
{
	if (times > 1) {
		nf_counters_add(&rule->counters, NF_REASON_RESYNC, times - 1);
		nf_counters_add(&rule->counters, NF_REASON_PICKED_UP, times - 1);
	}
	return nf_also(NF_BECAUSE(RESYNC), NF_BECAUSE(PICKED_UP));
}

/* The packet as rules see it: is it refused, lost or let through? */
static enum nf_verdict verdict_of(const struct nf_rule *rule, enum nf_stream_verdict verdict,
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
 * Return: the verdict, and what the rule is to count.
 */
struct nf_finding nf_segment_judge(struct nf_rule *rule, struct nf_side *side,
				   const struct nf_packet *packet,
				   struct utf8guard_refusal *refusal)
{
	const struct nf_segment_header *header = &packet->tcp;
	struct notes notes = {};
	enum nf_stream_verdict verdict = judge(rule, side, packet, refusal, &notes);
	struct nf_finding found = { .why = because(verdict, &notes) };
	u16 resyncs;

	if (side->owes)
		nf_counters_add(&rule->counters, NF_REASON_UNFOLLOWED, 1);
	side->owes = false;
	if (verdict == NF_STREAM_AHEAD && !nf_reaction_withholds(&rule->reaction)) {
		nf_side_start(side, nf_segment_first(header), false, header->now);
		verdict = judge(rule, side, packet, refusal, &notes);
		found.why = nf_also(found.why, because(verdict, &notes));
	}
	if (is_passed(rule, verdict))
		nf_side_pass(side, header);
	resyncs = take_resyncs(side);
	side->hook = rule->selectors.fields.hook;
	found.verdict = verdict_of(rule, verdict, notes.is_binary, refusal);
	if (notes.is_early)
		found.why = nf_also(found.why, NF_BECAUSE(EARLY));
	if (resyncs)
		found.why = nf_also(found.why, because_picked_up(rule, resyncs));
	if (resyncs && (found.verdict == NF_WELL_FORMED || found.verdict == NF_BINARY))
		refusal->reason = UTF8GUARD_REASON_PICKED_UP;
	else if (verdict == NF_STREAM_ACCEPT && !packet->len)
		found.verdict = NF_EMPTY;
	return found;
}
