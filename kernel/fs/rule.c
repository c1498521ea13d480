// SPDX-License-Identifier: GPL-2.0
/* One rule: its memory, and what another rule may not be the same in. */
#include <linux/hash.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "fs.h"

static u32 key_of(const struct fs_place *place)
{
	return place->inode ? hash_ptr(place->inode, 32) : 0;
}

static int set_up(struct fs_rule *rule, const char *path, const struct nlattr *comment,
		  struct netlink_ext_ack *extack)
{
	struct fs_place *place;
	int err = utf8guard_rule_init(&rule->rule, comment, extack);

	if (err)
		return err;
	place = fs_place_new(path, extack);
	if (IS_ERR(place))
		return PTR_ERR(place);
	rule->place = place;
	rule->rule.key = key_of(place);
	return 0;
}

/**
 * fs_rule_new() - make a rule
 * @mode: enum utf8guard_fs_mode
 * @path: of the directory; NULL for the default
 * @comment: attribute of the request, or NULL
 * @extack: told why not
 *
 * Context: process context of the user who named the path; may sleep for long.
 * Return: the rule, with one reference, or an ERR_PTR(): -EINVAL for the comment,
 * errors of path lookup, -ENOMEM.
 */
struct fs_rule *fs_rule_new(u8 mode, const char *path, const struct nlattr *comment,
			    struct netlink_ext_ack *extack)
{
	struct fs_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);
	int err;

	if (!rule)
		return ERR_PTR(-ENOMEM);
	rule->mode = mode;
	err = set_up(rule, path, comment, extack);
	if (err) {
		utf8guard_rule_put(&fs_ruleset_type, &rule->rule);
		return ERR_PTR(err);
	}
	return rule;
}

/**
 * fs_rule_again() - make a rule for the place of another, with its counters
 * @rule: the other
 * @mode: enum utf8guard_fs_mode
 *
 * Context: process context; may sleep.
 * Return: the rule, with one reference and no comment, or NULL.
 */
struct fs_rule *fs_rule_again(const struct fs_rule *rule, u8 mode)
{
	struct fs_rule *again = kzalloc(sizeof(*again), GFP_KERNEL_ACCOUNT);

	if (!again)
		return NULL;
	utf8guard_rule_init(&again->rule, NULL, NULL);
	again->rule.key = rule->rule.key;
	again->mode = mode;
	again->place = rule->place;
	refcount_inc(&again->place->ref);
	return again;
}

void fs_rule_free(struct utf8guard_rule *rule)
{
	struct fs_rule *mine = fs_rule_of(rule);

	if (mine->place)
		fs_place_put(mine->place);
	kfree(mine);
}

/* One that is gone is like no other: its inode may be another's by now. */
bool fs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b)
{
	return fs_rule_of(a)->place->inode == fs_rule_of(b)->place->inode &&
	       !fs_rule_gone(a) && !fs_rule_gone(b);
}

bool fs_rule_gone(const struct utf8guard_rule *rule)
{
	return READ_ONCE(fs_rule_of(rule)->place->dead);
}
