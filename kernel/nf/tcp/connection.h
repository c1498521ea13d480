/* SPDX-License-Identifier: GPL-2.0 */
/* The connection that a segment is of. */
#ifndef _UTF8GUARD_NF_CONNECTION_H
#define _UTF8GUARD_NF_CONNECTION_H

#include "../../service/ruleset_types.h"
#include "../packet/packet.h"
#include "../rule/judgment.h"
#include "../rule/rule_types.h"
#include "flow.h"

struct nf_finding nf_connection_judge(const struct utf8guard_policy *policy, struct nf_flows *flows,
				      struct nf_rule *rule, const struct nf_packet *packet,
				      struct utf8guard_refusal *refusal);
void nf_connection_observe(const struct utf8guard_policy *policy, struct nf_flows *flows,
			   const struct nf_packet *packet);
void nf_connection_skip(struct nf_flows *flows, u8 hook, const struct nf_packet *packet);

#endif /* _UTF8GUARD_NF_CONNECTION_H */
