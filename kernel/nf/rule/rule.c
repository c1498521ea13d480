// SPDX-License-Identifier: GPL-2.0
/* One rule: made of a request, compared with another, freed. */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "../../service/rule.h"
#include "../../service/ruleset_types.h"
#include "constraint.h"
#include "outcome.h"
#include "action.h"
#include "rule.h"
#include "rule_stream.h"
#include "rule_types.h"
#include "match.h"
#include "counters.h"

static int parse_all(struct genl_info *info, struct nf_rule *rule)
{
	return nf_selectors_parse(&rule->selectors, info) ?:
	       nf_demand_parse(&rule->demand, rule->selectors.fields.protocol, info) ?:
	       nf_reaction_parse(&rule->reaction, info) ?:
	       nf_streams_parse(rule, info);
}

static u32 counters_of(const struct nf_rule *rule)
{
	return rule->streams ? NF_REASON_COUNT : NF_PACKET_REASON_COUNT;
}

/**
 * nf_rule_parse() - make a rule of a request
 * @info: the request; its extack is told why not
 * @type: of the rules, which frees it if it comes to nothing
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no handle yet, or an ERR_PTR().
 */
struct nf_rule *nf_rule_parse(struct genl_info *info, const struct utf8guard_ruleset_type *type)
{
	struct nf_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	int err;

	if (!rule)
		return ERR_PTR(-ENOMEM);
	err = utf8guard_rule_init(&rule->rule, info->attrs[UTF8GUARD_NF_A_RULE_COMMENT],
				  info->extack) ?:
	      parse_all(info, rule) ?:
	      utf8guard_nf_counters_init(&rule->counters, counters_of(rule));
	if (err) {
		utf8guard_rule_put(type, &rule->rule);
		return ERR_PTR(err);
	}
	rule->rule.key = jhash(&rule->selectors, sizeof(rule->selectors), 0);
	return rule;
}

void nf_rule_free(struct utf8guard_rule *rule)
{
	struct nf_rule *mine = nf_rule_of(rule);

	utf8guard_nf_counters_free(&mine->counters);
	kfree(mine);
}

/* Do they look for the same packets? Then the second could never decide. */
bool nf_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	const struct nf_selectors *one = &nf_rule_of(a)->selectors;

	return !memcmp(one, &nf_rule_of(b)->selectors, sizeof(*one));
}
