// SPDX-License-Identifier: GPL-2.0
/* The family utf8guard: what the service is, and its answer on a text. */
#include <net/genetlink.h>

#include "netlink_gen.h"
#include "service.h"

/**
 * utf8guard_reply() - answer a request with one message
 * @info: the request
 * @family: its family
 * @put: adds the attributes; -EMSGSIZE where they do not fit
 * @data: for @put
 *
 * Context: process context; may sleep.
 * Return: 0, -ENOMEM, or what @put returned.
 */
int utf8guard_reply(struct genl_info *info, const struct genl_family *family,
		    int (*put)(struct sk_buff *skb, const void *data), const void *data)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *header;
	int err;

	if (!skb)
		return -ENOMEM;
	header = genlmsg_put_reply(skb, info, family, 0, info->genlhdr->cmd);
	err = header ? put(skb, data) : -EMSGSIZE;
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, header);
	return genlmsg_reply(skb, info);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_reply, UTF8GUARD);

static int put_info(struct sk_buff *skb, const void *unused)
{
	struct utf8guard_report_totals totals = utf8guard_report_totals();

	if (nla_put_string(skb, UTF8GUARD_A_INFO_VERSION, UTF8GUARD_VERSION) ||
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
