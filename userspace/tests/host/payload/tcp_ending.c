// SPDX-License-Identifier: GPL-2.0
/*
 * Where a stream ends: FINs and resets that are forged, old, hidden from connection tracking, or
 * sent again, and clients who use a SYN cookie again after them.
 */
#include "../../connection_steps.h"
#include "../../tap.h"

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
	good &= !passes(WIRE_CLIENT, (struct wire_segment){
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
 * The server may have a wider window than the known one, and what says so be on its way: then it
 * takes an octet beyond the edge, and a FIN after that.
 */
static void check_end_beyond(bool in_order, bool is_invalid)
{
	u32 isn = 1000, edge = isn + 1 + WIRE_WIDE;
	static u8 text[WIRE_WIDE];
	u64 seed = 1;
	bool good, end;

	memset(text, 'a', sizeof(text));
	wire_init(&wire, &seed, in_order);
	wire.moves = true;
	good = call(&wire, isn, 0);
	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 1,
							   .ack = wire.iss + 1,
							   .has_ack = true,
							   .text = text,
							   .len = sizeof(text) });
	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = edge,
							   .ack = wire.iss + 1,
							   .has_ack = true,
							   .text = (const u8 *)"\xe6",
							   .len = 1 });
	wire.strictness = is_invalid;
	end = passes(WIRE_CLIENT,
		     (struct wire_segment){
			     .seq = edge + 1, .ack = wire.iss + 1, .has_ack = true, .fin = true });
	tap_ok(good && !end, "nothing ends inside a character beyond the window%s, %s",
	       is_invalid ? ", nor where connection tracking is strict" : "",
	       in_order ? "in order" : "in any order");
}

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

#define GET_LEN 20

/* The client asks for something, and may close the connection by that. */
static bool ask(u32 isn, u32 window, bool fin)
{
	const struct wire_segment s = {
		.seq = isn + 1, .ack = wire.iss + 1, .has_ack = true, .fin = fin,
		.window = window, .text = (const u8 *)"GET /good HTTP/1.1\r\n", .len = GET_LEN,
	};
	bool good = passes(WIRE_CLIENT, s);

	wire_receive(&wire, &s);
	return good && wire.server == WIRE_CONNECTED && wire.delivered == GET_LEN;
}

/* The server answers by 400 octets, half of them in a segment that is invalid, as @last is. */
static void answer_unseen(u32 ack, const struct wire_segment last)
{
	static const u8 text[200];
	struct wire_segment s = { .seq = wire.iss + 1, .ack = ack, .has_ack = true,
				  .window = 60000, .text = text, .len = sizeof(text) };

	passes(WIRE_SERVER, s);
	s.seq += s.len;
	stray(WIRE_SERVER, s);
	stray(WIRE_SERVER, last);
}

/* The server has forgotten the connection. Does the client get through by the same cookie? */
static bool asks_again(u32 isn, u32 window)
{
	wire.server = WIRE_LISTEN;
	wire.now += 1000;
	return passes(WIRE_CLIENT,
		      (struct wire_segment){ .seq = isn + 1, .ack = wire.iss + 1, .has_ack = true,
					     .window = window,
					     .text = (const u8 *)"GET /\xc0\xae\xc0\xae HTTP/1.1",
					     .len = GET_LEN });
}

/*
 * A caller has announced a small window, and widens it by acknowledgments that connection tracking
 * finds invalid, because of a SACK block of what was never sent; Linux takes them. Then connection
 * tracking finds the end of the answer invalid, and the end of the connection. The caller uses the
 * cookie again, with other octets.
 */
static void check_hidden_end(bool in_order, bool by_reset)
{
	const u32 isn = 1000, end = isn + 1 + GET_LEN + !by_reset;
	bool good = begin_by_cookie(isn, 100, in_order);
	const u32 iss = wire.iss;

	good &= ask(isn, 100, !by_reset);
	stray(WIRE_CLIENT, (struct wire_segment){
				   .seq = end, .ack = iss + 1, .has_ack = true, .window = 60000 });
	answer_unseen(end, (struct wire_segment){ .seq = iss + 401, .ack = end, .has_ack = true,
						  .fin = !by_reset, .rst = by_reset,
						  .window = 60000 });
	if (!by_reset)
		stray(WIRE_CLIENT, (struct wire_segment){ .seq = end, .ack = iss + 402,
							  .has_ack = true, .window = 60000 });
	tap_ok(good && !asks_again(isn, 100),
	       "a %s that connection tracking finds invalid ends a connection, %s",
	       by_reset ? "reset" : "FIN", in_order ? "in order" : "in any order");
}

/*
 * Likewise, but the caller widens the window by its FIN, sent again: Linux takes what acknowledges,
 * where the number after the FIN is the next one.
 */
static void check_hidden_end_again(bool in_order)
{
	const u32 isn = 1000, end = isn + 2 + GET_LEN;
	bool good = begin_by_cookie(isn, 100, in_order);
	const u32 iss = wire.iss;
	struct wire_segment s = { .seq = end - 1, .ack = iss + 1, .has_ack = true, .window = 100,
				  .fin = true };

	good &= ask(isn, 100, false) && passes(WIRE_CLIENT, s);
	wire_receive(&wire, &s);
	good &= wire.server == WIRE_CONNECTED && wire.has_fin;
	wire.strictness = 1;
	s.window = 60000;
	good &= passes(WIRE_CLIENT, s);
	wire.strictness = 0;
	answer_unseen(end, (struct wire_segment){ .seq = iss + 401, .ack = end, .has_ack = true,
						  .fin = true, .window = 60000 });
	stray(WIRE_CLIENT, (struct wire_segment){ .seq = end, .ack = iss + 402, .has_ack = true,
						  .window = 60000 });
	tap_ok(good && !asks_again(isn, 100),
	       "a FIN beyond a window that a FIN sent again has opened ends a connection, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * Likewise, but connection tracking does not know the scale of the window: the caller has sent the
 * same SYN again with an octet and without that option, and the server answers the first.
 */
static void check_hidden_end_scaled(bool in_order, bool by_reset)
{
	const u32 isn = 1000, end = isn + 1 + GET_LEN + !by_reset;
	bool good = begin_by_cookie(isn, 100, in_order);
	const u32 iss = wire.iss;

	/* As ugnf_handshake_note() finds. */
	wire.sight[0].tcb.dir[0].has_other_scale = true;
	good &= ask(isn, 100, !by_reset);
	answer_unseen(end, (struct wire_segment){ .seq = iss + 401, .ack = end,
						  .has_ack = !by_reset, .fin = !by_reset,
						  .rst = by_reset, .window = 60000 });
	if (!by_reset)
		stray(WIRE_CLIENT, (struct wire_segment){ .seq = end, .ack = iss + 402,
							  .has_ack = true, .window = 100 });
	tap_ok(good && !asks_again(isn, 100),
	       "a %s beyond a window of unknown scale ends a connection, %s",
	       by_reset ? "reset" : "FIN", in_order ? "in order" : "in any order");
}

/*
 * Likewise, but what the caller hides is that its FIN is acknowledged: where the scale of the windows
 * is not known, it sends two acknowledgments with numbers that it never reaches, which the server
 * ignores. All that it has sent would then seem to be after what the server acknowledges.
 */
static void check_hidden_end_ahead(bool in_order, bool by_reset)
{
	const u32 isn = 1000, end = isn + 1 + GET_LEN, quarter = 1 << 30;
	bool good = begin_by_cookie(isn, WIRE_WIDE, in_order);
	const u32 iss = wire.iss;
	struct wire_segment s = { .seq = end, .ack = iss + 1, .has_ack = true, .fin = true,
				  .window = WIRE_WIDE };

	/* As ugnf_handshake_note() finds. */
	wire.sight[0].tcb.dir[0].has_other_scale = true;
	good &= ask(isn, WIRE_WIDE, false);
	if (by_reset) {
		wire_say(&wire, 200);
		/* The server gets that the window is closed, and not what acknowledges. */
		s.fin = false;
		s.window = 0;
		good &= passes(WIRE_CLIENT, s);
		wire_receive(&wire, &s);
		s.ack += 200;
	}
	good &= passes(WIRE_CLIENT, s);
	s.fin = false;
	for (s.seq += quarter; s.seq - end <= 2 * quarter + 10; s.seq += quarter + 10)
		stray(WIRE_CLIENT, s);
	if (by_reset) {
		stray(WIRE_SERVER, (struct wire_segment){ .seq = wire_acceptable(&wire), .ack = end,
							  .has_ack = true, .rst = true });
	} else {
		good &= passes(WIRE_SERVER, (struct wire_segment){ .seq = iss + 1, .ack = end + 1,
								   .has_ack = true, .fin = true,
								   .window = WIRE_WIDE });
		good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = end + 1, .ack = iss + 2,
								   .has_ack = true,
								   .window = WIRE_WIDE });
	}
	tap_ok(good && !asks_again(isn, WIRE_WIDE),
	       "a %s ends a connection whose caller has sent numbers far ahead, %s",
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

/* One segment becomes two resets, of which the second would end the connection. */
static void check_multiple(bool in_order, bool is_invalid)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);
	const struct wire_segment s = { .seq = isn + 5 - 4, .rst = true, .piece = 4, .len = 8,
				  .window = WIRE_WIDE, .text = (const u8 *)"textmore" };

	wire.strictness = is_invalid;
	good &= !passes(WIRE_CLIENT, s);
	wire.strictness = 0;
	tap_ok(good && goes_on(isn), "a reset of several pieces is refused, and ends nothing%s, %s",
	       is_invalid ? ", where connection tracking is strict" : "",
	       in_order ? "in order" : "in any order");
}

int main(void)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		check_end(i);
		check_forged_end(i);
		check_end_beyond(i, false);
		check_end_beyond(i, true);
		check_old_fins(i, true);
		check_old_fins(i, false);
		check_old_fin_picked_up(i, true);
		check_old_fin_picked_up(i, false);
		check_hidden_end_again(i);
		check_hidden_end_scaled(i, false);
		check_hidden_end_scaled(i, true);
		check_hidden_end_ahead(i, false);
		check_hidden_end_ahead(i, true);
		check_hidden_end(i, false);
		check_hidden_end(i, true);
		check_hidden_window(i, false);
		check_hidden_window(i, true);
		check_forged_reset(i);
		check_end_after_close(i, false);
		check_end_after_close(i, true);
		check_half_closed(i);
		check_multiple(i, false);
		check_multiple(i, true);
	}
	for (i = 0; i < 2 * ASKINGS; i++)
		check_late_reset(i & 1, i / 2);
	return tap_done();
}
