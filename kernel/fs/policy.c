// SPDX-License-Identifier: GPL-2.0
/*
 * The rules as readers see them: one immutable snapshot behind an RCU pointer.
 * Every change builds the next snapshot, swaps it in and frees the old one when
 * no reader is left in it. Whatever fails, fails before the swap.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "fs.h"

static DEFINE_MUTEX(lock);
static struct fs_policy __rcu *policy;

/* The policy, for a reader under rcu_read_lock(). */
const struct fs_policy *fs_policy_rcu(void)
{
	return rcu_dereference(policy);
}

static struct fs_policy *current_policy(void)
{
	return rcu_dereference_protected(policy, lockdep_is_held(&lock));
}

/* The policy, for one who wants it to stay as it is. */
const struct fs_policy *fs_policy_lock(void)
{
	mutex_lock(&lock);
	return current_policy();
}

void fs_policy_unlock(void)
{
	mutex_unlock(&lock);
}

static void policy_free(struct fs_policy *p)
{
	if (!p)
		return;
	kvfree(p->buckets);
	kvfree(p);
}

static struct fs_policy *policy_alloc(u32 count, u32 generation)
{
	struct fs_policy *p;

	p = kvzalloc(struct_size(p, entries, count), GFP_KERNEL_ACCOUNT);
	if (!p)
		return NULL;
	p->bits = ilog2(roundup_pow_of_two(count));
	p->buckets = kvcalloc(1U << p->bits, sizeof(*p->buckets), GFP_KERNEL_ACCOUNT);
	if (!p->buckets) {
		policy_free(p);
		return NULL;
	}
	p->generation = generation;
	return p;
}

static struct hlist_head *bucket_of(const struct fs_policy *p, const struct inode *inode)
{
	/* hash_ptr() shifts by 64 - bits, which must not be 64. */
	return &p->buckets[p->bits ? hash_ptr(inode, p->bits) : 0];
}

/* Room for it was made by policy_alloc(). */
static void append(struct fs_policy *p, struct fs_rule *rule, u8 mode)
{
	struct fs_entry *entry = &p->entries[p->count++];

	entry->rule = rule;
	entry->mode = mode;
	if (rule->inode)
		hlist_add_head(&entry->bucket, bucket_of(p, rule->inode));
}

static void publish(struct fs_policy *next)
{
	struct fs_policy *old = current_policy();

	rcu_assign_pointer(policy, next);
	synchronize_rcu();
	policy_free(old);
	if (next)
		fs_netlink_changed(next->generation, next->count);
}

/* No reader can find the rule any more. */
static void retire(struct fs_rule *rule)
{
	fs_subtree_detach(rule);
	fs_rule_put(rule);
}

/**
 * fs_policy_find() - a rule by its handle
 * @p: the policy
 * @handle: of the rule
 *
 * Return: the entry, or NULL.
 */
const struct fs_entry *fs_policy_find(const struct fs_policy *p, u32 handle)
{
	u32 i;

	for (i = 0; i < p->count; i++)
		if (p->entries[i].rule->handle == handle)
			return &p->entries[i];
	return NULL;
}

static const struct fs_entry *find_inode(const struct fs_policy *p,
					 const struct inode *inode)
{
	const struct fs_entry *entry;

	hlist_for_each_entry(entry, bucket_of(p, inode), bucket)
		if (entry->rule->inode == inode && !READ_ONCE(entry->rule->dead))
			return entry;
	return NULL;
}

static const struct fs_entry *match_upwards(const struct fs_policy *p,
					    const struct dentry *dentry)
{
	const struct fs_entry *entry = NULL;
	const struct dentry *d = dentry;

	while (!entry && !IS_ROOT(d)) {
		const struct inode *inode;

		d = READ_ONCE(d->d_parent);
		inode = READ_ONCE(d->d_inode);
		if (inode)
			entry = find_inode(p, inode);
	}
	return entry;
}

/**
 * fs_policy_match() - the rule for a new name
 * @p: the policy
 * @dentry: the name, in a directory that is locked
 *
 * The rule of the nearest directory upwards on the same file system; the
 * default where none has one. Costs a look into a hash for each directory,
 * however many rules there are.
 *
 * Context: rcu_read_lock() held; does not sleep.
 * Return: the entry, never NULL.
 */
const struct fs_entry *fs_policy_match(const struct fs_policy *p,
				       const struct dentry *dentry)
{
	const struct fs_entry *entry = NULL;
	unsigned int seq;

	if (p->count == 1)
		return &p->entries[0];
	/* A directory that moves on our way up could hide its rules from us. */
	do {
		seq = read_seqbegin(&rename_lock);
		entry = match_upwards(p, dentry);
	} while (read_seqretry(&rename_lock, seq));
	return entry ?: &p->entries[0];
}

static int add_locked(u8 scope, u8 mode, const char *path, u32 *handle,
		      struct netlink_ext_ack *extack)
{
	struct fs_policy *now = current_policy(), *next;
	struct fs_rule *rule;
	int err = -ENOMEM;
	u32 i;

	if (now->count >= FS_MAX_RULES) {
		NL_SET_ERR_MSG(extack, "too many rules");
		return -E2BIG;
	}
	rule = fs_rule_new(scope, path, extack);
	if (!rule)
		return -ENOMEM;
	next = policy_alloc(now->count + 1, now->generation + 1);
	if (next)
		err = fs_subtree_attach(rule, extack);
	if (err) {
		policy_free(next);
		fs_rule_put(rule);
		return err;
	}
	for (i = 0; i < now->count; i++)
		append(next, now->entries[i].rule, now->entries[i].mode);
	append(next, rule, mode);
	*handle = rule->handle;
	publish(next);
	utf8guard_report_config("fs-rule-add", rule->handle, next->generation);
	return 0;
}

/**
 * fs_policy_add() - add a rule
 * @scope: UTF8GUARD_FS_SCOPE_SUBTREE; the default is always there
 * @mode: enum utf8guard_fs_mode
 * @path: of the directory
 * @handle: set to the new rule's
 * @extack: told why not
 *
 * Context: process context of the user; may sleep.
 * Return: 0; -EEXIST, -E2BIG, -ENOMEM, errors of path lookup: nothing changed.
 */
int fs_policy_add(u8 scope, u8 mode, const char *path, u32 *handle,
		  struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&lock);
	err = add_locked(scope, mode, path, handle, extack);
	mutex_unlock(&lock);
	return err;
}

static int set_locked(u32 handle, u8 mode, struct netlink_ext_ack *extack)
{
	struct fs_policy *now = current_policy(), *next;
	u32 i;

	if (!fs_policy_find(now, handle)) {
		NL_SET_ERR_MSG(extack, "no rule has this handle");
		return -ENOENT;
	}
	next = policy_alloc(now->count, now->generation + 1);
	if (!next)
		return -ENOMEM;
	for (i = 0; i < now->count; i++) {
		const struct fs_entry *entry = &now->entries[i];

		append(next, entry->rule,
		       entry->rule->handle == handle ? mode : entry->mode);
	}
	publish(next);
	utf8guard_report_config("fs-rule-set", handle, next->generation);
	return 0;
}

/**
 * fs_policy_set() - change the mode of a rule
 * @handle: of the rule
 * @mode: enum utf8guard_fs_mode
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -ENOENT, -ENOMEM: nothing changed.
 */
int fs_policy_set(u32 handle, u8 mode, struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&lock);
	err = set_locked(handle, mode, extack);
	mutex_unlock(&lock);
	return err;
}

/* Keep the entries that @gone does not choose; the default always stays. */
static int remove_locked(bool (*gone)(const struct fs_rule *rule, u32 handle),
			 u32 handle, u8 default_mode, const char *what)
{
	struct fs_policy *now = current_policy(), *next;
	struct fs_policy *dropped;
	u32 i;

	next = policy_alloc(now->count, now->generation + 1);
	dropped = policy_alloc(now->count, 0);
	if (!next || !dropped) {
		policy_free(next);
		policy_free(dropped);
		return -ENOMEM;
	}
	append(next, now->entries[0].rule, default_mode);
	for (i = 1; i < now->count; i++) {
		const struct fs_entry *entry = &now->entries[i];

		append(gone(entry->rule, handle) ? dropped : next, entry->rule,
		       entry->mode);
	}
	publish(next);
	for (i = 0; i < dropped->count; i++)
		retire(dropped->entries[i].rule);
	policy_free(dropped);
	utf8guard_report_config(what, handle, next->generation);
	return 0;
}

static bool has_handle(const struct fs_rule *rule, u32 handle)
{
	return rule->handle == handle;
}

static bool is_dead(const struct fs_rule *rule, u32 handle)
{
	return READ_ONCE(rule->dead);
}

static bool is_any(const struct fs_rule *rule, u32 handle)
{
	return true;
}

static int del_locked(u32 handle, struct netlink_ext_ack *extack)
{
	struct fs_policy *now = current_policy();
	const struct fs_entry *entry = fs_policy_find(now, handle);

	if (!entry) {
		NL_SET_ERR_MSG(extack, "no rule has this handle");
		return -ENOENT;
	}
	if (entry == &now->entries[0]) {
		NL_SET_ERR_MSG(extack, "the default cannot be deleted, only set");
		return -EPERM;
	}
	return remove_locked(has_handle, handle, now->entries[0].mode, "fs-rule-del");
}

/**
 * fs_policy_del() - delete a rule
 * @handle: of the rule
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -ENOENT, -EPERM for the default, -ENOMEM: nothing changed.
 */
int fs_policy_del(u32 handle, struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&lock);
	err = del_locked(handle, extack);
	mutex_unlock(&lock);
	return err;
}

/**
 * fs_policy_flush() - go back to one default rule that audits
 *
 * Context: process context; may sleep.
 * Return: 0, or -ENOMEM: nothing changed.
 */
int fs_policy_flush(void)
{
	int err;

	mutex_lock(&lock);
	err = remove_locked(is_any, 0, UTF8GUARD_FS_MODE_AUDIT, "fs-flush");
	mutex_unlock(&lock);
	return err;
}

static bool any_dead(const struct fs_policy *p)
{
	u32 i;

	for (i = 1; i < p->count; i++)
		if (READ_ONCE(p->entries[i].rule->dead))
			return true;
	return false;
}

/*
 * Drop the rules whose directories are gone. For want of memory they stay in
 * the list, where they match nothing, until the next change.
 */
void fs_policy_reap(void)
{
	mutex_lock(&lock);
	if (current_policy() && any_dead(current_policy()))
		remove_locked(is_dead, 0, current_policy()->entries[0].mode, "fs-rule-gone");
	mutex_unlock(&lock);
}

int fs_policy_init(void)
{
	struct fs_policy *first = policy_alloc(1, 0);
	struct fs_rule *rule;

	if (!first)
		return -ENOMEM;
	mutex_lock(&lock);
	rule = fs_rule_new(UTF8GUARD_FS_SCOPE_DEFAULT, NULL, NULL);
	if (rule) {
		append(first, rule, UTF8GUARD_FS_MODE_AUDIT);
		rcu_assign_pointer(policy, first);
	}
	mutex_unlock(&lock);
	if (!rule)
		policy_free(first);
	return rule ? 0 : -ENOMEM;
}

/* The hooks are detached: no reader is left, nor comes any more. */
void fs_policy_exit(void)
{
	struct fs_policy *last;
	u32 i;

	mutex_lock(&lock);
	last = current_policy();
	RCU_INIT_POINTER(policy, NULL);
	for (i = 0; i < last->count; i++)
		retire(last->entries[i].rule);
	policy_free(last);
	mutex_unlock(&lock);
}
