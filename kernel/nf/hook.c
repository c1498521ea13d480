// SPDX-License-Identifier: GPL-2.0
/*
 * The netfilter hooks. A hook is registered in a network namespace only while a rule there
 * needs it, so a host without rules pays nothing. The same is true for connection tracking
 * and defragmentation.
 */
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <net/net_namespace.h>
#include <net/netfilter/ipv4/nf_defrag_ipv4.h>
#include <net/netfilter/ipv6/nf_defrag_ipv6.h>
#include <net/netfilter/nf_conntrack.h>

#include "../service/ruleset_types.h"
#include "check.h"
#include "hook.h"
#include "net.h"
#include "packet/departure.h"
#include "packet/fragment.h"
#include "packet/packet.h"
#include "packet/shared_frags.h"
#include "rule/counters.h"
#include "rule/hook_bits.h"
#include "rule/outcome.h"
#include "rule/rule_types.h"
#include "tcp/flow.h"

/*
 * May a receiver read headers of a packet that could not be parsed? A checksum that is yet to be
 * written could be what they lack.
 */
static bool is_read_elsewhere(const struct sk_buff *skb, int ret)
{
	return ret == -EPERM || (ret < 0 && skb->ip_summed == CHECKSUM_PARTIAL);
}

/* ugnf_packet_parse(), after which the sender cannot change the headers any more */
static int parse(struct sk_buff *skb, u8 family, struct ugnf_packet *packet)
{
	int ret = ugnf_packet_parse(skb, family, packet);

	if (!ugnf_packet_has_open_headers(packet, ret))
		return ret;
	packet->had_open_headers = true;
	if (ugnf_copy_shared_frags(skb))
		return -EPERM;
	return ugnf_packet_parse(skb, family, packet);
}

static u8 family_of(const struct nf_hook_state *state)
{
	return state->pf == NFPROTO_IPV4 ? AF_INET : AF_INET6;
}

/*
 * Copies headers that their sender could change between connection tracking and the rules: each
 * would look at others, and early demultiplexing would make them look like the kernel's own. Nearly
 * all packets have no shared pages, and nothing more is asked of them.
 */
static unsigned int close_headers_hook(void *priv, struct sk_buff *skb,
				       const struct nf_hook_state *state)
{
	struct ugnf_packet packet __uninitialized;
	int ret;

	if (!ugnf_has_shared_frags(skb))
		return ugnf_outcome_to_come();
	ret = ugnf_packet_parse(skb, family_of(state), &packet);
	if (!ugnf_packet_has_open_headers(&packet, ret) || !ugnf_copy_shared_frags(skb))
		return ugnf_outcome_to_come();
	return ugnf_outcome_verdict(ugnf_hold_unruled(&ugnf_net_of(state->net)->unruled, false,
						      UGNF_UNRULED(UNPARSED)));
}

/* The way of a packet from the hook to the rules; see kernel/README.md. */
static struct ugnf_outcome inspect(struct sk_buff *skb, const struct nf_hook_state *state)
{
	static const u8 hooks[] = {
		[NF_INET_LOCAL_IN] = UTF8GUARD_NF_HOOK_INPUT,
		[NF_INET_FORWARD] = UTF8GUARD_NF_HOOK_FORWARD,
		[NF_INET_LOCAL_OUT] = UTF8GUARD_NF_HOOK_OUTPUT,
	};
	struct ugnf_counters *unruled = &ugnf_net_of(state->net)->unruled;
	u8 family = family_of(state);
	/* Every packet comes here. Parsing sets all members that are read, so clear none. */
	struct ugnf_packet packet __uninitialized;
	int ret;

	if (state->hook == NF_INET_FORWARD && ugnf_flows_wanted(&ugnf_net_of(state->net)->flows))
		ugnf_departure_limit_forwarded(skb);
	packet.had_open_headers = false;
	ret = parse(skb, family, &packet);
	if (ret == -EBADMSG) {
		enum ugnf_gathering gathering = ugnf_fragment_gather(skb, state);

		if (gathering != UGNF_GATHERED)
			return ugnf_hold_unruled(unruled, gathering == UGNF_GATHERING,
						 UGNF_UNRULED(FRAGMENT));
		ret = parse(skb, family, &packet);
	}
	if (is_read_elsewhere(skb, ret))
		return ugnf_hold_unruled(unruled, false, UGNF_UNRULED(UNPARSED));
	if (state->pf == NFPROTO_IPV6 && !ugnf_fragment_settle(skb, state->hook))
		return ugnf_hold_unruled(unruled, false, UGNF_UNRULED(FRAGMENT));
	/* Without ports, nobody can tell which rule the packet is for. */
	if (ret < 0)
		return ugnf_pass_unruled(unruled, UGNF_UNRULED(UNPARSED));
	if (!ret && !packet.is_tcp)
		return ugnf_pass_unruled(unruled, UGNF_UNRULED(EMPTY));
	packet.state = state;
	return ugnf_check(hooks[state->hook], &packet);
}

static unsigned int inspect_hook(void *priv, struct sk_buff *skb,
				 const struct nf_hook_state *state)
{
	return ugnf_outcome_verdict(inspect(skb, state));
}

/* A priority before the administrator's filter, which sees only the packets that are left. */
#define OPS(family, num, prio) {						\
	.hook = inspect_hook,							\
	.pf = family,								\
	.hooknum = num,								\
	.priority = (prio) - 1,							\
}

/*
 * After defragmentation, and before the table raw and connection tracking. What comes to output has
 * its headers in the linear part, but for what is sent on through a VRF: see
 * ugnf_packet.had_open_headers.
 */
#define CLOSING_OPS(family, prio) {						\
	.hook = close_headers_hook,						\
	.pf = family,								\
	.hooknum = NF_INET_PRE_ROUTING,						\
	.priority = (prio) + 1,							\
}

/* Bits of ugnf_net.hooks for hooks at which no rule is asked, and one more than there are. */
enum { CLOSING_IPV4 = UGNF_HOOK_COUNT, CLOSING_IPV6, BITS };

/* Bit n of ugnf_net.hooks stands for ops[n]. */
static const struct nf_hook_ops ops[] = {
	[UGNF_HOOK_IPV4(UTF8GUARD_NF_HOOK_INPUT)] =
		OPS(NFPROTO_IPV4, NF_INET_LOCAL_IN, NF_IP_PRI_FILTER),
	[UGNF_HOOK_IPV6(UTF8GUARD_NF_HOOK_INPUT)] =
		OPS(NFPROTO_IPV6, NF_INET_LOCAL_IN, NF_IP6_PRI_FILTER),
	[UGNF_HOOK_IPV4(UTF8GUARD_NF_HOOK_FORWARD)] =
		OPS(NFPROTO_IPV4, NF_INET_FORWARD, NF_IP_PRI_FILTER),
	[UGNF_HOOK_IPV6(UTF8GUARD_NF_HOOK_FORWARD)] =
		OPS(NFPROTO_IPV6, NF_INET_FORWARD, NF_IP6_PRI_FILTER),
	[UGNF_HOOK_IPV4(UTF8GUARD_NF_HOOK_OUTPUT)] =
		OPS(NFPROTO_IPV4, NF_INET_LOCAL_OUT, NF_IP_PRI_FILTER),
	[UGNF_HOOK_IPV6(UTF8GUARD_NF_HOOK_OUTPUT)] =
		OPS(NFPROTO_IPV6, NF_INET_LOCAL_OUT, NF_IP6_PRI_FILTER),
	[CLOSING_IPV4] = CLOSING_OPS(NFPROTO_IPV4, NF_IP_PRI_CONNTRACK_DEFRAG),
	[CLOSING_IPV6] = CLOSING_OPS(NFPROTO_IPV6, NF_IP6_PRI_CONNTRACK_DEFRAG),
};

static_assert(ARRAY_SIZE(ops) == BITS);
static_assert((UGNF_HOOKS_IPV4 | UGNF_HOOKS_IPV6) == BIT(UGNF_HOOK_COUNT) - 1);
static_assert(!(UGNF_HOOKS_IPV4 & UGNF_HOOKS_IPV6));

/* The bits of ugnf_net.hooks for @hook and the families of a rule. */
static unsigned long bits_of(const struct ugnf_rule *rule, u8 hook)
{
	u8 family = rule->match.fields.family;
	unsigned long bits = 0;

	if (family != AF_INET6)
		bits |= BIT(UGNF_HOOK_IPV4(hook));
	if (family != AF_INET)
		bits |= BIT(UGNF_HOOK_IPV6(hook));
	return bits;
}

/* Does the rule ask what connection tracking says? So do those for streams, by flows of theirs. */
static bool asks_tracking(const struct ugnf_rule *rule)
{
	return rule->match.direction || rule->action.kind == UTF8GUARD_NF_ACTION_CTMARK;
}

/* The hooks before connection tracking, if the rule depends on that. */
static unsigned long closing_of(const struct ugnf_rule *rule)
{
	u8 family = rule->match.fields.family;

	if (!rule->streams && !asks_tracking(rule))
		return 0;
	return (family != AF_INET6 ? BIT(CLOSING_IPV4) : 0) |
	       (family != AF_INET ? BIT(CLOSING_IPV6) : 0);
}

/* A rule for streams also needs the hook that sees the acknowledgments of the other side. */
static unsigned long hooks_of(const struct ugnf_rule *rule)
{
	static const u8 reverse[] = {
		[UTF8GUARD_NF_HOOK_INPUT] = UTF8GUARD_NF_HOOK_OUTPUT,
		[UTF8GUARD_NF_HOOK_FORWARD] = UTF8GUARD_NF_HOOK_FORWARD,
		[UTF8GUARD_NF_HOOK_OUTPUT] = UTF8GUARD_NF_HOOK_INPUT,
	};
	u8 hook = rule->match.fields.hook;

	return bits_of(rule, hook) | (rule->streams ? bits_of(rule, reverse[hook]) : 0) |
	       closing_of(rule);
}

/**
 * ugnf_hooks_of_streams() - the hooks at which rules for streams judge
 * @policy: the rules
 *
 * Context: any; pure.
 * Return: bits as of ugnf_net.hooks.
 */
unsigned long ugnf_hooks_of_streams(const struct utf8guard_policy *policy)
{
	unsigned long bits = 0;
	u32 i;

	for (i = 0; i < policy->count; i++) {
		const struct ugnf_rule *rule = ugnf_rule_of(policy->rules[i]);

		if (rule->streams)
			bits |= bits_of(rule, rule->match.fields.hook);
	}
	return bits;
}

static unsigned long hooks_of_all(const struct utf8guard_policy *policy)
{
	unsigned long bits = 0;
	u32 i;

	for (i = 0; i < policy->count; i++)
		bits |= hooks_of(ugnf_rule_of(policy->rules[i]));
	return bits;
}

static bool needs_tracking(const struct utf8guard_policy *policy)
{
	u32 i;

	for (i = 0; i < policy->count; i++)
		if (asks_tracking(ugnf_rule_of(policy->rules[i])))
			return true;
	return false;
}

static int track(struct net *net, const struct utf8guard_policy *policy)
{
	struct ugnf_net *mine = ugnf_net_of(net);
	int err;

	if (mine->tracks || !needs_tracking(policy))
		return 0;
	err = nf_ct_netns_get(net, NFPROTO_INET);
	mine->tracks = !err;
	return err;
}

static void untrack(struct net *net)
{
	struct ugnf_net *mine = ugnf_net_of(net);

	if (mine->tracks)
		nf_ct_netns_put(net, NFPROTO_INET);
	mine->tracks = false;
}

/* Without defragmentation, a sender could hide a character by dividing it into two fragments. */
static int defrag_enable(struct net *net, unsigned int bit)
{
	return ops[bit].pf == NFPROTO_IPV4 ? nf_defrag_ipv4_enable(net) :
					     nf_defrag_ipv6_enable(net);
}

static void defrag_disable(struct net *net, unsigned int bit)
{
	if (ops[bit].pf == NFPROTO_IPV4)
		nf_defrag_ipv4_disable(net);
	else
		nf_defrag_ipv6_disable(net);
}

static int add_hook(struct net *net, unsigned int bit)
{
	int err = defrag_enable(net, bit);

	if (err)
		return err;
	err = nf_register_net_hook(net, &ops[bit]);
	if (err)
		defrag_disable(net, bit);
	else
		__set_bit(bit, &ugnf_net_of(net)->hooks);
	return err;
}

static void remove_hook(struct net *net, unsigned int bit)
{
	nf_unregister_net_hook(net, &ops[bit]);
	defrag_disable(net, bit);
	__clear_bit(bit, &ugnf_net_of(net)->hooks);
}

static void remove_hooks(struct net *net, unsigned long bits)
{
	unsigned int bit;

	for_each_set_bit(bit, &bits, ARRAY_SIZE(ops))
		remove_hook(net, bit);
}

/**
 * ugnf_hooks_undo() - undo ugnf_hooks_add() for a policy that will not be used
 * @net: the network namespace, its rules locked
 * @had: what ugnf_net.hooks was before
 * @tracked: what ugnf_net.tracks was before
 *
 * Context: process context; may sleep.
 */
void ugnf_hooks_undo(struct net *net, unsigned long had, bool tracked)
{
	remove_hooks(net, ugnf_net_of(net)->hooks & ~had);
	if (!tracked)
		untrack(net);
}

/* Most namespaces never have a rule. One that had a rule keeps its counters until it ends. */
static int make_counters(struct ugnf_net *mine)
{
	if (mine->unruled.percpu)
		return 0;
	return utf8guard_nf_counters_init(&mine->unruled, UGNF_UNRULED_COUNT);
}

/**
 * ugnf_hooks_add() - register the hooks that a policy needs and that are missing
 * @net: the network namespace, its rules locked
 * @policy: not yet in use
 *
 * Context: process context; may sleep.
 * Return: 0; or -ENOMEM or an error of netfilter, and then the hooks are as before.
 */
int ugnf_hooks_add(struct net *net, const struct utf8guard_policy *policy)
{
	unsigned long had = ugnf_net_of(net)->hooks;
	unsigned long missing = hooks_of_all(policy) & ~had;
	bool tracked = ugnf_net_of(net)->tracks;
	unsigned int bit;
	int err = make_counters(ugnf_net_of(net)) ?: track(net, policy);

	if (err)
		return err;
	for_each_set_bit(bit, &missing, ARRAY_SIZE(ops)) {
		err = add_hook(net, bit);
		if (err) {
			ugnf_hooks_undo(net, had, tracked);
			return err;
		}
	}
	return 0;
}

/**
 * ugnf_hooks_trim() - unregister the hooks that a policy does not need
 * @net: the network namespace, its rules locked
 * @policy: in use
 *
 * Context: process context; may sleep.
 */
void ugnf_hooks_trim(struct net *net, const struct utf8guard_policy *policy)
{
	remove_hooks(net, ugnf_net_of(net)->hooks & ~hooks_of_all(policy));
	if (!needs_tracking(policy))
		untrack(net);
}

/* The namespace ends: nobody changes its rules any more. */
void ugnf_hooks_remove(struct net *net)
{
	remove_hooks(net, ugnf_net_of(net)->hooks);
	untrack(net);
}
