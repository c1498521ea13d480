// SPDX-License-Identifier: GPL-2.0
/*
 * A stream that a parser reads: what is known of it between two segments.
 *
 * Definitions. The parser is struct ugnf_scope: it can go on from one state only, so new octets
 * are read in order. A boundary is where a segment that was let through, or a part of it that is
 * a segment on the wire, begins or ends; the parser is kept as it is there. A piece is the
 * octets between two boundaries that adjoin. The front is the last boundary: all before it was
 * read. A copy is the octets of segments that adjoin and were let through after the front, or for
 * which there were few boundaries left; a run is copies that follow each other, from P to Q. What
 * is missing between the front and P comes in a filler: a segment that begins at the front or
 * before it, and ends at P or after it.
 *
 *	snd_una          front             P             Q
 *	 |  read      |    missing     |   copies    |   nothing
 *	 +-----+------+                +------+------+
 *	 boundaries, parser known at each     let through, not read
 *
 * What is kept. The parser at each boundary from snd_una to the front; of each piece a sum of its
 * octets (stream/sums.c), but for ASCII that a text begins with, and for what is stepped over;
 * and the copies.
 *
 * The receiver is that of ooo_stream.c: of all octets with one sequence number it may take any,
 * and the beginning of a segment alone, and it delivers nothing after an octet that it does not
 * have. It may trim a segment that was copied at either end, and throw it away and ask for it
 * again. Its acknowledgments are as there.
 *
 * Claim. Under strict policy nothing is delivered that a parser would refuse that had read all
 * before it, and no valid stream is blocked. Where the framing is not followed any more, the
 * parser says so for all that comes, and the fail policy of the rule decides.
 *
 * In order. What a segment is read as is decided in inorder_range.c, whose words these are:
 *
 * 1. New octets (UGNF_RANGE_NEW) are read from the parser at the front, and make boundaries.
 * 2. Octets sent again (UGNF_RANGE_OLD) must begin and end at boundaries and lead the parser, at
 *    each boundary that they go over, to where it was (ugnf_scope_agrees()), with the sum that
 *    they had. So whatever parts of them the receiver joins, they are the same octets, but for
 *    those of which there is no sum, which lead to the same parser whatever they are; and
 *    they are not refused in between. At a boundary where the stream was picked up, and after it
 *    until a character is whole, the parser may know more than it did.
 * 3. Octets sent again that begin or end elsewhere are refused (UGNF_STREAM_UNVERIFIABLE), but
 *    for 4 to 6 and 11.
 * 4. Octets that a parser steps over may be any: where it will be after so many of them is
 *    known (ugnf_scope_skip()). So they may come before others, and pieces of nothing else be
 *    resegmented anywhere.
 * 5. One octet of ASCII leads the parser of a plain text to where many do. So pieces of ASCII
 *    may be resegmented anywhere, and are refused only if they are not ASCII the second time.
 * 6. Octets that were acknowledged are not read (UGNF_RANGE_DELIVERED). A piece that was
 *    acknowledged in part is read again if all of it is sent, from its beginning.
 * 7. Octets may take the place of others that were never received (UGNF_RANGE_RESEGMENTED), as in
 *    ooo_stream.c, if they begin at snd_una, where the parser is known, and end before the next
 *    boundary, and nothing from there was let through for UGNF_STREAM_HOLD. From their end to
 *    the next boundary there is a hole, whose octets are new. The boundaries after it stay, and
 *    the parser must be at each of them what it was. So if the old octets were delivered after
 *    all, and the new ones not, what follows still fits. Octets that go on over that boundary
 *    are refused, and a valid stream may be blocked so, for the reason in ooo_stream.c, 17.
 * 8. Octets that were acknowledged and never seen here are skipped: text is picked up after them,
 *    framing is not followed any more, and that is counted. A parser that steps over them goes
 *    on as it was. Nothing is lost where what came early after them is of this kind, too: all
 *    that is judged is the same, whatever those octets are. Boundaries after them stay, for what
 *    is between them may be on its way still.
 * 9. What has no room is refused as if it were lost. The octet that the receiver asks for is
 *    new, for which there is room in reserve (ugnf_range_has_room()), or was sent before, as in 2.
 *
 * By induction from the first octet: whatever octets the receiver takes, a parser that has read
 * what is delivered is at each boundary the one that is kept, and has refused nothing.
 *
 * Early segments, before which others are missing (UGNF_RANGE_EARLY):
 *
 * 10. At each octet of which there is a copy, all segments that were let through have the same
 *    octet: another is refused (UGNF_STREAM_DIFFERS), before it was read and after that, until
 *    it is acknowledged or the copy is not needed any more. So at P the octets up to Q are
 *    known, whatever the receiver takes, wherever it goes over from one segment to another.
 * 11. Where copies were read, they are one piece, from a boundary at P to one at Q, and may be
 *    resegmented anywhere (is_kept, UGNF_RANGE_SAME).
 * 12. A filler is read from the front; at its end, the copies that adjoin are read on from
 *    where it led to (ugnf_inorder_fold()). If any octet is refused up to Q, the filler is, and
 *    nothing has changed: the receiver never has what is before P, and delivers nothing after
 *    it. The octets of the filler that have copies must be these. Thus no run ever adjoins the
 *    front unread, and 10 and the induction hold with runs as pieces.
 * 13. The end of the stream may come early as well. Whether the text may end there is asked when
 *    the front comes to it, of the filler that brings it there (ugnf_inorder_is_end()).
 * 14. What is missing may come by another way, and the flow may be forgotten, as when somebody
 *    makes connection tracking believe in a reset. Then the copies are never read from the
 *    front. Text is judged by itself therefore when it comes early, with up to eight octets
 *    of copies on both sides, which tell where characters begin (ugnf_inorder_begin_alone()): so
 *    what is lost is the same as where a stream is picked up, the joint of two characters.
 *    Framing that is picked up is not followed, and the fail policy decides of the filler.
 *    Acknowledged in the middle of a run, the rest of it is read from there (read_on()).
 * 15. Another rule may have another parser. It takes over the copies (ugnf_inorder_adopt()).
 *    If it asks for ooo_stream.c, which has no use for copies, the stream is picked up.
 * 16. Where there is no memory for a copy, the segment is refused as if it were lost
 *    (UGNF_STREAM_AHEAD). So are early segments with urgent data, which some receivers deliver
 *    at once, and those of which only a later part is early. What the receiver asks for needs
 *    no copy.
 * 17. Memory that is taken back leaves octets of which nothing is known. Up to them nothing
 *    is let through any more (ugnf_inorder_give_up()): the connection hangs. If they are
 *    acknowledged all the same, they came by another way, and the stream is picked up there.
 * 18. A rule that lets everything through withholds no filler. What was refused is let
 *    through, with the run after it, and the stream is picked up there (ugnf_inorder_pass()).
 *
 * Lenient policy gives up what it does in ooo_stream.c: what cannot be compared is let through
 * if it is possible by itself (UGNF_RANGE_ALONE), sums are not compared, and old boundaries are
 * forgotten for new ones. Of what is framed nothing is possible by itself: there the fail policy
 * decides, and if it is closed, all is as under strict policy. Copies are compared in any case.
 *
 * Cost. An octet is read once, or twice if it is early text, and compared as often as it is sent.
 * A run that is refused could be read again for each filler, at the sender's will. Its verdict is
 * kept for the same parser at P, and for another parser it is read UGNF_FOLD_TRIES times at most
 * (struct ugnf_misfit); only who sends other octets with the same numbers comes to that.
 *
 * Tests: userspace/tests/host/payload/tcp_inorder.c, with the senders of kunit/inorder_senders.h.
 * play_inorder(): 1 to 7, 10 to 13, 16 and 17 at random, with receivers of each kind that take any
 * part of what was early, or the beginning of any segment. play_inorder_detour(): 8 and 14.
 * play_inorder_honest(), play_inorder_answers() and play_inorder_crowd(): no valid stream is
 * blocked, 9 and 16; play_inorder_reordered(): nor with early segments; play_inorder_resegmented():
 * 7. play_inorder_lenient(): a sender of the same octets under lenient policy.
 * play_inorder_middle(): a stream whose SYN was not seen. check_joined(): 2 where the stream was
 * picked up. check_found(): mistakes that 2, 7 and 8 once let through. check_end(): 13.
 * check_unfollowed(): framing that is not followed. check_stepped_over(): 4. check_copies(): 14,
 * 17 and the cost. check_adopted(): 15. check_passed(): 18.
 */
#include "../../codec/codec.h"
#include "inorder_stream.h"

/**
 * ugnf_inorder_init() - a reading of nothing yet
 * @stream: filled in
 * @initial: the parser at the beginning of a stream
 * @memory: of copies; NULL if there are to be none
 *
 * Context: any; pure.
 */
void ugnf_inorder_init(struct ugnf_inorder_stream *stream, const struct ugnf_scope *initial,
		       struct ugnf_memory *memory)
{
	memset(stream, 0, offsetof(struct ugnf_inorder_stream, boundaries));
	stream->copies.memory = memory;
	memcpy(&stream->initial, initial, sizeof(*initial));
}

static void remove_boundaries(struct ugnf_inorder_stream *stream, u32 at, u32 n)
{
	stream->count -= n;
	memmove(&stream->boundaries[at], &stream->boundaries[at + n],
		(stream->count - at) * sizeof(stream->boundaries[0]));
}

/* There is one boundary only, with the parser as at the beginning, or picked up. */
static void begin_at(struct ugnf_inorder_stream *stream, u32 seq, bool syn)
{
	struct ugnf_boundary *boundary = &stream->boundaries[0];

	memset(boundary, 0, sizeof(*boundary));
	boundary->seq = seq;
	memcpy(&boundary->scope, &stream->initial, sizeof(boundary->scope));
	boundary->is_start = !syn;
	if (!syn)
		ugnf_scope_pick_up(&boundary->scope);
	stream->count = 1;
}

/* What is in order ends where the first hole begins. */
static void find_next(struct ugnf_inorder_stream *stream)
{
	struct ugnf_sequence *seq = &stream->seq;
	u32 next, i = 0;

	while (i + 1 < stream->count && !stream->boundaries[i].is_hole)
		i++;
	next = stream->boundaries[i].seq;
	seq->position = ugnf_sequence_position(seq, next);
	seq->snd_nxt = next;
}

/* Frees the copies that no boundary needs. Octets that were not read yet keep theirs. */
static void drop_copies(struct ugnf_inorder_stream *stream)
{
	u32 i = 0, needed;

	if (!stream->copies.first)
		return;
	while (i + 1 < stream->count && !stream->boundaries[i].is_kept)
		i++;
	needed = stream->boundaries[i].seq;
	if (ugnf_seq_before(needed, stream->seq.snd_una))
		needed = stream->seq.snd_una;
	ugnf_copies_drop_before(&stream->copies, needed);
	if (!stream->copies.first)
		memset(&stream->misfit, 0, sizeof(stream->misfit));
}

/* Has the parser read the copies from @seq on, as far as they adjoin. Returns where that ends. */
static u32 read_copies(const struct ugnf_copies *copies, const struct ugnf_copy *copy, u32 seq,
		       struct ugnf_scope *scope)
{
	u32 end = ugnf_copies_run_end(copy, ugnf_copy_end(copies->last)), n;
	struct utf8guard_error error;

	for (; seq != end && scope->status == UGNF_SCOPE_FOLLOWED; copy = ugnf_copy_next(copy)) {
		n = ugnf_copy_end(copy) - seq;
		ugnf_scope_feed(scope, copy->octets + (seq - copy->seq), n, &error);
		seq += n;
	}
	ugnf_text_settle(&scope->text);
	return end;
}

/*
 * The stream goes on where there are copies, without a segment that could be refused for
 * what is in them: it was acknowledged, or picked up.
 */
static void read_on(struct ugnf_inorder_stream *stream)
{
	struct ugnf_boundary *last = &stream->boundaries[stream->count - 1], *next = last + 1;
	struct ugnf_copy *copy = ugnf_copies_find(&stream->copies, NULL, last->seq);

	if (!copy || !ugnf_copy_has(copy, last->seq) || stream->count == UGNF_BOUNDARIES)
		return;
	memset(next, 0, sizeof(*next));
	memcpy(&next->scope, &last->scope, sizeof(next->scope));
	next->seq = read_copies(&stream->copies, copy, last->seq, &next->scope);
	if (next->scope.status == UGNF_SCOPE_REFUSED) {
		memcpy(&next->scope, &stream->initial, sizeof(next->scope));
		ugnf_scope_pick_up(&next->scope);
		stream->seq.resyncs++;
	}
	last->is_kept = true;
	last->is_ascii = false;
	last->sum = 0;
	last->is_hole = false;
	stream->count++;
}

/* Start anew at @seq: the first octet after a SYN, or one in the middle. */
void ugnf_inorder_start(struct ugnf_inorder_stream *stream, u32 seq, bool syn, u32 now)
{
	const struct ugnf_copies *copies = &stream->copies;

	ugnf_sequence_start(&stream->seq, seq, syn, now);
	begin_at(stream, seq, syn);
	/* Of the same stream, what was given up may be at the receiver still. */
	stream->is_given_up &= !syn && ugnf_seq_before(seq, stream->given_up) &&
			       stream->given_up - seq <= UGNF_STREAM_WINDOW;
	memset(&stream->misfit, 0, sizeof(stream->misfit));
	/* Those of another stream, or so far away that there is no order. */
	if (syn || (copies->first && ugnf_copy_end(copies->last) - seq > UGNF_STREAM_WINDOW))
		ugnf_copies_drop(&stream->copies);
	drop_copies(stream);
	read_on(stream);
	find_next(stream);
}

/* The segment that started the stream was refused. No octet was let through before it. */
void ugnf_inorder_undo(struct ugnf_inorder_stream *stream, const struct ugnf_sequence *old)
{
	if (old->started)
		begin_at(stream, old->snd_una, !old->picked_up);
	else
		stream->count = 0;
	stream->seq = *old;
}

/*
 * The stream was picked up too late: moves that to @seq. From there to the old pick-up is a hole.
 * Returns false if there is no room: the octets of the segment need two more boundaries.
 */
bool ugnf_inorder_reach_back(struct ugnf_inorder_stream *stream, u32 seq)
{
	u32 after = stream->count;

	if (after > UGNF_BOUNDARIES - 3)
		return false;
	memmove(&stream->boundaries[1], &stream->boundaries[0],
		after * sizeof(stream->boundaries[0]));
	begin_at(stream, seq, false);
	stream->boundaries[0].is_hole = true;
	stream->count += after;
	ugnf_sequence_reach_back(&stream->seq, seq);
	return true;
}

/*
 * The segment to which the pick-up was moved back was refused. Under lenient policy its first
 * boundary may be forgotten already, for want of room; one boundary of the others is always left.
 */
void ugnf_inorder_undo_back(struct ugnf_inorder_stream *stream, const struct ugnf_sequence *old)
{
	if (stream->boundaries[0].seq == stream->seq.snd_una)
		remove_boundaries(stream, 0, 1);
	stream->seq = *old;
}

/* The last boundary that is not after @seq, or -1. */
int ugnf_inorder_find(const struct ugnf_inorder_stream *stream, u32 seq)
{
	int i = stream->count - 1;

	while (i >= 0 && ugnf_seq_before(seq, stream->boundaries[i].seq))
		i--;
	return i;
}

/**
 * ugnf_inorder_at() - what the parser is at an octet that need not be at a boundary
 * @stream: the stream
 * @boundary: the last boundary that is not after the octet
 * @seq: of the octet
 * @scope: set to the parser
 *
 * Return: whether it is known.
 */
bool ugnf_inorder_at(const struct ugnf_inorder_stream *stream, u32 boundary, u32 seq,
		     struct ugnf_scope *scope)
{
	const struct ugnf_boundary *before = &stream->boundaries[boundary];

	memcpy(scope, &before->scope, sizeof(*scope));
	if (seq == before->seq || ugnf_scope_skip(scope, seq - before->seq))
		return true;
	return before->is_ascii && !before->is_hole && boundary + 1 < stream->count;
}

/*
 * Without this boundary, would the parser still be known everywhere from the one before to the one
 * after? Then it can go. That takes two pieces of one kind, for only within a piece of one kind may
 * octets be resegmented anywhere: both have copies, or are ASCII, or are stepped over.
 */
static bool is_needless(const struct ugnf_inorder_stream *stream, u32 k)
{
	const struct ugnf_boundary *boundary = &stream->boundaries[k], *before = boundary - 1,
				   *after = boundary + 1;
	struct ugnf_scope scope;

	if (!k || before->is_hole || boundary->is_hole || before->is_kept != boundary->is_kept)
		return false;
	if (boundary->is_kept)
		return true;
	if (before->is_ascii && boundary->is_ascii)
		return true;
	memcpy(&scope, &before->scope, sizeof(scope));
	return ugnf_scope_skip(&scope, after->seq - before->seq);
}

/* A boundary that was made after the others goes where its sequence number belongs. */
static void sort_in(struct ugnf_inorder_stream *stream, u32 k)
{
	struct ugnf_boundary boundary;
	u32 i = k;

	while (i && ugnf_seq_before(stream->boundaries[k].seq, stream->boundaries[i - 1].seq))
		i--;
	if (i == k)
		return;
	memcpy(&boundary, &stream->boundaries[k], sizeof(boundary));
	memmove(&stream->boundaries[i + 1], &stream->boundaries[i], (k - i) * sizeof(boundary));
	/* Only in a hole, or where one begins, are there new boundaries before others. */
	boundary.is_hole = true;
	memcpy(&stream->boundaries[i], &boundary, sizeof(boundary));
}

/**
 * ugnf_inorder_stage() - the last of the boundaries that a segment makes has been added
 * @stream: the stream
 * @staged: how many there are, after those of @stream
 *
 * Return: how many of them are needed.
 */
u32 ugnf_inorder_stage(struct ugnf_inorder_stream *stream, u32 staged)
{
	u32 last = stream->count + staged - 1;

	/* Where there are holes, a staged boundary need not be after all those of the stream. */
	if (staged < 2 || stream->seq.snd_nxt != ugnf_inorder_last(stream)->seq ||
	    !is_needless(stream, last - 1))
		return staged;
	memcpy(&stream->boundaries[last - 1], &stream->boundaries[last],
	       sizeof(stream->boundaries[0]));
	return staged - 1;
}

/**
 * ugnf_inorder_commit() - a segment is let through
 * @stream: the stream
 * @staged: boundaries that it made
 * @first: its first octet
 * @end: after its last
 */
void ugnf_inorder_commit(struct ugnf_inorder_stream *stream, u32 staged, u32 first, u32 end)
{
	u32 old = stream->count - 1, i;

	for (i = 0; i < staged; i++)
		sort_in(stream, stream->count++);
	for (i = 0; i < stream->count; i++)
		if (!ugnf_seq_before(stream->boundaries[i].seq, first) &&
		    ugnf_seq_before(stream->boundaries[i].seq, end))
			stream->boundaries[i].is_hole = false;
	find_next(stream);
	if (staged && old + 1 < stream->count && is_needless(stream, old))
		remove_boundaries(stream, old, 1);
	drop_copies(stream);
}

static void pick_up(const struct ugnf_inorder_stream *stream, struct ugnf_boundary *boundary)
{
	memcpy(&boundary->scope, &stream->initial, sizeof(boundary->scope));
	ugnf_scope_pick_up(&boundary->scope);
}

/* The framing is lost: the parser is not known at any boundary any more. */
void ugnf_inorder_lose(struct ugnf_inorder_stream *stream)
{
	u32 i;

	for (i = 0; i < stream->count; i++)
		pick_up(stream, &stream->boundaries[i]);
}

/*
 * The receiver has octets before @boundary that were not seen here, so the parser is picked up
 * there. Octets after the next boundary may be on their way still, so that one stays as it is.
 */
static void lose(struct ugnf_inorder_stream *stream, struct ugnf_boundary *boundary)
{
	struct utf8guard_error error;
	u8 before[8];
	u32 n;

	pick_up(stream, boundary);
	stream->seq.resyncs++;
	if (boundary != ugnf_inorder_last(stream))
		return;
	/* There may be copies of the octets before it: they say where a character begins. */
	n = ugnf_copies_before(&stream->copies, boundary->seq, before, sizeof(before));
	ugnf_scope_feed(&boundary->scope, before, n, &error);
	ugnf_text_settle(&boundary->scope.text);
	if (boundary->scope.status == UGNF_SCOPE_REFUSED)
		pick_up(stream, boundary);
}

/* The receiver has all octets before @seq: what is known of them is forgotten. */
static void forget(struct ugnf_inorder_stream *stream, u32 seq)
{
	int i = ugnf_inorder_find(stream, seq);
	struct ugnf_scope scope;
	struct ugnf_boundary *boundary;

	/* Lenient policy has forgotten the boundary before @seq already. */
	if (i < 0)
		return;
	boundary = &stream->boundaries[i];
	if (ugnf_inorder_at(stream, i, seq, &scope)) {
		/* Whatever the octets were, the parser is the same. New ones were not seen here. */
		stream->seq.resyncs += i == stream->count - 1 && boundary->seq != seq;
		boundary->seq = seq;
		memcpy(&boundary->scope, &scope, sizeof(scope));
	} else if (i == stream->count - 1 || boundary->is_hole) {
		boundary->seq = seq;
		lose(stream, boundary);
	}
	remove_boundaries(stream, 0, i);
}

/**
 * ugnf_inorder_acked() - the receiver acknowledged
 * @stream: the stream
 * @ack: up to which sequence number
 * @now: milliseconds
 *
 * Call this before anything that is sent in answer can be judged.
 *
 * Context: any; the caller serialises.
 */
void ugnf_inorder_acked(struct ugnf_inorder_stream *stream, u32 ack, u32 now)
{
	if (ugnf_sequence_is_before_pick_up(&stream->seq, ack) &&
	    !ugnf_inorder_reach_back(stream, ack))
		ugnf_inorder_start(stream, ack, false, now);
	if (!ugnf_sequence_may_ack(&stream->seq, &ack))
		return;
	forget(stream, ack);
	if (stream->is_given_up && !ugnf_seq_before(ack, stream->given_up))
		stream->is_given_up = false;
	read_on(stream);
	find_next(stream);
	ugnf_sequence_acked(&stream->seq, ack, now);
	drop_copies(stream);
}

/* Has a request asked for another protocol, as far as the stream was read? */
bool ugnf_inorder_asks(const struct ugnf_inorder_stream *stream)
{
	return stream->count && ugnf_scope_asks(&ugnf_inorder_last(stream)->scope);
}

/**
 * ugnf_inorder_switch() - the answer has agreed to another protocol
 * @stream: the requests
 *
 * Return: whether octets have gone by, as HTTP, after the request that asked for it.
 */
bool ugnf_inorder_switch(struct ugnf_inorder_stream *stream)
{
	bool is_late = false;
	u32 i;

	for (i = 0; i < stream->count; i++)
		is_late |= ugnf_scope_switch(&stream->boundaries[i].scope);
	return is_late;
}

/**
 * ugnf_inorder_pass() - a segment was refused, and let through all the same
 * @stream: as before it
 * @header: of the segment
 *
 * The stream is picked up after it, or where it was if that is further.
 *
 * Context: any; the caller serialises.
 */
void ugnf_inorder_pass(struct ugnf_inorder_stream *stream, const struct ugnf_segment_header *header)
{
	u32 end = ugnf_sequence_end(&stream->seq, header);

	if (stream->count && ugnf_seq_before(end, ugnf_inorder_last(stream)->seq))
		end = ugnf_inorder_last(stream)->seq;
	ugnf_inorder_start(stream, end, false, header->now);
}

/* Were octets let through that were not read yet? */
bool ugnf_inorder_has_unread(const struct ugnf_inorder_stream *stream)
{
	const struct ugnf_copies *copies = &stream->copies;

	return copies->last && stream->count &&
	       ugnf_seq_before(ugnf_inorder_last(stream)->seq, ugnf_copy_end(copies->last));
}

/**
 * ugnf_inorder_adopt() - another parser goes on with the same stream
 * @stream: of the other parser, started where @from was
 * @from: loses its copies
 *
 * Context: any; the caller serialises.
 */
void ugnf_inorder_adopt(struct ugnf_inorder_stream *stream, struct ugnf_inorder_stream *from)
{
	struct ugnf_copies *copies = &from->copies;

	if (ugnf_inorder_has_unread(from)) {
		stream->copies = *copies;
		copies->first = NULL;
		copies->last = NULL;
		copies->count = 0;
		drop_copies(stream);
		read_on(stream);
		find_next(stream);
	}
	stream->is_given_up = from->is_given_up;
	stream->given_up = from->given_up;
}

/**
 * ugnf_inorder_give_up() - others need the memory of the copies
 * @stream: the stream
 *
 * The receiver may have octets that were not read yet, and must not deliver these. So no octets are
 * let through any more that are not acknowledged, until all that were let through are.
 *
 * Context: any; the caller serialises.
 * Return: how many copies there were.
 */
u32 ugnf_inorder_give_up(struct ugnf_inorder_stream *stream)
{
	u32 count = stream->copies.count;

	if (!count)
		return 0;
	stream->given_up = ugnf_copy_end(stream->copies.last);
	if (ugnf_seq_before(stream->given_up, ugnf_inorder_last(stream)->seq))
		stream->given_up = ugnf_inorder_last(stream)->seq;
	stream->is_given_up = true;
	ugnf_copies_drop(&stream->copies);
	memset(&stream->misfit, 0, sizeof(stream->misfit));
	return count;
}
