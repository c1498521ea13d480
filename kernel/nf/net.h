/* SPDX-License-Identifier: GPL-2.0 */
/* The payload check of one network namespace. */
#ifndef _UTF8GUARD_NF_NET_H
#define _UTF8GUARD_NF_NET_H

#include "../service/counts.h"
#include "../service/ruleset_types.h"
#include "rule/counters.h"
#include "tcp/flow.h"

struct net;

/**
 * struct ugnf_net - the payload check of one network namespace
 * @ruleset: the rules; the first that fits a packet decides
 * @dumping: who describes rules in further messages has it, so that a request waits for one of them
 * @hooks: bits of the hooks that are registered, see hook_bits.h; guarded by the lock of the rules
 * @tracks: connection tracking was asked for, by rules without streams; guarded like @hooks
 * @unruled: counters of packets that no rule judges; made with the first rule
 * @counts: refusals by class, of all rules; those of a rule go with it, these stay
 * @flows: the connections whose streams are followed
 */
struct ugnf_net {
	struct utf8guard_ruleset ruleset;
	struct mutex dumping; /* see above; taken outside of the lock of @ruleset */
	unsigned long hooks;
	bool tracks;
	struct ugnf_counters unruled;
	struct utf8guard_counts counts;
	struct ugnf_flows flows;
};

extern unsigned int ugnf_net_id;

struct ugnf_net *ugnf_net_of(struct net *net);

#endif /* _UTF8GUARD_NF_NET_H */
