// SPDX-License-Identifier: GPL-2.0
/*
 * How many reports a second: of all users together, and of each. Without the second
 * limit, the flood of one user would be all that is told.
 *
 * The users are in a table of fixed size, for they may be many: of those that share a
 * place in it, the one that was not heard of for longest gives way. What of his was
 * suppressed and not told yet remains in the sum of all.
 */
#include <linux/cred.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "service.h"

/*
 * Whom a user ID stands for. Root of a user namespace has thousands of user IDs; all
 * of them are the owner's, and so are those of the namespaces within.
 */
static u32 user_in(const struct user_namespace *ns, kuid_t uid)
{
	if (!ns->level)
		return from_kuid(&init_user_ns, uid);
	while (ns->level > 1)
		ns = ns->parent;
	return from_kuid(&init_user_ns, ns->owner);
}

/**
 * utf8guard_reporting_user() - as whose doing is it told what the caller does?
 *
 * His real user ID, which a program with the bit for another does not change. A server
 * that is root works for others, and has their ID for file systems.
 *
 * Context: process context; does not sleep.
 */
u32 utf8guard_reporting_user(void)
{
	const struct cred *real = current_real_cred();
	kuid_t uid = real->uid;

	if (uid_eq(uid, GLOBAL_ROOT_UID))
		uid = current_fsuid();
	return user_in(real->user_ns, uid);
}

/**
 * utf8guard_owner_of() - as whose doing is it told what goes on in a user namespace?
 * @ns: the user namespace
 *
 * Context: any; does not sleep.
 */
u32 utf8guard_owner_of(const struct user_namespace *ns)
{
	return user_in(ns, GLOBAL_ROOT_UID);
}

static bool has_room(struct utf8guard_bucket *bucket, unsigned long now, u32 rate)
{
	if (!time_in_range(now, bucket->since, bucket->since + HZ - 1)) {
		bucket->since = now;
		bucket->count = 0;
	}
	return bucket->count < rate;
}

static struct utf8guard_user *user_of(struct utf8guard_limit *limit, u32 uid)
{
	struct utf8guard_user *set = limit->users[hash_32(uid, UTF8GUARD_USERS_BITS)];
	struct utf8guard_user *oldest = set, *user;

	for (user = set; user < set + UTF8GUARD_USERS_WAYS; user++) {
		if (user->is_known && user->uid == uid)
			return user;
		if (!user->is_known ||
		    (oldest->is_known && time_before(user->bucket.since, oldest->bucket.since)))
			oldest = user;
	}
	*oldest = (struct utf8guard_user) {
		.is_known = true,
		.uid = uid,
		.bucket.since = jiffies,
	};
	return oldest;
}

/**
 * utf8guard_limit_admit() - may one more be told?
 * @limit: of what
 * @uid: whose doing it is
 * @suppressed: set to how many of this user's were not since the last that was
 *
 * Context: process context, preemption may be off; does not sleep.
 */
bool utf8guard_limit_admit(struct utf8guard_limit *limit, u32 uid, u32 *suppressed)
{
	struct utf8guard_user *user;
	bool admitted;

	raw_spin_lock(&limit->lock);
	user = user_of(limit, uid);
	admitted = has_room(&user->bucket, jiffies, READ_ONCE(*limit->user_rate)) &&
		   has_room(&limit->all, jiffies, READ_ONCE(*limit->rate));
	if (admitted) {
		user->bucket.count++;
		limit->all.count++;
		*suppressed = user->suppressed;
		user->suppressed = 0;
	} else {
		user->suppressed++;
	}
	raw_spin_unlock(&limit->lock);
	return admitted;
}
