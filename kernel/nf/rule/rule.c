// SPDX-License-Identifier: GPL-2.0
/* A rule for packets: makes one from a request, compares two, frees one. */
#include <linux/slab.h>
#include <net/genetlink.h>

#include "../../service/rule.h"
#include "../../service/ruleset_types.h"
#include "action.h"
#include "constraint.h"
#include "counters.h"
#include "match.h"
#include "outcome.h"
#include "rule.h"
#include "rule_stream.h"
#include "rule_types.h"

/*
 * There may be 65,536 rules in each namespace, and kmalloc() would round each up to 1,024 octets,
 * a third of which no rule needs.
 */
static struct kmem_cache *cache;

/* Makes the memory for rules. Module init; may sleep. Returns 0 or -ENOMEM. */
int ugnf_rule_cache_init(void)
{
	cache = kmem_cache_create("utf8guard_rule", sizeof(struct ugnf_rule), 0, 0, NULL);
	return cache ? 0 : -ENOMEM;
}

/* No policy and no draft has rules any more: after utf8guard_ruleset_drain(). */
void ugnf_rule_cache_exit(void)
{
	kmem_cache_destroy(cache);
}

static int parse_all(struct genl_info *info, struct ugnf_rule *rule)
{
	return ugnf_match_parse(&rule->match, info) ?:
	       ugnf_constraint_parse(&rule->constraint, rule->match.fields.protocol, info) ?:
	       ugnf_action_parse(&rule->action, info) ?:
	       ugnf_streams_parse(rule, info);
}

static u32 counters_of(const struct ugnf_rule *rule)
{
	return rule->streams ? UGNF_REASON_COUNT : UGNF_PACKET_REASON_COUNT;
}

/**
 * ugnf_rule_parse() - make a rule from a request
 * @info: the request; its extack is told what is wrong
 * @type: the type of the rules, which frees the rule on failure
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no handle yet, or an ERR_PTR().
 */
struct ugnf_rule *ugnf_rule_parse(struct genl_info *info, const struct utf8guard_ruleset_type *type)
{
	struct ugnf_rule *rule = kmem_cache_zalloc(cache, GFP_KERNEL_ACCOUNT);
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
	rule->rule.key = ugnf_match_hash(&rule->match);
	return rule;
}

/*
 * For struct utf8guard_ruleset_type: frees a rule, also one that ugnf_rule_parse() left half made.
 * Process context. No lock is needed: no policy and no draft has the rule any more.
 */
void ugnf_rule_free(struct utf8guard_rule *rule)
{
	struct ugnf_rule *mine = ugnf_rule_of(rule);

	utf8guard_nf_counters_free(&mine->counters);
	ugnf_match_release(&mine->match);
	kmem_cache_free(cache, mine);
}

/* Are both rules for the same packets? Then the second could never decide. */
bool ugnf_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	return ugnf_match_same(&ugnf_rule_of(a)->match, &ugnf_rule_of(b)->match);
}

static bool same_constraint(const struct ugnf_constraint *a, const struct ugnf_constraint *b)
{
	return a->refuse == b->refuse && a->allow == b->allow && a->offset == b->offset &&
	       a->length == b->length && a->scope == b->scope && a->decode == b->decode &&
	       a->is_gated == b->is_gated;
}

static bool same_action(const struct ugnf_action *a, const struct ugnf_action *b)
{
	return a->kind == b->kind && a->fail_closed == b->fail_closed && a->mark == b->mark &&
	       a->mask == b->mask;
}

/**
 * ugnf_rule_equal() - do two rules for the same packets do the same?
 * @a: a rule
 * @b: another rule
 *
 * Compares what they judge and refuse, their actions, and how they follow streams. A default
 * equals the same value that was given. Comment, counters and position do not matter.
 *
 * Context: any; pure.
 * Return: whether they do.
 */
bool ugnf_rule_equal(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	const struct ugnf_rule *one = ugnf_rule_of(a), *other = ugnf_rule_of(b);

	return same_constraint(&one->constraint, &other->constraint) &&
	       same_action(&one->action, &other->action) && one->streams == other->streams &&
	       one->policy.lenient == other->policy.lenient;
}
