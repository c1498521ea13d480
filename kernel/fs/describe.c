// SPDX-License-Identifier: GPL-2.0
/* A rule as attributes of a netlink message. */
#include <linux/bitops.h>
#include <linux/kdev_t.h>
#include <net/netlink.h>

#include "fs.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

static int put_place(struct sk_buff *skb, const struct fs_rule *rule)
{
	const struct fs_terms *terms = rule->terms;
	const struct fs_place *place = rule->place;
	dev_t seen = READ_ONCE(place->seen);

	if (fs_exempt_type(place->fstype ?: place->volume.type) &&
	    nla_put_flag(skb, ATTR(EXEMPT)))
		return -EMSGSIZE;
	if (place->fstype && nla_put_string(skb, ATTR(FSTYPE), place->fstype))
		return -EMSGSIZE;
	if (!terms->path)
		return 0;
	if (nla_put_string(skb, ATTR(PATH), terms->path) ||
	    (*place->device && nla_put_string(skb, ATTR(DEVICE), place->device)) ||
	    (!READ_ONCE(place->present) && nla_put_flag(skb, ATTR(WAITING))))
		return -EMSGSIZE;
	if (seen && READ_ONCE(place->present) &&
	    (nla_put_u32(skb, ATTR(MAJOR), MAJOR(seen)) ||
	     nla_put_u32(skb, ATTR(MINOR), MINOR(seen))))
		return -EMSGSIZE;
	if (!place->lasting)
		return 0;
	if (nla_put(skb, ATTR(UUID), sizeof(uuid_t), &place->volume.uuid) ||
	    nla_put_string(skb, ATTR(VOLUME_TYPE), place->volume.type) ||
	    (place->inside && nla_put_string(skb, ATTR(INSIDE), place->inside)))
		return -EMSGSIZE;
	return 0;
}

static int put_who(struct sk_buff *skb, const struct fs_who *who)
{
	if (who->by_uid && (nla_put_u32(skb, ATTR(UID_MIN), who->uid_min) ||
			    nla_put_u32(skb, ATTR(UID_MAX), who->uid_max)))
		return -EMSGSIZE;
	if ((who->userns &&
	     nla_put_u32(skb, ATTR(USERNS), fs_userns_number(who->userns))) ||
	    (who->by_owner && nla_put_u32(skb, ATTR(USERNS_OWNER), who->owner)) ||
	    (who->cgroup && nla_put_string(skb, ATTR(CGROUP), who->cgroup)) ||
	    (!READ_ONCE(who->present) && nla_put_flag(skb, ATTR(CGROUP_WAITING))) ||
	    (fs_who_gone(who) && nla_put_flag(skb, ATTR(GONE))))
		return -EMSGSIZE;
	return 0;
}

static int put_demand(struct sk_buff *skb, const struct fs_demand *demand)
{
	if ((demand->refuse && nla_put_u32(skb, ATTR(REFUSE), demand->refuse)) ||
	    (demand->forms && nla_put_u32(skb, ATTR(FORM), __ffs(demand->forms))))
		return -EMSGSIZE;
	return 0;
}

static int put_flags(struct sk_buff *skb, const struct fs_terms *terms)
{
	if ((terms->admin_exempt && nla_put_flag(skb, ATTR(ADMIN_EXEMPT))) ||
	    (terms->judge_onto && nla_put_flag(skb, ATTR(JUDGE_ONTO))) ||
	    (terms->allow_move && nla_put_flag(skb, ATTR(ALLOW_MOVE))))
		return -EMSGSIZE;
	return 0;
}

/**
 * fs_describe() - add what is the name check's own of a rule to a message
 * @skb: the message
 * @rule: the rule
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE.
 */
int fs_describe(struct sk_buff *skb, const struct utf8guard_rule *rule)
{
	static const struct utf8guard_count_attrs attrs = {
		.count = ATTR(COUNT),
		.class = UTF8GUARD_FS_A_COUNT_CLASS,
		.refused = UTF8GUARD_FS_A_COUNT_REFUSED,
		.audited = UTF8GUARD_FS_A_COUNT_AUDITED,
		.pad = UTF8GUARD_FS_A_COUNT_PAD,
	};
	const struct fs_rule *mine = fs_rule_of(rule);
	const struct fs_terms *terms = mine->terms;

	if (nla_put_u32(skb, ATTR(SCOPE), mine->place->scope) ||
	    nla_put_u32(skb, ATTR(MODE), mine->mode) || put_place(skb, mine) ||
	    put_who(skb, &terms->who) || put_demand(skb, &terms->demand) ||
	    put_flags(skb, terms))
		return -EMSGSIZE;
	return utf8guard_counts_put(skb, &terms->counts, &attrs);
}
