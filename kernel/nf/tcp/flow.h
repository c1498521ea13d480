/* SPDX-License-Identifier: GPL-2.0 */
/* Flows: the TCP connections of a network namespace whose streams are followed. */
#ifndef _UTF8GUARD_NF_FLOW_H
#define _UTF8GUARD_NF_FLOW_H

#include <linux/list.h>
#include <linux/rhashtable-types.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <uapi/linux/utf8guard_nf.h>

#include "../stream/tcb.h"
#include "memory.h"

struct net;
struct nf_conn;
struct ugnf_unconfirmed;

/*
 * A connection of this host with itself is judged at output and at input, by two rules that may
 * differ: one may let through what the other refuses. So the connection is followed twice, once
 * for each hook; each of these is a sight. Other connections are judged at one hook in each
 * direction.
 */
#define UGNF_SIGHTS 2

/**
 * struct ugnf_flow - a connection
 * @node: entry in the table
 * @ct: the key, with a reference, so that no other conntrack gets its address; but not while it is
 *	unconfirmed
 * @unconfirmed: what tells @ct from other conntracks while there is no reference; else NULL
 * @lock: guards @unconfirmed and all that follows; taken in softirq and, for output, in process
 *	context
 * @epoch: the one of the flows when it was made
 * @dead: the flow was removed from the table
 * @has_slot: the flow is one of max_flows; without a slot, it may have to go
 * @waiting: entry in the list of flows without a slot
 * @tcb: the state of the connection at each sight; 1 is that of output
 * @rcu: frees the flow later: a packet that has found it may still wait for the lock
 */
struct ugnf_flow {
	struct rhash_head node;
	struct nf_conn *ct;
	struct ugnf_unconfirmed *unconfirmed;
	spinlock_t lock; /* see above */
	u32 epoch : 30, dead : 1, has_slot : 1;
	struct list_head waiting;
	struct ugnf_tcb tcb[UGNF_SIGHTS];
	struct rcu_head rcu;
};

/**
 * struct ugnf_flows - the flows of a network namespace
 * @table: the flows, by conntrack
 * @net: the network namespace
 * @gc: removes the flows whose conntrack is gone
 * @count: the number of slots that are taken
 * @waiting: the flows without a slot, the oldest first
 * @waiting_count: the number of these flows
 * @waiting_lock: guards @waiting and @waiting_count; taken inside the lock of a flow
 * @since: when a hook last got its first rule for streams, in seconds
 * @lost: when a flow was last forgotten, or could not be made; 0 for never
 * @memory: memory for copies of segments, of both sights
 * @epoch: flows of an earlier one were forgotten, and go from the table as they are found
 * @hooks: a bit for each hook with rules for streams
 * @families: a bit for each family for which connection tracking was enabled
 * @ready: @table, @waiting and @gc are initialised
 *
 * The lock of the rules guards @since, @epoch, @hooks, @families and @ready; packets read the first
 * three.
 */
struct ugnf_flows {
	struct rhashtable table;
	struct net *net;
	struct delayed_work gc;
	atomic_t count;
	struct list_head waiting;
	unsigned int waiting_count;
	spinlock_t waiting_lock; /* see above */
	time64_t since, lost;
	struct ugnf_memory memory;
	u32 epoch;
	unsigned long hooks;
	unsigned long families;
	bool ready;
};

int ugnf_flows_add(struct ugnf_flows *flows, struct net *net, unsigned long hooks);
void ugnf_flows_trim(struct ugnf_flows *flows, struct net *net, unsigned long hooks);
void ugnf_flows_close(struct ugnf_flows *flows, struct net *net);
void ugnf_flows_exit(struct ugnf_flows *flows);

struct ugnf_flow *ugnf_flow_find(struct ugnf_flows *flows, struct nf_conn *ct);
struct ugnf_flow *ugnf_flow_get(struct ugnf_flows *flows, struct nf_conn *ct);
struct ugnf_flow *ugnf_flow_pick_up(struct ugnf_flows *flows, struct nf_conn *ct);
bool ugnf_flow_settle(struct ugnf_flows *flows, struct ugnf_flow *flow);
void ugnf_flow_lock(struct ugnf_flow *flow);
void ugnf_flow_unlock(struct ugnf_flow *flow);

/* The state of a connection as it is followed for the rules of a hook. */
static inline struct ugnf_tcb *ugnf_flow_tcb(struct ugnf_flow *flow, u8 hook)
{
	return &flow->tcb[hook == UTF8GUARD_NF_HOOK_OUTPUT];
}

/* Are there rules for streams? Then packets without payload matter, too. */
static inline bool ugnf_flows_wanted(const struct ugnf_flows *flows)
{
	/* Pairs with ugnf_flows_add(): who sees the hooks also sees the table. */
	return smp_load_acquire(&flows->hooks);
}

#endif /* _UTF8GUARD_NF_FLOW_H */
