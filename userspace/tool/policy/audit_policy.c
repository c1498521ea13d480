// SPDX-License-Identifier: GPL-2.0
/*
 * Writes to the audit log which policy a load has put in force. The kernel has recorded the
 * change and who made it, but it does not have the words of rules, so it cannot know their
 * checksum.
 */
#include <linux/audit.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>

#include "audit_policy.h"
#include "checksum.h"
#include "output/output.h"

/* libaudit.h has the number, the kernel only the range. "aureport --mac" lists it. */
#define USER_MAC_POLICY_LOAD 2310

/* Without privilege, or without audit in the kernel, there is no record: no load fails by that. */
static void send_record(const char *text)
{
	char buffer[512];
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
	struct mnl_socket *socket = mnl_socket_open2(NETLINK_AUDIT, SOCK_CLOEXEC);
	const size_t size = strlen(text) + 1;

	header->nlmsg_type = USER_MAC_POLICY_LOAD;
	header->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	memcpy(mnl_nlmsg_put_extra_header(header, size), text, size);
	if (socket && !mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) &&
	    mnl_socket_sendto(socket, header, header->nlmsg_len) > 0)
		mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
	if (socket)
		mnl_socket_close(socket);
}

/* @check: committed, or unchanged. */
void audit_policy(struct transaction *check)
{
	char text[256], checksum[CHECKSUM_SIZE];
	json_t *list = NULL;

	if (check->is_unchanged || rules_list(check->of, &check->nl, &list))
		return;
	snprintf(text, sizeof(text),
		 "op=utf8guard-policy ruleset=%s checksum=%s rules=%zu res=success",
		 check->of == &rules_fs ? "fs" : "nf", checksum_of(check->of, list, checksum),
		 json_array_size(list));
	json_decref(list);
	send_record(text);
}
