/* SPDX-License-Identifier: GPL-2.0 */
/* What the modules of utf8guard share, and nobody else: reports and counters. */
#ifndef _UTF8GUARD_SERVICE_H
#define _UTF8GUARD_SERVICE_H

#include <linux/atomic.h>
#include <linux/spinlock_types.h>
#include <linux/types.h>
#include <linux/utf8guard.h>

struct dentry;
struct genl_family;
struct genl_info;
struct inode;
struct net;
struct sk_buff;
struct user_namespace;

/**
 * struct utf8guard_refusal - what was refused, or audited, and why
 * @op: what was attempted, as users read it ("create", "input")
 * @outcome: enum utf8guard_outcome
 * @reason: enum utf8guard_reason; but for NONE, @error and @bytes are all zeroes, with
 *	the exception of the offset of UNFOLLOWED
 * @cause: enum utf8guard_cause of UNFOLLOWED
 * @is_repeat: it is about octets sent again that were reported, and is not reported
 * @rule: handle of the rule that decided
 * @family: of that rule, as the audit log shows it ("fs"); NULL without a rule
 * @comment: of that rule; or NULL
 * @error: class, offset and so on
 * @bytes: the octets at fault, @error.span of them
 */
struct utf8guard_refusal {
	const char *op;
	u8 outcome;
	u8 reason;
	u8 cause;
	bool is_repeat;
	u32 rule;
	const char *family, *comment;
	struct utf8guard_error error;
	u8 bytes[UTF8GUARD_MAX_SPAN];
};

/**
 * struct utf8guard_name - the file name that a refusal is about
 * @dir: the directory
 * @parent: the same, by its own name
 * @name: the name in it; all stable while the report is made
 * @scope: of the rule that decided, as users write it
 * @pending: the open may still succeed, for the name may exist
 * @exempt: it was let through, where it would have been minded, for whose it is:
 *	"admin", or "overlay"; or NULL
 */
struct utf8guard_name {
	const struct inode *dir;
	const struct dentry *parent;
	const struct qstr *name;
	const char *scope;
	bool pending;
	const char *exempt;
};

/**
 * struct utf8guard_flow - the packet that a refusal is about
 * @net: its network namespace
 * @saddr: source address, in network order
 * @daddr: destination address
 * @addr_len: 4 or 16
 * @sport: source port, in host order
 * @dport: destination port
 * @protocol: IPPROTO_TCP or IPPROTO_UDP
 * @length: octets of payload
 */
struct utf8guard_flow {
	struct net *net;
	const void *saddr;
	const void *daddr;
	u8 addr_len;
	u16 sport;
	u16 dport;
	u8 protocol;
	u32 length;
};

const char *utf8guard_reason_name(u8 reason);
const char *utf8guard_cause_name(u8 cause);
bool utf8guard_report_name(const struct utf8guard_refusal *refusal,
			   const struct utf8guard_name *name);
void utf8guard_report_packet(const struct utf8guard_refusal *refusal,
			     const struct utf8guard_flow *flow);

/**
 * struct utf8guard_config - a change of rules
 * @family: of which ("fs")
 * @action: as the audit log shows it ("rule-add")
 * @handle: of the rule; 0 where it is about all of them
 * @generation: of the rules after it
 * @rules: how many they are; told where it is about all of them
 * @confirm: seconds that they wait to be confirmed, or 0
 * @userns: that owns the network namespace of the rules
 */
struct utf8guard_config {
	const char *family;
	const char *action;
	const struct user_namespace *userns;
	u32 handle, generation, rules, confirm;
};

void utf8guard_report_config(const struct utf8guard_config *config);

/* limit.c */
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

/**
 * struct utf8guard_counts - refusals of a rule, by class
 * @refused: refused
 * @audited: reported or counted, and let through
 *
 * Refusals are rare, and a rule for each of 10,000 ports is not: plain atomics
 * cost a rule 300 octets, whatever the number of processors.
 */
struct utf8guard_counts {
	atomic64_t refused[UTF8GUARD_CLASS_MAX + 1];
	atomic64_t audited[UTF8GUARD_CLASS_MAX + 1];
};

void utf8guard_counts_add(struct utf8guard_counts *counts, u8 class, u8 outcome);
void utf8guard_counts_reset(struct utf8guard_counts *counts);

/**
 * struct utf8guard_count_attrs - the numbers of a family's "count" nest
 * @count: the nest's own attribute in the rule
 * @class: in the nest
 * @refused: in the nest
 * @audited: in the nest
 * @pad: in the nest
 */
struct utf8guard_count_attrs {
	int count, class, refused, audited, pad;
};

int utf8guard_counts_put(struct sk_buff *skb, const struct utf8guard_counts *counts,
			 const struct utf8guard_count_attrs *attrs);

struct sk_buff *utf8guard_reply_new(struct genl_info *info,
				    const struct genl_family *family);
int utf8guard_reply_send(struct sk_buff *skb, struct genl_info *info,
			 int (*put)(struct sk_buff *skb, const void *data),
			 const void *data);
int utf8guard_reply(struct genl_info *info, const struct genl_family *family,
		    int (*put)(struct sk_buff *skb, const void *data), const void *data);

/* Inside utf8guard.ko: the family, and what was reported since it was loaded. */
struct utf8guard_report_totals {
	u64 events, suppressed, lost;
};

extern struct genl_family utf8guard_nl_family;
struct utf8guard_report_totals utf8guard_report_totals(void);

int utf8guard_engine_init(void);
utf8guard_prefix_fn *utf8guard_fpu_init(const struct utf8guard_engine *engine);

#endif /* _UTF8GUARD_SERVICE_H */
