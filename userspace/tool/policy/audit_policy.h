/* SPDX-License-Identifier: GPL-2.0 */
/* Writes to the audit log which policy a load has put in force. */
#ifndef UTF8GUARD_TOOL_AUDIT_POLICY_H
#define UTF8GUARD_TOOL_AUDIT_POLICY_H

#include "transaction.h"

void audit_policy(struct transaction *check);

#endif /* UTF8GUARD_TOOL_AUDIT_POLICY_H */
