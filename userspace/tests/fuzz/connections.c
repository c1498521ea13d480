// SPDX-License-Identifier: GPL-2.0
/*
 * Connections from their first SYN on, at one hook or two, to any kind of receiver: nothing
 * that a rule refuses is delivered, whatever is sent, lost, doubled, acknowledged or forged.
 *
 * promise remote peer: no connection, from its first SYN on, delivers to a receiver of any kind
 *   what a rule refuses
 * shown by: connections
 */
#include "chance.h"

#include "../connection_callers.h"
#include "../connection_senders.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct wire wire;
	u64 seed = 0x9e3779b97f4a7c15ULL;
	u8 what;

	chance = (struct fuzz_input) { data, size };
	what = fuzz_octet(&chance);
	if (what % 4 < 2)
		fuzz_check(play_attack(&wire, &seed, what % 4));
	else
		fuzz_check(play_windows(&wire, &seed, false));
	return 0;
}
