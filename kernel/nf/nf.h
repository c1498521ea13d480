/* SPDX-License-Identifier: GPL-2.0 */
/* Private to the payload check. */
#ifndef _UTF8GUARD_NF_H
#define _UTF8GUARD_NF_H

#include <linux/if.h>
#include <linux/in6.h>
#include <linux/tcp.h>
#include <linux/types.h>
#include <uapi/linux/utf8guard_nf.h>

#include "../service/draft.h"
#include "../service/policy.h"
#include "../service/rule.h"
#include "../service/ruleset.h"
#include "../service/ruleset_dump.h"
#include "../service/ruleset_netlink.h"
#include "../service/service.h"
#include "../service/transaction.h"
#include "flow.h"
#include "index.h"
#include "traffic.h"

struct genl_info;
struct net_device;
struct net;
struct netlink_ext_ack;
struct nf_hook_state;
struct sk_buff;

#define NF_MAX_RULES 65536

/* Names that begin alike, or one; @any: none was given. */
struct nf_interface {
	char name[IFNAMSIZ];
	u8 len;
	bool is_prefix, any;
};

/**
 * struct nf_selectors - the packets that a rule is for; all zeroes between the members
 * @fields: what the index finds rules by
 * @any_port: said by the user where neither range of ports is narrowed
 * @direction: one more than enum utf8guard_nf_direction; 0 for both
 * @mark: the packet's mark...
 * @mark_mask: ...in these bits
 * @iif: the interface it came in by
 * @oif: the interface it goes out by
 */
struct nf_selectors {
	struct nf_fields fields;
	bool any_port;
	u8 direction;
	u32 mark, mark_mask;
	struct nf_interface iif, oif;
};

/**
 * struct nf_demand - what is judged of a payload, and what is refused
 * @refuse: mask of text classes; ill-formed text is always refused. Of those of percent
 *	encoding, what was asked for besides what is refused anyhow
 * @allow: mask of those of percent encoding that are let through
 * @offset: octets ahead of the part that is judged
 * @length: of that part; 0 for all
 * @scope: enum utf8guard_nf_scope
 * @decode: enum utf8guard_nf_decode
 * @is_gated: do not judge what is no text by its beginning
 * @is_gate_usual: and so it is, or is not, without being said
 */
struct nf_demand {
	u32 refuse, allow, offset, length;
	u8 scope, decode;
	bool is_gated, is_gate_usual;
};

/**
 * struct nf_reaction - what is done about it
 * @action: enum utf8guard_nf_action
 * @fail_closed: done to what cannot be judged, too
 * @mark: set by the actions that mark...
 * @mask: ...in these bits
 */
struct nf_reaction {
	u8 action;
	bool fail_closed;
	u32 mark, mask;
};

/**
 * struct nf_rule - what to look for, and what to do; immutable but for counters
 * @rule: what all families have
 * @selectors: the packets it is for
 * @demand: what it refuses of them
 * @reaction: what it does then
 * @streams: judge streams, by @policy; else each packet alone
 * @policy: for streams
 * @in_order: by a parser that reads them, which is
 * @scope: at their beginning
 * @counters: what came of the packets, by enum nf_reason
 * @counts: what was ill-formed, by class
 */
struct nf_rule {
	struct utf8guard_rule rule;
	struct nf_selectors selectors;
	struct nf_demand demand;
	struct nf_reaction reaction;
	bool streams;
	struct nf_stream_policy policy;
	bool in_order;
	struct nf_scope scope;
	struct nf_counters counters;
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
 * @tracks: connections are tracked for rules without streams; guarded like @hooks
 * @unruled: what became of packets that no rule judges; there once there was a rule
 * @flows: the connections that rules for streams are for
 */
struct nf_net {
	struct utf8guard_ruleset ruleset;
	unsigned long hooks;
	bool tracks;
	struct nf_counters unruled;
	struct nf_flows flows;
};

/**
 * struct nf_packet - what rules ask of a packet
 * @skb: the packet
 * @family: AF_INET or AF_INET6
 * @state: of the hook; NULL where it is none of ours
 * @protocol: IPPROTO_TCP, _UDP, _SCTP or _UDPLITE
 * @sport: source port, in host order
 * @dport: destination port
 * @saddr: source address; points into the packet
 * @daddr: destination address, as the header has it
 * @leads_on: it is not that of whose application receives the packet, which is
 * @end: the last address of its source route
 * @next: offset from skb->data of the next chunk of SCTP
 * @payload: offset of the payload from skb->data
 * @len: octets of payload
 * @segment: octets after which the text begins anew (UDP GSO); 0 for never
 * @fragment: part of a stream or of a message: its edges may cut a character
 * @is_segment: of TCP
 * @header: its header; points into the packet, or to @buffer
 * @buffer: for a header in pieces
 * @has_ack: @ack is valid; this and what follows is set by nf_packet_read_segment()
 * @ack: acknowledgment number, in host order
 * @window: as the header has it, not scaled
 * @is_multipath: it has an option of Multipath TCP, and does not only ask for that
 * @tcp: of the header
 */
struct nf_packet {
	struct sk_buff *skb;
	const struct nf_hook_state *state;
	u8 family, protocol;
	u16 sport, dport;
	const void *saddr, *daddr;
	bool leads_on;
	struct in6_addr end;
	u32 next, payload, len, segment;
	bool fragment, is_segment;
	const struct tcphdr *header;
	struct tcphdr buffer;
	bool has_ack, is_multipath;
	u32 ack;
	u16 window;
	struct nf_segment_header tcp;
};

/* What came of judging a payload; of several in a packet, the last of these counts. */
enum nf_verdict {
	NF_EMPTY,	/* there is nothing to judge */
	NF_WELL_FORMED,
	NF_CUT,		/* well-formed but for characters cut by the edges */
	NF_BINARY,	/* no text, by its beginning */
	NF_UNREADABLE,	/* fewer octets could be read than there should be */
	NF_UNFOLLOWED,	/* what is to be judged could not be found */
	NF_LOST,	/* of a stream, and not to get through, without being wrong */
	NF_ILL_FORMED,	/* or of a class that is refused */
};

/**
 * struct nf_finding - what came of judging a segment of a stream
 * @verdict: that
 * @why: what its rule is to count
 */
struct nf_finding {
	enum nf_verdict verdict;
	struct nf_because why;
};

/* main.c */
struct nf_net *nf_net_of(struct net *net);

/* rule.c */
struct nf_rule *nf_rule_parse(struct genl_info *info);
void nf_rule_free(struct utf8guard_rule *rule);
bool nf_rule_same(const struct utf8guard_rule *a, const struct utf8guard_rule *b);
int nf_refuse(struct genl_info *info, int attr, const char *message);

/* selector.c */
int nf_selectors_parse(struct nf_selectors *selectors, struct genl_info *info);
int nf_selectors_put(const struct nf_selectors *selectors, struct sk_buff *skb);

/* condition.c: of selectors, what the index does not know */
int nf_conditions_parse(struct nf_selectors *selectors, struct genl_info *info);
int nf_conditions_put(const struct nf_selectors *selectors, struct sk_buff *skb);
bool nf_conditions_hold(const struct nf_selectors *selectors, const struct nf_packet *packet,
			const struct net_device *in, const struct net_device *out);

/* demand.c */
int nf_demand_parse(struct nf_demand *demand, u8 protocol, struct genl_info *info);
u32 nf_demand_refused(const struct nf_demand *demand);
u8 nf_demand_decode(const struct nf_demand *demand);
bool nf_demand_is_framed(const struct nf_demand *demand);
int nf_demand_put(const struct nf_demand *demand, struct sk_buff *skb);

/* reaction.c */
int nf_reaction_parse(struct nf_reaction *reaction, struct genl_info *info);
int nf_reaction_put(const struct nf_reaction *reaction, struct sk_buff *skb);
bool nf_reaction_refuses(const struct nf_reaction *reaction);
bool nf_reaction_withholds(const struct nf_reaction *reaction);
struct nf_outcome nf_react(struct nf_rule *rule, const struct nf_packet *packet, u32 octets,
			   struct nf_because why);

/* policy.c */
extern const struct utf8guard_ruleset_type nf_ruleset_type;

/* packet.c */
int nf_packet_parse(struct sk_buff *skb, u8 family, struct nf_packet *packet);
void nf_packet_read_segment(struct nf_packet *packet);
bool nf_packet_next(struct nf_packet *packet);

/* pages.c */
bool nf_pages_shared(const struct sk_buff *skb);
int nf_pages_own(struct sk_buff *skb);

/* fragment.c */
enum nf_gathering {
	NF_GATHERED,	/* it is whole, as far as that can be */
	NF_GATHERING,	/* it was taken: others are missing */
	NF_NOT_GATHERED,
};

enum nf_gathering nf_fragment_gather(struct sk_buff *skb, const struct nf_hook_state *state);
bool nf_fragment_settle(struct sk_buff *skb, unsigned int hook);

/* payload.c */
enum nf_verdict nf_payload_judge(const struct nf_packet *packet, const struct nf_demand *demand,
				 struct utf8guard_refusal *refusal);

/* check.c */
struct nf_outcome nf_check(u8 hook, struct nf_packet *packet);
void utf8guard_nf_report(struct net *net, const struct nf_packet *packet,
			 const struct utf8guard_refusal *refusal);

/* streams.c */
int nf_streams_parse(struct nf_rule *rule, struct genl_info *info);
int nf_streams_put(const struct nf_rule *rule, struct sk_buff *skb);

/* judgment.c */
typedef bool nf_feed_fn(void *judged, const void *data, u32 len);
u32 nf_packet_read(const struct nf_packet *packet, nf_feed_fn *feed, void *judged);
struct nf_finding nf_segment_judge(struct nf_rule *rule, struct nf_side *side,
				   const struct nf_packet *packet,
				   struct utf8guard_refusal *refusal);

/* connection.c */
struct nf_finding nf_connection_judge(const struct utf8guard_policy *policy, struct net *net,
				      struct nf_rule *rule, const struct nf_packet *packet,
				      struct utf8guard_refusal *refusal);
void nf_connection_observe(const struct utf8guard_policy *policy, struct net *net,
			   const struct nf_packet *packet);
void nf_connection_skip(struct net *net, u8 hook, const struct nf_packet *packet);

/* frontend.c */
enum nf_verdict utf8guard_nf_judge(struct sk_buff *skb, u8 family,
				   struct nf_packet *packet,
				   struct utf8guard_refusal *refusal);

/* hook.c */
unsigned long nf_hooks_of_streams(const struct utf8guard_policy *policy);
int nf_hooks_add(struct net *net, const struct utf8guard_policy *policy);
void nf_hooks_undo(struct net *net, unsigned long had, bool tracked);
void nf_hooks_trim(struct net *net, const struct utf8guard_policy *policy);
void nf_hooks_remove(struct net *net);

/* netlink.c */
extern struct genl_family utf8guard_nf_nl_family;
int nf_netlink_put_rule(struct sk_buff *skb, const struct utf8guard_rule *rule);

#endif /* _UTF8GUARD_NF_H */
