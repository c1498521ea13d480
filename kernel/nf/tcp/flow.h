/* SPDX-License-Identifier: GPL-2.0 */
/* The TCP connections of a network namespace whose streams are followed. */
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

/*
 * A connection of this host with itself is judged at output and at input, by two rules that
 * need not ask for the same, and of which one may let through what the other must not: each
 * of these sights is followed by itself. Other connections are judged at one hook in each
 * direction.
 */
#define UGNF_SIGHTS 2

/**
 * struct ugnf_flow - a connection
 * @node: in the table
 * @ct: the key; a reference is held, so that no other can have the address
 * @lock: guards what follows; taken in softirq and, for output, in process context
 * @dead: it was taken from the table
 * @has_slot: it is one of max_flows; else it may have to go for another
 * @waiting: among the flows that have no slot
 * @tcb: what is known of the connection, by whether it is judged at output
 * @rcu: whoever found it in the table may still wait for the lock
 */
struct ugnf_flow {
	struct rhash_head node;
	struct nf_conn *ct;
	spinlock_t lock; /* see above */
	bool dead, has_slot;
	struct list_head waiting;
	struct ugnf_tcb tcb[UGNF_SIGHTS];
	struct rcu_head rcu;
};

/**
 * struct ugnf_flows - those of a namespace
 * @table: by their conntrack
 * @gc: removes those whose conntrack has gone
 * @count: how many flows have a slot, or will have one in a moment
 * @waiting: those that have none, the oldest first...
 * @waiting_count: ...how many they are...
 * @waiting_lock: ...and their lock; taken inside that of a flow
 * @since: when there first were rules at one of @hooks, in seconds
 * @lost: when a connection was last forgotten, or could not be remembered; 0 for never
 * @memory: of copies of their octets, at both sights
 * @hooks: bits of the hooks at which there are rules for streams; 0 where none is
 * @families: for which connection tracking was asked for, a bit each
 * @ready: @table and @gc are
 *
 * The lock of the rules guards @gc, @hooks, @families and @ready; packets read @hooks.
 */
struct ugnf_flows {
	struct rhashtable table;
	struct delayed_work gc;
	atomic_t count;
	struct list_head waiting;
	unsigned int waiting_count;
	spinlock_t waiting_lock; /* see above */
	time64_t since, lost;
	struct ugnf_memory memory;
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

/* A connection, as it is followed for the rules of a hook. */
static inline struct ugnf_tcb *ugnf_flow_tcb(struct ugnf_flow *flow, u8 hook)
{
	return &flow->tcb[hook == UTF8GUARD_NF_HOOK_OUTPUT];
}

/* Are there rules for streams? Then packets without payload matter, too. */
static inline bool ugnf_flows_wanted(const struct ugnf_flows *flows)
{
	/* Pairs with ugnf_flows_add(): where they are seen, so is the table. */
	return smp_load_acquire(&flows->hooks);
}

#endif /* _UTF8GUARD_NF_FLOW_H */
