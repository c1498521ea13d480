/* SPDX-License-Identifier: GPL-2.0 */
/* Steps of one connection, for tests that say segment by segment what each end sends. */
#ifndef _UTF8GUARD_TESTS_CONNECTION_STEPS_H
#define _UTF8GUARD_TESTS_CONNECTION_STEPS_H

#include "connection_client.h"

static struct wire wire;

/* Numbers of long ago, which connection tracking lets pass and no receiver looks at. */
#define LONG_AGO 1000000000

static bool passes(enum wire_end from, const struct wire_segment s)
{
	return wire_pass(&wire, from, &s);
}

/* A connection on which both ends have sent something that was acknowledged. */
static inline bool converse(u32 isn, bool in_order)
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
static inline bool goes_on(u32 isn)
{
	wire.is_held = true;
	return passes(WIRE_CLIENT, (struct wire_segment){
					   .seq = isn + 5, .ack = wire.iss + 6, .has_ack = true,
					   .window = WIRE_WIDE, .text = (const u8 *)"more and more",
					   .len = 13 });
}

#endif
