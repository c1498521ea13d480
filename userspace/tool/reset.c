// SPDX-License-Identifier: GPL-2.0
/* utf8guard reset: sets the counters of both checks to zero. */
#include <errno.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "command.h"
#include "netlink/netlink.h"
#include "netlink/netns.h"
#include "output/output.h"

/*
 * A check that is not loaded has no counters, so that is no failure here. Where it is loaded, or
 * that cannot be found out, @absent becomes false.
 */
static int reset(const char *family, u8 command, const struct attributes *set, bool *absent)
{
	static struct request request;
	struct netlink nl;
	int status, error = netlink_open(&nl, family);

	if (error == ENOENT)
		return STATUS_DONE;
	*absent = false;
	if (error) {
		netlink_complain_absent(family, error);
		return STATUS_ABSENT;
	}
	request_init(&request, command);
	status = netlink_do(&nl, &request, set, NULL);
	netlink_close(&nl);
	return status;
}

/* One of the checks must be there. Where one of them fails, the other one is reset all the same. */
static int run(struct words *words)
{
	bool absent = true;
	int fs, net;

	if (!words_end(words))
		return STATUS_USAGE;
	fs = reset(NETLINK_FS, UTF8GUARD_FS_CMD_STATUS_RESET, &attributes_fs_status, &absent);
	net = reset(NETLINK_NF, UTF8GUARD_NF_CMD_STATUS_RESET, &attributes_nf_status, &absent);
	if (!absent)
		return fs ? fs : net;
	netlink_complain_absent(NETLINK_FS, ENOENT);
	netlink_complain_absent(NETLINK_NF, ENOENT);
	return STATUS_ABSENT;
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
