/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink families and their listeners. That of the service is defined by netlink.c. */
#ifndef _UTF8GUARD_SERVICE_FAMILY_H
#define _UTF8GUARD_SERVICE_FAMILY_H

#include <linux/types.h>

struct genl_family;
struct net;
struct sk_buff;

extern struct genl_family utf8guard_nl_family;

int utf8guard_family_register(struct genl_family *family);
void utf8guard_family_tell(const struct genl_family *family, struct net *net,
			   struct sk_buff *message, unsigned int group, gfp_t gfp);

#endif /* _UTF8GUARD_SERVICE_FAMILY_H */
