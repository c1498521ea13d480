// SPDX-License-Identifier: GPL-2.0
/* utf8guard reset: sets the counters of both checks to zero. */
#include <errno.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "command.h"
#include "netlink/netlink.h"
#include "netlink/netns.h"
#include "output/output.h"

static int reset(const char *family, u8 command, const struct attributes *set)
{
	static struct request request;
	struct netlink nl;
	int status, error = netlink_open(&nl, family);

	if (error == ENOENT)
		return STATUS_ABSENT;
	if (error) {
		netlink_complain_absent(family, error);
		return STATUS_ABSENT;
	}
	request_init(&request, command);
	status = netlink_do(&nl, &request, set, NULL);
	netlink_close(&nl);
	return status;
}

/* A check that is not loaded has no counters; but one of them must be there. */
static int run(struct words *words)
{
	int fs, net;

	if (!words_end(words))
		return STATUS_USAGE;
	fs = reset(NETLINK_FS, UTF8GUARD_FS_CMD_STATUS_RESET, &attributes_fs_status);
	net = reset(NETLINK_NF, UTF8GUARD_NF_CMD_STATUS_RESET, &attributes_nf_status);
	if (fs == STATUS_ABSENT && net == STATUS_ABSENT) {
		netlink_complain_absent(NETLINK_FS, ENOENT);
		netlink_complain_absent(NETLINK_NF, ENOENT);
		return STATUS_ABSENT;
	}
	return fs == STATUS_REFUSED || net == STATUS_REFUSED ? STATUS_REFUSED : STATUS_DONE;
}

const struct command command_reset = {
	.name = "reset",
	.options = OPTIONS(OPTION_NETNS),
	.summary = "set the counters to zero",
	.help =
"utf8guard reset [-N NETNS]\n"
"\n"
"Sets the counters of the name check and of the payload check to zero, those of\n"
"their rules too. What the service counts goes on.\n",
	.run = run,
};
