/* SPDX-License-Identifier: GPL-2.0 */
/* Judges a segment of a stream. */
#ifndef _UTF8GUARD_NF_SEGMENT_H
#define _UTF8GUARD_NF_SEGMENT_H

#include "../packet/packet.h"
#include "../rule/judgment.h"
#include "../rule/rule_types.h"
#include "../stream/direction.h"

typedef bool ugnf_feed_fn(void *judged, const void *data, u32 len);
u32 ugnf_packet_read(const struct ugnf_packet *packet, ugnf_feed_fn *feed, void *judged);
struct ugnf_judgment ugnf_segment_judge(struct ugnf_rule *rule, struct ugnf_direction *dir,
					const struct ugnf_packet *packet,
					struct utf8guard_refusal *refusal);

#endif /* _UTF8GUARD_NF_SEGMENT_H */
