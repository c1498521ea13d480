// SPDX-License-Identifier: GPL-2.0
/*
 * nf_conntrack_utf8.ko: the connection tracking helper "utf8", by which an
 * unpatched nft reaches the judge. It helps nobody and expects nothing; it looks
 * at each packet of its connections, and drops those that are not UTF-8.
 */
#include <linux/in.h>
#include <linux/module.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>
#include <net/netfilter/nf_conntrack.h>
#include <net/netfilter/nf_conntrack_helper.h>

#include "nf.h"

static bool audit;
module_param(audit, bool, 0644);
MODULE_PARM_DESC(audit, "report what is not UTF-8, and let it through (default: drop it)");

/* Shown by "conntrack -S" of the namespace, as what conntrack itself drops. */
static int dropped(const struct nf_conn *ct)
{
	NF_CT_STAT_INC_ATOMIC(nf_ct_net(ct), drop);
	return NF_DROP;
}

static int refuse(const struct nf_conn *ct, const struct nf_packet *packet,
		  struct utf8guard_refusal *refusal)
{
	bool drop = !READ_ONCE(audit);

	refusal->op = "helper";
	refusal->outcome = drop ? UTF8GUARD_OUTCOME_REFUSED : UTF8GUARD_OUTCOME_AUDITED;
	utf8guard_nf_report(nf_ct_net(ct), packet, refusal);
	return drop ? dropped(ct) : NF_ACCEPT;
}

/* What headers do not tell, connection tracking knew: whose packet it is. */
static int unreadable(const struct nf_conn *ct, enum ip_conntrack_info ctinfo,
		      struct nf_packet *packet, struct utf8guard_refusal *refusal)
{
	const struct nf_conntrack_tuple *tuple = nf_ct_tuple(ct, CTINFO2DIR(ctinfo));

	packet->protocol = tuple->dst.protonum;
	packet->saddr = &tuple->src.u3;
	packet->daddr = &tuple->dst.u3;
	packet->sport = ntohs(tuple->src.u.all);
	packet->dport = ntohs(tuple->dst.u.all);
	refusal->reason = UTF8GUARD_REASON_UNREADABLE;
	return refuse(ct, packet, refusal);
}

/*
 * Called for each packet, of either direction, when netfilter is done with it:
 * at the end of LOCAL_IN or POST_ROUTING, under rcu_read_lock(); for one of this host to
 * itself, at both: what comes in need not be what went out. Where it does
 * not accept, nothing is confirmed. The judge finds the payload by itself: ICMP
 * errors about the connection come here, too, with @protoff of theirs.
 */
static int help(struct sk_buff *skb, unsigned int protoff, struct nf_conn *ct,
		enum ip_conntrack_info ctinfo)
{
	struct utf8guard_refusal refusal = {};
	struct nf_packet packet __uninitialized;

	switch (utf8guard_nf_judge(skb, nf_ct_l3num(ct), &packet, &refusal)) {
	case NF_ILL_FORMED:
		return refuse(ct, &packet, &refusal);
	case NF_UNREADABLE:
		return unreadable(ct, ctinfo, &packet, &refusal);
	default:
		return NF_ACCEPT;
	}
}

/* None is expected; 0 would stand for any number. */
static const struct nf_conntrack_expect_policy policy = { .max_expected = 1 };

static struct nf_conntrack_helper helpers[4] __read_mostly;

static void helper_init(struct nf_conntrack_helper *helper, u16 family, u16 protocol)
{
	/* No port: it is given to connections by rules alone. */
	nf_ct_helper_init(helper, family, protocol, "utf8", 0, 0, 0, &policy, 0, help, NULL,
			  THIS_MODULE);
}

static int __init nf_conntrack_utf8_init(void)
{
	helper_init(&helpers[0], AF_INET, IPPROTO_TCP);
	helper_init(&helpers[1], AF_INET6, IPPROTO_TCP);
	helper_init(&helpers[2], AF_INET, IPPROTO_UDP);
	helper_init(&helpers[3], AF_INET6, IPPROTO_UDP);
	return nf_conntrack_helpers_register(helpers, ARRAY_SIZE(helpers));
}

/* Takes it off the connections that have it, and waits for the last packet in it. */
static void __exit nf_conntrack_utf8_exit(void)
{
	nf_conntrack_helpers_unregister(helpers, ARRAY_SIZE(helpers));
}

module_init(nf_conntrack_utf8_init);
module_exit(nf_conntrack_utf8_exit);

MODULE_DESCRIPTION("Connection tracking helper: drop payload that is not valid UTF-8");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
MODULE_ALIAS_NFCT_HELPER("utf8");
MODULE_IMPORT_NS(UTF8GUARD);
