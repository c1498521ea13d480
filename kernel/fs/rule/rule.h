/* SPDX-License-Identifier: GPL-2.0 */
/* A rule of the name check. */
#ifndef _UTF8GUARD_FS_RULE_H
#define _UTF8GUARD_FS_RULE_H

#include <linux/refcount.h>
#include <linux/types.h>

#include "../../service/counts.h"
#include "../../service/ruleset_types.h"
#include "constraint.h"
#include "subject.h"

struct netlink_ext_ack;
struct nlattr;
struct nlmsghdr;
struct ugfs_location;

/**
 * struct ugfs_terms - the part of a rule that stays when its mode or its location changes.
 *	Immutable, but for @ref, @told, @counts and @subject.present
 * @ref: one for each rule with these terms: ugfs_rule_again() and ugfs_rule_at() share them
 * @length: octets of @paths; 0 where the locations have none
 * @subject: for whom the rule is
 * @constraint: what the rule demands
 * @admin_exempt: callers with CAP_MAC_ADMIN are only reported
 * @judge_onto: a rename onto a name that exists is judged, too
 * @allow_move: a rename that changes the directory and not the name is not judged
 * @told: what was last written to the log: true if the rule acts, false if it waits; guarded by
 *	the lock of the rules
 * @counts: refusals by class
 * @paths: of the locations, as the user gave them, each with its NUL
 */
struct ugfs_terms {
	refcount_t ref;
	u32 length;
	struct ugfs_subject subject;
	struct ugfs_constraint constraint;
	bool admin_exempt, judge_onto, allow_move, told;
	struct utf8guard_counts counts;
	char paths[];
};

/**
 * struct ugfs_rule - a rule; immutable
 * @rule: what all families have
 * @mode: enum utf8guard_fs_mode
 * @terms: all the rest
 * @count: number of @locations that the rule is for by its words, at least 1
 * @former: number of those after them, where it was before ugfs_rule_at(), the oldest first. Their
 *	file systems are not at the paths any more, but somebody may still have them. Users are told
 *	nothing of these, and rules that are for these file systems by their words are asked first
 * @locations: where; all of one scope, and no two are the same
 */
struct ugfs_rule {
	struct utf8guard_rule rule;
	u8 mode;
	struct ugfs_terms *terms;
	u32 count, former;
	struct ugfs_location *locations[];
};

static inline struct ugfs_rule *ugfs_rule_of(const struct utf8guard_rule *rule)
{
	return container_of(rule, struct ugfs_rule, rule);
}

#define UGFS_MAX_RULES 65536

/* Locations of one rule. */
#define UGFS_MAX_LOCATIONS 16

/*
 * Former locations of one rule, of all its paths. A user whose own file system is mounted anew, as
 * /run/user/UID, can add one each time. By more of them he gets rid of the oldest, which nobody can
 * reach who does not hold it. So a rule for what root goes on holding should have no path of a
 * user's.
 */
#define UGFS_MAX_FORMER 16

/* Rules for one location, each with another subject. A walk looks at all of them. */
#define UGFS_MAX_RULES_OF_PLACE 64

/* The type of these rules for kernel/service; policy.c defines it. */
extern const struct utf8guard_ruleset_type ugfs_ruleset_type;

struct ugfs_rule *ugfs_rule_new(u8 mode, struct nlattr **attrs, const struct nlmsghdr *request,
				struct netlink_ext_ack *extack);
struct ugfs_rule *ugfs_rule_again(const struct ugfs_rule *rule, u8 mode);
void ugfs_rule_free(struct utf8guard_rule *rule);
bool ugfs_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool ugfs_rule_equal(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool ugfs_rule_same_words(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool ugfs_rule_gone(const struct utf8guard_rule *rule);
bool ugfs_rule_acts(const struct ugfs_rule *rule);
struct ugfs_rule *ugfs_rule_at(const struct ugfs_rule *rule, u32 which,
			       struct ugfs_location *location, bool stays);

#endif /* _UTF8GUARD_FS_RULE_H */
