// SPDX-License-Identifier: GPL-2.0
/* Reads from a request which part of a payload a rule judges, and what it refuses. */
#include <linux/in.h>
#include <net/genetlink.h>

#include "../scope/text.h"
#include "constraint.h"
#include "refuse.h"
#include "rule_types.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name
#define BIT_OF(class) UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_##class)

/* The longest part that can be judged: no datagram is longer. Streams have the same limit. */
#define MAX_PART 65535

/* Does the rule judge a stream from its beginning, and not packets alone? */
static bool is_stream(u8 protocol, const struct genl_info *info)
{
	return protocol == IPPROTO_TCP && info->attrs[ATTR(STREAM)];
}

static bool is_datagram(u8 protocol)
{
	return protocol == IPPROTO_UDP || protocol == IPPROTO_UDPLITE;
}

static int parse_part(struct ugnf_constraint *constraint, u8 protocol, struct genl_info *info)
{
	const struct nlattr *offset = info->attrs[ATTR(OFFSET)];
	const struct nlattr *length = info->attrs[ATTR(LENGTH)];

	if (constraint->scope != UTF8GUARD_NF_SCOPE_PART) {
		if (offset || length)
			return ugnf_refuse(info, offset ? ATTR(OFFSET) : ATTR(LENGTH),
					   "only the scope part takes an offset and a length");
		return 0;
	}
	if (!is_datagram(protocol) && !is_stream(protocol, info))
		return ugnf_refuse(info, ATTR(SCOPE),
				   "the scope part needs UDP or a stream of TCP");
	if (!length)
		return ugnf_refuse(info, ATTR(LENGTH), "the length of the part is missing");
	constraint->offset = offset ? nla_get_u32(offset) : 0;
	constraint->length = nla_get_u32(length);
	if (constraint->offset >= MAX_PART)
		return ugnf_refuse(info, ATTR(OFFSET),
				   "the offset is beyond the end of any datagram");
	if (constraint->length > MAX_PART)
		return ugnf_refuse(info, ATTR(LENGTH), "the part is longer than any datagram");
	return 0;
}

static int parse_scope(struct ugnf_constraint *constraint, u8 protocol, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ATTR(SCOPE)];

	constraint->scope = attr ? nla_get_u32(attr) : UTF8GUARD_NF_SCOPE_PAYLOAD;
	switch (constraint->scope) {
	case UTF8GUARD_NF_SCOPE_PAYLOAD:
	case UTF8GUARD_NF_SCOPE_PART:
		return parse_part(constraint, protocol, info);
	case UTF8GUARD_NF_SCOPE_DNS_LABELS:
		if (protocol != IPPROTO_UDP && !is_stream(protocol, info))
			return ugnf_refuse(info, ATTR(SCOPE),
					   "the scope dns-labels needs UDP or a stream of TCP");
		return parse_part(constraint, protocol, info);
	default:
		/* A packet alone does not show where in the protocol its octets are. */
		if (!is_stream(protocol, info))
			return ugnf_refuse(info, ATTR(SCOPE),
					   "this scope needs a stream of TCP");
		return parse_part(constraint, protocol, info);
	}
}

static int parse_decode(struct ugnf_constraint *constraint, u8 protocol, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ATTR(DECODE)];

	constraint->decode = attr ? nla_get_u32(attr) : UTF8GUARD_NF_DECODE_RAW;
	if (constraint->decode != UTF8GUARD_NF_DECODE_PERCENT)
		return 0;
	if (constraint->scope == UTF8GUARD_NF_SCOPE_DNS_LABELS ||
	    constraint->scope == UTF8GUARD_NF_SCOPE_SMTP_LINE ||
	    constraint->scope == UTF8GUARD_NF_SCOPE_SMTP_HEADERS)
		return ugnf_refuse(info, ATTR(DECODE), "this scope has no percent encoding");
	if (!is_datagram(protocol) && !is_stream(protocol, info))
		return ugnf_refuse(info, ATTR(DECODE),
				   "decode percent needs UDP or a stream of TCP: a packet alone may split an escape");
	return 0;
}

/*
 * The text gate lets things through unjudged, so it is off by default for streams. For packets
 * alone it is on. It looks at the first octets of a payload, so scopes that judge a part of the
 * payload have none.
 */
static int parse_gate(struct ugnf_constraint *constraint, u8 protocol, struct genl_info *info)
{
	bool on = info->attrs[ATTR(GATED)], off = info->attrs[ATTR(UNGATED)];
	bool is_whole = constraint->scope == UTF8GUARD_NF_SCOPE_PAYLOAD;
	bool usual = is_whole && !is_stream(protocol, info);

	if (on && off)
		return ugnf_refuse(info, ATTR(GATED), "the text gate cannot be both on and off");
	if (on && !is_whole)
		return ugnf_refuse(info, ATTR(GATED), "only the scope payload has a text gate");
	constraint->is_gated = usual ? !off : on;
	constraint->is_gate_usual = constraint->is_gated == usual;
	return 0;
}

/* The classes of percent encoding that are refused by default. */
static u32 usual_escapes(const struct ugnf_constraint *constraint)
{
	/* Double encoding is refused in the path of a target, but not in its query. */
	if (constraint->scope == UTF8GUARD_NF_SCOPE_HTTP_TARGET)
		return UTF8GUARD_PERCENT_CLASSES & ~BIT_OF(PERCENT_DOUBLE);
	return UTF8GUARD_PERCENT_CLASSES;
}

static int parse_refuse(struct ugnf_constraint *constraint, u8 protocol, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ATTR(REFUSE)];

	constraint->refuse = attr ? nla_get_u32(attr) : 0;
	if (constraint->refuse & ~(UTF8GUARD_TEXT_CLASSES | UTF8GUARD_PERCENT_CLASSES))
		return ugnf_refuse(info, ATTR(REFUSE), "the mask has a bit that is no text class");
	if (constraint->refuse & UTF8GUARD_PERCENT_CLASSES &&
	    constraint->decode != UTF8GUARD_NF_DECODE_PERCENT)
		return ugnf_refuse(info, ATTR(REFUSE),
				   "the classes of percent encoding need decode percent");
	if (constraint->refuse & BIT_OF(EDGE_SPACE))
		return ugnf_refuse(info, ATTR(REFUSE), "edge-space is for names, not for payload");
	if (constraint->refuse & BIT_OF(BOM) &&
	    (!is_datagram(protocol) || constraint->scope == UTF8GUARD_NF_SCOPE_DNS_LABELS))
		return ugnf_refuse(info, ATTR(REFUSE),
				   "bom needs UDP: it is refused at the beginning of a datagram");
	if (constraint->refuse & BIT_OF(NUL) && constraint->is_gated)
		return ugnf_refuse(info, ATTR(REFUSE),
				   "the text gate takes NUL for binary: turn the gate off to refuse NUL");
	/* A stream is judged as its octets come, and it may end a segment inside of a signature. */
	if (constraint->refuse & BIT_OF(CONTROL) && constraint->is_gated &&
	    is_stream(protocol, info))
		return ugnf_refuse(info, ATTR(REFUSE),
				   "TLS and gzip begin with controls: turn the gate off to refuse controls in a stream");
	return 0;
}

/* Reads which classes of percent encoding are let through that would be refused by default. */
static int parse_allow(struct ugnf_constraint *constraint, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ATTR(ALLOW)];

	constraint->allow = attr ? nla_get_u32(attr) : 0;
	if (constraint->allow & ~UTF8GUARD_PERCENT_CLASSES)
		return ugnf_refuse(info, ATTR(ALLOW),
				   "only the classes of percent encoding can be allowed");
	if (constraint->allow && constraint->decode != UTF8GUARD_NF_DECODE_PERCENT)
		return ugnf_refuse(info, ATTR(ALLOW),
				   "the classes of percent encoding need decode percent");
	if (constraint->allow & constraint->refuse)
		return ugnf_refuse(info, ATTR(ALLOW), "a class cannot be both refused and allowed");
	constraint->refuse &= ~usual_escapes(constraint);
	return 0;
}

/* All classes that are refused, besides ill-formed text. */
u32 ugnf_constraint_refused(const struct ugnf_constraint *constraint)
{
	if (constraint->decode != UTF8GUARD_NF_DECODE_PERCENT)
		return constraint->refuse;
	return constraint->refuse | (UTF8GUARD_PERCENT_CLASSES & ~constraint->allow);
}

/* How octets are decoded before they are judged: enum ugnf_decode. */
u8 ugnf_constraint_decode(const struct ugnf_constraint *constraint)
{
	if (constraint->decode != UTF8GUARD_NF_DECODE_PERCENT)
		return UGNF_DECODE_RAW;
	if (constraint->scope == UTF8GUARD_NF_SCOPE_HTTP_TARGET &&
	    !(constraint->refuse & BIT_OF(PERCENT_DOUBLE)))
		return UGNF_DECODE_TARGET;
	return UGNF_DECODE_PERCENT;
}

/* Does the rule judge a part that the framing of a protocol shows? */
bool ugnf_constraint_is_framed(const struct ugnf_constraint *constraint)
{
	return constraint->scope != UTF8GUARD_NF_SCOPE_PAYLOAD &&
	       constraint->scope != UTF8GUARD_NF_SCOPE_PART;
}

/**
 * ugnf_constraint_parse() - read from a request what a rule judges and refuses
 * @constraint: filled in
 * @protocol: the protocol of the packets that the rule is for
 * @info: the request; its extack is told what is wrong
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int ugnf_constraint_parse(struct ugnf_constraint *constraint, u8 protocol, struct genl_info *info)
{
	return parse_scope(constraint, protocol, info) ?:
	       parse_decode(constraint, protocol, info) ?:
	       parse_gate(constraint, protocol, info) ?:
	       parse_refuse(constraint, protocol, info) ?:
	       parse_allow(constraint, info);
}

/* Puts the same as attributes; -EMSGSIZE where they do not fit in the message. */
int ugnf_constraint_put(const struct ugnf_constraint *constraint, struct sk_buff *skb)
{
	if ((constraint->refuse && nla_put_u32(skb, ATTR(REFUSE), constraint->refuse)) ||
	    (constraint->allow && nla_put_u32(skb, ATTR(ALLOW), constraint->allow)) ||
	    (constraint->scope && nla_put_u32(skb, ATTR(SCOPE), constraint->scope)) ||
	    (constraint->decode && nla_put_u32(skb, ATTR(DECODE), constraint->decode)) ||
	    (!constraint->is_gate_usual &&
	     nla_put_flag(skb, constraint->is_gated ? ATTR(GATED) : ATTR(UNGATED))))
		return -EMSGSIZE;
	if (constraint->scope != UTF8GUARD_NF_SCOPE_PART)
		return 0;
	return nla_put_u32(skb, ATTR(OFFSET), constraint->offset) ?:
	       nla_put_u32(skb, ATTR(LENGTH), constraint->length);
}
