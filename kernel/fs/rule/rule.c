// SPDX-License-Identifier: GPL-2.0
/* One rule: made from a request, copied with a change, compared with others, freed. */
#include <linux/hash.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/genetlink.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../../service/rule.h"
#include "../../service/ruleset_types.h"
#include "../netlink_gen.h"
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
		NL_SET_ERR_MSG_ATTR(extack, path,
				    "a subtree or a superblock needs a path, and nothing else takes one");
	else if (!takes_path && (attrs[ATTR(FD)] || attrs[ATTR(UUID)] || attrs[ATTR(INSIDE)]))
		NL_SET_ERR_MSG(extack, "only a subtree or a superblock takes a file system");
	else if (takes_fstype != !!fstype)
		NL_SET_ERR_MSG_ATTR(extack, fstype,
				    "the scope fstype needs a type, and no other scope takes one");
	else if (fstype && !*(const char *)nla_data(fstype))
		NL_SET_ERR_MSG_ATTR(extack, fstype, "the type of file system is empty");
	else
		return 0;
	return -EINVAL;
}

/* Another location of the rule: its attributes, as those of a rule that has only this one. */
static int parse_location(const struct nlattr *attr, struct nlattr **attrs,
			  struct netlink_ext_ack *extack)
{
	struct nlattr *tb[UTF8GUARD_FS_A_LOCATION_MAX + 1];
	int err = nla_parse_nested(tb, UTF8GUARD_FS_A_LOCATION_MAX, attr,
				   utf8guard_fs_location_nl_policy, extack);

	if (err)
		return err;
	attrs[ATTR(PATH)] = tb[UTF8GUARD_FS_A_LOCATION_PATH];
	attrs[ATTR(FD)] = tb[UTF8GUARD_FS_A_LOCATION_FD];
	attrs[ATTR(UUID)] = tb[UTF8GUARD_FS_A_LOCATION_UUID];
	attrs[ATTR(VOLUME_TYPE)] = tb[UTF8GUARD_FS_A_LOCATION_VOLUME_TYPE];
	attrs[ATTR(INSIDE)] = tb[UTF8GUARD_FS_A_LOCATION_INSIDE];
	if (attrs[ATTR(PATH)])
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, attr, "the path of the location is missing");
	return -EINVAL;
}

/* A rule must fit into a netlink message. With one location it does, however long the path. */
static int check_room(const struct ugfs_rule *rule, struct netlink_ext_ack *extack)
{
	const char *path = rule->terms->paths;
	size_t room = 0;
	u32 i;

	for (i = 0; i < rule->count; i++) {
		const char *inside = ugfs_location_inside(rule->locations[i]);

		room += strlen(path) + 1;
		room += inside ? strlen(inside) + 1 : 0;
		path += strlen(path) + 1;
	}
	if (rule->count == 1 || room <= PATH_MAX)
		return 0;
	NL_SET_ERR_MSG(extack, "the paths of the rule are longer than 4095 octets together");
	return -ENAMETOOLONG;
}

/* The terms have room for each path: see terms_new(). */
static void add_path(struct ugfs_terms *terms, const struct nlattr *path)
{
	size_t more = strlen(nla_data(path)) + 1;

	memcpy(terms->paths + terms->length, nla_data(path), more);
	terms->length += more;
}

static bool has_location(const struct ugfs_rule *rule, const struct ugfs_location *location)
{
	u32 i;

	for (i = 0; i < rule->count; i++)
		if (rule->locations[i] == location)
			return true;
	return false;
}

static int add_location(struct ugfs_rule *rule, u8 scope, struct nlattr **attrs,
			struct netlink_ext_ack *extack)
{
	const struct nlattr *path = attrs[ATTR(PATH)];
	struct ugfs_location *location;

	if (path)
		add_path(rule->terms, path);
	location = ugfs_location_of(scope, attrs, extack);
	if (!IS_ERR(location) && has_location(rule, location)) {
		ugfs_location_put(location);
		NL_SET_ERR_MSG_ATTR(extack, path,
				    "two paths of the rule lead to the same location");
		return -EINVAL;
	}
	if (!IS_ERR(location)) {
		rule->locations[rule->count++] = location;
		return 0;
	}
	if (path && extack && !extack->bad_attr)
		NL_SET_BAD_ATTR(extack, path);
	return PTR_ERR(location);
}

static u32 count_locations(const struct nlmsghdr *request)
{
	const struct nlattr *attr;
	u32 count = 1;
	int left;

	if (!request)
		return count;
	nlmsg_for_each_attr(attr, request, GENL_HDRLEN, left)
		count += nla_type(attr) == ATTR(LOCATION);
	return count;
}

/* The rule has room for as many locations as count_locations() says. */
static int set_locations(struct ugfs_rule *rule, u8 scope, struct nlattr **attrs,
			 const struct nlmsghdr *request, struct netlink_ext_ack *extack)
{
	struct nlattr *others[UTF8GUARD_FS_A_RULE_MAX + 1] = {};
	const struct nlattr *attr;
	int left, err = add_location(rule, scope, attrs, extack);

	if (err || !attrs[ATTR(LOCATION)])
		return err;
	if (!attrs[ATTR(PATH)]) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(LOCATION)],
				    "only a subtree or a superblock takes several locations");
		return -EINVAL;
	}
	nlmsg_for_each_attr(attr, request, GENL_HDRLEN, left) {
		if (nla_type(attr) != ATTR(LOCATION))
			continue;
		err = parse_location(attr, others, extack) ?:
		      add_location(rule, scope, others, extack);
		if (err)
			return err;
	}
	return check_room(rule, extack);
}

static int set_terms(struct ugfs_rule *rule, struct nlattr **attrs,
		     const struct nlmsghdr *request, struct netlink_ext_ack *extack)
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
	      set_locations(rule, scope, attrs, request, extack);
	/* The reply tells whether the rule acts now. The log is told when that changes. */
	if (!err)
		terms->told = ugfs_rule_acts(rule);
	return err;
}

/* A key that does not depend on the order of the locations. */
static void set_key(struct ugfs_rule *rule)
{
	u32 i;

	rule->rule.key = rule->terms->subject.uid_min;
	for (i = 0; i < rule->count; i++)
		rule->rule.key ^= hash_ptr(rule->locations[i], 32);
}

/* Terms with room for the paths of all locations of a request; NULL without memory. */
static struct ugfs_terms *terms_new(struct nlattr **attrs, const struct nlmsghdr *request)
{
	size_t room = attrs[ATTR(PATH)] ? nla_len(attrs[ATTR(PATH)]) + 1 : 0;
	const struct nlattr *attr;
	struct ugfs_terms *terms;
	int left;

	/* Another location is an attribute that has its path and more. */
	if (request)
		nlmsg_for_each_attr(attr, request, GENL_HDRLEN, left)
			room += nla_type(attr) == ATTR(LOCATION) ? nla_len(attr) : 0;
	terms = kzalloc(struct_size(terms, paths, room), GFP_KERNEL_ACCOUNT);
	if (terms)
		refcount_set(&terms->ref, 1);
	return terms;
}

static int set_up(struct ugfs_rule *rule, struct nlattr **attrs, const struct nlmsghdr *request,
		  struct netlink_ext_ack *extack)
{
	int err = utf8guard_rule_init(&rule->rule, attrs[ATTR(COMMENT)], extack);

	if (err)
		return err;
	rule->terms = terms_new(attrs, request);
	if (!rule->terms)
		return -ENOMEM;
	err = set_terms(rule, attrs, request, extack);
	if (!err)
		set_key(rule);
	return err;
}

/**
 * ugfs_rule_new() - make a rule
 * @mode: enum utf8guard_fs_mode
 * @attrs: of the request
 * @request: itself, for the attributes that may be there several times; NULL where none is
 * @extack: told why not
 *
 * Context: process context of the sender; may sleep.
 * Return: the rule, with one reference, or an ERR_PTR(): -EINVAL, -ESRCH, -E2BIG,
 * -ENAMETOOLONG, -ENOMEM, and those of ugfs_location_of() and of nla_parse_nested().
 */
struct ugfs_rule *ugfs_rule_new(u8 mode, struct nlattr **attrs, const struct nlmsghdr *request,
				struct netlink_ext_ack *extack)
{
	u32 count = count_locations(request);
	struct ugfs_rule *rule;
	int err;

	if (count > UGFS_MAX_LOCATIONS) {
		NL_SET_ERR_MSG_ATTR(extack, attrs[ATTR(LOCATION)],
				    "a rule has 16 locations at most");
		return ERR_PTR(-E2BIG);
	}
	rule = kzalloc(struct_size(rule, locations, count), GFP_KERNEL_ACCOUNT);
	if (!rule)
		return ERR_PTR(-ENOMEM);
	rule->mode = mode;
	err = set_up(rule, attrs, request, extack);
	if (err) {
		utf8guard_rule_put(&ugfs_ruleset_type, &rule->rule);
		return ERR_PTR(err);
	}
	return rule;
}

/*
 * A copy of a rule that shares its terms, without its comment, and with room for one more
 * location; NULL without memory.
 */
static struct ugfs_rule *make_again(const struct ugfs_rule *rule, u8 mode)
{
	u32 i, count = rule->count + rule->former;
	struct ugfs_rule *again =
		kzalloc(struct_size(again, locations, count + 1), GFP_KERNEL_ACCOUNT);

	if (!again)
		return NULL;
	utf8guard_rule_init(&again->rule, NULL, NULL);
	again->mode = mode;
	again->count = rule->count;
	again->former = rule->former;
	for (i = 0; i < count; i++) {
		again->locations[i] = rule->locations[i];
		ugfs_location_get(rule->locations[i]);
	}
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
	return make_again(rule, mode);
}

static void drop_former(struct ugfs_rule *rule, u32 which)
{
	struct ugfs_location **at = rule->locations + which;
	u32 after = rule->count + rule->former - which - 1;

	ugfs_location_put(*at);
	memmove(at, at + 1, after * sizeof(*at));
	rule->former--;
}

/* Drops the former locations that are gone, and @location, which the rule is for again. */
static void drop_stale(struct ugfs_rule *rule, const struct ugfs_location *location)
{
	u32 i = rule->count;

	while (i < rule->count + rule->former) {
		if (rule->locations[i] == location || ugfs_location_is_gone(rule->locations[i]))
			drop_former(rule, i);
		else
			i++;
	}
}

/* The oldest former location that was gone at the last look; else the oldest. */
static u32 least_needed(const struct ugfs_rule *rule)
{
	u32 i;

	for (i = rule->count; i < rule->count + rule->former; i++)
		if (!READ_ONCE(rule->locations[i]->present))
			return i;
	return rule->count;
}

/* make_again() has left room for it. Takes over a reference. */
static void add_former(struct ugfs_rule *rule, struct ugfs_location *location)
{
	if (rule->former == UGFS_MAX_FORMER)
		drop_former(rule, least_needed(rule));
	rule->locations[rule->count + rule->former++] = location;
}

/**
 * ugfs_rule_at() - copy a rule, with its counters, at another location
 * @rule: the rule
 * @which: of its locations is to be another one
 * @location: the location; the copy takes a reference of its own
 * @stays: the rule stays where it was, too
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no comment, or NULL.
 */
struct ugfs_rule *ugfs_rule_at(const struct ugfs_rule *rule, u32 which,
			       struct ugfs_location *location, bool stays)
{
	struct ugfs_rule *again = make_again(rule, rule->mode);
	struct ugfs_location *old;

	if (!again)
		return NULL;
	drop_stale(again, location);
	old = again->locations[which];
	again->locations[which] = location;
	ugfs_location_get(location);
	if (stays)
		add_former(again, old);
	else
		ugfs_location_put(old);
	set_key(again);
	return again;
}

/* For struct utf8guard_ruleset_type: frees a rule, also one that ugfs_rule_new() left half made. */
void ugfs_rule_free(struct utf8guard_rule *rule)
{
	struct ugfs_rule *mine = ugfs_rule_of(rule);
	u32 i;

	for (i = 0; i < mine->count + mine->former; i++)
		ugfs_location_put(mine->locations[i]);
	if (mine->terms)
		terms_put(mine->terms);
	kfree(mine);
}

/* Likewise: are two rules for the same locations, in any order, and the same subject? */
bool ugfs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	const struct ugfs_rule *one = ugfs_rule_of(a), *other = ugfs_rule_of(b);

	u32 i;

	for (i = 0; i < one->count; i++)
		if (!has_location(other, one->locations[i]))
			return false;
	return one->count == other->count &&
	       ugfs_subject_same(&one->terms->subject, &other->terms->subject);
}

/**
 * ugfs_rule_equal() - do two rules for the same location and callers do the same?
 * @a: the one
 * @b: the other
 *
 * Compares the mode, what they refuse and what they spare; not comment, path and counters.
 *
 * Context: any; pure.
 * Return: whether they do.
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

/* Have two rules the same paths? Several paths may lead to one location; users see their own. */
bool ugfs_rule_same_words(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	const struct ugfs_terms *terms = ugfs_rule_of(a)->terms, *others = ugfs_rule_of(b)->terms;

	return terms->length == others->length &&
	       !memcmp(terms->paths, others->paths, terms->length);
}

/* For struct utf8guard_ruleset_type: is the user namespace of the rule gone for good? */
bool ugfs_rule_gone(const struct utf8guard_rule *rule)
{
	return ugfs_subject_gone(&ugfs_rule_of(rule)->terms->subject);
}

/* At the last look, was the cgroup there, and at least one of the file systems? */
bool ugfs_rule_acts(const struct ugfs_rule *rule)
{
	bool present = false;
	u32 i;

	for (i = 0; i < rule->count; i++)
		present |= READ_ONCE(rule->locations[i]->present);
	return present && READ_ONCE(rule->terms->subject.present);
}
