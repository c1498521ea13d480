// SPDX-License-Identifier: GPL-2.0
/* What the modules that extend other firewalls ask. */
#include <linux/export.h>
#include <linux/skbuff.h>

#include "../../service/refusal.h"
#include "../net.h"
#include "../packet/checksum.h"
#include "../packet/nested_list.h"
#include "../packet/packet.h"
#include "../payload.h"
#include "../rule/judgment.h"
#include "../rule/rule_types.h"
#include "frontend.h"

/**
 * utf8guard_nf_judge() - is the payload of this packet well-formed UTF-8?
 * @skb: the packet, defragmented; its network header is in the linear part
 * @family: AF_INET or AF_INET6
 * @packet: filled in; has no meaning where the packet is unreadable
 * @refusal: its error and bytes are filled in for UGNF_ILL_FORMED; else unchanged
 *
 * Asks no rules and remembers nothing: the packet is judged alone, by ugnf_payload_judge().
 *
 * Context: a netfilter hook; does not sleep.
 * Return: the finding; UGNF_EMPTY for a packet that has no payload to judge.
 */
enum ugnf_finding utf8guard_nf_judge(struct sk_buff *skb, u8 family,
				     struct ugnf_packet *packet,
				     struct utf8guard_refusal *refusal)
{
	static const struct ugnf_constraint constraint = {};
	/*
	 * A match of iptables must not write a checksum, nor move octets. Its rules are for TCP and
	 * UDP, but nf_tables believes whoever makes one by hand, so other packets may come, too.
	 */
	int ret = ugnf_packet_parse_in_place(skb, family, packet);

	if (ret < 0 || ugnf_checksum_is_inner(skb, packet->protocol, packet->payload) ||
	    ugnf_has_nested_list(skb))
		return UGNF_UNREADABLE;
	return ret ? ugnf_payload_judge(packet, &constraint, refusal) : UGNF_EMPTY;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_judge, "UTF8GUARD");

/**
 * utf8guard_nf_is_locked() - are the rules of the host locked?
 *
 * Context: process context; may sleep.
 * Return: whether they are, in the initial network namespace.
 */
bool utf8guard_nf_is_locked(void)
{
	struct utf8guard_ruleset *ruleset = &ugnf_net_of(&init_net)->ruleset;
	bool locked;

	mutex_lock(&ruleset->lock);
	locked = ruleset->locked;
	mutex_unlock(&ruleset->lock);
	return locked;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_is_locked, "UTF8GUARD");
