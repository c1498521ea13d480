// SPDX-License-Identifier: GPL-2.0
/* Changes that only the rules for names have; those of all families are in service/draft.c. */
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

/* Puts @rule, which was made from @old, in its place; -ENOMEM where @rule is NULL. */
static int replace_made(struct utf8guard_draft *draft, struct utf8guard_change *change,
			struct ugfs_rule *rule, const struct utf8guard_rule *old)
{
	if (!rule)
		return -ENOMEM;
	change->rule = &rule->rule;
	return utf8guard_rule_copy_comment(change->rule, old) ?:
	       utf8guard_draft_replace(draft, change);
}

/* Replaces a rule by one with another mode and the same counters. The ruleset is locked. */
int ugfs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct ugfs_mode_change *mine = container_of(change, struct ugfs_mode_change, change);
	const struct utf8guard_rule *old = find(draft, change);

	if (!old)
		return -ENOENT;
	return replace_made(draft, change, ugfs_rule_again(ugfs_rule_of(old), mine->mode), old);
}

/* Replaces a rule by one with another location and the same counters. The ruleset is locked. */
int ugfs_change_location(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct ugfs_location_change *mine =
		container_of(change, struct ugfs_location_change, change);
	const struct utf8guard_rule *old = find(draft, change);

	if (!old)
		return -ENOENT;
	/* Another request has changed the location since ours was looked up. */
	if (mine->which >= ugfs_rule_of(old)->count ||
	    ugfs_rule_of(old)->locations[mine->which] != mine->old)
		return -EAGAIN;
	return replace_made(draft, change,
			    ugfs_rule_at(ugfs_rule_of(old), mine->which, mine->location,
					 mine->stays), old);
}

static bool is_default_for_all(const struct utf8guard_rule *rule)
{
	const struct ugfs_rule *mine = ugfs_rule_of(rule);

	return mine->locations[0]->scope == UTF8GUARD_FS_SCOPE_DEFAULT &&
	       ugfs_subject_is_all(&mine->terms->subject);
}

/* Replaces a rule. The first one must stay a default for all callers. The ruleset is locked. */
int ugfs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct utf8guard_rule *old = utf8guard_draft_find(draft, change->handle);

	if (old && is_default_for_all(old) && !is_default_for_all(change->rule)) {
		NL_SET_ERR_MSG_ATTR(change->extack, change->same_attr,
				    "the first rule must stay the default for all");
		return -EINVAL;
	}
	return utf8guard_draft_replace(draft, change);
}

/* A default rule that audits names that are ill-formed, and no others; or an ERR_PTR(). */
static struct ugfs_rule *first_default(const struct ugfs_rule *old)
{
	struct nlattr *none[UTF8GUARD_FS_A_RULE_MAX + 1] = {};
	const struct ugfs_terms *terms = old->terms;

	/* Where the old default demanded the same, its counters go on. */
	if (!terms->constraint.refuse && !terms->constraint.forms && !terms->admin_exempt &&
	    !terms->judge_onto && !terms->allow_move)
		return ugfs_rule_again(old, UTF8GUARD_FS_MODE_AUDIT) ?: ERR_PTR(-ENOMEM);
	return ugfs_rule_new(UTF8GUARD_FS_MODE_AUDIT, none, NULL, NULL);
}

/* Deletes all rules but the default, which loses its comment and audits. The ruleset is locked. */
int ugfs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct utf8guard_rule *old = utf8guard_draft_first(draft);
	struct ugfs_rule *rule = first_default(ugfs_rule_of(old));
	struct utf8guard_change to_audit = { .handle = old->handle };
	int err;

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	to_audit.rule = &rule->rule;
	/* After a flush, utf8guard_draft_replace() takes an unchanged default for the old one. */
	err = utf8guard_draft_flush(draft, change) ?:
	      utf8guard_draft_replace(draft, &to_audit);
	utf8guard_rule_put(&ugfs_ruleset_type, to_audit.rule);
	return err;
}
