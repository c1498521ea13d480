/* SPDX-License-Identifier: GPL-2.0 */
/* For the modules that bring the judge into other firewalls. */
#ifndef _UTF8GUARD_NF_FRONTEND_H
#define _UTF8GUARD_NF_FRONTEND_H

#include "../packet/packet.h"
#include "../rule/judgment.h"

enum ugnf_finding utf8guard_nf_judge(struct sk_buff *skb, u8 family,
				     struct ugnf_packet *packet,
				     struct utf8guard_refusal *refusal);
bool utf8guard_nf_is_locked(void);

#endif /* _UTF8GUARD_NF_FRONTEND_H */
