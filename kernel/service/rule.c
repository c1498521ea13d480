// SPDX-License-Identifier: GPL-2.0
/* What the rules of all families have: references and a comment. */
#include <linux/slab.h>
#include <linux/utf8guard.h>
#include <net/netlink.h>

#include "rule.h"

/* Comments are shown on terminals and in logs, which these characters would control. */
#define REFUSED_IN_COMMENTS							\
	(UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_CONTROL) |			\
	 UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NEWLINE))

static int check_comment(const struct nlattr *attr, struct netlink_ext_ack *extack)
{
	const char *text = nla_data(attr);
	struct utf8guard_error error;

	if (utf8guard_validate(text, strlen(text), &error)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "the comment is not valid UTF-8");
		return -EINVAL;
	}
	if (utf8guard_classify(text, strlen(text), REFUSED_IN_COMMENTS, &error)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "the comment has control characters");
		return -EINVAL;
	}
	return 0;
}

static int set_comment(struct utf8guard_rule *rule, const char *comment)
{
	rule->comment = kstrdup(comment, GFP_KERNEL_ACCOUNT);
	return rule->comment ? 0 : -ENOMEM;
}

/**
 * utf8guard_rule_init() - give a new rule its first reference, and its comment
 * @rule: all zeroes
 * @comment: an attribute of the request; NULL or empty for none
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -EINVAL for a comment that is ill-formed or has control
 * characters; -ENOMEM. The reference is there in any case.
 */
int utf8guard_rule_init(struct utf8guard_rule *rule, const struct nlattr *comment,
			struct netlink_ext_ack *extack)
{
	refcount_set(&rule->ref, 1);
	if (!comment || !*(const char *)nla_data(comment))
		return 0;
	return check_comment(comment, extack) ?: set_comment(rule, nla_data(comment));
}
EXPORT_SYMBOL_NS_GPL(utf8guard_rule_init, "UTF8GUARD");

/**
 * utf8guard_rule_copy_comment() - give a rule the comment of another
 * @rule: without one
 * @from: the other
 *
 * Context: process context; may sleep.
 * Return: 0, or -ENOMEM.
 */
int utf8guard_rule_copy_comment(struct utf8guard_rule *rule,
				const struct utf8guard_rule *from)
{
	return from->comment ? set_comment(rule, from->comment) : 0;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_rule_copy_comment, "UTF8GUARD");

/**
 * utf8guard_rule_put() - give a reference back; the last one frees the rule
 * @type: of the rule
 * @rule: the rule; each policy and each draft that has it holds a reference of its own
 *
 * Context: process context; may sleep.
 */
void utf8guard_rule_put(const struct utf8guard_ruleset_type *type,
			struct utf8guard_rule *rule)
{
	if (!refcount_dec_and_test(&rule->ref))
		return;
	kfree(rule->comment);
	type->free(rule);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_rule_put, "UTF8GUARD");

/* A rule of @type, as one of the rules of @generation. 0, or -EMSGSIZE. */
int utf8guard_ruleset_put_rule(struct sk_buff *skb,
			       const struct utf8guard_ruleset_type *type,
			       const struct utf8guard_rule *rule, u32 generation)
{
	const struct utf8guard_ruleset_attrs *attrs = &type->attrs;

	if (nla_put_u32(skb, attrs->handle, rule->handle) ||
	    nla_put_u32(skb, attrs->rule_generation, generation) ||
	    (rule->comment && nla_put_string(skb, attrs->comment, rule->comment)))
		return -EMSGSIZE;
	return type->put(skb, rule);
}

/* Is the subject of the rule gone for good? Then the rule decides nothing any more. */
bool utf8guard_rule_gone(const struct utf8guard_ruleset_type *type,
			 const struct utf8guard_rule *rule)
{
	return type->gone && type->gone(rule);
}
