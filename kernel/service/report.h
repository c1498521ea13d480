/* SPDX-License-Identifier: GPL-2.0 */
/* What is told of names and packets that are refused, and of changes of rules. */
#ifndef _UTF8GUARD_SERVICE_REPORT_H
#define _UTF8GUARD_SERVICE_REPORT_H

#include <linux/types.h>

struct user_namespace;
struct utf8guard_flow;
struct utf8guard_name;
struct utf8guard_refusal;

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

/* What was reported since the module was loaded. */
struct utf8guard_report_totals {
	u64 events, suppressed, lost;
};

struct utf8guard_report_totals utf8guard_report_totals(void);

#endif /* _UTF8GUARD_SERVICE_REPORT_H */
