// SPDX-License-Identifier: GPL-2.0
/* The decision on one packet. */
#include <linux/export.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>
#include <net/netfilter/nf_conntrack.h>

#include "nf.h"

static const char *const hook_names[] = {
	[UTF8GUARD_NF_HOOK_INPUT] = "input",
	[UTF8GUARD_NF_HOOK_FORWARD] = "forward",
	[UTF8GUARD_NF_HOOK_OUTPUT] = "output",
};

/*
 * A packet at the hook where rules are looked for. One of this host for itself comes to
 * two of them, and nothing is inferred at one from the rules of the other: what comes in
 * by the loopback device need not have gone out, nor as it is now.
 */
struct place {
	const struct utf8guard_policy *policy;
	const struct nf_packet *packet;
	const struct net_device *in, *out;
	u8 hook;
};

static bool conditions_hold(const void *context, u32 position)
{
	const struct place *place = context;
	const struct nf_rule *rule = nf_rule_of(place->policy->rules[position]);

	return nf_conditions_hold(&rule->selectors, place->packet, place->in, place->out);
}

static inline void set_address(u32 *addr, const void *octets, u8 family)
{
	if (family == AF_INET)
		memcpy(addr, octets, 4);
	else
		memcpy(addr, octets, 16);
}

/* The first rule for what goes to @daddr. */
static u32 find_rule(const struct place *place, const void *daddr)
{
	const struct nf_packet *packet = place->packet;
	struct nf_key key = {
		.hook = place->hook,
		.family = packet->family,
		.protocol = packet->protocol,
		.sport = packet->sport,
		.dport = packet->dport,
	};

	set_address(key.saddr, packet->saddr, packet->family);
	set_address(key.daddr, daddr, packet->family);
	return nf_index_find(place->policy->index, &key, conditions_hold, place);
}

/* What a source route leads on is for rules about where it is now, and where it ends. */
static struct nf_rule *first_rule(const struct place *place)
{
	const struct nf_packet *packet = place->packet;
	u32 position;

	/* Before the first change there is none. */
	if (!place->policy->index)
		return NULL;
	position = find_rule(place, packet->daddr);
	if (packet->leads_on)
		position = min(position, find_rule(place, &packet->end));
	return position == NF_NO_POSITION ? NULL : nf_rule_of(place->policy->rules[position]);
}

/**
 * utf8guard_nf_report() - tell of a packet refused or audited
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

static void report(struct nf_rule *rule, const struct nf_packet *packet,
		   struct utf8guard_refusal *refusal)
{
	refusal->op = hook_names[rule->selectors.fields.hook];
	refusal->outcome = nf_reaction_refuses(&rule->reaction) ? UTF8GUARD_OUTCOME_REFUSED :
								  UTF8GUARD_OUTCOME_AUDITED;
	refusal->rule = rule->rule.handle;
	refusal->family = "nf";
	refusal->comment = rule->rule.comment;
	/* Reasons have counters of their own, which were there before. */
	if (refusal->reason == UTF8GUARD_REASON_NONE)
		utf8guard_counts_add(&rule->counts, refusal->error.class, refusal->outcome);
	if (rule->reaction.action != UTF8GUARD_NF_ACTION_COUNT)
		utf8guard_nf_report(packet->state->net, packet, refusal);
}

/* It is let through, and not all of it could be judged. */
static unsigned int tell(struct nf_rule *rule, const struct nf_packet *packet,
			 struct utf8guard_refusal *refusal)
{
	refusal->op = hook_names[rule->selectors.fields.hook];
	refusal->outcome = UTF8GUARD_OUTCOME_AUDITED;
	refusal->rule = rule->rule.handle;
	if (rule->reaction.action != UTF8GUARD_NF_ACTION_COUNT)
		utf8guard_nf_report(packet->state->net, packet, refusal);
	return NF_ACCEPT;
}

/* What cannot be judged: where it is let through, counters alone say so. */
static unsigned int fail(struct nf_rule *rule, const struct nf_packet *packet,
			 struct utf8guard_refusal *refusal)
{
	if (!rule->reaction.fail_closed)
		return NF_ACCEPT;
	report(rule, packet, refusal);
	return nf_react(&rule->reaction, packet);
}

/* What gets through when it is sent again is nobody's concern, and not for a mark. */
static unsigned int lose(struct nf_rule *rule, const struct nf_packet *packet,
			 struct utf8guard_refusal *refusal)
{
	if (refusal->reason == UTF8GUARD_REASON_NONE)
		return NF_DROP;
	report(rule, packet, refusal);
	/* A reset would end what the sender may mend. */
	return nf_reaction_refuses(&rule->reaction) ? NF_DROP : nf_react(&rule->reaction, packet);
}

/* All payloads of the packet, up to the first that is refused; @verdict holds already. */
static enum nf_verdict judge(struct nf_rule *rule, struct nf_packet *packet,
			     enum nf_verdict verdict, struct utf8guard_refusal *refusal)
{
	u32 octets = 0;

	do {
		octets += packet->len;
		verdict = max(verdict, nf_payload_judge(packet, &rule->demand, refusal));
	} while (verdict != NF_ILL_FORMED && nf_packet_next(packet));
	nf_traffic_count(rule, octets, verdict);
	return verdict;
}

static unsigned int judge_alone(struct nf_rule *rule, struct nf_packet *packet,
				enum nf_verdict before)
{
	struct utf8guard_refusal refusal = {};

	switch (judge(rule, packet, before, &refusal)) {
	case NF_ILL_FORMED:
		report(rule, packet, &refusal);
		return nf_react(&rule->reaction, packet);
	case NF_UNREADABLE:
		refusal.reason = UTF8GUARD_REASON_UNREADABLE;
		return fail(rule, packet, &refusal);
	case NF_UNFOLLOWED:
		refusal.reason = UTF8GUARD_REASON_UNFOLLOWED;
		return fail(rule, packet, &refusal);
	default:
		return NF_ACCEPT;
	}
}

/* Can it be judged as if the rule were not for streams? Framing and escapes cannot. */
static bool is_judged_alone(const struct nf_rule *rule)
{
	return rule->demand.scope == UTF8GUARD_NF_SCOPE_PAYLOAD &&
	       rule->demand.decode == UTF8GUARD_NF_DECODE_RAW;
}

/*
 * What cannot be followed, and may go, can be judged alone at least. It is counted as what
 * it is, where no counter for streams has done so.
 */
static unsigned int judge_unfollowed(struct nf_rule *rule, struct nf_packet *packet, u8 reason)
{
	if (!packet->len)
		return NF_ACCEPT;
	return judge_alone(rule, packet, reason == UTF8GUARD_REASON_UNFOLLOWED ? NF_UNFOLLOWED :
										 NF_WELL_FORMED);
}

static unsigned int judge_stream(struct nf_rule *rule, struct nf_packet *packet)
{
	struct utf8guard_refusal refusal = {};
	enum nf_verdict verdict;

	verdict = nf_connection_judge(packet->state->net, rule, packet, &refusal);
	if (verdict == NF_UNFOLLOWED && !rule->reaction.fail_closed && is_judged_alone(rule))
		return judge_unfollowed(rule, packet, refusal.reason);
	if (packet->len)
		nf_traffic_count(rule, packet->len, verdict);
	switch (verdict) {
	case NF_ILL_FORMED:
		report(rule, packet, &refusal);
		return nf_react(&rule->reaction, packet);
	case NF_LOST:
		return lose(rule, packet, &refusal);
	case NF_UNREADABLE:
	case NF_UNFOLLOWED:
		return fail(rule, packet, &refusal);
	default:
		if (refusal.reason == UTF8GUARD_REASON_PICKED_UP)
			return tell(rule, packet, &refusal);
		return NF_ACCEPT;
	}
}

/* The packet may have moved, and with it what points to its headers. */
static bool own_payload(struct nf_packet *packet)
{
	const struct nf_hook_state *state = packet->state;
	int err = nf_pages_own(packet->skb), parsed;

	/* Whatever became of it: it is to be reported. */
	parsed = nf_packet_parse(packet->skb, packet->family, packet);
	packet->state = state;
	return !err && parsed > 0;
}

/*
 * Can the sender change it when it has been judged? Where everything is let through, it
 * may: what is said of such a packet is of the moment, and to copy it would be for nothing.
 */
static bool must_be_owned(const struct nf_rule *rule, const struct nf_packet *packet)
{
	return packet->len && nf_reaction_withholds(&rule->reaction) &&
	       nf_pages_shared(packet->skb);
}

/* No memory to own it, so nothing that is found in it would hold. */
static unsigned int leave_unread(u8 hook, struct nf_rule *rule, struct nf_packet *packet)
{
	struct utf8guard_refusal refusal = { .reason = UTF8GUARD_REASON_UNREADABLE };

	nf_traffic_count(rule, packet->len, NF_UNREADABLE);
	if (rule->streams && !rule->reaction.fail_closed)
		nf_connection_skip(packet->state->net, hook, packet);
	return fail(rule, packet, &refusal);
}

/* Without payload, what of a stream is to be judged all the same? */
static bool is_telling(const struct nf_packet *packet)
{
	const struct nf_segment_header *tcp = &packet->tcp;

	return !tcp->rst && (tcp->syn || tcp->fin || tcp->urg);
}

/**
 * nf_check() - may this packet go on?
 * @hook: enum utf8guard_nf_hook
 * @packet: as parsed
 *
 * The first rule that fits decides, and the payload is read once at most. Where its
 * sender could change it meanwhile, the packet gets a copy of it before; pointers into
 * the packet are void then.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep.
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int nf_check(u8 hook, struct nf_packet *packet)
{
	const struct nf_hook_state *state = packet->state;
	const struct nf_net *mine = nf_net_of(state->net);
	bool follows = packet->is_segment && nf_flows_wanted(&mine->flows);
	const struct place place = {
		.policy = rcu_dereference(mine->ruleset.policy),
		.packet = packet,
		.in = state->in,
		.out = state->out,
		.hook = hook,
	};
	struct nf_rule *rule;

	if (follows) {
		nf_packet_read_segment(packet);
		nf_connection_observe(state->net, packet);
	}
	if (!packet->len && !(follows && is_telling(packet)))
		return NF_ACCEPT;
	rule = first_rule(&place);
	if (follows && packet->len && !(rule && rule->streams))
		nf_connection_skip(state->net, hook, packet);
	if (!rule)
		return NF_ACCEPT;
	/* The first such rule has just come, or the last is going. */
	if (rule->streams && !follows)
		nf_packet_read_segment(packet);
	if (must_be_owned(rule, packet) && !own_payload(packet))
		return leave_unread(hook, rule, packet);
	if (rule->streams)
		return judge_stream(rule, packet);
	return packet->len ? judge_alone(rule, packet, NF_WELL_FORMED) : NF_ACCEPT;
}
