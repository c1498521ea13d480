// SPDX-License-Identifier: GPL-2.0
/* The family utf8guard: what the service is, and its answer on a text. */
#include <net/genetlink.h>

#include <linux/utf8guard_normalize.h>

#include "netlink_gen.h"
#include "service.h"

/* A rule with the longest path and counters of every class fits with room. */
#define REPLY_SIZE (8192 - NLMSG_HDRLEN - GENL_HDRLEN)

/**
 * utf8guard_reply_new() - make room for the answer to a request
 * @info: the request
 * @family: its family
 *
 * To be called before anything is changed: a change that was made must not be
 * reported as failed for want of memory to describe it.
 *
 * Context: process context; may sleep.
 * Return: the message, for utf8guard_reply_send() or nlmsg_free(), or NULL.
 */
struct sk_buff *utf8guard_reply_new(struct genl_info *info, const struct genl_family *family)
{
	struct sk_buff *skb = genlmsg_new(REPLY_SIZE, GFP_KERNEL);

	/* The header fits, for the message is empty. */
	if (skb)
		genlmsg_put_reply(skb, info, family, 0, info->genlhdr->cmd);
	return skb;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_reply_new, UTF8GUARD);

/**
 * utf8guard_reply_send() - fill the answer in and send it
 * @skb: from utf8guard_reply_new(); gone afterwards
 * @info: the request
 * @put: adds the attributes
 * @data: for @put
 *
 * Context: process context; may sleep.
 * Return: 0, or what @put returned.
 */
int utf8guard_reply_send(struct sk_buff *skb, struct genl_info *info,
			 int (*put)(struct sk_buff *skb, const void *data),
			 const void *data)
{
	int err = put(skb, data);

	if (err) {
		nlmsg_free(skb);
		return err;
	}
	nlmsg_end(skb, nlmsg_hdr(skb));
	return genlmsg_reply(skb, info);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_reply_send, UTF8GUARD);

/**
 * utf8guard_reply() - answer a request that changes nothing
 * @info: the request
 * @family: its family
 * @put: adds the attributes
 * @data: for @put
 *
 * Context: process context; may sleep.
 * Return: 0, -ENOMEM, or what @put returned.
 */
int utf8guard_reply(struct genl_info *info, const struct genl_family *family,
		    int (*put)(struct sk_buff *skb, const void *data), const void *data)
{
	struct sk_buff *skb = utf8guard_reply_new(info, family);

	return skb ? utf8guard_reply_send(skb, info, put, data) : -ENOMEM;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_reply, UTF8GUARD);

static int put_info(struct sk_buff *skb, const void *unused)
{
	struct utf8guard_report_totals totals = utf8guard_report_totals();

	if (nla_put_string(skb, UTF8GUARD_A_INFO_VERSION, UTF8GUARD_VERSION) ||
	    nla_put_string(skb, UTF8GUARD_A_INFO_UNICODE, utf8guard_unicode_version()) ||
	    nla_put_string(skb, UTF8GUARD_A_INFO_ENGINE, utf8guard_engine_name()) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_A_INFO_EVENTS, totals.events,
			      UTF8GUARD_A_INFO_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_A_INFO_SUPPRESSED, totals.suppressed,
			      UTF8GUARD_A_INFO_PAD) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_A_INFO_LOST, totals.lost,
			      UTF8GUARD_A_INFO_PAD))
		return -EMSGSIZE;
	return 0;
}

int utf8guard_nl_info_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_reply(info, &utf8guard_nl_family, put_info, NULL);
}

static int put_error(struct sk_buff *skb, const void *data)
{
	const struct utf8guard_error *error = data;

	if (nla_put_u32(skb, UTF8GUARD_A_TEXT_CLASS, error->class))
		return -EMSGSIZE;
	if (error->class == UTF8GUARD_CLASS_NONE)
		return 0;
	if (nla_put_u32(skb, UTF8GUARD_A_TEXT_NOTE, error->note) ||
	    nla_put_u64_64bit(skb, UTF8GUARD_A_TEXT_OFFSET, error->offset,
			      UTF8GUARD_A_TEXT_PAD) ||
	    nla_put_u32(skb, UTF8GUARD_A_TEXT_LENGTH, error->length) ||
	    nla_put_u32(skb, UTF8GUARD_A_TEXT_SPAN, error->span))
		return -EMSGSIZE;
	if (error->code_point != UTF8GUARD_NO_CODE_POINT &&
	    nla_put_u32(skb, UTF8GUARD_A_TEXT_CODE_POINT, error->code_point))
		return -EMSGSIZE;
	return 0;
}

int utf8guard_nl_validate_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *data = info->attrs[UTF8GUARD_A_TEXT_DATA];
	struct utf8guard_error error = {};

	if (!data) {
		NL_SET_ERR_MSG(info->extack, "no text given");
		return -EINVAL;
	}
	if (nla_len(data) > UTF8GUARD_MAX_TEXT) {
		NL_SET_ERR_MSG_ATTR(info->extack, data, "text longer than 32768 octets");
		return -EMSGSIZE;
	}
	utf8guard_validate(nla_data(data), nla_len(data), &error);
	return utf8guard_reply(info, &utf8guard_nl_family, put_error, &error);
}

static const struct genl_multicast_group groups[] = {
	[UTF8GUARD_NLGRP_EVENTS] = {
		.name = UTF8GUARD_MCGRP_EVENTS,
		/* In the user namespace that owns the network namespace. */
		.flags = GENL_MCAST_CAP_NET_ADMIN,
	},
};

struct genl_family utf8guard_nl_family __ro_after_init = {
	.name = UTF8GUARD_FAMILY_NAME,
	.version = UTF8GUARD_FAMILY_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = utf8guard_nl_ops,
	.n_ops = ARRAY_SIZE(utf8guard_nl_ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
