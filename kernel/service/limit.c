// SPDX-License-Identifier: GPL-2.0
/*
 * Limits how many reports are made in a second: of all sources together, and of each one.
 * Without the second limit, one source could use up all reports. A source is a user, or a host
 * that sends packets.
 *
 * There may be any number of sources, so the table of them has a fixed size. A new source takes
 * the entry, of those in its set, whose second began longest ago. The number of reports that
 * were suppressed for the old source is lost then, but is part of the total of the service.
 */
#include <linux/cred.h>
#include <linux/export.h>
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
 * The user that a user ID counts for. Root of a user namespace may have thousands of user IDs.
 * All of them count for the owner of the outermost namespace below the initial one. But where the
 * host's root owns that, as container engines do that run as root, they count for the user that is
 * root there: a container must hide no report of the host's root, nor of other containers.
 */
static u32 user_in(struct user_namespace *ns, kuid_t uid)
{
	kuid_t root;

	if (!ns->level)
		return from_kuid(&init_user_ns, uid);
	while (ns->level > 1)
		ns = ns->parent;
	root = make_kuid(ns, 0);
	if (uid_eq(ns->owner, GLOBAL_ROOT_UID) && uid_valid(root))
		return from_kuid(&init_user_ns, root);
	return from_kuid(&init_user_ns, ns->owner);
}

/* All whom the servers in the kernel serve. It is no user's ID: that is (uid_t)-1. */
#define CLIENTS U32_MAX

/**
 * utf8guard_reporting_user() - the user for whom a report of the caller counts
 *
 * That is the real user ID, which a set-user-ID program does not change. Where that is root,
 * it is the ID for file systems: a server that is root sets it to that of its client. But a
 * client of a server in the kernel, such as nfsd, says himself which user he is, each time as he
 * likes: all such clients count as one.
 *
 * Context: process context; does not sleep.
 * Return: a user ID in the initial user namespace, or one that no user has.
 */
u32 utf8guard_reporting_user(void)
{
	const struct cred *real = current_real_cred();
	kuid_t uid = real->uid;

	if (current->flags & PF_KTHREAD)
		return CLIENTS;
	if (uid_eq(uid, GLOBAL_ROOT_UID))
		uid = current_fsuid();
	return user_in(real->user_ns, uid);
}

/**
 * utf8guard_owner_of() - the user for whom a report from a user namespace counts
 * @ns: the user namespace
 *
 * Context: any; does not sleep.
 * Return: the user ID, in the initial user namespace, of its owner; or of its root, where the owner
 * is the host's root.
 */
u32 utf8guard_owner_of(struct user_namespace *ns)
{
	return user_in(ns, GLOBAL_ROOT_UID);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_owner_of, "UTF8GUARD");

/**
 * utf8guard_sender_of() - the source that an address counts as
 * @address: in network order
 * @len: its length in octets, 4 or 16
 *
 * All addresses of IPv6 that begin with the same 64 bits count as one source, for whoever has
 * one of them can have the others. The hash has a random seed, so that nobody can choose an
 * address that counts as the same source as another one.
 *
 * Context: any; does not sleep.
 * Return: the id of the source for utf8guard_limit_admit().
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

/*
 * The set that the entry of a source is in. The hash has a random seed, so that nobody can choose
 * the user ID, or address, of a source that shares a set with another one.
 */
static u32 set_of(u32 id)
{
	static u32 seed __read_mostly;

	get_random_once(&seed, sizeof(seed));
	return hash_32(jhash_1word(id, seed), UTF8GUARD_SOURCES_BITS);
}

static struct utf8guard_source *source_in(struct utf8guard_source *set, u32 id)
{
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
 * utf8guard_limit_admit() - may one more report be made? If so, it is counted
 * @limit: of this kind of reports
 * @id: of the source
 * @suppressed: on true, set to how many reports of this source were suppressed since the last
 *	one that was made
 *
 * Context: any but hard interrupts; takes the lock of @limit; does not sleep.
 * Return: whether the report may be made.
 */
bool utf8guard_limit_admit(struct utf8guard_limit *limit, u32 id, u32 *suppressed)
{
	struct utf8guard_source *set = limit->sources[set_of(id)], *source;
	unsigned long flags;
	bool admitted;

	raw_spin_lock_irqsave(&limit->lock, flags);
	source = source_in(set, id);
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
