// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for copies of segments. A sender decides how many copies are made, so there are bounds:
 *
 * - in each direction of a connection;
 * - in a network namespace. A direction of a connection gets at most an eighth of what is free
 *   there. So the more connections an attacker has, the less each of them gets, and something is
 *   left for others;
 * - in all namespaces together. The namespaces of users get at most one half of that.
 *
 * No copy is kept for ever while others need memory: when half of the copies that a namespace, or
 * all of them, may have are in use, those older than UGNF_COPY_MAX_AGE are given up (flow.c).
 *
 * If there is no memory for a copy, the segment is dropped, as if it had been lost. The sender
 * sends it again when the segments before it have arrived.
 */
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "memory.h"
#include "owner.h"
#include "quota.h"

static unsigned int max_copies_flow = 2048;
module_param(max_copies_flow, uint, 0644);
MODULE_PARM_DESC(max_copies_flow,
		 "limit in KiB of copies of out-of-order segments in each direction of a connection (default 2048)");

static unsigned int max_copies = 65536;
module_param(max_copies, uint, 0644);
MODULE_PARM_DESC(max_copies,
		 "limit in KiB of such copies in each network namespace (default 65536)");

static unsigned int max_copies_total = 262144;
module_param(max_copies_total, uint, 0644);
MODULE_PARM_DESC(max_copies_total,
		 "limit in KiB of such copies in all network namespaces (default 262144); those of users get half, one user no more than he leaves");

static struct kmem_cache *cache;

/* The number of copies in all namespaces, with those that are being made. */
static struct ugnf_total total;

/* 0 or -ENOMEM. When the module is loaded; process context. */
int ugnf_memory_cache_init(void)
{
	cache = kmem_cache_create("utf8guard_copy", UGNF_COPY_SIZE, 0, 0, NULL);
	return cache ? 0 : -ENOMEM;
}

/* No namespace has flows any more. */
void ugnf_memory_cache_exit(void)
{
	WARN_ON(atomic_read(&total.all));
	kmem_cache_destroy(cache);
}

static u32 copies_of(unsigned int kib)
{
	return min_t(u64, (u64)kib * 1024 / UGNF_COPY_SIZE, INT_MAX);
}

static u32 total_limit(void)
{
	return copies_of(READ_ONCE(max_copies_total));
}

/* The copies of the user who made the namespace; NULL for one of the host. */
static atomic_t *of_owner(const struct ugnf_memory *memory)
{
	return memory->owner ? &memory->owner->copies : NULL;
}

/* How many copies a stream may have in a namespace that has @count of @most. */
static u32 share(u32 count, u32 most)
{
	u32 of_flow = copies_of(READ_ONCE(max_copies_flow));

	return count < most ? min(of_flow, DIV_ROUND_UP(most - count, 8)) : 0;
}

static bool take_slot(struct ugnf_memory *memory, u32 held)
{
	const struct ugnf_quota quota = {
		.own = &memory->count,
		.most = copies_of(READ_ONCE(max_copies)),
		.total = &total,
		.limit = total_limit(),
		.owner = of_owner(memory),
	};

	return held < share(atomic_read(&memory->count), quota.most) && ugnf_quota_take(&quota);
}

/**
 * ugnf_copy_alloc() - allocate an empty copy
 * @memory: the memory of the namespace
 * @held: how many copies the stream has already
 *
 * Context: any; allocates with GFP_ATOMIC.
 * Return: the copy; NULL where there is no memory, or no more for this stream.
 */
struct ugnf_copy *ugnf_copy_alloc(struct ugnf_memory *memory, u32 held)
{
	struct ugnf_copy *copy = NULL;

	if (take_slot(memory, held)) {
		copy = kmem_cache_alloc(cache, GFP_ATOMIC | __GFP_NOWARN);
		if (!copy)
			ugnf_quota_give(&memory->count, &total, of_owner(memory));
	}
	if (copy)
		copy->height = ugnf_copy_height(get_random_u32());
	else
		atomic64_inc(&memory->refused);
	return copy;
}

/*
 * Frees a copy and gives its slot back. Any context. The copy is in no stream any more, or the flow
 * of that stream is locked.
 */
void ugnf_copy_free(struct ugnf_memory *memory, struct ugnf_copy *copy)
{
	kmem_cache_free(cache, copy);
	ugnf_quota_give(&memory->count, &total, of_owner(memory));
}

/* Has a user more than half of what he may have? */
static bool is_scarce_for(const atomic_t *owner)
{
	return owner && (u32)atomic_read(owner) > ugnf_quota_of_owner(&total, total_limit()) / 2;
}

/* Are so many copies in use that old ones must be given up? */
bool ugnf_memory_is_scarce(const struct ugnf_memory *memory)
{
	return (u32)atomic_read(&memory->count) > copies_of(READ_ONCE(max_copies)) / 2 ||
	       (u32)atomic_read(&total.all) > total_limit() / 2 || is_scarce_for(of_owner(memory));
}

/* How much memory the copies take, in octets. Any context; this is no snapshot. */
u64 ugnf_memory_octets(const struct ugnf_memory *memory)
{
	return (u64)atomic_read(&memory->count) * UGNF_COPY_SIZE;
}

/* How much memory the copies of a namespace may take, in octets. Any context. */
u64 ugnf_memory_limit(void)
{
	return (u64)copies_of(READ_ONCE(max_copies)) * UGNF_COPY_SIZE;
}
