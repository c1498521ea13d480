/* SPDX-License-Identifier: GPL-2.0 */
/* What a rule is made of. */
#ifndef _UTF8GUARD_NF_RULE_TYPES_H
#define _UTF8GUARD_NF_RULE_TYPES_H

#include <linux/if.h>
#include <linux/types.h>
#include <uapi/linux/utf8guard_nf.h>

#include "../../service/counts.h"
#include "../../service/ruleset_types.h"
#include "../scope/scope.h"
#include "../stream/ooo_stream.h"
#include "counters.h"
#include "index.h"

#define UGNF_MAX_RULES 65536

/* What the sets of all rules stand for, in rules without sets. */
#define UGNF_MAX_IN_SETS 65536

/* Names that begin alike, or one; @any: none was given. */
struct ugnf_interface {
	char name[IFNAMSIZ];
	u8 len;
	bool is_prefix, any;
};

/**
 * struct ugnf_match - the packets that a rule is for; all zeroes between the members
 * @fields: what the index finds rules by; its sets are the rule's own
 * @any_port: said by the user where neither range of ports is narrowed
 * @direction: one more than enum utf8guard_nf_direction; 0 for both
 * @mark: the packet's mark...
 * @mark_mask: ...in these bits
 * @iif: the interface it came in by
 * @oif: the interface it goes out by
 */
struct ugnf_match {
	struct ugnf_fields fields;
	bool any_port;
	u8 direction;
	u32 mark, mark_mask;
	struct ugnf_interface iif, oif;
};

/**
 * struct ugnf_constraint - what is judged of a payload, and what is refused
 * @refuse: mask of text classes; ill-formed text is always refused. Of those of percent
 *	encoding, what was asked for besides what is refused anyhow
 * @allow: mask of those of percent encoding that are let through
 * @offset: octets before the part that is judged
 * @length: of that part; 0 for all
 * @scope: enum utf8guard_nf_scope
 * @decode: enum utf8guard_nf_decode
 * @is_gated: do not judge what is no text by its beginning
 * @is_gate_usual: and so it is, or is not, without being said
 */
struct ugnf_constraint {
	u32 refuse, allow, offset, length;
	u8 scope, decode;
	bool is_gated, is_gate_usual;
};

/**
 * struct ugnf_action - what is done about it
 * @kind: enum utf8guard_nf_action
 * @fail_closed: done to what cannot be judged, too
 * @mark: set by the actions that mark...
 * @mask: ...in these bits
 */
struct ugnf_action {
	u8 kind;
	bool fail_closed;
	u32 mark, mask;
};

/**
 * struct ugnf_rule - what to look for, and what to do; immutable but for counters
 * @rule: what all families have
 * @match: the packets it is for
 * @constraint: what it refuses of them
 * @action: what it does then
 * @streams: judge streams, by @policy; else each packet alone
 * @policy: for streams
 * @in_order: by a parser that reads them, which is
 * @scope: at their beginning
 * @counters: what came of the packets, by enum ugnf_reason
 * @counts: what was ill-formed, by class
 */
struct ugnf_rule {
	struct utf8guard_rule rule;
	struct ugnf_match match;
	struct ugnf_constraint constraint;
	struct ugnf_action action;
	bool streams;
	struct ugnf_stream_policy policy;
	bool in_order;
	struct ugnf_scope scope;
	struct ugnf_counters counters;
	struct utf8guard_counts counts;
};

static inline struct ugnf_rule *ugnf_rule_of(const struct utf8guard_rule *rule)
{
	return container_of(rule, struct ugnf_rule, rule);
}

#endif /* _UTF8GUARD_NF_RULE_TYPES_H */
