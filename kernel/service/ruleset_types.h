/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules that are changed by transactions: what the name check and the payload
 * check have in common.
 *
 *	ruleset --> policy		what hooks see, immutable
 *	   |    --> before		what comes back unless the policy is confirmed
 *	   +------> draft, draft...	one for each transaction
 *
 * Every change, be it one rule or a transaction, makes a draft of the policy,
 * changes that, and builds the next policy of it.
 */
#ifndef _UTF8GUARD_RULESET_TYPES_H
#define _UTF8GUARD_RULESET_TYPES_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "report.h"

struct genl_family;
struct genl_info;
struct module;
struct net;
struct netlink_callback;
struct netlink_ext_ack;
struct nlattr;
struct sk_buff;
struct sock;
struct utf8guard_ruleset_type;

/* Transactions that may be open at once on the rules of a namespace. */
#define UTF8GUARD_MAX_TRANSACTIONS 16

/**
 * struct utf8guard_rule - a rule; the first member of a family's own
 * @ref: one for each policy and each draft that has it
 * @handle: its number; a replacement has that of the rule before it
 * @key: hash of the members in which no two rules may be the same; see @same of
 *	struct utf8guard_ruleset_type
 * @comment: the administrator's own words, or NULL
 */
struct utf8guard_rule {
	refcount_t ref;
	u32 handle;
	u32 key;
	const char *comment;
};

/**
 * struct utf8guard_policy - all rules as hooks see them; immutable
 * @retirement: the work that frees it after the last reader
 * @type: of the rules
 * @generation: number of changes before it; each policy of a ruleset has another one
 * @count: number of rules
 * @index: the family's own index of the rules, made by its prepare()
 * @rules: the rules, in order
 */
struct utf8guard_policy {
	struct rcu_work retirement;
	const struct utf8guard_ruleset_type *type;
	u32 generation;
	u32 count;
	void *index;
	struct utf8guard_rule *rules[];
};

/* Changes that are noted under one lock, at most: a revert, and then rules that are left out. */
#define UTF8GUARD_MAX_RECORDS 2

/**
 * struct utf8guard_ruleset - the rules of the host, or of a network namespace
 * @type: of the rules
 * @net: the network namespace whose sockets may ask, and whose group config is told
 * @lock: guards all that follows, and the drafts. Closing a socket with a transaction takes
 *	it, so nothing that is done under it may wait for user space
 * @policy: in force; never NULL between init and exit
 * @before: the policy that comes back unless @policy is confirmed, or NULL
 * @timeout: the work that brings @before back
 * @deadline: when it does, in jiffies
 * @drafts: struct utf8guard_draft of each open transaction
 * @open: number of open transactions
 * @last_handle: the handle that was given to a rule last
 * @locked: the rules cannot be changed until the next boot
 * @records: changes made under @lock, to be written to the audit log
 * @record_count: how many of @records there are
 */
struct utf8guard_ruleset {
	const struct utf8guard_ruleset_type *type;
	struct net *net;
	struct mutex lock; /* see above */
	struct utf8guard_policy __rcu *policy;
	struct utf8guard_policy *before;
	struct delayed_work timeout;
	unsigned long deadline;
	struct list_head drafts;
	u32 open;
	u32 last_handle;
	bool locked;
	struct utf8guard_config records[UTF8GUARD_MAX_RECORDS];
	u32 record_count;
};

/**
 * struct utf8guard_ruleset_attrs - a family's types of the attributes that all families have
 * @generation: in status
 * @rules: in status
 * @locked: in status
 * @confirm: in status
 * @handle: in rule
 * @rule_generation: in rule
 * @comment: in rule
 */
struct utf8guard_ruleset_attrs {
	int generation, rules, locked, confirm;
	int handle, rule_generation, comment;
};

/**
 * struct utf8guard_ruleset_type - what the rules of one family have of their own
 * @name: name of the family in the audit log
 * @owner: its module, which locked rules keep loaded
 * @family: its netlink family
 * @attrs: its types of attributes
 * @get_command: command of the replies that describe a rule
 * @changed_command: command of the event that tells of a change
 * @changed_group: multicast group of that event
 * @max: rules that there may be
 * @fixed: the first rule is always there: it can be replaced, and not deleted
 * @taken: the message for users where another rule is the same
 * @same: may only one of the two rules be there? Called where their keys are the same
 * @gone: is what the rule is for gone for good? Then the next policy leaves it out. Optional
 * @put: adds the family's own attributes of a rule to a message. Returns 0 or -EMSGSIZE
 * @reset: sets the counters of a rule to zero
 * @free: frees a rule, after its comment was freed. May sleep
 * @prepare: makes all that hooks need of a policy before it is put in force: its index, hooks,
 *	connection tracking. Returns 0 or an error. May sleep; the lock is held
 * @settle: gives back what policies before this one needed, and this one does not. Optional
 * @release: frees the index of a policy, if it has one. Optional
 */
struct utf8guard_ruleset_type {
	const char *name;
	struct module *owner;
	struct genl_family *family;
	struct utf8guard_ruleset_attrs attrs;
	u8 get_command, changed_command;
	unsigned int changed_group;
	u32 max;
	bool fixed;
	const char *taken;
	bool (*same)(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
	bool (*gone)(const struct utf8guard_rule *rule);
	int (*put)(struct sk_buff *skb, const struct utf8guard_rule *rule);
	void (*reset)(struct utf8guard_rule *rule);
	void (*free)(struct utf8guard_rule *rule);
	int (*prepare)(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
		       struct netlink_ext_ack *extack);
	void (*settle)(struct utf8guard_ruleset *ruleset,
		       const struct utf8guard_policy *policy);
	void (*release)(struct utf8guard_policy *policy);
};

struct utf8guard_draft;

/**
 * struct utf8guard_change - one change of the rules, in a draft or at once
 * @action: what it is called in the audit log
 * @make: makes the change to a draft, wholly or not at all: utf8guard_draft_add() and so on
 * @handle: of the rule that is changed; utf8guard_draft_add() sets it
 * @rule: the rule to add, or to put in the place of that rule
 * @before: handle of the rule before which @rule is added; 0 for before all rules
 * @placed: @before is given
 * @always: made even if the rules are locked, and at once, not in a transaction: what the rules
 *	say stays the same
 * @generation: set to that of the rules after the change; in a transaction, to that of the
 *	rules with which it began
 * @handle_attr: the attribute that is blamed where there is no rule @handle
 * @before_attr: the one that is blamed where there is no rule @before
 * @same_attr: the one that is blamed where another rule is the same
 * @extack: set to why the change fails
 */
struct utf8guard_change {
	const char *action;
	int (*make)(struct utf8guard_draft *draft, struct utf8guard_change *change);
	u32 handle;
	struct utf8guard_rule *rule;
	u32 before;
	bool placed, always;
	u32 generation;
	const struct nlattr *handle_attr, *before_attr, *same_attr;
	struct netlink_ext_ack *extack;
};

/* The policy in force, for one who holds the lock. */
static inline struct utf8guard_policy *
utf8guard_ruleset_policy(const struct utf8guard_ruleset *ruleset)
{
	return rcu_dereference_protected(ruleset->policy, lockdep_is_held(&ruleset->lock));
}

#endif /* _UTF8GUARD_RULESET_TYPES_H */
