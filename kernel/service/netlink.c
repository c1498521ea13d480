// SPDX-License-Identifier: GPL-2.0
/*
 * The family utf8guard: what the service is, and its answers on a text. What each operation does
 * is in include/netlink/utf8guard.yaml. All run in process context of the sender, may sleep, and
 * are for anybody.
 */
#include <linux/sizes.h>
#include <linux/skbuff.h>
#include <net/genetlink.h>

#include <linux/utf8guard_normalize.h>

#include "family.h"
#include "identity/build.h"
#include "netlink_gen.h"
#include "reply.h"
#include "report.h"

/*
 * A rule takes less than 12 KiB: the longest path, how that is spelt inside of the file system,
 * the longest cgroup, and counters of every class.
 */
#define REPLY_SIZE (SKB_WITH_OVERHEAD(SZ_16K) - NLMSG_HDRLEN - GENL_HDRLEN)

/* An answer with room for REPLY_SIZE and @more octets, its header filled in; or NULL. */
static struct sk_buff *reply_new(struct genl_info *info, const struct genl_family *family,
				 size_t more)
{
	struct sk_buff *skb = genlmsg_new(REPLY_SIZE + more, GFP_KERNEL);

	/* The header fits, for the message is empty. */
	if (skb)
		genlmsg_put_reply(skb, info, family, 0, info->genlhdr->cmd);
	return skb;
}

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
	return reply_new(info, family, 0);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_reply_new, "UTF8GUARD");

/**
 * utf8guard_reply_send() - fill the answer in and send it
 * @skb: from utf8guard_reply_new(); sent or freed, whatever is returned
 * @info: the request
 * @put: adds the attributes
 * @data: for @put
 *
 * Context: process context; may sleep.
 * Return: 0, what @put returned, or an error of genlmsg_reply().
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
EXPORT_SYMBOL_NS_GPL(utf8guard_reply_send, "UTF8GUARD");

/**
 * utf8guard_reply() - answer a request that changes nothing
 * @info: the request
 * @family: its family
 * @put: adds the attributes
 * @data: for @put
 *
 * Context: process context; may sleep.
 * Return: 0, -ENOMEM, or an error of utf8guard_reply_send().
 */
int utf8guard_reply(struct genl_info *info, const struct genl_family *family,
		    int (*put)(struct sk_buff *skb, const void *data), const void *data)
{
	struct sk_buff *skb = utf8guard_reply_new(info, family);

	return skb ? utf8guard_reply_send(skb, info, put, data) : -ENOMEM;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_reply, "UTF8GUARD");

static int put_info(struct sk_buff *skb, const void *unused)
{
	struct utf8guard_report_totals totals = utf8guard_report_totals();

	if (nla_put_string(skb, UTF8GUARD_A_INFO_VERSION, UTF8GUARD_VERSION) ||
	    nla_put_string(skb, UTF8GUARD_A_INFO_BUILD, UTF8GUARD_SOURCES) ||
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

/* The attribute with the text; NULL, and @err set, where there is none or it is too long. */
static const struct nlattr *text_of(struct genl_info *info, int *err)
{
	const struct nlattr *data = info->attrs[UTF8GUARD_A_TEXT_DATA];

	if (!data) {
		NL_SET_ERR_MSG(info->extack, "the text is missing");
		*err = -EINVAL;
		return NULL;
	}
	if (nla_len(data) > UTF8GUARD_MAX_TEXT) {
		NL_SET_ERR_MSG_ATTR(info->extack, data, "the text is longer than 32768 octets");
		*err = -EMSGSIZE;
		return NULL;
	}
	return data;
}

int utf8guard_nl_validate_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct utf8guard_error error = {};
	const struct nlattr *data;
	int err;

	data = text_of(info, &err);
	if (!data)
		return err;
	utf8guard_validate(nla_data(data), nla_len(data), &error);
	return utf8guard_reply(info, &utf8guard_nl_family, put_error, &error);
}

/**
 * struct normalization - a request to normalize, and the answer to it
 * @form: the form that is asked for
 * @text: the text
 * @len: its length
 * @check: only tell whether the text is in the form
 * @quick_check: with @check, enum utf8guard_answer
 * @size: without @check, length of the text in the form
 * @error: what is wrong, if the text is ill-formed or, with @check, not in the form
 */
struct normalization {
	enum utf8guard_form form;
	const void *text;
	size_t len;
	bool check;
	int quick_check;
	size_t size;
	struct utf8guard_error error;
};

static void check_form(struct normalization *n)
{
	size_t offset;

	n->quick_check = utf8guard_quick_check(n->form, n->text, n->len, NULL, NULL);
	if (utf8guard_is_normalized(n->form, n->text, n->len, &offset, &n->error))
		return;
	n->error.class = UTF8GUARD_CLASS_NOT_NORMALIZED;
	n->error.code_point = UTF8GUARD_NO_CODE_POINT;
	n->error.offset = offset;
}

/* Normalizes into the message itself, for a form may be long, and need not be copied. */
static int put_form(struct sk_buff *skb, const struct normalization *n)
{
	struct nlattr *form;
	size_t size;

	if (nla_put_u32(skb, UTF8GUARD_A_TEXT_SIZE, n->size))
		return -EMSGSIZE;
	if (n->size > UTF8GUARD_MAX_FORM)
		return 0;
	form = nla_reserve(skb, UTF8GUARD_A_TEXT_DATA, n->size);
	if (!form)
		return -EMSGSIZE;
	return utf8guard_normalize(n->form, n->text, n->len, nla_data(form), n->size,
				   &size, NULL);
}

static int put_normalization(struct sk_buff *skb, const void *data)
{
	const struct normalization *n = data;
	int err = put_error(skb, &n->error);

	if (err || (UTF8GUARD_CLASS_BIT(n->error.class) & UTF8GUARD_ILL_FORMED))
		return err;
	if (!n->check)
		return put_form(skb, n);
	return nla_put_u32(skb, UTF8GUARD_A_TEXT_QUICK_CHECK, n->quick_check);
}

int utf8guard_nl_normalize_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct normalization n = { .check = info->attrs[UTF8GUARD_A_TEXT_CHECK] };
	const struct nlattr *data;
	struct sk_buff *reply;
	int err;

	data = text_of(info, &err);
	if (!data)
		return err;
	if (!info->attrs[UTF8GUARD_A_TEXT_FORM]) {
		NL_SET_ERR_MSG(info->extack, "the form is missing");
		return -EINVAL;
	}
	n.form = nla_get_u32(info->attrs[UTF8GUARD_A_TEXT_FORM]);
	n.text = nla_data(data);
	n.len = nla_len(data);
	if (n.check)
		check_form(&n);
	else
		utf8guard_normalize(n.form, n.text, n.len, NULL, 0, &n.size, &n.error);
	reply = reply_new(info, &utf8guard_nl_family,
			  n.size > UTF8GUARD_MAX_FORM ? 0 : nla_total_size(n.size));
	return reply ? utf8guard_reply_send(reply, info, put_normalization, &n) : -ENOMEM;
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
