// SPDX-License-Identifier: GPL-2.0
/*
 * What listeners to the group config are told of a change: what was done, how many
 * rules were added, replaced or deleted, and the first of these rules. It is one
 * message, whatever the number of rules. Where nobody listens, nothing is done.
 */
#include <linux/sizes.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "draft.h"
#include "family.h"
#include "notice.h"
#include "rule.h"

/* Rules that one message describes, at most. */
#define DESCRIBED 16
/* Room for one of the longest rules, and for several others. */
#define ROOM SZ_16K

/**
 * struct message - a message while it is written
 * @type: of the rules
 * @skb: so far
 * @generation: of the rules after the change
 * @described: number of rules in it
 * @full: a rule did not fit. None is described after it, for the rules must be the first ones
 * @counts: how many rules were changed, by enum utf8guard_notice_kind
 * @reserved: the place of each number in the message
 */
struct message {
	const struct utf8guard_ruleset_type *type;
	struct sk_buff *skb;
	u32 generation, described;
	bool full;
	u32 counts[UTF8GUARD_NOTICE_KINDS];
	struct nlattr *reserved[UTF8GUARD_NOTICE_KINDS];
};

static int put_change(const struct message *m, enum utf8guard_notice_kind kind,
		      const struct utf8guard_rule *rule)
{
	struct nlattr *nest = nla_nest_start(m->skb, m->type->attrs.rule);

	if (!nest || utf8guard_ruleset_put_rule(m->skb, m->type, rule, m->generation))
		return -EMSGSIZE;
	nla_nest_end(m->skb, nest);
	return nla_put_u32(m->skb, m->type->attrs.kind, kind);
}

static void describe(struct message *m, enum utf8guard_notice_kind kind,
		     const struct utf8guard_rule *rule)
{
	struct nlattr *nest;

	m->counts[kind]++;
	m->full |= m->described == DESCRIBED;
	if (m->full)
		return;
	nest = nla_nest_start(m->skb, m->type->attrs.change);
	if (!nest || put_change(m, kind, rule)) {
		nla_nest_cancel(m->skb, nest);
		m->full = true;
		return;
	}
	nla_nest_end(m->skb, nest);
	m->described++;
}

/* The draft was begun with the rules of @old, in the same order. */
static void describe_deleted(struct message *m, const struct utf8guard_policy *old,
			     const struct utf8guard_draft *draft)
{
	u32 i;

	for (i = 0; i < old->count; i++)
		if (utf8guard_draft_lost(&draft->copies[i]))
			describe(m, UTF8GUARD_NOTICE_DELETED, old->rules[i]);
}

/* @next has the rules of the draft, without those whose subject is gone. */
static void describe_others(struct message *m, const struct utf8guard_policy *old,
			    const struct utf8guard_policy *next,
			    const struct utf8guard_draft *draft)
{
	const struct utf8guard_node *node;
	u32 at = 0;

	list_for_each_entry(node, &draft->rules, order) {
		bool had = utf8guard_draft_had(draft, node);

		if (at == next->count || next->rules[at] != node->rule) {
			if (had)
				describe(m, UTF8GUARD_NOTICE_DELETED, node->rule);
			continue;
		}
		at++;
		if (!had)
			describe(m, UTF8GUARD_NOTICE_ADDED, node->rule);
		else if (node->rule != old->rules[node - draft->copies])
			describe(m, UTF8GUARD_NOTICE_REPLACED, node->rule);
	}
}

/* Makes room for the numbers before rules take all of it. */
static int reserve_counts(struct message *m)
{
	const struct utf8guard_ruleset_attrs *attrs = &m->type->attrs;
	const int types[] = { attrs->added, attrs->replaced, attrs->deleted };
	enum utf8guard_notice_kind kind;

	for (kind = 0; kind < UTF8GUARD_NOTICE_KINDS; kind++) {
		m->reserved[kind] = nla_reserve(m->skb, types[kind], sizeof(u32));
		if (!m->reserved[kind])
			return -EMSGSIZE;
	}
	return 0;
}

static int put_changes(struct message *m, const struct utf8guard_policy *old,
		       const struct utf8guard_policy *next,
		       const struct utf8guard_draft *draft)
{
	enum utf8guard_notice_kind kind;
	int err = reserve_counts(m);

	if (err)
		return err;
	describe_deleted(m, old, draft);
	describe_others(m, old, next, draft);
	for (kind = 0; kind < UTF8GUARD_NOTICE_KINDS; kind++)
		*(u32 *)nla_data(m->reserved[kind]) = m->counts[kind];
	return 0;
}

static int put_action(const struct message *m, const struct utf8guard_policy *policy,
		      const struct utf8guard_notice *notice)
{
	const struct utf8guard_ruleset_attrs *attrs = &m->type->attrs;

	if (nla_put_u32(m->skb, attrs->generation, policy->generation) ||
	    nla_put_u32(m->skb, attrs->rules, policy->count) ||
	    nla_put_string(m->skb, attrs->action, notice->action) ||
	    (notice->confirm && nla_put_u32(m->skb, attrs->confirm, notice->confirm)))
		return -EMSGSIZE;
	return 0;
}

static int fill_in(struct message *m, const struct utf8guard_policy *old,
		   const struct utf8guard_policy *next, const struct utf8guard_notice *notice)
{
	void *header = genlmsg_put(m->skb, 0, 0, m->type->family, 0, m->type->changed_command);
	int err;

	if (!header)
		return -EMSGSIZE;
	err = put_action(m, next, notice);
	if (!err && notice->draft)
		err = put_changes(m, old, next, notice->draft);
	if (!err)
		genlmsg_end(m->skb, header);
	return err;
}

/**
 * utf8guard_notice_of_swap() - write a message on a change of the rules
 * @ruleset: locked; the policy in force is the new one
 * @old: the one before, not freed yet
 * @notice: what was done; a draft in it was begun with @old
 *
 * Context: process context; may sleep.
 * Return: the message, for utf8guard_notice_send(); NULL where nobody listens, or
 * for want of memory.
 */
struct sk_buff *utf8guard_notice_of_swap(struct utf8guard_ruleset *ruleset,
					 const struct utf8guard_policy *old,
					 const struct utf8guard_notice *notice)
{
	const struct utf8guard_ruleset_type *type = ruleset->type;
	const struct utf8guard_policy *next = utf8guard_ruleset_policy(ruleset);
	struct message m = { .type = type, .generation = next->generation };

	if (!genl_has_listeners(type->family, ruleset->net, type->changed_group))
		return NULL;
	m.skb = genlmsg_new(notice->draft ? ROOM : GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!m.skb || !fill_in(&m, old, next, notice))
		return m.skb;
	nlmsg_free(m.skb);
	return NULL;
}

/**
 * utf8guard_notice_send() - send a message to whoever listens
 * @ruleset: whose rules
 * @message: from utf8guard_notice_of_swap(); NULL is fine
 *
 * Context: process context; may sleep.
 */
void utf8guard_notice_send(struct utf8guard_ruleset *ruleset, struct sk_buff *message)
{
	const struct utf8guard_ruleset_type *type = ruleset->type;

	if (message)
		utf8guard_family_tell(type->family, ruleset->net, message, type->changed_group,
				      GFP_KERNEL);
}

/**
 * utf8guard_notice_tell() - tell listeners of an action that changes no rule
 * @ruleset: locked
 * @action: what was done
 *
 * Context: process context; may sleep.
 */
void utf8guard_notice_tell(struct utf8guard_ruleset *ruleset, const char *action)
{
	const struct utf8guard_notice notice = { .action = action };

	utf8guard_notice_send(ruleset, utf8guard_notice_of_swap(ruleset, NULL, &notice));
}
