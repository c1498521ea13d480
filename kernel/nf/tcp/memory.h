/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of the copies of a network namespace, and what bounds it. */
#ifndef _UTF8GUARD_NF_MEMORY_H
#define _UTF8GUARD_NF_MEMORY_H

#include <linux/atomic.h>

#include "../stream/copies.h"

struct net;

/**
 * struct nf_memory - the copies of a network namespace
 * @count: how many there are, and will be in a moment
 * @refused: how often there was none for a segment
 * @given_up: how many were taken away before they could be read
 * @is_users: the namespace is of a user's own
 */
struct nf_memory {
	atomic_t count;
	atomic64_t refused, given_up;
	bool is_users;
};

int nf_memory_cache_init(void);
void nf_memory_cache_exit(void);
void nf_memory_init(struct nf_memory *memory, const struct net *net);
bool nf_memory_is_scarce(const struct nf_memory *memory);
u64 nf_memory_octets(const struct nf_memory *memory);
u64 nf_memory_limit(void);

#endif /* _UTF8GUARD_NF_MEMORY_H */
