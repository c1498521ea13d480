// SPDX-License-Identifier: GPL-2.0
/*
 * The rules while they are being changed: a list for their order, and hashes to
 * find a rule by its handle, or the one that is for the same location or packets.
 * So the time that a change takes does not grow with the number of rules. To begin
 * a draft takes a walk over them.
 *
 * To load a policy again is to flush the rules and then add them all. So a flush keeps
 * the rules that the draft was begun with. If a rule is added later that is alike, the
 * kept one comes back in its place, with its handle and its counters, wherever it stands
 * now. The kernel does this and not the sender: only the draft knows which rules it was
 * begun with, and the commit fails if these are not in force any more.
 */
#include <linux/jhash.h>
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "draft.h"
#include "rule.h"

/* Binary logarithm of the number of buckets that each hash begins with, at least. */
#define MIN_BITS 4

#define HASHES 3UL

/* All hashes are in one allocation, so that only one can fail. */
static struct hlist_head *new_buckets(u8 bits)
{
	return kvcalloc(HASHES << bits, sizeof(struct hlist_head), GFP_KERNEL_ACCOUNT);
}

static void set_buckets(struct utf8guard_draft *draft, struct hlist_head *buckets, u8 bits)
{
	draft->bits = bits;
	draft->by_handle = buckets;
	draft->by_key = buckets + (1UL << bits);
	draft->flushed_by_key = buckets + (2UL << bits);
}

/* The bucket of a handle or a key. The user chooses which handles stay, but not the seed. */
static u32 bucket_of(const struct utf8guard_draft *draft, u32 value)
{
	return jhash_1word(value, draft->seed) >> (32 - draft->bits);
}

static void hash_node(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	const struct utf8guard_rule *rule = node->rule;

	hlist_add_head(&node->by_handle, &draft->by_handle[bucket_of(draft, rule->handle)]);
	hlist_add_head(&node->by_key, &draft->by_key[bucket_of(draft, rule->key)]);
}

static void hash_flushed(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	hlist_add_head(&node->by_key, &draft->flushed_by_key[bucket_of(draft, node->rule->key)]);
}

/* Without memory the hashes keep their size: they are slower then, and not wrong. */
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
	list_for_each_entry(node, &draft->flushed, order)
		hash_flushed(draft, node);
	kvfree(old);
}

static void link_node(struct utf8guard_draft *draft, struct utf8guard_node *node,
		      struct list_head *before)
{
	list_add_tail(&node->order, before);
	hash_node(draft, node);
	draft->count++;
}

/* Takes a reference of its own on @rule. */
static void set_rule(struct utf8guard_node *node, struct utf8guard_rule *rule)
{
	refcount_inc(&rule->ref);
	node->rule = rule;
}

static void unlink_node(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	hlist_del_init(&node->by_handle);
	hlist_del(&node->by_key);
	list_del(&node->order);
	draft->count--;
}

static void free_node(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	utf8guard_rule_put(draft->ruleset->type, node->rule);
	if (!utf8guard_draft_had(draft, node))
		kfree(node);
}

static void drop_node(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	unlink_node(draft, node);
	free_node(draft, node);
}

/* A rule that was added to the draft is freed; one that the draft was begun with may come back. */
static void flush_node(struct utf8guard_draft *draft, struct utf8guard_node *node)
{
	unlink_node(draft, node);
	if (!utf8guard_draft_had(draft, node)) {
		free_node(draft, node);
		return;
	}
	list_add(&node->order, &draft->flushed);
	hash_flushed(draft, node);
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
	for (i = 0; i < policy->count; i++) {
		set_rule(&draft->copies[i], policy->rules[i]);
		link_node(draft, &draft->copies[i], &draft->rules);
	}
	if (draft->ruleset->type->fixed) {
		draft->first = policy->rules[0];
		refcount_inc(&draft->first->ref);
	}
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
	INIT_LIST_HEAD(&draft->flushed);
	draft->ruleset = ruleset;
	draft->generation = policy->generation;
	draft->seed = get_random_u32();
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
	list_for_each_entry_safe(node, next, &draft->flushed, order)
		free_node(draft, node);
	if (draft->first)
		utf8guard_rule_put(draft->ruleset->type, draft->first);
	kvfree(draft->copies);
	kvfree(draft->by_handle);
	kfree(draft);
}

static struct utf8guard_node *find_node(const struct utf8guard_draft *draft, u32 handle)
{
	struct utf8guard_node *node;

	hlist_for_each_entry(node, &draft->by_handle[bucket_of(draft, handle)], by_handle)
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

/**
 * utf8guard_draft_first() - the first rule
 * @draft: the draft; of a type whose first rule is always there
 *
 * Context: the ruleset is locked.
 * Return: the rule, without a reference.
 */
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

/* The rule in a hash by key that is the same as @rule; there is at most one. */
static struct utf8guard_node *find_same(const struct utf8guard_draft *draft,
					const struct hlist_head *by_key,
					const struct utf8guard_rule *rule)
{
	struct utf8guard_node *node;

	hlist_for_each_entry(node, &by_key[bucket_of(draft, rule->key)], by_key)
		if (node->rule->key == rule->key && draft->ruleset->type->same(node->rule, rule))
			return node;
	return NULL;
}

/* NL_SET_ERR_MSG() takes literals only. */
static void tell(struct netlink_ext_ack *extack, const struct nlattr *attr, const char *message)
{
	if (extack)
		extack->_msg = message;
	NL_SET_BAD_ATTR(extack, attr);
}

/* May the rule of the change be added to the rules, of which @but is not counted? */
static int check_same(const struct utf8guard_draft *draft,
		      const struct utf8guard_change *change,
		      const struct utf8guard_node *but)
{
	const struct utf8guard_node *node = find_same(draft, draft->by_key, change->rule);

	if (!node || node == but)
		return 0;
	tell(change->extack, change->same_attr, draft->ruleset->type->taken);
	return -EEXIST;
}

static bool same_comment(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	return !strcmp(a->comment ?: "", b->comment ?: "");
}

/* Do two rules differ in nothing that users see, except in handle and counters? */
static bool is_alike(const struct utf8guard_ruleset_type *type, const struct utf8guard_rule *a,
		     const struct utf8guard_rule *b)
{
	return type->same(a, b) && type->equal(a, b) && same_comment(a, b) &&
	       (!type->same_words || type->same_words(a, b));
}

/* Replaces the rule of the change by @rule, which is in the draft. */
static void take_over(const struct utf8guard_draft *draft, struct utf8guard_change *change,
		      struct utf8guard_rule *rule)
{
	refcount_inc(&rule->ref);
	utf8guard_rule_put(draft->ruleset->type, change->rule);
	change->rule = rule;
	change->handle = rule->handle;
}

/* Is there an equal rule, where the change is content with one? Then the change is done. */
static bool exists(const struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct utf8guard_node *node;

	if (!change->may_exist)
		return false;
	node = find_same(draft, draft->by_key, change->rule);
	change->existed = node && draft->ruleset->type->equal(node->rule, change->rule);
	if (change->existed)
		take_over(draft, change, node->rule);
	return change->existed;
}

/* The node of a rule that was flushed and comes back, in no list; or NULL. */
static struct utf8guard_node *bring_back(struct utf8guard_draft *draft,
					 const struct utf8guard_change *change)
{
	struct utf8guard_node *node = find_same(draft, draft->flushed_by_key, change->rule);

	/* Its handle may be in use again: after 2^32 handles, the numbers start again. */
	if (!node || !is_alike(draft->ruleset->type, node->rule, change->rule) ||
	    find_node(draft, node->rule->handle))
		return NULL;
	hlist_del(&node->by_key);
	list_del(&node->order);
	return node;
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
			    "no rule has the handle to add before");
	return NULL;
}

/* A new handle: not 0, and not given before, until all numbers of 32 bits were given once. */
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
 * If a flushed rule is alike, that one comes back. Where the change is content with an equal
 * rule, none is added.
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

	if (exists(draft, change))
		return 0;
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
	node = bring_back(draft, change);
	if (node) {
		take_over(draft, change, node->rule);
	} else {
		node = kmalloc(sizeof(*node), GFP_KERNEL_ACCOUNT);
		if (!node)
			return -ENOMEM;
		change->handle = new_handle(draft);
		change->rule->handle = change->handle;
		set_rule(node, change->rule);
	}
	if (draft->count >> draft->bits)
		grow(draft);
	link_node(draft, node, place);
	draft->changes++;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_add, "UTF8GUARD");

/* Is the rule of the change the first one, as it was before all were flushed? */
static bool is_first_again(const struct utf8guard_draft *draft,
			   const struct utf8guard_change *change)
{
	return draft->is_flushed && draft->first && draft->first->handle == change->handle &&
	       is_alike(draft->ruleset->type, draft->first, change->rule);
}

/**
 * utf8guard_draft_replace() - put a rule in the place of another
 * @draft: the draft
 * @change: the new rule, and the handle of the old one, which the new one gets
 *
 * The rule that is always there comes back as it was before a flush, if the new one is alike.
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
	if (is_first_again(draft, change))
		take_over(draft, change, draft->first);
	old = node->rule;
	hlist_del(&node->by_handle);
	hlist_del(&node->by_key);
	change->rule->handle = change->handle;
	set_rule(node, change->rule);
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

/* The rule that equals that of the change, and has its comment if that has one. */
static struct utf8guard_node *find_equal(const struct utf8guard_draft *draft,
					 const struct utf8guard_change *change)
{
	const struct utf8guard_rule *rule = change->rule;
	struct utf8guard_node *node = find_same(draft, draft->by_key, rule);

	if (!node) {
		tell(change->extack, change->same_attr, "no rule says this");
		return NULL;
	}
	if (!draft->ruleset->type->equal(node->rule, rule)) {
		tell(change->extack, change->same_attr, draft->ruleset->type->unlike);
		return NULL;
	}
	if (rule->comment && !same_comment(node->rule, rule)) {
		tell(change->extack, change->same_attr,
		     "the rule that says this has another comment");
		return NULL;
	}
	return node;
}

/**
 * utf8guard_draft_del() - delete a rule
 * @draft: the draft
 * @change: which one: by its handle, or by a rule that equals it
 *
 * Context: the ruleset is locked; may sleep.
 * Return: 0; -ENOENT where there is no such rule; -EPERM for the rule that is always there. On
 * error nothing has changed.
 */
int utf8guard_draft_del(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	struct utf8guard_node *node = change->rule ? find_equal(draft, change) :
						     find_changed(draft, change);

	if (!node)
		return -ENOENT;
	change->handle = node->rule->handle;
	if (is_fixed(draft, node)) {
		NL_SET_ERR_MSG_ATTR(change->extack, change->handle_attr,
				    "the default rule cannot be deleted, only changed");
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
			flush_node(draft, node);
	draft->is_flushed = true;
	draft->changes++;
	return 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_draft_flush, "UTF8GUARD");
