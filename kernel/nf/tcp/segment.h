/* SPDX-License-Identifier: GPL-2.0 */
/* A segment of a stream, judged. */
#ifndef _UTF8GUARD_NF_JUDGMENT_H
#define _UTF8GUARD_NF_JUDGMENT_H

#include "../../service/service.h"
#include "../packet/packet.h"
#include "../rule/judgment.h"
#include "../rule/rule_types.h"
#include "../stream/direction.h"

typedef bool nf_feed_fn(void *judged, const void *data, u32 len);
u32 nf_packet_read(const struct nf_packet *packet, nf_feed_fn *feed, void *judged);
struct nf_finding nf_segment_judge(struct nf_rule *rule, struct nf_side *side,
				   const struct nf_packet *packet,
				   struct utf8guard_refusal *refusal);

#endif /* _UTF8GUARD_NF_JUDGMENT_H */
