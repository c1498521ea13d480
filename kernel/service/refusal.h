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
 * @op: what was attempted, as reports call it ("create", "input")
 * @outcome: enum utf8guard_outcome
 * @reason: enum utf8guard_reason. Where it is not NONE, @error and @bytes are all zeroes,
 *	except for the offset where it is UNFOLLOWED
 * @cause: where @reason is UNFOLLOWED, enum utf8guard_cause; else NONE
 * @is_repeat: it is about octets that were sent again and were reported the first time, so
 *	it is not reported
 * @rule: handle of the rule that decided; 0 without a rule
 * @family: family of that rule, as the audit log shows it ("fs"); NULL without a rule
 * @comment: comment of that rule, or NULL
 * @error: what is wrong, and where
 * @bytes: the @error.span octets at fault
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
 * @parent: the dentry of that directory
 * @name: the name in it
 * @scope: scope of the rule that decided, as users write it
 * @pending: the name may exist, so the open may succeed in any case
 * @exempt: "admin" or "overlay", where that is why the name was let through; or NULL
 *
 * The caller ensures that none of these changes while the report is made.
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
 * @protocol: IPPROTO_TCP, _UDP, _UDPLITE or _SCTP
 * @length: octets of payload
 * @is_local: this host sends it, so a local user may have chosen its source address
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
	bool is_local;
};

#endif /* _UTF8GUARD_SERVICE_REFUSAL_H */
