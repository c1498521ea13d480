// SPDX-License-Identifier: GPL-2.0
/*
 * Both engines for TCP streams, for all kinds of receivers: the first octets win or the last,
 * early octets are thrown away or not, urgent octets are part of the stream or are not. Nothing
 * that the rule refuses is delivered, and every copy is freed.
 *
 * promise remote peer: neither engine for streams delivers to a receiver of any kind what the
 *   rule refuses, and every copy is freed
 * shown by: streams
 */
#include "chance.h"

#include "../reference.h"
#include "../../../kunit/inorder_senders.h"

typedef bool play_fn(struct model *m, u64 *seed, struct tally *tally);

static play_fn *const plays[] = {
	play_attack, play_detour, play_attack_middle, play_inorder, play_inorder_detour,
};

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct model model;
	struct tally tally = { 0 };
	u64 seed = 0x9e3779b97f4a7c15ULL;
	play_fn *play;

	chance = (struct fuzz_input) { data, size };
	play = plays[fuzz_octet(&chance) % ARRAY_SIZE(plays)];
	fuzz_check(play(&model, &seed, &tally));
	fuzz_check(model_gives_back(&model));
	return 0;
}
