// SPDX-License-Identifier: GPL-2.0
/* The users who made network namespaces. */
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/net_namespace.h>

#include "../../service/limit.h"
#include "owner.h"

static LIST_HEAD(owners);
static DEFINE_MUTEX(lock);

static struct ugnf_owner *find(u32 user)
{
	struct ugnf_owner *owner;

	list_for_each_entry(owner, &owners, list)
		if (owner->user == user)
			return owner;
	return NULL;
}

/* Finds a user, or makes one without namespaces. Called with the lock. */
static struct ugnf_owner *find_or_make(u32 user)
{
	struct ugnf_owner *owner = find(user);

	if (owner)
		return owner;
	owner = kzalloc(sizeof(*owner), GFP_KERNEL_ACCOUNT);
	if (!owner)
		return NULL;
	owner->user = user;
	list_add(&owner->list, &owners);
	return owner;
}

/**
 * ugnf_owner_get() - the user who made a network namespace that begins
 * @owner: set to the user, for ugnf_owner_put(); NULL for a namespace of the host
 * @net: the namespace
 *
 * Context: process context; may sleep.
 * Return: 0 or -ENOMEM.
 */
int ugnf_owner_get(struct ugnf_owner **owner, const struct net *net)
{
	*owner = NULL;
	if (net->user_ns == &init_user_ns)
		return 0;
	mutex_lock(&lock);
	*owner = find_or_make(utf8guard_owner_of(net->user_ns));
	if (*owner)
		(*owner)->namespaces++;
	mutex_unlock(&lock);
	return *owner ? 0 : -ENOMEM;
}

/* A namespace has ended, and what was held for it was given back. NULL is fine. May sleep. */
void ugnf_owner_put(struct ugnf_owner *owner)
{
	if (!owner)
		return;
	mutex_lock(&lock);
	if (!--owner->namespaces) {
		list_del(&owner->list);
		kfree(owner);
	}
	mutex_unlock(&lock);
}
