// SPDX-License-Identifier: GPL-2.0
/* Of a rule, whether and how it judges streams. */
#include <linux/in.h>
#include <net/genetlink.h>

#include "../scope/scope.h"
#include "../stream/ooo_stream.h"
#include "constraint.h"
#include "action.h"
#include "refuse.h"
#include "rule_stream.h"
#include "rule_types.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

/* The parser that judges what is demanded, as it is where a stream begins. */
static void set_scope(struct nf_rule *rule)
{
	static const u8 kinds[] = {
		[UTF8GUARD_NF_SCOPE_DNS_LABELS] = NF_SCOPE_DNS_STREAM,
		[UTF8GUARD_NF_SCOPE_HTTP_TARGET] = NF_SCOPE_HTTP_TARGET,
		[UTF8GUARD_NF_SCOPE_HTTP_HEADERS] = NF_SCOPE_HTTP_HEADERS,
		[UTF8GUARD_NF_SCOPE_SMTP_LINE] = NF_SCOPE_SMTP_LINE,
		[UTF8GUARD_NF_SCOPE_SMTP_HEADERS] = NF_SCOPE_SMTP_HEADERS,
	};
	const struct nf_demand *demand = &rule->demand;
	bool decode = demand->decode == UTF8GUARD_NF_DECODE_PERCENT;
	struct nf_plain plain = {
		.ahead = demand->offset,
		.left = demand->length,
		.is_part = demand->scope == UTF8GUARD_NF_SCOPE_PART,
		.is_gated = demand->is_gated,
	};

	if (nf_demand_is_framed(demand))
		nf_scope_init(&rule->scope, kinds[demand->scope], decode);
	else
		nf_plain_init(&rule->scope, &plain, decode);
	rule->scope.text.refuse = nf_demand_refused(demand);
	rule->scope.text.decode = nf_demand_decode(demand);
}

/* ooo_stream.c knows whether octets are well-formed, and nothing else, but in any order. */
static bool takes_parser(const struct nf_demand *demand)
{
	return demand->scope != UTF8GUARD_NF_SCOPE_PAYLOAD || demand->refuse ||
	       demand->decode != UTF8GUARD_NF_DECODE_RAW || demand->is_gated;
}

/* Strict means it, unless the rule lets all through or says otherwise. */
static bool closed_by_default(const struct nf_rule *rule)
{
	return !rule->policy.lenient && nf_reaction_withholds(&rule->reaction);
}

/**
 * nf_streams_parse() - how a rule judges streams, of a request
 * @rule: all else was parsed
 * @info: the request; its extack is told why not
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int nf_streams_parse(struct nf_rule *rule, struct genl_info *info)
{
	const struct nlattr *stream = info->attrs[ATTR(STREAM)];

	if (!stream)
		return 0;
	if (rule->selectors.fields.protocol != IPPROTO_TCP)
		return nf_refuse(info, ATTR(STREAM), "only TCP has streams");
	rule->streams = true;
	if (nla_get_u32(stream) == UTF8GUARD_NF_STREAM_LENIENT)
		rule->policy = (struct nf_stream_policy) { .lenient = true, .urgent_inline = true };
	if (!info->attrs[ATTR(FAIL)])
		rule->reaction.fail_closed = closed_by_default(rule);
	rule->policy.open = !rule->reaction.fail_closed;
	rule->in_order = takes_parser(&rule->demand);
	if (rule->in_order)
		set_scope(rule);
	return 0;
}

/* The same as attributes, of a rule for streams; -EMSGSIZE where they do not fit. */
int nf_streams_put(const struct nf_rule *rule, struct sk_buff *skb)
{
	/* Closed is put with the reaction; open is not the default here. */
	if ((closed_by_default(rule) && !rule->reaction.fail_closed &&
	     nla_put_u32(skb, ATTR(FAIL), UTF8GUARD_NF_FAIL_OPEN)) ||
	    nla_put_u32(skb, ATTR(STREAM), rule->policy.lenient ? UTF8GUARD_NF_STREAM_LENIENT :
								  UTF8GUARD_NF_STREAM_STRICT))
		return -EMSGSIZE;
	return 0;
}
