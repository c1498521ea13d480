// SPDX-License-Identifier: GPL-2.0
/* A rule as attributes of a netlink message. */
#include <linux/bitops.h>
#include <linux/kdev_t.h>
#include <net/netlink.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../service/counts.h"
#include "../service/ruleset_types.h"
#include "describe.h"
#include "exempt.h"
#include "rule/constraint.h"
#include "rule/location.h"
#include "rule/rule.h"
#include "rule/subject.h"
#include "rule/userns.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/* Where the attributes of a location are: in a rule, or in one of its attributes location. */
struct location_attrs {
	int path, device, waiting, major, minor, uuid, type, inside;
};

static const struct location_attrs first_attrs = {
	ATTR(PATH), ATTR(DEVICE), ATTR(WAITING), ATTR(MAJOR), ATTR(MINOR), ATTR(UUID),
	ATTR(VOLUME_TYPE), ATTR(INSIDE)
};

#define OTHER(name) UTF8GUARD_FS_A_LOCATION_##name

static const struct location_attrs other_attrs = {
	OTHER(PATH), OTHER(DEVICE), OTHER(WAITING), OTHER(MAJOR), OTHER(MINOR), OTHER(UUID),
	OTHER(VOLUME_TYPE), OTHER(INSIDE)
};

static int put_volume(struct sk_buff *skb, const struct location_attrs *at, const char *path,
		      const struct ugfs_location *location)
{
	const char *inside = ugfs_location_inside(location);
	dev_t seen = READ_ONCE(location->seen);

	if (nla_put_string(skb, at->path, path) ||
	    (*location->device && nla_put_string(skb, at->device, location->device)) ||
	    (!READ_ONCE(location->present) && nla_put_flag(skb, at->waiting)))
		return -EMSGSIZE;
	if (seen && READ_ONCE(location->present) &&
	    (nla_put_u32(skb, at->major, MAJOR(seen)) || nla_put_u32(skb, at->minor, MINOR(seen))))
		return -EMSGSIZE;
	if (!location->lasting)
		return 0;
	if (nla_put(skb, at->uuid, sizeof(uuid_t), &location->volume.uuid) ||
	    nla_put_string(skb, at->type, location->volume.type) ||
	    (inside && nla_put_string(skb, at->inside, inside)))
		return -EMSGSIZE;
	return 0;
}

static int put_other(struct sk_buff *skb, const char *path, const struct ugfs_location *location)
{
	struct nlattr *nest = nla_nest_start(skb, ATTR(LOCATION));

	if (!nest || put_volume(skb, &other_attrs, path, location)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/* Are names exempt wherever the rule is? */
static bool is_exempt(const struct ugfs_rule *rule)
{
	u32 i;

	for (i = 0; i < rule->count; i++) {
		const struct ugfs_location *location = rule->locations[i];

		if (!ugfs_exempt_type(ugfs_location_fstype(location) ?: location->volume.type))
			return false;
	}
	return true;
}

static int put_locations(struct sk_buff *skb, const struct ugfs_rule *rule)
{
	const struct ugfs_location *first = rule->locations[0];
	const char *path = rule->terms->paths, *fstype = ugfs_location_fstype(first);
	u32 i;

	if ((is_exempt(rule) && nla_put_flag(skb, ATTR(EXEMPT))) ||
	    (fstype && nla_put_string(skb, ATTR(FSTYPE), fstype)))
		return -EMSGSIZE;
	if (!rule->terms->length)
		return 0;
	if (put_volume(skb, &first_attrs, path, first))
		return -EMSGSIZE;
	for (i = 1; i < rule->count; i++) {
		path += strlen(path) + 1;
		if (put_other(skb, path, rule->locations[i]))
			return -EMSGSIZE;
	}
	return 0;
}

static int put_who(struct sk_buff *skb, const struct ugfs_subject *subject)
{
	if (subject->by_uid && (nla_put_u32(skb, ATTR(UID_MIN), subject->uid_min) ||
				nla_put_u32(skb, ATTR(UID_MAX), subject->uid_max)))
		return -EMSGSIZE;
	if ((subject->userns &&
	     nla_put_u32(skb, ATTR(USERNS), ugfs_userns_number(subject->userns))) ||
	    (subject->by_owner && nla_put_u32(skb, ATTR(USERNS_OWNER), subject->owner)) ||
	    (subject->cgroup && nla_put_string(skb, ATTR(CGROUP), subject->cgroup)) ||
	    (!READ_ONCE(subject->present) && nla_put_flag(skb, ATTR(CGROUP_WAITING))) ||
	    (ugfs_subject_gone(subject) && nla_put_flag(skb, ATTR(GONE))))
		return -EMSGSIZE;
	return 0;
}

static int put_demand(struct sk_buff *skb, const struct ugfs_constraint *constraint)
{
	if ((constraint->refuse && nla_put_u32(skb, ATTR(REFUSE), constraint->refuse)) ||
	    (constraint->forms && nla_put_u32(skb, ATTR(FORM), __ffs(constraint->forms))))
		return -EMSGSIZE;
	return 0;
}

static int put_flags(struct sk_buff *skb, const struct ugfs_terms *terms)
{
	if ((terms->admin_exempt && nla_put_flag(skb, ATTR(ADMIN_EXEMPT))) ||
	    (terms->judge_onto && nla_put_flag(skb, ATTR(JUDGE_ONTO))) ||
	    (terms->allow_move && nla_put_flag(skb, ATTR(ALLOW_MOVE))))
		return -EMSGSIZE;
	return 0;
}

/**
 * ugfs_describe() - add to a message the attributes that only rules for names have
 * @skb: the message
 * @rule: the rule
 *
 * Context: any; @rule has a reference, or the lock of the rules is held.
 * Return: 0, or -EMSGSIZE.
 */
int ugfs_describe(struct sk_buff *skb, const struct utf8guard_rule *rule)
{
	static const struct utf8guard_count_attrs attrs = {
		.count = ATTR(COUNT),
		.class = UTF8GUARD_FS_A_COUNT_CLASS,
		.refused = UTF8GUARD_FS_A_COUNT_REFUSED,
		.audited = UTF8GUARD_FS_A_COUNT_AUDITED,
		.pad = UTF8GUARD_FS_A_COUNT_PAD,
	};
	const struct ugfs_rule *mine = ugfs_rule_of(rule);
	const struct ugfs_terms *terms = mine->terms;

	if (nla_put_u32(skb, ATTR(SCOPE), mine->locations[0]->scope) ||
	    nla_put_u32(skb, ATTR(MODE), mine->mode) || put_locations(skb, mine) ||
	    put_who(skb, &terms->subject) || put_demand(skb, &terms->constraint) ||
	    put_flags(skb, terms))
		return -EMSGSIZE;
	return utf8guard_counts_put(skb, &terms->counts, &attrs);
}
