/* SPDX-License-Identifier: GPL-2.0 */
/* Private to the payload check. */
#ifndef _UTF8GUARD_NF_H
#define _UTF8GUARD_NF_H

#include <linux/in6.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>
#include <uapi/linux/utf8guard_nf.h>

#include "../service/ruleset.h"
#include "../service/service.h"
#include "flow.h"

struct genl_info;
struct net;
struct netlink_ext_ack;
struct nf_hook_state;
struct sk_buff;

#define NF_MAX_RULES 65536

/* Inclusive, in host order. */
struct nf_ports {
	u16 min, max;
};

/* @any: no address was given. IPv4 addresses are in the first word. */
struct nf_prefix {
	struct in6_addr addr;
	u8 len;
	bool any;
};

/* What a rule has looked at, on one processor. */
struct nf_traffic {
	u64_stats_t packets, octets, cut, unreadable;
	struct u64_stats_sync sync;
};

/* What rules for streams count besides; each as the attribute of its name. */
enum nf_oddity {
	NF_ODD_DIFFERS,
	NF_ODD_FULL,
	NF_ODD_WINDOW,
	NF_ODD_URGENT,
	NF_ODD_RESYNC,
	NF_ODD_UNTRACKED,
	NF_ODDITIES,
};

/**
 * struct nf_rule - what to look for, and what to do; immutable but for counters
 * @rule: what all families have
 * @hook: enum utf8guard_nf_hook
 * @action: enum utf8guard_nf_action
 * @family: AF_INET, AF_INET6, or 0 for both
 * @protocol: IPPROTO_TCP or IPPROTO_UDP
 * @streams: judge streams, by @policy; else each packet alone
 * @fail_closed: what cannot be judged is as if it were refused
 * @policy: for streams
 * @odd: what was odd about them, by enum nf_oddity
 * @any_port: said by the user where neither @sport nor @dport is narrowed
 * @sport: source ports
 * @dport: destination ports
 * @saddr: source addresses
 * @daddr: destination addresses
 * @traffic: what it looked at
 * @counts: what it refused, by class
 */
struct nf_rule {
	struct utf8guard_rule rule;
	u8 hook, action, family, protocol;
	bool any_port, streams, fail_closed;
	struct nf_stream_policy policy;
	atomic64_t odd[NF_ODDITIES];
	struct nf_ports sport, dport;
	struct nf_prefix saddr, daddr;
	struct nf_traffic __percpu *traffic;
	struct utf8guard_counts counts;
};

static inline struct nf_rule *nf_rule_of(const struct utf8guard_rule *rule)
{
	return container_of(rule, struct nf_rule, rule);
}

/**
 * struct nf_net - the payload check of one network namespace
 * @ruleset: its rules; the first that fits a packet decides
 * @hooks: bits of the hooks that are registered, see hook.c; the lock of the
 *	rules guards them
 * @flows: the connections that rules for streams are for
 */
struct nf_net {
	struct utf8guard_ruleset ruleset;
	unsigned long hooks;
	struct nf_flows flows;
};

/**
 * struct nf_packet - what rules ask of a packet
 * @skb: the packet
 * @family: AF_INET or AF_INET6
 * @protocol: IPPROTO_TCP or IPPROTO_UDP
 * @sport: source port, in host order
 * @dport: destination port
 * @saddr: source address; points into the packet
 * @daddr: destination address
 * @payload: offset of the payload from skb->data
 * @len: octets of payload
 * @segment: octets after which the text begins anew (UDP GSO); 0 for never
 * @fragment: part of a character stream: its edges may cut a character
 * @is_segment: of TCP, with what follows
 * @has_ack: @ack is valid
 * @ack: acknowledgment number, in host order
 * @tcp: of the header
 */
struct nf_packet {
	struct sk_buff *skb;
	u8 family, protocol;
	u16 sport, dport;
	const void *saddr, *daddr;
	u32 payload, len, segment;
	bool fragment, is_segment, has_ack;
	u32 ack;
	struct nf_segment_header tcp;
};

/* What came of judging a payload. */
enum nf_verdict {
	NF_WELL_FORMED,
	NF_CUT,		/* well-formed but for characters cut by the edges */
	NF_ILL_FORMED,
	NF_UNREADABLE,	/* fewer octets could be read than there should be */
	NF_UNFOLLOWED,	/* of a stream that cannot be followed */
	NF_LOST,	/* of a stream, and not to get through, without being wrong */
};

/* main.c */
struct nf_net *nf_net_of(struct net *net);

/* rule.c */
struct nf_rule *nf_rule_parse(struct genl_info *info);
void nf_rule_free(struct utf8guard_rule *rule);
bool nf_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
bool nf_rule_fits(const struct nf_rule *rule, const struct nf_packet *packet);

/* traffic.c */
int nf_traffic_init(struct nf_rule *rule);
void nf_traffic_count(struct nf_rule *rule, u32 octets, enum nf_verdict verdict);
struct nf_traffic_sum {
	u64 packets, octets, cut, unreadable;
};

void nf_traffic_sum(const struct nf_rule *rule, struct nf_traffic_sum *sum);
void nf_traffic_reset(struct nf_rule *rule);

/* policy.c */
extern const struct utf8guard_ruleset_type nf_ruleset_type;

/* packet.c */
int nf_packet_parse(struct sk_buff *skb, u8 family, struct nf_packet *packet);

/* payload.c */
enum nf_verdict nf_payload_judge(const struct nf_packet *packet,
				 struct utf8guard_refusal *refusal);

/* check.c */
unsigned int nf_check(struct net *net, u8 hook, struct nf_packet *packet);
void utf8guard_nf_report(struct net *net, const struct nf_packet *packet,
			 const struct utf8guard_refusal *refusal);

/* connection.c */
bool nf_rule_drops(const struct nf_rule *rule);
enum nf_verdict nf_connection_judge(struct net *net, struct nf_rule *rule,
				    const struct nf_packet *packet,
				    struct utf8guard_refusal *refusal);
void nf_connection_observe(struct net *net, const struct nf_packet *packet);
void nf_connection_skip(struct net *net, u8 hook, const struct nf_packet *packet);

/* frontend.c */
enum nf_verdict utf8guard_nf_judge(struct sk_buff *skb, u8 family,
				   struct nf_packet *packet,
				   struct utf8guard_refusal *refusal);

/* hook.c */
unsigned long nf_hooks_of_streams(const struct utf8guard_policy *policy);
int nf_hooks_add(struct net *net, const struct utf8guard_policy *policy);
void nf_hooks_trim(struct net *net, const struct utf8guard_policy *policy);
void nf_hooks_remove(struct net *net);

/* netlink.c */
extern struct genl_family utf8guard_nf_nl_family;
int nf_netlink_put_rule(struct sk_buff *skb, const struct utf8guard_rule *rule);

#endif /* _UTF8GUARD_NF_H */
