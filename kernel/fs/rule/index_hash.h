/* SPDX-License-Identifier: GPL-2.0 */
/* Finds in the hashes of an index. What a walk calls is inline: it is called for each directory. */
#ifndef _UTF8GUARD_FS_INDEX_HASH_H
#define _UTF8GUARD_FS_INDEX_HASH_H

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <uapi/linux/utf8guard_fs.h>

#include "index_types.h"

/* The kinds with this hash, which is that of their locations. */
static inline struct hlist_head *ugfs_index_kinds(const struct ugfs_index *index, u32 hash)
{
	return &index->kinds[hash_32(hash, index->bits)];
}

/* The nodes whose names and parents have the same hash as these. */
static inline struct hlist_head *ugfs_index_nodes(const struct ugfs_index *index,
						  const struct ugfs_node *parent,
						  const char *name, u32 len)
{
	u32 hash = full_name_hash(parent, name, len);

	return (struct hlist_head *)&index->nodes[hash_32(hash, index->bits)];
}

/* Is the kind of a location with this scope a file system? */
static inline bool ugfs_index_has_volume(u8 scope)
{
	return scope == UTF8GUARD_FS_SCOPE_SUBTREE || scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK;
}

/* The tree of a kind with this number; NULL where no rule is for a path in it. */
static inline const struct ugfs_tree *ugfs_index_tree(const struct ugfs_kind *kind, u64 which)
{
	const struct ugfs_tree *tree = kind->trees;

	while (tree && tree->tree != which)
		tree = tree->next;
	return tree;
}

/* The node of this name in @parent, octet by octet; NULL where there is none. */
static inline struct ugfs_node *ugfs_index_node(const struct ugfs_index *index,
						const struct ugfs_node *parent,
						const char *name, u32 len)
{
	struct ugfs_node *node;

	hlist_for_each_entry(node, ugfs_index_nodes(index, parent, name, len), bucket)
		if (node->parent == parent && node->len == len && !memcmp(node->name, name, len))
			return node;
	return NULL;
}

struct ugfs_kind *ugfs_index_kind(const struct ugfs_index *index,
				  const struct ugfs_location *location, bool former);
struct ugfs_kind *ugfs_index_add_kind(struct ugfs_index *index,
				      const struct ugfs_location *location, bool former);
struct ugfs_slot *ugfs_index_add_slot(struct ugfs_index *index, struct ugfs_kind *kind,
				      const struct ugfs_location *location);

#endif /* _UTF8GUARD_FS_INDEX_HASH_H */
