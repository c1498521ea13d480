/* SPDX-License-Identifier: GPL-2.0 */
/* The type of the rules for packets, for kernel/service. */
#ifndef _UTF8GUARD_NF_POLICY_H
#define _UTF8GUARD_NF_POLICY_H

#include "../service/ruleset_types.h"

extern const struct utf8guard_ruleset_type ugnf_ruleset_type;

#endif /* _UTF8GUARD_NF_POLICY_H */
