// SPDX-License-Identifier: GPL-2.0
/*
 * Flows: the connections whose streams are followed.
 *
 * Life. A flow begins with the first packet for which there is a rule for streams, and ends with
 * its conntrack. It must not end sooner, or half of a character could be forgotten while a
 * connection is idle.
 *
 * Beginning. The conntrack of the first packet, a SYN, is not confirmed yet, and may never be. It
 * gets a flow all the same: without the SYN, up to three octets at the beginning of the stream
 * could not be judged, and the payload of a SYN (RFC 7413) not at all. But the kernel expects that
 * an unconfirmed conntrack belongs to its packet alone: it queues no packet (NFQUEUE) if somebody
 * else has a reference. So the flow takes one when the conntrack is confirmed: with the next
 * packet, or within a second. Until then, it keeps the tuple of the first packet. If that was
 * dropped, its conntrack is gone, and another one may get the same address: that has another
 * tuple, or is of the same connection. The old flow ends then, or after UNCONFIRMED_SECONDS.
 *
 * Waiting. A flow that has only seen the beginning of a handshake waits for a slot. Anybody can
 * begin handshakes from forged addresses without end, while real clients finish theirs soon. So
 * waiting flows have a bound of their own, and the oldest goes when it is reached. With the third
 * acknowledgment, or with payload, a flow takes a slot, and keeps it until it ends.
 *
 * Age. Each connection that began after the rule has a flow, unless a flow was lost. So:
 *
 * - a connection that connection tracking knows and that has no flow is older than the rule,
 *   unless a flow was lost in the last minutes. While it begins, it is not: where no rule is for
 *   the SYN, the flow begins later than the connection;
 * - a connection that connection tracking does not know, and whose first packet is no SYN, began
 *   before this host saw it, or was forgotten. An attacker can make connection tracking forget a
 *   connection, by segments that it takes for the end. So such a connection is believed to be
 *   older than the rule only in the first minutes after a hook got rules for streams.
 *
 * End. The reference of a flow keeps the memory of a conntrack, but not the conntrack itself: the
 * kernel deletes it when it times out, and the flow is removed within a second.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <net/netfilter/nf_conntrack.h>
#include <net/netfilter/nf_conntrack_core.h>
#include <net/netfilter/nf_conntrack_zones.h>

#include "../../service/policy.h"
#include "../rule/hook_bits.h"
#include "../stream/direction.h"
#include "../stream/tcb.h"
#include "flow.h"
#include "memory.h"
#include "owner.h"
#include "quota.h"

/* The collector looks at so many flows before it lets others run. */
#define FLOWS_AT_ONCE 256

/* A handshake that lost its flow is over after so many seconds; connection tracking has 120. */
#define FLOWS_LOST 180

/* After so many seconds, the packet of an unconfirmed conntrack is in no queue: it was dropped. */
#define UNCONFIRMED_SECONDS 30

/* The epochs that a flow tells apart. Between two is a grace period; a sweep comes each second. */
#define EPOCHS ((1U << 30) - 1)

/* So many sweeps follow one another. What they miss, where flows come and go, later ones find. */
#define SWEEP_TRIES 8

enum { IPV4, IPV6 };

static unsigned int max_flows = 65536;
module_param(max_flows, uint, 0644);
MODULE_PARM_DESC(max_flows, "limit of TCP connections followed in each network namespace (default 65536)");

static unsigned int max_flows_total = 262144;
module_param(max_flows_total, uint, 0644);
MODULE_PARM_DESC(max_flows_total,
		 "limit of TCP connections followed in all network namespaces (default 262144); those of users get half, one user no more than he leaves");

static unsigned int max_handshakes = 65536;
module_param(max_handshakes, uint, 0644);
MODULE_PARM_DESC(max_handshakes,
		 "limit of TCP handshakes followed in each network namespace (default 65536); beyond it the oldest is forgotten");

static unsigned int pick_up_seconds = 120;
module_param(pick_up_seconds, uint, 0644);
MODULE_PARM_DESC(pick_up_seconds,
		 "for how long after the first rules for streams connections that are not tracked yet may be older (default 120)");

/*
 * Beyond that, each connection takes 512 octets more, and there is no room left in these. Some
 * kernels have larger locks, and sparse computes another size.
 */
#ifndef __CHECKER__
static_assert(sizeof(struct ugnf_flow) <= 512 || sizeof(spinlock_t) > sizeof(u32));
#endif

/* The number of slots taken in all namespaces, and of flows that wait for one. */
static struct ugnf_total total, total_waiting;

/* What is kept of a conntrack to which there is no reference yet: since when, in jiffies. */
struct ugnf_unconfirmed {
	struct nf_conntrack_tuple tuple;
	struct nf_conntrack_zone zone;
	unsigned long since;
};

/*
 * The key is an address: our reference keeps the memory of a conntrack from being used again. For
 * flows without a reference, see is_of().
 */
static const struct rhashtable_params table_params = {
	.key_len = sizeof_field(struct ugnf_flow, ct),
	.key_offset = offsetof(struct ugnf_flow, ct),
	.head_offset = offsetof(struct ugnf_flow, node),
	.automatic_shrinking = true,
};

/* Slots, and flows that wait, of the user who made the namespace; NULL for one of the host. */
static atomic_t *slots_of_owner(const struct ugnf_flows *flows)
{
	return flows->memory.owner ? &flows->memory.owner->flows : NULL;
}

static atomic_t *waiting_of_owner(const struct ugnf_flows *flows)
{
	return flows->memory.owner ? &flows->memory.owner->waiting : NULL;
}

/* Remembers @ct, the conntrack of a packet on its way. */
static bool remember(struct ugnf_flow *flow, struct nf_conn *ct)
{
	flow->ct = ct;
	if (nf_ct_is_confirmed(ct)) {
		nf_conntrack_get(&ct->ct_general);
		return true;
	}
	flow->unconfirmed = kmalloc(sizeof(*flow->unconfirmed), GFP_ATOMIC);
	if (!flow->unconfirmed)
		return false;
	flow->unconfirmed->tuple = ct->tuplehash[IP_CT_DIR_ORIGINAL].tuple;
	flow->unconfirmed->zone = *nf_ct_zone(ct);
	flow->unconfirmed->since = jiffies;
	return true;
}

/* The flow is in no table any more, or never was. */
static void forget(struct ugnf_flow *flow)
{
	if (!flow->unconfirmed)
		nf_ct_put(flow->ct);
	kfree(flow->unconfirmed);
}

/* Is @ct, which has the address of the flow's, the same? The lock of the flow is held. */
static bool is_of(const struct ugnf_flow *flow, const struct nf_conn *ct)
{
	const struct ugnf_unconfirmed *first = flow->unconfirmed;

	return !first ||
	       (nf_ct_tuple_equal(&ct->tuplehash[IP_CT_DIR_ORIGINAL].tuple, &first->tuple) &&
		nf_ct_zone_equal(ct, &first->zone, IP_CT_DIR_ORIGINAL));
}

/* The conntrack is confirmed, and the caller has a reference. The lock of the flow is held. */
static void hold(struct ugnf_flow *flow)
{
	nf_conntrack_get(&flow->ct->ct_general);
	kfree(flow->unconfirmed);
	/* Pairs with is_over(). */
	smp_store_release(&flow->unconfirmed, NULL);
}

/* Holds the conntrack if connection tracking knows it now. The lock of the flow is held. */
static bool hold_known(struct net *net, struct ugnf_flow *flow)
{
	const struct ugnf_unconfirmed *first = flow->unconfirmed;
	struct nf_conntrack_tuple_hash *found =
		nf_conntrack_find_get(net, &first->zone, &first->tuple);
	struct nf_conn *ct;

	if (!found)
		return false;
	ct = nf_ct_tuplehash_to_ctrack(found);
	if (ct == flow->ct && is_of(flow, ct))
		hold(flow);
	nf_ct_put(ct);
	return !flow->unconfirmed;
}

/* The lock of the flow is held, or nobody else has seen it. */
static void wait_no_more(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	spin_lock_bh(&flows->waiting_lock);
	if (!list_empty(&flow->waiting)) {
		list_del_init(&flow->waiting);
		flows->waiting_count--;
		ugnf_quota_leave(&total_waiting, waiting_of_owner(flows));
	}
	spin_unlock_bh(&flows->waiting_lock);
}

/* The flow is in no table any more, but a packet may be waiting for its lock. */
static void free_flow(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	int i;

	spin_lock_bh(&flow->lock);
	flow->dead = true;
	for (i = 0; i < UGNF_SIGHTS; i++) {
		ugnf_direction_free(&flow->tcb[i].dir[0]);
		ugnf_direction_free(&flow->tcb[i].dir[1]);
	}
	wait_no_more(flows, flow);
	if (flow->has_slot)
		ugnf_quota_give(&flows->count, &total, slots_of_owner(flows));
	spin_unlock_bh(&flow->lock);
	forget(flow);
	kfree_rcu(flow, rcu);
}

static void free_in_table(void *flow, void *flows)
{
	free_flow(flows, flow);
}

/* The collector and a change of rules may both do this: only the first frees the flow. */
static void remove(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	if (rhashtable_remove_fast(&flows->table, &flow->node, table_params))
		return;
	free_flow(flows, flow);
}

/*
 * Is the connection over, so that no packet of it will come? Called under rcu_read_lock(), without
 * the lock of a flow.
 */
static bool is_over(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	bool is_over = false;

	/* Pairs with hold(). */
	if (!smp_load_acquire(&flow->unconfirmed))
		return nf_ct_is_dying(flow->ct);
	spin_lock_bh(&flow->lock);
	if (!flow->dead && flow->unconfirmed && !hold_known(flows->net, flow))
		is_over = time_after(jiffies,
				     flow->unconfirmed->since + UNCONFIRMED_SECONDS * HZ);
	spin_unlock_bh(&flow->lock);
	return is_over;
}

/*
 * Was the flow forgotten? All are at once where a new epoch begins, for a connection that goes on
 * with an old flow would be refused for good. To remove all then could take for ever: flows come
 * and go.
 */
static bool is_forgotten(const struct ugnf_flows *flows, const struct ugnf_flow *flow)
{
	return flow->epoch != (READ_ONCE(flows->epoch) & EPOCHS);
}

/* A flow was lost: from now on, a connection without a flow may be one that had one. */
static void lose(struct ugnf_flows *flows)
{
	WRITE_ONCE(flows->lost, ktime_get_seconds());
}

static struct ugnf_flow *oldest_waiting(struct ugnf_flows *flows)
{
	struct ugnf_flow *flow;

	spin_lock_bh(&flows->waiting_lock);
	flow = list_first_entry_or_null(&flows->waiting, struct ugnf_flow, waiting);
	if (flow) {
		list_del_init(&flow->waiting);
		flows->waiting_count--;
		ugnf_quota_leave(&total_waiting, waiting_of_owner(flows));
	}
	spin_unlock_bh(&flows->waiting_lock);
	return flow;
}

/*
 * Removes the flow that has waited longest. Called under rcu_read_lock(), without the lock of a
 * flow. At the same time, a packet may make that flow take a slot; the flow goes all the same.
 */
static void forget_oldest(struct ugnf_flows *flows)
{
	struct ugnf_flow *flow = oldest_waiting(flows);

	if (!flow)
		return;
	if (!is_forgotten(flows, flow) && !is_over(flows, flow))
		lose(flows);
	remove(flows, flow);
}

/* Lets a flow wait. If too many wait in this namespace, or in all, the oldest of this one goes. */
static void wait_for_place(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	ugnf_flow_lock(flow);
	if (!flow->dead && !flow->has_slot) {
		spin_lock_bh(&flows->waiting_lock);
		list_add_tail(&flow->waiting, &flows->waiting);
		flows->waiting_count++;
		ugnf_quota_enter(&total_waiting, waiting_of_owner(flows));
		spin_unlock_bh(&flows->waiting_lock);
	}
	ugnf_flow_unlock(flow);
	if (READ_ONCE(flows->waiting_count) > READ_ONCE(max_handshakes) ||
	    ugnf_quota_exceeds(&total_waiting, READ_ONCE(max_flows_total), waiting_of_owner(flows)))
		forget_oldest(flows);
}

/**
 * ugnf_flow_settle() - make a flow take a slot
 * @flows: the flows of its namespace
 * @flow: the flow, locked
 *
 * Context: a netfilter hook, under rcu_read_lock().
 * Return: whether it has a slot now; there may be none left.
 */
bool ugnf_flow_settle(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	const struct ugnf_quota quota = {
		.own = &flows->count,
		.most = READ_ONCE(max_flows),
		.total = &total,
		.limit = READ_ONCE(max_flows_total),
		.owner = slots_of_owner(flows),
	};

	if (flow->has_slot)
		return true;
	if (!ugnf_quota_take(&quota))
		return false;
	flow->has_slot = true;
	wait_no_more(flows, flow);
	return true;
}

/* Gives up old copies of a flow, so that no sender can hold memory for ever. */
static void give_up_copies(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	u32 now = jiffies_to_msecs(jiffies), count = 0;
	int i;

	spin_lock_bh(&flow->lock);
	for (i = 0; i < UGNF_SIGHTS; i++)
		count += ugnf_direction_give_up(&flow->tcb[i].dir[0], now) +
			 ugnf_direction_give_up(&flow->tcb[i].dir[1], now);
	spin_unlock_bh(&flow->lock);
	atomic64_add(count, &flows->memory.given_up);
}

/*
 * Lets others run while the walk is at @flow, which is still in the table. A walk finds its place
 * again by that flow. Return: false, and the walk misses some flows, if somebody else has removed
 * that flow meanwhile, or if the table has another size. The walk then begins again, but older
 * kernels would still go on from a flow that may be freed.
 */
static bool pause(struct rhashtable_iter *iter, struct ugnf_flow *flow)
{
	rhashtable_walk_stop(iter);
	cond_resched();
	if (!rhashtable_walk_start_check(iter))
		return rhashtable_walk_peek(iter) == flow;
	iter->p = NULL;
	return false;
}

/* Removes the flows that are over, or were forgotten. Return: false where it has missed some. */
static bool sweep(struct ugnf_flows *flows)
{
	struct rhashtable_iter iter;
	struct ugnf_flow *flow;
	bool has_missed = false;
	u32 n = 0;

	rhashtable_walk_enter(&flows->table, &iter);
	rhashtable_walk_start(&iter);
	while ((flow = rhashtable_walk_next(&iter))) {
		if (IS_ERR(flow) || (!(++n % FLOWS_AT_ONCE) && !pause(&iter, flow))) {
			has_missed = true;
			continue;
		}
		if (is_forgotten(flows, flow) || is_over(flows, flow))
			remove(flows, flow);
		else if (ugnf_memory_is_scarce(&flows->memory))
			give_up_copies(flows, flow);
	}
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
	return !has_missed;
}

static void queue_gc(struct ugnf_flows *flows)
{
	queue_delayed_work(utf8guard_ruleset_queue, &flows->gc, HZ);
}

static void collect(struct work_struct *work)
{
	struct ugnf_flows *flows = container_of(to_delayed_work(work), struct ugnf_flows, gc);

	sweep(flows);
	if (atomic_read(&flows->table.nelems))
		queue_gc(flows);
}

/* No packet makes flows for the old rules any more. */
static void forget_all(struct ugnf_flows *flows)
{
	unsigned int tries = SWEEP_TRIES;

	WRITE_ONCE(flows->epoch, flows->epoch + 1);
	while (!sweep(flows) && --tries)
		;
	/* If there still are rules, other flows may have come meanwhile. */
	if (atomic_read(&flows->table.nelems))
		queue_gc(flows);
}

static int make_ready(struct ugnf_flows *flows, struct net *net)
{
	int err;

	if (flows->ready)
		return 0;
	err = ugnf_owner_get(&flows->memory.owner, net);
	if (err)
		return err;
	err = rhashtable_init(&flows->table, &table_params);
	if (err)
		goto no_table;
	flows->net = net;
	INIT_DELAYED_WORK(&flows->gc, collect);
	INIT_LIST_HEAD(&flows->waiting);
	spin_lock_init(&flows->waiting_lock);
	flows->ready = true;
	return 0;

no_table:
	ugnf_owner_put(flows->memory.owner);
	flows->memory.owner = NULL;
	return err;
}

/* The families of a set of hooks, which is as of ugnf_net.hooks. */
static unsigned long families_of(unsigned long hooks)
{
	return (hooks & UGNF_HOOKS_IPV4 ? BIT(IPV4) : 0) |
	       (hooks & UGNF_HOOKS_IPV6 ? BIT(IPV6) : 0);
}

static void put_families(struct net *net, struct ugnf_flows *flows, unsigned long families)
{
	if (families & BIT(IPV4))
		nf_ct_netns_put(net, NFPROTO_IPV4);
	if (families & BIT(IPV6))
		nf_ct_netns_put(net, NFPROTO_IPV6);
	flows->families &= ~families;
}

static int get_family(struct net *net, struct ugnf_flows *flows, unsigned int family)
{
	int err = nf_ct_netns_get(net, family == IPV4 ? NFPROTO_IPV4 : NFPROTO_IPV6);

	if (!err)
		flows->families |= BIT(family);
	return err;
}

static int get_families(struct net *net, struct ugnf_flows *flows, unsigned long families)
{
	unsigned long had = flows->families;
	unsigned int family;
	int err;

	for (family = IPV4; family <= IPV6; family++) {
		if (!(families & ~had & BIT(family)))
			continue;
		err = get_family(net, flows, family);
		if (err) {
			put_families(net, flows, flows->families & ~had);
			return err;
		}
	}
	return 0;
}

/**
 * ugnf_flows_add() - enable connection tracking where a policy follows streams
 * @flows: the flows of the network namespace
 * @net: the network namespace, its rules locked
 * @hooks: a bit for each hook at which the policy, which is not in use yet, follows streams
 *
 * A connection that exists already will be followed from its middle on.
 *
 * Context: process context; may sleep.
 * Return: 0; or an error of connection tracking, and then all is as before.
 */
int ugnf_flows_add(struct ugnf_flows *flows, struct net *net, unsigned long hooks)
{
	int err;

	if (!hooks)
		return 0;
	err = make_ready(flows, net) ?: get_families(net, flows, families_of(hooks));
	if (err)
		return err;
	if (hooks & ~flows->hooks)
		WRITE_ONCE(flows->since, ktime_get_seconds());
	/* Pairs with ugnf_flows_wanted(). */
	smp_store_release(&flows->hooks, flows->hooks | hooks);
	return 0;
}

/**
 * ugnf_flows_trim() - disable connection tracking where a policy does not follow streams
 * @flows: the flows of the network namespace
 * @net: the network namespace, its rules locked
 * @hooks: a bit for each hook at which the policy in use follows streams
 *
 * At a hook without rules for streams, segments go by unseen, so the state of flows would soon
 * be wrong. All flows are forgotten then. If no rule follows streams any more, no packet that
 * still saw the old rules makes a flow after this.
 *
 * Context: process context; may sleep, for an RCU grace period where a hook goes.
 */
void ugnf_flows_trim(struct ugnf_flows *flows, struct net *net, unsigned long hooks)
{
	if (!(flows->hooks & ~hooks))
		return;
	WRITE_ONCE(flows->hooks, hooks);
	synchronize_rcu();
	forget_all(flows);
	put_families(net, flows, flows->families & ~families_of(hooks));
}

/* The namespace goes away. */
void ugnf_flows_close(struct ugnf_flows *flows, struct net *net)
{
	WRITE_ONCE(flows->hooks, 0);
	put_families(net, flows, flows->families);
}

/*
 * No packet is on its way any more. Connection tracking waits for our references; it was
 * initialised before this module, so it ends later.
 */
void ugnf_flows_exit(struct ugnf_flows *flows)
{
	if (!flows->ready)
		return;
	cancel_delayed_work_sync(&flows->gc);
	rhashtable_free_and_destroy(&flows->table, free_in_table, flows);
}

/* Locks the flow, if it is not dead. */
static struct ugnf_flow *lock_flow(struct ugnf_flow *flow)
{
	ugnf_flow_lock(flow);
	if (!flow->dead)
		return flow;
	ugnf_flow_unlock(flow);
	return NULL;
}

/**
 * ugnf_flow_find() - the flow of a connection
 * @flows: the flows of its namespace
 * @ct: the conntrack of a packet
 *
 * Context: a netfilter hook, under rcu_read_lock().
 * Return: the flow, locked until ugnf_flow_unlock(), or NULL.
 */
struct ugnf_flow *ugnf_flow_find(struct ugnf_flows *flows, struct nf_conn *ct)
{
	struct ugnf_flow *flow = rhashtable_lookup(&flows->table, &ct, table_params);

	if (flow)
		flow = lock_flow(flow);
	if (!flow)
		return NULL;
	if (!is_of(flow, ct) || is_forgotten(flows, flow)) {
		ugnf_flow_unlock(flow);
		remove(flows, flow);
		return NULL;
	}
	if (flow->unconfirmed && nf_ct_is_confirmed(ct))
		hold(flow);
	return flow;
}

/* Are the rules for streams so young that an untracked connection is believed to be older? */
static bool is_early(const struct ugnf_flows *flows)
{
	return ktime_get_seconds() - READ_ONCE(flows->since) < READ_ONCE(pick_up_seconds);
}

static bool has_lost(const struct ugnf_flows *flows)
{
	time64_t lost = READ_ONCE(flows->lost);

	return lost && ktime_get_seconds() - lost < FLOWS_LOST;
}

/*
 * May a connection without a flow have begun before there were rules for it? Not while it begins:
 * if no rule is for the caller, the first segment for a rule comes then. Nor if connection tracking
 * has forgotten it: then the flow may be gone, while a packet still was in a queue.
 */
static bool is_older(const struct ugnf_flows *flows, const struct nf_conn *ct)
{
	if (!nf_ct_is_confirmed(ct))
		return is_early(flows);
	return ugnf_tcb_is_open(READ_ONCE(ct->proto.tcp.state)) && !nf_ct_is_dying(ct) &&
	       (is_early(flows) || !has_lost(flows));
}

static struct ugnf_flow *new_flow(const struct ugnf_flows *flows, struct nf_conn *ct)
{
	struct ugnf_flow *flow = kzalloc(sizeof(*flow), GFP_ATOMIC);

	if (!flow)
		return NULL;
	spin_lock_init(&flow->lock);
	INIT_LIST_HEAD(&flow->waiting);
	flow->epoch = READ_ONCE(flows->epoch) & EPOCHS;
	if (remember(flow, ct))
		return flow;
	kfree(flow);
	return NULL;
}

/* Makes a flow. If two processors make one for the same connection, the table takes one of them. */
static bool insert(struct ugnf_flows *flows, struct nf_conn *ct)
{
	struct ugnf_flow *flow = new_flow(flows, ct);
	int err, i;

	if (!flow)
		return false;
	for (i = 0; i < UGNF_SIGHTS; i++)
		ugnf_tcb_init(&flow->tcb[i], &flows->memory, is_older(flows, ct),
			      READ_ONCE(ct->proto.tcp.state));
	err = rhashtable_lookup_insert_fast(&flows->table, &flow->node, table_params);
	if (!err) {
		wait_for_place(flows, flow);
		queue_gc(flows);
		return true;
	}
	/* Nobody else has seen this one. */
	forget(flow);
	kfree(flow);
	return err == -EEXIST;
}

/**
 * ugnf_flow_get() - the flow of a connection, a new one if there is none
 * @flows: the flows of its namespace
 * @ct: the conntrack of a packet; may be unconfirmed
 *
 * A new flow has no slot yet; see ugnf_flow_settle().
 *
 * Context: a netfilter hook, under rcu_read_lock(); allocates with GFP_ATOMIC.
 * Return: the flow, locked until ugnf_flow_unlock(), or NULL where there is no memory, or no
 * rule for streams any more.
 */
struct ugnf_flow *ugnf_flow_get(struct ugnf_flows *flows, struct nf_conn *ct)
{
	struct ugnf_flow *flow = ugnf_flow_find(flows, ct);

	if (flow || !ugnf_flows_wanted(flows))
		return flow;
	if (!insert(flows, ct))
		lose(flows);
	return ugnf_flow_find(flows, ct);
}

/**
 * ugnf_flow_pick_up() - connection tracking has just picked a connection up
 * @flows: the flows of its namespace
 * @ct: the unconfirmed conntrack of a packet that is not a SYN, from either end
 *
 * Remembers when that was. Otherwise the conntrack would soon look like one that connection
 * tracking has known since before the rules.
 *
 * Context: a netfilter hook, under rcu_read_lock(); allocates with GFP_ATOMIC.
 * Return: a new flow, locked until ugnf_flow_unlock(), or NULL where there is nothing to
 * remember, or no memory.
 */
struct ugnf_flow *ugnf_flow_pick_up(struct ugnf_flows *flows, struct nf_conn *ct)
{
	return is_early(flows) ? NULL : ugnf_flow_get(flows, ct);
}

/* These two come last, for sparse cannot follow a lock taken on one path of two. */
void ugnf_flow_lock(struct ugnf_flow *flow) __acquires(&flow->lock)
{
	spin_lock_bh(&flow->lock);
}

void ugnf_flow_unlock(struct ugnf_flow *flow) __releases(&flow->lock)
{
	spin_unlock_bh(&flow->lock);
}
