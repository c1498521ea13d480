/* SPDX-License-Identifier: GPL-2.0 */
/* The conntrack of a packet that connection tracking finds invalid. */
#ifndef _UTF8GUARD_NF_CONNTRACK_H
#define _UTF8GUARD_NF_CONNTRACK_H

#include <linux/types.h>

struct nf_conn;
struct ugnf_packet;

struct nf_conn *ugnf_conntrack_of_invalid(const struct ugnf_packet *packet, u8 *direction);

#endif /* _UTF8GUARD_NF_CONNTRACK_H */
