// SPDX-License-Identifier: GPL-2.0
/* What changes of the rules for names do beyond those of all families. */
#include <linux/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../../service/draft.h"
#include "../../service/rule.h"
#include "../../service/ruleset_types.h"
#include "change.h"
#include "location.h"
#include "rule.h"
#include "subject.h"

static const struct utf8guard_rule *find(const struct utf8guard_draft *draft,
					 const struct utf8guard_change *change)
{
	const struct utf8guard_rule *old = utf8guard_draft_find(draft, change->handle);

	if (!old)
		NL_SET_ERR_MSG_ATTR(change->extack, change->handle_attr,
				    "no rule has this handle");
	return old;
}

/* @rule: made of @old, or NULL. */
static int replace_made(struct utf8guard_draft *draft, struct utf8guard_change *change,
			struct ugfs_rule *rule, const struct utf8guard_rule *old)
{
	if (!rule)
		return -ENOMEM;
	change->rule = &rule->rule;
	return utf8guard_rule_copy_comment(change->rule, old) ?:
	       utf8guard_draft_replace(draft, change);
}

/* Make a rule anew with another mode; it goes on counting. */
int ugfs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct ugfs_mode_change *mine = container_of(change, struct ugfs_mode_change, change);
	const struct utf8guard_rule *old = find(draft, change);

	if (!old)
		return -ENOENT;
	return replace_made(draft, change, ugfs_rule_again(ugfs_rule_of(old), mine->mode), old);
}

/* Make a rule anew where its place was found; it goes on counting. */
int ugfs_change_location(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct ugfs_location_change *mine =
		container_of(change, struct ugfs_location_change, change);
	const struct utf8guard_rule *old = find(draft, change);

	if (!old)
		return -ENOENT;
	/* Somebody was faster. */
	if (ugfs_rule_of(old)->location != mine->old)
		return -EAGAIN;
	return replace_made(draft, change, ugfs_rule_at(ugfs_rule_of(old), mine->location), old);
}

static bool is_default_for_all(const struct utf8guard_rule *rule)
{
	const struct ugfs_rule *mine = ugfs_rule_of(rule);

	return mine->location->scope == UTF8GUARD_FS_SCOPE_DEFAULT &&
	       ugfs_subject_is_all(&mine->terms->subject);
}

/* Replace a rule: there is always one default for all, and it is the first. */
int ugfs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct utf8guard_rule *old = utf8guard_draft_find(draft, change->handle);

	if (old && is_default_for_all(old) && !is_default_for_all(change->rule)) {
		NL_SET_ERR_MSG_ATTR(change->extack, change->same_attr,
				    "the first rule stays a default for all");
		return -EINVAL;
	}
	return utf8guard_draft_replace(draft, change);
}

/* A default that audits, and refuses what is ill-formed alone. */
static struct ugfs_rule *first_default(const struct ugfs_rule *old)
{
	struct nlattr *none[UTF8GUARD_FS_A_RULE_MAX + 1] = {};
	const struct ugfs_terms *terms = old->terms;

	/* It goes on counting, if it counts the same. */
	if (!terms->constraint.refuse && !terms->constraint.forms && !terms->admin_exempt &&
	    !terms->judge_onto && !terms->allow_move)
		return ugfs_rule_again(old, UTF8GUARD_FS_MODE_AUDIT) ?: ERR_PTR(-ENOMEM);
	return ugfs_rule_new(UTF8GUARD_FS_MODE_AUDIT, none, NULL);
}

/* Back to one default rule, without comment. */
int ugfs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct utf8guard_rule *old = utf8guard_draft_first(draft);
	struct ugfs_rule *rule = first_default(ugfs_rule_of(old));
	struct utf8guard_change to_audit = { .handle = old->handle };
	int err;

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	to_audit.rule = &rule->rule;
	/* In this order: the default as it was is known again. */
	err = utf8guard_draft_flush(draft, change) ?:
	      utf8guard_draft_replace(draft, &to_audit);
	utf8guard_rule_put(&ugfs_ruleset_type, to_audit.rule);
	return err;
}
