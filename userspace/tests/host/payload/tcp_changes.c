// SPDX-License-Identifier: GPL-2.0
/*
 * What another rule, or another connection with the same conntrack, knows of what was let through
 * before: nothing that would hide octets from it.
 *
 * promise remote peer: octets that were let through ahead of the first one are not forgotten when
 *   the rules change: the stream is picked up, and that is counted
 * shown by: then by a parser
 * shown by: given up by a parser
 */
#include "../../connection_steps.h"
#include "../../tap.h"

#define ISN 1000

/* A segment of the client, @from octets after its SYN. */
static bool puts_at(u32 from, const char *text)
{
	return passes(WIRE_CLIENT, (struct wire_segment){ .seq = ISN + 1 + from,
							  .ack = wire.iss + 1,
							  .has_ack = true,
							  .window = WIRE_WIDE,
							  .text = (const u8 *)text,
							  .len = strlen(text) });
}

static bool begins_with(enum inorder_kind kind)
{
	u64 seed = 7;

	wire_init(&wire, &seed, false);
	wire.has_cookies = false;
	wire.takes_early = false;
	wire.memory.most = MEMORY_COPIES;
	wire_set_rule(&wire, 0, kind);
	return call(&wire, ISN, 0) && passes(WIRE_SERVER, (struct wire_segment){
								  .seq = wire.iss + 1,
								  .ack = ISN + 1,
								  .has_ack = true,
								  .window = WIRE_WIDE });
}

static struct ugnf_direction *direction(void)
{
	return &wire.sight[0].tcb.dir[0];
}

static bool is_picked_up(void)
{
	return ugnf_direction_sequence(direction())->picked_up;
}

/* Octets ahead, the rules change, other octets in their place, and the first one. */
static void check_ahead(void)
{
	bool good = begins_with(INORDER_KINDS);

	good &= puts_at(1, "\x80\xae/etc");
	wire_set_rule(&wire, 0, INORDER_CLASSES);
	puts_at(1, "\xa0\xae/etc");
	tap_ok(good && is_picked_up(), "octets ahead in any order, then by a parser: picked up");

	good = begins_with(INORDER_KINDS) && puts_at(1, "\x80\xae/etc");
	wire_set_rule(&wire, 0, INORDER_TARGET);
	tap_ok(good && !puts_at(0, "GET / HTTP/1.1\r\n"),
	       "... and framing is not followed from there");

	good = begins_with(INORDER_KINDS);
	wire_set_rule(&wire, 0, INORDER_CLASSES);
	tap_ok(good && puts_at(0, "word") && !is_picked_up(), "nothing ahead: from the beginning");
}

static void check_given_up(void)
{
	bool good = begins_with(INORDER_CLASSES);

	good &= puts_at(2, "\xae\xc3\xa9") && ugnf_inorder_give_up(direction()->inorder) == 1;
	wire_set_rule(&wire, 0, INORDER_KINDS);
	puts_at(2, "good");
	tap_ok(good && is_picked_up(), "octets ahead that were given up by a parser: picked up");

	good = begins_with(INORDER_CLASSES) && puts_at(2, "\xae\xc3\xa9");
	wire_set_rule(&wire, 0, INORDER_LINES);
	tap_ok(good && !puts_at(0, "ab") && !is_picked_up(),
	       "octets ahead of which there are copies: another parser reads these");
}

/* The client resets a connection in which it asked for another protocol, and calls again. */
static void check_asked_before(void)
{
	bool good = begins_with(INORDER_TARGET);
	struct ugnf_direction *dir = direction();

	good &= puts_at(0, "GET /a HTTP/1.1\r\nUpgrade: x\r\n\r\n");
	dir->asks = true;
	dir->answer.is_found = true;
	dir->answer.is_begun = true;
	ugnf_direction_tell(dir, ISN + 1, ISN + 5);
	passes(WIRE_CLIENT, (struct wire_segment){ .seq = ISN + 100000, .syn = true,
						   .window = WIRE_WIDE });
	good &= dir->asks && dir->answer.is_found;
	passes(WIRE_SERVER, (struct wire_segment){ .seq = wire.iss + 100000, .ack = ISN + 100001,
						   .syn = true, .has_ack = true,
						   .window = WIRE_WIDE });
	tap_ok(good && !dir->asks && !dir->answer.is_found && !dir->answer.is_begun &&
	       !dir->was_told, "in the next connection, nobody has asked for another protocol yet");
}

int main(void)
{
	check_ahead();
	check_given_up();
	check_asked_before();
	wire_unfollow(&wire);
	return tap_done();
}
