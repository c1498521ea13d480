// SPDX-License-Identifier: GPL-2.0
/* xt_utf8.ko: the match "utf8" of iptables and ip6tables, of either back end. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/in.h>
#include <linux/module.h>
#include <linux/netfilter/x_tables.h>
#include <linux/netfilter_ipv4/ip_tables.h>
#include <linux/netfilter_ipv6/ip6_tables.h>
#include <net/netfilter/ipv4/nf_defrag_ipv4.h>
#include <net/netfilter/ipv6/nf_defrag_ipv6.h>
#include <uapi/linux/netfilter/xt_utf8.h>

#include "../../service/identity/build.h"
#include "../../service/refusal.h"
#include "../packet/packet.h"
#include "../rule/judgment.h"
#include "frontend.h"

/*
 * The class of the payload, one of XT_UTF8_CLASSES. A match decides nothing and counts nothing:
 * the line of iptables that has the match does both.
 */
static u32 class_of(const struct sk_buff *skb, u8 family)
{
	struct utf8guard_refusal refusal = {};
	struct ugnf_packet packet __uninitialized;

	/* The cast is for the sequential reader; nothing is written. */
	switch (utf8guard_nf_judge((struct sk_buff *)skb, family, &packet, &refusal)) {
	case UGNF_EMPTY:
		/* An empty text is well-formed (RFC 3629 section 4). */
	case UGNF_WELL_FORMED:
		return XT_UTF8_VALID;
	case UGNF_SPLIT:
		return XT_UTF8_SPLIT;
	case UGNF_UNREADABLE:
	case UGNF_WITHHELD:
		return XT_UTF8_UNREADABLE;
	case UGNF_BINARY:
	case UGNF_UNFOLLOWED:
		/* Never returned here, but for rules of utf8guard. */
	case UGNF_ILL_FORMED:
		break;
	}
	/*
	 * A sender that shares a page with the packet (sendfile) may correct the text before the
	 * error is looked for again. Then any class will do, but the packet stays ill-formed.
	 */
	if (refusal.error.class == UTF8GUARD_CLASS_NONE)
		return XT_UTF8_ILL_FORMED;
	return UTF8GUARD_CLASS_BIT(refusal.error.class);
}

static bool utf8_mt(const struct sk_buff *skb, struct xt_action_param *par)
{
	const struct xt_utf8_info *info = par->matchinfo;
	u8 family = xt_family(par) == NFPROTO_IPV4 ? AF_INET : AF_INET6;
	bool found = class_of(skb, family) & info->classes;

	return found != !!(info->flags & XT_UTF8_INVERT);
}

/* x_tables can only tell the user why in the kernel's log. */
static int check_info(const struct xt_utf8_info *info)
{
	if (info->flags & ~XT_UTF8_INVERT) {
		pr_info_ratelimited("unknown flags %#x\n", info->flags & ~XT_UTF8_INVERT);
		return -EINVAL;
	}
	if (info->classes & ~XT_UTF8_CLASSES) {
		pr_info_ratelimited("unknown classes %#x\n",
				    info->classes & ~XT_UTF8_CLASSES);
		return -EINVAL;
	}
	if (!info->classes) {
		pr_info_ratelimited("no class\n");
		return -EINVAL;
	}
	if (info->classes == XT_UTF8_CLASSES && info->flags & XT_UTF8_INVERT) {
		pr_info_ratelimited("the negation of all classes matches no packet\n");
		return -EINVAL;
	}
	return 0;
}

/* Other protocols have no payload to judge, so such a rule is a mistake. */
static int check_protocol(u16 protocol, bool inverted)
{
	if (!inverted && (protocol == IPPROTO_TCP || protocol == IPPROTO_UDP))
		return 0;
	pr_info_ratelimited("the rule must be for -p tcp or for -p udp\n");
	return -EINVAL;
}

/* Both ask for defragmentation last: without it, two fragments could hide a character. */
static int utf8_mt_check4(const struct xt_mtchk_param *par)
{
	const struct ipt_ip *ip = par->entryinfo;

	return check_info(par->matchinfo) ?:
	       check_protocol(ip->proto, ip->invflags & XT_INV_PROTO) ?:
	       nf_defrag_ipv4_enable(par->net);
}

static int utf8_mt_check6(const struct xt_mtchk_param *par)
{
	const struct ip6t_ip6 *ip = par->entryinfo;

	return check_info(par->matchinfo) ?:
	       check_protocol(ip->proto, ip->invflags & XT_INV_PROTO) ?:
	       nf_defrag_ipv6_enable(par->net);
}

static void utf8_mt_destroy4(const struct xt_mtdtor_param *par)
{
	nf_defrag_ipv4_disable(par->net);
}

static void utf8_mt_destroy6(const struct xt_mtdtor_param *par)
{
	nf_defrag_ipv6_disable(par->net);
}

static struct xt_match utf8_mt_reg[] __read_mostly = {
	{
		.name = "utf8",
		.family = NFPROTO_IPV4,
		.match = utf8_mt,
		.checkentry = utf8_mt_check4,
		.destroy = utf8_mt_destroy4,
		.matchsize = sizeof(struct xt_utf8_info),
		.me = THIS_MODULE,
	},
	{
		.name = "utf8",
		.family = NFPROTO_IPV6,
		.match = utf8_mt,
		.checkentry = utf8_mt_check6,
		.destroy = utf8_mt_destroy6,
		.matchsize = sizeof(struct xt_utf8_info),
		.me = THIS_MODULE,
	},
};

static int __init xt_utf8_init(void)
{
	return utf8guard_check_build() ?:
	       xt_register_matches(utf8_mt_reg, ARRAY_SIZE(utf8_mt_reg));
}

static void __exit xt_utf8_exit(void)
{
	xt_unregister_matches(utf8_mt_reg, ARRAY_SIZE(utf8_mt_reg));
}

module_init(xt_utf8_init);
module_exit(xt_utf8_exit);

MODULE_DESCRIPTION("iptables: match payload that is not valid UTF-8");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
MODULE_ALIAS("ipt_utf8");
MODULE_ALIAS("ip6t_utf8");
MODULE_IMPORT_NS("UTF8GUARD");
