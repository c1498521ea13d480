// SPDX-License-Identifier: GPL-2.0
/*
 * The walk through an index: from the directory of a new name up to the root of its file
 * system, and down again by the names. index_types.h has the words that are used here.
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
 * directory first; of the super block; of former locations, in the same order; and, without
 * @by_path, of the type with its subtype, of the type without it, and the default. Or it says
 * UGFS_WALK_BEYOND.
 *
 * 1. The way up ends at the root, and the TOP highest directories are remembered. A path of a
 *    rule has UGFS_MAX_INSIDE names at most, so every node is one of these.
 * 2. The way down stops at the first directory that is no node. Each directory above a node is
 *    a node (add_subtree() of index_hash.c), so there is no location further down.
 * 3. Where the file system folds case, a directory may be spelt otherwise than in a rule, and
 *    otherwise in each of two rules: it is compared with each child of the node as its file system
 *    compares (child_by_compare()). One that is spelt as in a rule is not compared if no other
 *    child can be the same (may_have_twin()).
 * 4. The result is UGFS_WALK_BEYOND where
 *    - the directory is deeper than UGFS_MAX_DEPTH,
 *    - it takes more than UGFS_MAX_COMPARED comparisons,
 *    - a name on the way changes whenever it is read (read_name()),
 *    - it is not the one of the file system (has_hidden_name()),
 *    - it is the same as those of two rules, or
 *    - it may be short for that of a rule, or the other way round (is_by_short_name()).
 *    The caller then gets the constraints of all subtrees of the file system. These may refuse
 *    more than the right rule would, but not less.
 * 5. A rename meanwhile may hide a location. ugfs_policy_walk() sees that by the sequence
 *    number of rename_lock, and walks again; the last time it holds rename_lock.
 *
 * Tests: below userspace/tests/vm/names. scopes.t: the order and 1 to 3 ("a directory that
 * folds case"), 4 ("more spellings than are compared", "two rules"). names_case.t: 4 ("by its short
 * name", "two rules", "opened without the key", "the root folds case").
 * depth.py: limit() 4, storm() 5. No test unhashes directories.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/seqlock.h>
#include <linux/string.h>

#include "index_hash.h"
#include "index_walk.h"
#include "location.h"
#include "spelling.h"

/* Directories that are compared on the way down: the root, and as many as a location may have. */
#define TOP (UGFS_MAX_INSIDE + 1)

static bool visit_slot(const struct ugfs_slot *slot, ugfs_visit *visit, void *data)
{
	const struct ugfs_entry *entry;

	for (entry = slot->first; entry; entry = entry->next)
		if (visit(entry->rule, data))
			return true;
	return false;
}

static const struct ugfs_kind *find_volume(const struct ugfs_index *index,
					   const struct super_block *sb, bool former)
{
	const struct ugfs_kind *kind;

	hlist_for_each_entry(kind, ugfs_index_kinds(index, ugfs_volume_hash_sb(sb)), bucket)
		if (kind->former == former && ugfs_index_has_volume(kind->location->scope) &&
		    ugfs_volume_is(&kind->location->volume, sb))
			return kind;
	return NULL;
}

/**
 * struct ugfs_descent - the way down from a root
 * @budget: comparisons that may still be made where case is folded
 * @beyond: @budget was not enough, or a name could not be read, or may be that of another node, too
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

/* Does the file system take names that differ only after so many octets for the same? */
static bool cuts_names(const struct super_block *sb)
{
	const char *type = sb->s_type->name;

	return !strcmp(type, "msdos") || !strcmp(type, "hfs") || !strcmp(type, "affs");
}

/* May a directory of @sb that is @node, where case is folded, be another child of @parent, too? */
static bool may_have_twin(const struct ugfs_node *parent, const struct ugfs_node *node,
			  const struct super_block *sb)
{
	return parent->children > 1 && (node->has_twin || parent->has_foreign || cuts_names(sb));
}

/*
 * The node of a directory, by the comparison of its file system. Where case is folded, a dentry
 * has the spelling of its first lookup, which may not be that of the rule. d_compare() must get
 * a name with its own length, so both are read by d_seq. A dentry that is renamed or unhashed all
 * the time cannot be read like that. It may be a node, so the walk is beyond. So it is where the
 * directory is two nodes, which two rules spell differently: the rules of both are for it.
 */
static const struct ugfs_node *child_by_compare(const struct ugfs_node *parent,
						const struct dentry *above,
						const struct dentry *dentry,
						struct ugfs_descent *descent)
{
	const struct ugfs_node *node, *found = NULL;
	struct qstr name;

	if (!read_name(dentry, &name)) {
		descent->beyond = true;
		return NULL;
	}
	for (node = parent->child; node; node = node->sibling) {
		struct qstr wanted = QSTR_INIT(node->name, node->len);
		int differs = above->d_op->d_compare(dentry, name.len, name.name, &wanted);

		/* NTFS allocates memory to compare. */
		if (differs == -ENOMEM || (!differs && found))
			descent->beyond = true;
		if (differs)
			continue;
		found = node;
		if (!may_have_twin(parent, node, dentry->d_sb))
			break;
	}
	return found;
}

/*
 * Are names in @above compared in another way than octet by octet? Where directories are told one
 * by one to fold case (ext4, f2fs, tmpfs), the comparison is there for all of them.
 */
static bool folds_case(const struct dentry *above)
{
	const struct inode *inode = READ_ONCE(above->d_inode);

#if IS_ENABLED(CONFIG_UNICODE)
	if (above->d_sb->s_encoding)
		return inode && IS_CASEFOLDED(inode);
#endif
	return above->d_flags & DCACHE_OP_COMPARE;
}

/*
 * Is there another name of the directory @dentry in @above, which nothing here can compare? Where
 * names are encrypted, a directory that was opened without the key has the name that is shown
 * without it until somebody looks up its own, also after the key was added. And before Linux 6.9,
 * the root of a file system that folds case has no d_compare(), nor has a directory that was found
 * by a file handle.
 */
static bool has_hidden_name(const struct dentry *above, const struct dentry *dentry)
{
	return dentry->d_flags & DCACHE_NOKEY_NAME ||
	       (!(above->d_flags & DCACHE_OP_COMPARE) && folds_case(above));
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
	/* One octet more than a name in a rule has: of a longer one, no more need be read. */
	node = ugfs_index_node(index, parent, name, strnlen(name, NAME_MAX + 1));
	if (node && !(folds_case(above) && may_have_twin(parent, node, above->d_sb)))
		return node;
	if (has_hidden_name(above, dentry)) {
		descent->beyond = true;
		return NULL;
	}
	/* Both: the inode may have been told to fold case since, where there is no d_compare(). */
	if (likely(!(above->d_flags & DCACHE_OP_COMPARE) || !folds_case(above)))
		return NULL;
	if (parent->children > descent->budget) {
		descent->beyond = true;
		return NULL;
	}
	descent->budget -= parent->children;
	return child_by_compare(parent, above, dentry, descent);
}

/*
 * Puts the directories from @dir up to the root into @top, of which the highest stay. Returns
 * their number, of which the last is the root; 0 where there are more than UGFS_MAX_DEPTH.
 */
static unsigned int ascend(const struct dentry *dir, const struct dentry **top)
{
	const struct dentry *child;
	unsigned int depth = 0;

	do {
		if (depth == UGFS_MAX_DEPTH)
			return 0;
		top[depth++ % TOP] = dir;
		child = dir;
		dir = READ_ONCE(dir->d_parent);
	} while (dir != child);
	return depth;
}

/* ntfs3 has its own word for this. */
#define NTFS_MAGIC 0x7366746e

/* Does the file system, or its server, know a directory by a short name, too? */
static bool knows_short_names(const struct super_block *sb)
{
	switch (sb->s_magic) {
	case MSDOS_SUPER_MAGIC:
	case NTFS_MAGIC:
	case CIFS_SUPER_MAGIC:
	case SMB2_SUPER_MAGIC:
		return true;
	case FUSE_SUPER_MAGIC:
		return sb->s_bdev;
	default:
		return false;
	}
}

/*
 * May the name of a directory be the short one, without a tilde, of a child of @parent other than
 * @child, or the other way round? vfat gives "Upload" the short name UPLOAD, and folds other
 * characters there than in long names.
 */
static bool is_like_other(const struct ugfs_node *parent, const struct ugfs_node *child,
			  const struct dentry *dentry, struct ugfs_descent *descent)
{
	const char *name = READ_ONCE(dentry->d_name.name);
	const struct ugfs_node *node;
	size_t len;

	if (dentry->d_sb->s_magic != MSDOS_SUPER_MAGIC ||
	    (child && !may_have_twin(parent, child, dentry->d_sb)))
		return false;
	if (parent->children > descent->budget)
		return true;
	descent->budget -= parent->children;
	len = strnlen(name, NAME_MAX + 1);
	for (node = parent->child; node; node = node->sibling)
		if (node != child && ugfs_spelling_is_alike(name, len, node->name, node->len))
			return true;
	return false;
}

/*
 * May a directory, which is @child of @parent or none, be another child of it by its short name? A
 * dentry has the name of its first lookup, everybody may look up a directory by its short name,
 * and a rule has the name that the dentry had when the rule was made.
 */
static bool is_by_short_name(const struct ugfs_node *parent, const struct ugfs_node *child,
			     const struct dentry *dentry, struct ugfs_descent *descent)
{
	const char *name = READ_ONCE(dentry->d_name.name);

	if (parent->children == !!child || !knows_short_names(dentry->d_sb))
		return false;
	return parent->has_short || ugfs_spelling_is_short(name, strnlen(name, NAME_MAX + 1)) ||
	       is_like_other(parent, child, dentry, descent);
}

/* The node nearest to the directory: the way down ends at the first directory that is no node. */
static const struct ugfs_node *descend(const struct ugfs_index *index, const struct ugfs_kind *kind,
				       const struct dentry *const *top, unsigned int depth,
				       struct ugfs_descent *descent)
{
	unsigned int at = depth - 1, last = depth > TOP ? depth - TOP : 0;
	const struct ugfs_tree *tree = ugfs_index_tree(kind, ugfs_location_tree(top[at % TOP]));
	const struct ugfs_node *node = tree ? &tree->root : NULL, *child = node;

	while (child && at > last) {
		const struct dentry *above = top[at % TOP], *dentry = top[--at % TOP];

		child = child_of(index, node, above, dentry, descent);
		if (is_by_short_name(node, child, dentry, descent))
			descent->beyond = true;
		node = child ?: node;
	}
	return node;
}

static enum ugfs_walk visit_upwards(const struct ugfs_index *index, const struct ugfs_kind *kind,
				    const struct dentry *dir, ugfs_visit *visit, void *data)
{
	const struct dentry *top[TOP];
	struct ugfs_descent descent = { .budget = UGFS_MAX_COMPARED };
	const struct ugfs_node *node;
	unsigned int depth = ascend(dir, top);

	if (!depth)
		return UGFS_WALK_BEYOND;
	node = descend(index, kind, top, depth, &descent);
	if (descent.beyond)
		return UGFS_WALK_BEYOND;
	for (; node; node = node->parent)
		if (visit_slot(&node->slot, visit, data))
			return UGFS_WALK_FOUND;
	return UGFS_WALK_OVER;
}

/*
 * Visits the rules of a kind, or of none: those for subtrees, then those for all of it. Returns
 * whether a visit returned true. Where rules for subtrees were not visited, sets @beyond, unless
 * that is set already.
 */
static bool visit_volume(const struct ugfs_index *index, const struct ugfs_kind *kind,
			 const struct dentry *dir, ugfs_visit *visit, void *data,
			 const struct ugfs_beyond **beyond)
{
	enum ugfs_walk walk = UGFS_WALK_OVER;

	if (!kind)
		return false;
	if (kind->trees)
		walk = visit_upwards(index, kind, dir, visit, data);
	if (walk == UGFS_WALK_FOUND)
		return true;
	if (walk == UGFS_WALK_BEYOND && !*beyond)
		*beyond = &kind->beyond;
	return visit_slot(&kind->slot, visit, data);
}

static bool visit_fstype(const struct ugfs_index *index, const char *name, size_t len,
			 ugfs_visit *visit, void *data)
{
	u32 hash = ugfs_location_hash_fstype(name, len);
	const struct ugfs_kind *kind;

	hlist_for_each_entry(kind, ugfs_index_kinds(index, hash), bucket)
		if (kind->location->scope == UTF8GUARD_FS_SCOPE_FSTYPE &&
		    !strcmp(kind->location->text, name))
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

	hlist_for_each_entry(kind, ugfs_index_kinds(index, 0), bucket)
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
 * @beyond: NULL; with UGFS_WALK_BEYOND, set to what all the subtrees demand
 *
 * Cost: a hash lookup for each of five kinds of rules. Where the file system has rules for
 * subtrees, the walk goes up to its root, UGFS_MAX_DEPTH directories at most, and down again
 * with a hash lookup for each directory that is a node, and one more. In a directory that folds
 * case, a name that no rule spells like that, or that may be spelt in two ways by rules, is
 * compared with all spellings of rules there, up to UGFS_MAX_COMPARED in a walk. All that is twice
 * as much where the file system also has former locations with rules for subtrees.
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
	bool found = visit_volume(index, find_volume(index, sb, false), dir, visit, data, beyond) ||
		     visit_volume(index, find_volume(index, sb, true), dir, visit, data, beyond) ||
		     (!by_path && (visit_type(index, sb, visit, data) ||
				   visit_default(index, visit, data)));

	if (*beyond)
		return UGFS_WALK_BEYOND;
	return found ? UGFS_WALK_FOUND : UGFS_WALK_OVER;
}
