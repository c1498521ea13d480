/* SPDX-License-Identifier: GPL-2.0 */
/* Networks, as a rule for packets names them. */
#ifndef UTF8GUARD_TOOL_NETWORKS_H
#define UTF8GUARD_TOOL_NETWORKS_H

#include <linux/utf8guard.h>

struct words;

/**
 * struct network - an address, or all that begin like it
 * @octets: in network order
 * @length: 4 or 16
 * @prefix: bits that count
 */
struct network {
	u8 octets[16];
	u8 length;
	unsigned int prefix;
};

/* The kernel takes at most 64 networks, ascending, no two of which overlap. */
#define NETWORKS 64

/* All of one family. */
struct network_set {
	struct network networks[NETWORKS];
	unsigned int count;
};

bool words_networks(struct words *words, struct network_set *set);
bool network_covers(const struct network *outer, struct network inner);

#endif /* UTF8GUARD_TOOL_NETWORKS_H */
