/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slots of which each network namespace may have so many, and all of them together.
 * Whoever may make user namespaces is root of as many network namespaces as he likes:
 * together, those leave half of all to the ones of the host's own root, or there could be
 * none for its rules, which may be to fail closed.
 */
#ifndef _UTF8GUARD_NF_QUOTA_H
#define _UTF8GUARD_NF_QUOTA_H

#include <linux/atomic.h>
#include <linux/limits.h>
#include <linux/minmax.h>

/* Of what all have together, what is for namespaces of the kind of one. */
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
 * ugnf_quota_take() - take a slot, before there is what is to have it
 * @own: those of the namespace...
 * @most: ...and how many there may be
 * @total: those of all namespaces...
 * @share: ...and how many may be when this one takes another
 *
 * Context: any.
 * Return: whether there is one; it is given back by ugnf_quota_give().
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
