/* SPDX-License-Identifier: GPL-2.0 */
/* The users who made network namespaces, and what is held for all namespaces of each. */
#ifndef _UTF8GUARD_NF_OWNER_H
#define _UTF8GUARD_NF_OWNER_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

struct net;

/**
 * struct ugnf_owner - a user, and the network namespaces of user namespaces that he made
 * @list: of all owners
 * @user: as utf8guard_owner_of() has it
 * @namespaces: how many there are; the lock of the list guards it
 * @flows: slots that their flows have
 * @waiting: flows there that wait for one
 * @copies: copies of segments there, with those that are being made
 */
struct ugnf_owner {
	struct list_head list;
	u32 user;
	u32 namespaces;
	atomic_t flows, waiting, copies;
};

int ugnf_owner_get(struct ugnf_owner **owner, const struct net *net);
void ugnf_owner_put(struct ugnf_owner *owner);

#endif /* _UTF8GUARD_NF_OWNER_H */
