// SPDX-License-Identifier: GPL-2.0
/*
 * Where a stream begins: SYNs and SYN-ACKs that come twice, late, with payload or from somebody
 * else, and SYN cookies. What random connections found (tcp_connection.c), and what was thought of.
 */
#include "../../connection_steps.h"
#include "../../tap.h"

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
 * Who is called sends octets before his answer, or a SYN with octets; an answer whose octets are
 * refused, a reset that the caller ignores, and another answer. What he sends right after that is at
 * the beginning there.
 */
static void check_answer_after_early(bool in_order, bool by_syn)
{
	const u32 call = 5000, first = 1000;
	struct wire_segment s = { .seq = first, .ack = call, .has_ack = true,
				  .text = (const u8 *)"\xa5", .len = 1 };
	u64 seed = 1;
	bool good;

	wire_init(&wire, &seed, in_order);
	good = passes(WIRE_SERVER, (struct wire_segment){ .seq = call - 1, .syn = true });
	if (by_syn)
		good &= !passes(WIRE_CLIENT, (struct wire_segment){ .seq = first - 4,
								    .syn = true,
								    .text = (const u8 *)"\xe6",
								    .len = 1 });
	else
		good &= !passes(WIRE_CLIENT, s);
	good &= !passes(WIRE_CLIENT, (struct wire_segment){ .seq = first - 4,
							    .ack = call,
							    .syn = true,
							    .has_ack = true,
							    .text = (const u8 *)"\xe6\x97",
							    .len = 2 });
	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = 77, .rst = true });
	passes(WIRE_CLIENT, (struct wire_segment){
				    .seq = first - 1, .ack = call, .syn = true, .has_ack = true });
	tap_ok(good && !passes(WIRE_CLIENT, s),
	       "nor does one begin a stream after %s if its own octets are refused, %s",
	       by_syn ? "a SYN" : "such octets", in_order ? "in order" : "in any order");
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
 * Both ends call, and the SYN of who is called is answered. Then he answers with another number, and
 * acknowledges one that nobody has sent: that is no sign of a call which was not seen, so his stream
 * begins where it did.
 */
static void check_answered_call(bool in_order)
{
	const u32 call = 5000, first = 1000;
	struct wire_segment s = { .seq = first - 4, .ack = call + 1, .syn = true, .has_ack = true };
	u64 seed = 1;
	bool good;

	wire_init(&wire, &seed, in_order);
	passes(WIRE_SERVER, (struct wire_segment){ .seq = call - 1, .syn = true });
	good = passes(WIRE_CLIENT, (struct wire_segment){ .seq = first - 1, .syn = true });
	good &= passes(WIRE_SERVER, (struct wire_segment){ .seq = call - 1,
							   .ack = first,
							   .syn = true,
							   .has_ack = true,
							   .window = WIRE_WIDE });
	passes(WIRE_CLIENT, s);
	s.ack = call;
	passes(WIRE_CLIENT, s);
	s = (struct wire_segment){ .seq = first - 1, .ack = call, .has_ack = true,
				   .text = (const u8 *)"a\xe6", .len = 2 };
	tap_ok(good && !passes(WIRE_CLIENT, s),
	       "a call that was answered is not learnt again from another answer, %s",
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

/* A SYN is answered, by a server that may have sent a cookie. */
static bool is_answered(u32 isn, bool in_order)
{
	u64 seed = 7;

	wire_init(&wire, &seed, in_order);
	wire.has_cookies = false;
	wire.takes_early = false;
	return call(&wire, isn, 0);
}

/* The client sends @text so many octets @ahead of the beginning, or an acknowledgment alone. */
static bool puts_ahead(u32 isn, int ahead, const char *text)
{
	return passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 1 + ahead,
							  .ack = wire.iss + 1,
							  .has_ack = true,
							  .window = WIRE_WIDE,
							  .text = (const u8 *)text,
							  .len = strlen(text) });
}

/* The server acknowledges so many octets. */
static bool acknowledges(u32 isn, u32 octets)
{
	return passes(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss + 1,
							  .ack = isn + 1 + octets,
							  .has_ack = true,
							  .window = WIRE_WIDE });
}

/*
 * One SYN cookie of Linux is good for connections that begin up to three octets before or after
 * what the SYN-ACK said.
 */
static void check_beside(bool in_order)
{
	const u32 isn = 1000;
	bool good = true;
	int ahead;

	for (ahead = -3; ahead <= 3; ahead++) {
		if (!ahead)
			continue;
		good &= is_answered(isn, in_order) && !puts_ahead(isn, ahead, "hello");
		good &= puts_ahead(isn, ahead, "") == (ahead < 0);
		good &= puts_ahead(isn, 0, "hello");
	}
	good &= is_answered(isn, in_order) && puts_ahead(isn, 0, "\xc3") &&
		!puts_ahead(isn, 1, "") && !puts_ahead(isn, 1, "\xa9");
	tap_ok(good, "no cookie begins a stream beside its beginning, %s",
	       in_order ? "in order" : "in any order");
}

/* Pieces of a segment, of which the first is lost. */
static void check_pieces_beside(bool in_order)
{
	const u32 isn = 1000;
	struct wire_segment s = { .seq = isn + 1, .has_ack = true, .window = WIRE_WIDE,
				  .text = (const u8 *)"\xe6\x97\xa5 text", .len = 8, .piece = 3 };
	bool good = is_answered(isn, in_order), small;

	s.ack = wire.iss + 1;
	small = passes(WIRE_CLIENT, s);
	s.piece = 4;
	tap_ok(good && !small && passes(WIRE_CLIENT, s), "nor does a piece of a segment, %s",
	       in_order ? "in order" : "in any order");
}

/* Who is honest gets through once the server has acknowledged the beginning, or octets. */
static void check_small_beginning(bool in_order)
{
	const u32 isn = 1000;
	struct wire_segment end = { .seq = isn + 3, .has_ack = true, .fin = true };
	bool good = is_answered(isn, in_order) && puts_ahead(isn, -1, "");

	good &= acknowledges(isn, 0) && puts_ahead(isn, 2, "cd") && puts_ahead(isn, 0, "ab");
	tap_ok(good, "after the server has acknowledged the beginning, octets pass beside it, %s",
	       in_order ? "in order" : "in any order");

	good = is_answered(isn, in_order) && puts_ahead(isn, 0, "ab") &&
	       !puts_ahead(isn, 2, "cd") && !puts_ahead(isn, 2, "");
	good &= puts_ahead(isn, 0, "abcd") && puts_ahead(isn, 4, "e") && acknowledges(isn, 2) &&
		puts_ahead(isn, 2, "cd");
	tap_ok(good, "and after it has acknowledged an octet, %s",
	       in_order ? "in order" : "in any order");

	good = is_answered(isn, in_order) && puts_ahead(isn, 0, "ab");
	end.ack = wire.iss + 1;
	tap_ok(good && passes(WIRE_CLIENT, end), "a FIN alone ends a stream of two octets, %s",
	       in_order ? "in order" : "in any order");
}

/* One segment becomes two SYNs, of which the second would begin the stream inside a character. */
static void check_multiple(bool in_order)
{
	const struct wire_segment syn = { .seq = 1000, .syn = true, .piece = 3, .len = 6,
					  .window = WIRE_WIDE, .text = (const u8 *)"ab\xc3\xa9" "cd" };
	u64 seed = 7;

	wire_init(&wire, &seed, in_order);
	tap_ok(!passes(WIRE_CLIENT, syn) && calls_with(1000, "ab\xc3\xa9" "cd"),
	       "a SYN of several pieces is refused, %s", in_order ? "in order" : "in any order");
}

int main(void)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		check_other_answer(i);
		check_repeated_answer(i);
		check_burst(i);
		check_older_cookie(i);
		check_late_beginning(i);
		check_second_syn(i);
		check_early_octets(i);
		check_answer_after_early(i, false);
		check_answer_after_early(i, true);
		check_two_answers(i);
		check_answered_call(i);
		check_forged_syn(i);
		check_late_answer(i);
		check_beside(i);
		check_pieces_beside(i);
		check_small_beginning(i);
		check_multiple(i);
	}
	return tap_done();
}
