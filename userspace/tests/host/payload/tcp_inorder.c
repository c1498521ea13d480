// SPDX-License-Identifier: GPL-2.0
/*
 * The engine that reads in order, with receivers of every kind: what is delivered, a parser
 * accepts that reads it as the receiver does; and no honest sender has to wait for ever.
 *
 *   STREAMS=n	how many random streams of each kind, 40000 if not given
 *   SEED=n	of the random numbers
 *
 * promise remote peer: where a rule has a parser, a parser at the receiver reads what was judged
 * shown by: a sender of anything: nothing refused delivered
 * shown by: no memory is left
 */
#include <string.h>

#include "../../reference.h"
#include "../../../../kunit/inorder_senders.h"
#include "../../play.h"

/* Mistakes that were found before streams had copies, with the seeds that showed them. */
static void check_found(void)
{
	model.is_forgetful = true;
	check_random("resegmented where picked up, and had arrived (once let a mistake through)",
		     play_inorder, 1, 1137622);
	check_random("acknowledged inside a hole (once let a mistake through)",
		     play_inorder_detour, 1, 30573);
	check_random("resegmented, and held from its middle on (once let a mistake through)",
		     play_inorder_detour, 1, 2296920);
	check_random("the same, for longer than anything is on its way", play_inorder, 1, 1148337);
	model.is_forgetful = false;
}

/* A stream that has begun, with memory for copies. */
static void begin_as(enum inorder_kind kind)
{
	static u64 seed;

	seed = 1;
	model_init(&model, &seed, MODEL_FIRST);
	inorder_set(&model, kind);
	model.memory.most = MEMORY_COPIES;
	model.memory.want = 0;
	model.inorder_stream.copies.memory = &model.memory;
	ugnf_inorder_start(&model.inorder_stream, model.isn + 1, true, model.now);
}

/* The same, for a parser of percent encoding. */
static void begin(void)
{
	begin_as(INORDER_PERCENT);
}

static enum ugnf_stream_verdict put(u32 from, const char *octets, bool syn)
{
	struct model_segment s = { .from = from, .len = strlen(octets), .syn = syn };
	static u8 text[64];

	memcpy(text + from, octets, s.len);
	s.text = text;
	return model_give(&model, &s, s.len, model.seed);
}

/*
 * Without memory for copies, a segment that begins before the pick-up has too many pieces, and is
 * refused: lenient policy has forgotten its first boundary by then. Once the boundary of the pick-up
 * was removed in its place, and the next segment was read for ever.
 */
static void check_forgotten(void)
{
	static u8 text[60];
	struct model_segment s = { .text = text, .len = sizeof(text), .piece = 1 };

	begin_as(INORDER_CLASSES);
	model.inorder_stream.copies.memory = NULL;
	model.policy.lenient = true;
	ugnf_inorder_start(&model.inorder_stream, model.isn + 3, false, model.now);
	memset(text, 'a', sizeof(text));
	tap_ok(model_give(&model, &s, s.len, model.seed) == UGNF_STREAM_FULL,
	       "more pieces from before the pick-up than there is room for, refused");
	tap_ok(model.inorder_stream.count == 1, "the boundary of the pick-up is left");
	tap_ok(put(0, "ab", false) == UGNF_STREAM_ACCEPT && model.inorder_stream.count == 2,
	       "and the stream goes on");
	model.policy.lenient = false;
}

static u32 front(void)
{
	return model.inorder_stream.seq.snd_nxt - model.isn - 1;
}

/* The rules change: another parser takes over the copies, which it refuses. */
static void check_adopted(void)
{
	static struct ugnf_inorder_stream other;
	struct ugnf_scope initial;

	begin();
	put(3, "\x97\xa5", false);
	inorder_scope(&initial, INORDER_LINES);
	ugnf_inorder_init(&other, &initial, &model.memory);
	ugnf_inorder_start(&other, model.isn + 1, true, model.now);
	ugnf_inorder_adopt(&other, &model.inorder_stream);
	tap_ok(!model.inorder_stream.copies.first && other.copies.count == 1,
	       "another parser takes over the copies");
	memcpy(&model.inorder_stream, &other, sizeof(other));
	tap_ok(put(0, "abc", false) == UGNF_STREAM_ILL_FORMED &&
	       put(0, "ab\xe6", false) == UGNF_STREAM_ACCEPT, "and judges them");
	tap_ok(model_gives_back(&model), "and gives them back");
}

static enum ugnf_stream_verdict put_part(const char *text, u32 from, u32 to)
{
	char part[16] = "";

	memcpy(part, text + from, to - from);
	return put(from, part, false);
}

/*
 * Picks a stream up with the octets from @from to @to. Then an acknowledgment shows that the
 * receiver expects octets before these.
 */
static bool pick_up(enum inorder_kind kind, u32 refuse, const char *text, u32 from, u32 to)
{
	begin();
	inorder_set(&model, kind);
	model.inorder_stream.initial.text.refuse |= refuse;
	if (put_part(text, from, to) != UGNF_STREAM_ACCEPT || !model.inorder_stream.seq.picked_up)
		return false;
	ugnf_inorder_acked(&model.inorder_stream, model.isn + 1, model.now);
	return model.inorder_stream.seq.snd_nxt == model.isn + 1;
}

/* Octets are seen in two segments, the second one first; then the sender sends them as one. */
static void check_joined(enum inorder_kind kind, u32 refuse, const char *what)
{
	static const char text[] = "ab\xf0\x9f\x98\x80\xc3\xa9";
	u32 from, cut, end, wrong = 0, last = sizeof(text) - 1;

	for (from = 3; from < last; from++)
		for (cut = from + 1; cut <= last; cut++)
			for (end = cut; end <= last; end++) {
				wrong += !pick_up(kind, refuse, text, from, cut);
				wrong += end != cut &&
					 put_part(text, cut, end) != UGNF_STREAM_ACCEPT;
				wrong += put_part(text, 0, end) != UGNF_STREAM_ACCEPT;
				wrong += end != last &&
					 put_part(text, end, last) != UGNF_STREAM_ACCEPT;
				wrong += front() != last;
			}
	tap_ok(!wrong, "picked up inside a character, then sent as one segment, %s: %u wrong", what,
	       wrong);
	tap_ok(pick_up(kind, refuse, text, 3, 4) && put_part("ab\xf0"
							     "a",
							     0, 4) == UGNF_STREAM_ILL_FORMED,
	       "refused if it is not whole");
	tap_ok(put_part("abca", 0, 4) == UGNF_STREAM_DIFFERS &&
		       put_part("ab\xf0\x9f", 0, 4) == UGNF_STREAM_ACCEPT,
	       "and if it ends there");
	tap_ok(pick_up(kind, refuse, text, 3, 6) &&
		       put_part("ab\xf0\x9f"
				"aa",
				0, 6) == UGNF_STREAM_ILL_FORMED &&
		       put_part("ab\xf0\x9f\x98"
				"\x80",
				0, 6) == UGNF_STREAM_ACCEPT,
	       "or ends elsewhere");
}

/* The end of a text comes early, inside a character: what is before it must complete that. */
static void check_end(void)
{
	struct model_segment s = {
		.from = 8, .len = 2, .fin = true, .text = (const u8 *)"........\x90\xbe"
	};

	begin();
	inorder_set(&model, INORDER_CLASSES);
	model.memory.most = MEMORY_COPIES;
	model.memory.want = 0;
	model.inorder_stream.copies.memory = &model.memory;
	ugnf_inorder_start(&model.inorder_stream, model.isn + 1, true, model.now);
	tap_ok(model_give(&model, &s, s.len, model.seed) == UGNF_STREAM_ACCEPT,
	       "an end comes early");
	tap_ok(put(6, "a\xf0\x90", false) == UGNF_STREAM_ILL_FORMED,
	       "and what does not end there is refused");
	tap_ok(put(6, "a\xef\x90", false) == UGNF_STREAM_ACCEPT, "and what does is not");
	model_gives_back(&model);
}

/* A copy has what the parser does not follow: the octets before it are refused for that reason. */
static void check_unfollowed(void)
{
	u64 offset;
	u32 same;

	begin();
	inorder_set(&model, INORDER_TARGET);
	model.memory.most = MEMORY_COPIES;
	model.memory.want = 0;
	model.inorder_stream.copies.memory = &model.memory;
	ugnf_inorder_start(&model.inorder_stream, model.isn + 1, true, model.now);
	put(6, " b c\r\n", false);
	tap_ok(put(0, "GET /a", false) == UGNF_STREAM_UNFOLLOWED && front() == 0 &&
		       model.inorder_segment.cause == UTF8GUARD_CAUSE_REQUEST_LINE &&
		       model.inorder_segment.error.offset > 6,
	       "what is missing is not followed for what came early");
	offset = model.inorder_segment.error.offset;
	same = put(0, "GET /a", false) == UGNF_STREAM_UNFOLLOWED &&
	       model.inorder_stream.misfit.tries == 1 &&
	       model.inorder_segment.cause == UTF8GUARD_CAUSE_REQUEST_LINE;
	tap_ok(same && model.inorder_segment.error.offset == offset,
	       "and again, without a look at that");
	model.policy.open = true;
	tap_ok(put(0, "GET /a", false) == UGNF_STREAM_UNFOLLOWED && front() == 12 &&
	       model.inorder_segment.error.offset == offset, "let through where the policy is open");
	tap_ok(model_gives_back(&model), "and given back");
}

/* Gives the engine a segment, and has the model take note of it. */
static enum ugnf_stream_verdict put_noted(const char *text, u32 from, u32 len)
{
	struct model_segment s = { .text = (const u8 *)text, .from = from, .len = len };
	enum ugnf_stream_verdict verdict = model_give(&model, &s, len, model.seed);

	model_note_early(&model, &s, verdict);
	return verdict;
}

/*
 * Octets that the parser steps over came early. One of them is in order, because what is missing
 * before it is stepped over, too; and what is after them is not followed, but let through. Then any
 * octets may be sent in their place, and the model must not call that a mistake.
 */
static void check_stepped_over(void)
{
#define HEAD "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n"
	static const char text[] = HEAD "01234567\r\nx\r\n", other[] = HEAD "abcdefgh";
	const u32 data = sizeof(HEAD) - 1, end = sizeof(text) - 1;
#undef HEAD

	begin_as(INORDER_TARGET);
	model.policy.open = true;
	tap_ok(put_noted(text, data + 2, end - data - 2) == UGNF_STREAM_ACCEPT &&
		       model.inorder_segment.is_early &&
		       put_noted(text, 0, data) == UGNF_STREAM_ACCEPT && front() == data &&
		       put_noted(text, data + 4, 1) == UGNF_STREAM_UNFOLLOWED && front() == end,
	       "after octets that are stepped over, copies are read and let through, not followed");
	tap_ok(put_noted(other, data + 2, 1) == UGNF_STREAM_ACCEPT && !model.has_erred,
	       "and others in the place of those are no mistake (once were, for the model)");
	tap_ok(put_noted(other, data + 5, 1) == UGNF_STREAM_DIFFERS,
	       "but where there is a copy, they must be the same");
	tap_ok(model_gives_back(&model), "and the copies are given back");
}

/* What copies are for, step by step. */
static void check_copies(void)
{
	static const char *const bad[] = { "aaaa", "a%f4", "a%ed", "aaa%" };
	u32 refused = 0, i;

	begin();
	tap_ok(put(4, "%af", false) == UGNF_STREAM_ACCEPT &&
		       put(0, "a%ed", false) == UGNF_STREAM_ILL_FORMED && front() == 0,
	       "what is missing is refused for what came early");
	tap_ok(put(0, "a%ed", false) == UGNF_STREAM_ILL_FORMED &&
	       model.inorder_stream.misfit.tries == 1 &&
	       model.inorder_segment.error.class == UTF8GUARD_CLASS_SURROGATE,
	       "and again, without a look at that");
	tap_ok(put(0, "a%c3", false) == UGNF_STREAM_ACCEPT && front() == 7, "what fits it is not");
	model_gives_back(&model);

	begin();
	put(4, "%af", false);
	for (i = 0; i + 1 < UGNF_FOLD_TRIES; i++)
		refused += put(0, bad[i], false) == UGNF_STREAM_ILL_FORMED;
	tap_ok(refused == i && put(0, "a%c3", false) == UGNF_STREAM_ACCEPT,
	       "so many that do not fit: one that does is let through");
	model_gives_back(&model);

	begin();
	put(10, "%af", false);
	for (i = 0; i <= UGNF_FOLD_TRIES; i++)
		put(i ? 7 : 0, i ? bad[i % 2 + 1] + 1 : "a%c3%a4", false);
	refused = model.inorder_stream.misfit.tries;
	for (i = 0; i < 8; i++)
		put(7, bad[i % 2 + 1] + 1, false);
	tap_ok(refused == UGNF_FOLD_TRIES && model.inorder_stream.misfit.tries == UGNF_FOLD_TRIES &&
	       put(7, "%c3", false) == UGNF_STREAM_DIFFERS && front() == 7,
	       "who changes octets again and again is not read any more");
	model_gives_back(&model);

	begin();
	put(4, "%af", false);
	put(20, "", true);
	tap_ok(model.inorder_stream.copies.count == 1 &&
	       put(0, "a%ed", false) == UGNF_STREAM_ILL_FORMED,
	       "another SYN does not make it forget them");
	ugnf_inorder_start(&model.inorder_stream, model.isn + 1, true, model.now);
	tap_ok(!model.inorder_stream.copies.count && !model.memory.held, "another stream does");

	begin();
	put(4, "%af", false);
	put(12, "%af", false);
	ugnf_inorder_acked(&model.inorder_stream, model.isn + 1 + 5, model.now);
	tap_ok(front() == 7 && model.inorder_stream.seq.resyncs == 1 &&
	       model.inorder_stream.copies.count == 2,
	       "acknowledged in the middle of one: picked up there, and read to its end");
	ugnf_inorder_acked(&model.inorder_stream, model.isn + 1 + 7, model.now);
	tap_ok(model.inorder_stream.copies.count == 1, "what is acknowledged is given back");
	tap_ok(ugnf_inorder_give_up(&model.inorder_stream) == 1 &&
		       put(7, "aaaaa", false) == UGNF_STREAM_FULL &&
		       put(7, "a", false) == UGNF_STREAM_FULL,
	       "what was given up is not delivered");
	ugnf_inorder_acked(&model.inorder_stream, model.isn + 1 + 15, model.now);
	tap_ok(put(15, "a", false) != UGNF_STREAM_FULL, "until all of it has been");
	tap_ok(model_gives_back(&model), "no memory is left");

	begin();
	put(20, "%af", false);
	ugnf_inorder_give_up(&model.inorder_stream);
	ugnf_inorder_start(&model.inorder_stream, model.isn + 1 + 18, false, model.now);
	tap_ok(put(18, "aa", false) == UGNF_STREAM_FULL, "nor where it is picked up before that");
	ugnf_inorder_start(&model.inorder_stream, model.isn + 1 + 23, false, model.now);
	tap_ok(put(23, "a", false) != UGNF_STREAM_FULL, "after that, it goes on");
	model_gives_back(&model);

	begin_as(INORDER_CLASSES);
	put(4, "\xa9", false);
	put(0, "aaa\xed", false);
	put(0, "aaa\xf4", false);
	refused = model.inorder_stream.misfit.tries;
	ugnf_inorder_give_up(&model.inorder_stream);
	ugnf_inorder_acked(&model.inorder_stream, model.isn + 1 + 5, model.now);
	put(8, "\xa9", false);
	tap_ok(refused == UGNF_FOLD_TRIES && put(5, "aa\xc3", false) == UGNF_STREAM_ACCEPT &&
		       front() == 9,
	       "nor does it matter then how often those did not fit");
	model_gives_back(&model);
	check_adopted();
}

/*
 * A segment that fills a hole is refused for what came early, and let through all the same: the
 * stream is picked up after it, and what came early is read.
 */
static void check_passed(void)
{
	struct ugnf_segment_header header = { .len = 4 };

	begin_as(INORDER_CLASSES);
	put(4, "\xa9" "bc", false);
	tap_ok(put(0, "abc\xed", false) == UGNF_STREAM_ILL_FORMED && front() == 0,
	       "a filler is refused for what came early");
	header.seq = model.isn + 1;
	header.now = model.now;
	ugnf_inorder_pass(&model.inorder_stream, &header);
	tap_ok(front() == 7 && model.inorder_stream.seq.resyncs == 1,
	       "let through all the same, the stream is picked up, and what came early is read");
	tap_ok(put(4, "\xaa" "bc", false) == UGNF_STREAM_DIFFERS, "other octets are refused there");
	tap_ok(put(7, "a", false) == UGNF_STREAM_ACCEPT && front() == 8 &&
	       put(8, "\xaf", false) == UGNF_STREAM_ILL_FORMED, "the stream goes on, judged");
	tap_ok(model_gives_back(&model), "and the copy is given back");
}

/*
 * A stream that has as many boundaries as it can have, for want of memory for copies, loses its
 * framing: all of them are picked up.
 */
static void check_full(void)
{
	static struct {
		struct ugnf_inorder_stream stream;
		struct ugnf_boundary after;
	} lost;
	static const struct ugnf_boundary untouched;
	char text[60] = "";
	u32 len, from;

	begin_as(INORDER_CLASSES);
	model.inorder_stream.copies.memory = NULL;
	for (len = 0; len < sizeof(text) - 1; len++) {
		text[len] = len % 4 ? '\x90' : '\xf0';
		/* The last boundaries are for a segment that begins with what the receiver waits for. */
		from = model.inorder_stream.count < UGNF_BOUNDARIES - 2 ? len : 0;
		put(from, text + from, false);
	}
	memcpy(&lost.stream, &model.inorder_stream, sizeof(lost.stream));
	ugnf_inorder_lose(&lost.stream);
	tap_ok(lost.stream.count == UGNF_BOUNDARIES &&
	       !memcmp(&lost.after, &untouched, sizeof(untouched)),
	       "all %u boundaries are picked up, and nothing after them is written to",
	       lost.stream.count);
}

int main(void)
{
	u64 streams = streams_wanted(), seed = tap_env("SEED", 1);

	tap_note("SEED=%llu STREAMS=%llu, a stream takes %zu octets, a segment %zu",
		 (unsigned long long)seed, (unsigned long long)streams,
		 sizeof(struct ugnf_inorder_stream), sizeof(struct ugnf_inorder_segment));
	check_random("a sender of anything: nothing refused delivered", play_inorder,
		     streams * 4, seed);
	check_random("the same, some of it by another way, acknowledged at any octet",
		     play_inorder_detour, streams * 4, seed);
	model.takes_part = true;
	check_random("a receiver that takes the beginning of a segment: nothing refused delivered",
		     play_inorder, streams, seed);
	check_random("the same, some of it by another way", play_inorder_detour, streams, seed);
	model.takes_part = false;
	check_found();
	check_forgotten();
	check_random("an honest sender: all delivered", play_inorder_honest, streams, seed);
	check_random("picked up, and what was before it comes (once waited for good)",
		     play_inorder_honest, 1, 20567114);
	check_random("the same, reordered and thrown away: nothing has to wait",
		     play_inorder_reordered, streams, seed);
	check_random("an honest sender, with acknowledgments of any octet, lost, or from others",
		     play_inorder_answers, streams, seed);
	check_random("an honest sender to more than can be remembered: all delivered",
		     play_inorder_crowd, streams / 8 + 1, seed);
	check_random("an honest sender that must resegment: all delivered", play_inorder_resegmented,
		     streams / 8 + 1, seed);
	check_random("an honest sender that cuts anywhere, lenient: all delivered",
		     play_inorder_lenient, streams / 4 + 1, seed);
	check_random("begun in the middle: text is picked up, nothing else followed",
		     play_inorder_middle, streams / 4 + 1, seed);
	check_copies();
	check_passed();
	check_full();
	check_end();
	check_unfollowed();
	check_stepped_over();
	check_joined(INORDER_CLASSES, 0, "classes refused");
	check_joined(INORDER_CLASSES, UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM),
		     "or byte order marks");
	return tap_done();
}
