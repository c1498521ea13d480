// SPDX-License-Identifier: GPL-2.0
/* The rules of a policy by place, so that their number costs a new name nothing. */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/netlink.h>

#include "fs.h"

/**
 * struct fs_entry - a rule
 * @rule: the rule
 * @next: asked after it, of the same place; or NULL
 */
struct fs_entry {
	const struct fs_rule *rule;
	struct fs_entry *next;
};

/**
 * struct fs_slot - a place that has rules
 * @bucket: among those whose places have the same hash
 * @volume: among the subtrees, the first one on its super block; by that
 * @place: the place
 * @first: the rule that is asked first
 * @count: number of rules
 * @beyond: of a slot in @volumes, what all subtrees on its super block demand
 */
struct fs_slot {
	struct hlist_node bucket;
	struct hlist_node volume;
	const struct fs_place *place;
	struct fs_entry *first;
	u32 count;
	struct fs_beyond beyond;
};

/**
 * struct fs_index - the rules of a policy by place; all in one allocation
 * @demand: what a name must be for no rule to mind it
 * @bits: logarithm of the number of buckets, of each hash
 * @used: number of slots in use
 * @places: hash of the places
 * @volumes: hash of the super blocks that have subtrees
 * @slots: the places
 * @entries: the rules
 */
struct fs_index {
	struct fs_demand demand;
	u8 bits;
	u32 used;
	struct hlist_head *places;
	struct hlist_head *volumes;
	struct fs_slot *slots;
	struct fs_entry entries[];
};

static struct fs_index *index_alloc(u32 count)
{
	u8 bits = order_base_2(count) ?: 1;
	size_t entries = struct_size_t(struct fs_index, entries, count);
	size_t slots = array_size(sizeof(struct fs_slot), count);
	struct fs_index *index;

	index = kvzalloc(size_add(size_add(entries, slots), sizeof(struct hlist_head) << bits << 1),
			 GFP_KERNEL_ACCOUNT);
	if (!index)
		return NULL;
	index->bits = bits;
	index->slots = (void *)index + entries;
	index->places = (void *)index->slots + slots;
	index->volumes = index->places + (1UL << bits);
	return index;
}

static struct hlist_head *places_of(const struct fs_index *index, u32 hash)
{
	return &index->places[hash_32(hash, index->bits)];
}

static struct hlist_head *volumes_of(const struct fs_index *index, const struct super_block *sb)
{
	return &index->volumes[hash_ptr(sb, index->bits)];
}

/* The first slot of a subtree on the super block, or NULL. */
static struct fs_slot *volume_of(const struct fs_index *index, const struct super_block *sb)
{
	struct fs_slot *slot;

	hlist_for_each_entry(slot, volumes_of(index, sb), volume)
		if (slot->place->sb == sb)
			return slot;
	return NULL;
}

/* The slot of a place; a new one where it has none yet. */
static struct fs_slot *slot_of(struct fs_index *index, const struct fs_place *place)
{
	struct hlist_head *bucket = places_of(index, place->hash);
	struct fs_slot *slot;

	hlist_for_each_entry(slot, bucket, bucket)
		if (slot->place == place)
			return slot;
	slot = &index->slots[index->used++];
	slot->place = place;
	hlist_add_head(&slot->bucket, bucket);
	if (place->scope == UTF8GUARD_FS_SCOPE_SUBTREE && !volume_of(index, place->sb))
		hlist_add_head(&slot->volume, volumes_of(index, place->sb));
	return slot;
}

static bool is_asked_before(const struct fs_rule *rule, const struct fs_rule *other)
{
	int order = fs_who_compare(&rule->terms->who, &other->terms->who);

	return order < 0 || (!order && rule->rule.handle < other->rule.handle);
}

static void insert(struct fs_slot *slot, struct fs_entry *entry)
{
	struct fs_entry **at = &slot->first;

	while (*at && is_asked_before((*at)->rule, entry->rule))
		at = &(*at)->next;
	entry->next = *at;
	*at = entry;
	slot->count++;
}

static void add_demand(struct fs_demand *demand, const struct fs_demand *more)
{
	demand->refuse |= more->refuse;
	demand->forms |= more->forms;
}

static void add_beyond(struct fs_index *index, const struct fs_rule *rule)
{
	struct fs_slot *volume = volume_of(index, rule->terms->place->sb);
	struct fs_strictest *strictest = rule->mode == UTF8GUARD_FS_MODE_ENFORCE ?
		&volume->beyond.enforce : &volume->beyond.audit;

	if (!strictest->rule)
		strictest->rule = rule;
	add_demand(&strictest->demand, &rule->terms->demand);
}

static int index_add(struct fs_index *index, struct fs_entry *entry,
		     const struct fs_rule *rule, struct netlink_ext_ack *extack)
{
	struct fs_slot *slot = slot_of(index, rule->terms->place);

	if (slot->count == FS_MAX_RULES_OF_PLACE) {
		NL_SET_ERR_MSG(extack, "there are 64 rules for the same place already");
		return -E2BIG;
	}
	entry->rule = rule;
	insert(slot, entry);
	if (rule->mode == UTF8GUARD_FS_MODE_OFF)
		return 0;
	add_demand(&index->demand, &rule->terms->demand);
	if (rule->terms->place->scope == UTF8GUARD_FS_SCOPE_SUBTREE)
		add_beyond(index, rule);
	return 0;
}

/**
 * fs_index_build() - make the index of a policy
 * @policy: with all its rules
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0, -ENOMEM, or -E2BIG.
 */
int fs_index_build(struct utf8guard_policy *policy, struct netlink_ext_ack *extack)
{
	struct fs_index *index = index_alloc(policy->count);
	u32 i;
	int err;

	if (!index)
		return -ENOMEM;
	for (i = 0; i < policy->count; i++) {
		err = index_add(index, &index->entries[i], fs_rule_of(policy->rules[i]), extack);
		if (err) {
			kvfree(index);
			return err;
		}
	}
	policy->index = index;
	return 0;
}

const struct fs_demand *fs_index_demand(const struct fs_index *index)
{
	return &index->demand;
}

static bool visit_slot(const struct fs_slot *slot, fs_visit *visit, void *data)
{
	const struct fs_entry *entry;

	for (entry = slot->first; entry; entry = entry->next)
		if (visit(entry->rule, data))
			return true;
	return false;
}

static bool visit_inode(const struct fs_index *index, u8 scope, const struct inode *inode,
			fs_visit *visit, void *data)
{
	const struct fs_slot *slot;

	if (!inode)
		return false;
	hlist_for_each_entry(slot, places_of(index, fs_place_hash_inode(inode)), bucket)
		if (slot->place->inode == inode && slot->place->scope == scope &&
		    !READ_ONCE(slot->place->dead))
			return visit_slot(slot, visit, data);
	return false;
}

static enum fs_walk visit_upwards(const struct fs_index *index, const struct dentry *dir,
				  fs_visit *visit, void *data)
{
	const struct dentry *d = dir, *child;
	unsigned int depth = 0;

	do {
		if (depth++ == FS_MAX_DEPTH)
			return FS_WALK_BEYOND;
		child = d;
		if (visit_inode(index, UTF8GUARD_FS_SCOPE_SUBTREE, READ_ONCE(d->d_inode),
				visit, data))
			return FS_WALK_FOUND;
		d = READ_ONCE(d->d_parent);
	} while (d != child);
	return FS_WALK_OVER;
}

static bool visit_fstype(const struct fs_index *index, const char *name, size_t len,
			 fs_visit *visit, void *data)
{
	const struct fs_slot *slot;

	hlist_for_each_entry(slot, places_of(index, fs_place_hash_fstype(name, len)), bucket)
		if (slot->place->scope == UTF8GUARD_FS_SCOPE_FSTYPE &&
		    !strcmp(slot->place->fstype, name))
			return visit_slot(slot, visit, data);
	return false;
}

/* As /proc/mounts has it: "fuse.sshfs" before "fuse". */
static bool visit_type(const struct fs_index *index, const struct super_block *sb,
		       fs_visit *visit, void *data)
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

static bool visit_default(const struct fs_index *index, fs_visit *visit, void *data)
{
	const struct fs_slot *slot;

	hlist_for_each_entry(slot, places_of(index, 0), bucket)
		if (slot->place->scope == UTF8GUARD_FS_SCOPE_DEFAULT)
			return visit_slot(slot, visit, data);
	return false;
}

/* All but the subtrees. */
static bool visit_elsewhere(const struct fs_index *index, const struct super_block *sb,
			    bool by_path, fs_visit *visit, void *data)
{
	if (visit_inode(index, UTF8GUARD_FS_SCOPE_SUPERBLOCK, d_inode(sb->s_root), visit, data))
		return true;
	if (by_path)
		return false;
	return visit_type(index, sb, visit, data) || visit_default(index, visit, data);
}

/**
 * fs_index_walk() - visit the rules that are asked for a name, in order
 * @index: of a policy
 * @dir: the directory that the name is to be in
 * @by_path: only rules for a subtree or a super block
 * @visit: called for each, until it returns true
 * @data: for @visit
 *
 * Costs a look into a hash for each directory upwards, where the super block has
 * subtrees at all, and three more; FS_MAX_DEPTH directories at most.
 *
 * Context: rcu_read_lock() held; directories may be moved meanwhile.
 * Return: FS_WALK_FOUND where @visit returned true; FS_WALK_BEYOND where there may be
 * rules for subtrees that were not visited, whatever @visit said of those after them.
 */
enum fs_walk fs_index_walk(const struct fs_index *index, const struct dentry *dir,
			   bool by_path, fs_visit *visit, void *data)
{
	const struct super_block *sb = dir->d_sb;
	enum fs_walk walk = FS_WALK_OVER;

	if (volume_of(index, sb))
		walk = visit_upwards(index, dir, visit, data);
	if (walk == FS_WALK_FOUND)
		return walk;
	if (visit_elsewhere(index, sb, by_path, visit, data) && walk == FS_WALK_OVER)
		return FS_WALK_FOUND;
	return walk;
}

/**
 * fs_index_beyond() - what the subtrees on a super block demand, all together
 * @index: of a policy
 * @sb: fs_index_walk() returned FS_WALK_BEYOND for a directory on it
 *
 * Context: rcu_read_lock() held.
 */
const struct fs_beyond *fs_index_beyond(const struct fs_index *index,
					const struct super_block *sb)
{
	return &volume_of(index, sb)->beyond;
}
