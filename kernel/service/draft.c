// SPDX-License-Identifier: GPL-2.0
/*
 * The rules while they are being changed: a list for their order, a hash to find a rule by
 * its handle, and a hash to find one that is for the same. A change costs the same however
 * many rules there are; to begin a draft costs a walk over all of them.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "draft.h"
#include "rule.h"

/* Binary logarithm of the number of buckets that each hash begins with, at least. */
#define MIN_BITS 4

/* Both hashes are in one allocation, so that only one can fail. */
static struct hlist_head *new_buckets(u8 bits)
{
	return kvcalloc(2UL << bits, sizeof(struct hlist_head), GFP_KERNEL_ACCOUNT);
}

static void set_buckets(struct utf8guard_draft *draft, struct hlist_head *buckets, u8 bits)
{
	draft->bits = bits;
	draft->by_handle = buckets;
	draft->by_key = buckets + (1UL << bits);
}

static void hash_node(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	const struct utf8guard_rule *rule = node->rule;

	hlist_add_head(&node->by_handle,
		       &draft->by_handle[hash_32(rule->handle, draft->bits)]);
	hlist_add_head(&node->by_key, &draft->by_key[hash_32(rule->key, draft->bits)]);
}

/* Doubles the buckets. Without memory the hashes stay as they are, which is slower, not wrong. */
static void grow(struct utf8guard_draft *draft)
{
	struct hlist_head *old = draft->by_handle;
	struct hlist_head *buckets = new_buckets(draft->bits + 1);
	struct utf8guard_node *node;

	if (!buckets)
		return;
	set_buckets(draft, buckets, draft->bits + 1);
	list_for_each_entry(node, &draft->rules, order)
		hash_node(draft, node);
	kvfree(old);
}

/* Puts @rule into the list before @before, and into the hashes; takes a reference to it. */
static void link_node(struct utf8guard_draft *draft, struct utf8guard_node *node,
		      struct utf8guard_rule *rule, struct list_head *before)
{
	refcount_inc(&rule->ref);
	node->rule = rule;
	list_add_tail(&node->order, before);
	hash_node(draft, node);
	draft->count++;
}

static void drop_node(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	hlist_del(&node->by_handle);
	hlist_del(&node->by_key);
	list_del(&node->order);
	draft->count--;
	utf8guard_rule_put(draft->ruleset->type, node->rule);
	if (node < draft->copies || node >= draft->copies + draft->copied)
		kfree(node);
}

static int copy_rules(struct utf8guard_draft *draft, const struct utf8guard_policy *policy)
{
	u32 i;

	if (!policy->count)
		return 0;
	draft->copies = kvmalloc_array(policy->count, sizeof(*draft->copies),
				       GFP_KERNEL_ACCOUNT);
	if (!draft->copies)
		return -ENOMEM;
	draft->copied = policy->count;
	for (i = 0; i < policy->count; i++)
		link_node(draft, &draft->copies[i], policy->rules[i], &draft->rules);
	return 0;
}

/**
 * utf8guard_draft_new() - begin a draft with the rules in force
 * @ruleset: locked
 *
 * Context: process context; may sleep.
 * Return: the draft, for utf8guard_draft_free(), or NULL for want of memory.
 */
struct utf8guard_draft *utf8guard_draft_new(struct utf8guard_ruleset *ruleset)
{
	const struct utf8guard_policy *policy = utf8guard_ruleset_policy(ruleset);
	struct utf8guard_draft *draft = kzalloc(sizeof(*draft), GFP_KERNEL_ACCOUNT);
	u8 bits = max_t(u8, MIN_BITS, order_base_2(policy->count));
	struct hlist_head *buckets;

	if (!draft)
		return NULL;
	INIT_LIST_HEAD(&draft->rules);
	draft->ruleset = ruleset;
	draft->generation = policy->generation;
	buckets = new_buckets(bits);
	set_buckets(draft, buckets, bits);
	if (!buckets || copy_rules(draft, policy)) {
		utf8guard_draft_free(draft);
		return NULL;
	}
	return draft;
}

/* Frees a draft that is in no list any more, or NULL. May sleep; needs no lock. */
void utf8guard_draft_free(struct utf8guard_draft *draft)
{
	struct utf8guard_node *node, *next;

	if (!draft)
		return;
	list_for_each_entry_safe(node, next, &draft->rules, order)
		drop_node(draft, node);
	kvfree(draft->copies);
	kvfree(draft->by_handle);
	kfree(draft);
}

static struct utf8guard_node *find_node(const struct utf8guard_draft *draft, u32 handle)
{
	struct utf8guard_node *node;

	hlist_for_each_entry(node, &draft->by_handle[hash_32(handle, draft->bits)],
			     by_handle)
		if (node->rule->handle == handle)
			return node;
	return NULL;
}

/**
 * utf8guard_draft_find() - a rule by its handle
 * @draft: the draft
 * @handle: of the rule
 *
 * Context: the ruleset is locked.
 * Return: the rule, without a reference, or NULL.
 */
struct utf8guard_rule *utf8guard_draft_find(const struct utf8guard_draft *draft, u32 handle)
{
	const struct utf8guard_node *node = find_node(draft, handle);

	return node ? node->rule : NULL;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_find, "UTF8GUARD");

/* The first rule, without a reference; only for a type whose first rule is always there. */
struct utf8guard_rule *utf8guard_draft_first(const struct utf8guard_draft *draft)
{
	return list_first_entry(&draft->rules, struct utf8guard_node, order)->rule;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_first, "UTF8GUARD");

static struct utf8guard_node *find_changed(const struct utf8guard_draft *draft,
					   const struct utf8guard_change *change)
{
	struct utf8guard_node *node = find_node(draft, change->handle);

	if (!node)
		NL_SET_ERR_MSG_ATTR(change->extack, change->handle_attr,
				    "no rule has this handle");
	return node;
}

/* -EEXIST where a rule of the draft other than @but is for the same as the rule of the change. */
static int check_same(const struct utf8guard_draft *draft,
		      const struct utf8guard_change *change,
		      const struct utf8guard_node *but)
{
	const struct utf8guard_rule *rule = change->rule;
	struct utf8guard_node *node;

	hlist_for_each_entry(node, &draft->by_key[hash_32(rule->key, draft->bits)], by_key)
		if (node != but && node->rule->key == rule->key &&
		    draft->ruleset->type->same(node->rule, rule)) {
			/* NL_SET_ERR_MSG() takes literals only. */
			if (change->extack)
				change->extack->_msg = draft->ruleset->type->taken;
			NL_SET_BAD_ATTR(change->extack, change->same_attr);
			return -EEXIST;
		}
	return 0;
}

/* The entry of the list before which the new rule goes; NULL where there is no such rule. */
static struct list_head *find_place(struct utf8guard_draft *draft,
				    const struct utf8guard_change *change)
{
	struct utf8guard_node *node;

	if (!change->placed)
		return &draft->rules;
	if (!change->before)
		return draft->rules.next;
	node = find_node(draft, change->before);
	if (node)
		return &node->order;
	NL_SET_ERR_MSG_ATTR(change->extack, change->before_attr,
			    "there is no rule with this handle to add before");
	return NULL;
}

/* A new handle: not 0, and none that was given before, until all 32 bits were used once. */
static u32 new_handle(struct utf8guard_draft *draft)
{
	u32 handle;

	do {
		handle = ++draft->ruleset->last_handle;
	} while (!handle || find_node(draft, handle));
	return handle;
}

/**
 * utf8guard_draft_add() - add a rule after the others, or before the one that is named
 * @draft: the draft
 * @change: the rule, and where it goes; its handle is set
 *
 * Context: the ruleset is locked; may sleep.
 * Return: 0; -E2BIG where there are too many rules; -EEXIST where one is for the same; -ENOENT
 * where there is no rule to add before; -ENOMEM. On error nothing has changed.
 */
int utf8guard_draft_add(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	struct utf8guard_node *node;
	struct list_head *place;
	int err;

	if (draft->count >= draft->ruleset->type->max) {
		NL_SET_ERR_MSG(change->extack, "too many rules");
		return -E2BIG;
	}
	err = check_same(draft, change, NULL);
	if (err)
		return err;
	place = find_place(draft, change);
	if (!place)
		return -ENOENT;
	node = kmalloc(sizeof(*node), GFP_KERNEL_ACCOUNT);
	if (!node)
		return -ENOMEM;
	if (draft->count >> draft->bits)
		grow(draft);
	change->handle = new_handle(draft);
	change->rule->handle = change->handle;
	link_node(draft, node, change->rule, place);
	draft->changes++;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_add, "UTF8GUARD");

/**
 * utf8guard_draft_replace() - put a rule in the place of another
 * @draft: the draft
 * @change: the new rule, and the handle of the old one, which the new one gets
 *
 * Context: the ruleset is locked; may sleep.
 * Return: 0; -ENOENT where there is no such rule; -EEXIST where another one is for the same. On
 * error nothing has changed.
 */
int utf8guard_draft_replace(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	struct utf8guard_node *node = find_changed(draft, change);
	struct utf8guard_rule *old;
	int err;

	if (!node)
		return -ENOENT;
	err = check_same(draft, change, node);
	if (err)
		return err;
	old = node->rule;
	hlist_del(&node->by_handle);
	hlist_del(&node->by_key);
	refcount_inc(&change->rule->ref);
	change->rule->handle = change->handle;
	node->rule = change->rule;
	hash_node(draft, node);
	draft->changes++;
	utf8guard_rule_put(draft->ruleset->type, old);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_replace, "UTF8GUARD");

static bool is_fixed(const struct utf8guard_draft *draft, const struct utf8guard_node *node)
{
	return draft->ruleset->type->fixed && list_is_first(&node->order, &draft->rules);
}

/**
 * utf8guard_draft_del() - delete a rule
 * @draft: the draft
 * @change: the handle of the rule
 *
 * Context: the ruleset is locked; may sleep.
 * Return: 0; -ENOENT where there is no such rule; -EPERM for the rule that is always there. On
 * error nothing has changed.
 */
int utf8guard_draft_del(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	struct utf8guard_node *node = find_changed(draft, change);

	if (!node)
		return -ENOENT;
	if (is_fixed(draft, node)) {
		NL_SET_ERR_MSG_ATTR(change->extack, change->handle_attr,
				    "the default cannot be deleted, only set");
		return -EPERM;
	}
	drop_node(draft, node);
	draft->changes++;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_del, "UTF8GUARD");

/**
 * utf8guard_draft_flush() - delete all rules but the one that is always there
 * @draft: the draft
 * @change: not looked at
 *
 * Context: the ruleset is locked; may sleep.
 * Return: 0.
 */
int utf8guard_draft_flush(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	struct utf8guard_node *node, *next;

	list_for_each_entry_safe(node, next, &draft->rules, order)
		if (!is_fixed(draft, node))
			drop_node(draft, node);
	draft->changes++;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_flush, "UTF8GUARD");
