// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of a policy by location, so that the cost of a new name does not grow with their
 * number: makes an index of them. index_types.h tells of what it consists.
 */
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../../service/ruleset_types.h"
#include "arena.h"
#include "index.h"
#include "index_hash.h"
#include "location.h"
#include "rule.h"
#include "subject.h"

/* Frees an index that no walk uses any more, or NULL. Context: process context. */
void ugfs_index_free(struct ugfs_index *index)
{
	if (!index)
		return;
	ugfs_arena_free(&index->arena);
	kvfree(index->spellings);
	kvfree(index->nodes);
	kfree(index);
}

static struct ugfs_index *index_alloc(u32 count)
{
	u8 bits = max(order_base_2(count), 1);
	struct ugfs_index *index = kzalloc(sizeof(*index), GFP_KERNEL_ACCOUNT);

	if (!index)
		return NULL;
	/* A power of two: one octet more would take twice the pages. */
	index->nodes = kvcalloc(2UL << bits, sizeof(*index->nodes), GFP_KERNEL_ACCOUNT);
	index->spellings = kvcalloc(1UL << bits, sizeof(*index->spellings), GFP_KERNEL_ACCOUNT);
	if (!index->nodes || !index->spellings) {
		ugfs_index_free(index);
		return NULL;
	}
	index->bits = bits;
	index->kinds = index->nodes + (1UL << bits);
	return index;
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
		if (ugfs_subject_same(&entry->rule->terms->subject, &rule->terms->subject))
			return true;
	return false;
}

static int check_room(const struct ugfs_slot *slot, const struct ugfs_rule *rule,
		      struct netlink_ext_ack *extack)
{
	if (slot->count == UGFS_MAX_RULES_OF_PLACE) {
		NL_SET_ERR_MSG(extack, "the same location has 64 rules already");
		return -E2BIG;
	}
	if (is_taken(slot, rule)) {
		NL_SET_ERR_MSG(extack,
			       "one of the locations has a rule for the same callers already");
		return -EEXIST;
	}
	return 0;
}

/*
 * What the rule demands at a location becomes part of what is demanded where nothing is known: at
 * a former location also of what is demanded by the kind that is asked before it.
 */
static void add_demands(struct ugfs_index *index, struct ugfs_kind *kind,
			const struct ugfs_rule *rule, const struct ugfs_location *location)
{
	struct ugfs_kind *before = kind->former ? ugfs_index_kind(index, location, false) : NULL;

	if (rule->mode == UTF8GUARD_FS_MODE_OFF)
		return;
	add_demand(&index->constraint, &rule->terms->constraint);
	if (location->scope != UTF8GUARD_FS_SCOPE_SUBTREE)
		return;
	add_beyond(kind, rule);
	if (before)
		add_beyond(before, rule);
}

static int index_add(struct ugfs_index *index, const struct ugfs_rule *rule,
		     const struct ugfs_location *location, bool former,
		     struct netlink_ext_ack *extack)
{
	struct ugfs_entry *entry = ugfs_arena_take(&index->arena, sizeof(*entry));
	struct ugfs_kind *kind = ugfs_index_add_kind(index, location, former);
	struct ugfs_slot *slot;
	int err;

	if (!entry || !kind)
		return -ENOMEM;
	slot = ugfs_index_add_slot(index, kind, location);
	if (!slot)
		return -ENOMEM;
	err = check_room(slot, rule, extack);
	if (err)
		return err;
	entry->rule = rule;
	insert(slot, entry);
	add_demands(index, kind, rule, location);
	return 0;
}

/* The locations of a rule, without those whose file system is unknown: no name is in them. */
static int index_add_all(struct ugfs_index *index, const struct ugfs_rule *rule,
			 struct netlink_ext_ack *extack)
{
	u32 i;
	int err = 0;

	for (i = 0; i < rule->count && !err; i++)
		if (!rule->locations[i]->unfound)
			err = index_add(index, rule, rule->locations[i], false, extack);
	return err;
}

/*
 * The former locations of a rule. If it is also one of another rule for the same callers, the one
 * that was added before decides there.
 */
static int index_add_former(struct ugfs_index *index, const struct ugfs_rule *rule)
{
	u32 i;
	int err = 0;

	for (i = rule->count; i < rule->count + rule->former && err != -ENOMEM; i++)
		err = index_add(index, rule, rule->locations[i], true, NULL);
	return err == -ENOMEM ? err : 0;
}

static int fill(struct ugfs_index *index, const struct utf8guard_policy *policy,
		struct netlink_ext_ack *extack)
{
	u32 i;
	int err = 0;

	for (i = 0; i < policy->count && !err; i++)
		err = index_add_all(index, ugfs_rule_of(policy->rules[i]), extack);
	for (i = 0; i < policy->count && !err; i++)
		err = index_add_former(index, ugfs_rule_of(policy->rules[i]));
	return err;
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
	u32 i, locations = 0, former = 0;
	struct ugfs_index *index;
	int err;

	for (i = 0; i < policy->count; i++) {
		locations += ugfs_rule_of(policy->rules[i])->count;
		former += ugfs_rule_of(policy->rules[i])->former;
	}
	if (locations > UGFS_MAX_RULES) {
		NL_SET_ERR_MSG(extack, "the rules have more than 65536 locations");
		return -E2BIG;
	}
	index = index_alloc(locations + former);
	if (!index)
		return -ENOMEM;
	err = fill(index, policy, extack);
	if (err) {
		ugfs_index_free(index);
		return err;
	}
	/* Only who adds to the index needs them. */
	kvfree(index->spellings);
	index->spellings = NULL;
	policy->index = index;
	return 0;
}

/*
 * The constraints of all rules of a policy that are not off, taken together. A name that meets
 * them meets the constraint of each rule, and need not be looked up in the index. Any context.
 */
const struct ugfs_constraint *ugfs_index_constraint(const struct ugfs_index *index)
{
	return &index->constraint;
}
