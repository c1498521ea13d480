// SPDX-License-Identifier: GPL-2.0
/*
 * Where the streams of a connection begin.
 *
 * The caller is the end that sent the first SYN. A stream begins after the SYN that its
 * receiver has acknowledged, and nothing else says where.
 *
 * 1. A sender may send several SYNs with different numbers. If a later one were believed, octets
 *    with lower numbers would count as delivered already, or as never sent. So the SYN-ACK
 *    decides: it acknowledges the SYN that the receiver took.
 * 2. For the same reason, the sender cannot move a beginning that its receiver has acknowledged.
 *    A SYN with another number waits for its own SYN-ACK. A SYN-ACK with another number is
 *    ignored, unless it answers a new SYN of the other direction: only then is this another
 *    connection.
 * 3. Where both ends call each other (RFC 9293 section 3.5), the caller sends a SYN-ACK, too. His
 *    stream does not begin by that alone; it begins when his SYN is acknowledged.
 * 4. A receiver that has a connection already answers a SYN or a SYN-ACK by a mere
 *    acknowledgment (RFC 5961 section 4), and the connection goes on where it was. Such a segment
 *    begins nothing. Connection tracking may have forgotten the connection and then lets these
 *    segments through. Its state tells whether a SYN-ACK answers a SYN, and so does the number of
 *    a SYN whose sender still waits: connection tracking forgets that SYN when anything else
 *    comes, or may have found it invalid. Payload of a SYN that begins nothing is refused: no
 *    receiver takes it, but it would be judged as the beginning of the stream.
 * 5. Payload of a SYN (RFC 7413) is judged as the beginning of a stream. Until the SYN is
 *    answered, that beginning is in doubt, and other segments are not judged by it.
 *    A server may give up a connection before its SYN-ACK is acknowledged, and tells nobody. The
 *    same SYN then begins another connection. So its payload is refused if it was acknowledged
 *    before, and the new SYN-ACK is believed. A SYN-ACK to the SYN alone does not undo the payload
 *    (is_begun_by_syn()). A SYN-ACK that acknowledges the payload may be that to an older SYN,
 *    whose connection was forgotten here. So the payload must leave the stream as it begins
 *    (ugnf_segment_is_doubtful()), and a SYN-ACK to a part of it begins the stream at no known SYN.
 * 6. If both ends agree on Multipath TCP (RFC 8684), the connection is not followed. The
 *    application then reads octets in the order of numbers in a TCP option and not in the
 *    header, some of them may come by other connections, and others are left out although TCP
 *    delivers them.
 *
 * Tests: userspace/tests/host/payload/tcp_connection.c, with userspace/tests/connection_callers.h;
 * and tcp_beginning.c and tcp_numbers.c beside it, segment by segment.
 * play_attack(): 1 to 5, a caller of any SYNs, SYN-ACKs, resets and payload, before a server that
 * behaves like Linux. play_called_attack(): the same of who is called, before a client.
 * play_honest(): all that an honest caller sends is delivered, whatever number of connections it
 * makes. userspace/tests/vm/payload/handshakes.t, with real servers: 2 ("Another
 * connection with the same ports"), 3 ("The caller alone"), 4 ("A SYN within a connection"), 5
 * ("Fast Open") and 6 ("Multipath TCP").
 */
#include <linux/netfilter/nf_conntrack_tcp.h>

#include "../../codec/codec.h"
#include "tcb.h"

/* Does a SYN-ACK with @ack answer the last SYN of @dir, and perhaps octets that it had? */
static bool calls_back(const struct ugnf_direction *dir, u32 ack)
{
	return ack - (dir->syn + 1) <= dir->syn_len;
}

/**
 * ugnf_handshake_is_answer() - does a SYN-ACK answer the call of the other end, by its number?
 * @other: the direction that it acknowledges
 * @sighting: the SYN-ACK
 *
 * Of several SYNs, any one may be answered.
 *
 * Context: any; the flow is locked.
 * Return: whether it does.
 */
bool ugnf_handshake_is_answer(const struct ugnf_direction *other,
			      const struct ugnf_sighting *sighting)
{
	return other->calls && (other->syn_many || calls_back(other, sighting->ack));
}

/*
 * Is there a SYN-ACK that was not acknowledged yet? Connection tracking may have ignored this one:
 * in an older connection, it takes a SYN-ACK for an answer only if that comes right after the SYN,
 * and the caller can send something between them.
 */
static bool is_being_answered(const struct ugnf_direction *other,
			      const struct ugnf_sighting *sighting)
{
	return sighting->state == TCP_CONNTRACK_SYN_RECV ||
	       (sighting->header->syn && ugnf_handshake_is_answer(other, sighting));
}

/**
 * ugnf_handshake_agrees() - does a segment show that both ends use Multipath TCP?
 * @own: the direction of its sender
 * @other: the direction that it acknowledges
 * @sighting: the segment
 *
 * RFC 8684 section 3.1: if both ends use it, the SYN-ACK has the option. The acknowledgment after
 * it and segments with data have options of it, too; they show it for a connection whose SYN-ACK
 * was not seen. They do so after a SYN-ACK without the option, too: Linux with SYN cookies believes
 * the acknowledgment alone. A SYN-ACK that answers no SYN does not count: anybody could have sent
 * it. Nor does a segment that acknowledges no number of the known connection: if it begins another
 * one, by another cookie, the server has options in what it answers to that. Nor does a segment
 * after octets of either end were acknowledged: the connection is plain then, and its receiver
 * ignores the option.
 *
 * Context: any; the flow is locked.
 * Return: whether both ends have agreed on it.
 */
bool ugnf_handshake_agrees(const struct ugnf_direction *own, const struct ugnf_direction *other,
			   const struct ugnf_sighting *sighting)
{
	if (!sighting->is_multipath)
		return false;
	if (sighting->header->syn)
		return is_being_answered(other, sighting);
	if (ugnf_direction_is_received(own) || ugnf_direction_is_received(other))
		return false;
	return !other->has_sent || ugnf_ending_is_known(other, sighting->ack);
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
	dir->is_denied = false;
}

/*
 * The stream begins anew at @seq. Its window is not known yet, and no octets of it were lost. Its
 * sender has asked for nothing, and what was reported has numbers of another connection.
 */
static void begin_anew(struct ugnf_direction *dir, u32 seq, u32 now)
{
	dir->right_edge_known = false;
	dir->was_told = false;
	dir->asks = false;
	memset(&dir->answer, 0, sizeof(dir->answer));
	ugnf_direction_start(dir, seq, true, now);
	if (ugnf_direction_sequence(dir))
		dir->resyncs = ugnf_direction_sequence(dir)->resyncs;
}

/*
 * Did the payload of a SYN begin the stream at @first, with nothing acknowledged yet? A SYN-ACK to
 * the SYN alone may be older than that payload: a server with SYN cookies answers a SYN without
 * payload, and may take the payload of the next. So what was let through stays the beginning.
 */
static bool is_begun_by_syn(const struct ugnf_direction *dir, u32 first)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	return !dir->begun && seq && seq->started && !seq->picked_up && !seq->acked &&
	       beginning_of(seq) == first && seq->snd_una == first;
}

/* Has anything been acknowledged since the stream began at @first? */
static bool has_gone_on(const struct ugnf_direction *dir, u32 first)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	return seq && seq->started && seq->snd_una != first;
}

/*
 * Does a SYN-ACK with @ack give @dir another beginning than the known one? It may repeat the known
 * one, or acknowledge part of the payload of the SYN as well. But if it has the known number
 * after later octets were acknowledged, it belongs to another connection.
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
	return (dir->syn_seen && ack == dir->syn + 1) || (!seq->acked && ack != seq->snd_nxt);
}

/*
 * Does a SYN-ACK of @own begin another connection than the one that is known? There is none to
 * begin if @other has sent no SYN, or has sent a SYN-ACK, as where both ends call each other.
 * If @own was called and has begun, another number in its SYN-ACK means another connection, and so
 * does the same number after later octets, where @other still waits for an answer. In other cases,
 * the SYN-ACK must answer a new SYN of @other. And if @own has not begun, an earlier SYN of it may
 * belong to this connection: it may have crossed the SYN of @other, or be another SYN-ACK to the
 * same SYN.
 */
static bool is_new_connection(const struct ugnf_direction *own, const struct ugnf_direction *other,
			      const struct ugnf_sighting *sighting)
{
	u32 first = sighting->header->seq + 1;

	if (!other->syn_seen || other->syn_answers)
		return false;
	/* The SYN that it answers came with an answer to a SYN of @own: both begin there. */
	if (own->begun && own->begin != first && own->was_called_back && own->was_answered &&
	    own->answered == sighting->ack)
		return false;
	if (own->begun && !own->is_caller &&
	    (own->begin != first ||
	     (ugnf_handshake_is_answer(other, sighting) && has_gone_on(own, first))))
		return true;
	if (sighting->ack != other->syn + 1 || !is_new_beginning(other, sighting->ack))
		return false;
	/* Its SYN has crossed that of @other, and may have begun the stream. */
	if (own->calls && own->syn + 1 == first && (!own->begun || own->begin == first) &&
	    !has_gone_on(own, first))
		return false;
	return own->begun || !own->syn_seen ||
	       (own->syn_answers && other->begun && other->begin != sighting->ack);
}

/*
 * Forgets the known connection: @header is the SYN-ACK of a new one. If another SYN-ACK has
 * answered the same SYN, the acknowledgment tells which of them the caller took.
 */
static void connect_anew(struct ugnf_direction *own, const struct ugnf_direction *other,
			 const struct ugnf_segment_header *header)
{
	own->begun = false;
	own->syn_seen = false;
	own->syn_many = other->calls && other->was_called_back;
	if (ugnf_direction_sequence(own))
		begin_anew(own, header->seq + 1, header->now);
}

/**
 * ugnf_handshake_contradicts() - has a SYN-ACK another number than its receiver has acknowledged?
 * @own: the direction of its sender
 * @other: the other direction
 * @sighting: the SYN-ACK
 *
 * It does not move the beginning of @own, but it says where @other begins: who sends it is the
 * receiver of that stream, and may have given up one connection for another.
 *
 * Context: any; the flow is locked.
 * Return: whether it has.
 */
bool ugnf_handshake_contradicts(const struct ugnf_direction *own,
				const struct ugnf_direction *other,
				const struct ugnf_sighting *sighting)
{
	return sighting->has_ack && is_being_answered(other, sighting) && own->begun &&
	       own->begin != sighting->header->seq + 1;
}

/**
 * ugnf_handshake_learn() - learn of a SYN that was not seen from the answer to it
 * @own: the direction of its sender
 * @other: the direction of who sent the SYN
 * @sighting: the SYN-ACK
 *
 * If no rule is for that direction, a connection is followed from its SYN-ACK on, or from octets,
 * or a SYN of its sender, before that. Connection tracking knows the number of the SYN, unless that
 * had payload. But where a SYN-ACK of @other has answered a SYN of @own, what @other has sent was
 * seen: there is no other SYN, whatever @own acknowledges.
 *
 * Context: any; the flow is locked.
 */
void ugnf_handshake_learn(const struct ugnf_direction *own, struct ugnf_direction *other,
			  const struct ugnf_sighting *sighting)
{
	if (own->is_caller || own->has_called || other->syn_seen ||
	    sighting->state != TCP_CONNTRACK_SYN_RECV)
		return;
	other->syn = sighting->other_end - 1;
	other->syn_first = other->syn;
	other->syn_len = 0;
	other->syn_seen = true;
	other->syn_answers = false;
	other->has_other_scale = true;
	other->calls = true;
	other->went_on = false;
	other->was_called_back = calls_back(other, sighting->ack);
}

/**
 * ugnf_handshake_note() - take note of a SYN
 * @own: the direction of its sender
 * @other: the other direction
 * @sighting: the SYN, or SYN-ACK
 *
 * If there are several, only the answer tells which one the receiver took.
 *
 * Context: any; the flow is locked.
 * Return: whether it may begin anything.
 */
bool ugnf_handshake_note(struct ugnf_direction *own, const struct ugnf_direction *other,
			 const struct ugnf_sighting *sighting)
{
	u32 syn = sighting->header->seq;
	bool is_same = own->syn_seen && own->syn == syn;

	/* Connection tracking takes the options of a SYN that ends later than the one before. */
	own->has_other_scale |= sighting->has_other_scale ||
		(own->syn_seen && (!is_same || sighting->header->len > own->syn_len));
	if (is_amid(own, syn + 1))
		return false;
	if (sighting->has_ack) {
		if (!is_being_answered(other, sighting))
			return false;
		if (is_new_connection(own, other, sighting))
			connect_anew(own, other, sighting->header);
		else if (ugnf_handshake_contradicts(own, other, sighting))
			return false;
	} else {
		own->calls = true;
		own->was_called_back = false;
		own->went_on = false;
		own->syn_len = sighting->header->len;
	}
	if (!own->syn_seen || own->begun)
		own->syn_first = syn;
	own->syn_many |= own->syn_seen && own->syn != syn;
	/* A SYN may come late, after the SYN-ACK with the same number: that still answers. */
	own->syn_answers = sighting->has_ack ||
			   (is_same && own->syn_answers && is_being_answered(other, sighting));
	own->syn_seen = true;
	own->syn = syn;
	return true;
}

/* The stream was begun by the payload of its SYN, and the answer acknowledges that SYN. */
static void confirm(struct ugnf_direction *dir)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	if (!dir->begun && !seq->picked_up)
		begin(dir, beginning_of(seq));
}

/* The answer acknowledges octets that no rule has judged, so the stream began at no known SYN. */
static void forget_syn(struct ugnf_direction *dir)
{
	dir->begun = false;
	dir->syn_seen = dir->calls;
	dir->syn_many = false;
	dir->was_answered = false;
}

/* Is @ack the answer to the last SYN of @dir, or to the first? */
static bool is_called_for(const struct ugnf_direction *dir, u32 ack)
{
	return dir->syn_seen && (ack == dir->syn + 1 || ack == dir->syn_first + 1);
}

/*
 * A SYN-ACK says where the @other direction begins. If @other had begun elsewhere, this is a
 * new connection with the conntrack of the old one.
 */
static void answer_syn(struct ugnf_direction *own, struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting)
{
	bool is_called = !own->is_caller || ugnf_handshake_is_answer(other, sighting);

	if (!is_new_beginning(other, sighting->ack)) {
		if (ugnf_direction_sequence(other))
			confirm(other);
		if (is_called)
			ugnf_ending_begin_again(own, other, sighting);
		return;
	}
	if (!is_called_for(other, sighting->ack)) {
		forget_syn(other);
		other->is_denied = true;
		ugnf_direction_start(other, sighting->ack, false, sighting->header->now);
		return;
	}
	if (is_called) {
		other->has_called = true;
		ugnf_ending_begin(own, other, sighting);
	}
	if (is_begun_by_syn(other, sighting->ack))
		other->right_edge_known = false;
	else
		begin_anew(other, sighting->ack, sighting->header->now);
	begin(other, sighting->ack);
	/* The SYN-ACK may be older than what the server has taken of the connection before. */
	other->is_over |= other->went_on;
}

/* Is it a number from before the SYN-ACK of the direction, so that it is about nothing after it? */
static bool is_before_syn_ack(const struct ugnf_direction *dir, u32 ack)
{
	return dir->syn_seen && dir->syn_answers && !dir->syn_many &&
	       ugnf_seq_before(ack, dir->syn + 1);
}

/* An acknowledgment of a direction of which nothing was judged. */
static void answer_nothing(struct ugnf_direction *dir, u32 ack)
{
	if (!dir->begun && dir->syn_seen && dir->syn_answers &&
	    (dir->syn_many || ack == dir->syn + 1)) {
		begin(dir, ack);
	} else if (dir->begun ? ugnf_seq_before(dir->begin, ack) : !is_before_syn_ack(dir, ack)) {
		/* The receiver has octets that no rule has judged. */
		forget_syn(dir);
	}
}

/*
 * Was the stream begun by the payload of a SYN that is not answered yet? There is no doubt where a
 * SYN-ACK of the end that was called has begun it: that end sends only where its stream begins.
 */
static bool is_in_doubt(const struct ugnf_direction *dir)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);

	if (!dir->syn_seen || dir->begun || !seq || !seq->started || seq->picked_up)
		return false;
	return !ugnf_direction_answers(dir) || beginning_of(seq) != dir->syn + 1;
}

/* The direction went on after its own SYN-ACK, which @ack now acknowledges as its beginning. */
static void answer_followed(struct ugnf_direction *dir, u32 ack)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(dir);
	u32 first = beginning_of(seq);

	if (dir->syn_seen && !dir->syn_many && first == dir->syn + 1 &&
	    !ugnf_seq_before(ack, first) && !ugnf_seq_before(seq->snd_nxt, ack))
		confirm(dir);
}

/**
 * ugnf_handshake_answer() - learn from an acknowledgment where a stream begins
 * @own: the direction of its sender
 * @other: the direction that it acknowledges
 * @sighting: the acknowledgment; if it has a SYN, ugnf_handshake_note() has seen it
 *
 * Context: any; the flow is locked.
 */
void ugnf_handshake_answer(struct ugnf_direction *own, struct ugnf_direction *other,
			   const struct ugnf_sighting *sighting)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(other);

	if (sighting->header->syn) {
		other->was_called_back |= ugnf_handshake_is_answer(other, sighting);
		answer_syn(own, other, sighting);
		return;
	}
	if (own->was_called_back)
		own->calls = false;
	if (!seq)
		answer_nothing(other, sighting->ack);
	else if (is_in_doubt(other))
		ugnf_direction_start(other, sighting->ack, false, sighting->header->now);
	else if (seq->started)
		answer_followed(other, sighting->ack);
}

/**
 * ugnf_handshake_is_in_doubt() - is the beginning of a stream not acknowledged yet?
 * @dir: the direction
 * @header: of a segment of it that has payload, or ends it
 *
 * Context: any; the flow is locked.
 * Return: whether it is not acknowledged.
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
 * ugnf_handshake_is_ambiguous() - is it unknown where a segment is in its stream?
 * @dir: of its sender
 * @sighting: the segment
 *
 * A segment without SYN is ambiguous if there were several SYNs and no answer. A SYN is ambiguous
 *
 * - if it is to be divided, so that any piece of it may begin the stream;
 * - if its number is among the octets of its own stream;
 * - if its payload was acknowledged before. The receiver may have given up that connection without
 *   a word and begin another one with this payload, and nothing is left to compare it with. A
 *   sender who missed the SYN-ACK gets it again, whether or not he repeats the payload;
 * - if it is one of several SYNs and has payload, or octets were let through after one of them.
 *   That with which the stream began is one of them.
 *
 * Context: any; the flow is locked.
 * Return: whether it is unknown.
 */
bool ugnf_handshake_is_ambiguous(const struct ugnf_direction *dir,
				 const struct ugnf_sighting *sighting)
{
	const struct ugnf_segment_header *header = sighting->header;

	if (header->syn)
		return ugnf_segment_is_multiple(header) || is_amid(dir, header->seq + 1) ||
		       (header->len && has_gone_on(dir, header->seq + 1)) ||
		       (header->len && dir->begun && dir->begin != header->seq + 1) ||
		       (dir->syn_many && (header->len || is_followed_unanswered(dir)));
	return dir->syn_many && !dir->begun && !ugnf_direction_sequence(dir);
}
