// SPDX-License-Identifier: GPL-2.0
/* Decides on one packet: finds its rule, has it judged, and takes the action of the rule. */
#include <linux/export.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <net/flow.h>
#include <net/net_namespace.h>
#include <net/netfilter/nf_conntrack.h>

#include "../service/counts.h"
#include "../service/refusal.h"
#include "../service/report.h"
#include "../service/ruleset_types.h"
#include "check.h"
#include "net.h"
#include "packet/checksum.h"
#include "packet/departure.h"
#include "packet/nested_list.h"
#include "packet/packet.h"
#include "packet/shared_frags.h"
#include "payload.h"
#include "rule/action.h"
#include "rule/index.h"
#include "rule/judgment.h"
#include "rule/match.h"
#include "rule/outcome.h"
#include "rule/rule_types.h"
#include "stream/sequence.h"
#include "tcp/connection.h"
#include "tcp/flow.h"

static const char *const hook_names[] = {
	[UTF8GUARD_NF_HOOK_INPUT] = "input",
	[UTF8GUARD_NF_HOOK_FORWARD] = "forward",
	[UTF8GUARD_NF_HOOK_OUTPUT] = "output",
};

/*
 * A packet at a hook, for which a rule is looked for. A packet of this host to itself comes to
 * two hooks, output and input. The result at one hook says nothing about the other: a packet
 * that comes in by the loopback device may never have gone out, or may have been changed since.
 */
struct lookup {
	const struct utf8guard_policy *policy;
	struct ugnf_packet *packet;
	const struct net_device *in, *out;
	u8 hook;
};

static bool conditions_hold(const void *context, u32 position)
{
	const struct lookup *lookup = context;
	const struct ugnf_rule *rule = ugnf_rule_of(lookup->policy->rules[position]);

	return ugnf_match_conditions(&rule->match, lookup->packet, lookup->in, lookup->out);
}

static inline void set_address(u32 *addr, const void *octets, u8 family)
{
	if (family == AF_INET)
		memcpy(addr, octets, 4);
	else
		memcpy(addr, octets, 16);
}

/* The position of the first rule for this packet, with @daddr as its destination. */
static u32 find_rule(const struct lookup *lookup, const void *daddr)
{
	const struct ugnf_packet *packet = lookup->packet;
	struct ugnf_key key = {
		.hook = lookup->hook,
		.family = packet->family,
		.protocol = packet->protocol,
		.sport = packet->sport,
		.dport = packet->dport,
	};

	set_address(key.saddr, packet->saddr, packet->family);
	set_address(key.daddr, daddr, packet->family);
	return ugnf_index_find(lookup->policy->index, &key, conditions_hold, lookup);
}

/* A packet with a source route is also for rules about its last destination. */
static struct ugnf_rule *first_rule(const struct lookup *lookup)
{
	const struct ugnf_packet *packet = lookup->packet;
	u32 position;

	/* A policy without rules has no index. */
	if (!lookup->policy->index)
		return NULL;
	position = find_rule(lookup, packet->daddr);
	if (packet->has_source_route)
		position = min(position, find_rule(lookup, &packet->last_daddr));
	return position == UGNF_NO_POSITION ? NULL : ugnf_rule_of(lookup->policy->rules[position]);
}

/**
 * utf8guard_nf_report() - report a packet that is refused or audited
 * @net: its network namespace
 * @packet: the packet, parsed
 * @refusal: what is wrong with it, and what becomes of it
 *
 * Context: a netfilter hook; does not sleep.
 */
void utf8guard_nf_report(struct net *net, const struct ugnf_packet *packet,
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
		/* It came in by no interface, or by that of this host to itself. */
		.is_local = packet->skb->skb_iif <= LOOPBACK_IFINDEX,
	};

	utf8guard_report_packet(refusal, &flow);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_report, "UTF8GUARD");

static void report(struct ugnf_rule *rule, const struct ugnf_packet *packet,
		   struct utf8guard_refusal *refusal, u8 outcome)
{
	refusal->op = hook_names[rule->match.fields.hook];
	refusal->outcome = outcome;
	refusal->rule = rule->rule.handle;
	refusal->family = "nf";
	refusal->comment = rule->rule.comment;
	/* A reason is counted by the outcome, in a counter of its own. */
	if (refusal->reason == UTF8GUARD_REASON_NONE) {
		utf8guard_counts_add(&rule->counts, refusal->error.class, refusal->outcome);
		utf8guard_counts_add(&ugnf_net_of(packet->state->net)->counts,
				     refusal->error.class, refusal->outcome);
	} else {
		utf8guard_counts_touch(&rule->counts);
	}
	if (rule->action.kind != UTF8GUARD_NF_ACTION_COUNT)
		utf8guard_nf_report(packet->state->net, packet, refusal);
}

static void report_minded(struct ugnf_rule *rule, const struct ugnf_packet *packet,
			  struct utf8guard_refusal *refusal)
{
	report(rule, packet, refusal, ugnf_action_refuses(&rule->action) ?
		UTF8GUARD_OUTCOME_REFUSED : UTF8GUARD_OUTCOME_AUDITED);
}

/* The payload is ill-formed, or of a class that is refused. */
static struct ugnf_outcome mind(struct ugnf_rule *rule, const struct ugnf_packet *packet,
				u32 octets, struct utf8guard_refusal *refusal,
				struct ugnf_because why)
{
	report_minded(rule, packet, refusal);
	return ugnf_action_take(rule, packet, octets, why);
}

/* The payload cannot be judged. A rule that fails open lets it through, and only counts it. */
static struct ugnf_outcome fail(struct ugnf_rule *rule, const struct ugnf_packet *packet,
				u32 octets, struct utf8guard_refusal *refusal,
				struct ugnf_because why)
{
	if (!rule->action.fail_closed)
		return ugnf_pass(&rule->counters, octets, why);
	if (!refusal->is_repeat)
		report_minded(rule, packet, refusal);
	return ugnf_action_take(rule, packet, octets, why);
}

/*
 * A segment must not go on, although it is not ill-formed. If there is no reason to report it,
 * its sender will send it again, and it will go on then. So it is withheld: dropped now, and
 * neither reported nor marked.
 */
static struct ugnf_outcome withhold(struct ugnf_rule *rule, const struct ugnf_packet *packet,
				    struct utf8guard_refusal *refusal, struct ugnf_because why)
{
	u32 octets = packet->len;

	if (refusal->reason == UTF8GUARD_REASON_NONE)
		return ugnf_drop(&rule->counters, octets, why);
	report_minded(rule, packet, refusal);
	/* No reset: the sender may still send what is wanted. */
	if (ugnf_action_refuses(&rule->action))
		return ugnf_drop(&rule->counters, octets, why);
	return ugnf_action_take(rule, packet, octets, why);
}

/* Judges all payloads of the packet, up to the first that is refused. Returns their length. */
static u32 judge(struct ugnf_rule *rule, struct ugnf_packet *packet, enum ugnf_finding *verdict,
		 struct utf8guard_refusal *refusal)
{
	u32 octets = 0;

	*verdict = UGNF_WELL_FORMED;
	do {
		octets += packet->len;
		*verdict = max(*verdict, ugnf_payload_judge(packet, &rule->constraint, refusal));
	} while (*verdict != UGNF_ILL_FORMED && ugnf_packet_next(packet));
	return octets;
}

static struct ugnf_outcome judge_alone(struct ugnf_rule *rule, struct ugnf_packet *packet,
				       struct ugnf_because why)
{
	struct utf8guard_refusal refusal = {};
	enum ugnf_finding verdict;
	u32 octets = judge(rule, packet, &verdict, &refusal);

	switch (verdict) {
	case UGNF_ILL_FORMED:
		return mind(rule, packet, octets, &refusal,
			    ugnf_also(why, UGNF_BECAUSE(ILL_FORMED)));
	case UGNF_UNREADABLE:
		refusal.reason = UTF8GUARD_REASON_UNREADABLE;
		return fail(rule, packet, octets, &refusal,
			    ugnf_also(why, UGNF_BECAUSE(UNREADABLE)));
	case UGNF_UNFOLLOWED:
		refusal.reason = UTF8GUARD_REASON_UNFOLLOWED;
		return fail(rule, packet, octets, &refusal,
			    ugnf_also(why, UGNF_BECAUSE(UNFOLLOWED)));
	case UGNF_BINARY:
		return ugnf_pass(&rule->counters, octets, ugnf_also(why, UGNF_BECAUSE(BINARY)));
	case UGNF_SPLIT:
		return ugnf_pass(&rule->counters, octets, ugnf_also(why, UGNF_BECAUSE(SPLIT)));
	case UGNF_EMPTY:
	case UGNF_WITHHELD:
		/* Not returned for a packet alone, but for streams. */
	case UGNF_WELL_FORMED:
		break;
	}
	return ugnf_pass(&rule->counters, octets, ugnf_also(why, UGNF_BECAUSE(JUDGED)));
}

/* Can the rule judge a segment alone? Not if it follows framing or decodes escapes. */
static bool is_judged_alone(const struct ugnf_rule *rule)
{
	return rule->constraint.scope == UTF8GUARD_NF_SCOPE_PAYLOAD &&
	       rule->constraint.decode == UTF8GUARD_NF_DECODE_RAW;
}

/* The stream cannot be followed. If the rule lets that go on, judge the segment alone at least. */
static struct ugnf_outcome fail_stream(struct ugnf_rule *rule, struct ugnf_packet *packet,
				       struct utf8guard_refusal *refusal, struct ugnf_because why)
{
	if (packet->len && !rule->action.fail_closed && is_judged_alone(rule))
		return judge_alone(rule, packet, why);
	return fail(rule, packet, packet->len, refusal, why);
}

static struct ugnf_outcome judge_stream(const struct utf8guard_policy *policy,
					struct ugnf_rule *rule, struct ugnf_packet *packet)
{
	struct net *net = packet->state->net;
	struct utf8guard_refusal refusal = {};
	struct ugnf_judgment found =
		ugnf_connection_judge(policy, &ugnf_net_of(net)->flows, rule, packet, &refusal);

	switch (found.verdict) {
	case UGNF_EMPTY:
		return ugnf_pass_unruled(&ugnf_net_of(net)->unruled, UGNF_UNRULED(EMPTY));
	case UGNF_ILL_FORMED:
		return mind(rule, packet, packet->len, &refusal, found.why);
	case UGNF_WITHHELD:
		return withhold(rule, packet, &refusal, found.why);
	case UGNF_UNREADABLE:
		return fail(rule, packet, packet->len, &refusal, found.why);
	case UGNF_UNFOLLOWED:
		return fail_stream(rule, packet, &refusal, found.why);
	case UGNF_WELL_FORMED:
	case UGNF_SPLIT:
	case UGNF_BINARY:
		break;
	}
	/* It is let through, though up to three octets at its beginning could not be judged. */
	if (refusal.reason == UTF8GUARD_REASON_PICKED_UP)
		report(rule, packet, &refusal, UTF8GUARD_OUTCOME_AUDITED);
	return ugnf_pass(&rule->counters, packet->len, found.why);
}

/* Is a checksum to be written into the payload? Not before that is divided, if it is to be. */
static bool awaits_checksum(const struct ugnf_packet *packet)
{
	return ugnf_checksum_is_inner(packet->skb, packet->protocol, packet->payload) &&
	       !skb_is_gso(packet->skb);
}

/*
 * Copies shared pages, so that the sender cannot change the payload, and lists in lists, so that it
 * can be read; writes its checksum.
 */
static int complete_payload(const struct ugnf_packet *packet)
{
	struct sk_buff *skb = packet->skb;
	int err = ugnf_has_shared_frags(skb) ? ugnf_copy_shared_frags(skb) : 0;

	if (!err && awaits_checksum(packet))
		err = ugnf_checksum_write(skb);
	return err;
}

/*
 * Makes the payload what the receiver will get. That may move the packet, so parse it again, also
 * where there was no memory: it is reported then.
 */
static bool make_payload_final(struct ugnf_packet *packet)
{
	const struct nf_hook_state *state = packet->state;
	int err = complete_payload(packet), parsed;

	parsed = ugnf_packet_parse(packet->skb, packet->family, packet);
	packet->state = state;
	return !err && parsed > 0;
}

/*
 * Can the payload still change after it is judged, or can it not be read as it is? A change is no
 * matter where the rule lets everything through: a sender gains nothing by it.
 */
static bool is_payload_open(const struct ugnf_rule *rule, const struct ugnf_packet *packet)
{
	if (!packet->len)
		return false;
	if (!ugnf_action_withholds(&rule->action))
		return ugnf_has_nested_list(packet->skb);
	return ugnf_has_shared_frags(packet->skb) || awaits_checksum(packet);
}

/*
 * No memory to make the payload final: it could still become something else than is found now, or
 * it cannot be read.
 */
static struct ugnf_outcome leave_unread(u8 hook, struct ugnf_rule *rule, struct ugnf_packet *packet)
{
	struct utf8guard_refusal refusal = { .reason = UTF8GUARD_REASON_UNREADABLE };

	if (rule->streams && !rule->action.fail_closed)
		ugnf_connection_skip(&ugnf_net_of(packet->state->net)->flows, hook, packet);
	return fail(rule, packet, packet->len, &refusal, UGNF_BECAUSE(UNREADABLE));
}

/*
 * Must a rule for streams judge this segment although it has no payload? If connection tracking
 * has misread it, only its receiver knows its connection: a reset would end that unseen.
 */
static bool is_telling(const struct ugnf_packet *packet)
{
	const struct ugnf_segment_header *tcp = &packet->tcp;

	return ugnf_packet_is_misread(packet) || (!tcp->rst && (tcp->syn || tcp->fin || tcp->urg));
}

/*
 * What this host receives waits in no queue any more, and steering knows it by its hash (RFS). What
 * it forwards has had its time limited at the hook, like all packets.
 */
static void prepare_segment(u8 hook, struct ugnf_packet *packet)
{
	ugnf_packet_read_segment(packet);
	if (hook == UTF8GUARD_NF_HOOK_INPUT)
		return;
	if (hook == UTF8GUARD_NF_HOOK_OUTPUT)
		ugnf_departure_limit(packet->skb);
	ugnf_departure_keep_order(packet);
}

/**
 * ugnf_check() - may this packet go on?
 * @hook: enum utf8guard_nf_hook
 * @packet: the packet, parsed
 *
 * The first rule that fits decides, so the payload is judged once at most. If its sender could
 * change the payload after that, or if it is a list in a list, the packet gets a copy of it first.
 * A checksum that is yet to be written into the payload is written. Pointers into the packet are
 * invalid then.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep.
 * Return: the outcome, counted.
 */
struct ugnf_outcome ugnf_check(u8 hook, struct ugnf_packet *packet)
{
	const struct nf_hook_state *state = packet->state;
	struct ugnf_net *mine = ugnf_net_of(state->net);
	bool follows = packet->is_tcp && ugnf_flows_wanted(&mine->flows);
	const struct lookup lookup = {
		.policy = rcu_dereference(mine->ruleset.policy),
		.packet = packet,
		.in = state->in,
		.out = state->out,
		.hook = hook,
	};
	bool tells = false;
	struct ugnf_rule *rule;

	if (follows) {
		prepare_segment(hook, packet);
		tells = ugnf_connection_observe(lookup.policy, &mine->flows, packet) ||
			is_telling(packet);
	}
	if (!packet->len && !tells)
		return ugnf_pass_unruled(&mine->unruled, UGNF_UNRULED(EMPTY));
	rule = first_rule(&lookup);
	if (follows && packet->len && !(rule && rule->streams))
		ugnf_connection_skip(&mine->flows, hook, packet);
	if (!rule)
		return ugnf_pass_unruled(&mine->unruled, UGNF_UNRULED(UNMATCHED));
	/* Flows are not wanted: the first rule for streams has just come, or the last goes. */
	if (rule->streams && !follows)
		prepare_segment(hook, packet);
	if (is_payload_open(rule, packet) && !make_payload_final(packet))
		return leave_unread(hook, rule, packet);
	if (rule->streams)
		return judge_stream(lookup.policy, rule, packet);
	if (!packet->len)
		return ugnf_pass_unruled(&mine->unruled, UGNF_UNRULED(EMPTY));
	return judge_alone(rule, packet, UGNF_BECAUSE(JUDGED));
}
