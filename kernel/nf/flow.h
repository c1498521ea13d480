/* SPDX-License-Identifier: GPL-2.0 */
/* The TCP connections of a network namespace whose streams are followed. */
#ifndef _UTF8GUARD_NF_FLOW_H
#define _UTF8GUARD_NF_FLOW_H

#include <linux/rhashtable-types.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "side.h"

struct net;
struct nf_conn;
struct utf8guard_policy;

/**
 * struct nf_flow - a connection
 * @node: in the table
 * @ct: the key; a reference is held, so that no other can have the address
 * @lock: guards what follows; taken in softirq and, for output, in process context
 * @dead: it was taken from the table
 * @is_multipath: both ends agreed on Multipath TCP: it cannot be followed; for good
 * @side: by enum ip_conntrack_dir of the sender
 * @rcu: whoever found it in the table may still wait for the lock
 */
struct nf_flow {
	struct rhash_head node;
	struct nf_conn *ct;
	spinlock_t lock; /* see above */
	bool dead, is_multipath;
	struct nf_side side[2];
	struct rcu_head rcu;
};

/**
 * struct nf_flows - those of a namespace
 * @table: by their conntrack
 * @gc: removes those whose conntrack has gone
 * @count: how many they are, and will be in a moment
 * @hooks: bits of the hooks at which there are rules for streams; 0 where none is
 * @families: for which connection tracking was asked for, a bit each
 * @ready: @table and @gc are
 *
 * The lock of the rules guards all but @table and @count; packets read @hooks.
 */
struct nf_flows {
	struct rhashtable table;
	struct delayed_work gc;
	atomic_t count;
	unsigned long hooks;
	unsigned long families;
	bool ready;
};

int nf_flows_add(struct net *net, const struct utf8guard_policy *policy);
void nf_flows_trim(struct net *net, const struct utf8guard_policy *policy);
void nf_flows_close(struct net *net);
void nf_flows_exit(struct net *net);

struct nf_flow *nf_flow_find(struct nf_flows *flows, struct nf_conn *ct);
struct nf_flow *nf_flow_get(struct nf_flows *flows, struct nf_conn *ct);
void nf_flow_lock(struct nf_flow *flow);
void nf_flow_unlock(struct nf_flow *flow);

/* Are there rules for streams? Then packets without payload matter, too. */
static inline bool nf_flows_wanted(const struct nf_flows *flows)
{
	/* Pairs with nf_flows_add(): where they are seen, so is the table. */
	return smp_load_acquire(&flows->hooks);
}

#endif /* _UTF8GUARD_NF_FLOW_H */
