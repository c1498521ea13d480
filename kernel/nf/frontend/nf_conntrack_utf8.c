// SPDX-License-Identifier: GPL-2.0
/*
 * nf_conntrack_utf8.ko: the connection tracking helper "utf8", by which an unpatched nft can ask
 * the payload check. It expects no other connections, as helpers do; it judges each packet of
 * its connections, and drops those that are not UTF-8.
 */
#include <linux/in.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>
#include <linux/sysfs.h>
#include <net/ipv6.h>
#include <net/netfilter/nf_conntrack.h>
#include <net/netfilter/nf_conntrack_helper.h>

#include "../../service/identity/build.h"
#include "../../service/refusal.h"
#include "../../service/report.h"
#include "../check.h"
#include "../packet/nested_list.h"
#include "../packet/packet.h"
#include "../rule/counters.h"
#include "../rule/judgment.h"
#include "../rule/outcome.h"
#include "frontend.h"

static bool audit;

static void report_audit(void)
{
	utf8guard_report_config(&(struct utf8guard_config) {
		.family = "helper",
		.action = audit ? "audit" : "drop",
		.userns = &init_user_ns,
	});
}

/*
 * While the module is being loaded, nobody has checked yet that it fits to the others; so the
 * value is only stored then.
 */
static int set_audit(const char *value, const struct kernel_param *param)
{
	bool before = audit;
	int err;

	if (THIS_MODULE->state != MODULE_STATE_LIVE)
		return param_set_bool(value, param);
	if (utf8guard_nf_is_locked())
		return -EPERM;
	err = param_set_bool(value, param);
	if (!err && audit != before)
		report_audit();
	return err;
}

static const struct kernel_param_ops audit_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = set_audit,
	.get = param_get_bool,
};

module_param_cb(audit, &audit_ops, &audit, 0644);
__MODULE_PARM_TYPE(audit, "bool");
MODULE_PARM_DESC(audit, "report what is not UTF-8, and let it through (default: drop it)");

/* Counters for all network namespaces together: a helper has no rules that could count. */
static struct ugnf_counters counters;

static int show_counted(char *buf, const struct kernel_param *param)
{
	struct ugnf_counters_sum sum;

	utf8guard_nf_counters_sum(&counters, &sum);
	return sysfs_emit(buf,
			  "packets %llu octets %llu split %llu unreadable %llu ill-formed %llu\n",
			  sum.count[UGNF_REASON_JUDGED], sum.octets, sum.count[UGNF_REASON_SPLIT],
			  sum.count[UGNF_REASON_UNREADABLE], sum.count[UGNF_REASON_ILL_FORMED]);
}

static const struct kernel_param_ops counted_ops = { .get = show_counted };

module_param_cb(counted, &counted_ops, NULL, 0444);
MODULE_PARM_DESC(counted, "counters: packets and octets judged, and findings");

/* Counts a drop as one of connection tracking's own: "conntrack -S" shows it. */
static struct ugnf_outcome drop(const struct nf_conn *ct, const struct ugnf_packet *packet,
				struct ugnf_because why)
{
	NF_CT_STAT_INC_ATOMIC(nf_ct_net(ct), drop);
	return ugnf_drop(&counters, packet->len, why);
}

static struct ugnf_outcome refuse(const struct nf_conn *ct, const struct ugnf_packet *packet,
				  struct utf8guard_refusal *refusal, struct ugnf_because why)
{
	bool drops = !READ_ONCE(audit);

	refusal->op = "helper";
	refusal->outcome = drops ? UTF8GUARD_OUTCOME_REFUSED : UTF8GUARD_OUTCOME_AUDITED;
	utf8guard_nf_report(nf_ct_net(ct), packet, refusal);
	return drops ? drop(ct, packet, why) : ugnf_pass(&counters, packet->len, why);
}

/* The headers cannot be read, so take the ports from the connection that this packet is of. */
static struct ugnf_outcome unreadable(const struct nf_conn *ct, enum ip_conntrack_info ctinfo,
				      struct ugnf_packet *packet,
				      struct utf8guard_refusal *refusal)
{
	const struct nf_conntrack_tuple *tuple = nf_ct_tuple(ct, CTINFO2DIR(ctinfo));

	packet->protocol = tuple->dst.protonum;
	packet->saddr = &tuple->src.u3;
	packet->daddr = &tuple->dst.u3;
	packet->sport = ntohs(tuple->src.u.all);
	packet->dport = ntohs(tuple->dst.u.all);
	refusal->reason = UTF8GUARD_REASON_UNREADABLE;
	return refuse(ct, packet, refusal, UGNF_BECAUSE(UNREADABLE));
}

/*
 * Does this host receive it because it sent it: by lo, or as a copy of what it sends to a group?
 * The copies of fragments go through postrouting once more, before they are received.
 */
static bool is_own(const struct sk_buff *skb)
{
	return nf_is_loopback_packet(skb) ||
	       (ipv6_addr_is_multicast(&ipv6_hdr(skb)->daddr) &&
		(skb->pkt_type == PACKET_LOOPBACK || !skb->skb_iif));
}

/*
 * Is it the first fragment of an IPv6 packet that this host sent to itself or to a group, and that
 * was judged as a whole before it was fragmented? Its fragments have its connection, so nobody puts
 * them together before they are received, and no helper is called for the other ones.
 *
 * Others are put together before they get a connection; if there is a fragment header even then,
 * frag_max_size is set. What cannot be put together has no length (RFC 2675) or is no fragment of
 * several; but for that, what a packet socket sends to lo, this host does not receive either.
 */
static bool is_own_fragment(const struct sk_buff *skb, const struct nf_conn *ct)
{
	const struct frag_hdr *header;
	struct frag_hdr buffer;
	unsigned int at = 0;

	if (nf_ct_l3num(ct) != AF_INET6 || !is_own(skb) || IP6CB(skb)->frag_max_size ||
	    !ipv6_hdr(skb)->payload_len ||
	    ipv6_find_hdr(skb, &at, NEXTHDR_FRAGMENT, NULL, NULL) != NEXTHDR_FRAGMENT)
		return false;
	header = skb_header_pointer(skb, at, sizeof(buffer), &buffer);
	return header && header->frag_off & htons(IP6_MF);
}

static struct ugnf_outcome judge(struct sk_buff *skb, const struct nf_conn *ct,
				 enum ip_conntrack_info ctinfo)
{
	struct utf8guard_refusal refusal = {};
	struct ugnf_packet packet __uninitialized;

	if (is_own_fragment(skb, ct))
		return ugnf_pass(&counters, 0, UGNF_BECAUSE(JUDGED));
	/* A helper may move octets. If there is no memory for that, they cannot be read. */
	if (ugnf_has_nested_list(skb))
		skb_linearize(skb);
	switch (utf8guard_nf_judge(skb, nf_ct_l3num(ct), &packet, &refusal)) {
	case UGNF_ILL_FORMED:
		return refuse(ct, &packet, &refusal, UGNF_BECAUSE(ILL_FORMED));
	case UGNF_UNREADABLE:
		return unreadable(ct, ctinfo, &packet, &refusal);
	case UGNF_SPLIT:
		return ugnf_pass(&counters, packet.len, UGNF_BECAUSE(SPLIT));
	case UGNF_BINARY:
	case UGNF_UNFOLLOWED:
	case UGNF_WITHHELD:
		/* Never returned here, but for rules of utf8guard. */
	case UGNF_EMPTY:
	case UGNF_WELL_FORMED:
		break;
	}
	return ugnf_pass(&counters, packet.len, UGNF_BECAUSE(JUDGED));
}

/*
 * Connection tracking calls this for each packet, in either direction, when netfilter has done
 * everything else: at the end of LOCAL_IN or POST_ROUTING, under rcu_read_lock(). A packet of
 * this host to itself comes to both, and may have been changed in between. A packet that is not
 * accepted does not confirm a connection. ICMP errors about the connection come here, too, and
 * @protoff is that of the error; so do not use it, but find the payload again.
 */
static int help(struct sk_buff *skb, unsigned int protoff, struct nf_conn *ct,
		enum ip_conntrack_info ctinfo)
{
	return ugnf_outcome_verdict(judge(skb, ct, ctinfo));
}

/* This helper expects no connections; but 0 would allow any number of them. */
static const struct nf_conntrack_expect_policy policy = { .max_expected = 1 };

static struct nf_conntrack_helper helpers[4] __read_mostly;
static struct nf_conntrack_helper *registered[ARRAY_SIZE(helpers)];

static void helper_init(struct nf_conntrack_helper *helper, u16 family, u16 protocol)
{
	/* Only a rule can give this helper to a connection. */
	nf_ct_helper_init(helper, family, protocol, "utf8", &policy, 0, help, NULL,
			  THIS_MODULE);
}

/* The parameter that shows the counters goes after this; its readers hold this lock. */
static void free_counters(void)
{
	kernel_param_lock(THIS_MODULE);
	utf8guard_nf_counters_free(&counters);
	kernel_param_unlock(THIS_MODULE);
}

static int __init nf_conntrack_utf8_init(void)
{
	int err = utf8guard_check_build() ?:
		  utf8guard_nf_counters_init(&counters, UGNF_PACKET_REASON_COUNT);

	if (err)
		return err;
	helper_init(&helpers[0], AF_INET, IPPROTO_TCP);
	helper_init(&helpers[1], AF_INET6, IPPROTO_TCP);
	helper_init(&helpers[2], AF_INET, IPPROTO_UDP);
	helper_init(&helpers[3], AF_INET6, IPPROTO_UDP);
	err = nf_conntrack_helpers_register(helpers, ARRAY_SIZE(helpers), registered);
	if (err)
		free_counters();
	return err;
}

/* Unregistering takes the helper off all connections, and waits for the last packet in it. */
static void __exit nf_conntrack_utf8_exit(void)
{
	nf_conntrack_helpers_unregister(registered, ARRAY_SIZE(registered));
	free_counters();
}

module_init(nf_conntrack_utf8_init);
module_exit(nf_conntrack_utf8_exit);

MODULE_DESCRIPTION("Connection tracking helper: drop payload that is not valid UTF-8");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
MODULE_ALIAS_NFCT_HELPER("utf8");
MODULE_IMPORT_NS("UTF8GUARD");
