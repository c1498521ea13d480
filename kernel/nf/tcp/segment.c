// SPDX-License-Identifier: GPL-2.0
/*
 * Judges a TCP segment whose stream is followed. Its payload goes to the engine of ooo_stream.c,
 * or to that of inorder_stream.c where the rule takes a parser. The rule counts the verdict of
 * the engine, and may let the segment through all the same.
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

/* What an engine says of a segment besides its verdict. */
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

/* Reads the payload, as far as it can be read and @feed wants it. Returns how much that was. */
u32 ugnf_packet_read(const struct ugnf_packet *packet, ugnf_feed_fn *feed, void *judged)
{
	u32 consumed = 0, n, len = packet->len;
	struct skb_seq_state seq __uninitialized;
	const u8 *data;

	skb_prepare_seq_read(packet->skb, packet->payload, packet->payload + len, &seq);
	while (consumed < len && (n = skb_seq_read(consumed, &data, &seq)) != 0) {
		/* A fragment may be longer than what is left of the payload. */
		n = min(n, len - consumed);
		/* Plain text is judged in long pieces; a parser mostly takes octet by octet. */
		if (!consumed && n < len && feed == feed_ooo)
			utf8guard_expect(data, n, len);
		consumed += n;
		if (!feed(judged, data, n))
			break;
	}
	skb_abort_seq_read(&seq);
	return consumed;
}

/* Is the segment before the beginning of a stream that the receiver has not acknowledged yet? */
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

/*
 * Says from where on the stream is not followed, and why. A rule that fails closed reports that
 * once, not for each retransmission; one that fails open does not report it.
 */
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
 * This function and the next are not inline, so that their segments are not both on the stack.
 * Neither is cleared: kernels that initialise variables would clear 1 KiB for nothing.
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
 * struct account - how a verdict is counted and reported
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
 * A report has no reason where the octets themselves are wrong, and none where the sender will
 * send the segment again, and it will be judged then.
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

/* Returns how often the engine has resynchronised since the last segment. */
static u16 take_resyncs(struct ugnf_direction *dir)
{
	u16 resyncs = ugnf_direction_sequence(dir)->resyncs, more = resyncs - dir->resyncs;

	dir->resyncs = resyncs;
	dir->is_changed = false;
	return more;
}

/* The reason of the segment has one of the resyncs; counts the others, of earlier segments. */
static struct ugnf_because because_picked_up(struct ugnf_rule *rule, u16 times)
{
	if (times > 1) {
		ugnf_counters_add(&rule->counters, UGNF_REASON_RESYNC, times - 1);
		ugnf_counters_add(&rule->counters, UGNF_REASON_PICKED_UP, times - 1);
	}
	return ugnf_also(UGNF_BECAUSE(RESYNC), UGNF_BECAUSE(PICKED_UP));
}

/* Turns the verdict of an engine into a finding, which says what happens to a packet. */
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
		return ugnf_action_withholds(&rule->action) ? UGNF_WITHHELD : UGNF_WELL_FORMED;
	}
}

/* Is a segment let through that the engine has not accepted, so that it must go on after it? */
static bool is_passed(const struct ugnf_rule *rule, enum ugnf_stream_verdict verdict)
{
	/* After these verdicts, the engine has gone on by itself. */
	if (verdict == UGNF_STREAM_ACCEPT || verdict == UGNF_STREAM_UNFOLLOWED)
		return false;
	if (!ugnf_action_withholds(&rule->action))
		return true;
	return verdict == UGNF_STREAM_UNREADABLE && !rule->action.fail_closed;
}

/**
 * ugnf_segment_judge() - judge a segment of a stream that is followed
 * @rule: the rule that decides
 * @dir: the direction of the segment, with the engine that the rule asks for
 * @packet: the segment
 * @refusal: its error and bytes are filled in for UGNF_ILL_FORMED; its reason, for other
 *	verdicts against the segment that have one, and where a segment is let through at
 *	which the stream was picked up
 *
 * A rule that only counts or audits lets a segment through that the engine would have wanted
 * later. The sender will not send that again, so the stream is picked up there.
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
