/* SPDX-License-Identifier: GPL-2.0 */
/* The connection of a segment. */
#ifndef _UTF8GUARD_NF_CONNECTION_H
#define _UTF8GUARD_NF_CONNECTION_H

#include "../../service/ruleset_types.h"
#include "../packet/packet.h"
#include "../rule/judgment.h"
#include "../rule/rule_types.h"
#include "flow.h"

struct ugnf_judgment ugnf_connection_judge(const struct utf8guard_policy *policy,
					   struct ugnf_flows *flows, struct ugnf_rule *rule,
					   const struct ugnf_packet *packet,
					   struct utf8guard_refusal *refusal);
bool ugnf_connection_observe(const struct utf8guard_policy *policy, struct ugnf_flows *flows,
			     const struct ugnf_packet *packet);
void ugnf_connection_skip(struct ugnf_flows *flows, u8 hook, const struct ugnf_packet *packet);

#endif /* _UTF8GUARD_NF_CONNECTION_H */
