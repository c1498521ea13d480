/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is remembered of octets so that others that are sent instead are told from them: a sum by a
 * key that nobody knows. Pure C but for the memory, which others give.
 */
#ifndef _UTF8GUARD_NF_SUMS_H
#define _UTF8GUARD_NF_SUMS_H

#include "sequence.h"

/**
 * struct ugnf_sum - a sum that is being made; begin by ugnf_sum_begin()
 * @at: of all octets but the last few...
 * @rest: ...which are these...
 * @held: ...and so many
 */
struct ugnf_sum {
	u64 at, rest;
	u8 held;
};

/* In a stream, all spans together have no more pieces. */
#define UGNF_SUMS 511

/**
 * struct ugnf_sums - those of the pieces of a stream that are not ASCII
 * @count: how many there are
 * @is_resegmented: some may be of pieces that are not there any more
 * @of: a piece that ends before @end, and its sum; where one has taken the place of another
 *	with the same end, the last counts
 */
struct ugnf_sums {
	u16 count;
	bool is_resegmented;
	struct {
		u32 end, sum;
	} of[UGNF_SUMS];
};

void ugnf_sum_set_key(const u64 key[3]);
void ugnf_sum_begin(struct ugnf_sum *sum, u32 seq);
void ugnf_sum_feed(struct ugnf_sum *sum, const u8 *octets, u32 len);
u32 ugnf_sum_end(const struct ugnf_sum *sum);

u32 ugnf_sums_find(const struct ugnf_sums *sums, u32 end);
bool ugnf_sums_put(struct ugnf_sums *sums, u32 staged, u32 snd_una, u32 end, u32 sum);

/* By who has the memory; NULL for want of it. */
struct ugnf_sums *ugnf_sums_alloc(void);
void ugnf_sums_free(struct ugnf_sums *sums);

#endif /* _UTF8GUARD_NF_SUMS_H */
