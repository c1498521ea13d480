// SPDX-License-Identifier: GPL-2.0
/* Adds to the hashes of an index: kinds, and the directories of paths. */
#include <linux/list.h>
#include <linux/string.h>

#include "arena.h"
#include "index_hash.h"
#include "location.h"
#include "spelling.h"

static bool is_same_kind(const struct ugfs_location *a, const struct ugfs_location *b)
{
	if (ugfs_index_has_volume(a->scope) || ugfs_index_has_volume(b->scope))
		return ugfs_index_has_volume(a->scope) && ugfs_index_has_volume(b->scope) &&
		       ugfs_volume_same(&a->volume, &b->volume);
	return a == b;
}

/* The kind of a location, or of a former one; NULL where there is none. */
struct ugfs_kind *ugfs_index_kind(const struct ugfs_index *index,
				  const struct ugfs_location *location, bool former)
{
	struct ugfs_kind *kind;

	hlist_for_each_entry(kind, ugfs_index_kinds(index, location->hash), bucket)
		if (kind->former == former && is_same_kind(kind->location, location))
			return kind;
	return NULL;
}

/**
 * ugfs_index_add_kind() - the kind of a location, which is made where there is none
 * @index: that is being made
 * @location: a location
 * @former: it is a former location
 *
 * Context: process context; may sleep.
 * Return: the kind, or NULL without memory.
 */
struct ugfs_kind *ugfs_index_add_kind(struct ugfs_index *index,
				      const struct ugfs_location *location, bool former)
{
	struct ugfs_kind *kind = ugfs_index_kind(index, location, former);

	if (kind)
		return kind;
	kind = ugfs_arena_take(&index->arena, sizeof(*kind));
	if (!kind)
		return NULL;
	kind->location = location;
	kind->former = former;
	hlist_add_head(&kind->bucket, ugfs_index_kinds(index, location->hash));
	return kind;
}

static struct ugfs_tree *add_tree(struct ugfs_index *index, struct ugfs_kind *kind, u64 which)
{
	struct ugfs_tree *tree = (struct ugfs_tree *)ugfs_index_tree(kind, which);

	if (tree)
		return tree;
	tree = ugfs_arena_take(&index->arena, sizeof(*tree));
	if (!tree)
		return NULL;
	tree->tree = which;
	tree->next = kind->trees;
	kind->trees = tree;
	return tree;
}

/* Looks for twins of a new node: of those that it has, one is enough to mark them all in turn. */
static void find_twin(struct ugfs_index *index, struct ugfs_node *node)
{
	u32 hash = ugfs_spelling_hash(node->parent, node->name, node->len);
	struct ugfs_node **bucket = &index->spellings[hash_32(hash, index->bits)], *other;

	for (other = *bucket; other && !node->has_twin; other = other->alike)
		if (other->parent == node->parent &&
		    ugfs_spelling_is_alike(other->name, other->len, node->name, node->len)) {
			node->has_twin = true;
			other->has_twin = true;
		}
	node->alike = *bucket;
	*bucket = node;
}

/* What the walk has to know of the spelling of @node in @parent. */
static void note_spelling(struct ugfs_index *index, struct ugfs_node *parent,
			  struct ugfs_node *node)
{
	if (ugfs_spelling_is_short(node->name, node->len))
		parent->has_short = true;
	if (ugfs_spelling_is_ascii(node->name, node->len))
		find_twin(index, node);
	else
		parent->has_foreign = true;
}

static struct ugfs_node *add_node(struct ugfs_index *index, struct ugfs_node *parent,
				  const char *name, u32 len)
{
	struct ugfs_node *node = ugfs_index_node(index, parent, name, len);

	if (node)
		return node;
	node = ugfs_arena_take(&index->arena, sizeof(*node));
	if (!node)
		return NULL;
	node->parent = parent;
	node->name = name;
	node->len = len;
	node->sibling = parent->child;
	parent->child = node;
	parent->children++;
	hlist_add_head(&node->bucket, ugfs_index_nodes(index, parent, name, len));
	note_spelling(index, parent, node);
	return node;
}

/* The slot of a subtree; NULL without memory. Nodes point to the names in @location->text. */
static struct ugfs_slot *add_subtree(struct ugfs_index *index, struct ugfs_kind *kind,
				     const struct ugfs_location *location)
{
	struct ugfs_tree *tree = add_tree(index, kind, location->tree);
	struct ugfs_node *node = tree ? &tree->root : NULL;
	const char *name = location->text;

	while (node && *name) {
		u32 len = strcspn(++name, "/");

		node = add_node(index, node, name, len);
		name += len;
	}
	return node ? &node->slot : NULL;
}

/**
 * ugfs_index_add_slot() - the slot of a location, which is made where there is none
 * @index: that is being made
 * @kind: of the location, from ugfs_index_add_kind()
 * @location: the location, which stays as long as the index
 *
 * Context: process context; may sleep.
 * Return: the slot, or NULL without memory.
 */
struct ugfs_slot *ugfs_index_add_slot(struct ugfs_index *index, struct ugfs_kind *kind,
				      const struct ugfs_location *location)
{
	if (location->scope == UTF8GUARD_FS_SCOPE_SUBTREE)
		return add_subtree(index, kind, location);
	return &kind->slot;
}
