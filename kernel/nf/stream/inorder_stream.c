// SPDX-License-Identifier: GPL-2.0
/*
 * A reading: what is known between two segments of a stream that a parser reads.
 *
 * The receiver is that of ooo_stream.c: of all copies of an octet it may take any, and any
 * part of a segment. Acknowledgments are as it says
 * there: of octets that never came by here nothing is promised, and text is picked up
 * behind them; framing is not followed any more. A parser that steps over them, or has
 * nothing left to read, goes on as it was; that there was a gap is counted as well. The cuts
 * behind that stay, for what is between them may be on its way still.
 *
 * What is kept. A parser can go on from one state only, so new octets are judged in
 * order; for those that come before others, see below. For octets that were let through
 * and not acknowledged, the parser is kept
 * as it was at each cut. A segment that has such octets again must begin and end at
 * cuts, and be cut up at none but those, and at each cut that it goes over the parser
 * must be the same, as memory, as it was the first time, and so must the octets: there is
 * a sum of each piece (stream/sums.c), but for ASCII that a text begins with, and for
 * what is stepped over.
 *
 * Hence strict policy is sound. Whatever parts of the copies of the octets between two
 * adjoining cuts the receiver joins, they lead from the parser at the first to that at the
 * second, and are not refused in between. By induction from the first octet, whatever copies
 * the receiver takes, the parser that had read what is delivered would be the one that is
 * kept at each cut, and would have refused nothing. Where the framing is not followed any
 * more, the parser says so for all that comes, and the policy of the rule decides.
 *
 * Two kinds of octets need no cuts of their own. Those that a parser steps over may
 * be any: where it will be behind so many of them is known (nf_scope_skip()), and so
 * they may come ahead of others, and pieces of nothing else be cut anew anywhere. And
 * one octet of ASCII leads the parser of a plain text to where many do, so that of a
 * copy only not to be ASCII is refused.
 *
 * And it blocks no valid stream, as long as what is sent again is the same octets
 * between the same cuts, or cuts of several of those together, or was acknowledged,
 * and begins at a cut even where an acknowledgment lies inside a piece:
 * the octet that the receiver asks for is in order, so it is either new, for which
 * there is room in reserve, or sent again. What has no room is refused as if it were
 * lost.
 *
 * Segments that come early: others that must be read first are missing.
 *
 *	una          front             P             Q
 *	 |  read      |    missing     |   copies    |   nothing
 *	 +-----+------+                +------+------+
 *	 cuts, parser known at each     let through, not read
 *
 * Definitions. The front is the last cut: all before it was read. A copy is the octets of
 * one segment, or of several that adjoin, that were let through after the front, or for
 * which there were no cuts left; a run is copies that follow each other, from P to Q. What
 * is missing comes in a filler: a segment that begins at the front or before it, and ends
 * at P or after it.
 *
 * Assumed of the receiver, besides what is said above, is that it delivers nothing after
 * an octet that it does not have. It may take any part of an early segment, trim it at
 * either end, take what came first or last, and throw it away and ask for it again.
 *
 * Claim. Nothing is delivered that a parser would refuse that had read all before it, and
 * no valid stream is blocked.
 *
 * 1. At each place where there is a copy, all segments that were let through have the same
 *    octet: another is refused (NF_STREAM_DIFFERS), before it was read and after that, until
 *    it is acknowledged or the copy is not needed any more. So at P the octets up to Q are
 *    known, whatever the receiver takes, wherever it goes over from one segment to another.
 *    Where they were read, they are one piece, from a cut at P to a cut at Q, which may be
 *    cut anew anywhere (is_kept). Pieces of ASCII need no copy for that.
 * 2. A filler is read from the front; at its end, the copies that adjoin are read on from
 *    where it led to (fold()). If any octet is refused up to Q, the filler is, and nothing
 *    has changed: the receiver never has what is before P, and delivers nothing after it.
 *    The octets of the filler that have copies must be these. Thus no run ever adjoins the
 *    front unread, and 1 and the induction above hold with runs as pieces.
 * 3. The end of the stream may come early as well. It is asked whether the text may end
 *    there when the front comes to it, of the filler that brings it there (is_end()).
 * 4. What is missing may come by another way, and the flow may be forgotten, as when somebody
 *    makes connection tracking believe in a reset. Then the copies are never read from the
 *    front. Text is judged by itself therefore when it comes early, with up to eight octets
 *    of copies on both sides, which tell where characters begin (begin_alone()): so what is
 *    lost is the same as where a stream is picked up, the joint of two characters. Framing
 *    that is picked up is not followed, and the fail policy decides of the filler.
 *    Acknowledged in the middle of a run, the rest of it is read from there (read_on()).
 * 5. Other rules may have another parser. It takes over the copies (nf_reading_adopt()).
 *    If they ask for ooo_stream.c, which has no use for them, the stream is picked up.
 * 6. Where there is no memory for a copy, the segment is refused as if it were lost
 *    (NF_STREAM_AHEAD); so are early segments with urgent data, which some receivers
 *    deliver at once. What the receiver asks for needs none.
 * 7. Memory that is taken back leaves octets of which nothing is known. Up to them nothing
 *    is let through any more (nf_reading_give_up()): the connection hangs. If they are
 *    acknowledged all the same, they came by another way, and it is picked up there.
 * 8. A rule that lets everything through withholds no filler. What was refused is let
 *    through, with the run after it, and the stream is picked up there.
 *
 * Cost. An octet is read once, or twice if it is text, and compared as often as it is sent.
 * A run that is refused could be read again for each filler, at the sender's will. Its
 * verdict is kept for the same parser at P, and for another it is read NF_FOLD_TRIES times
 * at most (struct nf_misfit); only who sends other octets at the same place comes to that.
 *
 * Tests: tcp_inorder.c. "a sender of anything": 1, 2, 3, 6, 7 with receivers of each kind
 * that take any part of what was early; "by another way": 4; "reordered and thrown away":
 * no valid stream waits; "an honest sender": 6; the steps of check_copies(): 4, 5, 7, cost.
 *
 * Octets cut anew elsewhere cannot be compared. As in ooo_stream.c, they may go in one
 * case: they begin at the octet that the receiver asks for, end ahead of the next cut,
 * and nothing from there was let through for NF_STREAM_HOLD. The old ones were never
 * received, or were delivered and the acknowledgment is lost. From the end of the new
 * ones to the next cut there is a hole then, whose octets are new; the cuts behind it
 * stay, and the parser must be at each of them what it was. So if the old ones were
 * delivered after all, and the new ones not, what follows still fits.
 *
 * Lenient policy gives up the same as in ooo_stream.c: what cannot be compared is let
 * through if it is possible by itself, and old cuts are forgotten for new ones. Of
 * what is framed nothing is possible by itself: then it depends on the fail policy, and
 * where that is closed, it is as under strict policy. Copies are compared under it, too.
 */
#include "../../codec/codec.h"
#include "inorder_stream.h"

/**
 * nf_reading_init() - a reading of nothing yet
 * @reading: filled in
 * @initial: the parser at the beginning of a stream
 * @memory: of copies; NULL if there are to be none
 *
 * Context: any; pure.
 */
void nf_reading_init(struct nf_reading *reading, const struct nf_scope *initial,
		     struct nf_memory *memory)
{
	memset(reading, 0, offsetof(struct nf_reading, cuts));
	reading->copies.memory = memory;
	memcpy(&reading->initial, initial, sizeof(*initial));
}

static void remove_cuts(struct nf_reading *reading, u32 at, u32 n)
{
	reading->count -= n;
	memmove(&reading->cuts[at], &reading->cuts[at + n],
		(reading->count - at) * sizeof(reading->cuts[0]));
}

/* Only one cut, at which the parser is as at the beginning, or in the middle. */
static void begin_at(struct nf_reading *reading, u32 seq, bool syn)
{
	struct nf_cut *cut = &reading->cuts[0];

	memset(cut, 0, sizeof(*cut));
	cut->seq = seq;
	memcpy(&cut->scope, &reading->initial, sizeof(cut->scope));
	cut->is_start = !syn;
	if (!syn)
		nf_scope_pick_up(&cut->scope);
	reading->count = 1;
}

/* What is in order ends where the first hole begins. */
static void find_next(struct nf_reading *reading)
{
	struct nf_sequence *seq = &reading->seq;
	u32 next, i = 0;

	while (i + 1 < reading->count && !reading->cuts[i].is_hole)
		i++;
	next = reading->cuts[i].seq;
	seq->position = nf_sequence_position(seq, next);
	seq->next = next;
}

/* Copies that no cut needs, and nothing that is not read yet. */
static void drop_copies(struct nf_reading *reading)
{
	u32 i = 0, needed;

	if (!reading->copies.first)
		return;
	while (i + 1 < reading->count && !reading->cuts[i].is_kept)
		i++;
	needed = reading->cuts[i].seq;
	if (nf_seq_before(needed, reading->seq.una))
		needed = reading->seq.una;
	nf_copies_drop_before(&reading->copies, needed);
	if (!reading->copies.first)
		memset(&reading->misfit, 0, sizeof(reading->misfit));
}

/* What the copies lead the parser to, from @seq on; how far they go. */
static u32 read_copies(const struct nf_copy *copy, u32 seq, struct nf_scope *scope)
{
	struct utf8guard_error error;
	u32 end = nf_copies_run_end(copy), n;

	for (; seq != end && scope->status == NF_SCOPE_FOLLOWED; copy = copy->next) {
		n = nf_copy_end(copy) - seq;
		nf_scope_feed(scope, copy->octets + (seq - copy->seq), n, &error);
		seq += n;
	}
	nf_text_settle(&scope->text);
	return end;
}

/*
 * The stream goes on where there are copies, without a segment that could be refused for
 * what is in them: it was acknowledged, or picked up.
 */
static void read_on(struct nf_reading *reading)
{
	struct nf_cut *last = &reading->cuts[reading->count - 1], *next = last + 1;
	struct nf_copy *copy = nf_copies_find(&reading->copies, NULL, last->seq);

	if (!copy || !nf_copy_has(copy, last->seq) || reading->count == NF_CUTS)
		return;
	memset(next, 0, sizeof(*next));
	memcpy(&next->scope, &last->scope, sizeof(next->scope));
	next->seq = read_copies(copy, last->seq, &next->scope);
	if (next->scope.status == NF_SCOPE_REFUSED) {
		memcpy(&next->scope, &reading->initial, sizeof(next->scope));
		nf_scope_pick_up(&next->scope);
		reading->seq.resyncs++;
	}
	last->is_kept = true;
	last->is_ascii = false;
	last->sum = 0;
	last->is_hole = false;
	reading->count++;
}

/* Start anew at @seq: the first octet behind a SYN, or one in the middle. */
void nf_reading_start(struct nf_reading *reading, u32 seq, bool syn, u32 now)
{
	const struct nf_copies *copies = &reading->copies;

	nf_sequence_start(&reading->seq, seq, syn, now);
	begin_at(reading, seq, syn);
	/* Of the same stream, what was given up may be at the receiver still. */
	reading->is_given_up &= !syn && nf_seq_before(seq, reading->given_up) &&
				reading->given_up - seq <= NF_STREAM_WINDOW;
	memset(&reading->misfit, 0, sizeof(reading->misfit));
	/* Those of another stream, or so far away that there is no order. */
	if (syn || (copies->first && nf_copy_end(copies->last) - seq > NF_STREAM_WINDOW))
		nf_copies_drop(&reading->copies);
	drop_copies(reading);
	read_on(reading);
	find_next(reading);
}

/* What it was started by was refused, and was never there. Before it, no octet was. */
void nf_reading_undo(struct nf_reading *reading, const struct nf_sequence *old)
{
	if (old->started)
		begin_at(reading, old->una, !old->picked_up);
	else
		reading->count = 0;
	reading->seq = *old;
}

/*
 * It was picked up too late: from @seq on, and up to where that was there is a hole.
 * False if there is no room; two cuts more are what its octets need.
 */
bool nf_reading_reach_back(struct nf_reading *reading, u32 seq)
{
	u32 behind = reading->count;

	if (behind > NF_CUTS - 3)
		return false;
	memmove(&reading->cuts[1], &reading->cuts[0], behind * sizeof(reading->cuts[0]));
	begin_at(reading, seq, false);
	reading->cuts[0].is_hole = true;
	reading->count += behind;
	nf_sequence_reach_back(&reading->seq, seq);
	return true;
}

/* What made it reach back was refused. */
void nf_reading_undo_back(struct nf_reading *reading, const struct nf_sequence *old)
{
	remove_cuts(reading, 0, 1);
	reading->seq = *old;
}

/* The last cut that is not behind @seq, or -1. */
int nf_reading_find(const struct nf_reading *reading, u32 seq)
{
	int i = reading->count - 1;

	while (i >= 0 && nf_seq_before(seq, reading->cuts[i].seq))
		i--;
	return i;
}

/**
 * nf_reading_at() - what the parser is at an octet that need not be at a cut
 * @reading: the reading
 * @cut: the last cut that is not behind the octet
 * @seq: of the octet
 * @scope: set to the parser
 *
 * Return: whether it is known.
 */
bool nf_reading_at(const struct nf_reading *reading, u32 cut, u32 seq, struct nf_scope *scope)
{
	const struct nf_cut *before = &reading->cuts[cut];

	memcpy(scope, &before->scope, sizeof(*scope));
	if (seq == before->seq || nf_scope_skip(scope, seq - before->seq))
		return true;
	return before->is_ascii && !before->is_hole && cut + 1 < reading->count;
}

/*
 * Would the parser be known everywhere from the cut before to the one behind, if it
 * were not for this one? Then it can go. Where that is not so, both are kept, for only
 * what is one piece may be cut anew.
 */
static bool is_needless(const struct nf_reading *reading, u32 k)
{
	const struct nf_cut *cut = &reading->cuts[k], *before = cut - 1, *behind = cut + 1;
	struct nf_scope scope;

	if (!k || before->is_hole || cut->is_hole || before->is_kept != cut->is_kept)
		return false;
	if (cut->is_kept)
		return true;
	if (before->is_ascii && cut->is_ascii)
		return true;
	memcpy(&scope, &before->scope, sizeof(scope));
	return nf_scope_skip(&scope, behind->seq - before->seq);
}

/* A cut that was made behind the others, to where it belongs. */
static void place(struct nf_reading *reading, u32 k)
{
	struct nf_cut cut;
	u32 i = k;

	while (i && nf_seq_before(reading->cuts[k].seq, reading->cuts[i - 1].seq))
		i--;
	if (i == k)
		return;
	memcpy(&cut, &reading->cuts[k], sizeof(cut));
	memmove(&reading->cuts[i + 1], &reading->cuts[i], (k - i) * sizeof(cut));
	/* Only in a hole, or where one begins, are there new cuts ahead of others. */
	cut.is_hole = true;
	memcpy(&reading->cuts[i], &cut, sizeof(cut));
}

/**
 * nf_reading_stage() - the last of the cuts that a segment makes is in its place
 * @reading: the reading
 * @staged: how many there are, behind those of @reading
 *
 * Return: how many of them are needed.
 */
u32 nf_reading_stage(struct nf_reading *reading, u32 staged)
{
	u32 last = reading->count + staged - 1;

	/* With holes, those before it may be elsewhere. */
	if (staged < 2 || reading->seq.next != nf_reading_last(reading)->seq ||
	    !is_needless(reading, last - 1))
		return staged;
	memcpy(&reading->cuts[last - 1], &reading->cuts[last], sizeof(reading->cuts[0]));
	return staged - 1;
}

/**
 * nf_reading_commit() - a segment is let through
 * @reading: the reading
 * @staged: cuts that it made
 * @first: its first octet
 * @end: behind its last
 */
void nf_reading_commit(struct nf_reading *reading, u32 staged, u32 first, u32 end)
{
	u32 old = reading->count - 1, i;

	for (i = 0; i < staged; i++)
		place(reading, reading->count++);
	for (i = 0; i < reading->count; i++)
		if (!nf_seq_before(reading->cuts[i].seq, first) &&
		    nf_seq_before(reading->cuts[i].seq, end))
			reading->cuts[i].is_hole = false;
	find_next(reading);
	if (staged && old + 1 < reading->count && is_needless(reading, old))
		remove_cuts(reading, old, 1);
	drop_copies(reading);
}

static void pick_up(const struct nf_reading *reading, struct nf_cut *cut)
{
	memcpy(&cut->scope, &reading->initial, sizeof(cut->scope));
	nf_scope_pick_up(&cut->scope);
}

/* Of framing that was lost, nothing is known any more, wherever it is. */
void nf_reading_lose(struct nf_reading *reading)
{
	u32 i;

	for (i = 0; i < reading->count; i++)
		pick_up(reading, &reading->cuts[i]);
}

/*
 * The receiver has octets that were not seen here: there is no telling what. Those
 * behind the next cut may be on their way still, so it stays.
 */
static void lose(struct nf_reading *reading, struct nf_cut *cut)
{
	struct utf8guard_error error;
	u8 before[8];
	u32 n;

	pick_up(reading, cut);
	reading->seq.resyncs++;
	if (cut != nf_reading_last(reading))
		return;
	/* Of what it has, there may be copies: they say where a character begins. */
	n = nf_copies_before(&reading->copies, cut->seq, before, sizeof(before));
	nf_scope_feed(&cut->scope, before, n, &error);
	nf_text_settle(&cut->scope.text);
	if (cut->scope.status == NF_SCOPE_REFUSED)
		pick_up(reading, cut);
}

/* Nothing before @seq can be sent again. */
static void forget(struct nf_reading *reading, u32 seq)
{
	int i = nf_reading_find(reading, seq);
	struct nf_scope scope;
	struct nf_cut *cut;

	/* Lenient policy has forgotten it already. */
	if (i < 0)
		return;
	cut = &reading->cuts[i];
	if (nf_reading_at(reading, i, seq, &scope)) {
		/* Whatever they were, the parser is the same, but nobody let them through. */
		reading->seq.resyncs += i == reading->count - 1 && cut->seq != seq;
		cut->seq = seq;
		memcpy(&cut->scope, &scope, sizeof(scope));
	} else if (i == reading->count - 1 || cut->is_hole) {
		cut->seq = seq;
		lose(reading, cut);
	}
	remove_cuts(reading, 0, i);
}

/**
 * nf_reading_acked() - the receiver acknowledged
 * @reading: the reading
 * @ack: up to which sequence number
 * @now: milliseconds
 *
 * Call this before anything that is sent in answer can be judged.
 *
 * Context: any; the caller serialises.
 */
void nf_reading_acked(struct nf_reading *reading, u32 ack, u32 now)
{
	if (nf_sequence_is_before_pick_up(&reading->seq, ack) &&
	    !nf_reading_reach_back(reading, ack))
		nf_reading_start(reading, ack, false, now);
	if (!nf_sequence_may_ack(&reading->seq, &ack))
		return;
	forget(reading, ack);
	if (reading->is_given_up && !nf_seq_before(ack, reading->given_up))
		reading->is_given_up = false;
	read_on(reading);
	find_next(reading);
	nf_sequence_acked(&reading->seq, ack, now);
	drop_copies(reading);
}

/* Has a request asked for another protocol, as far as the stream was read? */
bool nf_reading_asks(const struct nf_reading *reading)
{
	return reading->count && nf_scope_asks(&nf_reading_last(reading)->scope);
}

/**
 * nf_reading_switch() - the answer has agreed to another protocol
 * @reading: the requests
 *
 * Return: whether octets have gone by, as HTTP, after the request that asked for it.
 */
bool nf_reading_switch(struct nf_reading *reading)
{
	bool is_late = false;
	u32 i;

	for (i = 0; i < reading->count; i++)
		is_late |= nf_scope_switch(&reading->cuts[i].scope);
	return is_late;
}

/**
 * nf_reading_pass() - a segment was refused, and let through all the same
 * @reading: as before it
 * @header: of the segment
 *
 * The stream is picked up behind it, or where it was if that is further.
 *
 * Context: any; the caller serialises.
 */
void nf_reading_pass(struct nf_reading *reading, const struct nf_segment_header *header)
{
	u32 end = nf_sequence_behind(&reading->seq, header);

	if (reading->count && nf_seq_before(end, nf_reading_last(reading)->seq))
		end = nf_reading_last(reading)->seq;
	nf_reading_start(reading, end, false, header->now);
}

/* Were octets let through that were not read yet? */
bool nf_reading_has_unread(const struct nf_reading *reading)
{
	const struct nf_copies *copies = &reading->copies;

	return copies->last && reading->count &&
	       nf_seq_before(nf_reading_last(reading)->seq, nf_copy_end(copies->last));
}

/**
 * nf_reading_adopt() - another parser goes on with the same stream
 * @reading: of the other parser, started where @from was
 * @from: loses its copies
 *
 * Context: any; the caller serialises.
 */
void nf_reading_adopt(struct nf_reading *reading, struct nf_reading *from)
{
	struct nf_copies *copies = &from->copies;

	if (nf_reading_has_unread(from)) {
		reading->copies = *copies;
		copies->first = NULL;
		copies->last = NULL;
		copies->count = 0;
		drop_copies(reading);
		read_on(reading);
		find_next(reading);
	}
	reading->is_given_up = from->is_given_up;
	reading->given_up = from->given_up;
}

/**
 * nf_reading_give_up() - others need the memory of the copies
 * @reading: the reading
 *
 * What was not read yet, the receiver may have, and must not deliver: no segment that is
 * not acknowledged is let through any more, until all is that was let through.
 *
 * Context: any; the caller serialises.
 * Return: how many copies there were.
 */
u32 nf_reading_give_up(struct nf_reading *reading)
{
	u32 count = reading->copies.count;

	if (!count)
		return 0;
	reading->given_up = nf_copy_end(reading->copies.last);
	if (nf_seq_before(reading->given_up, nf_reading_last(reading)->seq))
		reading->given_up = nf_reading_last(reading)->seq;
	reading->is_given_up = true;
	nf_copies_drop(&reading->copies);
	return count;
}
