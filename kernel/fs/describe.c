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

static int put_location(struct sk_buff *skb, const struct ugfs_rule *rule)
{
	const struct ugfs_terms *terms = rule->terms;
	const struct ugfs_location *location = rule->location;
	dev_t seen = READ_ONCE(location->seen);

	if (ugfs_exempt_type(location->fstype ?: location->volume.type) &&
	    nla_put_flag(skb, ATTR(EXEMPT)))
		return -EMSGSIZE;
	if (location->fstype && nla_put_string(skb, ATTR(FSTYPE), location->fstype))
		return -EMSGSIZE;
	if (!terms->path)
		return 0;
	if (nla_put_string(skb, ATTR(PATH), terms->path) ||
	    (*location->device && nla_put_string(skb, ATTR(DEVICE), location->device)) ||
	    (!READ_ONCE(location->present) && nla_put_flag(skb, ATTR(WAITING))))
		return -EMSGSIZE;
	if (seen && READ_ONCE(location->present) &&
	    (nla_put_u32(skb, ATTR(MAJOR), MAJOR(seen)) ||
	     nla_put_u32(skb, ATTR(MINOR), MINOR(seen))))
		return -EMSGSIZE;
	if (!location->lasting)
		return 0;
	if (nla_put(skb, ATTR(UUID), sizeof(uuid_t), &location->volume.uuid) ||
	    nla_put_string(skb, ATTR(VOLUME_TYPE), location->volume.type) ||
	    (location->inside && nla_put_string(skb, ATTR(INSIDE), location->inside)))
		return -EMSGSIZE;
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
 * ugfs_describe() - add a rule's attributes to a message, but for those that all families have
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

	if (nla_put_u32(skb, ATTR(SCOPE), mine->location->scope) ||
	    nla_put_u32(skb, ATTR(MODE), mine->mode) || put_location(skb, mine) ||
	    put_who(skb, &terms->subject) || put_demand(skb, &terms->constraint) ||
	    put_flags(skb, terms))
		return -EMSGSIZE;
	return utf8guard_counts_put(skb, &terms->counts, &attrs);
}
