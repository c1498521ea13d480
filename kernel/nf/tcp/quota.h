/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A quota has a limit for each network namespace, and a limit for all of them together. A user
 * who may make user namespaces is root in as many network namespaces as he likes. So all of
 * these together get only half of the total. Otherwise he could leave nothing to the rules of
 * the host's own root, and those that fail closed would refuse everything.
 */
#ifndef _UTF8GUARD_NF_QUOTA_H
#define _UTF8GUARD_NF_QUOTA_H

#include <linux/atomic.h>
#include <linux/limits.h>
#include <linux/minmax.h>

/* The part of a total that the namespaces of users, or all namespaces, may have. */
static inline u32 ugnf_quota_share(u32 total, bool is_users)
{
	return is_users ? total / 2 : total;
}

static inline bool ugnf_quota_take_one(atomic_t *count, u32 most)
{
	if ((u32)atomic_inc_return(count) <= min_t(u32, most, INT_MAX))
		return true;
	atomic_dec(count);
	return false;
}

/**
 * ugnf_quota_take() - take a slot, before making what will have it
 * @own: the number of slots that the namespace has taken
 * @most: the limit for @own
 * @total: the number of slots that all namespaces have taken
 * @share: the limit for @total when this namespace takes a slot
 *
 * Context: any.
 * Return: whether there was a slot; ugnf_quota_give() gives it back.
 */
static inline bool ugnf_quota_take(atomic_t *own, u32 most, atomic_t *total, u32 share)
{
	if (!ugnf_quota_take_one(own, most))
		return false;
	if (ugnf_quota_take_one(total, share))
		return true;
	atomic_dec(own);
	return false;
}

static inline void ugnf_quota_give(atomic_t *own, atomic_t *total)
{
	atomic_dec(total);
	atomic_dec(own);
}

#endif /* _UTF8GUARD_NF_QUOTA_H */
