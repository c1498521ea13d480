// SPDX-License-Identifier: GPL-2.0
/*
 * The connections whose streams are followed. A flow begins with the first packet
 * that a rule for streams is for, and ends with its conntrack: sooner, and half of
 * a character could be forgotten in a pause.
 *
 * The first packet, a SYN, has a conntrack that is not confirmed yet, and may never
 * be. It gets a flow all the same: were its beginning not known, up to three octets
 * of the stream could not be judged, and what a SYN carries (RFC 7413) not at all.
 * Nobody else finds an unconfirmed conntrack, so once ours is the only reference to
 * it, the packet was dropped, and the flow ends, too.
 *
 * A flow that has had nothing but the beginning of a handshake waits for a slot. Anybody
 * can begin as many as he likes, in other names, and few of those who mean it wait for long:
 * so there is a bound for them alone, and the oldest goes when there is another. With the
 * third acknowledgment, or with payload, a flow takes a slot, which it has until its end.
 *
 * So each connection that began since there are rules for it has a flow. One that connection
 * tracking knows, and that has none, is older than the rule, unless a flow was lost in the
 * last minutes. One that connection tracking does not know, and that does not begin with a
 * SYN, began before this host saw it, or was forgotten; who sends what the conntrack takes
 * for its end can bring that about. It is believed to be older only in the first minutes
 * after there are rules.
 *
 * A reference keeps a conntrack from being freed, and from nothing else: the kernel
 * deletes it when it times out, and the flow goes within a second.
 */
#include <linux/module.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>
#include <net/netfilter/nf_conntrack.h>

#include "../stream/direction.h"
#include "../stream/tcb.h"
#include "flow.h"
#include "memory.h"
#include "quota.h"

/* How many flows are looked at before others may run. */
#define FLOWS_AT_ONCE 256

/* Seconds after which no handshake goes on that lost its flow: connection tracking has 120. */
#define FLOWS_LOST 180

enum { IPV4, IPV6 };

static unsigned int max_flows = 65536;
module_param(max_flows, uint, 0644);
MODULE_PARM_DESC(max_flows, "TCP connections followed, at most, in each network namespace");

static unsigned int max_flows_total = 262144;
module_param(max_flows_total, uint, 0644);
MODULE_PARM_DESC(max_flows_total,
		 "the same in all of them together; half of it in those of users' own");

static unsigned int max_handshakes = 65536;
module_param(max_handshakes, uint, 0644);
MODULE_PARM_DESC(max_handshakes,
		 "TCP connections that have only begun, at most, in each network namespace; then the oldest is forgotten");

static unsigned int pick_up_seconds = 120;
module_param(pick_up_seconds, uint, 0644);
MODULE_PARM_DESC(pick_up_seconds,
		 "so long after the first rules for streams, connections that are not tracked yet may be older");

/* The flows of all namespaces, and those that will be in a moment; and of those waiting. */
static atomic_t total = ATOMIC_INIT(0), total_waiting = ATOMIC_INIT(0);

/* Of addresses: the memory of a conntrack has no other life while we have a reference. */
static const struct rhashtable_params table_params = {
	.key_len = sizeof_field(struct ugnf_flow, ct),
	.key_offset = offsetof(struct ugnf_flow, ct),
	.head_offset = offsetof(struct ugnf_flow, node),
	.automatic_shrinking = true,
};

static u32 total_for(const struct net *net)
{
	return ugnf_quota_share(READ_ONCE(max_flows_total), net->user_ns != &init_user_ns);
}

/* Its lock is held, or nobody has seen it. */
static void wait_no_more(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	spin_lock_bh(&flows->waiting_lock);
	if (!list_empty(&flow->waiting)) {
		list_del_init(&flow->waiting);
		flows->waiting_count--;
		atomic_dec(&total_waiting);
	}
	spin_unlock_bh(&flows->waiting_lock);
}

/* It is in no table. A packet may be waiting for its lock. */
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
		ugnf_quota_give(&flows->count, &total);
	spin_unlock_bh(&flow->lock);
	nf_ct_put(flow->ct);
	kfree_rcu(flow, rcu);
}

static void free_in_table(void *flow, void *flows)
{
	free_flow(flows, flow);
}

/* The work may do so while the rules change, or meet a flow twice. */
static void remove(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	if (rhashtable_remove_fast(&flows->table, &flow->node, table_params))
		return;
	free_flow(flows, flow);
}

/* Will no packet be of this connection any more? */
static bool is_over(const struct ugnf_flow *flow)
{
	const struct nf_conn *ct = flow->ct;

	if (nf_ct_is_dying(ct))
		return true;
	return !nf_ct_is_confirmed(ct) && refcount_read(&ct->ct_general.use) == 1;
}

/* Whoever comes next without a flow may be one that had one. */
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
		atomic_dec(&total_waiting);
	}
	spin_unlock_bh(&flows->waiting_lock);
	return flow;
}

/*
 * Under rcu_read_lock(), without the lock of a flow. It may take its slot just now, where
 * its packet has come to that: then it is as if it had done so before, and had lost it.
 */
static void forget_oldest(struct ugnf_flows *flows)
{
	struct ugnf_flow *flow = oldest_waiting(flows);

	if (!flow)
		return;
	if (!is_over(flow))
		lose(flows);
	remove(flows, flow);
}

/* Others go for it, and it goes itself where all namespaces together have too many. */
static void wait_for_place(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	ugnf_flow_lock(flow);
	if (!flow->dead && !flow->has_slot) {
		spin_lock_bh(&flows->waiting_lock);
		list_add_tail(&flow->waiting, &flows->waiting);
		flows->waiting_count++;
		atomic_inc(&total_waiting);
		spin_unlock_bh(&flows->waiting_lock);
	}
	ugnf_flow_unlock(flow);
	if (READ_ONCE(flows->waiting_count) > READ_ONCE(max_handshakes) ||
	    (u32)atomic_read(&total_waiting) > total_for(nf_ct_net(flow->ct)))
		forget_oldest(flows);
}

/**
 * ugnf_flow_settle() - a flow takes a slot
 * @flows: of its namespace
 * @flow: locked
 *
 * Context: a netfilter hook, under rcu_read_lock().
 * Return: whether it has one; there may be none left.
 */
bool ugnf_flow_settle(struct ugnf_flows *flows, struct ugnf_flow *flow)
{
	if (flow->has_slot)
		return true;
	if (!ugnf_quota_take(&flows->count, READ_ONCE(max_flows), &total,
			     total_for(nf_ct_net(flow->ct))))
		return false;
	flow->has_slot = true;
	wait_no_more(flows, flow);
	return true;
}

/* So that nobody has them for as long as he likes. */
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

/* Remove what is over, or all. */
static void sweep(struct ugnf_flows *flows, bool all)
{
	struct rhashtable_iter iter;
	struct ugnf_flow *flow;
	u32 n = 0;

	rhashtable_walk_enter(&flows->table, &iter);
	rhashtable_walk_start(&iter);
	while ((flow = rhashtable_walk_next(&iter))) {
		if (!IS_ERR(flow) && (all || is_over(flow)))
			remove(flows, flow);
		else if (!IS_ERR(flow) && ugnf_memory_is_scarce(&flows->memory))
			give_up_copies(flows, flow);
		if (++n % FLOWS_AT_ONCE)
			continue;
		rhashtable_walk_stop(&iter);
		cond_resched();
		rhashtable_walk_start(&iter);
	}
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
}

static void queue_gc(struct ugnf_flows *flows)
{
	queue_delayed_work(system_power_efficient_wq, &flows->gc, HZ);
}

static void collect(struct work_struct *work)
{
	struct ugnf_flows *flows = container_of(to_delayed_work(work), struct ugnf_flows, gc);

	sweep(flows, false);
	if (atomic_read(&flows->table.nelems))
		queue_gc(flows);
}

static void flush(struct ugnf_flows *flows)
{
	cancel_delayed_work_sync(&flows->gc);
	sweep(flows, true);
	/* Others may have come meanwhile, where there are rules still. */
	if (atomic_read(&flows->table.nelems))
		queue_gc(flows);
}

static int make_ready(struct ugnf_flows *flows)
{
	int err;

	if (flows->ready)
		return 0;
	err = rhashtable_init(&flows->table, &table_params);
	if (err)
		return err;
	INIT_DELAYED_WORK(&flows->gc, collect);
	INIT_LIST_HEAD(&flows->waiting);
	spin_lock_init(&flows->waiting_lock);
	flows->ready = true;
	return 0;
}

/* By the bits of ugnf_net.hooks. */
static unsigned long families_of(unsigned long hooks)
{
	return (hooks & 0x15 ? BIT(IPV4) : 0) | (hooks & 0x2a ? BIT(IPV6) : 0);
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
 * ugnf_flows_add() - get what a policy needs to follow streams
 * @flows: of the network namespace
 * @net: the network namespace, its rules locked
 * @hooks: at which a policy that is not in use yet has rules for streams, a bit each
 *
 * That is connection tracking. A connection that is there already is followed from
 * its middle on.
 *
 * Context: process context; may sleep.
 * Return: 0, or an error of connection tracking: then all is as before.
 */
int ugnf_flows_add(struct ugnf_flows *flows, struct net *net, unsigned long hooks)
{
	int err;

	if (!hooks)
		return 0;
	err = make_ready(flows) ?: get_families(net, flows, families_of(hooks));
	if (err)
		return err;
	if (hooks & ~flows->hooks)
		WRITE_ONCE(flows->since, ktime_get_seconds());
	/* Pairs with ugnf_flows_wanted(). */
	smp_store_release(&flows->hooks, flows->hooks | hooks);
	return 0;
}

/**
 * ugnf_flows_trim() - give back what a policy does not need
 * @flows: of the network namespace
 * @net: the network namespace, its rules locked
 * @hooks: at which the policy in use has rules for streams, a bit each
 *
 * Where a hook is not asked any more, streams go on unseen: all flows are forgotten,
 * for what is known of them will not be true. No packet that saw the old rules makes
 * another after that, if none is wanted.
 *
 * Context: process context; may sleep, as long as RCU takes where hooks go.
 */
void ugnf_flows_trim(struct ugnf_flows *flows, struct net *net, unsigned long hooks)
{
	if (!(flows->hooks & ~hooks))
		return;
	WRITE_ONCE(flows->hooks, hooks);
	synchronize_rcu();
	flush(flows);
	put_families(net, flows, flows->families & ~families_of(hooks));
}

/* The namespace goes away. */
void ugnf_flows_close(struct ugnf_flows *flows, struct net *net)
{
	WRITE_ONCE(flows->hooks, 0);
	put_families(net, flows, flows->families);
}

/*
 * No packet is on its way any more, and connection tracking, which waits for our
 * references, ends after us: it began before.
 */
void ugnf_flows_exit(struct ugnf_flows *flows)
{
	if (!flows->ready)
		return;
	cancel_delayed_work_sync(&flows->gc);
	rhashtable_free_and_destroy(&flows->table, free_in_table, flows);
}

/* Locks it, if it lives. */
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
 * @flows: of its namespace
 * @ct: the conntrack of a packet
 *
 * Context: a netfilter hook, under rcu_read_lock().
 * Return: the flow, locked until ugnf_flow_unlock(), or NULL.
 */
struct ugnf_flow *ugnf_flow_find(struct ugnf_flows *flows, struct nf_conn *ct)
{
	struct ugnf_flow *flow = rhashtable_lookup(&flows->table, &ct, table_params);

	return flow ? lock_flow(flow) : NULL;
}

/* Have there been rules for no longer than connections may be older than they look? */
static bool is_early(const struct ugnf_flows *flows)
{
	return ktime_get_seconds() - READ_ONCE(flows->since) < READ_ONCE(pick_up_seconds);
}

static bool has_lost(const struct ugnf_flows *flows)
{
	time64_t lost = READ_ONCE(flows->lost);

	return lost && ktime_get_seconds() - lost < FLOWS_LOST;
}

/* A connection without a flow: may it have begun before there were rules for it? */
static bool is_older(const struct ugnf_flows *flows, const struct nf_conn *ct)
{
	return is_early(flows) || (nf_ct_is_confirmed(ct) && !has_lost(flows));
}

static struct ugnf_flow *new_flow(struct nf_conn *ct)
{
	struct ugnf_flow *flow = kzalloc(sizeof(*flow), GFP_ATOMIC);

	if (!flow)
		return NULL;
	spin_lock_init(&flow->lock);
	INIT_LIST_HEAD(&flow->waiting);
	nf_conntrack_get(&ct->ct_general);
	flow->ct = ct;
	return flow;
}

/* Two processors may want to make the same: the table takes one. */
static bool insert(struct ugnf_flows *flows, struct nf_conn *ct)
{
	struct ugnf_flow *flow = new_flow(ct);
	int err, i;

	if (!flow)
		return false;
	for (i = 0; i < UGNF_SIGHTS; i++)
		ugnf_tcb_init(&flow->tcb[i], &flows->memory, is_older(flows, ct));
	err = rhashtable_lookup_insert_fast(&flows->table, &flow->node, table_params);
	if (!err) {
		wait_for_place(flows, flow);
		queue_gc(flows);
		return true;
	}
	/* Nobody has seen it. */
	nf_ct_put(ct);
	kfree(flow);
	return err == -EEXIST;
}

/**
 * ugnf_flow_get() - the flow of a connection, a new one if there is none
 * @flows: of its namespace
 * @ct: the conntrack of a packet; may be unconfirmed
 *
 * A new one has no slot yet: ugnf_flow_settle().
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
 * @flows: of its namespace
 * @ct: the conntrack of a packet that is not its SYN, unconfirmed
 *
 * Whoever sent the packet. Were it not remembered, the conntrack would soon be one that
 * connection tracking has known for long.
 *
 * Context: a netfilter hook, under rcu_read_lock(); allocates with GFP_ATOMIC.
 * Return: a new flow, locked until ugnf_flow_unlock(), or NULL where there is nothing to
 * remember, or no memory.
 */
struct ugnf_flow *ugnf_flow_pick_up(struct ugnf_flows *flows, struct nf_conn *ct)
{
	return is_early(flows) ? NULL : ugnf_flow_get(flows, ct);
}

/* Last, for sparse cannot follow a lock that is taken on one way out of two. */
void ugnf_flow_lock(struct ugnf_flow *flow) __acquires(&flow->lock)
{
	spin_lock_bh(&flow->lock);
}

void ugnf_flow_unlock(struct ugnf_flow *flow) __releases(&flow->lock)
{
	spin_unlock_bh(&flow->lock);
}
