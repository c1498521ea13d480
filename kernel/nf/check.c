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
	bool drop = nf_rule_drops(rule);

	refusal->op = hook_names[rule->hook];
	refusal->outcome = drop ? UTF8GUARD_OUTCOME_REFUSED : UTF8GUARD_OUTCOME_AUDITED;
	refusal->rule = rule->rule.handle;
	utf8guard_counts_add(&rule->counts, refusal->error.class, refusal->outcome);
	if (rule->action != UTF8GUARD_NF_ACTION_COUNT)
		utf8guard_nf_report(net, packet, refusal);
	return drop ? NF_DROP : NF_ACCEPT;
}

/* Without a stream, a packet can be judged alone at least. */
static unsigned int judge_alone(struct net *net, struct nf_rule *rule,
				const struct nf_packet *packet)
{
	struct utf8guard_refusal refusal = {};
	enum nf_verdict verdict;

	if (!packet->len)
		return NF_ACCEPT;
	verdict = nf_payload_judge(packet, &refusal);
	nf_traffic_count(rule, packet->len, verdict);
	if (verdict == NF_ILL_FORMED)
		return act(net, rule, packet, &refusal);
	if (verdict == NF_UNREADABLE && rule->fail_closed && nf_rule_drops(rule))
		return NF_DROP;
	return NF_ACCEPT;
}

static unsigned int judge_stream(struct net *net, struct nf_rule *rule,
				 const struct nf_packet *packet)
{
	struct utf8guard_refusal refusal = {};
	enum nf_verdict verdict = nf_connection_judge(net, rule, packet, &refusal);

	if (verdict == NF_UNFOLLOWED && !rule->fail_closed)
		return judge_alone(net, rule, packet);
	if (packet->len)
		nf_traffic_count(rule, packet->len, verdict);
	switch (verdict) {
	case NF_ILL_FORMED:
		return act(net, rule, packet, &refusal);
	case NF_LOST:
		return NF_DROP;
	case NF_UNFOLLOWED:
		return nf_rule_drops(rule) ? NF_DROP : NF_ACCEPT;
	case NF_UNREADABLE:
		return rule->fail_closed && nf_rule_drops(rule) ? NF_DROP : NF_ACCEPT;
	default:
		return NF_ACCEPT;
	}
}

/* A beginning or an end that a rule for streams should know of. */
static bool is_border(const struct nf_packet *packet)
{
	return packet->is_segment && !packet->tcp.rst && (packet->tcp.syn || packet->tcp.fin);
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
	bool follows = packet->is_segment && nf_flows_wanted(&nf_net_of(net)->flows);
	const struct utf8guard_policy *policy;
	struct nf_rule *rule;

	if (follows)
		nf_connection_observe(net, packet);
	if (!packet->len && !(follows && is_border(packet)))
		return NF_ACCEPT;
	policy = rcu_dereference(nf_net_of(net)->ruleset.policy);
	rule = first_rule(policy, hook, packet);
	if (rule && rule->streams)
		return judge_stream(net, rule, packet);
	if (follows && packet->len)
		nf_connection_skip(net, hook, packet);
	return rule ? judge_alone(net, rule, packet) : NF_ACCEPT;
}
