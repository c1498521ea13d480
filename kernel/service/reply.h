/* SPDX-License-Identifier: GPL-2.0 */
/* Answers to netlink requests. */
#ifndef _UTF8GUARD_SERVICE_REPLY_H
#define _UTF8GUARD_SERVICE_REPLY_H

struct genl_family;
struct genl_info;
struct sk_buff;

struct sk_buff *utf8guard_reply_new(struct genl_info *info,
				    const struct genl_family *family);
int utf8guard_reply_send(struct sk_buff *skb, struct genl_info *info,
			 int (*put)(struct sk_buff *skb, const void *data),
			 const void *data);
int utf8guard_reply(struct genl_info *info, const struct genl_family *family,
		    int (*put)(struct sk_buff *skb, const void *data), const void *data);

#endif /* _UTF8GUARD_SERVICE_REPLY_H */
