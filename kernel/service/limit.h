/* SPDX-License-Identifier: GPL-2.0 */
/* Rate limits of reports: of all sources together, and of each source. */
#ifndef _UTF8GUARD_SERVICE_LIMIT_H
#define _UTF8GUARD_SERVICE_LIMIT_H

#include <linux/spinlock_types.h>
#include <linux/types.h>

struct user_namespace;

#define UTF8GUARD_SOURCES_BITS 6
#define UTF8GUARD_SOURCES_WAYS 4

/**
 * struct utf8guard_bucket - reports within the current second
 * @since: when that second began, in jiffies
 * @count: reports since then
 */
struct utf8guard_bucket {
	unsigned long since;
	u32 count;
};

/**
 * struct utf8guard_source - reports of one user, or of one host that sends packets
 * @is_known: the entry is in use
 * @id: the user ID in the initial user namespace, or a hash of the host's address
 * @suppressed: reports that were not made since the last one that was
 * @bucket: reports that were made
 */
struct utf8guard_source {
	bool is_known;
	u32 id;
	u32 suppressed;
	struct utf8guard_bucket bucket;
};

/**
 * struct utf8guard_limit - the rate limit of one kind of reports
 * @lock: guards @all and @sources
 * @rate: reports a second of all sources together; a module parameter may change it at any time
 * @source_rate: reports a second of one source; likewise
 * @all: reports of all sources
 * @sources: reports of each source; a hash table, of sets of UTF8GUARD_SOURCES_WAYS
 */
struct utf8guard_limit {
	raw_spinlock_t lock; /* see above */
	u32 *rate, *source_rate;
	struct utf8guard_bucket all;
	struct utf8guard_source sources[1 << UTF8GUARD_SOURCES_BITS][UTF8GUARD_SOURCES_WAYS];
};

u32 utf8guard_reporting_user(void);
u32 utf8guard_owner_of(struct user_namespace *ns);
u32 utf8guard_sender_of(const void *address, u8 len);
bool utf8guard_limit_admit(struct utf8guard_limit *limit, u32 id, u32 *suppressed);

#endif /* _UTF8GUARD_SERVICE_LIMIT_H */
