/* SPDX-License-Identifier: GPL-2.0 */
/* A multicast group that is listened to, whether its module is loaded or not. */
#ifndef UTF8GUARD_TOOL_WATCH_H
#define UTF8GUARD_TOOL_WATCH_H

#include "netlink.h"

/**
 * struct watch - a group of a family
 * @family: its name
 * @group: of the family
 * @nl: the socket; closed while the family is not there
 * @drops: the count of dropped messages of the socket, at the last watch_dropped()
 */
struct watch {
	const char *family, *group;
	struct netlink nl;
	u32 drops;
};

/* Where netlink itself says which families come and go, for watch_follow(). */
#define WATCH_FAMILIES { .family = "nlctrl", .group = "notify" }

int watch_open(struct watch *watch);
int watch_open_or_complain(struct watch *watch, bool needed);
void watch_close(struct watch *watch);
bool watch_is_open(const struct watch *watch);
bool watch_follow(struct watch *watch, const struct nlmsghdr *header);
int watch_fd(const struct watch *watch);
u32 watch_dropped(struct watch *watch);
void watch_drain(const struct watch *watch);
u64 watch_milliseconds(void);

#endif /* UTF8GUARD_TOOL_WATCH_H */
