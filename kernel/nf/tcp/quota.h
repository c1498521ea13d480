/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A quota has a limit for each network namespace, and a limit for all of them together. A user
 * who may make user namespaces is root in as many network namespaces as he likes. So all of
 * these together get only half of the total. Otherwise he could leave nothing to the rules of
 * the host's own root, and those that fail closed would refuse everything.
 *
 * Nor may one user leave nothing to the others: what he has may not exceed what is left of that
 * half. One alone gets half of it, two a third each, and so on (a dynamic threshold, Choudhury
 * and Hahne, IEEE/ACM Transactions on Networking 6, 1998).
 */
#ifndef _UTF8GUARD_NF_QUOTA_H
#define _UTF8GUARD_NF_QUOTA_H

#include <linux/atomic.h>
#include <linux/limits.h>
#include <linux/minmax.h>

/**
 * struct ugnf_total - slots that are taken in all network namespaces
 * @all: in all of them
 * @users: in those of users
 */
struct ugnf_total {
	atomic_t all, users;
};

/**
 * struct ugnf_quota - where a slot is counted, and the limits
 * @own: slots that the namespace has taken
 * @most: the limit for @own
 * @total: slots that all have taken
 * @limit: the limit for @total
 * @owner: slots that all namespaces of the user have taken who made this one; NULL for the host's
 */
struct ugnf_quota {
	atomic_t *own;
	u32 most;
	struct ugnf_total *total;
	u32 limit;
	atomic_t *owner;
};

static inline void ugnf_quota_enter(struct ugnf_total *total, atomic_t *owner)
{
	atomic_inc(&total->all);
	if (owner) {
		atomic_inc(&total->users);
		atomic_inc(owner);
	}
}

static inline void ugnf_quota_leave(struct ugnf_total *total, atomic_t *owner)
{
	atomic_dec(&total->all);
	if (owner) {
		atomic_dec(&total->users);
		atomic_dec(owner);
	}
}

/* What one user may have: what is left of the half of users, and the slot that he takes now. */
static inline u32 ugnf_quota_of_owner(const struct ugnf_total *total, u32 limit)
{
	u32 taken = atomic_read(&total->users), half = limit / 2;

	return taken > half ? 0 : half - taken + 1;
}

/**
 * ugnf_quota_exceeds() - are too many slots taken, with the last one?
 * @total: slots that all have taken
 * @limit: the limit for these
 * @owner: slots of the user who made the namespace; NULL for one of the host
 *
 * Context: any.
 * Return: whether this namespace should have taken none.
 */
static inline bool ugnf_quota_exceeds(const struct ugnf_total *total, u32 limit,
				      const atomic_t *owner)
{
	limit = min_t(u32, limit, INT_MAX);
	return (u32)atomic_read(&total->all) > limit ||
	       (owner && (u32)atomic_read(owner) > ugnf_quota_of_owner(total, limit));
}

/**
 * ugnf_quota_take() - take a slot, before making what will have it
 * @quota: where
 *
 * Context: any. At the limit, two at the same time may both get none.
 * Return: whether there was a slot; ugnf_quota_give() gives it back.
 */
static inline bool ugnf_quota_take(const struct ugnf_quota *quota)
{
	if ((u32)atomic_inc_return(quota->own) <= min_t(u32, quota->most, INT_MAX)) {
		ugnf_quota_enter(quota->total, quota->owner);
		if (!ugnf_quota_exceeds(quota->total, quota->limit, quota->owner))
			return true;
		ugnf_quota_leave(quota->total, quota->owner);
	}
	atomic_dec(quota->own);
	return false;
}

static inline void ugnf_quota_give(atomic_t *own, struct ugnf_total *total, atomic_t *owner)
{
	ugnf_quota_leave(total, owner);
	atomic_dec(own);
}

#endif /* _UTF8GUARD_NF_QUOTA_H */
