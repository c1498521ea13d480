/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for copies of segments and for sums, for tests: there is little, and an allocation may
 * fail.
 */
#ifndef _UTF8GUARD_KUNIT_STREAM_MEMORY_H
#define _UTF8GUARD_KUNIT_STREAM_MEMORY_H

#include "../kernel/nf/stream/copies.h"
#include "../kernel/nf/stream/sums.h"

#define MEMORY_COPIES 64

/**
 * struct ugnf_memory - the memory for copies
 * @copies: room for each copy, UGNF_COPY_SIZE octets
 * @taken: which of @copies are in use
 * @held: the number of copies in use
 * @most: how many may be in use
 * @want: one of so many allocations fails, on average; 0 if none does
 * @seed: of the random numbers that say which allocation fails
 * @refused: the number of allocations that failed
 */
struct ugnf_memory {
	u64 copies[MEMORY_COPIES][UGNF_COPY_SIZE / sizeof(u64)];
	bool taken[MEMORY_COPIES];
	u32 held, most, want;
	u64 seed, refused;
};

/**
 * struct stream_sums_memory - the memory for sums
 * @want: one of so many allocations fails, on average; 0 if none does
 * @seed: of the random numbers that say which allocation fails
 * @refused: the number of allocations that failed
 */
struct stream_sums_memory {
	u32 want;
	u64 seed, refused;
};

extern struct stream_sums_memory stream_sums_memory;

#endif /* _UTF8GUARD_KUNIT_STREAM_MEMORY_H */
