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
 * A reference keeps a conntrack from being freed, and from nothing else: the kernel
 * deletes it when it times out, and the flow goes within a second.
 */
#include <linux/module.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>
#include <net/netfilter/nf_conntrack.h>

#include "flow.h"
#include "nf.h"

/* How many flows are looked at before others may run. */
#define FLOWS_AT_ONCE 256

enum { IPV4, IPV6 };

static unsigned int max_flows = 65536;
module_param(max_flows, uint, 0644);
MODULE_PARM_DESC(max_flows, "TCP connections followed, at most, in each network namespace");

static unsigned int max_flows_total = 262144;
module_param(max_flows_total, uint, 0644);
MODULE_PARM_DESC(max_flows_total,
		 "the same in all of them together; half of it in those of users' own");

/* The flows of all namespaces, and those that will be in a moment. */
static atomic_t total = ATOMIC_INIT(0);

/* Of addresses: the memory of a conntrack has no other life while we have a reference. */
static const struct rhashtable_params table_params = {
	.key_len = sizeof_field(struct nf_flow, ct),
	.key_offset = offsetof(struct nf_flow, ct),
	.head_offset = offsetof(struct nf_flow, node),
	.automatic_shrinking = true,
};

/* It is in no table. A packet may be waiting for its lock. */
static void free_flow(struct nf_flow *flow)
{
	spin_lock_bh(&flow->lock);
	flow->dead = true;
	nf_side_free(&flow->side[0]);
	nf_side_free(&flow->side[1]);
	spin_unlock_bh(&flow->lock);
	nf_ct_put(flow->ct);
	kfree_rcu(flow, rcu);
}

static bool take(atomic_t *count, unsigned int most)
{
	if ((unsigned int)atomic_inc_return(count) <= min_t(unsigned int, most, INT_MAX))
		return true;
	atomic_dec(count);
	return false;
}

/*
 * Whoever may make user namespaces is root of as many network namespaces as he
 * likes. Together, those leave half of all to the ones of the host's own root, or
 * there could be none for its rules, which may be to fail closed.
 */
static unsigned int total_for(const struct net *net)
{
	unsigned int most = READ_ONCE(max_flows_total);

	return net->user_ns == &init_user_ns ? most : most / 2;
}

/* Before the flow is made, so that there are never too many. */
static bool take_place(struct nf_flows *flows, const struct net *net)
{
	if (!take(&flows->count, READ_ONCE(max_flows)))
		return false;
	if (take(&total, total_for(net)))
		return true;
	atomic_dec(&flows->count);
	return false;
}

static void give_place(struct nf_flows *flows)
{
	atomic_dec(&total);
	atomic_dec(&flows->count);
}

static void free_in_table(void *flow, void *flows)
{
	give_place(flows);
	free_flow(flow);
}

/* The work may do so while the rules change, or meet a flow twice. */
static void remove(struct nf_flows *flows, struct nf_flow *flow)
{
	if (rhashtable_remove_fast(&flows->table, &flow->node, table_params))
		return;
	give_place(flows);
	free_flow(flow);
}

/* Will no packet be of this connection any more? */
static bool is_over(const struct nf_flow *flow)
{
	const struct nf_conn *ct = flow->ct;

	if (nf_ct_is_dying(ct))
		return true;
	return !nf_ct_is_confirmed(ct) && refcount_read(&ct->ct_general.use) == 1;
}

/* Remove what is over, or all. */
static void sweep(struct nf_flows *flows, bool all)
{
	struct rhashtable_iter iter;
	struct nf_flow *flow;
	u32 n = 0;

	rhashtable_walk_enter(&flows->table, &iter);
	rhashtable_walk_start(&iter);
	while ((flow = rhashtable_walk_next(&iter))) {
		if (!IS_ERR(flow) && (all || is_over(flow)))
			remove(flows, flow);
		if (++n % FLOWS_AT_ONCE)
			continue;
		rhashtable_walk_stop(&iter);
		cond_resched();
		rhashtable_walk_start(&iter);
	}
	rhashtable_walk_stop(&iter);
	rhashtable_walk_exit(&iter);
}

static void queue_gc(struct nf_flows *flows)
{
	queue_delayed_work(system_power_efficient_wq, &flows->gc, HZ);
}

static void collect(struct work_struct *work)
{
	struct nf_flows *flows = container_of(to_delayed_work(work), struct nf_flows, gc);

	sweep(flows, false);
	if (atomic_read(&flows->count))
		queue_gc(flows);
}

static void flush(struct nf_flows *flows)
{
	cancel_delayed_work_sync(&flows->gc);
	sweep(flows, true);
	/* Others may have come meanwhile, where there are rules still. */
	if (atomic_read(&flows->count))
		queue_gc(flows);
}

static int make_ready(struct nf_flows *flows)
{
	int err;

	if (flows->ready)
		return 0;
	err = rhashtable_init(&flows->table, &table_params);
	if (err)
		return err;
	INIT_DELAYED_WORK(&flows->gc, collect);
	flows->ready = true;
	return 0;
}

/* By the bits of nf_net.hooks. */
static unsigned long families_of(unsigned long hooks)
{
	return (hooks & 0x15 ? BIT(IPV4) : 0) | (hooks & 0x2a ? BIT(IPV6) : 0);
}

static void put_families(struct net *net, struct nf_flows *flows, unsigned long families)
{
	if (families & BIT(IPV4))
		nf_ct_netns_put(net, NFPROTO_IPV4);
	if (families & BIT(IPV6))
		nf_ct_netns_put(net, NFPROTO_IPV6);
	flows->families &= ~families;
}

static int get_family(struct net *net, struct nf_flows *flows, unsigned int family)
{
	int err = nf_ct_netns_get(net, family == IPV4 ? NFPROTO_IPV4 : NFPROTO_IPV6);

	if (!err)
		flows->families |= BIT(family);
	return err;
}

static int get_families(struct net *net, struct nf_flows *flows, unsigned long families)
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
 * nf_flows_add() - get what a policy needs to follow streams
 * @net: the network namespace, its rules locked
 * @policy: not yet in use
 *
 * That is connection tracking. A connection that is there already is followed from
 * its middle on.
 *
 * Context: process context; may sleep.
 * Return: 0, or an error of connection tracking: then all is as before.
 */
int nf_flows_add(struct net *net, const struct utf8guard_policy *policy)
{
	struct nf_flows *flows = &nf_net_of(net)->flows;
	unsigned long hooks = nf_hooks_of_streams(policy);
	int err;

	if (!hooks)
		return 0;
	err = make_ready(flows) ?: get_families(net, flows, families_of(hooks));
	if (err)
		return err;
	/* Pairs with nf_flows_wanted(). */
	smp_store_release(&flows->hooks, flows->hooks | hooks);
	return 0;
}

/**
 * nf_flows_trim() - give back what a policy does not need
 * @net: the network namespace, its rules locked
 * @policy: in use
 *
 * Where a hook is not asked any more, streams go on unseen: all flows are forgotten,
 * for what is known of them will not be true. No packet that saw the old rules makes
 * another behind that, if none is wanted.
 *
 * Context: process context; may sleep, as long as RCU takes where hooks go.
 */
void nf_flows_trim(struct net *net, const struct utf8guard_policy *policy)
{
	struct nf_flows *flows = &nf_net_of(net)->flows;
	unsigned long hooks = nf_hooks_of_streams(policy);

	if (!(flows->hooks & ~hooks))
		return;
	WRITE_ONCE(flows->hooks, hooks);
	synchronize_rcu();
	flush(flows);
	put_families(net, flows, flows->families & ~families_of(hooks));
}

/* The namespace goes away. */
void nf_flows_close(struct net *net)
{
	struct nf_flows *flows = &nf_net_of(net)->flows;

	WRITE_ONCE(flows->hooks, 0);
	put_families(net, flows, flows->families);
}

/*
 * No packet is on its way any more, and connection tracking, which waits for our
 * references, ends behind us: it began before.
 */
void nf_flows_exit(struct net *net)
{
	struct nf_flows *flows = &nf_net_of(net)->flows;

	if (!flows->ready)
		return;
	cancel_delayed_work_sync(&flows->gc);
	rhashtable_free_and_destroy(&flows->table, free_in_table, flows);
}

/* Locks it, if it lives. */
static struct nf_flow *lock_flow(struct nf_flow *flow)
{
	nf_flow_lock(flow);
	if (!flow->dead)
		return flow;
	nf_flow_unlock(flow);
	return NULL;
}

/**
 * nf_flow_find() - the flow of a connection
 * @flows: of its namespace
 * @ct: the conntrack of a packet
 *
 * Context: a netfilter hook, under rcu_read_lock().
 * Return: the flow, locked until nf_flow_unlock(), or NULL.
 */
struct nf_flow *nf_flow_find(struct nf_flows *flows, struct nf_conn *ct)
{
	struct nf_flow *flow = rhashtable_lookup(&flows->table, &ct, table_params);

	return flow ? lock_flow(flow) : NULL;
}

static struct nf_flow *new_flow(struct nf_conn *ct)
{
	struct nf_flow *flow = kzalloc(sizeof(*flow), GFP_ATOMIC);

	if (!flow)
		return NULL;
	spin_lock_init(&flow->lock);
	nf_conntrack_get(&ct->ct_general);
	flow->ct = ct;
	flow->side[IP_CT_DIR_ORIGINAL].is_caller = true;
	return flow;
}

/* Two processors may want to make the same: the table takes one. */
static bool insert(struct nf_flows *flows, struct nf_conn *ct)
{
	struct nf_flow *flow = new_flow(ct);
	int err;

	if (!flow)
		return false;
	err = rhashtable_lookup_insert_fast(&flows->table, &flow->node, table_params);
	if (!err) {
		queue_gc(flows);
		return true;
	}
	/* Nobody has seen it. */
	nf_ct_put(ct);
	kfree(flow);
	return false;
}

static void make_flow(struct nf_flows *flows, struct nf_conn *ct)
{
	if (take_place(flows, nf_ct_net(ct)) && !insert(flows, ct))
		give_place(flows);
}

/**
 * nf_flow_get() - the flow of a connection, a new one if there is none
 * @flows: of its namespace
 * @ct: the conntrack of a packet; may be unconfirmed
 *
 * Context: a netfilter hook, under rcu_read_lock(); allocates with GFP_ATOMIC.
 * Return: the flow, locked until nf_flow_unlock(), or NULL where there are too
 * many, or no memory, or no rule for streams any more.
 */
struct nf_flow *nf_flow_get(struct nf_flows *flows, struct nf_conn *ct)
{
	struct nf_flow *flow = nf_flow_find(flows, ct);

	if (flow || !nf_flows_wanted(flows))
		return flow;
	make_flow(flows, ct);
	return nf_flow_find(flows, ct);
}

/* Last, for sparse cannot follow a lock that is taken on one way out of two. */
void nf_flow_lock(struct nf_flow *flow) __acquires(&flow->lock)
{
	spin_lock_bh(&flow->lock);
}

void nf_flow_unlock(struct nf_flow *flow) __releases(&flow->lock)
{
	spin_unlock_bh(&flow->lock);
}
