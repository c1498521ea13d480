// SPDX-License-Identifier: GPL-2.0
/*
 * The family utf8guard_nf: the payload check's state and rules. GENL_UNS_ADMIN_PERM
 * on every operation has seen to the privilege, in the caller's own namespace.
 */
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "netlink_gen.h"
#include "nf.h"

#define ATTR(name) UTF8GUARD_NF_A_RULE_##name

static int require_handle(struct genl_info *info, u32 *handle)
{
	struct nlattr *attr = info->attrs[ATTR(HANDLE)];

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "the handle of a rule is missing");
		return -EINVAL;
	}
	*handle = nla_get_u32(attr);
	return 0;
}

static int put_status(struct sk_buff *skb, const void *data)
{
	struct nf_net *nn = nf_net_of((struct net *)data);
	const struct nf_policy *policy;
	u32 generation, rules;

	mutex_lock(&nn->lock);
	policy = nf_policy_locked(nn);
	generation = policy->generation;
	rules = policy->count;
	mutex_unlock(&nn->lock);
	if (nla_put_u32(skb, UTF8GUARD_NF_A_STATUS_GENERATION, generation) ||
	    nla_put_u32(skb, UTF8GUARD_NF_A_STATUS_RULES, rules))
		return -EMSGSIZE;
	return 0;
}

int utf8guard_nf_nl_status_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return utf8guard_reply(info, &utf8guard_nf_nl_family, put_status,
			       genl_info_net(info));
}

int utf8guard_nf_nl_status_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nf_net *nn = nf_net_of(genl_info_net(info));
	const struct nf_policy *policy;
	u32 i;

	mutex_lock(&nn->lock);
	policy = nf_policy_locked(nn);
	for (i = 0; i < policy->count; i++) {
		nf_traffic_reset(policy->rules[i]);
		utf8guard_counts_reset(&policy->rules[i]->counts);
	}
	mutex_unlock(&nn->lock);
	return 0;
}

static int put_ports(struct sk_buff *skb, int min, int max, const struct nf_ports *ports)
{
	if (ports->min == 0 && ports->max == U16_MAX)
		return 0;
	return nla_put_u16(skb, min, ports->min) ?: nla_put_u16(skb, max, ports->max);
}

static int put_prefix(struct sk_buff *skb, int addr, int len, u8 family,
		      const struct nf_prefix *prefix)
{
	if (prefix->any)
		return 0;
	return nla_put(skb, addr, family == AF_INET ? 4 : 16, &prefix->addr) ?:
	       nla_put_u8(skb, len, prefix->len);
}

static int put_selectors(struct sk_buff *skb, const struct nf_rule *rule)
{
	if (nla_put_u32(skb, ATTR(HOOK), rule->hook) ||
	    nla_put_u8(skb, ATTR(PROTOCOL), rule->protocol) ||
	    (rule->family && nla_put_u8(skb, ATTR(FAMILY), rule->family)) ||
	    (rule->any_port && nla_put_flag(skb, ATTR(ANY_PORT))) ||
	    put_ports(skb, ATTR(SPORT_MIN), ATTR(SPORT_MAX), &rule->sport) ||
	    put_ports(skb, ATTR(DPORT_MIN), ATTR(DPORT_MAX), &rule->dport) ||
	    put_prefix(skb, ATTR(SADDR), ATTR(SADDR_PREFIX), rule->family, &rule->saddr) ||
	    put_prefix(skb, ATTR(DADDR), ATTR(DADDR_PREFIX), rule->family, &rule->daddr))
		return -EMSGSIZE;
	return 0;
}

static int put_traffic(struct sk_buff *skb, const struct nf_rule *rule)
{
	struct nf_traffic_sum sum;

	nf_traffic_sum(rule, &sum);
	if (nla_put_u64_64bit(skb, ATTR(PACKETS), sum.packets, ATTR(PAD)) ||
	    nla_put_u64_64bit(skb, ATTR(OCTETS), sum.octets, ATTR(PAD)) ||
	    nla_put_u64_64bit(skb, ATTR(CUT), sum.cut, ATTR(PAD)) ||
	    nla_put_u64_64bit(skb, ATTR(UNREADABLE), sum.unreadable, ATTR(PAD)))
		return -EMSGSIZE;
	return 0;
}

static int put_rule(struct sk_buff *skb, const struct nf_rule *rule, u32 generation)
{
	static const struct utf8guard_count_attrs attrs = {
		.count = ATTR(COUNT),
		.class = UTF8GUARD_NF_A_COUNT_CLASS,
		.refused = UTF8GUARD_NF_A_COUNT_REFUSED,
		.audited = UTF8GUARD_NF_A_COUNT_AUDITED,
		.pad = UTF8GUARD_NF_A_COUNT_PAD,
	};

	if (nla_put_u32(skb, ATTR(HANDLE), rule->handle) ||
	    nla_put_u32(skb, ATTR(ACTION), rule->action) ||
	    nla_put_u32(skb, ATTR(GENERATION), generation) ||
	    put_selectors(skb, rule) || put_traffic(skb, rule))
		return -EMSGSIZE;
	return utf8guard_counts_put(skb, &rule->counts, &attrs);
}

/* For put_rule_by_handle(). */
struct wanted {
	struct nf_net *nn;
	u32 handle;
};

static int put_rule_by_handle(struct sk_buff *skb, const void *data)
{
	const struct wanted *wanted = data;
	const struct nf_policy *policy;
	const struct nf_rule *rule;
	int err;

	mutex_lock(&wanted->nn->lock);
	policy = nf_policy_locked(wanted->nn);
	rule = nf_policy_find(policy, wanted->handle);
	err = rule ? put_rule(skb, rule, policy->generation) : -ENOENT;
	mutex_unlock(&wanted->nn->lock);
	return err;
}

int utf8guard_nf_nl_rule_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct wanted wanted = { .nn = nf_net_of(genl_info_net(info)) };
	int err = require_handle(info, &wanted.handle);

	if (err)
		return err;
	err = utf8guard_reply(info, &utf8guard_nf_nl_family, put_rule_by_handle, &wanted);
	if (err == -ENOENT)
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[ATTR(HANDLE)],
				    "no rule has this handle");
	return err;
}

static int dump_rule(struct sk_buff *skb, struct netlink_callback *cb,
		     const struct nf_policy *policy, u32 i)
{
	void *header;

	header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			     &utf8guard_nf_nl_family, NLM_F_MULTI,
			     UTF8GUARD_NF_CMD_RULE_GET);
	if (!header)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, header);
	if (put_rule(skb, policy->rules[i], policy->generation)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

int utf8guard_nf_nl_rule_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nf_net *nn = nf_net_of(sock_net(cb->skb->sk));
	const struct nf_policy *policy;
	u32 i = cb->args[0];

	mutex_lock(&nn->lock);
	policy = nf_policy_locked(nn);
	/* 0 would mean that nobody looks whether the rules have changed. */
	cb->seq = policy->generation + 1;
	while (i < policy->count && !dump_rule(skb, cb, policy, i))
		i++;
	mutex_unlock(&nn->lock);
	cb->args[0] = i;
	return skb->len;
}

static int add_and_reply(struct nf_rule *rule, struct sk_buff *reply, struct genl_info *info)
{
	struct net *net = genl_info_net(info);
	struct wanted wanted = { .nn = nf_net_of(net) };
	int err = nf_policy_add(net, rule, info->extack);

	if (err) {
		nlmsg_free(reply);
		return err;
	}
	wanted.handle = rule->handle;
	return utf8guard_reply_send(reply, info, put_rule_by_handle, &wanted);
}

int utf8guard_nf_nl_rule_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nf_rule *rule = nf_rule_parse(info);
	struct sk_buff *reply;
	int err = -ENOMEM;

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	reply = utf8guard_reply_new(info, &utf8guard_nf_nl_family);
	if (reply)
		err = add_and_reply(rule, reply, info);
	nf_rule_put(rule);
	return err;
}

int utf8guard_nf_nl_rule_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	u32 handle;
	int err = require_handle(info, &handle);

	if (err)
		return err;
	err = nf_policy_del(genl_info_net(info), handle, info->extack);
	if (err)
		NL_SET_BAD_ATTR(info->extack, info->attrs[ATTR(HANDLE)]);
	return err;
}

int utf8guard_nf_nl_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	return nf_policy_flush(genl_info_net(info));
}

/* Tell whoever listens to the group config of the namespace. */
void nf_netlink_changed(struct net *net, u32 generation, u32 rules)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *header;

	if (!skb)
		return;
	header = genlmsg_put(skb, 0, 0, &utf8guard_nf_nl_family, 0,
			     UTF8GUARD_NF_CMD_CHANGED);
	if (!header || nla_put_u32(skb, UTF8GUARD_NF_A_STATUS_GENERATION, generation) ||
	    nla_put_u32(skb, UTF8GUARD_NF_A_STATUS_RULES, rules)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, header);
	genlmsg_multicast_netns(&utf8guard_nf_nl_family, net, skb, 0,
				UTF8GUARD_NF_NLGRP_CONFIG, GFP_KERNEL);
}

static const struct genl_multicast_group groups[] = {
	[UTF8GUARD_NF_NLGRP_CONFIG] = {
		.name = UTF8GUARD_NF_MCGRP_CONFIG,
		.flags = GENL_MCAST_CAP_NET_ADMIN,
	},
};

struct genl_family utf8guard_nf_nl_family __ro_after_init = {
	.name = UTF8GUARD_NF_FAMILY_NAME,
	.version = UTF8GUARD_NF_FAMILY_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = utf8guard_nf_nl_ops,
	.n_ops = ARRAY_SIZE(utf8guard_nf_nl_ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
