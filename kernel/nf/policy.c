// SPDX-License-Identifier: GPL-2.0
/* The type of the rules for packets, for kernel/service: how a policy is prepared and released. */
#include <linux/module.h>
#include <linux/random.h>
#include <net/netlink.h>

#include "../service/counts.h"
#include "../service/notice.h"
#include "../service/ruleset_types.h"
#include "hook.h"
#include "net.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "policy.h"
#include "rule/counters.h"
#include "rule/index.h"
#include "rule/rule.h"
#include "rule/rule_types.h"
#include "tcp/flow.h"

static const struct ugnf_fields *fields_of(const void *policy, u32 position)
{
	const struct utf8guard_policy *mine = policy;

	return &ugnf_rule_of(mine->rules[position])->match.fields;
}

static int check_entries(const struct utf8guard_policy *policy, struct netlink_ext_ack *extack)
{
	u32 i, left = UGNF_MAX_ENTRIES;

	for (i = 0; i < policy->count; i++) {
		u32 some = ugnf_index_entries(fields_of(policy, i));

		if (some > left) {
			NL_SET_ERR_MSG(extack,
				       "the index of these rules would have more than 262144 entries");
			return -E2BIG;
		}
		left -= some;
	}
	return 0;
}

static struct ugnf_index *index_of(const struct utf8guard_policy *policy)
{
	const struct ugnf_index_rules rules = {
		.rules = policy,
		.count = policy->count,
		.fields = fields_of,
	};

	return ugnf_index_new(&rules, get_random_u64());
}

static int check_alike(const struct net *net, const struct ugnf_index *index,
		       struct netlink_ext_ack *extack)
{
	if (net_eq(net, &init_net) || ugnf_index_longest(index) <= UGNF_MAX_ALIKE)
		return 0;
	NL_SET_ERR_MSG(extack,
		       "in this network namespace, more than 4096 rules could be tried one by one for a packet");
	return -E2BIG;
}

static void release(struct utf8guard_policy *policy)
{
	ugnf_index_free(policy->index);
}

static int prepare(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
		   struct netlink_ext_ack *extack)
{
	struct ugnf_net *mine = ugnf_net_of(ruleset->net);
	unsigned long had = mine->hooks;
	bool tracked = mine->tracks;
	int err = check_entries(next, extack);

	/* Without rules, nothing is needed: most namespaces never have one. */
	if (err || !next->count)
		return err;
	next->index = index_of(next);
	if (!next->index)
		return -ENOMEM;
	err = check_alike(ruleset->net, next->index, extack);
	if (err)
		return err;
	/* Until the rules are in force, the hooks still ask the old ones. */
	err = ugnf_hooks_add(ruleset->net, next);
	if (err) {
		NL_SET_ERR_MSG(extack, "cannot register the netfilter hook");
		return err;
	}
	err = ugnf_flows_add(&mine->flows, ruleset->net, ugnf_hooks_of_streams(next));
	if (err) {
		NL_SET_ERR_MSG(extack, "cannot turn on connection tracking");
		ugnf_hooks_undo(ruleset->net, had, tracked);
	}
	return err;
}

static void settle(struct utf8guard_ruleset *ruleset, const struct utf8guard_policy *policy)
{
	ugnf_hooks_trim(ruleset->net, policy);
	ugnf_flows_trim(&ugnf_net_of(ruleset->net)->flows, ruleset->net,
			ugnf_hooks_of_streams(policy));
}

static const struct utf8guard_counts *counts_of(const struct utf8guard_rule *rule)
{
	return &ugnf_rule_of(rule)->counts;
}

static void reset(struct utf8guard_rule *rule)
{
	struct ugnf_rule *mine = ugnf_rule_of(rule);

	ugnf_counters_reset(&mine->counters);
	utf8guard_counts_reset(&mine->counts);
}

/* One number for both families, in kernel/service/notice.h. */
UTF8GUARD_ASSERT_NOTICE_KINDS(NF);

const struct utf8guard_ruleset_type ugnf_ruleset_type = {
	.name = "nf",
	.owner = THIS_MODULE,
	.family = &utf8guard_nf_nl_family,
	UTF8GUARD_RULESET_NUMBERS(NF),
	.max = UGNF_MAX_RULES,
	.taken = "a rule for the same packets exists already",
	.unlike = "the rule for these packets says something else",
	.same = ugnf_rule_same,
	.equal = ugnf_rule_equal,
	.put = ugnf_netlink_put_rule,
	.counts = counts_of,
	.reset = reset,
	.free = ugnf_rule_free,
	.prepare = prepare,
	.settle = settle,
	.release = release,
};
