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

/* Finds a user, or adds @other as one. */
static struct ugnf_owner *find_or_add(u32 user, struct ugnf_owner *other)
{
	struct ugnf_owner *owner;

	mutex_lock(&lock);
	owner = find(user);
	if (!owner) {
		owner = other;
		owner->user = user;
		list_add(&owner->list, &owners);
	}
	owner->namespaces++;
	mutex_unlock(&lock);
	return owner;
}

/**
 * ugnf_owner_get() - the user who made a network namespace
 * @owner: set to the user, for ugnf_owner_put(); NULL for a namespace of the host
 * @net: the namespace. It has users by now: when it was made, the user namespace may have had no
 *	root yet
 *
 * Context: process context; may sleep.
 * Return: 0 or -ENOMEM.
 */
int ugnf_owner_get(struct ugnf_owner **owner, const struct net *net)
{
	struct ugnf_owner *other;

	*owner = NULL;
	if (net->user_ns == &init_user_ns)
		return 0;
	/* Without the lock: memory may be long in coming to a user, and all wait for the lock. */
	other = kzalloc(sizeof(*other), GFP_KERNEL_ACCOUNT);
	if (!other)
		return -ENOMEM;
	*owner = find_or_add(utf8guard_owner_of(net->user_ns), other);
	if (*owner != other)
		kfree(other);
	return 0;
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
