// SPDX-License-Identifier: GPL-2.0
/*
 * Connections from their first SYN on, with clients of any kind: nothing ill-formed is delivered,
 * whatever a client says of where its stream begins; and honest clients get through.
 *
 *   CONNECTIONS=n	how many random ones of each kind, 300000 if not given
 *   SEED=n		of the random numbers
 *
 * promise remote peer: nothing ill-formed is delivered to a receiver of any kind, from the first
 *   SYN on; who is honest gets through
 * shown by: a caller of any kind: nothing ill-formed delivered
 * shown by: who is called, of any kind: nothing ill-formed delivered
 * shown by: an honest caller, again and again: all delivered
 */
#include <stdlib.h>

#include "../../connection_callers.h"
#include "../../connection_senders.h"
#include "../../tap.h"

static struct wire wire;

typedef bool play_fn(struct wire *w, u64 *seed, bool in_order);

static void check(const char *what, play_fn *one, bool in_order, u64 count, u64 first)
{
	u64 i, wrong = 0, bad = 0, passed = 0, refused = 0, middle = 0, doubtful = 0, began = 0;

	for (i = 0; i < count; i++) {
		u64 seed = (first + i) * 0x9e3779b97f4a7c15ULL | 1;

		if (!one(&wire, &seed, in_order))
			bad = wrong++ ? bad : first + i;
		passed += wire.admitted;
		refused += wire.refused;
		middle += wire.middle;
		doubtful += wire.ambiguous;
		began += wire.connections;
	}
	tap_ok(!wrong, "%s, %s, %llu: %llu wrong", what, in_order ? "in order" : "in any order",
	       (unsigned long long)count, (unsigned long long)wrong);
	if (wrong)
		tap_note("the first: SEED=%llu CONNECTIONS=1", (unsigned long long)bad);
	tap_note(
		"%llu connections, %llu segments let through, %llu refused: %llu in the middle, %llu nowhere",
		(unsigned long long)began, (unsigned long long)passed, (unsigned long long)refused,
		(unsigned long long)middle, (unsigned long long)doubtful);
}

/* The server sends more than half of all sequence numbers, and the caller does not say a word. */
static void check_listener(bool in_order)
{
	u64 seed = 1;
	u32 i, isn = 1000, passed = 0;
	struct wire_segment s;
	bool good;

	wire_init(&wire, &seed, in_order);
	good = call(&wire, isn, 0);
	for (i = 0; i < 6; i++) {
		s = (struct wire_segment){
			.seq = wire.iss + 1 + (i << 29),
			.ack = wire.rcv_nxt,
			.has_ack = true,
			.text = (const u8 *)"a",
			.len = 1,
		};
		passed += wire_pass(&wire, WIRE_SERVER, &s);
		s = (struct wire_segment){
			.seq = isn + 1,
			.ack = s.seq + 1,
			.has_ack = true,
		};
		passed += wire_pass(&wire, WIRE_CLIENT, &s);
	}
	s.text = (const u8 *)"word";
	s.len = 4;
	tap_ok(good && passed == 12 && wire_pass(&wire, WIRE_CLIENT, &s),
	       "a caller who has only listened, to 2.5 GiB: his first word, %s",
	       in_order ? "in order" : "in any order");
}

static bool passes(enum wire_end from, const struct wire_segment s)
{
	return wire_pass(&wire, from, &s);
}

/*
 * Both ends have sent a FIN. The caller sends another one after his own, which the server never
 * takes, so that the true one seems not to be the end.
 */
static void check_end(bool in_order)
{
	u32 isn = 1000, end = isn + 5, ack;
	u64 seed = 1;
	bool good, late;

	wire_init(&wire, &seed, in_order);
	good = call(&wire, isn, 0) && tell(&wire, isn, (const u8 *)"text", 4, 0);
	ack = wire.iss + 1;
	good &= passes(WIRE_CLIENT, (struct wire_segment){
					    .seq = end, .ack = ack, .has_ack = true, .fin = true });
	passes(WIRE_CLIENT, (struct wire_segment){
				    .seq = end + 1000, .ack = ack, .has_ack = true, .fin = true });
	good &= passes(
		WIRE_SERVER,
		(struct wire_segment){ .seq = ack, .ack = end + 1, .has_ack = true, .fin = true });
	late = passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 1,
							  .ack = ack,
							  .has_ack = true,
							  .text = (const u8 *)"\xa9",
							  .len = 1 });
	tap_ok(good && !late, "after both FINs, nothing seems to be sent again, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Who sees nothing of a connection forges a FIN for it. Its number is beyond the window of the
 * server, so connection tracking finds it invalid, and the server does not take it.
 */
static void check_forged_end(bool in_order)
{
	u32 isn = 1000, end = isn + 9, ack;
	u64 seed = 1;
	bool good;

	wire_init(&wire, &seed, in_order);
	wire.moves = true;
	good = call(&wire, isn, 0) && tell(&wire, isn, (const u8 *)"text", 4, 0);
	ack = wire.iss + 1;
	wire.strictness = 1;
	good &= passes(WIRE_CLIENT, (struct wire_segment){
					    .seq = isn + 900000, .ack = 1, .has_ack = true, .fin = true });
	wire.strictness = 0;
	wire.is_held = true;
	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 5,
							   .ack = ack,
							   .has_ack = true,
							   .text = (const u8 *)"more",
							   .len = 4 });
	good &= passes(WIRE_CLIENT, (struct wire_segment){
					    .seq = end, .ack = ack, .has_ack = true, .fin = true });
	tap_ok(good, "a forged FIN beyond the window ends nothing, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * A stream that a SYN with payload began, though the server is in the middle of another; and a
 * SYN-ACK of its sender, who was called, with a number further on.
 */
static void check_other_answer(bool in_order)
{
	u64 seed = 1;
	bool begun, late;

	wire_init(&wire, &seed, in_order);
	wire.is_tracked = true;
	wire.is_confirmed = true;
	wire.caller = WIRE_SERVER;
	wire.state = TCP_CONNTRACK_TIME_WAIT;
	begun = passes(WIRE_CLIENT,
		       (struct wire_segment){
			       .seq = 1000, .syn = true, .text = (const u8 *)"a", .len = 1 });
	passes(WIRE_CLIENT,
	       (struct wire_segment){ .seq = 1003, .ack = 1, .syn = true, .has_ack = true });
	late = passes(WIRE_CLIENT, (struct wire_segment){ .seq = 1004,
							  .ack = 1,
							  .has_ack = true,
							  .text = (const u8 *)"\xe6\x97",
							  .len = 2 });
	tap_ok(begun && !late, "a SYN-ACK does not answer for another SYN, %s",
	       in_order ? "in order" : "in any order");
}

/* The server waits for the acknowledgment of its SYN-ACK; connection tracking forgets the SYN. */
static bool is_called_and_forgotten(u32 isn, bool in_order)
{
	u64 seed = 1;
	bool good;

	wire_init(&wire, &seed, in_order);
	good = call(&wire, isn, 0);
	wire_forget(&wire);
	return good;
}

static bool calls_with(u32 seq, const char *text)
{
	return passes(WIRE_CLIENT, (struct wire_segment){ .seq = seq, .syn = true,
							  .text = (const u8 *)text,
							  .len = strlen(text) });
}

/* The SYN-ACK is sent again. Does the stream go on with what is no beginning of one? */
static bool goes_on_inside(u32 isn)
{
	wire_answer(&wire, true);
	return passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 1,
							  .ack = wire.iss + 1,
							  .has_ack = true,
							  .text = (const u8 *)"\xa9",
							  .len = 1 });
}

/* The SYN-ACK seems to answer another SYN, which has payload before the stream. */
static void check_repeated_answer(bool in_order)
{
	const u32 isn = 1000;
	bool good = is_called_and_forgotten(isn, in_order);
	bool half = calls_with(isn - 1, "\xc3");

	good &= calls_with(isn - 2, "\xc3\xa9");
	tap_ok(good && !half && !goes_on_inside(isn),
	       "a SYN-ACK that is sent again does not answer for the payload of a later SYN, %s",
	       in_order ? "in order" : "in any order");
	good = is_called_and_forgotten(isn, in_order) && calls_with(isn - 1, "\xc3\xa9");
	tap_ok(good && !goes_on_inside(isn), "nor for a part of it, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Both ends have closed, and the acknowledgment of the last FIN has not come by: what seems to be
 * sent again may begin another connection, but later it is true that it is sent again.
 */
static void check_burst(bool in_order)
{
	const u32 isn = 1000;
	u64 seed = 1;
	bool good, late;
	u32 iss;

	wire_init(&wire, &seed, in_order);
	good = call(&wire, isn, 0) && tell(&wire, isn, (const u8 *)"caf\xc3\xa9", 5, 0);
	iss = wire.iss;
	const struct wire_segment
		fin = { .seq = iss + 1, .ack = isn + 6, .has_ack = true, .fin = true, .window = WIRE_WIDE },
		ours = { .seq = isn + 6, .ack = iss + 2, .has_ack = true, .fin = true,
			 .text = (const u8 *)"last", .len = 4 },
		again = { .seq = isn + 5, .ack = iss + 2, .has_ack = true,
			  .text = (const u8 *)"\xa9", .len = 1 };

	good &= passes(WIRE_SERVER, fin) && passes(WIRE_CLIENT, again) && passes(WIRE_CLIENT, ours);
	late = passes(WIRE_CLIENT, again);
	wire.now += 150;
	good &= passes(WIRE_CLIENT, ours);
	wire.now += 150;
	good &= passes(WIRE_CLIENT, again);
	tap_ok(good && !late, "closed by both ends, nothing is sent again at once, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * The server has the connection of an older cookie, with lower numbers than its SYN-ACK had. It
 * ends that by a reset, after which the next cookie may begin another one.
 */
static bool goes_on_by_older_cookie(bool in_order, u32 higher, bool is_reset)
{
	const u32 isn = 1000, first = 5000;
	u64 seed = 1;
	u32 i;

	wire_init(&wire, &seed, in_order);
	passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn, .syn = true });
	passes(WIRE_SERVER, (struct wire_segment){
				    .seq = first + higher - 1, .ack = isn + 1, .syn = true, .has_ack = true });
	passes(WIRE_CLIENT,
	       (struct wire_segment){ .seq = isn + 1, .ack = first, .has_ack = true });
	passes(WIRE_SERVER,
	       (struct wire_segment){ .seq = first, .ack = isn + 1, .has_ack = true });
	/* Of this, Linux says that it acknowledges what was never sent. */
	for (i = 1; i < 3; i++)
		passes(WIRE_CLIENT, (struct wire_segment){
					    .seq = isn + 1, .ack = first + i, .has_ack = true });
	if (is_reset)
		passes(WIRE_SERVER, (struct wire_segment){ .seq = first, .rst = true });
	return passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 3,
							  .ack = first + 2,
							  .has_ack = true,
							  .text = (const u8 *)"\xa9",
							  .len = 1 });
}

static void check_older_cookie(bool in_order)
{
	const u32 higher[] = { 70000, 0U - 70000 };
	bool good = true;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(higher); i++)
		good &= goes_on_by_older_cookie(in_order, higher[i], false) &&
			!goes_on_by_older_cookie(in_order, higher[i], true);
	tap_ok(good, "a reset ends the connection of another cookie, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * A server that sends cookies has answered two SYNs, and the second answer is on its way while the
 * client acknowledges another one, by which the server may have a connection that begins elsewhere.
 * Connection tracking finds that segment invalid, so that it still waits.
 */
static bool begins_by_late_answer(bool in_order, bool by_cookie, u32 later)
{
	const u32 isn = 1000, first = 5000;
	const struct wire_segment answer = {
		.seq = first - 1, .ack = isn + 1, .syn = true, .has_ack = true
	};
	u64 seed = 1;

	wire_init(&wire, &seed, in_order);
	passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn, .syn = true });
	passes(WIRE_SERVER, answer);
	passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn, .syn = true });
	passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn - 5, .syn = true });
	passes(WIRE_SERVER, answer);
	wire.strictness = 1;
	if (by_cookie)
		passes(WIRE_CLIENT, (struct wire_segment){
					    .seq = isn - 6, .ack = first - 7, .has_ack = true });
	wire.strictness = 0;
	wire.now += later;
	passes(WIRE_SERVER, (struct wire_segment){
				    .seq = first - 6, .ack = isn - 4, .syn = true, .has_ack = true });
	return passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn - 4,
							  .ack = first - 5,
							  .has_ack = true,
							  .text = (const u8 *)"a",
							  .len = 1 });
}

static void check_late_beginning(bool in_order)
{
	tap_ok(begins_by_late_answer(in_order, false, 0) &&
	       !begins_by_late_answer(in_order, true, 100) &&
	       begins_by_late_answer(in_order, true, 200),
	       "a SYN-ACK that may be late does not undo the acknowledgment of another one, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Who is called sends two SYNs, of which the caller takes the second, and then a SYN-ACK with a number
 * @before that. The caller's answer to the second SYN is on its way meanwhile.
 */
static bool is_second_syn_taken(bool in_order, u32 before, const char *text)
{
	const u32 call = 5000, first = 1000;
	u64 seed = 1;

	wire_init(&wire, &seed, in_order);
	passes(WIRE_SERVER, (struct wire_segment){ .seq = call - 1, .syn = true });
	passes(WIRE_CLIENT, (struct wire_segment){ .seq = first + 9000, .syn = true });
	passes(WIRE_CLIENT, (struct wire_segment){ .seq = first - 1, .syn = true });
	passes(WIRE_CLIENT, (struct wire_segment){
				    .seq = first - 1 - before, .ack = call, .syn = true, .has_ack = true });
	passes(WIRE_SERVER, (struct wire_segment){
				    .seq = call - 1, .ack = first, .syn = true, .has_ack = true });
	return passes(WIRE_CLIENT, (struct wire_segment){ .seq = first,
							  .ack = call,
							  .has_ack = true,
							  .text = (const u8 *)text,
							  .len = strlen(text) });
}

static void check_second_syn(bool in_order)
{
	tap_ok(is_second_syn_taken(in_order, 0, "a") && !is_second_syn_taken(in_order, 0, "\xa9") &&
		       !is_second_syn_taken(in_order, 3, "\xa9"),
	       "who has sent two SYNs and another SYN-ACK begins where one was answered, %s",
	       in_order ? "in order" : "in any order");
}

/* Who is called sends octets before his answer, and again after it, or others. */
static bool goes_on_after_early(bool in_order, const char *early, const char *text)
{
	const u32 call = 5000, first = 1000;
	struct wire_segment s = { .seq = first, .ack = call, .has_ack = true,
				  .text = (const u8 *)early, .len = strlen(early) };
	u64 seed = 1;

	wire_init(&wire, &seed, in_order);
	passes(WIRE_SERVER, (struct wire_segment){ .seq = call - 1, .syn = true });
	if (passes(WIRE_CLIENT, s))
		return false;
	passes(WIRE_CLIENT, (struct wire_segment){
				    .seq = first - 1, .ack = call, .syn = true, .has_ack = true });
	passes(WIRE_SERVER, (struct wire_segment){ .seq = call, .ack = first, .has_ack = true });
	s.text = (const u8 *)text;
	s.len = strlen(text);
	return passes(WIRE_CLIENT, s);
}

static void check_early_octets(bool in_order)
{
	tap_ok(goes_on_after_early(in_order, "a", "b") &&
		       goes_on_after_early(in_order, "\xa9", "a") &&
		       !goes_on_after_early(in_order, "\xa9", "\xa9"),
	       "octets before a SYN-ACK are refused, and begin nothing, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Who is called answers twice, with other numbers, and has sent a SYN with the first of them. The
 * caller, who calls for the second time, takes the first answer.
 */
static bool is_first_answer_taken(bool in_order, u32 first, u32 second, bool is_followed)
{
	u64 seed = 1;
	u32 call, i;

	wire_init(&wire, &seed, in_order);
	for (i = 0; i < 2; i++) {
		call = 5000 + 3000 * i;
		passes(WIRE_SERVER, (struct wire_segment){ .seq = call, .syn = true });
		if (i)
			passes(WIRE_CLIENT, (struct wire_segment){ .seq = first - 1, .syn = true });
		passes(WIRE_CLIENT,
		       (struct wire_segment){
			       .seq = first - 1, .ack = call + 1, .syn = true, .has_ack = true });
		if (i)
			passes(WIRE_CLIENT, (struct wire_segment){ .seq = second - 1,
								   .ack = call + 1,
								   .syn = true,
								   .has_ack = true });
		passes(WIRE_SERVER, (struct wire_segment){
					    .seq = call + 1, .ack = first, .has_ack = true });
		if (!i && is_followed)
			passes(WIRE_CLIENT, (struct wire_segment){ .seq = first,
								   .ack = call + 1,
								   .has_ack = true,
								   .text = (const u8 *)"\xc0\xae",
								   .len = 2 });
	}
	return !passes(WIRE_CLIENT, (struct wire_segment){ .seq = first,
							   .ack = call + 1,
							   .has_ack = true,
							   .text = (const u8 *)"\xa9",
							   .len = 1 });
}

static void check_two_answers(bool in_order)
{
	bool good = true;
	int i;

	for (i = 0; i < 4; i++)
		good &= is_first_answer_taken(in_order, i & 1 ? 7000 : 1000, i & 1 ? 1000 : 7000,
					      i & 2);
	tap_ok(good, "of two SYN-ACKs, the one counts that is acknowledged, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Who sees nothing of a connection forges a SYN for it, which is never answered, and later a reset
 * whose number was acknowledged long ago.
 */
static void check_forged_syn(bool in_order)
{
	u32 isn = 1000, i, ack;
	u64 seed = 1;
	bool good;

	wire_init(&wire, &seed, in_order);
	good = call(&wire, isn, 0) && tell(&wire, isn, (const u8 *)"text", 4, 0);
	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 777777, .syn = true });
	ack = wire.iss + 1;
	for (i = 0; i < 6; i++) {
		ack += 50000;
		good &= passes(WIRE_SERVER, (struct wire_segment){ .seq = ack - 1,
								   .ack = isn + 5,
								   .has_ack = true,
								   .text = (const u8 *)"a",
								   .len = 1 });
		good &= passes(WIRE_CLIENT, (struct wire_segment){
						    .seq = isn + 5, .ack = ack, .has_ack = true });
	}
	passes(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss + 100, .rst = true });
	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 5,
							   .ack = ack,
							   .has_ack = true,
							   .text = (const u8 *)"more",
							   .len = 4 });
	tap_ok(good, "a forged SYN, and a forged reset long after, end nothing, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * A server with SYN cookies answers a SYN, and takes the payload of the next one before the answer
 * has come by here. What comes after that payload is judged after it.
 */
static void check_late_answer(bool in_order)
{
	u64 seed = 1;
	bool good, late;

	wire_init(&wire, &seed, in_order);
	good = passes(WIRE_CLIENT, (struct wire_segment){ .seq = 1000, .syn = true });
	good &= passes(WIRE_CLIENT,
		       (struct wire_segment){
			       .seq = 1000, .syn = true, .text = (const u8 *)"a", .len = 1 });
	good &= passes(WIRE_SERVER, (struct wire_segment){ .seq = 5000, .ack = 1001, .syn = true,
							   .has_ack = true, .window = WIRE_WIDE });
	late = passes(WIRE_CLIENT, (struct wire_segment){ .seq = 1002, .ack = 5001, .has_ack = true,
							  .text = (const u8 *)"\xa5z", .len = 2 });
	tap_ok(good && !late, "a late SYN-ACK does not undo the payload of a SYN, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Who knows nothing but the ports of a connection forges an acknowledgment for it, before the
 * caller has said anything. The server answers that by its own numbers.
 */
static void check_forged_ack(bool in_order, bool is_invalid)
{
	const u32 isn = 1000;
	u64 seed = 7;
	bool good;
	u32 ack;

	wire_init(&wire, &seed, in_order);
	wire.has_cookies = false;
	wire.takes_early = false;
	good = call(&wire, isn, 0);
	ack = wire.iss + 1;
	const struct wire_segment first = { .seq = isn + 1, .ack = ack, .has_ack = true,
					    .text = (const u8 *)"text", .len = 4 };

	good &= passes(WIRE_CLIENT, (struct wire_segment){
					    .seq = isn + 1, .ack = ack, .has_ack = true });
	wire.strictness = is_invalid;
	passes(WIRE_CLIENT, (struct wire_segment){
				    .seq = 0x77777777, .ack = 0x12345678, .has_ack = true });
	wire.strictness = 0;
	/* It may be the acknowledgment of another cookie. */
	good &= !passes(WIRE_CLIENT, first);
	passes(WIRE_SERVER, (struct wire_segment){ .seq = ack, .ack = isn + 1, .has_ack = true });
	tap_ok(good && passes(WIRE_CLIENT, first),
	       "a forged acknowledgment%s stops nobody once the server has answered it, %s",
	       is_invalid ? " that is invalid" : "", in_order ? "in order" : "in any order");
}

/* A connection on which both ends have sent something that was acknowledged. */
static bool converse(u32 isn, bool in_order)
{
	u64 seed = 7;
	bool good;

	wire_init(&wire, &seed, in_order);
	wire.has_cookies = false;
	wire.takes_early = false;
	wire.memory.most = MEMORY_COPIES;
	good = call(&wire, isn, 0);
	wire.is_liberal = false;
	good &= tell(&wire, isn, (const u8 *)"text", 4, 0);
	good &= passes(WIRE_SERVER, (struct wire_segment){
					    .seq = wire.iss + 1, .ack = isn + 5, .has_ack = true,
					    .window = WIRE_WIDE, .text = (const u8 *)"hello", .len = 5 });
	return good && passes(WIRE_CLIENT, (struct wire_segment){
						   .seq = isn + 5, .ack = wire.iss + 6,
						   .has_ack = true, .window = WIRE_WIDE });
}

/* What the client goes on with after converse(). */
static bool goes_on(u32 isn)
{
	wire.is_held = true;
	return passes(WIRE_CLIENT, (struct wire_segment){
					   .seq = isn + 5, .ack = wire.iss + 6, .has_ack = true,
					   .window = WIRE_WIDE, .text = (const u8 *)"more and more",
					   .len = 13 });
}

/* Numbers of long ago, which connection tracking lets pass and no receiver looks at. */
#define LONG_AGO 1000000000

/* Who knows nothing but the ports of a connection forges the FINs of both ends, or the server's. */
static void check_old_fins(bool in_order, bool of_both)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);

	if (of_both)
		passes(WIRE_CLIENT,
		       (struct wire_segment){ .seq = isn - LONG_AGO, .ack = wire.iss - LONG_AGO,
					      .has_ack = true, .fin = true });
	passes(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss - LONG_AGO,
						   .ack = isn - LONG_AGO,
						   .has_ack = true, .fin = true });
	if (!of_both)
		wire.now += 56000;
	tap_ok(good && goes_on(isn), "%s of long ago ends nothing, %s",
	       of_both ? "a FIN of each end" : "a FIN of the server",
	       in_order ? "in order" : "in any order");
}

/* The client says four octets after @said others, and the server acknowledges them. */
static bool is_taken(u32 isn, u32 said)
{
	return passes(WIRE_CLIENT, (struct wire_segment){
					   .seq = isn + 1 + said, .ack = wire.iss + 6,
					   .has_ack = true, .window = WIRE_WIDE,
					   .text = (const u8 *)"more", .len = 4 }) &&
	       passes(WIRE_SERVER, (struct wire_segment){
					   .seq = wire.iss + 6, .ack = isn + 1 + said + 4,
					   .has_ack = true, .window = WIRE_WIDE });
}

/* Likewise the server's, where the stream was picked up, for one reason or another. */
static void check_old_fin_picked_up(bool in_order, bool is_older)
{
	struct wire_sight *sight = &wire.sight[0];
	const u32 isn = 1000;
	bool good = converse(isn, in_order);

	if (is_older) {
		wire_unfollow(&wire);
		wire.is_older = true;
	} else {
		ugnf_plain_init(&sight->scope, &(const struct ugnf_plain) {}, false);
		sight->policy.scope = in_order ? NULL : &sight->scope;
	}
	good &= is_taken(isn, 4) && is_taken(isn, 8) && is_taken(isn, 12);
	passes(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss - LONG_AGO,
						   .ack = isn - LONG_AGO,
						   .has_ack = true, .fin = true });
	wire.now += 56000;
	tap_ok(good && is_taken(isn, 16), "nor does one where %s, %s",
	       is_older ? "the connection is older than the rule" : "the rule has changed",
	       in_order ? "in order" : "in any order");
}

/* Likewise octets, which the server does not take, for it ignores what they acknowledge. */
static void check_old_ack(bool in_order)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);

	good &= !passes(WIRE_CLIENT,
			(struct wire_segment){ .seq = isn + 9, .ack = wire.iss - LONG_AGO,
					       .has_ack = true, .text = (const u8 *)"\xc3\xa9",
					       .len = 2 });
	tap_ok(good && goes_on(isn), "octets with an acknowledgment of long ago stand in no way, %s",
	       in_order ? "in order" : "in any order");
}

/* But octets with an acknowledgment that newer ones have overtaken on its way are let through. */
static void check_overtaken_ack(bool in_order)
{
	const u32 isn = 1000, burst = 0x200000;
	bool good = converse(isn, in_order);

	good &= passes(WIRE_SERVER, (struct wire_segment){
					    .seq = wire.iss + 6 + burst, .ack = isn + 5, .has_ack = true,
					    .window = WIRE_WIDE, .text = (const u8 *)"a", .len = 1 });
	good &= passes(WIRE_CLIENT, (struct wire_segment){
					    .seq = isn + 5, .ack = wire.iss + 7 + burst,
					    .has_ack = true, .window = WIRE_WIDE });
	tap_ok(good && goes_on(isn),
	       "octets whose acknowledgment was overtaken, by 2 MiB, are let through, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Likewise an acknowledgment of what was never sent, which connection tracking lets pass where
 * net.netfilter.nf_conntrack_tcp_be_liberal is set.
 */
static void check_ack_ahead(bool in_order)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);

	passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 5, .ack = wire.iss + LONG_AGO,
						   .has_ack = true });
	tap_ok(good && goes_on(isn),
	       "an acknowledgment of what was never sent stands in no way, %s",
	       in_order ? "in order" : "in any order");
}

/* Likewise as the server. Here it would say that octets of the client went by unseen. */
static void check_ack_beyond(bool in_order)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);

	passes(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss + LONG_AGO, .window = WIRE_WIDE,
						   .ack = isn + LONG_AGO, .has_ack = true });
	tap_ok(good && goes_on(isn),
	       "nor does one beyond all windows that were announced, %s",
	       in_order ? "in order" : "in any order");
}

/* Likewise an option of Multipath TCP. */
static void check_late_option(bool in_order)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);
	const struct ugnf_segment_header header = { .seq = wire.iss - LONG_AGO, .now = wire.now };
	const struct ugnf_sighting sighting = {
		.header = &header, .ack = isn - LONG_AGO, .has_ack = true, .is_multipath = true,
		.direction = 1, .state = wire.state,
	};

	ugnf_tcb_observe(&wire.sight[0].tcb, &sighting);
	tap_ok(good && !ugnf_tcb_is_multipath(&wire.sight[0].tcb),
	       "a plain connection stays plain, %s", in_order ? "in order" : "in any order");
}

/* A segment of a connection that no rule judges. */
static void observe(struct ugnf_tcb *tcb, enum wire_end from, u8 state, bool is_multipath,
		    const struct wire_segment s)
{
	const struct ugnf_segment_header header = { .seq = s.seq, .len = s.len, .syn = s.syn,
						    .fin = s.fin };
	const struct ugnf_sighting sighting = {
		.header = &header, .ack = s.ack, .window = s.window, .has_ack = s.has_ack,
		.direction = from != WIRE_CLIENT, .state = state, .is_multipath = is_multipath,
	};

	ugnf_tcb_observe(tcb, &sighting);
}

static void shake_hands(struct ugnf_tcb *tcb, u32 isn, u32 iss)
{
	memset(tcb, 0, sizeof(*tcb));
	ugnf_tcb_init(tcb, NULL, false, TCP_CONNTRACK_SYN_SENT);
	observe(tcb, WIRE_CLIENT, TCP_CONNTRACK_SYN_SENT, false,
		(struct wire_segment){ .seq = isn, .syn = true, .window = WIRE_WIDE });
	observe(tcb, WIRE_SERVER, TCP_CONNTRACK_SYN_RECV, false,
		(struct wire_segment){ .seq = iss, .ack = isn + 1, .syn = true, .has_ack = true,
				       .window = WIRE_WIDE });
	observe(tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, false,
		(struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true,
				       .window = WIRE_WIDE });
}

/* An option of Multipath TCP, of whoever knows the ports, before any payload; and of the client. */
static void check_blind_option(void)
{
	const u32 isn = 1000, iss = 2000000000;
	struct wire_segment s = { .seq = isn - LONG_AGO, .ack = iss - LONG_AGO, .has_ack = true };
	struct ugnf_tcb tcb;
	bool is_plain;

	shake_hands(&tcb, isn, iss);
	observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, true, s);
	s.seq = iss + 1;
	s.ack = isn - LONG_AGO;
	observe(&tcb, WIRE_SERVER, TCP_CONNTRACK_ESTABLISHED, true, s);
	is_plain = !ugnf_tcb_is_multipath(&tcb);
	s.ack = isn + 1;
	observe(&tcb, WIRE_SERVER, TCP_CONNTRACK_ESTABLISHED, true, s);
	tap_ok(is_plain && ugnf_tcb_is_multipath(&tcb),
	       "an option of Multipath TCP counts with a number of the connection");
}

/* May the consent to another protocol be in a segment of the server, by its number? */
static bool may_consent(const struct ugnf_tcb *tcb, u32 seq)
{
	const struct ugnf_segment_header header = { .seq = seq, .len = 12 };

	return ugnf_ending_is_taken(&tcb->dir[1], &header);
}

static void check_blind_answer(void)
{
	const u32 isn = 1000, iss = 2000000000;
	struct ugnf_tcb tcb;

	shake_hands(&tcb, isn, iss);
	observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, false,
		(struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true,
				       .window = WIRE_WIDE });
	tap_ok(may_consent(&tcb, iss + 1) && may_consent(&tcb, iss - 5) &&
		       may_consent(&tcb, iss + WIRE_WIDE) && !may_consent(&tcb, iss - 11) &&
		       !may_consent(&tcb, iss + 1 + WIRE_WIDE) &&
		       !may_consent(&tcb, iss + 1 - LONG_AGO),
	       "an answer counts where the client may take an octet of it");
}

/* A segment that connection tracking finds invalid, and its receiver takes. */
static void stray(enum wire_end from, const struct wire_segment s)
{
	const struct ugnf_segment_header header = { .seq = s.seq, .len = s.len, .now = wire.now,
						    .fin = s.fin, .rst = s.rst };
	const struct ugnf_sighting sighting = { .header = &header, .ack = s.ack,
						.window = s.window, .has_ack = s.has_ack,
						.direction = from != wire.caller,
						.state = wire.state };

	wire.now += 10;
	wire_pass_invalid(&wire, 0, false, &sighting, s.text);
}

/* The SYN of a client, of which the server keeps nothing but the cookie in its answer. */
static bool begin_by_cookie(u32 isn, u32 window, bool in_order)
{
	const struct wire_segment syn = { .seq = isn, .syn = true, .window = window };
	static u64 seed;
	bool good;

	seed = 7;
	wire_init(&wire, &seed, in_order);
	wire.has_cookies = true;
	wire.takes_early = false;
	wire.secret = 555000;
	wire.older_secret = wire.secret;
	good = passes(WIRE_CLIENT, syn);
	wire.is_liberal = false;
	wire_receive(&wire, &syn);
	return good;
}

/*
 * A caller has announced a small window, and widens it by acknowledgments that connection tracking
 * finds invalid, because of a SACK block of what was never sent; Linux takes them. Then connection
 * tracking finds the end of the answer invalid, and the end of the connection. The caller uses the
 * cookie again, with other octets.
 */
static void check_hidden_end(bool in_order, bool by_reset)
{
	static const u8 good_text[] = "GET /good HTTP/1.1\r\n", bad_text[] = "GET /\xc0\xae\xc0\xae HTTP/1.1";
	const u32 isn = 1000, len = 20, end = isn + 1 + len + !by_reset;
	struct wire_segment s;
	bool good;
	u32 iss;

	good = begin_by_cookie(isn, 100, in_order);
	iss = wire.iss;
	s = (struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true, .window = 100,
				   .text = good_text, .len = len, .fin = !by_reset };
	good &= passes(WIRE_CLIENT, s);
	wire_receive(&wire, &s);
	good &= wire.server == WIRE_CONNECTED && wire.delivered == len;
	stray(WIRE_CLIENT, (struct wire_segment){
				   .seq = end, .ack = iss + 1, .has_ack = true, .window = 60000 });
	s = (struct wire_segment){ .seq = iss + 1, .ack = end, .has_ack = true, .len = 200,
				   .text = good_text, .window = 60000 };
	passes(WIRE_SERVER, s);
	s.seq += 200;
	stray(WIRE_SERVER, s);
	s = (struct wire_segment){ .seq = iss + 401, .ack = end, .has_ack = true,
				   .fin = !by_reset, .rst = by_reset, .window = 60000 };
	stray(WIRE_SERVER, s);
	if (!by_reset)
		stray(WIRE_CLIENT, (struct wire_segment){ .seq = end, .ack = iss + 402,
							  .has_ack = true, .window = 60000 });
	wire.server = WIRE_LISTEN;
	wire.now += 1000;
	s = (struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true, .window = 100,
				   .text = bad_text, .len = len };
	tap_ok(good && !passes(WIRE_CLIENT, s),
	       "a %s that connection tracking finds invalid ends a connection, %s",
	       by_reset ? "reset" : "FIN", in_order ? "in order" : "in any order");
}

/*
 * A client acknowledges what it wants by segments that the server does not take, and by others,
 * which connection tracking finds invalid, moves the end of its window. The server resets the
 * connection, by a number that is before what was acknowledged, or after all that it seems to have
 * sent. The client uses the cookie again, with other octets.
 */
static void check_hidden_window(bool in_order, bool is_narrow)
{
	static const u8 good_text[] = "GET /good HTTP/1.1\r\n", bad_text[] = "GET /\xc0\xae\xc0\xae HTTP/1.1";
	const u32 isn = 1000, len = 20, end = isn + 1 + len, said = 100000;
	struct wire_segment s;
	bool good;
	u32 iss;

	good = begin_by_cookie(isn, 120000, in_order);
	iss = wire.iss;
	s = (struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true,
				   .window = 120000, .text = good_text, .len = len };
	good &= passes(WIRE_CLIENT, s);
	wire_receive(&wire, &s);
	wire_say(&wire, said);
	stray(WIRE_CLIENT, (struct wire_segment){ .seq = end, .ack = iss + 1 + said,
						  .has_ack = true });
	s = (struct wire_segment){ .seq = end, .ack = iss + 1, .has_ack = true,
				   .window = is_narrow ? 0 : 3 * said };
	stray(WIRE_CLIENT, s);
	wire_receive(&wire, &s);
	if (!is_narrow)
		stray(WIRE_SERVER, (struct wire_segment){
					   .seq = iss + 1 + said, .ack = end, .has_ack = true,
					   .window = WIRE_WIDE, .text = good_text, .len = said });
	stray(WIRE_SERVER, (struct wire_segment){
				   .seq = iss + 1 + (is_narrow ? 0 : 2 * said), .ack = end,
				   .has_ack = true, .rst = true });
	wire.now += 1000;
	s = (struct wire_segment){ .seq = isn + 1, .ack = iss + 1 + said, .has_ack = true,
				   .window = WIRE_WIDE, .text = bad_text, .len = len };
	tap_ok(good && wire.sent == said && !passes(WIRE_CLIENT, s),
	       "a reset at the end of a window that became %s ends a connection, %s",
	       is_narrow ? "narrower" : "wider", in_order ? "in order" : "in any order");
}

/* Who knows nothing but the ports of a connection forges a reset of the server. */
static void check_forged_reset(bool in_order)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);

	stray(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss - 70000, .rst = true });
	stray(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss + 7, .ack = isn + 4,
						  .has_ack = true, .rst = true });
	stray(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss + 7, .ack = isn + 6,
						  .has_ack = true, .rst = true });
	tap_ok(good && goes_on(isn),
	       "a reset with a number that the server has not used ends nothing, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * A cookie begins a connection on which the client says good things, and then the server closes.
 * Before that comes by, the client may say @more octets, which the server has not taken.
 */
static bool is_closed_by_server(u32 isn, u32 len, const u8 *text, u32 more, bool in_order)
{
	struct wire_segment s;
	u32 end = isn + 1 + len;
	bool good;

	good = begin_by_cookie(isn, WIRE_WIDE, in_order);
	s = (struct wire_segment){ .seq = isn + 1, .ack = wire.iss + 1, .has_ack = true,
				   .window = WIRE_WIDE, .text = text, .len = len };
	good &= passes(WIRE_CLIENT, s);
	wire_receive(&wire, &s);
	s = (struct wire_segment){ .seq = end, .ack = wire.iss + 1, .has_ack = true,
				   .window = WIRE_WIDE, .text = text, .len = more };
	good &= !more || passes(WIRE_CLIENT, s);
	s = (struct wire_segment){ .seq = wire.iss + 1, .ack = end, .has_ack = true, .fin = true,
				   .window = WIRE_WIDE, .text = text, .len = len };
	good &= passes(WIRE_SERVER, s);
	return good && passes(WIRE_CLIENT, (struct wire_segment){
						   .seq = end + more, .ack = wire.iss + 2 + len,
						   .has_ack = true, .window = WIRE_WIDE });
}

/*
 * The process of the server has closed the connection, so Linux answers what comes by a reset, and
 * knows nothing of the connection any more. The number of that reset is what the client has
 * acknowledged, and Linux does not look at that. Nor does it look at the number of a reset then, if
 * it is in the window. The client uses the cookie again, with other octets.
 */
static void check_end_after_close(bool in_order, bool by_client)
{
	static const u8 good_text[] = "GET /good HTTP/1.1\r\n", bad_text[] = "GET /\xc0\xae\xc0\xae HTTP/1.1";
	const u32 isn = 1000, len = 20, end = isn + 1 + len;
	bool good = is_closed_by_server(isn, len, good_text, 0, in_order);
	u32 iss = wire.iss;

	if (by_client) {
		passes(WIRE_CLIENT, (struct wire_segment){ .seq = end + 500, .rst = true });
	} else {
		good &= passes(WIRE_CLIENT, (struct wire_segment){
						    .seq = end, .ack = iss + 1, .has_ack = true,
						    .window = WIRE_WIDE, .text = good_text, .len = 1 });
		stray(WIRE_SERVER, (struct wire_segment){ .seq = iss + 1, .rst = true });
	}
	wire.now += 1000;
	tap_ok(good && !passes(WIRE_CLIENT,
			       (struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true,
						      .window = WIRE_WIDE, .text = bad_text,
						      .len = len }),
	       "closed by the server, a connection is over after a reset of %s with any number, %s",
	       by_client ? "the client" : "the server", in_order ? "in order" : "in any order");
}

/* What the process of a server that has closed makes Linux answer by a reset. */
enum asking { ASK_OCTETS, ASK_AGAIN, ASK_BEFORE, ASK_SYN, ASK_FIN, ASK_STRAY, ASKINGS };

/*
 * Likewise, but the reset is still on its way here when the client uses the cookie again. The
 * octets that are answered may have been lost once, or sent before the server closed.
 */
static void check_late_reset(bool in_order, enum asking asking)
{
	static const char *const words[ASKINGS] = {
		"octets", "octets sent again", "octets before that", "a SYN", "a FIN sent again",
		"an invalid FIN",
	};
	static const u8 good_text[] = "GET /good HTTP/1.1\r\n", bad_text[] = "GET /\xc0\xae\xc0\xae HTTP/1.1";
	const u32 isn = 1000, len = 20, end = isn + 1 + len;
	bool good = is_closed_by_server(isn, len, good_text, asking == ASK_BEFORE, in_order);
	u32 iss = wire.iss;
	const struct wire_segment asks[ASKINGS] = {
		[ASK_OCTETS] = { .seq = end, .ack = iss + 1, .has_ack = true, .len = 1 },
		[ASK_AGAIN] = { .seq = end, .ack = iss + 1, .has_ack = true, .len = 1 },
		[ASK_SYN] = { .seq = end + 1000, .syn = true },
		[ASK_FIN] = { .seq = end + 5, .ack = iss + 1, .has_ack = true, .fin = true },
	}, again = { .seq = isn + 1, .ack = iss + 1, .has_ack = true, .window = WIRE_WIDE,
		     .text = bad_text, .len = len };
	struct wire_segment s = asks[asking];

	s.window = WIRE_WIDE;
	s.text = good_text;
	if (asking == ASK_STRAY)
		stray(WIRE_CLIENT, asks[ASK_FIN]);
	else if (asking != ASK_BEFORE)
		good &= passes(WIRE_CLIENT, s);
	if (asking == ASK_AGAIN || asking == ASK_FIN) {
		wire.now += 150;
		good &= passes(WIRE_CLIENT, s);
	}
	tap_ok(good && !passes(WIRE_CLIENT, again),
	       "closed by the server, nothing is sent again while a reset for %s may be on its way, %s",
	       words[asking], in_order ? "in order" : "in any order");
}

/* A server that has closed only its half acknowledges what the client goes on with. */
static void check_half_closed(bool in_order)
{
	static const u8 text[] = "GET /good HTTP/1.1\r\n";
	const u32 isn = 1000, len = 20;
	bool good = is_closed_by_server(isn, len, text, 0, in_order);
	u32 i, end = isn + 1 + len, ack = wire.iss + 2 + len;

	for (i = 0; i < 4; i++) {
		good &= passes(WIRE_CLIENT, (struct wire_segment){
						    .seq = end, .ack = ack, .has_ack = true,
						    .window = WIRE_WIDE, .text = text, .len = len });
		end += len;
		good &= passes(WIRE_SERVER, (struct wire_segment){ .seq = ack, .ack = end,
								   .has_ack = true,
								   .window = WIRE_WIDE });
	}
	tap_ok(good, "a client goes on while the server that has closed acknowledges that, %s",
	       in_order ? "in order" : "in any order");
}

int main(void)
{
	u64 count = tap_env("CONNECTIONS", 300000), seed = tap_env("SEED", 1);
	u32 i;

	check("a caller of any kind: nothing ill-formed delivered", play_attack, false, count,
	      seed);
	check("a caller of any kind: nothing ill-formed delivered", play_attack, true, count, seed);
	check("who is called, of any kind: nothing ill-formed delivered", play_called_attack, false,
	      count, seed);
	check("who is called, of any kind: nothing ill-formed delivered", play_called_attack, true,
	      count, seed);
	check("an honest caller, again and again: all delivered", play_honest, false, count / 4 + 1,
	      seed);
	check("an honest caller, again and again: all delivered", play_honest, true, count / 4 + 1,
	      seed);
	check("windows that move, a sender of anything: nothing refused is delivered", play_windows,
	      false, count, seed);
	check("windows that move, an honest sender: all delivered, nothing refused", play_network,
	      false, count / 4 + 1, seed);
	check("picked up, then a segment taken in part (was once refused for good)", play_network,
	      false, 1, 90011449);
	check("the same, at one hook", play_network, false, 1, 400016831);
	check_listener(false);
	check_listener(true);
	check_end(false);
	check_end(true);
	check_forged_end(false);
	check_forged_end(true);
	check_forged_syn(false);
	check_forged_syn(true);
	check_other_answer(false);
	check_other_answer(true);
	check_repeated_answer(false);
	check_repeated_answer(true);
	check_older_cookie(false);
	check_older_cookie(true);
	check_late_beginning(false);
	check_late_beginning(true);
	check_early_octets(false);
	check_early_octets(true);
	check_second_syn(false);
	check_second_syn(true);
	check_two_answers(false);
	check_two_answers(true);
	check_burst(false);
	check_burst(true);
	check_late_answer(false);
	check_late_answer(true);
	check_forged_ack(false, false);
	check_forged_ack(true, true);
	for (i = 0; i < 2; i++) {
		check_old_fins(i, true);
		check_old_fins(i, false);
		check_old_fin_picked_up(i, true);
		check_old_fin_picked_up(i, false);
		check_old_ack(i);
		check_overtaken_ack(i);
		check_ack_ahead(i);
		check_ack_beyond(i);
		check_late_option(i);
	}
	check_blind_option();
	check_blind_answer();
	check_hidden_end(false, false);
	check_hidden_end(true, false);
	check_hidden_end(false, true);
	check_hidden_end(true, true);
	for (i = 0; i < 4; i++) {
		check_hidden_window(i & 1, i & 2);
		check_end_after_close(i & 1, i & 2);
	}
	check_forged_reset(false);
	check_forged_reset(true);
	for (i = 0; i < 2 * ASKINGS; i++)
		check_late_reset(i & 1, i / 2);
	check_half_closed(false);
	check_half_closed(true);
	return tap_done();
}
