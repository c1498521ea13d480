/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums of octets by a secret key. They tell whether octets that are sent again are the same as
 * before, without keeping these. Pure C, but for the memory, which tcp/direction_cache.c gives.
 */
#ifndef _UTF8GUARD_NF_SUMS_H
#define _UTF8GUARD_NF_SUMS_H

#include "sequence.h"

/**
 * struct ugnf_sum - a sum that is being made; begin by ugnf_sum_begin()
 * @at: the sum of all octets but the last few
 * @rest: the last few octets
 * @held: the number of octets in @rest
 */
struct ugnf_sum {
	u64 at, rest;
	u8 held;
};

/*
 * The most sums of a stream; all of them take 4092 octets. That is one less than the pieces of
 * UGNF_SPANS spans. Where there is no room for a sum, its segment is refused (UGNF_STREAM_FULL).
 */
#define UGNF_SUMS 511

/**
 * struct ugnf_sums - the sums of those pieces of a stream that are not ASCII
 * @count: the number of sums
 * @is_resegmented: some may be of pieces whose place others have taken; so a new piece of ASCII
 *	gets a sum as well, of 0
 * @of: for each piece the number after its last octet, and its sum; if several have the same
 *	end, the last one counts. After the @count sums come those that are staged
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

/* tcp/direction_cache.c, or a test in its place; NULL without memory. */
struct ugnf_sums *ugnf_sums_alloc(void);
void ugnf_sums_free(struct ugnf_sums *sums);

#endif /* _UTF8GUARD_NF_SUMS_H */
