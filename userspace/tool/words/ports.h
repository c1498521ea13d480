/* SPDX-License-Identifier: GPL-2.0 */
/* Ports, as a rule for packets names them. */
#ifndef UTF8GUARD_TOOL_PORTS_H
#define UTF8GUARD_TOOL_PORTS_H

#include <linux/utf8guard.h>

struct words;

struct ports {
	u16 min, max;
};

/* The kernel takes at most 16 ranges, ascending, with a port between any two that is in neither. */
#define PORT_RANGES 16

struct port_set {
	struct ports ranges[PORT_RANGES];
	unsigned int count;
};

bool words_ports(struct words *words, const char *protocol, struct port_set *set);

#endif /* UTF8GUARD_TOOL_PORTS_H */
