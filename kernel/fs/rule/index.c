// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of a policy by location, so that the cost of a new name does not grow with their
 * number.
 *
 * Definitions. A location is what a rule is for: a path on a file system (a subtree), a file
 * system (a super block), a type of file systems, or by default everything. A kind is all
 * locations on one file system, or one type, or the default. A tree has the paths of a kind
 * below one root of the file system; only clients of NFS have several roots. A node is a
 * directory of a tree that is a location or leads to one. A slot is the rules of a location in
 * the order in which they are asked: the narrower subject first, then the lower handle. A rule
 * with several locations is in the slot of each; the subjects in a slot are all different.
 *
 *	rules for /a/b and /a/c		a new name in /a/c/x/y
 *
 *	    root			up:	y, x, c, a, root; the TOP highest are remembered
 *	      |				down:	root, a, c; x is no node
 *	      a				rules:	those of c, then of a, then of root
 *	     / \
 *	    b   c
 *
 * Other processes may rename directories meanwhile. They cannot free what is read here, for
 * rcu_read_lock() is held.
 *
 * Claim. If no directory is renamed meanwhile, ugfs_index_walk() visits the rules of each
 * location that a new name in @dir is in, and no others: those of subtrees, the nearest
 * directory first; of the super block; and, without @by_path, of the type with its subtype, of
 * the type without it, and the default. Or it says UGFS_WALK_BEYOND.
 *
 * 1. The way up ends at the root, and the TOP highest directories are remembered. A path of a
 *    rule has UGFS_MAX_INSIDE names at most, so every node is one of these.
 * 2. The way down stops at the first directory that is no node. Each directory above a node is
 *    a node (slot_of_subtree()), so there is no location further down.
 * 3. Where the file system folds case, a directory may be spelt otherwise than in a rule: it is
 *    compared with each child of the node as its file system compares (child_by_compare()).
 * 4. A directory deeper than UGFS_MAX_DEPTH, more than UGFS_MAX_COMPARED comparisons, or a
 *    directory whose name changes whenever it is read (read_name()), is UGFS_WALK_BEYOND. The
 *    caller then gets the constraints of all subtrees of the file system. These may refuse more
 *    than the right rule would, but not less.
 * 5. A rename meanwhile may hide a location. ugfs_policy_walk() sees that by the sequence
 *    number of rename_lock, and walks again; the last time it holds rename_lock.
 * 6. ugfs_index_constraint() has the classes and forms of all rules that are not off. So a name
 *    that meets it meets the constraint of each rule, and need not be looked up here.
 *
 * Tests: below userspace/tests/vm/names. scopes.t: the order and 1 to 3 ("a directory that
 * folds case"), 4 ("more spellings than are compared"). depth.py: limit() 4, storm() 5. No
 * test unhashes directories.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../../service/ruleset_types.h"
#include "constraint.h"
#include "index.h"
#include "location.h"
#include "rule.h"
#include "subject.h"

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
 */
struct ugfs_node {
	struct hlist_node bucket;
	const struct ugfs_node *parent;
	struct ugfs_node *sibling, *child;
	const char *name;
	u32 len, children;
	struct ugfs_slot slot;
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
 * @slot: the rules for all of it
 * @trees: those that have subtrees, or NULL
 * @beyond: what all the subtrees demand
 */
struct ugfs_kind {
	struct hlist_node bucket;
	const struct ugfs_location *location;
	struct ugfs_slot slot;
	struct ugfs_tree *trees;
	struct ugfs_beyond beyond;
};

/*
 * Memory of an index: pieces are taken from it, and all of it is freed at once. Each block is as
 * large as all before it together, within these limits, so that at most about half is not used,
 * of few rules, too.
 */
#define LEAST_BLOCK 1024
#define LARGEST_BLOCK 65536

struct ugfs_block {
	struct ugfs_block *next;
	u32 size, used;
	u8 data[] __aligned(8);
};

/**
 * struct ugfs_index - the rules of a policy by location
 * @constraint: what all rules demand, taken together: a name that meets this meets each rule
 * @bits: binary logarithm of the number of buckets of each of the two hashes
 * @blocks: the memory of all kinds, trees, nodes and entries, the newest first
 * @total: octets of @blocks
 * @kinds: hash of the volumes, of the types, and the default
 * @nodes: hash of the nodes
 */
struct ugfs_index {
	struct ugfs_constraint constraint;
	u8 bits;
	struct ugfs_block *blocks;
	size_t total;
	struct hlist_head *kinds;
	struct hlist_head nodes[];
};

/* Directories that are compared on the way down: the root, and as many as a location may have. */
#define TOP (UGFS_MAX_INSIDE + 1)

static struct ugfs_block *add_block(struct ugfs_index *index)
{
	size_t size = clamp_t(size_t, index->total, LEAST_BLOCK, LARGEST_BLOCK);
	struct ugfs_block *block = kvzalloc(size, GFP_KERNEL_ACCOUNT);

	if (!block)
		return NULL;
	block->size = size - sizeof(*block);
	block->next = index->blocks;
	index->blocks = block;
	index->total += size;
	return block;
}

/*
 * Memory of zeroes, which is freed with the index; NULL where there is none. Nothing that is
 * taken is larger than the least block.
 */
static void *take(struct ugfs_index *index, size_t size)
{
	struct ugfs_block *block = index->blocks;

	size = ALIGN(size, 8);
	if (!block || block->used + size > block->size) {
		block = add_block(index);
		if (!block)
			return NULL;
	}
	block->used += size;
	return block->data + block->used - size;
}

/* Frees an index that no walk uses any more, or NULL. Context: process context. */
void ugfs_index_free(struct ugfs_index *index)
{
	struct ugfs_block *block;

	while (index && (block = index->blocks)) {
		index->blocks = block->next;
		kvfree(block);
	}
	kvfree(index);
}

static struct ugfs_index *index_alloc(u32 count)
{
	u8 bits = order_base_2(count) + 1;
	struct ugfs_index *index;

	index = kvzalloc(struct_size(index, nodes, 2UL << bits), GFP_KERNEL_ACCOUNT);
	if (!index)
		return NULL;
	index->bits = bits;
	index->kinds = index->nodes + (1UL << bits);
	return index;
}

static struct hlist_head *kinds_of(const struct ugfs_index *index, u32 hash)
{
	return &index->kinds[hash_32(hash, index->bits)];
}

static struct hlist_head *nodes_of(const struct ugfs_index *index, const struct ugfs_node *parent,
				   const char *name, u32 len)
{
	u32 hash = full_name_hash(parent, name, len);

	return (struct hlist_head *)&index->nodes[hash_32(hash, index->bits)];
}

static bool is_on_volume(u8 scope)
{
	return scope == UTF8GUARD_FS_SCOPE_SUBTREE || scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK;
}

static bool is_same_kind(const struct ugfs_location *a, const struct ugfs_location *b)
{
	if (is_on_volume(a->scope) || is_on_volume(b->scope))
		return is_on_volume(a->scope) && is_on_volume(b->scope) &&
		       ugfs_volume_same(&a->volume, &b->volume);
	return a == b;
}

static struct ugfs_kind *kind_of(struct ugfs_index *index, const struct ugfs_location *location)
{
	struct hlist_head *bucket = kinds_of(index, location->hash);
	struct ugfs_kind *kind;

	hlist_for_each_entry(kind, bucket, bucket)
		if (is_same_kind(kind->location, location))
			return kind;
	kind = take(index, sizeof(*kind));
	if (!kind)
		return NULL;
	kind->location = location;
	hlist_add_head(&kind->bucket, bucket);
	return kind;
}

static const struct ugfs_tree *find_tree(const struct ugfs_kind *kind, u64 which)
{
	const struct ugfs_tree *tree = kind->trees;

	while (tree && tree->tree != which)
		tree = tree->next;
	return tree;
}

static struct ugfs_tree *tree_of(struct ugfs_index *index, struct ugfs_kind *kind, u64 which)
{
	struct ugfs_tree *tree = (struct ugfs_tree *)find_tree(kind, which);

	if (tree)
		return tree;
	tree = take(index, sizeof(*tree));
	if (!tree)
		return NULL;
	tree->tree = which;
	tree->next = kind->trees;
	kind->trees = tree;
	return tree;
}

static struct ugfs_node *find_node(const struct ugfs_index *index, const struct ugfs_node *parent,
				   const char *name, u32 len)
{
	struct ugfs_node *node;

	hlist_for_each_entry(node, nodes_of(index, parent, name, len), bucket)
		if (node->parent == parent && node->len == len && !memcmp(node->name, name, len))
			return node;
	return NULL;
}

static struct ugfs_node *node_of(struct ugfs_index *index, struct ugfs_node *parent,
				 const char *name, u32 len)
{
	struct ugfs_node *node = find_node(index, parent, name, len);

	if (node)
		return node;
	node = take(index, sizeof(*node));
	if (!node)
		return NULL;
	node->parent = parent;
	node->name = name;
	node->len = len;
	node->sibling = parent->child;
	parent->child = node;
	parent->children++;
	hlist_add_head(&node->bucket, nodes_of(index, parent, name, len));
	return node;
}

/* The slot of a subtree; NULL without memory. Nodes point to the names in @location->inside. */
static struct ugfs_slot *slot_of_subtree(struct ugfs_index *index, struct ugfs_kind *kind,
					 const struct ugfs_location *location)
{
	struct ugfs_tree *tree = tree_of(index, kind, location->tree);
	struct ugfs_node *node = tree ? &tree->root : NULL;
	const char *name = location->inside;

	while (node && *name) {
		u32 len = strcspn(++name, "/");

		node = node_of(index, node, name, len);
		name += len;
	}
	return node ? &node->slot : NULL;
}

static bool is_asked_before(const struct ugfs_rule *rule, const struct ugfs_rule *other)
{
	int order = ugfs_subject_compare(&rule->terms->subject, &other->terms->subject);

	return order < 0 || (!order && rule->rule.handle < other->rule.handle);
}

static void insert(struct ugfs_slot *slot, struct ugfs_entry *entry)
{
	struct ugfs_entry **at = &slot->first;

	while (*at && is_asked_before((*at)->rule, entry->rule))
		at = &(*at)->next;
	entry->next = *at;
	*at = entry;
	slot->count++;
}

static void add_demand(struct ugfs_constraint *constraint, const struct ugfs_constraint *more)
{
	constraint->refuse |= more->refuse;
	constraint->forms |= more->forms;
}

static void add_beyond(struct ugfs_kind *kind, const struct ugfs_rule *rule)
{
	struct ugfs_strictest *strictest = rule->mode == UTF8GUARD_FS_MODE_ENFORCE ?
		&kind->beyond.enforce : &kind->beyond.audit;

	if (!strictest->rule)
		strictest->rule = rule;
	add_demand(&strictest->constraint, &rule->terms->constraint);
}

/*
 * Has another rule in the slot the same subject? Two rules with the same subject and the same
 * locations do not get here: the draft has refused the second.
 */
static bool is_taken(const struct ugfs_slot *slot, const struct ugfs_rule *rule)
{
	const struct ugfs_entry *entry;

	for (entry = slot->first; entry; entry = entry->next)
		if (ugfs_rule_overlaps(entry->rule, rule))
			return true;
	return false;
}

static int index_add(struct ugfs_index *index, const struct ugfs_rule *rule,
		     const struct ugfs_location *location, struct netlink_ext_ack *extack)
{
	bool is_tree = location->scope == UTF8GUARD_FS_SCOPE_SUBTREE;
	struct ugfs_entry *entry = take(index, sizeof(*entry));
	struct ugfs_kind *kind = kind_of(index, location);
	struct ugfs_slot *slot;

	if (!entry || !kind)
		return -ENOMEM;
	slot = is_tree ? slot_of_subtree(index, kind, location) : &kind->slot;
	if (!slot)
		return -ENOMEM;
	if (slot->count == UGFS_MAX_RULES_OF_PLACE) {
		NL_SET_ERR_MSG(extack, "the same location has 64 rules already");
		return -E2BIG;
	}
	if (is_taken(slot, rule)) {
		NL_SET_ERR_MSG(extack,
			       "one of the locations has a rule for the same callers already");
		return -EEXIST;
	}
	entry->rule = rule;
	insert(slot, entry);
	if (rule->mode == UTF8GUARD_FS_MODE_OFF)
		return 0;
	add_demand(&index->constraint, &rule->terms->constraint);
	if (is_tree)
		add_beyond(kind, rule);
	return 0;
}

/* All locations of a rule, without those whose file system is unknown: no name is in them. */
static int index_add_all(struct ugfs_index *index, const struct ugfs_rule *rule,
			 struct netlink_ext_ack *extack)
{
	u32 i;
	int err = 0;

	for (i = 0; i < rule->count && !err; i++)
		if (!rule->locations[i]->unfound)
			err = index_add(index, rule, rule->locations[i], extack);
	return err;
}

static u32 count_locations(const struct utf8guard_policy *policy)
{
	u32 i, count = 0;

	for (i = 0; i < policy->count; i++)
		count += ugfs_rule_of(policy->rules[i])->count;
	return count;
}

/**
 * ugfs_index_build() - make the index of a policy
 * @policy: with all its rules
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0, -ENOMEM, -E2BIG, or -EEXIST.
 */
int ugfs_index_build(struct utf8guard_policy *policy, struct netlink_ext_ack *extack)
{
	u32 i, locations = count_locations(policy);
	struct ugfs_index *index;
	int err;

	if (locations > UGFS_MAX_RULES) {
		NL_SET_ERR_MSG(extack, "the rules have more than 65536 locations");
		return -E2BIG;
	}
	index = index_alloc(locations);
	if (!index)
		return -ENOMEM;
	for (i = 0; i < policy->count; i++) {
		err = index_add_all(index, ugfs_rule_of(policy->rules[i]), extack);
		if (err) {
			ugfs_index_free(index);
			return err;
		}
	}
	policy->index = index;
	return 0;
}

/* The constraints of all rules of a policy that are not off, taken together. Any context. */
const struct ugfs_constraint *ugfs_index_constraint(const struct ugfs_index *index)
{
	return &index->constraint;
}

static bool visit_slot(const struct ugfs_slot *slot, ugfs_visit *visit, void *data)
{
	const struct ugfs_entry *entry;

	for (entry = slot->first; entry; entry = entry->next)
		if (visit(entry->rule, data))
			return true;
	return false;
}

static const struct ugfs_kind *find_volume(const struct ugfs_index *index,
					   const struct super_block *sb)
{
	const struct ugfs_kind *kind;

	hlist_for_each_entry(kind, kinds_of(index, ugfs_volume_hash_sb(sb)), bucket)
		if (is_on_volume(kind->location->scope) &&
		    ugfs_volume_is(&kind->location->volume, sb))
			return kind;
	return NULL;
}

/**
 * struct ugfs_descent - the way down from a root
 * @budget: comparisons that may still be made where case is folded
 * @beyond: @budget was not enough, or a name could not be read
 */
struct ugfs_descent {
	unsigned int budget;
	bool beyond;
};

/* So often a name and its length are read, until both belong to the same name. */
#define READS 4

static bool read_name(const struct dentry *dentry, struct qstr *name)
{
	unsigned int seq, i;

	for (i = 0; i < READS; i++) {
		seq = raw_seqcount_begin(&dentry->d_seq);
		name->name = READ_ONCE(dentry->d_name.name);
		name->len = READ_ONCE(dentry->d_name.len);
		if (!read_seqcount_retry(&dentry->d_seq, seq))
			return true;
	}
	return false;
}

/*
 * The node of a directory, by the comparison of its file system. Where case is folded, a dentry
 * has the spelling of its first lookup, which may not be that of the rule. d_compare() must get
 * a name with its own length, so both are read by d_seq. A dentry that is renamed or unhashed all
 * the time cannot be read like that. It may be a node, so the walk is beyond.
 */
static const struct ugfs_node *child_by_compare(const struct ugfs_node *parent,
						const struct dentry *above,
						const struct dentry *dentry,
						struct ugfs_descent *descent)
{
	const struct ugfs_node *node;
	struct qstr name;

	if (!read_name(dentry, &name)) {
		descent->beyond = true;
		return NULL;
	}
	for (node = parent->child; node; node = node->sibling) {
		struct qstr wanted = QSTR_INIT(node->name, node->len);

		if (!above->d_op->d_compare(dentry, name.len, name.name, &wanted))
			return node;
	}
	return NULL;
}

/*
 * The child of @parent that is the directory @dentry in @above; NULL if there is none. A
 * rename may change the name meanwhile; ugfs_policy_walk() sees that and walks again. Reading
 * the name is safe even then: it ends with a NUL at all times, and is freed only after a grace
 * period.
 */
static const struct ugfs_node *child_of(const struct ugfs_index *index,
					const struct ugfs_node *parent,
					const struct dentry *above, const struct dentry *dentry,
					struct ugfs_descent *descent)
{
	const struct ugfs_node *node;
	const char *name;

	if (!parent->child)
		return NULL;
	name = READ_ONCE(dentry->d_name.name);
	node = find_node(index, parent, name, strnlen(name, NAME_MAX));
	if (node || likely(!(above->d_flags & DCACHE_OP_COMPARE)))
		return node;
	if (parent->children > descent->budget) {
		descent->beyond = true;
		return NULL;
	}
	descent->budget -= parent->children;
	return child_by_compare(parent, above, dentry, descent);
}

/* The node nearest to the directory: the way down ends at the first directory that is no node. */
static const struct ugfs_node *descend(const struct ugfs_index *index, const struct ugfs_kind *kind,
				       const struct dentry *const *top, unsigned int depth,
				       struct ugfs_descent *descent)
{
	unsigned int at = depth - 1, last = depth > TOP ? depth - TOP : 0;
	const struct ugfs_tree *tree = find_tree(kind, ugfs_location_tree(top[at % TOP]));
	const struct ugfs_node *node = tree ? &tree->root : NULL, *child = node;

	while (child && at > last) {
		child = child_of(index, node, top[at % TOP], top[(at - 1) % TOP], descent);
		if (child)
			node = child;
		at--;
	}
	return node;
}

static enum ugfs_walk visit_upwards(const struct ugfs_index *index, const struct ugfs_kind *kind,
				    const struct dentry *dir, ugfs_visit *visit, void *data)
{
	const struct dentry *top[TOP];
	struct ugfs_descent descent = { .budget = UGFS_MAX_COMPARED };
	const struct dentry *d = dir, *child;
	const struct ugfs_node *node;
	unsigned int depth = 0;

	do {
		if (depth == UGFS_MAX_DEPTH)
			return UGFS_WALK_BEYOND;
		top[depth++ % TOP] = d;
		child = d;
		d = READ_ONCE(d->d_parent);
	} while (d != child);
	node = descend(index, kind, top, depth, &descent);
	if (descent.beyond)
		return UGFS_WALK_BEYOND;
	for (; node; node = node->parent)
		if (visit_slot(&node->slot, visit, data))
			return UGFS_WALK_FOUND;
	return UGFS_WALK_OVER;
}

static bool visit_fstype(const struct ugfs_index *index, const char *name, size_t len,
			 ugfs_visit *visit, void *data)
{
	const struct ugfs_kind *kind;

	hlist_for_each_entry(kind, kinds_of(index, ugfs_location_hash_fstype(name, len)), bucket)
		if (kind->location->scope == UTF8GUARD_FS_SCOPE_FSTYPE &&
		    !strcmp(kind->location->fstype, name))
			return visit_slot(&kind->slot, visit, data);
	return false;
}

/* Visits the rules for the type with its subtype, "fuse.sshfs", then those for "fuse" alone. */
static bool visit_type(const struct ugfs_index *index, const struct super_block *sb,
		       ugfs_visit *visit, void *data)
{
	const char *type = sb->s_type->name;
	char full[64];
	int len;

	if (sb->s_subtype && *sb->s_subtype) {
		len = snprintf(full, sizeof(full), "%s.%s", type, sb->s_subtype);
		if (len < sizeof(full) && visit_fstype(index, full, len, visit, data))
			return true;
	}
	return visit_fstype(index, type, strlen(type), visit, data);
}

static bool visit_default(const struct ugfs_index *index, ugfs_visit *visit, void *data)
{
	const struct ugfs_kind *kind;

	hlist_for_each_entry(kind, kinds_of(index, 0), bucket)
		if (kind->location->scope == UTF8GUARD_FS_SCOPE_DEFAULT)
			return visit_slot(&kind->slot, visit, data);
	return false;
}

/**
 * ugfs_index_walk() - visit the rules that are asked for a name, in order
 * @index: of a policy
 * @dir: the directory that the name is to be in
 * @by_path: only rules for a subtree or a super block
 * @visit: called for each, until it returns true
 * @data: for @visit
 * @beyond: with UGFS_WALK_BEYOND, set to what all the subtrees demand
 *
 * Cost: a hash lookup for each of four kinds of rules. Where the file system has rules for
 * subtrees, the walk goes up to its root, UGFS_MAX_DEPTH directories at most, and down again
 * with a hash lookup for each directory that is a node, and one more. In a directory that folds
 * case, a name that no rule spells like that is compared with all spellings of rules there,
 * up to UGFS_MAX_COMPARED in a walk.
 *
 * Context: rcu_read_lock() held; does not sleep. Directories may be renamed meanwhile; the
 * caller sees that by rename_lock.
 * Return: enum ugfs_walk. UGFS_WALK_BEYOND where rules for subtrees were not visited, even if
 * @visit has returned true for a rule that is asked after them.
 */
enum ugfs_walk ugfs_index_walk(const struct ugfs_index *index, const struct dentry *dir,
			       bool by_path, ugfs_visit *visit, void *data,
			       const struct ugfs_beyond **beyond)
{
	const struct super_block *sb = dir->d_sb;
	const struct ugfs_kind *kind = find_volume(index, sb);
	enum ugfs_walk walk = UGFS_WALK_OVER;
	bool found;

	if (kind && kind->trees)
		walk = visit_upwards(index, kind, dir, visit, data);
	if (walk == UGFS_WALK_FOUND)
		return walk;
	if (walk == UGFS_WALK_BEYOND)
		*beyond = &kind->beyond;
	found = (kind && visit_slot(&kind->slot, visit, data)) ||
		(!by_path && (visit_type(index, sb, visit, data) ||
			      visit_default(index, visit, data)));
	return found && walk == UGFS_WALK_OVER ? UGFS_WALK_FOUND : walk;
}
