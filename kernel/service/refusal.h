/* SPDX-License-Identifier: GPL-2.0 */
/* A name or a packet that is refused, or audited. */
#ifndef _UTF8GUARD_SERVICE_REFUSAL_H
#define _UTF8GUARD_SERVICE_REFUSAL_H

#include <linux/utf8guard.h>

struct dentry;
struct inode;
struct net;
struct qstr;

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

#endif /* _UTF8GUARD_SERVICE_REFUSAL_H */
