// SPDX-License-Identifier: GPL-2.0
/* A multicast group that is listened to, whether its module is loaded or not. */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "output/exit_status.h"
#include "watch.h"

static int join(struct watch *watch)
{
	int error = netlink_join(&watch->nl, watch->group);

	watch->drops = 0;
	if (error)
		watch_close(watch);
	return error;
}

/* Return: 0 or errno, positive: ENOENT where the family is not there. */
int watch_open(struct watch *watch)
{
	int error = netlink_open(&watch->nl, watch->family);

	return error ? error : join(watch);
}

/**
 * watch_open_or_complain() - listen to a group, and say why that cannot be
 * @watch: with its family and group
 * @needed: the family must be there; otherwise it may come later
 *
 * Return: enum status.
 */
int watch_open_or_complain(struct watch *watch, bool needed)
{
	int error = netlink_open(&watch->nl, watch->family);

	if (error == ENOENT && !needed)
		return STATUS_DONE;
	if (error) {
		netlink_complain_absent(watch->family, error);
		return STATUS_ABSENT;
	}
	error = join(watch);
	if (!error)
		return STATUS_DONE;
	netlink_complain(&watch->nl, &attributes_info, &(struct refusal){ .error = error });
	return STATUS_REFUSED;
}

void watch_close(struct watch *watch)
{
	netlink_close(&watch->nl);
}

bool watch_is_open(const struct watch *watch)
{
	return watch->nl.socket;
}

static const char *family_name(const struct nlmsghdr *header)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, header, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_NAME)
			return mnl_attr_get_str(attr);
	}
	return "";
}

/**
 * watch_follow() - open or close it if a message of netlink itself says that its family came or went
 * @watch: with its family and group
 * @header: of the family "nlctrl"
 *
 * A socket whose family has gone is in no group any more, also once the family is there again.
 *
 * Return: was it opened or closed?
 */
bool watch_follow(struct watch *watch, const struct nlmsghdr *header)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(header);
	const bool is_open = watch_is_open(watch);

	if (strcmp(watch->family, family_name(header)))
		return false;
	if (genl->cmd == CTRL_CMD_NEWFAMILY && !is_open)
		return !watch_open(watch);
	if (genl->cmd != CTRL_CMD_DELFAMILY || !is_open)
		return false;
	watch_close(watch);
	return true;
}

/* For poll(), which passes over -1. */
int watch_fd(const struct watch *watch)
{
	return watch_is_open(watch) ? mnl_socket_get_fd(watch->nl.socket) : -1;
}

/*
 * Messages lost since the last call, by the socket's own count. ENOBUFS says only that
 * some were lost, and only once until all waiting messages have been read.
 */
u32 watch_dropped(struct watch *watch)
{
	u32 info[SK_MEMINFO_VARS] = { 0 }, dropped;
	socklen_t size = sizeof(info);

	if (!watch_is_open(watch) ||
	    getsockopt(watch_fd(watch), SOL_SOCKET, SO_MEMINFO, info, &size))
		return 0;
	dropped = info[SK_MEMINFO_DROPS] - watch->drops;
	watch->drops = info[SK_MEMINFO_DROPS];
	return dropped;
}

/* Throws away what has come, for those to whom it matters only that something did. Never waits. */
void watch_drain(const struct watch *watch)
{
	char buffer[256];

	/* ENOBUFS is reported once: some messages were lost. */
	while (recv(watch_fd(watch), buffer, sizeof(buffer), MSG_DONTWAIT) >= 0 ||
	       errno == EINTR || errno == ENOBUFS)
		;
}

/* Of the monotonic clock: how long to watch is measured by it. */
u64 watch_milliseconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + (u64)ts.tv_nsec / 1000000;
}
