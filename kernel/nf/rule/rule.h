/* SPDX-License-Identifier: GPL-2.0 */
/* A rule for packets: made from a request, compared with another, freed. */
#ifndef _UTF8GUARD_NF_RULE_H
#define _UTF8GUARD_NF_RULE_H

#include "rule_types.h"

struct genl_info;

int ugnf_rule_cache_init(void);
void ugnf_rule_cache_exit(void);
struct ugnf_rule *ugnf_rule_parse(struct genl_info *info,
				  const struct utf8guard_ruleset_type *type);
void ugnf_rule_free(struct utf8guard_rule *rule);
bool ugnf_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool ugnf_rule_equal(const struct utf8guard_rule *a, const struct utf8guard_rule *b);

#endif /* _UTF8GUARD_NF_RULE_H */
