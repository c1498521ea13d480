// SPDX-License-Identifier: GPL-2.0
/* The judge, for the modules that bring it into other firewalls. */
#include <linux/export.h>
#include <linux/skbuff.h>

#include "../../service/refusal.h"
#include "../packet/packet.h"
#include "../payload.h"
#include "../rule/judgment.h"
#include "../rule/rule_types.h"
#include "frontend.h"

/**
 * utf8guard_nf_judge() - is the payload of this packet well-formed UTF-8?
 * @skb: the packet, defragmented; its network header is in the linear part
 * @family: AF_INET or AF_INET6
 * @packet: filled in; not to be relied on where the packet is unreadable
 * @refusal: on UGNF_ILL_FORMED, its error and bytes are filled in; else unchanged
 *
 * No rules are asked, and nothing is remembered: the packet alone is judged, as
 * ugnf_payload_judge() does it.
 *
 * Context: a netfilter hook; does not sleep.
 * Return: the verdict; UGNF_EMPTY of packets that are neither TCP nor UDP, or have no
 * payload.
 */
enum ugnf_finding utf8guard_nf_judge(struct sk_buff *skb, u8 family,
				     struct ugnf_packet *packet,
				     struct utf8guard_refusal *refusal)
{
	static const struct ugnf_constraint constraint = {};
	int ret = ugnf_packet_parse(skb, family, packet);

	if (ret < 0)
		return UGNF_UNREADABLE;
	return ret ? ugnf_payload_judge(packet, &constraint, refusal) : UGNF_EMPTY;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_nf_judge, "UTF8GUARD");
