/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that is taken in pieces and freed at once. */
#ifndef _UTF8GUARD_FS_ARENA_H
#define _UTF8GUARD_FS_ARENA_H

#include <linux/types.h>

struct ugfs_block;

/**
 * struct ugfs_arena - memory; of zeroes before the first piece is taken
 * @blocks: where pieces are taken from, the newest first
 * @total: octets of @blocks
 */
struct ugfs_arena {
	struct ugfs_block *blocks;
	size_t total;
};

void *ugfs_arena_take(struct ugfs_arena *arena, size_t size);
void ugfs_arena_free(struct ugfs_arena *arena);

#endif /* _UTF8GUARD_FS_ARENA_H */
