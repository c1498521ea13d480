// SPDX-License-Identifier: GPL-2.0
/* The rules for names: which of them is for a new name, at no cost of their number. */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "fs.h"
#include "netlink_gen.h"

/**
 * struct fs_entry - a subtree rule in the index of a policy
 * @bucket: chain of those with the same hash
 * @inode: of the rule's directory
 * @rule: the rule
 */
struct fs_entry {
	struct hlist_node bucket;
	const struct inode *inode;
	const struct fs_rule *rule;
};

/**
 * struct fs_index - the subtree rules of a policy by inode
 * @bits: logarithm of the number of buckets
 * @buckets: the hash; in the same allocation, behind the entries
 * @entries: the rules
 */
struct fs_index {
	u8 bits;
	struct hlist_head *buckets;
	struct fs_entry entries[];
};

static struct fs_index *index_alloc(u32 count)
{
	u8 bits = order_base_2(count) ?: 1;
	size_t entries = struct_size_t(struct fs_index, entries, count);
	struct fs_index *index;

	index = kvzalloc(size_add(entries, sizeof(struct hlist_head) << bits),
			 GFP_KERNEL_ACCOUNT);
	if (!index)
		return NULL;
	index->bits = bits;
	index->buckets = (void *)index + entries;
	return index;
}

static struct hlist_head *bucket_of(const struct fs_index *index, const struct inode *inode)
{
	return &index->buckets[hash_ptr(inode, index->bits)];
}

static int prepare(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
		   struct netlink_ext_ack *extack)
{
	struct fs_index *index = index_alloc(next->count);
	u32 i;

	if (!index)
		return -ENOMEM;
	for (i = 0; i < next->count; i++) {
		const struct fs_rule *rule = fs_rule_of(next->rules[i]);
		struct fs_entry *entry = &index->entries[i];

		entry->rule = rule;
		entry->inode = rule->place->inode;
		if (entry->inode)
			hlist_add_head(&entry->bucket, bucket_of(index, entry->inode));
	}
	next->index = index;
	return 0;
}

static void release(struct utf8guard_policy *policy)
{
	kvfree(policy->index);
}

static const struct fs_rule *find_inode(const struct fs_index *index,
					const struct inode *inode)
{
	const struct fs_entry *entry;

	hlist_for_each_entry(entry, bucket_of(index, inode), bucket)
		if (entry->inode == inode && !fs_rule_gone(&entry->rule->rule))
			return entry->rule;
	return NULL;
}

static const struct fs_rule *match_upwards(const struct fs_index *index,
					   const struct dentry *dentry)
{
	const struct fs_rule *rule = NULL;
	const struct dentry *d = dentry;

	while (!rule && !IS_ROOT(d)) {
		const struct inode *inode;

		d = READ_ONCE(d->d_parent);
		inode = READ_ONCE(d->d_inode);
		if (inode)
			rule = find_inode(index, inode);
	}
	return rule;
}

/**
 * fs_policy_match() - the rule for a new name
 * @dentry: the name, in a directory that is locked
 *
 * The rule of the nearest directory upwards on the same file system; the
 * default where none has one. Costs a look into a hash for each directory,
 * however many rules there are.
 *
 * Context: rcu_read_lock() held; does not sleep.
 * Return: the rule, never NULL.
 */
const struct fs_rule *fs_policy_match(const struct dentry *dentry)
{
	const struct utf8guard_policy *policy = rcu_dereference(fs_ruleset.policy);
	const struct fs_rule *rule = NULL;
	unsigned int seq;

	if (policy->count == 1)
		return fs_rule_of(policy->rules[0]);
	/* A directory that moves on our way up could hide its rules from us. */
	do {
		seq = read_seqbegin(&rename_lock);
		rule = match_upwards(policy->index, dentry);
	} while (read_seqretry(&rename_lock, seq));
	return rule ?: fs_rule_of(policy->rules[0]);
}

static void reset(struct utf8guard_rule *rule)
{
	utf8guard_counts_reset(&fs_rule_of(rule)->place->counts);
}

const struct utf8guard_ruleset_type fs_ruleset_type = {
	.name = "fs",
	.owner = THIS_MODULE,
	.family = &utf8guard_fs_nl_family,
	.attrs = {
		.generation = UTF8GUARD_FS_A_STATUS_GENERATION,
		.rules = UTF8GUARD_FS_A_STATUS_RULES,
		.locked = UTF8GUARD_FS_A_STATUS_LOCKED,
		.confirm = UTF8GUARD_FS_A_STATUS_CONFIRM,
		.handle = UTF8GUARD_FS_A_RULE_HANDLE,
		.rule_generation = UTF8GUARD_FS_A_RULE_GENERATION,
		.comment = UTF8GUARD_FS_A_RULE_COMMENT,
	},
	.get_command = UTF8GUARD_FS_CMD_RULE_GET,
	.changed_command = UTF8GUARD_FS_CMD_CHANGED,
	.changed_group = UTF8GUARD_FS_NLGRP_CONFIG,
	.max = FS_MAX_RULES,
	.fixed = true,
	.taken = "the directory has a rule already",
	.same = fs_rule_same,
	.gone = fs_rule_gone,
	.put = fs_netlink_put_rule,
	.reset = reset,
	.free = fs_rule_free,
	.prepare = prepare,
	.release = release,
};

struct utf8guard_ruleset fs_ruleset;

int fs_policy_init(void)
{
	struct fs_rule *rule = fs_rule_new(UTF8GUARD_FS_MODE_AUDIT, NULL, NULL, NULL);
	int err;

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	err = utf8guard_ruleset_init(&fs_ruleset, &fs_ruleset_type, &init_net, &rule->rule);
	if (err)
		utf8guard_rule_put(&fs_ruleset_type, &rule->rule);
	return err;
}

/* Nobody asks for changes any more: nor are there any from now on. */
void fs_policy_close(void)
{
	utf8guard_ruleset_close(&fs_ruleset);
}

/* The hooks are detached: no reader is left, nor comes any more. */
void fs_policy_exit(void)
{
	utf8guard_ruleset_exit(&fs_ruleset);
	utf8guard_ruleset_drain();
}
