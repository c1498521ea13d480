/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of a rule for packets. */
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

/*
 * Entries of all rules in the index. While it is made, genetlink holds a lock that all families
 * need, and any user may send rules to a network namespace of his own.
 */
#define UGNF_MAX_ENTRIES 262144

/*
 * How many entries a packet may be compared with, in a network namespace that a user may have made:
 * that is with bottom halves off.
 */
#define UGNF_MAX_ALIKE 4096

/* A name of an interface, or the first octets of several; @any: no name was given. */
struct ugnf_interface {
	char name[IFNAMSIZ];
	u8 len;
	bool is_prefix, any;
};

/**
 * struct ugnf_match - the packets that a rule is for; padding is zero, for memcmp()
 * @fields: the fields by which the index finds rules; their sets belong to the rule
 * @any_port: the user said that the rule is for all ports
 * @direction: 1 plus enum utf8guard_nf_direction; 0 for both directions
 * @mark: the mark of the packet, in the bits of @mark_mask
 * @mark_mask: the bits of the mark that matter
 * @iif: the interface by which the packet came in
 * @oif: the interface by which it goes out
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
 * @refuse: mask of the text classes that are refused, besides ill-formed text; and of those
 *	classes of percent encoding that are not refused by default
 * @allow: mask of the classes of percent encoding that are let through
 * @offset: the offset of the part that is judged
 * @length: the length of that part; 0 for all that follows
 * @scope: enum utf8guard_nf_scope
 * @decode: enum utf8guard_nf_decode
 * @is_gated: the text gate is on
 * @is_gate_usual: @is_gated has its default
 */
struct ugnf_constraint {
	u32 refuse, allow, offset, length;
	u8 scope, decode;
	bool is_gated, is_gate_usual;
};

/**
 * struct ugnf_action - what a rule does about a packet that it refuses
 * @kind: enum utf8guard_nf_action
 * @fail_closed: the action is also taken where a packet cannot be judged
 * @mark: the mark that is set, in the bits of @mask
 * @mask: the bits of the mark that are changed
 */
struct ugnf_action {
	u8 kind;
	bool fail_closed;
	u32 mark, mask;
};

/**
 * struct ugnf_rule - a rule for packets; never changed, but for its counters
 * @rule: the members that rules of all families have
 * @match: the packets that it is for
 * @constraint: what it refuses
 * @action: what it does about a packet that it refuses
 * @streams: it judges streams, by @policy; without this, each packet alone
 * @policy: how it follows streams
 * @in_order: it reads streams in order, by a parser
 * @scope: that parser, as it is at the beginning of a stream
 * @counters: counters by enum ugnf_reason
 * @counts: counters of refused payload by class
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
