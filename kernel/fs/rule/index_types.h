/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an index consists of. It is made once, for a policy, and then only read.
 *
 * A location is what a rule is for: a path on a file system (a subtree), a file
 * system (a super block), a type of file systems, or by default everything. A kind is all
 * locations on one file system, or one type, or the default; former locations on a file system
 * are a kind of their own, which is asked after the other one. A tree has the paths of a kind
 * below one root of the file system; only clients of NFS have several roots. A node is a
 * directory of a tree that is a location or leads to one. A slot is the rules of a location in
 * the order in which they are asked: the narrower subject first, then the lower handle. A rule
 * with several locations is in the slot of each; the subjects in a slot are all different.
 */
#ifndef _UTF8GUARD_FS_INDEX_TYPES_H
#define _UTF8GUARD_FS_INDEX_TYPES_H

#include <linux/types.h>

#include "arena.h"
#include "beyond.h"
#include "constraint.h"

struct ugfs_location;
struct ugfs_rule;

/**
 * struct ugfs_entry - a rule at one of its locations
 * @rule: the rule
 * @next: the entry of the same location that is asked after this one; or NULL
 */
struct ugfs_entry {
	const struct ugfs_rule *rule;
	struct ugfs_entry *next;
};

/**
 * struct ugfs_slot - the rules of a location
 * @first: the rule that is asked first, or NULL
 * @count: number of rules
 */
struct ugfs_slot {
	struct ugfs_entry *first;
	u32 count;
};

/**
 * struct ugfs_node - a directory that is a location, or on the way to one
 * @bucket: among the nodes whose names and parents have the same hash
 * @parent: the directory that it is in; NULL of the root of a tree
 * @sibling: another one in @parent
 * @child: one of those in it
 * @children: number of those in it
 * @name: its name in @parent, @len octets without a NUL; memory of the location
 * @len: octets of @name
 * @slot: the rules for the subtree
 * @alike: another one with the same ugfs_spelling_hash(), while the index is made
 * @has_twin: the name is ASCII, and another one in @parent differs by case alone, or at the end
 * @has_foreign: one of those in it has a name that is not ASCII
 * @has_short: one of those in it has a name that may be short for another
 */
struct ugfs_node {
	struct hlist_node bucket;
	const struct ugfs_node *parent;
	struct ugfs_node *sibling, *child;
	const char *name;
	u32 len, children;
	struct ugfs_slot slot;
	struct ugfs_node *alike;
	bool has_twin, has_foreign, has_short;
};

/**
 * struct ugfs_tree - a tree on a file system; there is one, but for clients of NFS
 * @next: of the same volume
 * @tree: which of them
 * @root: its root
 */
struct ugfs_tree {
	struct ugfs_tree *next;
	u64 tree;
	struct ugfs_node root;
};

/**
 * struct ugfs_kind - the rules of a file system, of a type or by default
 * @bucket: among those with the same hash
 * @location: one of the locations
 * @former: they are former locations; see struct ugfs_rule
 * @slot: the rules for all of it
 * @trees: those that have subtrees, or NULL
 * @beyond: what all the subtrees demand
 */
struct ugfs_kind {
	struct hlist_node bucket;
	const struct ugfs_location *location;
	bool former;
	struct ugfs_slot slot;
	struct ugfs_tree *trees;
	struct ugfs_beyond beyond;
};

/**
 * struct ugfs_index - the rules of a policy by location
 * @constraint: what all rules demand, taken together: a name that meets this meets each rule
 * @bits: binary logarithm of the number of buckets of each of the two hashes
 * @arena: the memory of all kinds, trees, nodes and entries
 * @kinds: hash of the volumes, of the types, and the default
 * @nodes: hash of the nodes; @kinds lies after it, in the same memory
 * @spellings: hash of the nodes with ASCII names by ugfs_spelling_hash(), while the index is made
 */
struct ugfs_index {
	struct ugfs_constraint constraint;
	u8 bits;
	struct ugfs_arena arena;
	struct hlist_head *kinds;
	struct hlist_head *nodes;
	struct ugfs_node **spellings;
};

#endif /* _UTF8GUARD_FS_INDEX_TYPES_H */
