/* SPDX-License-Identifier: GPL-2.0 */
/* The payload of a packet alone, judged. */
#ifndef _UTF8GUARD_NF_PAYLOAD_H
#define _UTF8GUARD_NF_PAYLOAD_H

#include "packet/packet.h"
#include "rule/judgment.h"
#include "rule/rule_types.h"

enum ugnf_finding ugnf_payload_judge(const struct ugnf_packet *packet,
				     const struct ugnf_constraint *constraint,
				     struct utf8guard_refusal *refusal);

#endif /* _UTF8GUARD_NF_PAYLOAD_H */
