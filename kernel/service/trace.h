/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoint utf8guard:utf8guard_refusal: every refusal and audit, without a rate limit. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM utf8guard

#if !defined(_UTF8GUARD_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _UTF8GUARD_TRACE_H

#include <linux/tracepoint.h>

#include "refusal.h"

/* Arrays of fixed size, for __assign_str() has other arguments on later kernels. */
#define UTF8GUARD_OP_SIZE 12
#define UTF8GUARD_CLASS_SIZE 20
#define UTF8GUARD_REASON_SIZE 12
#define UTF8GUARD_CAUSE_ROOM 16

TRACE_EVENT(utf8guard_refusal,
	TP_PROTO(const struct utf8guard_refusal *refusal),
	TP_ARGS(refusal),
	TP_STRUCT__entry(
		__array(char, op, UTF8GUARD_OP_SIZE)
		__array(char, class, UTF8GUARD_CLASS_SIZE)
		__array(char, reason, UTF8GUARD_REASON_SIZE)
		__array(char, cause, UTF8GUARD_CAUSE_ROOM)
		__field(u8, outcome)
		__field(u32, rule)
		__field(u64, offset)
		__field(u32, code_point)
		__field(u8, span)
		__array(u8, bytes, UTF8GUARD_MAX_SPAN)
	),
	TP_fast_assign(
		strscpy(__entry->op, refusal->op, UTF8GUARD_OP_SIZE);
		strscpy(__entry->class, utf8guard_class_name(refusal->error.class),
			UTF8GUARD_CLASS_SIZE);
		strscpy(__entry->reason, utf8guard_reason_name(refusal->reason),
			UTF8GUARD_REASON_SIZE);
		strscpy(__entry->cause, utf8guard_cause_name(refusal->cause),
			UTF8GUARD_CAUSE_ROOM);
		__entry->outcome = refusal->outcome;
		__entry->rule = refusal->rule;
		__entry->offset = refusal->error.offset;
		__entry->code_point = refusal->error.code_point;
		__entry->span = refusal->error.span;
		memcpy(__entry->bytes, refusal->bytes, UTF8GUARD_MAX_SPAN);
	),
	TP_printk("op=%s outcome=%s rule=%u class=%s reason=%s cause=%s offset=%llu bytes=%s",
		  __entry->op, __entry->outcome ? "refused" : "audited",
		  __entry->rule, __entry->class, __entry->reason, __entry->cause,
		  __entry->offset, __print_hex_str(__entry->bytes, __entry->span))
);

#endif /* _UTF8GUARD_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
