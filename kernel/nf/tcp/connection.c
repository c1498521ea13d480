// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the connection of a TCP segment, tells its streams what the segment says about
 * acknowledgments and windows, and has its payload judged.
 */
#include <linux/skbuff.h>
#include <net/net_namespace.h>
#include <net/netfilter/nf_conntrack.h>

#include "../../service/refusal.h"
#include "../../service/ruleset_types.h"
#include "../packet/conntrack.h"
#include "../packet/packet.h"
#include "../rule/action.h"
#include "../rule/counters.h"
#include "../rule/judgment.h"
#include "../rule/outcome.h"
#include "../rule/rule_types.h"
#include "../stream/answer.h"
#include "../stream/direction.h"
#include "../stream/sequence.h"
#include "../stream/tcb.h"
#include "connection.h"
#include "flow.h"
#include "segment.h"

/*
 * The conntrack of a packet. It is NULL
 *
 * - for packets that connection tracking was told to ignore, or finds invalid;
 * - where a helper changes sequence numbers after us, because acknowledgments do not fit then;
 * - for packets of which connection tracking may have read other headers, or which it knows by the
 *   next hop of a source route: other segments of the connection may come without the route.
 */
static struct nf_conn *conntrack_of(const struct ugnf_packet *packet, u8 *direction)
{
	enum ip_conntrack_info info;
	struct nf_conn *ct = nf_ct_get(packet->skb, &info);

	if (!ct || nf_ct_is_template(ct) || ugnf_packet_is_misread(packet) ||
	    test_bit(IPS_SEQ_ADJUST_BIT, &ct->status))
		return NULL;
	*direction = CTINFO2DIR(info);
	return ct;
}

/* A segment, with what connection tracking knows; read without the lock of @ct. */
static struct ugnf_sighting sighting_of(const struct ugnf_packet *packet, const struct nf_conn *ct,
					u8 direction)
{
	const struct ip_ct_tcp_state *own = &ct->proto.tcp.seen[direction];
	const struct ip_ct_tcp_state *other = &ct->proto.tcp.seen[!direction];

	return (struct ugnf_sighting) {
		.header = &packet->tcp,
		.ack = packet->ack,
		.window = (u32)packet->window << (packet->tcp.syn ? 0 : own->td_scale),
		.max_end = READ_ONCE(other->td_maxend),
		.sent_end = READ_ONCE(own->td_end),
		.other_end = READ_ONCE(other->td_end),
		.direction = direction,
		.state = READ_ONCE(ct->proto.tcp.state),
		.has_ack = packet->has_ack,
		.is_multipath = packet->is_multipath,
		.has_other_scale = packet->tcp.syn && packet->scale != own->td_scale,
		.is_liberal = own->flags & IP_CT_TCP_FLAG_BE_LIBERAL,
	};
}

static bool feed_answer(void *answer, const void *data, u32 len)
{
	return ugnf_answer_feed(answer, data, len);
}

/* Looks for the server's consent to the other protocol for which the client of @dir has asked. */
static void look_for_answer(struct ugnf_direction *dir, const struct ugnf_packet *packet)
{
	struct ugnf_answer *answer = &dir->answer;

	if (!dir->asks || answer->is_found || !packet->len)
		return;
	ugnf_answer_begin(answer, ugnf_segment_first(&packet->tcp), packet->len);
	/* Octets that cannot be read, as those of lists in a list, may be the consent. */
	if (ugnf_packet_read(packet, feed_answer, answer) < packet->len)
		answer->is_found = true;
	ugnf_answer_end(answer);
	if (answer->is_found)
		ugnf_direction_switch(dir);
}

/*
 * Octets were judged as HTTP that were of another protocol; there may be no segment after them.
 * So count that now. If the rule that judged them is not in force any more, the next one does.
 */
static void count_owed(const struct utf8guard_policy *policy, struct ugnf_direction *dir)
{
	if (!dir->owes || dir->generation != policy->generation)
		return;
	ugnf_counters_add(&dir->rule->counters, UGNF_REASON_UNFOLLOWED, 1);
	dir->owes = false;
}

/* The segment, in @direction, may have the consent for which the other end waits. */
static void observe_answer(const struct utf8guard_policy *policy, struct ugnf_flow *flow,
			   u8 direction, const struct ugnf_packet *packet)
{
	struct ugnf_direction *own, *other;
	u8 i;

	for (i = 0; i < UGNF_SIGHTS; i++) {
		own = &flow->tcb[i].dir[direction];
		other = &flow->tcb[i].dir[!direction];
		if (packet->has_ack && ugnf_ending_is_taken(own, other, &packet->tcp))
			look_for_answer(other, packet);
		count_owed(policy, other);
	}
}

static void observe_reset(struct ugnf_flow *flow, const struct ugnf_sighting *sighting)
{
	u8 i;

	for (i = 0; i < UGNF_SIGHTS; i++)
		ugnf_tcb_reset(&flow->tcb[i], sighting);
}

/* May the segment begin the connection beside its known beginning, at any hook? */
static bool is_beside(struct ugnf_flow *flow, const struct ugnf_sighting *sighting)
{
	u8 i;

	for (i = 0; i < UGNF_SIGHTS; i++)
		if (ugnf_ending_is_beside(&flow->tcb[i].dir[sighting->direction], sighting))
			return true;
	return false;
}

static void observe_stray(struct ugnf_flow *flow, const struct ugnf_sighting *sighting)
{
	u8 i;

	for (i = 0; i < UGNF_SIGHTS; i++)
		ugnf_tcb_stray(&flow->tcb[i], sighting);
}

/*
 * What connection tracking finds invalid may begin a connection, for a server with SYN cookies or
 * for ends that have forgotten the known one. Or it ends one: Linux looks at less of a RST, and of
 * a FIN, than connection tracking does.
 */
static bool observe_invalid(const struct utf8guard_policy *policy, struct ugnf_flows *flows,
			    const struct ugnf_packet *packet)
{
	struct ugnf_sighting sighting;
	bool tells = false;
	struct ugnf_flow *flow;
	struct nf_conn *ct;
	u8 direction;

	if (!(packet->tcp.syn || packet->tcp.rst || packet->tcp.fin || packet->has_ack))
		return false;
	ct = ugnf_conntrack_of_invalid(packet, &direction);
	if (!ct)
		return false;
	flow = ugnf_flow_find(flows, ct);
	if (flow) {
		sighting = sighting_of(packet, ct, direction);
		if (packet->tcp.rst) {
			observe_reset(flow, &sighting);
		} else {
			tells = is_beside(flow, &sighting);
			observe_stray(flow, &sighting);
			observe_answer(policy, flow, direction, packet);
		}
		ugnf_flow_unlock(flow);
	}
	nf_ct_put(ct);
	return tells;
}

/**
 * ugnf_connection_observe() - take note of what a segment says besides its payload
 * @policy: the rules in force
 * @flows: the flows of its network namespace
 * @packet: a TCP segment, with payload or without
 *
 * This does not depend on the rule for the segment: its acknowledgment tells what its sender has
 * received.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep.
 * Return: whether a rule for streams must judge it, also without payload.
 */
bool ugnf_connection_observe(const struct utf8guard_policy *policy, struct ugnf_flows *flows,
			     const struct ugnf_packet *packet)
{
	struct ugnf_sighting sighting;
	struct ugnf_flow *flow;
	struct nf_conn *ct;
	u8 direction, i;
	bool tells;

	ct = conntrack_of(packet, &direction);
	if (!ct)
		return observe_invalid(policy, flows, packet);
	flow = ugnf_flow_find(flows, ct);
	if (!flow && !packet->tcp.syn && !packet->tcp.rst && !nf_ct_is_confirmed(ct))
		flow = ugnf_flow_pick_up(flows, ct);
	if (!flow)
		return false;
	sighting = sighting_of(packet, ct, direction);
	if (packet->tcp.rst) {
		observe_reset(flow, &sighting);
		ugnf_flow_unlock(flow);
		return false;
	}
	tells = is_beside(flow, &sighting);
	/* What the segment says is true for both sights. */
	for (i = 0; i < UGNF_SIGHTS; i++)
		ugnf_tcb_observe(&flow->tcb[i], &sighting);
	observe_answer(policy, flow, direction, packet);
	/* If there is no slot, the flow goes on waiting, until there is payload. */
	if (ugnf_tcb_is_complete(&flow->tcb[0], sighting.state) ||
	    ugnf_tcb_is_complete(&flow->tcb[1], sighting.state))
		ugnf_flow_settle(flows, flow);
	ugnf_flow_unlock(flow);
	return tells;
}

/**
 * ugnf_connection_skip() - no rule for streams is for a segment
 * @flows: the flows of its network namespace
 * @hook: the hook
 * @packet: a TCP segment with payload
 *
 * If such a rule judged the stream at this hook before, the rules were changed, or the segment has
 * another mark. If none did, the flow is there for the other direction or hook, and a rule for this
 * one may come. The stream is picked up after this segment.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep.
 */
void ugnf_connection_skip(struct ugnf_flows *flows, u8 hook, const struct ugnf_packet *packet)
{
	struct ugnf_direction *dir;
	struct ugnf_flow *flow;
	struct nf_conn *ct;
	bool followed;
	u8 direction;

	ct = conntrack_of(packet, &direction);
	flow = ct ? ugnf_flow_find(flows, ct) : NULL;
	if (!flow)
		return;
	dir = &ugnf_flow_tcb(flow, hook)->dir[direction];
	followed = ugnf_direction_sequence(dir);
	if (!packet->tcp.rst && (!followed || dir->hook == hook)) {
		dir->is_changed = true;
		if (followed)
			ugnf_direction_pass(dir, &packet->tcp);
	}
	ugnf_flow_unlock(flow);
}

static struct ugnf_judgment found(enum ugnf_finding verdict, struct ugnf_because why)
{
	return (struct ugnf_judgment) { .verdict = verdict, .why = why };
}

/* The segment has no octets, or they are never delivered: there is nothing to judge. */
static struct ugnf_judgment nothing(const struct ugnf_packet *packet)
{
	return found(packet->len ? UGNF_WELL_FORMED : UGNF_EMPTY, UGNF_BECAUSE(JUDGED));
}

/* It is not known where the segment is in the stream. */
static struct ugnf_judgment nowhere(const struct ugnf_rule *rule)
{
	return found(ugnf_action_withholds(&rule->action) ? UGNF_WITHHELD : UGNF_WELL_FORMED,
		     UGNF_BECAUSE(WINDOW));
}

/* The segment cannot be followed: the fail policy of the rule decides. */
static struct ugnf_judgment unfollowed(struct ugnf_because why, u8 reason,
				       struct utf8guard_refusal *refusal)
{
	refusal->reason = reason;
	return found(UGNF_UNFOLLOWED, why);
}

static struct ugnf_judgment judge_followed(struct ugnf_rule *rule, struct ugnf_tcb *tcb,
					   const struct ugnf_sighting *sighting,
					   const struct ugnf_packet *packet,
					   struct utf8guard_refusal *refusal)
{
	const struct ugnf_admission_policy policy = {
		.scope = rule->in_order ? &rule->scope : NULL,
		.stream = &rule->policy,
		.is_closed = rule->action.fail_closed,
		.refuses = ugnf_action_refuses(&rule->action),
	};

	switch (ugnf_tcb_admit(tcb, sighting, &policy)) {
	case UGNF_ADMIT_JUDGE:
		return ugnf_segment_judge(rule, &tcb->dir[sighting->direction], packet, refusal);
	case UGNF_ADMIT_WINDOW:
		return nowhere(rule);
	case UGNF_ADMIT_FULL:
		return unfollowed(UGNF_BECAUSE(FULL), UTF8GUARD_REASON_FULL, refusal);
	case UGNF_ADMIT_MIDDLE:
		return unfollowed(UGNF_BECAUSE(RESYNC), UTF8GUARD_REASON_RESYNC, refusal);
	case UGNF_ADMIT_EMPTY:
		break;
	}
	return nothing(packet);
}

/*
 * With Multipath TCP, the application gets octets in the order of other sequence numbers than
 * those of TCP, or not at all. So such a stream is not followed.
 */
static struct ugnf_judgment judge_multipath(const struct ugnf_rule *rule,
					    struct ugnf_direction *dir,
					    const struct ugnf_packet *packet,
					    struct utf8guard_refusal *refusal)
{
	const struct ugnf_segment_header *header = &packet->tcp;

	if (!packet->len)
		return nothing(packet);
	refusal->cause = UTF8GUARD_CAUSE_MULTIPATH;
	if (rule->action.fail_closed)
		refusal->is_repeat = !ugnf_direction_tell(dir, ugnf_segment_first(header),
							  ugnf_segment_end(header));
	return unfollowed(UGNF_BECAUSE(UNFOLLOWED), UTF8GUARD_REASON_UNFOLLOWED, refusal);
}

/* Is it a FIN or an acknowledgment alone? There is nothing to judge if it was never followed. */
static bool is_end_alone(const struct ugnf_packet *packet)
{
	return !packet->len && !packet->tcp.syn && !packet->tcp.urg;
}

/* Must the flow of this segment take a slot: is it more than the beginning of a handshake? */
static bool takes_slot(const struct ugnf_packet *packet)
{
	return packet->len || packet->tcp.fin || packet->tcp.urg;
}

static struct ugnf_flow *flow_of(struct ugnf_flows *flows, struct nf_conn *ct,
				 const struct ugnf_packet *packet)
{
	return is_end_alone(packet) ? ugnf_flow_find(flows, ct) : ugnf_flow_get(flows, ct);
}

static struct ugnf_judgment too_many(const struct ugnf_packet *packet,
				     struct utf8guard_refusal *refusal)
{
	if (is_end_alone(packet))
		return nothing(packet);
	return unfollowed(UGNF_BECAUSE(FULL), UTF8GUARD_REASON_FULL, refusal);
}

static struct ugnf_judgment untracked(const struct ugnf_packet *packet,
				      struct utf8guard_refusal *refusal)
{
	/* What connection tracking has misread may tell of a connection that is followed. */
	if (is_end_alone(packet) && !ugnf_packet_is_misread(packet))
		return nothing(packet);
	return unfollowed(UGNF_BECAUSE(UNTRACKED), UTF8GUARD_REASON_UNTRACKED, refusal);
}

/* ugnf_connection_judge() for a segment of the connection that @ct tracks */
static struct ugnf_judgment judge_tracked(const struct utf8guard_policy *policy,
					  struct ugnf_flows *flows, struct ugnf_rule *rule,
					  const struct ugnf_packet *packet, struct nf_conn *ct,
					  u8 direction, struct utf8guard_refusal *refusal)
{
	struct ugnf_sighting sighting;
	struct ugnf_judgment finding;
	struct ugnf_direction *own;
	struct ugnf_flow *flow;
	struct ugnf_tcb *tcb;

	flow = flow_of(flows, ct, packet);
	if (!flow)
		return too_many(packet, refusal);
	if (takes_slot(packet) && !ugnf_flow_settle(flows, flow)) {
		ugnf_flow_unlock(flow);
		return too_many(packet, refusal);
	}
	sighting = sighting_of(packet, ct, direction);
	tcb = ugnf_flow_tcb(flow, rule->match.fields.hook);
	own = &tcb->dir[direction];
	own->rule = rule;
	own->generation = policy->generation;
	/* A new flow has observed nothing yet. */
	own->is_multipath |= ugnf_handshake_agrees(own, &tcb->dir[!direction], &sighting);
	finding = ugnf_tcb_is_multipath(tcb) ?
		  judge_multipath(rule, own, packet, refusal) :
		  judge_followed(rule, tcb, &sighting, packet, refusal);
	ugnf_flow_unlock(flow);
	return finding;
}

/**
 * ugnf_connection_judge() - may this segment be delivered, with all before it?
 * @policy: the rules in force
 * @flows: the flows of its network namespace
 * @rule: the rule of the policy that decides, which is for streams
 * @packet: a TCP segment with payload, SYN, FIN or URG, or for which ugnf_connection_observe() was
 *	true, or which connection tracking has misread
 * @refusal: its error and bytes are filled in for UGNF_ILL_FORMED, with an offset from the
 *	beginning of the stream, or from where it was picked up. Its reason is filled in for
 *	UGNF_UNREADABLE and UGNF_UNFOLLOWED, and for UGNF_WITHHELD where the sender cannot simply
 *	send the same again
 *
 * A segment that is refused has no influence on what is judged later, also where it is only
 * marked. If the rule only counts or audits, the stream is picked up after the segment.
 *
 * Context: a netfilter hook, under rcu_read_lock(); does not sleep; takes up to 2,304 octets of
 * stack, and the lock of the flow.
 * Return: the finding, and what the rule must count; for UGNF_UNFOLLOWED, "fail" of the rule
 * decides.
 */
struct ugnf_judgment ugnf_connection_judge(const struct utf8guard_policy *policy,
					   struct ugnf_flows *flows, struct ugnf_rule *rule,
					   const struct ugnf_packet *packet,
					   struct utf8guard_refusal *refusal)
{
	struct ugnf_judgment finding;
	struct nf_conn *ct;
	u8 direction;

	/* The payload of such a segment is never delivered. */
	if (packet->tcp.rst && !ugnf_packet_is_misread(packet))
		return ugnf_segment_is_multiple(&packet->tcp) ? nowhere(rule) : nothing(packet);
	ct = conntrack_of(packet, &direction);
	if (ct)
		return judge_tracked(policy, flows, rule, packet, ct, direction, refusal);
	/* A receiver may take a FIN that connection tracking finds invalid. */
	ct = is_end_alone(packet) ? ugnf_conntrack_of_invalid(packet, &direction) : NULL;
	if (!ct)
		return untracked(packet, refusal);
	finding = judge_tracked(policy, flows, rule, packet, ct, direction, refusal);
	nf_ct_put(ct);
	return finding;
}
