/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of copies, for tests: few of them, and none at times. */
#ifndef _UTF8GUARD_KUNIT_STREAM_MEMORY_H
#define _UTF8GUARD_KUNIT_STREAM_MEMORY_H

#include "../kernel/nf/stream/copies.h"
#include "../kernel/nf/stream/sums.h"

#define MEMORY_COPIES 64

/**
 * struct ugnf_memory - where copies come from
 * @copies: of UGNF_COPY_SIZE octets each
 * @taken: which of them are in use
 * @held: how many these are
 * @most: how many they may be
 * @want: of so many requests, one fails; 0 for none
 * @seed: by these random numbers
 * @refused: how many failed
 */
struct ugnf_memory {
	u64 copies[MEMORY_COPIES][UGNF_COPY_SIZE / sizeof(u64)];
	bool taken[MEMORY_COPIES];
	u32 held, most, want;
	u64 seed, refused;
};

#endif /* _UTF8GUARD_KUNIT_STREAM_MEMORY_H */
