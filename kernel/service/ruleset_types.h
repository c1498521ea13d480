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
struct utf8guard_counts;
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
 * @net: the network namespace whose sockets may change the rules, and whose listeners are told
 * @lock: guards all that follows, and the drafts. Closing a socket with a transaction takes
 *	it, so nothing that is done under it may wait for user space
 * @policy: in force; never NULL between init and exit
 * @before: the policy that comes back unless @policy is confirmed, or NULL
 * @timeout: the work that brings @before back
 * @deadline: when it does, in jiffies
 * @reverted: the last transaction that was committed was reverted, and no rule changed since
 * @drafts: struct utf8guard_draft of each open transaction
 * @open: number of open transactions
 * @release: the work that forgets those of sockets that were closed
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
	bool reverted;
	struct list_head drafts;
	u32 open;
	struct work_struct release;
	u32 last_handle;
	bool locked;
	struct utf8guard_config records[UTF8GUARD_MAX_RECORDS];
	u32 record_count;
};

/**
 * struct utf8guard_ruleset_attrs - the numbers, in one family, of attributes that all have
 * @generation: in status
 * @rules: in status
 * @locked: in status
 * @confirm: in status
 * @action: in status
 * @added: in status
 * @replaced: in status
 * @deleted: in status
 * @change: in status
 * @kind: in change
 * @rule: in change
 * @handle: in rule
 * @rule_generation: in rule
 * @comment: in rule
 * @exist: in rule
 * @within: in rule
 */
struct utf8guard_ruleset_attrs {
	int generation, rules, locked, confirm;
	int action, added, replaced, deleted, change;
	int kind, rule;
	int handle, rule_generation, comment, exist, within;
};

/* The values of @attrs and of what follows it in struct utf8guard_ruleset_type, by FS or NF. */
#define UTF8GUARD_RULESET_NUMBERS(FAMILY)					\
	.attrs = {								\
		.generation = UTF8GUARD_##FAMILY##_A_STATUS_GENERATION,		\
		.rules = UTF8GUARD_##FAMILY##_A_STATUS_RULES,			\
		.locked = UTF8GUARD_##FAMILY##_A_STATUS_LOCKED,			\
		.confirm = UTF8GUARD_##FAMILY##_A_STATUS_CONFIRM,		\
		.action = UTF8GUARD_##FAMILY##_A_STATUS_ACTION,			\
		.added = UTF8GUARD_##FAMILY##_A_STATUS_ADDED,			\
		.replaced = UTF8GUARD_##FAMILY##_A_STATUS_REPLACED,		\
		.deleted = UTF8GUARD_##FAMILY##_A_STATUS_DELETED,		\
		.change = UTF8GUARD_##FAMILY##_A_STATUS_CHANGE,			\
		.kind = UTF8GUARD_##FAMILY##_A_CHANGE_KIND,			\
		.rule = UTF8GUARD_##FAMILY##_A_CHANGE_RULE,			\
		.handle = UTF8GUARD_##FAMILY##_A_RULE_HANDLE,			\
		.rule_generation = UTF8GUARD_##FAMILY##_A_RULE_GENERATION,	\
		.comment = UTF8GUARD_##FAMILY##_A_RULE_COMMENT,			\
		.exist = UTF8GUARD_##FAMILY##_A_RULE_EXIST,			\
		.within = UTF8GUARD_##FAMILY##_A_RULE_WITHIN,			\
	},									\
	.get_command = UTF8GUARD_##FAMILY##_CMD_RULE_GET,			\
	.changed_command = UTF8GUARD_##FAMILY##_CMD_CHANGED,			\
	.changed_group = UTF8GUARD_##FAMILY##_NLGRP_CONFIG

/**
 * struct utf8guard_ruleset_type - what the rules of one family have of their own
 * @name: name of the family in the audit log
 * @owner: the module, which a lock keeps loaded
 * @family: its netlink operations
 * @attrs: numbers of its attributes
 * @get_command: the command of replies that describe a rule
 * @changed_command: the command of the event that tells of a change
 * @changed_group: the multicast group of that event
 * @max: the largest number of rules
 * @fixed: the first rule is always there: it can be replaced, not deleted
 * @taken: message to the user where a rule is to be added and another one is the same
 * @unlike: message where a rule is to be deleted, and the one that is the same does something
 *	else
 * @same: are two rules for the same location or packets, so that only one of them may exist?
 *	Called where their keys are equal
 * @equal: do two rules that are the same also do the same? Ignores comments and counters
 * @same_words: do two equal rules call their locations by the same paths? Optional
 * @gone: is the subject of the rule gone? Then the next policy leaves the rule out. Optional
 * @put: adds to a message the attributes that only this family has
 * @counts: the refusals of a rule by class
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
	const char *taken, *unlike;
	bool (*same)(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
	bool (*equal)(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
	bool (*same_words)(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
	bool (*gone)(const struct utf8guard_rule *rule);
	int (*put)(struct sk_buff *skb, const struct utf8guard_rule *rule);
	const struct utf8guard_counts *(*counts)(const struct utf8guard_rule *rule);
	void (*reset)(struct utf8guard_rule *rule);
	void (*free)(struct utf8guard_rule *rule);
	int (*prepare)(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
		       struct netlink_ext_ack *extack);
	void (*settle)(struct utf8guard_ruleset *ruleset,
		       const struct utf8guard_policy *policy);
	void (*release)(struct utf8guard_policy *policy);
};

/* Why a request that has to be in a transaction is refused (utf8guard_change.in_draft). */
#define UTF8GUARD_LATE "no transaction, and not the first request of a datagram"

struct utf8guard_draft;

/**
 * struct utf8guard_change - one change of the rules, to a draft or in force at once
 * @action: what the audit log calls it
 * @make: makes the change to a draft, or nothing of it: utf8guard_draft_add() and so on
 * @handle: the rule to be changed; set where @rule finds that, and by utf8guard_draft_add()
 * @rule: the rule to add; or the one that takes the place of the rule @handle; or one that
 *	equals the rule to be deleted. Afterwards, the rule that is in the draft
 * @before: handle of the rule before which @rule is added; 0 to add it before all rules
 * @placed: @before is given
 * @may_exist: do not add @rule if there is one that equals it, wherever that is
 * @existed: set if there was one
 * @in_draft: made in a transaction only
 * @always: allowed while rules are locked, and never part of a transaction: it does not change
 *	what rules say
 * @generation: set to the generation of the rules after the change; in a transaction, to the
 *	one that it began with
 * @handle_attr: the attribute to blame where no rule has @handle
 * @before_attr: the attribute to blame where no rule has the handle @before
 * @same_attr: the attribute to blame where another rule is the same as @rule
 * @extack: set to why the change fails
 */
struct utf8guard_change {
	const char *action;
	int (*make)(struct utf8guard_draft *draft, struct utf8guard_change *change);
	u32 handle;
	struct utf8guard_rule *rule;
	u32 before;
	bool placed, in_draft, always, may_exist, existed;
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
