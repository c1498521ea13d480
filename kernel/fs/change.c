// SPDX-License-Identifier: GPL-2.0
/* What changes of the rules for names do beyond those of all families. */
#include <linux/netlink.h>

#include "fs.h"

/* Make a rule anew with another mode; it goes on counting. */
int fs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct fs_mode_change *mine = container_of(change, struct fs_mode_change, change);
	const struct utf8guard_rule *old = utf8guard_draft_find(draft, change->handle);
	struct fs_rule *rule;

	if (!old) {
		NL_SET_ERR_MSG_ATTR(change->extack, change->handle_attr,
				    "no rule has this handle");
		return -ENOENT;
	}
	rule = fs_rule_again(fs_rule_of(old), mine->mode);
	if (!rule)
		return -ENOMEM;
	change->rule = &rule->rule;
	return utf8guard_rule_copy_comment(change->rule, old) ?:
	       utf8guard_draft_replace(draft, change);
}

static u8 scope_of(const struct utf8guard_rule *rule)
{
	return fs_rule_of(rule)->place->scope;
}

/* Replace a rule: there is always one default, and never two. */
int fs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct utf8guard_rule *old = utf8guard_draft_find(draft, change->handle);

	if (old && scope_of(old) != scope_of(change->rule)) {
		NL_SET_ERR_MSG_ATTR(change->extack, change->same_attr,
				    "the default, and no other rule, is without path");
		return -EINVAL;
	}
	return utf8guard_draft_replace(draft, change);
}

/* Back to one default rule that audits, without comment; it goes on counting. */
int fs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change)
{
	const struct utf8guard_rule *old = utf8guard_draft_first(draft);
	struct fs_rule *rule = fs_rule_again(fs_rule_of(old), UTF8GUARD_FS_MODE_AUDIT);
	struct utf8guard_change to_audit = { .handle = old->handle };
	int err;

	if (!rule)
		return -ENOMEM;
	to_audit.rule = &rule->rule;
	err = utf8guard_draft_replace(draft, &to_audit) ?:
	      utf8guard_draft_flush(draft, change);
	utf8guard_rule_put(&fs_ruleset_type, &rule->rule);
	return err;
}
