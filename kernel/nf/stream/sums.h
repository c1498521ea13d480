/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is remembered of octets so that others in their place are told from them: a sum by a
 * key that nobody knows. Pure C but for the memory, which others give.
 */
#ifndef _UTF8GUARD_NF_SUMS_H
#define _UTF8GUARD_NF_SUMS_H

#include "sequence.h"

/**
 * struct nf_sum - a sum that is being made; begin by nf_sum_begin()
 * @at: of all octets but the last few...
 * @rest: ...which are these...
 * @held: ...and so many
 */
struct nf_sum {
	u64 at, rest;
	u8 held;
};

/* In a stream, all spans together have no more pieces. */
#define NF_SUMS 511

/**
 * struct nf_sums - those of the pieces of a stream that are not ASCII
 * @count: how many there are
 * @is_recut: some may be of pieces that are not there any more
 * @of: a piece that ends before @end, and its sum; where one has taken the place of another
 *	with the same end, the last counts
 */
struct nf_sums {
	u16 count;
	bool is_recut;
	struct {
		u32 end, sum;
	} of[NF_SUMS];
};

void nf_sum_set_key(const u64 key[3]);
void nf_sum_begin(struct nf_sum *sum, u32 seq);
void nf_sum_feed(struct nf_sum *sum, const u8 *octets, u32 len);
u32 nf_sum_end(const struct nf_sum *sum);

u32 nf_sums_find(const struct nf_sums *sums, u32 end);
bool nf_sums_put(struct nf_sums *sums, u32 staged, u32 una, u32 end, u32 sum);

/* By who has the memory; NULL for want of it. */
struct nf_sums *nf_sums_alloc(void);
void nf_sums_free(struct nf_sums *sums);

#endif /* _UTF8GUARD_NF_SUMS_H */
