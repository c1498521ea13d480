// SPDX-License-Identifier: GPL-2.0
/*
 * Streams that are read in order, before receivers of every kind: what is delivered
 * is what a parser would have taken that had read it, and nobody who is honest is kept
 * waiting for good.
 *
 *   STREAMS=n	how many random streams of each kind, 40000 if not given
 *   SEED=n	of the random numbers
 */
#include <string.h>

#include "../reference.h"
#include "../../../kunit/reading_senders.h"
#include "../play.h"

int main(void)
{
	u64 streams = streams_wanted(), seed = env("SEED", 1);

	tap_note("SEED=%llu STREAMS=%llu, a reading takes %zu octets, a segment %zu",
		 (unsigned long long)seed, (unsigned long long)streams,
		 sizeof(struct nf_reading), sizeof(struct nf_passage));
	check_random("a sender of anything: nothing refused delivered", play_reading,
		     streams * 4, seed);
	check_random("cut anew where picked up, and had arrived (once let a mistake through)",
		     play_reading, 1, 1137622);
	check_random("the same, some of it by another way, acknowledged at any octet",
		     play_reading_detour, streams * 4, seed);
	check_random("acknowledged inside a hole (once let a mistake through)",
		     play_reading_detour, 1, 30573);
	check_random("cut anew, and held from its middle on (once let a mistake through)",
		     play_reading_detour, 1, 2296920);
	check_random("the same, for longer than anything is on its way", play_reading, 1, 1148337);
	check_random("an honest sender: all delivered", play_reading_honest, streams, seed);
	check_random("the same, with acknowledgments of any octet, lost, or from others",
		     play_reading_answers, streams, seed);
	check_random("an honest sender to more than can be remembered: all delivered",
		     play_reading_crowd, streams / 8 + 1, seed);
	check_random("an honest sender that must cut anew: all delivered", play_reading_recut,
		     streams / 8 + 1, seed);
	check_random("an honest sender that cuts anywhere, lenient: all delivered",
		     play_reading_lenient, streams / 4 + 1, seed);
	check_random("begun in the middle: text is picked up, nothing else followed",
		     play_reading_middle, streams / 4 + 1, seed);
	return tap_done();
}
