// SPDX-License-Identifier: GPL-2.0
/*
 * Connections from their first SYN on, with clients of any kind: nothing ill-formed is delivered,
 * whatever a client says of where its stream begins; and honest clients get through.
 *
 *   CONNECTIONS=n	how many random ones of each kind, 300000 if not given
 *   SEED=n		of the random numbers
 *
 * Single connections, segment by segment, are in tcp_beginning.c, tcp_numbers.c and tcp_ending.c.
 *
 * promise remote peer: nothing ill-formed is delivered to a receiver of any kind, from the first
 *   SYN on; who is honest gets through
 * shown by: a caller of any kind: nothing ill-formed delivered
 * shown by: who is called, of any kind: nothing ill-formed delivered
 * shown by: an honest caller, again and again: all delivered
 *
 * promise client of a server: where HTTP is judged, the server's consent to another protocol is looked
 *   for in all that the server sends
 * shown by: a client of any kind hides nothing that the server answers
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

int main(void)
{
	u64 count = tap_env("CONNECTIONS", 300000), seed = tap_env("SEED", 1);

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
	check("a client of any kind hides nothing that the server answers", play_hiding, false,
	      count / 4 + 1, seed);
	check("a client of any kind hides nothing that the server answers", play_hiding, true,
	      count / 4 + 1, seed);
	check("windows that move, a sender of anything: nothing refused is delivered", play_windows,
	      false, count, seed);
	check("windows that move, an honest sender: all delivered, nothing refused", play_network,
	      false, count / 4 + 1, seed);
	check("picked up, then a segment taken in part (was once refused for good)", play_network,
	      false, 1, 90011449);
	check("the same, at one hook", play_network, false, 1, 400016831);
	return tap_done();
}
