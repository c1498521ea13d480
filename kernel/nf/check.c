// SPDX-License-Identifier: GPL-2.0
/* The decision on one packet. */
#include <linux/export.h>
#include <linux/netfilter.h>
#include <linux/rcupdate.h>
#include <net/net_namespace.h>

#include "nf.h"

static const char *const hook_names[] = {
	[UTF8GUARD_NF_HOOK_INPUT] = "input",
	[UTF8GUARD_NF_HOOK_FORWARD] = "forward",
	[UTF8GUARD_NF_HOOK_OUTPUT] = "output",
};

static struct nf_rule *first_rule(const struct utf8guard_policy *policy, u8 hook,
				  const struct nf_packet *packet)
{
	u32 i;

	for (i = 0; i < policy->count; i++) {
		struct nf_rule *rule = nf_rule_of(policy->rules[i]);

		if (rule->hook == hook && nf_rule_fits(rule, packet))
			return rule;
	}
	return NULL;
}

/**
 * utf8guard_nf_report() - tell of a packet dropped or audited
 * @net: its network namespace
 * @packet: as parsed
 * @refusal: what and why
 *
 * Context: a netfilter hook; does not sleep.
 */
void utf8guard_nf_report(struct net *net, const struct nf_packet *packet,
			 const struct utf8guard_refusal *refusal)
{
	struct utf8guard_flow flow = {
		.net = net,
		.saddr = packet->saddr,
		.daddr = packet->daddr,
		.addr_len = packet->family == AF_INET ? 4 : 16,
		.sport = packet->sport,
		.dport = packet->dport,
		.protocol = packet->protocol,
		.length = packet->len,
	};

	utf8guard_report_packet(refusal, &flow);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_report, UTF8GUARD);

static unsigned int act(struct net *net, struct nf_rule *rule,
			const struct nf_packet *packet, struct utf8guard_refusal *refusal)
{
	bool drop = rule->action == UTF8GUARD_NF_ACTION_DROP;

	refusal->op = hook_names[rule->hook];
	refusal->outcome = drop ? UTF8GUARD_OUTCOME_REFUSED : UTF8GUARD_OUTCOME_AUDITED;
	refusal->rule = rule->rule.handle;
	utf8guard_counts_add(&rule->counts, refusal->error.class, refusal->outcome);
	if (rule->action != UTF8GUARD_NF_ACTION_COUNT)
		utf8guard_nf_report(net, packet, refusal);
	return drop ? NF_DROP : NF_ACCEPT;
}

/**
 * nf_check() - may this packet go on?
 * @net: its network namespace
 * @hook: enum utf8guard_nf_hook
 * @packet: as parsed
 *
 * The first rule that fits decides, and the payload is read once at most.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep.
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int nf_check(struct net *net, u8 hook, struct nf_packet *packet)
{
	const struct utf8guard_policy *policy;
	struct utf8guard_refusal refusal = {};
	enum nf_verdict verdict;
	struct nf_rule *rule;

	policy = rcu_dereference(nf_net_of(net)->ruleset.policy);
	rule = first_rule(policy, hook, packet);
	if (!rule)
		return NF_ACCEPT;
	verdict = nf_payload_judge(packet, &refusal);
	nf_traffic_count(rule, packet->len, verdict);
	if (verdict != NF_ILL_FORMED)
		return NF_ACCEPT;
	return act(net, rule, packet, &refusal);
}
