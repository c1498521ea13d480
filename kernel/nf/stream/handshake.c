// SPDX-License-Identifier: GPL-2.0
/*
 * Where the streams of a connection begin.
 *
 * The receiver says: the SYN-ACK acknowledges the SYN that it took. A sender may send
 * several SYNs, with other numbers; were a later one believed, what is before it would
 * count as delivered already, or never sent.
 *
 * For the same reason nothing that a sender says afterwards moves a beginning that its
 * receiver has acknowledged. A SYN with another number waits for its own SYN-ACK. A SYN-ACK
 * with another number is ignored, unless it answers a new SYN of the other direction: only then
 * is this another connection. And the caller, who sends a SYN-ACK where both ends call each
 * other (RFC 9293 section 3.5), never begins by that alone.
 *
 * A SYN to a receiver that has a connection is answered by an acknowledgment alone
 * (RFC 5961 section 4), and the connection goes on where it was; and so is a SYN-ACK to
 * one that has. Neither begins anything, and connection tracking, which may have
 * forgotten the connection, lets them go by: it says by its state whether a SYN-ACK
 * answers a SYN. Only SYN-ACKs are answered by plain acknowledgments. What is carried by one
 * that begins nothing is refused: nobody takes it, and it would be where the stream begins.
 *
 * What a SYN carries (RFC 7413) is judged as if it began a stream. Until it is answered
 * that is in doubt, and other segments do not rely on it.
 *
 * Both ends may agree on Multipath TCP (RFC 8684), too. Then what the application reads is
 * in the order of numbers in an option, not of those in the header, may come by other
 * connections as well, and leaves octets out that TCP delivers: no connection is followed
 * that is one of these.
 */
#include <linux/netfilter/nf_conntrack_tcp.h>

#include "../../codec/codec.h"
#include "tcb.h"

/* Is there a SYN-ACK that was not acknowledged yet? */
static bool is_being_answered(const struct ugnf_sighting *sighting)
{
	return sighting->state == TCP_CONNTRACK_SYN_RECV;
}

/**
 * ugnf_handshake_agrees() - does a segment tell of Multipath TCP?
 * @sighting: the segment
 *
 * RFC 8684 section 3.1: the SYN-ACK has the option if both ends do it, and so have the
 * acknowledgment after it and what carries data, by which it is known of connections that
 * were there before. A SYN-ACK that answers nothing, anybody could have sent.
 *
 * Context: any; the flow is locked.
 * Return: whether both ends have agreed on it.
 */
bool ugnf_handshake_agrees(const struct ugnf_sighting *sighting)
{
	return sighting->is_multipath && (!sighting->header->syn || is_being_answered(sighting));
}

static u32 beginning_of(const struct ugnf_sequence *seq)
{
	return seq->snd_nxt - (u32)seq->position;
}

/*
 * Is @first among octets that were let through and not acknowledged, or right after them? An
 * acknowledgment of the SYN could then be one of these octets, so the SYN does not begin the
 * stream anew. An honest sender is refused only if the numbers of its new connection are there
 * by chance.
 */
static bool is_amid(const struct ugnf_direction *dir, u32 first)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	return seq && seq->started && first != beginning_of(seq) &&
	       !ugnf_seq_before(first, seq->snd_una) && !ugnf_seq_before(seq->snd_nxt, first);
}

static void begin(struct ugnf_direction *dir, u32 seq)
{
	dir->begun = true;
	dir->begin = seq;
	dir->syn_many = false;
}

/* The stream begins anew at @seq. Its window is not known yet, and no octets of it were lost. */
static void begin_anew(struct ugnf_direction *dir, u32 seq, u32 now)
{
	dir->right_edge_known = false;
	ugnf_direction_start(dir, seq, true, now);
	if (ugnf_direction_sequence(dir))
		dir->resyncs = ugnf_direction_sequence(dir)->resyncs;
}

/* It began at @first: has anything been acknowledged since? */
static bool has_gone_on(const struct ugnf_direction *dir, u32 first)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	return seq && seq->started && seq->snd_una != first;
}

/*
 * Does the SYN-ACK with @ack tell of another beginning of @dir than is known? It may tell
 * of the same once more, or of how much it took of what the SYN carried. The same number
 * when what is after it has been acknowledged is that of another connection.
 */
static bool is_new_beginning(const struct ugnf_direction *dir, u32 ack)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	if (dir->begun && ack == dir->begin)
		return has_gone_on(dir, ack);
	if (!seq || !seq->started)
		return true;
	if (dir->begun)
		return ack != seq->snd_una;
	return (dir->syn_seen && ack == dir->syn + 1) ||
	       (!seq->acked && ugnf_seq_before(ack, seq->snd_una));
}

/*
 * Is a SYN-ACK of @own that of another connection than what it has said before? It is, of
 * who was called, where he has begun, unless the @other direction has a SYN-ACK out, too, as
 * where both ends call each other. Of the caller, it must answer a new SYN of the @other
 * side. Where @own has not begun, what it has said may be of this one: a SYN that crosses
 * that of the @other direction, or another SYN-ACK to the same SYN.
 */
static bool is_new_connection(const struct ugnf_direction *own, const struct ugnf_direction *other,
			      const struct ugnf_sighting *sighting)
{
	if (!other->syn_seen || other->syn_answers)
		return false;
	if (own->begun && !own->is_caller && own->begin != sighting->header->seq + 1)
		return true;
	if (sighting->ack != other->syn + 1 || !is_new_beginning(other, sighting->ack))
		return false;
	return own->begun || !own->syn_seen ||
	       (own->syn_answers && other->begun && other->begin != sighting->ack);
}

/* Forget the connection before: @header is the SYN-ACK of a new one. */
static void connect_anew(struct ugnf_direction *own, const struct ugnf_segment_header *header)
{
	own->begun = false;
	own->syn_seen = false;
	own->syn_many = false;
	if (ugnf_direction_sequence(own))
		begin_anew(own, header->seq + 1, header->now);
}

/* Is it another number than the receiver has acknowledged? */
static bool contradicts(const struct ugnf_direction *own, const struct ugnf_sighting *sighting)
{
	return own->begun && own->begin != sighting->header->seq + 1;
}

/**
 * ugnf_handshake_note() - take note of a SYN
 * @own: the direction of its sender
 * @other: the other direction
 * @sighting: the SYN, or SYN-ACK
 *
 * Which of several is taken, only the answer says.
 *
 * Context: any; the flow is locked.
 * Return: whether it may begin anything.
 */
bool ugnf_handshake_note(struct ugnf_direction *own, const struct ugnf_direction *other,
			 const struct ugnf_sighting *sighting)
{
	u32 syn = sighting->header->seq;
	bool is_same = own->syn_seen && own->syn == syn;

	if (is_amid(own, syn + 1))
		return false;
	if (sighting->has_ack) {
		if (!is_being_answered(sighting))
			return false;
		if (is_new_connection(own, other, sighting))
			connect_anew(own, sighting->header);
		else if (contradicts(own, sighting))
			return false;
	}
	if (!own->syn_seen || own->begun)
		own->syn_first = syn;
	own->syn_many |= own->syn_seen && own->syn != syn;
	/* A SYN that comes late, after the SYN-ACK with its number, is the same. */
	own->syn_answers = sighting->has_ack ||
			   (is_same && own->syn_answers && is_being_answered(sighting));
	own->syn_seen = true;
	own->syn = syn;
	return true;
}

/* A stream was begun by the octets of its SYN, and the answer acknowledges that SYN. */
static void confirm(struct ugnf_direction *dir)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	if (!dir->begun && !seq->picked_up)
		begin(dir, beginning_of(seq));
}

/* The answer acknowledges octets that no rule has judged: no SYN says where the stream began. */
static void forget_syn(struct ugnf_direction *dir)
{
	dir->begun = false;
	dir->syn_seen = false;
	dir->syn_many = false;
}

/* Is @ack the answer to the last SYN of @dir, or to the first? */
static bool is_called_for(const struct ugnf_direction *dir, u32 ack)
{
	return dir->syn_seen && (ack == dir->syn + 1 || ack == dir->syn_first + 1);
}

/*
 * A SYN-ACK says where the @other direction begins. If that one had begun before, it is
 * a new connection in the place of one that only connection tracking remembers.
 */
static void answer_syn(struct ugnf_direction *other, const struct ugnf_sighting *sighting)
{
	if (!is_new_beginning(other, sighting->ack)) {
		if (ugnf_direction_sequence(other))
			confirm(other);
		return;
	}
	if (!is_called_for(other, sighting->ack)) {
		forget_syn(other);
		ugnf_direction_start(other, sighting->ack, false, sighting->header->now);
		return;
	}
	begin(other, sighting->ack);
	begin_anew(other, sighting->ack, sighting->header->now);
}

/* An acknowledgment of a direction of which nothing was judged. */
static void answer_nothing(struct ugnf_direction *dir, u32 ack)
{
	if (!dir->begun && dir->syn_seen && dir->syn_answers &&
	    (dir->syn_many || ack == dir->syn + 1)) {
		begin(dir, ack);
	} else if (!dir->begun || ugnf_seq_before(dir->begin, ack)) {
		/* It received what no rule has judged: there is no telling what. */
		forget_syn(dir);
	}
}

/*
 * Was the stream begun by the octets of a SYN that was not answered yet? A SYN-ACK of the side
 * that was called leaves no doubt: who sends after it knows where the stream begins.
 */
static bool is_in_doubt(const struct ugnf_direction *dir)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	return dir->syn_seen && !ugnf_direction_answers(dir) && !dir->begun &&
	       seq && seq->started && !seq->picked_up;
}

/* The direction went on after its own SYN-ACK: the acknowledgment says that this began it. */
static void answer_followed(struct ugnf_direction *dir, u32 ack)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);
	u32 first = beginning_of(seq);

	if (dir->syn_seen && !dir->syn_many && first == dir->syn + 1 &&
	    !ugnf_seq_before(ack, first) && !ugnf_seq_before(seq->snd_nxt, ack))
		confirm(dir);
}

/**
 * ugnf_handshake_answer() - what an acknowledgment says of where streams begin
 * @other: the direction that it acknowledges
 * @sighting: the acknowledgment; if it has a SYN, that was taken note of
 *
 * Context: any; the flow is locked.
 */
void ugnf_handshake_answer(struct ugnf_direction *other, const struct ugnf_sighting *sighting)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(other);

	if (sighting->header->syn)
		answer_syn(other, sighting);
	else if (!seq)
		answer_nothing(other, sighting->ack);
	else if (is_in_doubt(other))
		ugnf_direction_start(other, sighting->ack, false, sighting->header->now);
	else if (seq->started)
		answer_followed(other, sighting->ack);
}

/**
 * ugnf_handshake_is_in_doubt() - is the beginning of a stream not sure?
 * @dir: the direction
 * @header: of a segment of it that has payload, or ends it
 *
 * Context: any; the flow is locked.
 */
bool ugnf_handshake_is_in_doubt(const struct ugnf_direction *dir,
				const struct ugnf_segment_header *header)
{
	return !header->syn && is_in_doubt(dir);
}

/* Is the stream followed, though no answer has said where it begins? */
static bool is_followed_unanswered(const struct ugnf_direction *dir)
{
	return !dir->begun && ugnf_direction_sequence(dir);
}

/**
 * ugnf_handshake_is_ambiguous() - is there no telling where a segment is in its stream?
 * @dir: of its sender
 * @sighting: the segment
 *
 * There were several SYNs and no answer, or it is a SYN amid its own stream: also
 * another of those when octets have been let through after one. With payload that
 * was acknowledged, it is sent again only as long as its answer was not; else it is
 * that of another connection, which nobody has seen.
 *
 * Context: any; the flow is locked.
 */
bool ugnf_handshake_is_ambiguous(const struct ugnf_direction *dir,
				 const struct ugnf_sighting *sighting)
{
	const struct ugnf_segment_header *header = sighting->header;

	if (header->syn)
		return is_amid(dir, header->seq + 1) ||
		       (header->len && has_gone_on(dir, header->seq + 1) &&
			!is_being_answered(sighting)) ||
		       (dir->syn_many && (header->len || is_followed_unanswered(dir)));
	return dir->syn_many && !dir->begun && !ugnf_direction_sequence(dir);
}
