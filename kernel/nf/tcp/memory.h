/* SPDX-License-Identifier: GPL-2.0 */
/* Memory for the copies of segments in a network namespace, and its bounds. */
#ifndef _UTF8GUARD_NF_MEMORY_H
#define _UTF8GUARD_NF_MEMORY_H

#include <linux/atomic.h>

#include "../stream/copies.h"

struct ugnf_owner;

/**
 * struct ugnf_memory - the copies of a network namespace
 * @count: the number of copies, with those that are being made
 * @refused: how often there was no memory for a copy of a segment
 * @given_up: the number of copies that were given up before they could be read
 * @owner: the user who made the namespace; NULL for one of the host
 */
struct ugnf_memory {
	atomic_t count;
	atomic64_t refused, given_up;
	struct ugnf_owner *owner;
};

int ugnf_memory_cache_init(void);
void ugnf_memory_cache_exit(void);
bool ugnf_memory_is_scarce(const struct ugnf_memory *memory);
u64 ugnf_memory_octets(const struct ugnf_memory *memory);
u64 ugnf_memory_limit(void);

#endif /* _UTF8GUARD_NF_MEMORY_H */
