/* SPDX-License-Identifier: GPL-2.0 */
/* Reports: of names and packets that are refused or audited, and of changes of rules. */
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
 * @family: whose rules ("fs")
 * @action: what was done, as the audit log shows it ("rule-add")
 * @userns: the user namespace that owns the network namespace of the rules
 * @handle: of the rule; 0 where the change is about all rules
 * @generation: of the rules after the change
 * @rules: number of rules after the change; only written where @handle is 0
 * @confirm: seconds for which a commit waits to be confirmed, or 0
 */
struct utf8guard_config {
	const char *family;
	const char *action;
	struct user_namespace *userns;
	u32 handle, generation, rules, confirm;
};

void utf8guard_report_config(const struct utf8guard_config *config);

/* Refusals and audits since the module was loaded: all, those not reported, events not sent. */
struct utf8guard_report_totals {
	u64 events, suppressed, lost;
};

struct utf8guard_report_totals utf8guard_report_totals(void);

#endif /* _UTF8GUARD_SERVICE_REPORT_H */
