// SPDX-License-Identifier: GPL-2.0
/* Memory that is taken in pieces and freed at once. */
#include <linux/align.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "arena.h"

/*
 * A block is an eighth to a quarter of all before it, within these limits, and a power of two, to
 * which kmalloc() would round it up: so little is not used, of few rules, too.
 */
#define LEAST_BLOCK 1024
#define LARGEST_BLOCK 65536

struct ugfs_block {
	struct ugfs_block *next;
	u32 size, used;
	u8 data[] __aligned(8);
};

static struct ugfs_block *add_block(struct ugfs_arena *arena)
{
	size_t size = clamp_t(size_t, rounddown_pow_of_two(arena->total / 4 | 1), LEAST_BLOCK,
			      LARGEST_BLOCK);
	struct ugfs_block *block = kvzalloc(size, GFP_KERNEL_ACCOUNT);

	if (!block)
		return NULL;
	block->size = size - sizeof(*block);
	block->next = arena->blocks;
	arena->blocks = block;
	arena->total += size;
	return block;
}

/**
 * ugfs_arena_take() - take a piece of memory
 * @arena: from which it is freed, by ugfs_arena_free()
 * @size: at most what the least block has room for
 *
 * Context: process context; may sleep.
 * Return: zeroes, aligned to 8 octets; NULL where there is no memory.
 */
void *ugfs_arena_take(struct ugfs_arena *arena, size_t size)
{
	struct ugfs_block *block = arena->blocks;

	size = ALIGN(size, 8);
	if (!block || block->used + size > block->size) {
		block = add_block(arena);
		if (!block)
			return NULL;
	}
	block->used += size;
	return block->data + block->used - size;
}

/* Frees all that was taken. Context: process context. */
void ugfs_arena_free(struct ugfs_arena *arena)
{
	struct ugfs_block *block;

	while ((block = arena->blocks)) {
		arena->blocks = block->next;
		kvfree(block);
	}
}
