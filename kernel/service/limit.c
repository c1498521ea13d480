// SPDX-License-Identifier: GPL-2.0
/*
 * How many reports a second: of all sources together, and of each. Without the second
 * limit, the flood of one source would be all that is told. A source is a user, or a
 * host that sends packets.
 *
 * The sources are in a table of fixed size, for they may be many: of those that share a
 * place in it, the one that was not heard of for longest gives way. What was suppressed
 * of it and not told yet remains in the sum of all.
 */
#include <linux/cred.h>
#include <linux/hash.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/once.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "limit.h"

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

/**
 * utf8guard_sender_of() - which source sends packets from an address?
 * @address: in network order
 * @len: 4 or 16 octets
 *
 * Whoever has one address of IPv6 has all that begin with the same 64 bits. Nobody can
 * choose an address that shares a place with another one, for the seed is random.
 *
 * Context: any; does not sleep.
 */
u32 utf8guard_sender_of(const void *address, u8 len)
{
	static u32 seed __read_mostly;

	get_random_once(&seed, sizeof(seed));
	return jhash(address, min_t(u8, len, 8), seed);
}

static bool has_room(struct utf8guard_bucket *bucket, unsigned long now, u32 rate)
{
	if (!time_in_range(now, bucket->since, bucket->since + HZ - 1)) {
		bucket->since = now;
		bucket->count = 0;
	}
	return bucket->count < rate;
}

static struct utf8guard_source *source_of(struct utf8guard_limit *limit, u32 id)
{
	struct utf8guard_source *set = limit->sources[hash_32(id, UTF8GUARD_SOURCES_BITS)];
	struct utf8guard_source *oldest = set, *source;

	for (source = set; source < set + UTF8GUARD_SOURCES_WAYS; source++) {
		if (source->is_known && source->id == id)
			return source;
		if (!source->is_known ||
		    (oldest->is_known && time_before(source->bucket.since, oldest->bucket.since)))
			oldest = source;
	}
	*oldest = (struct utf8guard_source) {
		.is_known = true,
		.id = id,
		.bucket.since = jiffies,
	};
	return oldest;
}

/**
 * utf8guard_limit_admit() - may one more be told?
 * @limit: of what
 * @id: of the source whose doing it is
 * @suppressed: set to how many of this source's were not since the last that was
 *
 * Context: any but hard interrupts; does not sleep.
 */
bool utf8guard_limit_admit(struct utf8guard_limit *limit, u32 id, u32 *suppressed)
{
	struct utf8guard_source *source;
	unsigned long flags;
	bool admitted;

	raw_spin_lock_irqsave(&limit->lock, flags);
	source = source_of(limit, id);
	admitted = has_room(&source->bucket, jiffies, READ_ONCE(*limit->source_rate)) &&
		   has_room(&limit->all, jiffies, READ_ONCE(*limit->rate));
	if (admitted) {
		source->bucket.count++;
		limit->all.count++;
		*suppressed = source->suppressed;
		source->suppressed = 0;
	} else {
		source->suppressed++;
	}
	raw_spin_unlock_irqrestore(&limit->lock, flags);
	return admitted;
}
