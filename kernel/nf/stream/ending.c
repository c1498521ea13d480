// SPDX-License-Identifier: GPL-2.0
/*
 * When a connection has ended, for a server that keeps nothing of a connection at its beginning.
 *
 * A server with SYN cookies (RFC 4987 section 3.6) keeps nothing of a SYN. It sends a number in the
 * SYN-ACK from which it knows the SYN again, and any acknowledgment of such a number begins a
 * connection there, for two minutes. Linux does so while its backlog is full, which a remote peer
 * can bring about. Such a peer may have SYN-ACKs for several SYNs, and use one after the other.
 * So whatever a segment says, the server may take it for the first one of a connection, unless it
 * has a connection. Then
 *
 * 1. until the server has shown that it has a connection, a segment must acknowledge the SYN-ACK
 *    that began the stream, or what came after it. Any other number may be a cookie for another
 *    SYN, which need not have been sent: Linux adds the number of the SYN to a secret, so one
 *    cookie tells those of all SYNs in the same minute. After such a number, with payload or
 *    without, the server may have another connection, until it acknowledges the beginning of the
 *    known stream and nothing of it: whichever connection it has, that takes what is judged next;
 *    Linux also adds a number from 0 to 3 that stands for a segment size. So the same cookie is
 *    good for a connection that begins up to three octets earlier or later, as the first segment
 *    to arrive says. Such a segment is withheld: with payload, or an acknowledgment alone that is
 *    after the beginning. Who is honest sends the octets from the beginning again;
 * 2. after a connection, there is none: what goes on in its stream, or seems to be sent again, may
 *    be the beginning of another. A connection is over after a reset that the receiver may take, or
 *    any reset once the server has sent a FIN; after both ends have sent a FIN, once that of the
 *    sender is acknowledged or an acknowledgment may be on its way; while a reset may be on its
 *    way that answers what came after a FIN of the server; and some time after the server has sent
 *    a FIN alone;
 * 3. who has sent another SYN, and goes on before it is answered, may be in the known connection or
 *    in the next. What acknowledges a number of the next is refused, and once the SYN-ACK has come,
 *    so is all that follows.
 *
 * Payload is refused after that, until another SYN is answered; in 1, also until the beginning is
 * acknowledged. So who forges a reset between what was
 * sent and what was acknowledged, or any reset after the server has sent a FIN, ends a connection
 * here that the receiver would not end.
 *
 * Connection tracking finds some segments invalid that their receivers take: with a SACK block of
 * what was never sent, Linux ignores only the block. So these tell of windows, of what was sent and
 * of ends, too, where their numbers fit what is known.
 *
 * A server may also forget a connection without a FIN or a reset. Before a cookie is too old, that
 * takes a limit on unacknowledged data as short (TCP_USER_TIMEOUT). utf8guard(8) says so.
 *
 * Tests: as for handshake.c; play_attack() has such servers. Fixed cases are in tcp_ending.c.
 */
#include "../../codec/codec.h"
#include "tcb.h"

/* Is @seq in the range from @first to @last? */
static bool is_within(u32 seq, u32 first, u32 last)
{
	return !ugnf_seq_before(seq, first) && !ugnf_seq_before(last, seq);
}

static void note_sent(struct ugnf_direction *own, u32 end)
{
	if (!own->has_sent || ugnf_seq_before(own->sent_end, end))
		own->sent_end = end;
	own->has_sent = true;
}

/* A receiver that is the attacker may acknowledge what was never sent. */
static void note_acked(struct ugnf_direction *dir, u32 ack, u32 now)
{
	if (!dir->has_sent || ugnf_seq_before(dir->sent_end, ack))
		return;
	if (!dir->was_acked || ugnf_seq_before(dir->acked_end, ack)) {
		dir->acked_end = ack;
		dir->taken_at = now;
	}
	dir->was_acked = true;
}

/* Has its sender called again, and got no answer yet? */
static bool is_waiting(const struct ugnf_direction *own)
{
	return own->calls && !own->was_called_back;
}

/* How much lower than the last one an acknowledgment may be: it was overtaken on its way. */
#define OVERTAKEN 65535

/**
 * ugnf_ending_is_known() - is it a number of the known connection?
 * @dir: a direction
 * @ack: a number that its receiver acknowledges
 *
 * Context: any; the flow is locked.
 * Return: whether @dir has sent that number, or may send it next, and not long ago.
 */
bool ugnf_ending_is_known(const struct ugnf_direction *dir, u32 ack)
{
	u32 last = dir->was_acked ? dir->acked_end : dir->sent_end;

	return dir->has_sent && is_within(ack, last - OVERTAKEN, dir->sent_end);
}

/* Are there numbers before @end that its receiver has not acknowledged? */
static bool is_unacked(const struct ugnf_direction *dir, u32 end)
{
	return !dir->was_acked || ugnf_seq_before(dir->acked_end, end);
}

/*
 * The lowest counts: a later one might never be acknowledged. Octets that are on their way may
 * reach the sender of the FIN after he has sent it.
 */
static void note_fin(struct ugnf_direction *own, struct ugnf_direction *other, u32 end, u32 now)
{
	if (!own->has_fin) {
		other->taken_at = now;
		other->asked_end = other->sent_end;
		other->asked_at = now;
	}
	if (!own->has_fin || ugnf_seq_before(end, own->fin_end))
		own->fin_end = end;
	own->has_fin = true;
}

static bool is_fin_acked(const struct ugnf_direction *dir)
{
	return dir->has_fin && dir->was_acked && !ugnf_seq_before(dir->acked_end, dir->fin_end);
}

/* Of the connection that begins, nothing has ended. */
static void forget_end(struct ugnf_direction *dir)
{
	dir->has_fin = false;
	dir->has_closed = false;
	dir->is_over = false;
	dir->is_elsewhere = false;
	dir->is_taken = false;
}

/* How long ago @then was; a little less than 0 where another processor has noted it meanwhile. */
static int age(u32 then, const struct ugnf_sighting *sighting)
{
	return sighting->header->now - then;
}

/*
 * Who has closed a connection and acknowledged that the other end has, need not wait until his FIN
 * is acknowledged: the server may be without a connection before that acknowledgment has come by.
 * If it does not come for so long, the FIN or octets before it were lost, and are sent again, in
 * Linux after 200 ms or more. A server may be farther away than that.
 */
#define ANSWER_MS 150

/*
 * May a SYN-ACK have been overtaken? A client that acknowledges another cookie makes the server
 * begin that connection instead. A SYN-ACK that is still on its way then counts for nothing.
 */
static bool is_late(const struct ugnf_direction *other, const struct ugnf_sighting *sighting)
{
	return other->is_elsewhere && age(other->asked_at, sighting) < ANSWER_MS;
}

/**
 * ugnf_ending_begin() - a SYN-ACK begins a connection
 * @own: the direction of its sender, who was called
 * @other: the other direction, whose stream it begins
 * @sighting: the SYN-ACK
 *
 * Context: any; the flow is locked.
 */
void ugnf_ending_begin(struct ugnf_direction *own, struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting)
{
	const bool late = is_late(other, sighting);

	forget_end(own);
	own->sent_end = ugnf_segment_end(sighting->header);
	own->has_sent = true;
	own->was_acked = false;
	own->has_answered_anew = false;
	own->right_edge_known = false;
	forget_end(other);
	other->is_elsewhere = late;
	other->answered = sighting->header->seq + 1;
	other->was_answered = true;
	other->sent_end = sighting->ack;
	other->acked_end = sighting->ack;
	other->has_sent = true;
	other->was_acked = true;
}

/**
 * ugnf_ending_begin_again() - another SYN-ACK begins the same stream
 * @own: the direction of its sender, who was called
 * @other: the other direction, whose stream it begins
 * @sighting: the SYN-ACK
 *
 * Context: any; the flow is locked.
 */
void ugnf_ending_begin_again(struct ugnf_direction *own, struct ugnf_direction *other,
			     const struct ugnf_sighting *sighting)
{
	u32 first = sighting->header->seq + 1;

	if (other->was_answered && first == other->answered)
		return;
	own->has_answered_anew |= !own->begun || own->begin != first;
	other->answered = first;
	other->was_answered = true;
	other->is_taken = false;
	own->sent_end = ugnf_segment_end(sighting->header);
	own->has_sent = true;
}

/* May a segment with an acknowledgment begin a connection, as its server has shown none yet? */
static bool may_begin(const struct ugnf_direction *own, const struct ugnf_sighting *sighting)
{
	const struct ugnf_sequence *seq = ugnf_direction_sequence(own);

	if (!own->was_answered || !sighting->has_ack)
		return false;
	/* The server has acknowledged payload. */
	return !(seq && seq->started && (seq->picked_up || seq->snd_una != own->begin));
}

/* Does it acknowledge another SYN-ACK than that which began the stream? */
static bool is_for_another(const struct ugnf_direction *own, const struct ugnf_direction *other,
			   const struct ugnf_sighting *sighting)
{
	return may_begin(own, sighting) &&
	       !is_within(sighting->ack, own->answered, other->sent_end);
}

/* A cookie has room for so much besides the number of its SYN: one of four segment sizes. */
#define BESIDE 3

/**
 * ugnf_ending_is_beside() - may a segment begin the known connection at another octet?
 * @own: the direction of its sender
 * @sighting: the segment
 *
 * Octets before the known beginning would not be judged. A segment without any may begin it there,
 * because the next octets that arrive must be those. Octets after the beginning may be in a segment
 * or in one of its pieces, which arrives alone. A FIN alone ends what it begins.
 *
 * Context: any; the flow is locked.
 * Return: whether it may.
 */
bool ugnf_ending_is_beside(const struct ugnf_direction *own, const struct ugnf_sighting *sighting)
{
	const struct ugnf_segment_header *header = sighting->header;
	u32 ahead = header->seq - own->begin;

	if (header->syn || !own->begun || !may_begin(own, sighting))
		return false;
	if (ugnf_seq_before(header->seq, own->begin))
		return header->len;
	if (!ahead)
		return header->piece && header->piece <= BESIDE && header->piece < header->len;
	return ahead <= BESIDE && (header->len || !header->fin);
}

/*
 * A server that has closed its connection alone forgets it when the client has not done so for
 * tcp_fin_timeout, 60 s in Linux, or when its FIN was not acknowledged for 100 s. It tells nobody.
 * Before that, it answers by a reset, and whoever uses a stale connection again needs it.
 * Connection tracking keeps such a connection for 60 s.
 */
#define ALONE_MS 55000

/* Has the server closed the connection, of which @own is the direction of the client? */
static bool is_closed_by_server(const struct ugnf_direction *own,
				const struct ugnf_direction *other)
{
	return (own->is_caller || own->has_called) && other->has_fin;
}

/* May the server have forgotten the connection, as it has sent a FIN and taken nothing since? */
static bool is_left_alone(const struct ugnf_direction *own, const struct ugnf_direction *other,
			  const struct ugnf_sighting *sighting)
{
	return is_closed_by_server(own, other) && age(own->taken_at, sighting) >= ALONE_MS;
}

/* A segment may belong to another connection than the one that is followed. */
static void note_another(struct ugnf_direction *own, const struct ugnf_direction *other,
			 const struct ugnf_sighting *sighting)
{
	if (is_for_another(own, other, sighting)) {
		own->is_elsewhere = true;
		own->asked_at = sighting->header->now;
	}
	own->is_over |= is_left_alone(own, other, sighting);
}

/*
 * May a segment belong to a connection whose SYN-ACK is yet to come? Who has sent another SYN, to
 * a server that has forgotten the connection, may guess the number of the SYN-ACK, and go on before
 * it was sent. If the server has called, too, the number is that of its SYN.
 */
static bool is_too_early(const struct ugnf_direction *own, const struct ugnf_direction *other,
			 const struct ugnf_sighting *sighting)
{
	if (!is_waiting(own) || !sighting->has_ack || !other->has_sent)
		return false;
	return (other->calls && !other->went_on) || !ugnf_ending_is_known(other, sighting->ack);
}

/*
 * Have both ends closed the connection, so that an acknowledgment of the last FIN is on its way?
 * The octets before that FIN come in the same segment, so it must have been let through before.
 */
static bool is_closing(const struct ugnf_direction *own, const struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting)
{
	return own->has_closed && is_fin_acked(other) &&
	       age(other->taken_at, sighting) < ANSWER_MS;
}

/*
 * May the server have answered an earlier segment by a reset, which is on its way? Linux does so
 * where its process has closed the connection, and knows nothing of it then.
 */
static bool is_asking(const struct ugnf_direction *own, const struct ugnf_direction *other,
		      const struct ugnf_sighting *sighting)
{
	return is_closed_by_server(own, other) && is_unacked(own, own->asked_end) &&
	       age(own->asked_at, sighting) < ANSWER_MS;
}

/**
 * ugnf_ending_ask() - take note of a segment that the server may answer by a reset
 * @own: the direction of its sender
 * @other: the other direction
 * @header: of the segment, which is not refused before it is judged
 *
 * These are all but those of which it has acknowledged everything. One may be lost and sent again,
 * so each time counts.
 *
 * Context: any; the flow is locked.
 */
void ugnf_ending_ask(struct ugnf_direction *own, const struct ugnf_direction *other,
		     const struct ugnf_segment_header *header)
{
	u32 end = ugnf_segment_end(header) + header->fin;

	if (!is_closed_by_server(own, other) || !is_unacked(own, end))
		return;
	own->asked_end = end;
	own->asked_at = header->now;
}

/*
 * Octets that the sender of a segment may have received and not acknowledged in it, because it was
 * overtaken on its way: in 3 ms at 10 Gbit/s.
 */
#define LAG 0x400000

/*
 * Does a segment acknowledge what was acknowledged long ago? Connection tracking lets it pass, of
 * whoever knows no more than the addresses and ports; its receiver ignores it (RFC 5961 section
 * 5.2). If its octets were remembered, those that the sender sends in their place would differ.
 * Where connection tracking is liberal, the numbers that were acknowledged may be anybody's.
 */
static bool is_from_long_ago(const struct ugnf_direction *own, const struct ugnf_direction *other,
			     const struct ugnf_sighting *sighting)
{
	return sighting->has_ack && !sighting->is_liberal && other->was_acked &&
	       !is_waiting(own) && ugnf_seq_before(sighting->ack, other->acked_end - LAG);
}

/**
 * ugnf_ending_is_passed() - may a segment belong to another connection than the known one?
 * @own: the direction of its sender
 * @other: the other direction
 * @sighting: the segment
 *
 * A FIN without octets ends the known connection, or nothing. But if its sender went on before his
 * SYN was answered, it is not known which connection the receiver has.
 *
 * Context: any; the flow is locked.
 * Return: whether it may.
 */
bool ugnf_ending_is_passed(const struct ugnf_direction *own, const struct ugnf_direction *other,
			   const struct ugnf_sighting *sighting)
{
	const struct ugnf_segment_header *header = sighting->header;

	if (header->syn)
		return false;
	if (ugnf_ending_is_beside(own, sighting))
		return true;
	if (own->is_over || own->is_elsewhere)
		return header->len || (header->fin && own->went_on);
	return header->len &&
	       (is_too_early(own, other, sighting) || is_closing(own, other, sighting) ||
		is_asking(own, other, sighting) || is_from_long_ago(own, other, sighting));
}

/**
 * ugnf_ending_is_beyond() - is a FIN beyond the window that its receiver has announced?
 * @own: the direction of its sender
 * @header: of the segment
 *
 * Such a FIN is not noted. Whoever forged it need not know where the stream is.
 *
 * Context: any; the flow is locked.
 * Return: whether it is.
 */
bool ugnf_ending_is_beyond(const struct ugnf_direction *own,
			   const struct ugnf_segment_header *header)
{
	return own->right_edge_known && ugnf_seq_before(own->right_edge, ugnf_segment_end(header));
}

/* May connection tracking know another scale of the windows than both ends do? */
static bool is_edge_vague(const struct ugnf_direction *own, const struct ugnf_direction *other)
{
	return own->has_other_scale || other->has_other_scale;
}

/*
 * May an invalid segment be taken for sent, wherever it is? The caller may be the attacker: numbers
 * that it never reaches would make those that are acknowledged seem never sent.
 */
static bool may_send_beyond(const struct ugnf_direction *own, const struct ugnf_direction *other)
{
	return is_edge_vague(own, other) && !(own->is_caller || own->has_called);
}

/*
 * May the receiver take a FIN that connection tracking finds invalid? It looks at the
 * acknowledgment, too, but takes an old one. The caller may send such; the server, who is honest,
 * does not.
 */
static bool may_end(const struct ugnf_direction *own, const struct ugnf_direction *other,
		    const struct ugnf_sighting *sighting, u32 end)
{
	bool is_known = sighting->has_ack && ugnf_ending_is_known(other, sighting->ack);

	if (!own->was_acked || ugnf_seq_before(end, own->acked_end))
		return false;
	if (ugnf_ending_is_beyond(own, sighting->header))
		return is_known && is_edge_vague(own, other);
	return is_known || !(other->is_caller || other->has_called);
}

/**
 * ugnf_ending_is_taken() - may the receiver of a segment take any octet of it?
 * @own: the direction of its sender
 * @other: the direction of its receiver
 * @header: of the segment
 *
 * It has those that it has acknowledged, and takes none beyond its window. Whoever forges such a
 * segment need not know where the stream is. But the octet with which a sender probes a closed
 * window (RFC 9293, 3.8.6.1) is right after that, and may be taken. And if the receiver has called
 * with several SYNs, its window may be wider than it seems: connection tracking knows the scale of
 * one of them, and the sender may have answered another. Where the sender has answered by several
 * SYN-ACKs, all that is known is about the last one.
 *
 * Context: any; the flow is locked.
 * Return: whether it may.
 */
bool ugnf_ending_is_taken(const struct ugnf_direction *own, const struct ugnf_direction *other,
			  const struct ugnf_segment_header *header)
{
	bool is_probe = header->len == 1;

	if (own->has_answered_anew)
		return true;
	if (!is_unacked(own, ugnf_segment_end(header)))
		return false;
	return !own->right_edge_known || other->has_other_scale ||
	       ugnf_seq_before(ugnf_segment_first(header), own->right_edge + is_probe);
}

/**
 * ugnf_ending_is_acceptable() - may the receiver of a segment take what it acknowledges?
 * @own: the direction of its sender
 * @other: the direction of its receiver
 * @sighting: the segment, which connection tracking finds invalid
 *
 * It does so by the number of the segment (RFC 9293, 3.10.7.4), which nobody knows who has not
 * seen the connection. Where that is not known, it is by what the segment acknowledges.
 *
 * Context: any; the flow is locked.
 * Return: whether it may.
 */
bool ugnf_ending_is_acceptable(const struct ugnf_direction *own, const struct ugnf_direction *other,
			       const struct ugnf_sighting *sighting)
{
	const struct ugnf_segment_header *header = sighting->header;

	if (!own->was_acked || own->has_answered_anew)
		return ugnf_ending_is_known(other, sighting->ack);
	if (ugnf_seq_before(ugnf_segment_end(header) + header->fin, own->acked_end))
		return false;
	return !ugnf_ending_is_beyond(own, header) ||
	       ((own->is_edge_capped || is_edge_vague(own, other)) &&
		ugnf_ending_is_known(other, sighting->ack));
}

/**
 * ugnf_ending_stray() - take note of a segment that connection tracking finds invalid
 * @own: the direction of its sender
 * @other: the other direction
 * @sighting: the segment; not a SYN or RST
 *
 * It may have begun another connection. It need not have payload for that: the connection takes
 * what comes next. Its receiver may also take what it has and acknowledges, and a FIN.
 *
 * Context: any; the flow is locked.
 */
void ugnf_ending_stray(struct ugnf_direction *own, struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting)
{
	const struct ugnf_segment_header *header = sighting->header;
	u32 end = ugnf_segment_end(header) + header->fin;

	note_another(own, other, sighting);
	own->went_on |= is_waiting(own);
	if (own->right_edge_known && own->has_sent && sighting->has_ack &&
	    ugnf_ending_is_known(other, sighting->ack) &&
	    (may_send_beyond(own, other) ||
	     is_within(end, own->sent_end,
		       own->right_edge + (header->fin || header->len == 1))))
		note_sent(own, end);
	if (header->fin && may_end(own, other, sighting, end)) {
		note_sent(own, end);
		note_fin(own, other, end, header->now);
		ugnf_ending_ask(own, other, header);
	}
	if (!sighting->has_ack || is_waiting(own) || !ugnf_ending_is_known(other, sighting->ack) ||
	    !ugnf_ending_is_acceptable(own, other, sighting))
		return;
	note_acked(other, sighting->ack, header->now);
	other->is_over |= own->has_fin && is_fin_acked(other);
}

/*
 * Does a segment acknowledge octets of @other, and end at @end, after all that its sender has sent?
 * Where connection tracking has not seen a connection begin, it does not know which end was called,
 * and the caller can acknowledge what he likes.
 */
static bool takes(const struct ugnf_direction *own, const struct ugnf_direction *other,
		  const struct ugnf_sighting *sighting, u32 end)
{
	return !sighting->header->syn && end == own->sent_end && other->was_acked &&
	       is_within(sighting->ack, other->acked_end + 1, other->sent_end) &&
	       (other->begun || !sighting->is_liberal);
}

/*
 * Connection tracking lets a FIN pass whose number is too low, of whoever knows no more than the
 * addresses and ports; its receiver ignores it. But a server with SYN cookies may have begun
 * another connection, with lower numbers, unless it has acknowledged payload of the known one.
 */
static bool is_fin_of_old(const struct ugnf_direction *own, const struct ugnf_direction *other,
			  u32 end)
{
	return (own->is_caller ? own : other)->is_taken && own->was_acked &&
	       ugnf_seq_before(end, own->acked_end);
}

/*
 * The server has the connection that another SYN-ACK than the known one began, so its numbers are
 * not those of the known one. If they are lower, it may seem to have sent, and the client to have
 * acknowledged, what was never sent; if they are higher, nothing may seem to be acknowledged.
 * Either way, its reset would seem to be of no connection.
 */
static void note_elsewhere(struct ugnf_direction *own, const struct ugnf_segment_header *header,
			   u32 end)
{
	own->sent_end = end;
	if (!own->was_acked || ugnf_seq_before(header->seq, own->acked_end))
		own->acked_end = header->seq;
	own->was_acked = true;
}

/**
 * ugnf_ending_note() - take note of what a segment says about the end of its connection
 * @own: the direction of its sender
 * @other: the other direction
 * @sighting: the segment; not a RST
 *
 * Context: any; the flow is locked.
 */
void ugnf_ending_note(struct ugnf_direction *own, struct ugnf_direction *other,
		      const struct ugnf_sighting *sighting)
{
	const struct ugnf_segment_header *header = sighting->header;
	u32 end = ugnf_segment_end(header) + header->fin;

	if (!header->syn)
		note_another(own, other, sighting);
	own->went_on |= !header->syn && is_waiting(own);
	note_sent(own, end);
	if (header->fin && !is_fin_of_old(own, other, end))
		note_fin(own, other, end, header->now);
	if (sighting->has_ack) {
		other->is_taken |= takes(own, other, sighting, end);
		/*
		 * Who waits for another connection may acknowledge what is of that. But his SYN may
		 * be forged, and then the known connection goes on.
		 */
		if (!is_waiting(own) || ugnf_ending_is_known(other, sighting->ack))
			note_acked(other, sighting->ack, header->now);
		/* Its sender has a connection, so there is nothing more to be told by cookies. */
		if (!header->syn && !ugnf_seq_before(sighting->ack, other->begin))
			other->was_answered = false;
		if (!header->syn && other->begun && sighting->ack == other->begin &&
		    other->is_elsewhere) {
			note_elsewhere(own, header, end);
			other->is_elsewhere = false;
		}
	}
	other->is_over |= own->has_fin && is_fin_acked(other);
}

/*
 * May the connection be over after a reset with this number? Linux takes one at the next octet, at
 * the end of octets that came early, and at the FIN before the next octet. Connection tracking is
 * too strict: it wants the number that was acknowledged last.
 *
 * If a client has made its window narrower than what was sent, Linux takes the end of that as the
 * number (tcp_acceptable_seq()). It may be before what the client seems to have acknowledged, by a
 * segment that the server did not take; or after what was seen of the server, if connection
 * tracking does not know the window. But it acknowledges what the server has, and nobody guesses
 * that. A client who resets with such a number has ended nothing.
 *
 * Where the process of a server has closed the connection, Linux takes any reset in the window. It
 * answers octets by a reset, whose number is what their segment acknowledges, and does not look at
 * that (tcp_timewait_state_process()): the client can choose it. Either way it has no connection
 * then.
 */
static bool is_reset(const struct ugnf_direction *own, const struct ugnf_direction *other,
		     const struct ugnf_sighting *sighting)
{
	if (is_closed_by_server(own, other) || is_closed_by_server(other, own))
		return true;
	if ((other->is_caller || other->has_called) && sighting->has_ack && other->was_acked &&
	    other->has_sent && is_within(sighting->ack, other->acked_end, other->sent_end))
		return true;
	return own->was_acked && own->has_sent &&
	       is_within(sighting->header->seq, own->acked_end - own->has_fin, own->sent_end);
}

/**
 * ugnf_ending_reset() - take note of a RST
 * @own: the direction of its sender
 * @other: the other direction
 * @sighting: the RST
 *
 * Context: any; the flow is locked.
 */
void ugnf_ending_reset(struct ugnf_direction *own, struct ugnf_direction *other,
		       const struct ugnf_sighting *sighting)
{
	if (!is_reset(own, other, sighting))
		return;
	own->is_over = true;
	other->is_over = true;
}
