// SPDX-License-Identifier: GPL-2.0
/* Memory for the state of the engines that follow streams. */
#include <linux/random.h>
#include <linux/slab.h>

#include "../stream/direction.h"
#include "memory.h"

/*
 * The manual, utf8guard(8), says how much memory a direction takes, and what that is for all
 * connections that there may be: if these change, so do the numbers there. Sparse computes other
 * sizes.
 */
#ifndef __CHECKER__
static_assert(sizeof(struct ugnf_ooo_stream) == 824);
static_assert(sizeof(struct ugnf_inorder_stream) == 4888);
#endif

static struct kmem_cache *stream_cache, *reading_cache, *sums_cache;

/* 0 or -ENOMEM. When the module is loaded; process context. */
int ugnf_direction_cache_init(void)
{
	u64 key[3];

	get_random_bytes(key, sizeof(key));
	ugnf_sum_set_key(key);
	stream_cache =
		kmem_cache_create("utf8guard_stream", sizeof(struct ugnf_ooo_stream), 0, 0, NULL);
	reading_cache = kmem_cache_create("utf8guard_reading", sizeof(struct ugnf_inorder_stream),
					  0, 0, NULL);
	sums_cache = kmem_cache_create("utf8guard_sums", sizeof(struct ugnf_sums), 0, 0, NULL);
	if (stream_cache && reading_cache && sums_cache && !ugnf_memory_cache_init())
		return 0;
	ugnf_direction_cache_exit();
	return -ENOMEM;
}

/* No namespace has flows any more. */
void ugnf_direction_cache_exit(void)
{
	ugnf_memory_cache_exit();
	kmem_cache_destroy(sums_cache);
	kmem_cache_destroy(reading_cache);
	kmem_cache_destroy(stream_cache);
}

/* All zeroes, or NULL. */
struct ugnf_ooo_stream *ugnf_direction_new_ooo(void)
{
	return kmem_cache_zalloc(stream_cache, GFP_ATOMIC);
}

/* Without any sum, or NULL. */
struct ugnf_sums *ugnf_sums_alloc(void)
{
	struct ugnf_sums *sums = kmem_cache_alloc(sums_cache, GFP_ATOMIC | __GFP_NOWARN);

	if (sums) {
		sums->count = 0;
		sums->is_resegmented = false;
	}
	return sums;
}

/* The flow is locked; @sums may be NULL. */
void ugnf_sums_free(struct ugnf_sums *sums)
{
	if (sums)
		kmem_cache_free(sums_cache, sums);
}

/* For ugnf_inorder_init(), or NULL. */
struct ugnf_inorder_stream *ugnf_direction_new_inorder(void)
{
	return kmem_cache_alloc(reading_cache, GFP_ATOMIC);
}

/* The flow is locked; @stream may be NULL. */
void ugnf_direction_free_ooo(struct ugnf_ooo_stream *stream)
{
	if (!stream)
		return;
	ugnf_sums_free(stream->sums);
	kmem_cache_free(stream_cache, stream);
}

/* The flow is locked, and the copies are freed; @inorder may be NULL. */
void ugnf_direction_free_inorder(struct ugnf_inorder_stream *inorder)
{
	if (inorder)
		kmem_cache_free(reading_cache, inorder);
}
