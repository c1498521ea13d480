// SPDX-License-Identifier: GPL-2.0
/*
 * What acknowledgments and options say to whoever judges a stream: of listeners, of the past, ahead
 * of what was sent, and of somebody who knows nothing but the ports.
 */
#include "../../connection_steps.h"
#include "../../tap.h"

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

	return ugnf_ending_is_taken(&tcb->dir[1], &tcb->dir[0], &header);
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

/*
 * The server takes less than the client has acknowledged, for it ignores what has an old number. The
 * client opens its window by a segment that is invalid to connection tracking and not to the server.
 */
static void check_hidden_window(void)
{
	const u32 isn = 1000, iss = 2000000000, wide = 100000;
	const struct ugnf_segment_header header = { .seq = isn + 1 };
	const struct ugnf_sighting opens = {
		.header = &header, .ack = iss + 1, .has_ack = true, .window = 3 * wide,
		.state = TCP_CONNTRACK_ESTABLISHED,
	};
	struct ugnf_sighting forged = opens;
	struct ugnf_tcb tcb;
	bool was_closed;

	shake_hands(&tcb, isn, iss);
	observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, false,
		(struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true,
				       .window = wide });
	observe(&tcb, WIRE_SERVER, TCP_CONNTRACK_ESTABLISHED, false,
		(struct wire_segment){ .seq = iss + 1, .ack = isn + 1, .has_ack = true, .len = wide,
				       .window = WIRE_WIDE });
	observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, false,
		(struct wire_segment){ .seq = isn - 100, .ack = iss + 1 + wide, .has_ack = true });
	forged.ack = iss - LONG_AGO;
	ugnf_tcb_stray(&tcb, &forged);
	was_closed = !may_consent(&tcb, iss + 1 + wide);
	ugnf_tcb_stray(&tcb, &opens);
	tap_ok(was_closed && may_consent(&tcb, iss + 1 + wide) &&
		       !may_consent(&tcb, iss + 1 + 3 * wide),
	       "an answer counts in a window that was opened by an invalid segment");
}

/* The server probes a closed window by the first octet of its answer: RFC 9293, 3.8.6.1. */
static void check_probe(void)
{
	const u32 isn = 1000, iss = 2000000000;
	struct ugnf_segment_header probe = { .seq = iss + 1 + WIRE_WIDE, .len = 1 };
	struct ugnf_tcb tcb;
	bool is_taken;

	shake_hands(&tcb, isn, iss);
	is_taken = ugnf_ending_is_taken(&tcb.dir[1], &tcb.dir[0], &probe);
	probe.seq++;
	tap_ok(is_taken && !ugnf_ending_is_taken(&tcb.dir[1], &tcb.dir[0], &probe),
	       "an answer counts whose first octet probes a closed window");
}

/* Segments that connection tracking finds invalid, with one in so many numbers. */
static void sweep(enum wire_end from, bool is_seq, u32 stride, u32 window)
{
	struct wire_segment s = { .seq = 0x77777777, .ack = 0x12345678, .has_ack = true,
				  .window = window };
	u32 i, *number = is_seq ? &s.seq : &s.ack;

	wire.strictness = wire.strictness_back = 1;
	for (i = 0; i < 0xffffffffU / stride; i++) {
		*number = i * stride;
		passes(from, s);
	}
	wire.strictness = wire.strictness_back = 0;
}

/*
 * Who knows nothing but addresses and ports sends thousands of segments, as the client and as the
 * server: there is more room, the server has used it, and that is acknowledged. The client
 * has a window of 8 MiB.
 */
static void check_sweeps(bool in_order)
{
	const u32 isn = 1000, stride = 1 << 21, window = 65535 << 7;
	bool good = converse(isn, in_order);

	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 5, .ack = wire.iss + 6,
							   .has_ack = true, .window = window });
	sweep(WIRE_CLIENT, false, stride, window);
	sweep(WIRE_SERVER, true, stride, 0);
	sweep(WIRE_CLIENT, false, stride, 0);
	tap_ok(good && goes_on(isn), "segments with one number in 2 MiB stand in no way, %s",
	       in_order ? "in order" : "in any order");
}

/*
 * A SYN-ACK cannot say that a window has more than 65,535 octets, and Linux takes segments by the
 * true one. The client opens its own window by a segment after 65,535 octets.
 */
static void check_window_of_syn_ack(void)
{
	const u32 isn = 1000, iss = 2000000000;
	const struct ugnf_segment_header header = { .seq = isn + 1 + 100000 };
	const struct ugnf_sighting opens = {
		.header = &header, .ack = iss + 1, .has_ack = true, .window = 300000,
		.state = TCP_CONNTRACK_ESTABLISHED,
	};
	struct ugnf_tcb tcb;

	memset(&tcb, 0, sizeof(tcb));
	ugnf_tcb_init(&tcb, NULL, false, TCP_CONNTRACK_SYN_SENT);
	observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_SYN_SENT, false,
		(struct wire_segment){ .seq = isn, .syn = true, .window = 10 });
	observe(&tcb, WIRE_SERVER, TCP_CONNTRACK_SYN_RECV, false,
		(struct wire_segment){ .seq = iss, .ack = isn + 1, .syn = true, .has_ack = true,
				       .window = 65535 });
	observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, false,
		(struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true,
				       .window = 10 });
	ugnf_tcb_stray(&tcb, &opens);
	tap_ok(may_consent(&tcb, iss + 5001),
	       "an answer counts in a window that was opened after 65,535 octets, and a SYN-ACK");
}

/* Likewise FINs of the server, and a reset. */
static void check_swept_fins(bool in_order)
{
	const u32 isn = 1000, stride = 1 << 21, window = 65535 << 7;
	bool good = converse(isn, in_order);
	u32 i;

	good &= passes(WIRE_CLIENT, (struct wire_segment){ .seq = isn + 5, .ack = wire.iss + 6,
							   .has_ack = true, .window = window });
	wire.strictness = wire.strictness_back = 1;
	for (i = 0; i < 0xffffffffU / stride; i++)
		passes(WIRE_SERVER, (struct wire_segment){ .seq = i * stride, .ack = 0x12345678,
							   .has_ack = true, .fin = true });
	passes(WIRE_SERVER, (struct wire_segment){ .seq = 0x77777777, .rst = true });
	wire.strictness = wire.strictness_back = 0;
	tap_ok(good && goes_on(isn), "nor do FINs of the server, and a reset, %s",
	       in_order ? "in order" : "in any order");
}

/* Likewise one of each 65,535 acknowledgments, where the scale of windows is not known, and resets. */
static void check_swept_acks(bool in_order)
{
	const u32 isn = 1000;
	bool good = converse(isn, in_order);
	u32 i;

	wire.sight[0].tcb.dir[0].has_other_scale = true;
	sweep(WIRE_CLIENT, false, 65535, 0);
	wire.strictness = 1;
	for (i = 0; i < 4; i++)
		passes(WIRE_CLIENT, (struct wire_segment){ .seq = 77 + (i << 30), .rst = true });
	wire.strictness = 0;
	tap_ok(good && goes_on(isn), "nor do all acknowledgments of the client, and four resets, %s",
	       in_order ? "in order" : "in any order");
}

/* Open vSwitch and act_ct mark a connection as liberal once it is established. */
static void check_turned_liberal(bool in_order)
{
	static const u8 text[WIRE_WIDE / 4];
	const u32 isn = 1000;
	bool good = converse(isn, in_order);
	struct wire_segment s = { .seq = isn + 5, .ack = wire.iss + 6, .has_ack = true,
				  .window = WIRE_WIDE, .text = text, .len = sizeof(text) };
	struct wire_segment acks = { .seq = s.ack, .has_ack = true, .window = WIRE_WIDE };
	u32 i;

	wire.is_liberal = true;
	wire.is_held = true;
	for (i = 0; good && i < 16; i++) {
		good = passes(WIRE_CLIENT, s);
		s.seq += s.len;
		acks.ack = s.seq;
		passes(WIRE_SERVER, acks);
	}
	tap_ok(good, "a connection that connection tracking marks as liberal goes on, %s",
	       in_order ? "in order" : "in any order");
}

static void call_again(struct ugnf_tcb *tcb, u32 seq, u32 len, bool has_other_scale)
{
	const struct ugnf_segment_header header = { .seq = seq, .len = len, .syn = true };

	ugnf_tcb_observe(tcb, &(struct ugnf_sighting){ .header = &header, .window = WIRE_WIDE,
						       .state = TCP_CONNTRACK_SYN_SENT,
						       .has_other_scale = has_other_scale });
}

/*
 * The client calls twice, and the server gets one of the SYNs alone. Connection tracking has the
 * scale of windows of the other.
 */
static void check_other_scale(u32 seq, u32 len, bool has_other_scale, const char *what)
{
	const u32 isn = 1000, iss = 2000000000;
	struct ugnf_tcb tcb;

	memset(&tcb, 0, sizeof(tcb));
	ugnf_tcb_init(&tcb, NULL, false, TCP_CONNTRACK_SYN_SENT);
	call_again(&tcb, isn, 0, false);
	call_again(&tcb, seq, len, has_other_scale);
	observe(&tcb, WIRE_SERVER, TCP_CONNTRACK_SYN_RECV, false,
		(struct wire_segment){ .seq = iss, .ack = isn + 1, .syn = true, .has_ack = true,
				       .window = WIRE_WIDE });
	observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, false,
		(struct wire_segment){ .seq = isn + 1, .ack = iss + 1, .has_ack = true,
				       .window = 1 });
	tap_ok(may_consent(&tcb, iss + 5000) == (seq != isn || len || has_other_scale) &&
	       !may_consent(&tcb, iss - 11), "an answer beyond the window, after %s", what);
}

/*
 * A server with SYN cookies answers the same SYN three times. The client acknowledges the first and
 * the last by segments that get lost, with hardly a window, and then the second one, by one that is
 * invalid to connection tracking.
 */
static void check_three_cookies(void)
{
	const u32 isn = 1000, cookies[] = { 2000000000, 2000000003, 2000000001 };
	const struct ugnf_segment_header header = { .seq = isn + 1 };
	const struct ugnf_sighting opens = {
		.header = &header, .ack = cookies[1] + 1, .has_ack = true, .window = WIRE_WIDE,
		.state = TCP_CONNTRACK_ESTABLISHED,
	};
	struct ugnf_tcb tcb;
	u32 i;

	memset(&tcb, 0, sizeof(tcb));
	ugnf_tcb_init(&tcb, NULL, false, TCP_CONNTRACK_SYN_SENT);
	for (i = 0; i < ARRAY_SIZE(cookies); i++) {
		observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_SYN_SENT, false,
			(struct wire_segment){ .seq = isn, .syn = true, .window = 1 });
		observe(&tcb, WIRE_SERVER, TCP_CONNTRACK_SYN_RECV, false,
			(struct wire_segment){ .seq = cookies[i], .ack = isn + 1, .syn = true,
					       .has_ack = true, .window = WIRE_WIDE });
		if (i != 1)
			observe(&tcb, WIRE_CLIENT, TCP_CONNTRACK_ESTABLISHED, false,
				(struct wire_segment){ .seq = isn + 1, .ack = cookies[i] + 1,
						       .has_ack = true, .window = 2 * i });
	}
	ugnf_tcb_stray(&tcb, &opens);
	tap_ok(may_consent(&tcb, cookies[1] + 1) && may_consent(&tcb, cookies[1] + 501),
	       "an answer counts on a connection of any of several SYN-ACKs");
}

int main(void)
{
	u32 i;

	for (i = 0; i < 2; i++) {
		check_listener(i);
		check_forged_ack(i, i);
		check_old_ack(i);
		check_overtaken_ack(i);
		check_ack_ahead(i);
		check_ack_beyond(i);
		check_late_option(i);
		check_turned_liberal(i);
		check_sweeps(i);
		check_swept_fins(i);
		check_swept_acks(i);
	}
	check_blind_option();
	check_blind_answer();
	check_hidden_window();
	check_probe();
	check_three_cookies();
	check_window_of_syn_ack();
	check_other_scale(2000, 0, false, "another SYN");
	check_other_scale(1000, 5, false, "a SYN with payload");
	check_other_scale(1000, 0, true, "a SYN with another scale for windows");
	check_other_scale(1000, 0, false, "the same SYN again");
	return tap_done();
}
