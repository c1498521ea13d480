// SPDX-License-Identifier: GPL-2.0
/* One rule: its memory, and what another rule may not be the same in. */
#include <linux/hash.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "fs.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

static void terms_put(struct fs_terms *terms)
{
	if (!refcount_dec_and_test(&terms->ref))
		return;
	fs_who_release(&terms->who);
	kfree(terms->path);
	kfree(terms);
}

/* Is there an attribute that the scope takes, and no other one? */
static int check_place(u8 scope, struct nlattr **attrs, struct netlink_ext_ack *extack)
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

static int set_place(struct fs_rule *rule, u8 scope, struct nlattr **attrs,
		     struct netlink_ext_ack *extack)
{
	const struct nlattr *path = attrs[ATTR(PATH)];
	struct fs_terms *terms = rule->terms;
	struct fs_place *place;

	if (path) {
		terms->path = kstrdup(nla_data(path), GFP_KERNEL_ACCOUNT);
		if (!terms->path)
			return -ENOMEM;
	}
	place = fs_place_of(scope, attrs, extack);
	if (!IS_ERR(place)) {
		rule->place = place;
		return 0;
	}
	if (path && extack && !extack->bad_attr)
		NL_SET_BAD_ATTR(extack, path);
	return PTR_ERR(place);
}

static int set_terms(struct fs_rule *rule, struct nlattr **attrs,
		     struct netlink_ext_ack *extack)
{
	const struct nlattr *attr = attrs[ATTR(SCOPE)];
	struct fs_terms *terms = rule->terms;
	u8 scope = attrs[ATTR(PATH)] ? UTF8GUARD_FS_SCOPE_SUBTREE : UTF8GUARD_FS_SCOPE_DEFAULT;
	int err;

	/* To replace a rule, it may be left to the path. */
	if (attr)
		scope = nla_get_u32(attr);
	terms->admin_exempt = attrs[ATTR(ADMIN_EXEMPT)];
	terms->judge_onto = attrs[ATTR(JUDGE_ONTO)];
	terms->allow_move = attrs[ATTR(ALLOW_MOVE)];
	err = check_place(scope, attrs, extack) ?:
	      fs_demand_parse(&terms->demand, attrs, extack) ?:
	      fs_who_parse(&terms->who, attrs, extack) ?:
	      set_place(rule, scope, attrs, extack);
	/* Whoever adds the rule is told of that; the log, of changes. */
	if (!err)
		terms->told = fs_rule_acts(rule);
	return err;
}

static void set_key(struct fs_rule *rule)
{
	rule->rule.key = hash_ptr(rule->place, 32) ^ rule->terms->who.uid_min;
}

static int set_up(struct fs_rule *rule, struct nlattr **attrs, struct netlink_ext_ack *extack)
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
 * fs_rule_new() - make a rule
 * @mode: enum utf8guard_fs_mode
 * @attrs: of the request
 * @extack: told why not
 *
 * Context: process context of the sender; may sleep.
 * Return: the rule, with one reference, or an ERR_PTR(): -EINVAL, -ESRCH, -ENOMEM, and
 * those of fs_place_of().
 */
struct fs_rule *fs_rule_new(u8 mode, struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	struct fs_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	int err;

	if (!rule)
		return ERR_PTR(-ENOMEM);
	rule->mode = mode;
	err = set_up(rule, attrs, extack);
	if (err) {
		utf8guard_rule_put(&fs_ruleset_type, &rule->rule);
		return ERR_PTR(err);
	}
	return rule;
}

/* With no comment; or NULL. */
static struct fs_rule *make_again(const struct fs_rule *rule, u8 mode, struct fs_place *place)
{
	struct fs_rule *again = kzalloc(sizeof(*again), GFP_KERNEL_ACCOUNT);

	if (!again)
		return NULL;
	utf8guard_rule_init(&again->rule, NULL, NULL);
	again->mode = mode;
	again->place = place;
	fs_place_get(place);
	again->terms = rule->terms;
	refcount_inc(&again->terms->ref);
	set_key(again);
	return again;
}

/**
 * fs_rule_again() - make a rule of another with its counters, in another mode
 * @rule: the other
 * @mode: enum utf8guard_fs_mode
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no comment, or NULL.
 */
struct fs_rule *fs_rule_again(const struct fs_rule *rule, u8 mode)
{
	return make_again(rule, mode, rule->place);
}

/**
 * fs_rule_at() - make a rule of another with its counters, in another place
 * @rule: the other
 * @place: the place; the rule gets a reference of its own
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no comment, or NULL.
 */
struct fs_rule *fs_rule_at(const struct fs_rule *rule, struct fs_place *place)
{
	return make_again(rule, rule->mode, place);
}

void fs_rule_free(struct utf8guard_rule *rule)
{
	struct fs_rule *mine = fs_rule_of(rule);

	if (mine->place)
		fs_place_put(mine->place);
	if (mine->terms)
		terms_put(mine->terms);
	kfree(mine);
}

bool fs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	const struct fs_rule *one = fs_rule_of(a), *other = fs_rule_of(b);

	return one->place == other->place && fs_who_same(&one->terms->who, &other->terms->who);
}

bool fs_rule_gone(const struct utf8guard_rule *rule)
{
	return fs_who_gone(&fs_rule_of(rule)->terms->who);
}

/* Is all there that the rule is for? As far as anybody has looked. */
bool fs_rule_acts(const struct fs_rule *rule)
{
	return READ_ONCE(rule->place->present) && READ_ONCE(rule->terms->who.present);
}
