// SPDX-License-Identifier: GPL-2.0
/* One rule: made from a request, copied with a change, compared with others, freed. */
#include <linux/hash.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../../service/rule.h"
#include "../../service/ruleset_types.h"
#include "constraint.h"
#include "location.h"
#include "rule.h"
#include "subject.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

static void terms_put(struct ugfs_terms *terms)
{
	if (!refcount_dec_and_test(&terms->ref))
		return;
	ugfs_subject_release(&terms->subject);
	kfree(terms->path);
	kfree(terms);
}

/* Has the request the attributes that say where a rule of this scope applies, and no others? */
static int check_location(u8 scope, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	const struct nlattr *path = attrs[ATTR(PATH)], *fstype = attrs[ATTR(FSTYPE)];
	bool takes_path = scope == UTF8GUARD_FS_SCOPE_SUBTREE ||
			  scope == UTF8GUARD_FS_SCOPE_SUPERBLOCK;
	bool takes_fstype = scope == UTF8GUARD_FS_SCOPE_FSTYPE;

	if (takes_path != !!path)
		NL_SET_ERR_MSG_ATTR(extack, path, "a path is for a subtree or a superblock");
	else if (!takes_path && (attrs[ATTR(FD)] || attrs[ATTR(UUID)] || attrs[ATTR(INSIDE)]))
		NL_SET_ERR_MSG(extack, "a file system is for a subtree or a superblock");
	else if (takes_fstype != !!fstype)
		NL_SET_ERR_MSG_ATTR(extack, fstype, "a type is for the scope fstype");
	else if (fstype && !*(const char *)nla_data(fstype))
		NL_SET_ERR_MSG_ATTR(extack, fstype, "the type of file system is empty");
	else
		return 0;
	return -EINVAL;
}

static int set_location(struct ugfs_rule *rule, u8 scope, struct nlattr **attrs,
			struct netlink_ext_ack *extack)
{
	const struct nlattr *path = attrs[ATTR(PATH)];
	struct ugfs_terms *terms = rule->terms;
	struct ugfs_location *location;

	if (path) {
		terms->path = kstrdup(nla_data(path), GFP_KERNEL_ACCOUNT);
		if (!terms->path)
			return -ENOMEM;
	}
	location = ugfs_location_of(scope, attrs, extack);
	if (!IS_ERR(location)) {
		rule->location = location;
		return 0;
	}
	if (path && extack && !extack->bad_attr)
		NL_SET_BAD_ATTR(extack, path);
	return PTR_ERR(location);
}

static int set_terms(struct ugfs_rule *rule, struct nlattr **attrs,
		     struct netlink_ext_ack *extack)
{
	const struct nlattr *attr = attrs[ATTR(SCOPE)];
	struct ugfs_terms *terms = rule->terms;
	u8 scope = attrs[ATTR(PATH)] ? UTF8GUARD_FS_SCOPE_SUBTREE : UTF8GUARD_FS_SCOPE_DEFAULT;
	int err;

	/* A request that replaces a rule may have no scope: a path means a subtree then. */
	if (attr)
		scope = nla_get_u32(attr);
	terms->admin_exempt = attrs[ATTR(ADMIN_EXEMPT)];
	terms->judge_onto = attrs[ATTR(JUDGE_ONTO)];
	terms->allow_move = attrs[ATTR(ALLOW_MOVE)];
	err = check_location(scope, attrs, extack) ?:
	      ugfs_constraint_parse(&terms->constraint, attrs, extack) ?:
	      ugfs_subject_parse(&terms->subject, attrs, extack) ?:
	      set_location(rule, scope, attrs, extack);
	/* The reply tells whether the rule acts now. The log is told when that changes. */
	if (!err)
		terms->told = ugfs_rule_acts(rule);
	return err;
}

static void set_key(struct ugfs_rule *rule)
{
	rule->rule.key = hash_ptr(rule->location, 32) ^ rule->terms->subject.uid_min;
}

static int set_up(struct ugfs_rule *rule, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	int err = utf8guard_rule_init(&rule->rule, attrs[ATTR(COMMENT)], extack);

	if (err)
		return err;
	rule->terms = kzalloc(sizeof(*rule->terms), GFP_KERNEL_ACCOUNT);
	if (!rule->terms)
		return -ENOMEM;
	refcount_set(&rule->terms->ref, 1);
	err = set_terms(rule, attrs, extack);
	if (!err)
		set_key(rule);
	return err;
}

/**
 * ugfs_rule_new() - make a rule
 * @mode: enum utf8guard_fs_mode
 * @attrs: of the request
 * @extack: told why not
 *
 * Context: process context of the sender; may sleep.
 * Return: the rule, with one reference, or an ERR_PTR(): -EINVAL, -ESRCH, -ENOMEM, and
 * those of ugfs_location_of().
 */
struct ugfs_rule *ugfs_rule_new(u8 mode, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	struct ugfs_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	int err;

	if (!rule)
		return ERR_PTR(-ENOMEM);
	rule->mode = mode;
	err = set_up(rule, attrs, extack);
	if (err) {
		utf8guard_rule_put(&ugfs_ruleset_type, &rule->rule);
		return ERR_PTR(err);
	}
	return rule;
}

/* A copy of a rule that shares its terms, without its comment; NULL without memory. */
static struct ugfs_rule *make_again(const struct ugfs_rule *rule, u8 mode,
				    struct ugfs_location *location)
{
	struct ugfs_rule *again = kzalloc(sizeof(*again), GFP_KERNEL_ACCOUNT);

	if (!again)
		return NULL;
	utf8guard_rule_init(&again->rule, NULL, NULL);
	again->mode = mode;
	again->location = location;
	ugfs_location_get(location);
	again->terms = rule->terms;
	refcount_inc(&again->terms->ref);
	set_key(again);
	return again;
}

/**
 * ugfs_rule_again() - copy a rule, with its counters, in another mode
 * @rule: the rule
 * @mode: enum utf8guard_fs_mode
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no comment, or NULL.
 */
struct ugfs_rule *ugfs_rule_again(const struct ugfs_rule *rule, u8 mode)
{
	return make_again(rule, mode, rule->location);
}

/**
 * ugfs_rule_at() - copy a rule, with its counters, at another location
 * @rule: the rule
 * @location: the location; the copy takes a reference of its own
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no comment, or NULL.
 */
struct ugfs_rule *ugfs_rule_at(const struct ugfs_rule *rule, struct ugfs_location *location)
{
	return make_again(rule, rule->mode, location);
}

/* For struct utf8guard_ruleset_type: frees a rule, also one that ugfs_rule_new() left half made. */
void ugfs_rule_free(struct utf8guard_rule *rule)
{
	struct ugfs_rule *mine = ugfs_rule_of(rule);

	if (mine->location)
		ugfs_location_put(mine->location);
	if (mine->terms)
		terms_put(mine->terms);
	kfree(mine);
}

/* The same: are two rules for the same location and the same subject? */
bool ugfs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	const struct ugfs_rule *one = ugfs_rule_of(a), *other = ugfs_rule_of(b);

	return one->location == other->location &&
	       ugfs_subject_same(&one->terms->subject, &other->terms->subject);
}

/**
 * ugfs_rule_equal() - do two rules for the same location and callers do the same?
 * @a: the one
 * @b: the other
 *
 * By mode, by what they refuse and by what they spare; not by comment, path and counters.
 */
bool ugfs_rule_equal(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	const struct ugfs_rule *one = ugfs_rule_of(a), *other = ugfs_rule_of(b);
	const struct ugfs_terms *terms = one->terms, *others = other->terms;

	return one->mode == other->mode && terms->constraint.refuse == others->constraint.refuse &&
	       terms->constraint.forms == others->constraint.forms &&
	       terms->admin_exempt == others->admin_exempt &&
	       terms->judge_onto == others->judge_onto && terms->allow_move == others->allow_move;
}

/* A location may be reached by several paths: the user is shown the one that he gave. */
bool ugfs_rule_same_words(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	return !strcmp(ugfs_rule_of(a)->terms->path ?: "", ugfs_rule_of(b)->terms->path ?: "");
}

bool ugfs_rule_gone(const struct utf8guard_rule *rule)
{
	return ugfs_subject_gone(&ugfs_rule_of(rule)->terms->subject);
}

/* Were the file system and the cgroup that the rule is for there when they were looked for last? */
bool ugfs_rule_acts(const struct ugfs_rule *rule)
{
	return READ_ONCE(rule->location->present) && READ_ONCE(rule->terms->subject.present);
}
