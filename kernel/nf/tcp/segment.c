// SPDX-License-Identifier: GPL-2.0
/*
 * The judgment on a TCP segment whose stream is followed: its payload goes to
 * ooo_stream.c, or to inorder_stream.c where the rule takes a parser; what comes of it, the rule
 * counts, and may let through all the same.
 */
#include <linux/skbuff.h>

#include "../../service/engine.h"
#include "../../service/refusal.h"
#include "../packet/packet.h"
#include "../rule/action.h"
#include "../rule/counters.h"
#include "../rule/judgment.h"
#include "../rule/outcome.h"
#include "../rule/rule_types.h"
#include "../stream/direction.h"
#include "../stream/inorder_segment.h"
#include "../stream/ooo_stream.h"
#include "../stream/sequence.h"
#include "segment.h"

/* Of a segment, besides its verdict: some of it is no text; it came before others. */
struct notes {
	bool is_binary, is_early;
};

static bool feed_ooo(void *judged, const void *data, u32 len)
{
	return ugnf_ooo_segment_feed(judged, data, len);
}

static bool feed_inorder(void *judged, const void *data, u32 len)
{
	return ugnf_inorder_segment_feed(judged, data, len);
}

/* All of the payload, or as much of it as can be read. Returns how much that was. */
u32 ugnf_packet_read(const struct ugnf_packet *packet, ugnf_feed_fn *feed, void *judged)
{
	u32 consumed = 0, n, len = packet->len;
	struct skb_seq_state seq __uninitialized;
	const u8 *data;

	skb_prepare_seq_read(packet->skb, packet->payload, packet->payload + len, &seq);
	while (consumed < len && (n = skb_seq_read(consumed, &data, &seq)) != 0) {
		/* A fragment may be longer than what is left of the payload. */
		n = min(n, len - consumed);
		/* A parser is fed octet by octet, mostly; plain text is judged in long pieces. */
		if (!consumed && n < len && feed == feed_ooo)
			utf8guard_expect(data, n, len);
		consumed += n;
		if (!feed(judged, data, n))
			break;
	}
	skb_abort_seq_read(&seq);
	return consumed;
}

/* Is it before the beginning, which the receiver has not said yet? */
static bool is_before_all(const struct ugnf_direction *dir,
			  const struct ugnf_segment_header *header)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	return seq->started && !seq->acked && !seq->picked_up &&
	       ugnf_seq_before(ugnf_segment_first(header), seq->snd_una);
}

static void say(struct utf8guard_refusal *refusal, const struct utf8guard_error *error,
		const u8 *bytes)
{
	refusal->error = *error;
	memcpy(refusal->bytes, bytes, sizeof(refusal->bytes));
}

/* Where from and why; whoever fails open does not report it, and tells it anew. */
static void say_unfollowed(const struct ugnf_rule *rule, struct ugnf_direction *dir,
			   const struct ugnf_segment_header *header,
			   const struct ugnf_inorder_segment *segment,
			   struct utf8guard_refusal *refusal)
{
	refusal->cause = segment->cause;
	refusal->error.offset = segment->error.offset;
	if (rule->action.fail_closed)
		refusal->is_repeat = !ugnf_direction_tell(dir, segment->unfollowed,
							  ugnf_segment_end(header) + header->fin);
}

/*
 * Not inline, for what each of both takes of the stack is not taken twice. Kernels that
 * clear what is on the stack would clear 1 KiB here, for nothing.
 */
static noinline enum ugnf_stream_verdict judge_octets(struct ugnf_ooo_stream *stream,
						      const struct ugnf_packet *packet,
						      const struct ugnf_rule *rule,
						      struct utf8guard_refusal *refusal)
{
	struct ugnf_ooo_segment segment __uninitialized;
	enum ugnf_stream_verdict verdict;

	ugnf_ooo_segment_begin(&segment, stream, &packet->tcp, &rule->policy);
	if (packet->len && segment.verdict == UGNF_STREAM_ACCEPT)
		ugnf_packet_read(packet, feed_ooo, &segment);
	verdict = ugnf_ooo_segment_end(&segment, stream);
	if (verdict == UGNF_STREAM_ILL_FORMED)
		say(refusal, &segment.error, segment.bytes);
	return verdict;
}

static noinline enum ugnf_stream_verdict judge_in_order(struct ugnf_direction *dir,
							const struct ugnf_packet *packet,
							const struct ugnf_rule *rule,
							struct utf8guard_refusal *refusal,
							struct notes *notes)
{
	struct ugnf_inorder_segment segment __uninitialized;
	enum ugnf_stream_verdict verdict;

	ugnf_inorder_segment_begin(&segment, dir->inorder, &packet->tcp, &rule->policy);
	if (packet->len && segment.verdict == UGNF_STREAM_ACCEPT)
		ugnf_packet_read(packet, feed_inorder, &segment);
	verdict = ugnf_inorder_segment_end(&segment);
	notes->is_binary = segment.is_binary;
	notes->is_early = segment.is_early;
	if (verdict == UGNF_STREAM_ILL_FORMED)
		say(refusal, &segment.error, segment.bytes);
	if (verdict == UGNF_STREAM_UNFOLLOWED)
		say_unfollowed(rule, dir, &packet->tcp, &segment, refusal);
	dir->asks |= ugnf_inorder_asks(dir->inorder);
	return verdict;
}

static enum ugnf_stream_verdict judge(const struct ugnf_rule *rule, struct ugnf_direction *dir,
				      const struct ugnf_packet *packet,
				      struct utf8guard_refusal *refusal, struct notes *notes)
{
	if (is_before_all(dir, &packet->tcp))
		return UGNF_STREAM_OUT_OF_WINDOW;
	if (dir->ooo)
		return judge_octets(dir->ooo, packet, rule, refusal);
	return judge_in_order(dir, packet, rule, refusal, notes);
}

/**
 * struct account - what is told of a verdict
 * @counted: what the rule counts
 * @reported: enum utf8guard_reason, for a report
 */
struct account {
	struct ugnf_because counted;
	u8 reported;
};

#define ACCOUNT(name, reason) \
	((struct account){ .counted = UGNF_BECAUSE(name), .reported = UTF8GUARD_REASON_##reason })

/*
 * A report has no reason where the octets are what is wrong, or where the segment is judged
 * again when it is sent again, in order.
 */
static struct account account_of(enum ugnf_stream_verdict verdict, const struct notes *notes)
{
	switch (verdict) {
	case UGNF_STREAM_ACCEPT:
		return notes->is_binary ? ACCOUNT(BINARY, NONE) : ACCOUNT(JUDGED, NONE);
	case UGNF_STREAM_ILL_FORMED:
		return ACCOUNT(ILL_FORMED, NONE);
	case UGNF_STREAM_DIFFERS:
	case UGNF_STREAM_UNVERIFIABLE:
		return ACCOUNT(DIFFERS, DIFFERS);
	case UGNF_STREAM_FULL:
		return ACCOUNT(FULL, NONE);
	case UGNF_STREAM_OUT_OF_WINDOW:
		return ACCOUNT(WINDOW, NONE);
	case UGNF_STREAM_URGENT:
		return ACCOUNT(URGENT, URGENT);
	case UGNF_STREAM_AHEAD:
		return ACCOUNT(AHEAD, NONE);
	case UGNF_STREAM_UNREADABLE:
		return ACCOUNT(UNREADABLE, UNREADABLE);
	case UGNF_STREAM_UNFOLLOWED:
		break;
	}
	return ACCOUNT(UNFOLLOWED, UNFOLLOWED);
}

/* Returns how often the stream was picked up, or could have been. */
static u16 take_resyncs(struct ugnf_direction *dir)
{
	u16 resyncs = ugnf_direction_sequence(dir)->resyncs, more = resyncs - dir->resyncs;

	dir->resyncs = resyncs;
	dir->is_changed = false;
	return more;
}

/* Once with the segment; of what went before it, the rest. */
static struct ugnf_because because_picked_up(struct ugnf_rule *rule, u16 times)
{
	if (times > 1) {
		ugnf_counters_add(&rule->counters, UGNF_REASON_RESYNC, times - 1);
		ugnf_counters_add(&rule->counters, UGNF_REASON_PICKED_UP, times - 1);
	}
	return ugnf_also(UGNF_BECAUSE(RESYNC), UGNF_BECAUSE(PICKED_UP));
}

/* The packet as rules see it: is it refused, lost or let through? */
static enum ugnf_finding verdict_of(const struct ugnf_rule *rule, enum ugnf_stream_verdict verdict,
				    bool is_binary)
{
	if (verdict == UGNF_STREAM_ACCEPT)
		return is_binary ? UGNF_BINARY : UGNF_WELL_FORMED;
	switch (verdict) {
	case UGNF_STREAM_ILL_FORMED:
		return UGNF_ILL_FORMED;
	case UGNF_STREAM_UNREADABLE:
		return UGNF_UNREADABLE;
	case UGNF_STREAM_UNFOLLOWED:
		return UGNF_UNFOLLOWED;
	default:
		return ugnf_action_withholds(&rule->action) ? UGNF_LOST : UGNF_WELL_FORMED;
	}
}

/* Has the stream to be picked up after a segment that was not accepted? */
static bool is_passed(const struct ugnf_rule *rule, enum ugnf_stream_verdict verdict)
{
	/* Where it is let through, its engine has gone on. */
	if (verdict == UGNF_STREAM_ACCEPT || verdict == UGNF_STREAM_UNFOLLOWED)
		return false;
	if (!ugnf_action_withholds(&rule->action))
		return true;
	return verdict == UGNF_STREAM_UNREADABLE && !rule->action.fail_closed;
}

/**
 * ugnf_segment_judge() - judge a segment of a stream that is followed
 * @rule: the rule that decides
 * @dir: the direction that it is of, followed as the rule asks for it
 * @packet: the segment
 * @refusal: on UGNF_ILL_FORMED, its error and bytes are filled in; on all other verdicts
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
struct ugnf_judgment ugnf_segment_judge(struct ugnf_rule *rule, struct ugnf_direction *dir,
					const struct ugnf_packet *packet,
					struct utf8guard_refusal *refusal)
{
	const struct ugnf_segment_header *header = &packet->tcp;
	struct notes notes = {};
	enum ugnf_stream_verdict verdict = judge(rule, dir, packet, refusal, &notes);
	struct account account = account_of(verdict, &notes);
	struct ugnf_judgment found = { .why = account.counted };
	u16 resyncs;

	if (dir->owes)
		ugnf_counters_add(&rule->counters, UGNF_REASON_UNFOLLOWED, 1);
	dir->owes = false;
	if (verdict == UGNF_STREAM_AHEAD && !ugnf_action_withholds(&rule->action)) {
		ugnf_direction_start(dir, ugnf_segment_first(header), false, header->now);
		verdict = judge(rule, dir, packet, refusal, &notes);
		account = account_of(verdict, &notes);
		found.why = ugnf_also(found.why, account.counted);
	}
	if (is_passed(rule, verdict))
		ugnf_direction_pass(dir, header);
	resyncs = take_resyncs(dir);
	dir->hook = rule->match.fields.hook;
	found.verdict = verdict_of(rule, verdict, notes.is_binary);
	if (verdict != UGNF_STREAM_ACCEPT)
		refusal->reason = account.reported;
	if (notes.is_early)
		found.why = ugnf_also(found.why, UGNF_BECAUSE(EARLY));
	if (resyncs)
		found.why = ugnf_also(found.why, because_picked_up(rule, resyncs));
	if (resyncs && (found.verdict == UGNF_WELL_FORMED || found.verdict == UGNF_BINARY))
		refusal->reason = UTF8GUARD_REASON_PICKED_UP;
	else if (verdict == UGNF_STREAM_ACCEPT && !packet->len)
		found.verdict = UGNF_EMPTY;
	return found;
}
