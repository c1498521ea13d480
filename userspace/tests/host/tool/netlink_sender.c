// SPDX-License-Identifier: GPL-2.0
/*
 * Answers that no kernel gave: another process with CAP_NET_ADMIN in the network namespace sends
 * them to the tool's socket. They are there before the tool asks, so it reads them first.
 *
 * promise operator: the tool believes no answer and no event that a process forged
 * shown by: a forged acknowledgement
 * shown by: forged acknowledgements of a pipeline
 * shown by: a forged event
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/genetlink.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../tool/netlink/netlink.h"
#include "../../../tool/netlink/pipeline.h"
#include "../../tap.h"

/* The controller of generic netlink is always there, and has no such operation. */
#define FAMILY "nlctrl"
#define UNKNOWN_COMMAND 200

/* In namespaces of its own, the test has the capability, and the kernel has other ports. */
static bool enter_namespaces(void)
{
	return !unshare(CLONE_NEWUSER | CLONE_NEWNET) || !unshare(CLONE_NEWNET);
}

/* Says that the request with that number succeeded. */
static void forge(const struct netlink *nl, u32 seq)
{
	struct sockaddr_nl to = {
		.nl_family = AF_NETLINK, .nl_pid = mnl_socket_get_portid(nl->socket),
	};
	struct mnl_socket *socket = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	char buffer[64] = "";
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);

	header->nlmsg_type = NLMSG_ERROR;
	header->nlmsg_seq = seq;
	mnl_nlmsg_put_extra_header(header, sizeof(struct nlmsgerr));
	if (sendto(mnl_socket_get_fd(socket), header, header->nlmsg_len, 0,
		   (struct sockaddr *)&to, sizeof(to)) < 0)
		tap_ok(false, "a forged message is sent: %s", strerror(errno));
	mnl_socket_close(socket);
}

/* What an acknowledgement says that has @error. */
static int told(int error)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr body;
	} ack = {
		.header = { .nlmsg_len = sizeof(ack), .nlmsg_type = NLMSG_ERROR },
		.body = { .error = error, .msg.nlmsg_len = sizeof(ack.body.msg) },
	};
	struct refusal refusal = { 0 };

	netlink_read_error(&ack.header, &refusal);
	return refusal.error;
}

/* The kernel sends 0 or an errno, negated: up to 4095. */
static void check_errno(void)
{
	tap_ok(told(0) == 0 && told(-EPERM) == EPERM && told(-4095) == 4095,
	       "an errno of the kernel");
	tap_ok(told(1) == EBADMSG && told(-4096) == EBADMSG && told(INT_MIN) == EBADMSG,
	       "a number that is none");
}

static void check_answer(struct netlink *nl)
{
	static struct request request;
	struct refusal refusal;

	request_init(&request, UNKNOWN_COMMAND);
	forge(nl, 0);
	tap_ok(netlink_ask(nl, &request, NULL, NULL, &refusal) == EOPNOTSUPP,
	       "a forged acknowledgement");
}

static void note_refused(size_t at, struct refusal *refusal, void *context)
{
	unsigned int *refused = context;

	if (refusal->error == EOPNOTSUPP)
		*refused |= 1U << at;
}

static void check_pipeline(struct netlink *nl)
{
	static struct request requests[2];
	struct nlmsghdr *messages[2];
	unsigned int refused = 0;
	const struct pipeline pipeline = {
		.messages = messages, .count = 2, .refused = note_refused, .context = &refused,
	};
	u32 i;

	for (i = 0; i < 2; i++) {
		request_init(&requests[i], UNKNOWN_COMMAND);
		messages[i] = requests[i].header;
		forge(nl, i + 1);
	}
	tap_ok(!pipeline_run(nl, &pipeline) && refused == 3,
	       "forged acknowledgements of a pipeline");
}

/* What monitor and top read. They wait with poll(), so they must not wait here. */
static void check_event(struct netlink *nl)
{
	char buffer[256];

	forge(nl, 0);
	tap_ok(netlink_receive_one(nl, buffer, sizeof(buffer)) == 0, "a forged event");
}

/* An answer that does not fit is an error, and no shorter answer. */
static void check_long(struct netlink *nl)
{
	static struct request request;
	char buffer[sizeof(struct nlmsghdr)];

	request_init(&request, UNKNOWN_COMMAND);
	request.header->nlmsg_type = GENL_ID_CTRL;
	request.header->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	tap_ok(mnl_socket_sendto(nl->socket, request.header, request.header->nlmsg_len) > 0 &&
	       netlink_receive_one(nl, buffer, sizeof(buffer)) < 0 && errno == ENOSPC,
	       "an answer that is longer than the buffer");
}

/* The kernel refuses attributes in one that does not say that it has them. */
static void check_nest(void)
{
	static const struct nlattr empty = { .nla_len = sizeof(empty), .nla_type = 1 };
	static struct request request;
	const struct nlattr *nest;

	request_init(&request, UNKNOWN_COMMAND);
	request_nest(&request, 2, &empty, sizeof(empty), NULL);
	nest = mnl_nlmsg_get_payload_offset(request.header, GENL_HDRLEN);
	tap_ok(nest->nla_type == (2 | NLA_F_NESTED), "a nest is marked as one");
}

/* The kernel is asked which attributes a command takes; here, one of the controller's own. */
static void check_policy(struct netlink *nl)
{
	tap_ok(netlink_takes(nl, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME),
	       "the kernel says that a command takes an attribute");
	tap_ok(!netlink_takes(nl, CTRL_CMD_GETFAMILY, CTRL_ATTR_MCAST_GROUPS),
	       "... that it does not take one");
	tap_ok(netlink_takes(nl, UNKNOWN_COMMAND, CTRL_ATTR_MCAST_GROUPS),
	       "... and nothing of a command that is none");
}

int main(void)
{
	struct netlink nl;

	check_errno();
	check_nest();
	if (!enter_namespaces()) {
		tap_skip("forged messages", "no network namespace may be made here");
		return tap_done();
	}
	if (netlink_open(&nl, FAMILY)) {
		tap_ok(false, "a socket to " FAMILY);
		return tap_done();
	}
	check_answer(&nl);
	check_pipeline(&nl);
	check_event(&nl);
	check_long(&nl);
	check_policy(&nl);
	netlink_close(&nl);
	return tap_done();
}
