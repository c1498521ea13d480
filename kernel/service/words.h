/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words for reasons and causes in the tracepoint, in the audit log and in the output of the
 * tool, which includes this file, too. The lists are in the order of the numbers, and end with
 * NULL. A reason has 11 octets at most and a cause 15, for trace.h has room for no more.
 */
#ifndef _UTF8GUARD_WORDS_H
#define _UTF8GUARD_WORDS_H

#include <uapi/linux/utf8guard.h>

static const char *const utf8guard_reason_words[] = {
	[UTF8GUARD_REASON_NONE] = "none",
	[UTF8GUARD_REASON_UNREADABLE] = "unreadable",
	[UTF8GUARD_REASON_UNFOLLOWED] = "unfollowed",
	[UTF8GUARD_REASON_FULL] = "full",
	[UTF8GUARD_REASON_UNTRACKED] = "untracked",
	[UTF8GUARD_REASON_DIFFERS] = "differs",
	[UTF8GUARD_REASON_URGENT] = "urgent",
	[UTF8GUARD_REASON_RESYNC] = "resync",
	[UTF8GUARD_REASON_PICKED_UP] = "picked-up",
	NULL,
};

static const char *const utf8guard_cause_words[] = {
	[UTF8GUARD_CAUSE_NONE] = "none",
	[UTF8GUARD_CAUSE_UPGRADE] = "upgrade",
	[UTF8GUARD_CAUSE_CONNECT] = "connect",
	[UTF8GUARD_CAUSE_CONTENT] = "content",
	[UTF8GUARD_CAUSE_LENGTHS] = "lengths",
	[UTF8GUARD_CAUSE_LENGTH] = "length",
	[UTF8GUARD_CAUSE_CODING] = "coding",
	[UTF8GUARD_CAUSE_LINE_END] = "line-end",
	[UTF8GUARD_CAUSE_FOLDING] = "folding",
	[UTF8GUARD_CAUSE_REQUEST_LINE] = "request-line",
	[UTF8GUARD_CAUSE_FIELD] = "field",
	[UTF8GUARD_CAUSE_TRAILER] = "trailer",
	[UTF8GUARD_CAUSE_HTTP2] = "http2",
	[UTF8GUARD_CAUSE_TLS] = "tls",
	[UTF8GUARD_CAUSE_STARTTLS] = "starttls",
	[UTF8GUARD_CAUSE_BDAT] = "bdat",
	[UTF8GUARD_CAUSE_TRUNCATED] = "truncated",
	[UTF8GUARD_CAUSE_LABEL] = "label",
	[UTF8GUARD_CAUSE_POINTER] = "pointer",
	[UTF8GUARD_CAUSE_SIZE] = "size",
	[UTF8GUARD_CAUSE_MIDDLE] = "middle",
	[UTF8GUARD_CAUSE_RESEGMENTED] = "resegmented",
	[UTF8GUARD_CAUSE_MULTIPATH] = "multipath",
	NULL,
};

#endif /* _UTF8GUARD_WORDS_H */
