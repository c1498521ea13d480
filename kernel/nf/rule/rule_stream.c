// SPDX-License-Identifier: GPL-2.0
/* Finds out from a request whether a rule judges streams, and how. */
#include <linux/in.h>
#include <net/genetlink.h>

#include "../scope/scope.h"
#include "../stream/ooo_stream.h"
#include "action.h"
#include "constraint.h"
#include "refuse.h"
#include "rule_stream.h"
#include "rule_types.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

/* Makes the parser of the rule, as it is at the beginning of each stream. */
static void set_scope(struct ugnf_rule *rule)
{
	static const u8 kinds[] = {
		[UTF8GUARD_NF_SCOPE_DNS_LABELS] = UGNF_SCOPE_DNS_STREAM,
		[UTF8GUARD_NF_SCOPE_HTTP_TARGET] = UGNF_SCOPE_HTTP_TARGET,
		[UTF8GUARD_NF_SCOPE_HTTP_HEADERS] = UGNF_SCOPE_HTTP_HEADERS,
		[UTF8GUARD_NF_SCOPE_SMTP_LINE] = UGNF_SCOPE_SMTP_LINE,
		[UTF8GUARD_NF_SCOPE_SMTP_HEADERS] = UGNF_SCOPE_SMTP_HEADERS,
	};
	const struct ugnf_constraint *constraint = &rule->constraint;
	bool decode = constraint->decode == UTF8GUARD_NF_DECODE_PERCENT;
	struct ugnf_plain plain = {
		.ahead = constraint->offset,
		.left = constraint->length,
		.is_part = constraint->scope == UTF8GUARD_NF_SCOPE_PART,
		.is_gated = constraint->is_gated,
	};

	if (ugnf_constraint_is_framed(constraint))
		ugnf_scope_init(&rule->scope, kinds[constraint->scope], decode);
	else
		ugnf_plain_init(&rule->scope, &plain, decode);
	rule->scope.text.refuse = ugnf_constraint_refused(constraint);
	rule->scope.text.decode = ugnf_constraint_decode(constraint);
}

/*
 * Does the rule need a parser, which reads octets in order? The engine of ooo_stream.c takes them
 * in any order, but only knows whether they are well-formed.
 */
static bool takes_parser(const struct ugnf_constraint *constraint)
{
	return constraint->scope != UTF8GUARD_NF_SCOPE_PAYLOAD || constraint->refuse ||
	       constraint->decode != UTF8GUARD_NF_DECODE_RAW || constraint->is_gated;
}

/* A strict rule fails closed by default, unless its action lets everything through. */
static bool closed_by_default(const struct ugnf_rule *rule)
{
	return !rule->policy.lenient && ugnf_action_withholds(&rule->action);
}

/**
 * ugnf_streams_parse() - read from a request how a rule judges streams
 * @rule: the rule; everything else of it has been parsed
 * @info: the request; its extack is told what is wrong
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int ugnf_streams_parse(struct ugnf_rule *rule, struct genl_info *info)
{
	const struct nlattr *stream = info->attrs[ATTR(STREAM)];

	if (!stream)
		return 0;
	if (rule->match.fields.protocol != IPPROTO_TCP)
		return ugnf_refuse(info, ATTR(STREAM), "only TCP has streams");
	rule->streams = true;
	if (nla_get_u32(stream) == UTF8GUARD_NF_STREAM_LENIENT)
		rule->policy =
			(struct ugnf_stream_policy){ .lenient = true, .urgent_inline = true };
	if (!info->attrs[ATTR(FAIL)])
		rule->action.fail_closed = closed_by_default(rule);
	rule->policy.open = !rule->action.fail_closed;
	rule->in_order = takes_parser(&rule->constraint);
	if (rule->in_order)
		set_scope(rule);
	return 0;
}

/* Puts the same as attributes, for a rule for streams; -EMSGSIZE where they do not fit. */
int ugnf_streams_put(const struct ugnf_rule *rule, struct sk_buff *skb)
{
	/* The action puts "fail closed"; "fail open" is not the default here. */
	if ((closed_by_default(rule) && !rule->action.fail_closed &&
	     nla_put_u32(skb, ATTR(FAIL), UTF8GUARD_NF_FAIL_OPEN)) ||
	    nla_put_u32(skb, ATTR(STREAM), rule->policy.lenient ? UTF8GUARD_NF_STREAM_LENIENT :
								  UTF8GUARD_NF_STREAM_STRICT))
		return -EMSGSIZE;
	return 0;
}
