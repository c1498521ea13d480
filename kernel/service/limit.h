/* SPDX-License-Identifier: GPL-2.0 */
/* How much is told, of all and of each source. */
#ifndef _UTF8GUARD_SERVICE_LIMIT_H
#define _UTF8GUARD_SERVICE_LIMIT_H

#include <linux/spinlock_types.h>
#include <linux/types.h>

struct user_namespace;

#define UTF8GUARD_SOURCES_BITS 6
#define UTF8GUARD_SOURCES_WAYS 4

/**
 * struct utf8guard_bucket - what was told of late
 * @since: when a second began, in jiffies
 * @count: since then
 */
struct utf8guard_bucket {
	unsigned long since;
	u32 count;
};

/**
 * struct utf8guard_source - what was told of late of a user, or of a host that sends
 * @is_known: the place is in use
 * @id: the user ID, in the initial user namespace; or a hash of the address
 * @suppressed: was not told, since the last that was
 * @bucket: was told
 */
struct utf8guard_source {
	bool is_known;
	u32 id;
	u32 suppressed;
	struct utf8guard_bucket bucket;
};

/**
 * struct utf8guard_limit - how many reports of a kind a second
 * @lock: guards all that follows but the rates
 * @rate: of all sources; may change at any time
 * @source_rate: of one; likewise
 * @all: what was told
 * @sources: of whom
 */
struct utf8guard_limit {
	raw_spinlock_t lock; /* see above */
	u32 *rate, *source_rate;
	struct utf8guard_bucket all;
	struct utf8guard_source sources[1 << UTF8GUARD_SOURCES_BITS][UTF8GUARD_SOURCES_WAYS];
};

u32 utf8guard_reporting_user(void);
u32 utf8guard_owner_of(const struct user_namespace *ns);
u32 utf8guard_sender_of(const void *address, u8 len);
bool utf8guard_limit_admit(struct utf8guard_limit *limit, u32 id, u32 *suppressed);

#endif /* _UTF8GUARD_SERVICE_LIMIT_H */
