// SPDX-License-Identifier: GPL-2.0
/*
 * The netlink family utf8guard_nf: state and rules of the payload check. For every operation but
 * lock, genetlink has checked the privilege in the caller's network namespace
 * (GENL_UNS_ADMIN_PERM).
 */
#include <linux/sched/signal.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "../service/counts.h"
#include "../service/draft.h"
#include "../service/reply.h"
#include "../service/ruleset.h"
#include "../service/ruleset_dump.h"
#include "../service/ruleset_netlink.h"
#include "../service/ruleset_types.h"
#include "../service/transaction.h"
#include "admission.h"
#include "net.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "rule/action.h"
#include "rule/constraint.h"
#include "rule/counters.h"
#include "rule/match.h"
#include "rule/outcome.h"
#include "rule/rule.h"
#include "rule/rule_stream.h"
#include "rule/rule_types.h"
#include "tcp/memory.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

static int put_long(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, UTF8GUARD_NF_A_STATUS_PAD);
}

static struct utf8guard_ruleset *ruleset_of(struct genl_info *info)
{
	return &ugnf_net_of(genl_info_net(info))->ruleset;
}

static int put_copies(struct sk_buff *skb, const struct ugnf_memory *memory)
{
	if (put_long(skb, UTF8GUARD_NF_A_STATUS_COPIES, ugnf_memory_octets(memory)) ||
	    put_long(skb, UTF8GUARD_NF_A_STATUS_COPIES_MAX, ugnf_memory_limit()) ||
	    put_long(skb, UTF8GUARD_NF_A_STATUS_COPIES_REFUSED,
		     atomic64_read(&memory->refused)) ||
	    put_long(skb, UTF8GUARD_NF_A_STATUS_COPIES_GIVEN_UP,
		     atomic64_read(&memory->given_up)))
		return -EMSGSIZE;
	return 0;
}

#define UNRULED_ATTR(name, attribute) \
	[UGNF_UNRULED_##name] = UTF8GUARD_NF_A_STATUS_##attribute,

static int put_unruled(struct sk_buff *skb, const struct ugnf_counters *unruled)
{
	static const int attrs[] = { UGNF_UNRULED_REASONS(UNRULED_ATTR) };
	struct ugnf_counters_sum sum;
	u32 i;

	utf8guard_nf_counters_sum(unruled, &sum);
	for (i = 0; i < UGNF_UNRULED_COUNT; i++)
		if (put_long(skb, attrs[i], sum.count[i]))
			return -EMSGSIZE;
	return 0;
}

/* @attr: of the nest, in a rule or in the status. */
static int put_counts(struct sk_buff *skb, const struct utf8guard_counts *counts, int attr)
{
	const struct utf8guard_count_attrs attrs = {
		.count = attr,
		.class = UTF8GUARD_NF_A_COUNT_CLASS,
		.refused = UTF8GUARD_NF_A_COUNT_REFUSED,
		.audited = UTF8GUARD_NF_A_COUNT_AUDITED,
		.pad = UTF8GUARD_NF_A_COUNT_PAD,
	};

	return utf8guard_counts_put(skb, counts, &attrs);
}

static int put_status(struct sk_buff *skb, const void *data)
{
	struct utf8guard_ruleset *ruleset = (struct utf8guard_ruleset *)data;
	const struct ugnf_net *mine = container_of(ruleset, struct ugnf_net, ruleset);

	return utf8guard_ruleset_put_status(skb, ruleset) ?:
	       nla_put_u32(skb, UTF8GUARD_NF_A_STATUS_FLOWS, atomic_read(&mine->flows.count)) ?:
	       put_copies(skb, &mine->flows.memory) ?: put_unruled(skb, &mine->unruled) ?:
	       put_counts(skb, &mine->counts, UTF8GUARD_NF_A_STATUS_COUNT);
}

int utf8guard_nf_nl_status_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_reply(info, &utf8guard_nf_nl_family, put_status, ruleset_of(info));
}

int utf8guard_nf_nl_status_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct ugnf_net *mine = ugnf_net_of(genl_info_net(info));
	struct ugnf_memory *memory = &mine->flows.memory;

	utf8guard_ruleset_status_reset(&mine->ruleset);
	ugnf_counters_reset(&mine->unruled);
	utf8guard_counts_reset(&mine->counts);
	atomic64_set(&memory->refused, 0);
	atomic64_set(&memory->given_up, 0);
	return 0;
}

#define REASON_ATTR(name, attribute) \
	[UGNF_REASON_##name] = ATTR(attribute),

/* Each reason has an attribute; but ill-formed payload is counted by its class. */
static int put_reasons(struct sk_buff *skb, const struct ugnf_counters_sum *sum, u32 from, u32 to)
{
	static const int attrs[] = {
		UGNF_PACKET_REASONS(REASON_ATTR)
		UGNF_STREAM_REASONS(REASON_ATTR)
	};
	u32 i;

	for (i = from; i < to; i++)
		if (attrs[i] != ATTR(COUNT) &&
		    nla_put_u64_64bit(skb, attrs[i], sum->count[i], ATTR(PAD)))
			return -EMSGSIZE;
	return 0;
}

static int put_traffic(struct sk_buff *skb, const struct ugnf_counters_sum *sum)
{
	return put_reasons(skb, sum, 0, UGNF_PACKET_REASON_COUNT) ?:
	       nla_put_u64_64bit(skb, ATTR(OCTETS), sum->octets, ATTR(PAD));
}

static int put_stream(struct sk_buff *skb, const struct ugnf_rule *rule,
		      const struct ugnf_counters_sum *sum)
{
	if (!rule->streams)
		return 0;
	return ugnf_streams_put(rule, skb) ?:
	       put_reasons(skb, sum, UGNF_PACKET_REASON_COUNT, UGNF_REASON_COUNT);
}

/* Puts the attributes that only rules of the payload check have. */
int ugnf_netlink_put_rule(struct sk_buff *skb, const struct utf8guard_rule *rule)
{
	const struct ugnf_rule *mine = ugnf_rule_of(rule);
	struct ugnf_counters_sum sum;

	utf8guard_nf_counters_sum(&mine->counters, &sum);
	if (ugnf_match_put(&mine->match, skb) || ugnf_constraint_put(&mine->constraint, skb) ||
	    ugnf_action_put(&mine->action, skb) || put_traffic(skb, &sum) ||
	    put_stream(skb, mine, &sum))
		return -EMSGSIZE;
	return put_counts(skb, &mine->counts, ATTR(COUNT));
}

static bool is_later(const struct sk_buff *skb, struct genl_info *info)
{
	return ugnf_request_is_later(skb, info->nlhdr, genl_info_net(info));
}

int utf8guard_nf_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_ruleset_rule_get(ruleset_of(info), skb, info,
					  is_later(skb, info));
}

/* What all requests begin with: see admission.c. Whoever was killed is not served any further. */
static int admit(const struct net *net, bool is_late, atomic_t **slot,
		 struct netlink_ext_ack *extack)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	if (is_late) {
		NL_SET_ERR_MSG(extack, UTF8GUARD_LATE);
		return -EBUSY;
	}
	*slot = ugnf_request_begin(net);
	if (*slot)
		return 0;
	NL_SET_ERR_MSG(extack, "too many requests are being carried out, try again");
	return -EAGAIN;
}

/* The first message of the answer is made while the request is handled. */
static int begin_dump(struct sk_buff *skb, struct netlink_callback *cb, struct ugnf_net *mine,
		      struct net *net)
{
	bool is_late = ugnf_request_is_later(cb->skb, cb->nlh, net);
	atomic_t *slot;
	int err = admit(net, is_late, &slot, cb->extack);

	if (err)
		return err;
	cb->args[3] = true;
	err = utf8guard_ruleset_rule_dump(&mine->ruleset, skb, cb);
	ugnf_request_end(slot);
	return err;
}

/* The others are made when they are received. */
static int continue_dump(struct sk_buff *skb, struct netlink_callback *cb, struct ugnf_net *mine)
{
	int err;

	if (mutex_lock_killable(&mine->dumping))
		return -EINTR;
	err = utf8guard_ruleset_rule_dump(&mine->ruleset, skb, cb);
	mutex_unlock(&mine->dumping);
	return err;
}

int utf8guard_nf_nl_rule_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct net *net = sock_net(cb->skb->sk);
	struct ugnf_net *mine = ugnf_net_of(net);

	return cb->args[3] ? continue_dump(skb, cb, mine) : begin_dump(skb, cb, mine, net);
}

static int change_rule(struct sk_buff *skb, struct genl_info *info,
		       struct utf8guard_change *change)
{
	struct ugnf_rule *rule = ugnf_rule_parse(info, ruleset_of(info)->type);

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	change->rule = &rule->rule;
	change->in_draft = is_later(skb, info);
	return utf8guard_ruleset_rule_change(ruleset_of(info), skb, info, change);
}

int utf8guard_nf_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "rule-add",
		.make = utf8guard_draft_add,
		.may_exist = info->attrs[ATTR(EXIST)],
		.before_attr = info->attrs[ATTR(BEFORE)],
	};

	change.placed = change.before_attr;
	if (change.placed)
		change.before = nla_get_u32(change.before_attr);
	return change_rule(skb, info, &change);
}

int utf8guard_nf_nl_rule_replace_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "rule-replace",
		.make = utf8guard_draft_replace,
		.handle_attr = info->attrs[ATTR(HANDLE)],
	};

	if (!change.handle_attr) {
		NL_SET_ERR_MSG(info->extack, "the handle of a rule is missing");
		return -EINVAL;
	}
	change.handle = nla_get_u32(change.handle_attr);
	return change_rule(skb, info, &change);
}

int utf8guard_nf_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_ruleset *ruleset = ruleset_of(info);
	struct utf8guard_change change = {
		.in_draft = is_later(skb, info),
	};

	/* The request names the rule by its handle, or by what the rule says. */
	if (!info->attrs[ATTR(HANDLE)] && info->attrs[ATTR(HOOK)]) {
		struct ugnf_rule *rule = ugnf_rule_parse(info, ruleset->type);

		if (IS_ERR(rule))
			return PTR_ERR(rule);
		change.rule = &rule->rule;
	} else if (info->attrs[ATTR(HOOK)]) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ATTR(HANDLE)],
				    "give the handle of the rule or what it says, not both");
		return -EINVAL;
	}
	return utf8guard_ruleset_rule_del(ruleset, skb, info, &change);
}

int utf8guard_nf_nl_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_change change = {
		.action = "flush",
		.make = utf8guard_draft_flush,
		.in_draft = is_later(skb, info),
		.extack = info->extack,
	};

	return utf8guard_ruleset_change(ruleset_of(info), NETLINK_CB(skb).sk, &change);
}

int utf8guard_nf_nl_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_ruleset_begin(ruleset_of(info), skb, info);
}

int utf8guard_nf_nl_commit_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_ruleset_commit(ruleset_of(info), skb, info);
}

int utf8guard_nf_nl_abort_doit(struct sk_buff *skb, struct genl_info *info)
{
	utf8guard_ruleset_abort(ruleset_of(info), NETLINK_CB(skb).sk);
	return 0;
}

int utf8guard_nf_nl_confirm_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_ruleset_confirm(ruleset_of(info), info->extack);
}

int utf8guard_nf_nl_revert_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_ruleset_revert(ruleset_of(info), info->extack);
}

/*
 * GENL_ADMIN_PERM: only the initial user namespace may lock, for a lock keeps the module loaded. It
 * needs the same as the lock of the rules for names.
 */
int utf8guard_nf_nl_lock_doit(struct sk_buff *skb, struct genl_info *info)
{
	if (!netlink_capable(skb, CAP_MAC_ADMIN)) {
		NL_SET_ERR_MSG(info->extack, "a lock needs CAP_MAC_ADMIN");
		return -EPERM;
	}
	return utf8guard_ruleset_lock(ruleset_of(info), info->extack);
}

static const struct genl_multicast_group groups[] = {
	[UTF8GUARD_NF_NLGRP_CONFIG] = {
		.name = UTF8GUARD_NF_MCGRP_CONFIG,
		.flags = GENL_MCAST_CAP_NET_ADMIN,
	},
};

/* A datagram may have many of those. Changes without a transaction are refused when made. */
static bool may_be_later(u8 command)
{
	switch (command) {
	case UTF8GUARD_NF_CMD_STATUS_GET:
	case UTF8GUARD_NF_CMD_RULE_GET:
	case UTF8GUARD_NF_CMD_RULE_ADD:
	case UTF8GUARD_NF_CMD_RULE_REPLACE:
	case UTF8GUARD_NF_CMD_RULE_DEL:
	case UTF8GUARD_NF_CMD_FLUSH:
		return true;
	default:
		return false;
	}
}

static int before_request(utf8guard_genl_op *op, struct sk_buff *skb, struct genl_info *info)
{
	struct net *net = genl_info_net(info);
	bool is_late = is_later(skb, info) && !may_be_later(op->cmd);

	if (ugnf_datagram_is_over(skb, net)) {
		NL_SET_ERR_MSG(info->extack, "the requests before it took too long, try again");
		return -EAGAIN;
	}
	return admit(net, is_late, (atomic_t **)&info->user_ptr[0], info->extack);
}

static void after_request(utf8guard_genl_op *op, struct sk_buff *skb, struct genl_info *info)
{
	ugnf_request_end(info->user_ptr[0]);
}

struct genl_family utf8guard_nf_nl_family __ro_after_init = {
	.name = UTF8GUARD_NF_FAMILY_NAME,
	.version = UTF8GUARD_NF_FAMILY_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.pre_doit = before_request,
	.post_doit = after_request,
	.module = THIS_MODULE,
	.ops = utf8guard_nf_nl_ops,
	.n_ops = ARRAY_SIZE(utf8guard_nf_nl_ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
