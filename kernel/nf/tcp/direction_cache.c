// SPDX-License-Identifier: GPL-2.0
/* The memory in which the streams of connections are followed. */
#include <linux/random.h>
#include <linux/slab.h>

#include "../stream/direction.h"
#include "memory.h"

static struct kmem_cache *stream_cache, *reading_cache, *sums_cache;

int nf_side_cache_init(void)
{
	u64 key[3];

	get_random_bytes(key, sizeof(key));
	nf_sum_set_key(key);
	stream_cache = kmem_cache_create("utf8guard_stream", sizeof(struct nf_stream), 0, 0, NULL);
	reading_cache = kmem_cache_create("utf8guard_reading", sizeof(struct nf_reading), 0, 0,
					  NULL);
	sums_cache = kmem_cache_create("utf8guard_sums", sizeof(struct nf_sums), 0, 0, NULL);
	if (stream_cache && reading_cache && sums_cache && !nf_memory_cache_init())
		return 0;
	nf_side_cache_exit();
	return -ENOMEM;
}

/* No namespace has flows any more. */
void nf_side_cache_exit(void)
{
	nf_memory_cache_exit();
	kmem_cache_destroy(sums_cache);
	kmem_cache_destroy(reading_cache);
	kmem_cache_destroy(stream_cache);
}

/* All zeroes, or NULL. */
struct nf_stream *nf_side_new_stream(void)
{
	return kmem_cache_zalloc(stream_cache, GFP_ATOMIC);
}

struct nf_sums *nf_sums_alloc(void)
{
	struct nf_sums *sums = kmem_cache_alloc(sums_cache, GFP_ATOMIC | __GFP_NOWARN);

	if (sums) {
		sums->count = 0;
		sums->is_recut = false;
	}
	return sums;
}

void nf_sums_free(struct nf_sums *sums)
{
	if (sums)
		kmem_cache_free(sums_cache, sums);
}

/* For nf_reading_init(), or NULL. */
struct nf_reading *nf_side_new_reading(void)
{
	return kmem_cache_alloc(reading_cache, GFP_ATOMIC);
}

void nf_side_free_stream(struct nf_stream *stream)
{
	if (!stream)
		return;
	nf_sums_free(stream->sums);
	kmem_cache_free(stream_cache, stream);
}

void nf_side_free_reading(struct nf_reading *reading)
{
	if (reading)
		kmem_cache_free(reading_cache, reading);
}
